"""The nets alone and the count alone: what they see, and nothing for certain."""

import pytest

from hardware.cameras.simulated_dice import laid
from tests.vision.agreement.voices import IMAGE, detection
from vision.agreement import ways
from vision.agreement.places import Detected


@pytest.mark.parametrize(
    ("first", "second", "dice", "reason"),
    [
        (detection(), detection(score=0.99), 1, "both say one face"),
        (detection(score=0.3), detection(score=0.8), 0, "dim for both"),
        (detection(), None, 0, "the second sees nothing there"),
    ],
)
def test_a_die_is_read_where_both_nets_see_one(first, second, dice, reason, monkeypatch):
    monkeypatch.setattr(ways, "detected", lambda *_, **__: Detected((first,), (first,)))
    monkeypatch.setattr(ways.agree.classifier, "judged", lambda *_: second)
    read, _ = ways.net_alone(IMAGE)
    assert [die.why for die in read] == [("one_way",)] * dice, reason


@pytest.mark.parametrize("way", [ways.net_alone, ways.pips_alone, ways.both])
def test_dice_of_an_easy_scene_are_read_from_top_to_bottom(way):
    picture = laid([(face, "ivory") for face in range(1, 7)], 3)
    dice, _ = way(picture.image_bgr, None)
    assert [die.face for die in dice] == [d.face for d in sorted(picture.dice, key=lambda d: d.y_px)]
    assert any(die.certain for die in dice) is (way is ways.both)


def test_a_face_without_pips_is_not_counted(monkeypatch):
    monkeypatch.setattr(ways, "detected", lambda *_, **__: Detected((detection(),), ()))
    assert ways.pips_alone(IMAGE) == ((), [])
