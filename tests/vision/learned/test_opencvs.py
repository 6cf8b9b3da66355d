"""The shipped models under OpenCV 5 and those of Debian 12 (4.6) and 13 (4.10), each in its own process."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
SHELF = ROOT / ".opencv" / f"{sys.version_info[0]}.{sys.version_info[1]}"
ASK = """
import sys
import cv2, numpy as np
from vision.learned import classifier, net
from vision.learned.runtimes import OpenCv
assert cv2.__version__ == sys.argv[1], f"asked for {sys.argv[1]}, got {cv2.__version__}"
with np.load(sys.argv[2]) as wanted:
    maps = OpenCv(net.MODEL).run(wanted["image"], ("faces", "features"))
    for name, off in (("faces", 2e-3), ("features", 2e-2)):
        print(name, float(np.abs(maps[name] - wanted[name]).max()), off)
with np.load(sys.argv[3]) as wanted:
    judge = OpenCv(classifier.CLASSIFIER_MODEL)
    answers = [judge.run(patch, ("classes", "features")) for patch in wanted["patches"]]
    for name in ("classes", "features"):
        print(name, float(np.abs([answer[name] for answer in answers] - wanted[name]).max()), 2e-3)
"""


@pytest.mark.parametrize("version", ["4.6.0", "4.10.0", "5.0.0"])
def test_other_opencvs_answer_as_the_training_framework_did(version):
    shelf = next(SHELF.glob(f"{version}.*[0-9]"), None)
    if shelf is None:
        pytest.skip(f"no OpenCV {version} in .opencv/{SHELF.name}: `make opencvs` fetches it")
    names = ("net", "classifier")
    references = [str(Path(__file__).with_name(f"{name}_reference.npz")) for name in names]
    surroundings = os.environ | {"PYTHONPATH": os.pathsep.join((str(shelf), str(ROOT)))}
    done = subprocess.run(
        [sys.executable, "-c", ASK, version, *references], env=surroundings, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    lines = [line.split() for line in done.stdout.splitlines()]
    assert [name for name, *_ in lines] == ["faces", "features", "classes", "features"]
    assert all(float(off) < float(most) for _, off, most in lines), done.stdout
