"""What photographs are changed into to be measured again: labels stay on their dice."""

import sys

import numpy as np
import pytest

from lab.measure import photographs, times
from lab.measure.other_light import HARSH, LIGHTS, changed
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
def test_a_label_stays_on_its_die(name):
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


@pytest.mark.parametrize("main", [photographs.main, times.main])
def test_photographs_that_are_not_there_are_reported_in_a_sentence(main, tmp_path, capsys):
    with pytest.raises(SystemExit) as end:
        main(["--folder", str(tmp_path), "--set", "nowhere"])
    assert end.value.code == 2
    assert f"no labels.json in {tmp_path} for nowhere" in capsys.readouterr().err


@pytest.mark.parametrize(("words", "rows"), [([], 13), (["--set", "king"], 1)])
def test_the_simulated_table_is_timed_unless_sets_are_named(words, rows, tmp_path, monkeypatch, capsys):
    for name in (*FROM_ABOVE, *STRESS):
        (tmp_path / name).mkdir()
        (tmp_path / name / "labels.json").write_text("{}")
    for source in ("of_set", "of_table"):
        monkeypatch.setattr(times, source, lambda *_: iter([(90.0, 50.0)]))
    assert times.main(["--folder", str(tmp_path), *words]) == 0
    assert capsys.readouterr().out.count("90 ms") == 2 * rows


@pytest.mark.parametrize(
    ("watched", "output"), [(True, "\r1 of 2\r2 of 2\n"), (False, "")], ids=["a terminal", "a log"]
)
def test_progress_goes_to_a_terminal_only(watched, output, monkeypatch, capsys):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: watched)
    for number in (1, 2):
        photographs.show_progress(number, 2)
    assert capsys.readouterr().err == output
