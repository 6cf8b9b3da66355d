"""The regression behind the chances finds weights that made the data."""

import json
from pathlib import Path

import numpy as np
import pytest

from vision.counting.evidence import NAMES
from vision.scenes.folder import write
from vision.training.weights import chances

pytestmark = pytest.mark.slow


def test_known_weights_are_found_again() -> None:
    rng = np.random.default_rng(1)
    true = np.array([-1.0, 2.0, -3.0])
    found = np.column_stack([np.ones(20_000), rng.normal(size=20_000), rng.uniform(0, 2, 20_000)])
    right = rng.uniform(size=20_000) < 1 / (1 + np.exp(-found @ true))
    assert chances.fit(found, right, ridge=0.01) == pytest.approx(true, abs=0.15)


def test_a_folder_of_drawn_pictures_gives_a_weight_for_every_word(tmp_path: Path, capsys) -> None:
    list(
        write(tmp_path, 3, seed=5, difficulty="easy", style="box", dice=(8, 10), width_px=640, height_px=480)
    )
    assert chances.main([str(tmp_path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    fitted = [line.split(") ", 1)[1] for line in lines[-len(chances.KINDS) :]]
    assert [len(json.loads(weights)) for weights in fitted] == [len(NAMES)] * len(chances.KINDS)
