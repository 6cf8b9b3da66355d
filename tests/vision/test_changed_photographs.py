"""What photographs are changed into to be measured again: labels stay on their dice."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from tests.vision import measure_photographs, measure_times
from tests.vision.half_hidden import LEFT, cut_through, under_a_finger
from tests.vision.other_light import HARSH, LIGHTS, changed
from tests.vision.photographs import FROM_ABOVE, STRESS
from tests.vision.pictures import Drawn, Image, draw
from tests.vision.scoring import Label

pytestmark = pytest.mark.slow

WIDE, HIGH, SIDE = 640, 480, 60.0
DICE = ((150.0, 120.0), (320.0, 250.0), (500.0, 330.0))


def label() -> Label:
    dice = [{"x": x / WIDE, "y": y / HIGH, "size": SIDE / WIDE, "face": 1} for x, y in DICE]
    return {"dice": dice}


def picture() -> Image:
    return draw([Drawn(1, x, y, SIDE) for x, y in DICE], (WIDE, HIGH))


@pytest.mark.parametrize("name", [*LIGHTS, *HARSH])
def test_a_label_stays_on_its_die(name: str) -> None:
    change = (LIGHTS | HARSH)[name]
    image = draw([Drawn(1, x, y, SIDE, body=(255, 255, 255), ink=(255, 255, 255)) for x, y in DICE])
    there, moved = changed(image, label(), change)
    high, wide = there.shape[:2]
    grey = there.mean(axis=2)
    around = np.median(grey)
    for die in moved["dice"]:
        x, y, reach = int(die["x"] * wide), int(die["y"] * high), int(0.3 * die["size"] * wide)
        face = grey[y - reach : y + reach, x - reach : x + reach]
        assert np.mean(np.abs(face - around) > 20) > 0.9, "the even face lies where the label says"
        assert 0.5 < die["size"] * wide / (SIDE * wide / WIDE) < 1.4


@pytest.mark.parametrize("share", [1 / 3, 1 / 2, 2 / 3])
@pytest.mark.parametrize("which", range(len(DICE)))
def test_a_finger_lies_over_its_share_of_one_face(share: float, which: int) -> None:
    before = picture()
    there = under_a_finger(before, label(), which, share, seed=4)
    assert there is not None
    hidden = [covered(before, there, x, y) for x, y in DICE]
    assert hidden.pop(which) == pytest.approx(share, abs=0.2)
    assert max(hidden) == 0


def covered(before: Image, there: Image, x: float, y: float) -> float:
    """How much of a face looks quite different now."""
    half = int(SIDE / 2)
    part = np.s_[int(y) - half : int(y) + half, int(x) - half : int(x) + half]
    return float(np.mean(np.abs(before[part].astype(int) - there[part]).max(axis=2) > 60))


def test_no_finger_where_it_would_hide_two_dice() -> None:
    ring = [(320 + 62 * dx, 240 + 62 * dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
    crowd = {"dice": [{"x": x / WIDE, "y": y / HIGH, "size": SIDE / WIDE, "face": 1} for x, y in ring]}
    assert under_a_finger(picture(), crowd, 4, 0.5, seed=1) is None


def test_a_cut_leaves_part_of_a_face() -> None:
    cuts = list(cut_through(picture(), label(), seed=2))
    assert len(cuts) == 4
    for there, moved, which in cuts:
        high, wide = there.shape[:2]
        die = moved["dice"][which]
        assert die["ignore"]
        half = die["size"] * wide / 2
        ways = ((die["x"] * wide, wide), (die["y"] * high, high))
        left = min(min(at + half, size - at + half) for at, size in ways) / (2 * half)
        assert LEFT[0] - 0.02 <= left <= LEFT[1] + 0.02


def test_pictures_without_dice_are_not_cut() -> None:
    assert list(cut_through(picture(), {"dice": []}, seed=0)) == []


@pytest.mark.parametrize("main", [measure_photographs.main, measure_times.main])
def test_photographs_that_are_not_there_are_told_in_a_sentence(
    main: Callable[[Sequence[str]], int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        main(["--folder", str(tmp_path), "--set", "nowhere"])
    assert end.value.code == 2
    assert f"no labels.json in {tmp_path} for nowhere" in capsys.readouterr().err


@pytest.mark.parametrize(("words", "rows"), [([], 13), (["--set", "king"], 1)])
def test_the_simulated_table_is_timed_unless_sets_are_named(
    words: list[str],
    rows: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name in (*FROM_ABOVE, *STRESS):
        (tmp_path / name).mkdir()
        (tmp_path / name / "labels.json").write_text("{}")
    for source in ("of_set", "of_table"):
        monkeypatch.setattr(measure_times, source, lambda *_: iter([(90.0, 50.0)]))
    assert measure_times.main(["--folder", str(tmp_path), *words]) == 0
    assert capsys.readouterr().out.count("90 ms") == 2 * rows


@pytest.mark.parametrize(
    ("watched", "told"), [(True, "\r1 of 2\r2 of 2\n"), (False, "")], ids=["a terminal", "a log"]
)
def test_progress_goes_to_a_terminal_only(
    watched: bool, told: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: watched)
    for number in (1, 2):
        measure_photographs.show_progress(number, 2)
    assert capsys.readouterr().err == told
