"""Finds of either way become places: paired where they are one, with hints and odd sizes."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from tests.vision.agreement.voices import IMAGE, detection, die
from vision.agreement import agree, pairing
from vision.agreement.pairing import paired
from vision.agreement.trust import Place
from vision.learned.maps import Detection
from vision.values import Die


@pytest.mark.parametrize(
    ("one", "other", "pairs", "reason"),
    [
        (die(), detection(x=110), 1, "a quarter of a side apart"),
        (die(), detection(x=130), 2, "a neighbour"),
        (die(), detection(size=80), 2, "a face twice as large is another thing"),
    ],
)
def test_finds_are_paired_by_place_and_size(one: Die, other: Detection, pairs: int, reason: str) -> None:
    assert len(paired([one], [other])) == pairs, reason


@pytest.mark.parametrize(
    ("dice", "seen", "kept", "reason"),
    [
        ((die(x=205),), (), [205.0], "the pips way has a die there that the net missed"),
        (
            (die(size=30),),
            (detection(size=30),),
            [],
            "small dice, all seen: several look like the pips of one",
        ),
        ((die(size=60),), (detection(size=60),), [205.0], "a clear die, about as large"),
        ((die(confidence=0.5, size=60),), (detection(size=60),), [], "no clear one"),
    ],
)
def test_very_large_detections_count_beside_large_dice(
    dice: tuple[Die, ...],
    seen: tuple[Detection, ...],
    kept: list[float],
    reason: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    large = (detection(x=20, size=160), detection(x=205, size=65))
    monkeypatch.setattr(pairing.net, "large_detections", lambda _: large)
    more = [s for s in pairing.with_large(IMAGE, dice, seen) if s not in seen]
    assert [s.x_px for s in more] == kept, reason


def test_a_large_die_that_is_seen_twice_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairing.net, "large_detections", lambda _: (detection(score=0.7, x=102, size=60),))
    once = (detection(score=0.8, size=60),)
    assert pairing.with_large(IMAGE, (die(size=60),), once) == once


@pytest.mark.parametrize(
    ("dice", "seen", "large", "reason"),
    [
        ([die(size=60)], detection(size=62), True, "both see one large die"),
        (
            [die(size=40)],
            detection(size=40),
            False,
            "another may be half as large: too small to be seen then",
        ),
        ([die(confidence=0.8, size=60)], detection(size=60), False, "the pips way is not sure"),
        ([die(size=60)], detection(score=0.4, size=60), False, "nor is the net"),
        ([die(size=60)], detection(3, size=60), False, "they differ"),
        ([die(size=60)], detection(x=190, size=60), False, "it lies elsewhere"),
        (
            [die(size=60), die(x=200, size=60)],
            detection(size=60),
            False,
            "two tell the usual size themselves",
        ),
        ([], detection(size=60), False, "nothing to go by"),
    ],
)
def test_one_die_that_is_large_to_both_ways(
    dice: list[Die], seen: Detection, large: bool, reason: str
) -> None:
    assert pairing.large_to_both(dice, [seen], least_px=50.0) is large, reason


def test_each_find_is_paired_once_with_its_nearest() -> None:
    near, far = detection(x=101), detection(x=112)
    assert paired([die()], [far, near]) == [Place(die(), near), Place(None, far)]


@pytest.mark.parametrize(
    ("size", "odd", "reason"),
    [
        (40.0, 0.0, "as large as the others"),
        (65.0, 0.0, "sets of two sizes may be mixed"),
        (100.0, 0.36, "two and a half times as large"),
        (400.0, pairing.MOST_ODD, "a picture on the wall"),
    ],
)
def test_odd_sizes_are_those_unlike_the_usual(size: float, odd: float, reason: str) -> None:
    usual = [Place(None, detection(x=100.0 * n)) for n in range(3)]
    one = pairing.compared([*usual, Place(None, detection(x=700, size=size, score=0.3))])[-1]
    assert one.odd == pytest.approx(odd, abs=0.01), reason
    assert agree.likely(one) <= agree.likely(replace(one, odd=0.0))


def test_what_is_hardly_seen_tells_nothing_of_what_is_usual() -> None:
    places = [Place(None, detection(score=0.4)), Place(None, detection(size=400, score=0.2))]
    assert [place.odd for place in pairing.compared(places)] == [0, 0]


def test_faces_that_both_ways_see_alike_tell_what_is_usual_on_a_cloth_full_of_small_ones() -> None:
    cloth = [Place(None, detection(x=200.0 + 30 * n, size=14)) for n in range(9)]
    first, *rest = pairing.compared([Place(die(), detection()), *cloth])
    assert first.odd == 0
    assert all(place.odd > 0 for place in rest)


@pytest.mark.parametrize(
    ("sizes", "known", "usual", "reason"),
    [
        ((), None, None, "nothing is known"),
        ((40.0,), None, None, "one die alone says too little"),
        ((40.0, 44.0), None, 42.0, "the middle of the clear dice"),
        ((), 60.0, None, "nobody confirms the calibration"),
        ((50.0,), 60.0, 60.0, "one clear die agrees with it"),
        ((40.0, 44.0), 50.0, 50.0, "the clear dice agree with it"),
        ((40.0, 44.0), 59.0, 42.0, "the box was raised since"),
        ((40.0, 44.0), 29.0, 42.0, "the box was lowered since"),
        ((40.0,), 200.0, None, "wrong, and the one die says too little"),
        ((40.0, 44.0), 0.0, 42.0, "a broken file"),
        ((40.0, 44.0), -42.0, 42.0, "a broken file"),
        ((40.0, 44.0), math.nan, 42.0, "a broken file"),
    ],
)
def test_a_calibrated_size_holds_where_clear_dice_agree_with_it(
    sizes: tuple[float, ...], known: float | None, usual: float | None, reason: str
) -> None:
    unclear = die(confidence=0.5, size=500.0)
    assert pairing.usual_px([unclear, *(die(size=size) for size in sizes)], known) == usual, reason


def test_a_die_goes_with_the_likeliest_of_its_detections() -> None:
    faint, clear = detection(4, 0.2, size=55.0), detection(4, 0.9, x=103.0)
    assert [place.detection for place in paired([die(4)], [faint, clear])] == [clear, faint]


def test_a_detections_goes_with_the_nearest_die() -> None:
    far, near = die(3, x=112.0), die(4, x=102.0)
    assert [place.detection is not None for place in paired([far, near], [detection(4)])] == [False, True]
