"""The learned way alone: certain only where both nets say the same of a whole, clear die."""

from __future__ import annotations

import numpy as np
import pytest

from vision.agreement import net_alone
from vision.learned.maps import Detection
from vision.scenes import render, throw

IMAGE = np.full((200, 400, 3), 90, np.uint8)


def detection(face: int = 3, score: float = 0.9, x: float = 100.0) -> Detection:
    chances = [0.01] * 7
    chances[face] = 0.94
    return Detection(x, 100.0, 40.0, 0.0, score, tuple(chances), 32.0)


@pytest.mark.parametrize(
    ("first", "pips", "second", "certain", "reason"),
    [
        (detection(), 3, detection(score=0.99), [True], "both say three"),
        (detection(), 3, detection(4, 0.99), [False], "the second says four"),
        (detection(), 2, detection(score=0.99), [False], "only two pips were seen"),
        (detection(score=0.3), 3, detection(score=0.8), [], "dim for both"),
        (detection(x=12), 3, detection(x=12, score=0.99), [False], "cut by the border"),
        (detection(), 3, None, [], "the second sees nothing there"),
    ],
)
def test_a_die_is_certain_where_both_nets_say_so(
    first: Detection,
    pips: int,
    second: Detection | None,
    certain: list[bool],
    reason: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(net_alone.net, "seen", lambda _: (first,))
    monkeypatch.setattr(net_alone.net, "pips_in", lambda *_: ((first.x_px, 100.0, 1.0),) * pips)
    monkeypatch.setattr(net_alone.agree.closeup, "judged", lambda *_: second)
    dice, _ = net_alone.look(IMAGE)
    assert [die.certain for die in dice] == certain, reason
    assert all(bool(die.why) is not die.certain for die in dice), reason


def test_dice_of_an_easy_scene_are_read_from_top_to_bottom() -> None:
    picture = render(throw(3, (1, 2, 3, 4, 5, 6), difficulty="easy", style="box"), 960, 720)
    dice, _ = net_alone.look(picture.image_bgr)
    assert [die.face for die in dice] == [d.face for d in sorted(picture.truth, key=lambda d: d.y_px)]
    assert any(die.certain for die in dice)
