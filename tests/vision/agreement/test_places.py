"""Detections become places: at which sizes the picture is looked at, and which sizes are odd."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from tests.vision.agreement.voices import IMAGE, count, detection
from vision.agreement import agree, places
from vision.agreement.trust import Place
from vision.counting.count import Count
from vision.learned.maps import Detection


@pytest.mark.parametrize(
    ("seen", "kept", "reason"),
    [
        ((), [20.0, 205.0], "nothing else is seen"),
        ((detection(x=200, size=20),), [20.0], "a clear die lies on one: several look like the pips of one"),
        ((detection(x=200, size=20, score=0.3),), [20.0, 205.0], "what lies on it is not clear"),
        ((detection(x=120, size=20),), [20.0, 205.0], "the clear die lies elsewhere"),
    ],
)
def test_very_large_detections_count_where_no_clear_die_lies_on_them(
    seen: tuple[Detection, ...], kept: list[float], reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    large = (detection(x=20, size=60), detection(x=205, size=65))
    monkeypatch.setattr(places.net, "large_detections", lambda _: large)
    monkeypatch.setattr(places, "_at_all_sizes", lambda _: seen)
    more = sorted(found.x_px for found in places.detected(IMAGE) if found not in seen)
    assert more == kept, reason


def test_a_large_die_that_is_seen_twice_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(places.net, "large_detections", lambda _: (detection(score=0.7, x=102, size=60),))
    once = (detection(score=0.8, size=60),)
    monkeypatch.setattr(places, "_at_all_sizes", lambda _: once)
    assert places.detected(IMAGE) == once


@pytest.mark.parametrize(
    ("size", "odd", "reason"),
    [
        (40.0, 0.0, "as large as the others"),
        (65.0, 0.0, "sets of two sizes may be mixed"),
        (100.0, 0.36, "two and a half times as large"),
        (400.0, places.MOST_ODD, "a picture on the wall"),
    ],
)
def test_odd_sizes_are_those_unlike_the_usual(size: float, odd: float, reason: str) -> None:
    usual = [Place(detection(x=100.0 * n)) for n in range(3)]
    one = places.compared([*usual, Place(detection(x=700, size=size, score=0.3))])[-1]
    assert one.odd == pytest.approx(odd, abs=0.01), reason
    assert agree.likely(one) <= agree.likely(replace(one, odd=0.0))


def test_what_is_hardly_seen_tells_nothing_of_what_is_usual() -> None:
    dim = [Place(detection(score=0.4)), Place(detection(size=400, score=0.2))]
    assert [place.odd for place in places.compared(dim)] == [0, 0]


def test_faces_that_are_counted_alike_tell_what_is_usual_on_a_cloth_full_of_small_ones() -> None:
    cloth = [Place(detection(x=200.0 + 30 * n, size=14)) for n in range(9)]
    first, *rest = places.compared([Place(detection(), count()), *cloth])
    assert first.odd == 0
    assert all(place.odd > 0 for place in rest)


@pytest.mark.parametrize(
    ("sizes", "usual", "reason"),
    [
        ((), None, "no die is clear"),
        ((40.0,), 40.0, "one clear die, counted alike, tells it"),
        ((40.0, 44.0), 42.0, "the middle of the clear dice"),
    ],
)
def test_the_usual_size_is_that_of_dice_clear_to_net_and_count(
    sizes: tuple[float, ...], usual: float | None, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers: dict[float, Count | None] = {10.0: count(3), 20.0: None}
    monkeypatch.setattr(places, "counted", lambda _, x, *__: answers.get(x, count(4)))
    others = [detection(x=10, size=99), detection(x=20, size=99), detection(score=0.4, size=99)]
    seen = [*others, *(detection(size=size) for size in sizes)]
    assert places.usual_px(IMAGE, seen) == usual, reason


@pytest.mark.parametrize(
    ("known", "found", "once", "reason"),
    [
        (50.0, 40.0, True, "a clear die agrees with the calibration"),
        (59.0, 40.0, False, "the box was raised since"),
        (28.0, 40.0, False, "the box was lowered since"),
        (50.0, None, False, "no clear die bears it out"),
        (0.0, 40.0, False, "a broken file"),
        (-42.0, 40.0, False, "a broken file"),
        (math.nan, 40.0, False, "a broken file"),
    ],
)
def test_a_calibrated_size_holds_where_a_clear_die_agrees_with_it(
    known: float, found: float | None, once: bool, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(places.net, "levels", lambda *_, **__: ())
    monkeypatch.setattr(places, "usual_px", lambda *_: found)
    monkeypatch.setattr(places, "_at_all_sizes", lambda _: (detection(x=150),))
    monkeypatch.setattr(places.net, "large_detections", lambda _: ())
    assert (places.detected(IMAGE, known) == ()) is once, reason
