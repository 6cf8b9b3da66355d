"""The rule that brings the pips way and the net together."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vision import agree
from vision.agree import Pair, paired, seconded, together
from vision.net_maps import Sight
from vision.values import Die, Doubt

IMAGE = np.full((200, 300, 3), 128, np.uint8)


def die(face: int = 4, confidence: float = 0.95, x: float = 100.0, size: float = 40.0) -> Die:
    return Die(face, x, 100.0, size, 0.0, confidence, confidence > 0.9, "white")


def sight(
    face: int = 4, score: float = 0.8, x: float = 100.0, size: float = 40.0, chance: float = 0.98
) -> Sight:
    """A sight that gives `face` the probability `chance`; face 0 is a cube without pips."""
    faces = [(1 - chance) / 6] * 7
    faces[face] = chance
    return Sight(x, 100.0, size, 0.0, score, tuple(faces), (), size)


def blind(*_: object) -> None:
    """A second look of the pips way that sees nothing."""


CASES = [
    # pips way, net, its second look, the die made, key of the doubt, reason
    (die(4), sight(4), None, (4, True, ()), None, "both say four"),
    (die(4), sight(4, score=0.3), sight(4), (4, True, ()), None, "weak at first, firm with the second look"),
    (die(4), sight(4, 0.3), sight(4, 0.3), (4, False, ("low_confidence",)), None, "weak twice"),
    (die(4, 0.3), sight(4), sight(4), (4, False, ("low_confidence",)), None, "the pips are weak"),
    (die(4, 0.99), sight(5, 0.6), sight(5, 0.6), (4, False, ("ways_differ",)), None, "pips likelier"),
    (die(4, 0.5), sight(5, 0.9), sight(5, 0.9), (5, False, ("ways_differ",)), None, "net likelier"),
    (die(4), sight(5), sight(4), (4, False, ("low_confidence",)), None, "the looks differ"),
    (die(4, 0.95), None, None, (4, False, ("one_way",)), None, "very clear pips that the net does not see"),
    (die(4, 0.6), None, None, None, None, "dots on cloth: unclear pips that the net does not see"),
    (die(4, 0.6), None, sight(4), (4, False, ("low_confidence",)), None, "seen on the second look only"),
    (die(4), sight(0), sight(0), (4, False, ("no_pips",)), None, "an emblem with round parts"),
    (None, sight(3), sight(3), (3, False, ("one_way",)), None, "a die whose pips were not found"),
    (None, sight(3, 0.4), None, None, None, "a likeness that does not survive turning"),
    (None, sight(3, 0.4), sight(3, 0.3), None, "die_like", "something that looks a little like a die"),
    (None, sight(0), sight(0), None, "no_pips", "an emblem or a blank"),
]  # fmt: skip


@pytest.mark.parametrize(("pips", "net", "second", "made", "doubt", "reason"), CASES)
def test_what_becomes_of_a_place(
    pips: Die | None,
    net: Sight | None,
    second: Sight | None,
    made: tuple[int, bool, tuple[str, ...]] | None,
    doubt: str | None,
    reason: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(agree.net_again, "judged", lambda *_: second)
    dice, doubts = together(IMAGE, [pips] if pips else [], [], [net] if net else [], blind)
    assert [(d.face, d.certain, d.why) for d in dice] == ([made] if made else []), reason
    assert [d.key for d in doubts] == ([doubt] if doubt else []), reason


@pytest.mark.parametrize(
    ("closer", "why", "reason"),
    [
        (die(3), (), "seen closer, the pips say the same"),
        (die(3, 0.3), ("low_confidence",), "the same, but weakly"),
        (die(4), ("one_way",), "another face"),
        (die(3, x=150), ("one_way",), "the same face, elsewhere"),
    ],
)
def test_the_pips_way_looks_again_where_only_the_net_sees_a_die(
    closer: Die, why: tuple[str, ...], reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(agree.net_again, "judged", lambda *_: sight(3))
    (read,), _ = together(IMAGE, [], [], [sight(3)], lambda *_: closer)
    assert (read.face, read.why, read.certain) == (3, why, not why), reason


def test_when_the_ways_differ_the_other_face_is_offered_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agree.net_again, "judged", lambda *_: sight(5))
    (read,), _ = together(IMAGE, [die(4)], [], [sight(5)], blind)
    assert {read.face, read.others[0]} == {4, 5}


def test_no_face_is_offered_that_was_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agree.net_again, "judged", lambda *_: sight(4, 0.3))
    (read,), _ = together(IMAGE, [die(4)], [], [sight(4, 0.3)], blind)
    assert read.face not in read.others


@pytest.mark.parametrize(
    ("why", "left"), [("low_confidence", ()), ("rival_face", ()), ("cut_off", ("cut_off",))]
)
def test_some_reasons_for_doubt_survive_agreement(why: str, left: tuple[str, ...]) -> None:
    (read,), _ = together(IMAGE, [replace(die(), why=(why,), certain=False)], [], [sight()], blind)
    assert (read.why, read.certain) == (left, not left)


def test_agreement_is_surer_than_either_way() -> None:
    (read,), _ = together(IMAGE, [die(4, 0.9)], [], [sight(4, 0.9)], blind)
    assert read.confidence > 0.95


@pytest.mark.parametrize(
    ("one", "other", "pairs", "reason"),
    [
        (die(), sight(x=110), 1, "a quarter of a side apart"),
        (die(), sight(x=130), 2, "a neighbour"),
        (die(), sight(size=80), 2, "a face twice as large is another thing"),
    ],
)
def test_finds_are_paired_by_place_and_size(one: Die, other: Sight, pairs: int, reason: str) -> None:
    assert len(paired([one], [other])) == pairs, reason


def test_each_find_is_paired_once_with_its_nearest() -> None:
    near, far = sight(x=101), sight(x=112)
    assert paired([die()], [far, near]) == [Pair(die(), near), Pair(None, far)]


@pytest.mark.parametrize(
    ("doubt", "stands", "reason"),
    [
        (Doubt("count"), True, "the number is wrong wherever the net looks"),
        (Doubt("unread_pips", 105.0, 100.0, 40.0), True, "loose pips where the net sees something, too"),
        (Doubt("unread_pips", 250.0, 100.0, 40.0), False, "loose dots where the net sees nothing"),
    ],
)
def test_doubts_of_the_pips_way_need_a_second_voice(doubt: Doubt, stands: bool, reason: str) -> None:
    assert seconded(doubt, [sight(score=0.15)]) is stands, reason


@pytest.mark.parametrize(
    ("faint", "left", "reason"),
    [
        (sight(score=0.3, x=110), 0, "a second sight of a die that was read"),
        (sight(score=0.3, x=145), 1, "something beside it"),
        (sight(score=0.05, x=145), 0, "next to nothing"),
    ],
)
def test_what_is_left_lies_away_from_all_dice(faint: Sight, left: int, reason: str) -> None:
    assert len(agree.unread([faint], [die()])) == left, reason


def test_second_looks_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[float] = []
    monkeypatch.setattr(agree.net_again, "judged", lambda _, x, *__: asked.append(x))
    together(IMAGE, [], [], [sight(x=50.0 * n, score=0.3) for n in range(40)], blind)
    assert len(asked) == agree.MOST_LOOKS
