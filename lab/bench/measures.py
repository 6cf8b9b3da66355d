"""What `lab.bench.against` measures in one tree: prints seconds of the processor by name, as JSON.

It runs as a file, with the tree on the path. What an older tree cannot do is left out.
"""

import importlib
import json
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

Work = Callable[[], object]
WHOSE = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)


def start() -> Work:
    command = [sys.executable, "-m", "companion", "judge", "--help"]
    return lambda: subprocess.run(command, check=True, capture_output=True)


def random_games() -> Work:
    rules = bench_of_rules()
    return lambda: rules.games_per_s(rules.any_call, games=20, goes=1)


def advice() -> Work:
    coach: Work = bench_of_rules().coach
    return coach


def bench_of_rules() -> Any:
    """Of the tree that is measured; older ones have it among their tests."""
    try:
        return importlib.import_module("lab.bench.bench_rules")
    except ModuleNotFoundError:
        return importlib.import_module("tests.bench.bench_rules")


def reading(count: int) -> Work:
    import cv2

    from hardware.cameras.simulated_dice import laid
    from vision.read import read

    cv2.setNumThreads(1)
    image = laid([(1 + k % 6, "ivory") for k in range(count)], 11, width_px=1600, height_px=1200).image_bgr
    return lambda: read(image)


def pages() -> Work:
    from tests.web.party import Party

    phone = Party(Path(tempfile.mkdtemp())).phone()
    return lambda: [phone.get("/") for _ in range(20)]


MEASURES: dict[str, tuple[Callable[[], Work], int]] = {
    "dudo judge --help": (start, 5),
    "twenty random games": (random_games, 8),
    "advice with thirty dice": (advice, 3),
    "reading five dice": (lambda: reading(5), 8),
    "reading thirty dice": (lambda: reading(30), 8),
    "a page, twenty times": (pages, 8),
}
"""What makes each piece of work, and how often it is done: the quickest counts, the first does not."""


def seconds(work: Work) -> float:
    """Processor time of this process and of those it started."""
    began_s = _used_s()
    work()
    return _used_s() - began_s


def _used_s() -> float:
    used = [resource.getrusage(who) for who in WHOSE]
    return sum(one.ru_utime + one.ru_stime for one in used)


def main() -> None:
    found: dict[str, float] = {}
    for name, (make, times) in MEASURES.items():
        try:
            work = make()
            work()
        except Exception as fault:
            print(f"{name}: {fault!r}", file=sys.stderr)
            continue
        found[name] = min(seconds(work) for _ in range(times))
    print(json.dumps(found))


if __name__ == "__main__":
    main()
