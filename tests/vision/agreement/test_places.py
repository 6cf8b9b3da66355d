"""Detections become places: at which sizes the picture is looked at, and which sizes are odd."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest

from tests.vision.agreement.voices import IMAGE, count, detection, firm
from vision.agreement import agree, places
from vision.agreement.trust import Place
from vision.arrays import Image
from vision.counting.count import Count
from vision.learned.maps import Detection

COARSE, BEST, FINEST = (120, 480, 240), 700, 960


@pytest.fixture
def net_sees(monkeypatch):
    """Has the net detect what is given on each level, and keeps which levels were asked for."""

    def sees(levels: Mapping[object, Sequence[Detection]]) -> list[object]:
        asked: list[object] = []

        def on_levels(_: Image, wanted: Sequence[object], *__: object) -> list[list[Detection]]:
            asked.extend(wanted)
            return [list(levels.get(level, ())) for level in wanted]

        monkeypatch.setattr(places.net, "on_levels", on_levels)
        monkeypatch.setattr(places.net, "best_level_px", lambda *_: BEST)
        monkeypatch.setattr(places, "counted", lambda _, x, *__: None if x == UNCOUNTED else count())
        monkeypatch.setattr(
            places.classifier, "judged", lambda _, x, *__: firm(4) if x == SURE.x_px else None
        )
        return asked

    return sees


UNCOUNTED = 850.0
ELSE = detection(x=UNCOUNTED)
CLEAR, OTHER, DIM = detection(x=50), detection(x=150), detection(x=250, score=0.4)
SURE = detection(x=650)
LARGE = detection(x=950, score=0.4, size=90)
FINE, DIM_FINE, NEW = detection(x=350), detection(x=450, score=0.4), detection(x=550, score=0.2)


@pytest.mark.parametrize(
    ("coarse", "levels", "found", "reason"),
    [
        ([CLEAR, OTHER], [*COARSE, BEST], [LARGE, NEW], "two tell the size: the level that shows it best"),
        ([CLEAR, OTHER, DIM, ELSE], [*COARSE, BEST], [LARGE, NEW], "what is on other levels does not count"),
        ([CLEAR, DIM], [*COARSE, FINEST], [LARGE, CLEAR, DIM, FINE, DIM_FINE], "one clear die may be none"),
        ([SURE], [*COARSE, BEST], [LARGE, NEW], "one that the crop classifier makes certain tells it, too"),
        ([DIM, SURE], [*COARSE, BEST], [LARGE, NEW], "the dim one lies on another level, too, or is none"),
        ([DIM], [*COARSE, FINEST], [LARGE, DIM, FINE, DIM_FINE], "no clear die"),
        ([], [*COARSE, FINEST], [LARGE, FINE, DIM_FINE], "nothing coarse"),
        (
            [CLEAR, ELSE],
            [*COARSE, FINEST],
            [LARGE, CLEAR, ELSE, FINE, DIM_FINE],
            "counted else",
        ),
    ],
)
def test_the_usual_size_tells_which_levels_count(coarse, levels, found, reason, net_sees):
    asked = net_sees({120: [LARGE], 240: coarse, FINEST: [FINE, DIM_FINE], BEST: [NEW]})
    assert set(places.detected(IMAGE).once) == set(found), reason
    assert asked == levels, reason


@pytest.mark.parametrize(
    ("coarse", "thorough", "levels", "every", "reason"),
    [
        ([CLEAR, OTHER], True, [*COARSE, BEST, FINEST], True, "small dice may lie among large ones"),
        ([CLEAR, OTHER], False, [*COARSE, BEST], False, "somebody waits"),
        ([DIM], True, [*COARSE, FINEST], True, "it was looked at already"),
    ],
)
def test_a_thorough_reading_sees_the_finest_level_too(coarse, thorough, levels, every, reason, net_sees):
    asked = net_sees({120: [LARGE], 240: coarse, FINEST: [FINE], BEST: [NEW]})
    seen = places.detected(IMAGE, thorough=thorough)
    assert asked == levels, reason
    assert (FINE in seen.every) == every, reason
    assert (FINE in seen.once) == (coarse == [DIM]), (
        "what only that level shows is no die where others tell the size"
    )


LARGE_IMAGE = np.zeros((1200, 1600, 3), np.uint8)
TINY, OTHER_TINY, DIM_TINY = (
    detection(x=x, score=s, size=20) for x, s in ((60, 0.9), (160, 0.9), (260, 0.3))
)


@pytest.mark.parametrize(
    ("coarse", "fine", "further", "found", "reason"),
    [
        ([], [TINY, OTHER_TINY, DIM_TINY], [FINEST, 1600], True, "two clear ones on a finer level alone"),
        ([], [SURE, DIM_TINY], [FINEST, 1600], True, "a lone one that the crop classifier makes certain"),
        ([], [TINY, DIM_TINY], [FINEST, 1600], False, "one clear one may be a knot of a carpet"),
        ([], [DIM_TINY], [FINEST, 1600], False, "an empty table"),
        ([CLEAR, OTHER], [TINY, OTHER_TINY], [BEST], False, "larger dice tell the usual size"),
    ],
)
def test_small_dice_are_looked_for_on_a_finer_level(coarse, fine, further, found, reason, net_sees):
    asked = net_sees({240: coarse, 1600: fine})
    seen = places.detected(LARGE_IMAGE)
    assert asked == [*COARSE, *further], reason
    assert (set(seen.once) >= set(fine)) == found == (set(seen.every) >= set(fine)), reason


def test_a_calibrated_box_searches_an_empty_table_on_no_finer_level(net_sees):
    asked = net_sees({1600: [TINY, OTHER_TINY]})
    assert places.detected(LARGE_IMAGE, 60.0) == places.Detected((), ())
    assert asked == [BEST, *COARSE, FINEST]


def test_dice_seen_on_the_finest_level_tell_how_fine_another_must_be(net_sees, monkeypatch):
    asked = net_sees({FINEST: [TINY], 1300: [TINY, OTHER_TINY]})
    monkeypatch.setattr(places.net, "best_level_px", lambda _, size_px: 1300 if size_px == 20 else BEST)
    assert set(places.detected(LARGE_IMAGE).once) == {TINY, OTHER_TINY}
    assert asked == [*COARSE, FINEST, 1300]


@pytest.mark.parametrize(
    ("clear", "best", "further", "reason"),
    [
        ([CLEAR, OTHER], 700.0, [700.0], "between the coarse levels and the finest"),
        ([CLEAR, OTHER], 545.0, [], "faces are 30 px wide on the third level"),
        ([CLEAR, OTHER], 425.0, [], "faces are 38 px wide on the third level"),
        ([CLEAR, OTHER], 340.0, [240, 340.0], "between two levels, and the second may tell the size better"),
        ([CLEAR, OTHER], 250.0, [240], "faces are 33 px wide on the second level"),
        ([CLEAR, OTHER], 106.0, [240], "very large dice"),
        ([CLEAR, OTHER], 90.0, [240, 90.0], "still larger ones"),
        ([SURE], 620.0, [], "faces are 26 px wide on the third level, where the lone die is certain already"),
        ([SURE], 650.0, [650.0], "too small there for any other die"),
    ],
)
def test_a_coarse_level_stands_in_for_the_best_one_near_to_it(
    clear, best, further, reason, net_sees, monkeypatch
):
    only = {level: detection(x=1_000 + level, score=0.4) for level in (*COARSE, best)}
    asked = net_sees({level: [*clear, dim] for level, dim in only.items()})
    monkeypatch.setattr(places.net, "best_level_px", lambda *_: best)
    seen = places.detected(IMAGE).once
    assert asked == [*COARSE[:2], *further], reason
    shown = best if best in further else min(COARSE, key=lambda level: abs(math.log(level / best)))
    assert set(seen) == {*clear, only[COARSE[0]], only[shown]}, reason


def test_the_clearest_dice_are_enough_to_tell_the_usual_size(monkeypatch):
    monkeypatch.setattr(places, "counted", lambda *_: count())
    dice = [detection(x=100.0 * n, score=0.75 + n / 100) for n in range(20)]
    assert places.clear_dice(IMAGE, dice) == dice[: -places.MANY - 1 : -1]


@pytest.mark.parametrize(
    ("size", "odd", "reason"),
    [
        (40.0, 0.0, "as large as the others"),
        (65.0, 0.0, "sets of two sizes may be mixed"),
        (100.0, 0.36, "two and a half times as large"),
        (400.0, 1.74, "a picture on the wall"),
    ],
)
def test_odd_sizes_are_those_unlike_the_usual(size, odd, reason):
    usual = [Place(detection(x=100.0 * n)) for n in range(3)]
    one = places.compared([*usual, Place(detection(x=700, size=size, score=0.3))])[-1]
    assert one.odd == pytest.approx(odd, abs=0.01), reason
    assert agree.likely(one) <= agree.likely(replace(one, odd=0.0))


def test_what_is_hardly_seen_tells_nothing_of_what_is_usual():
    dim = [Place(detection(score=0.4)), Place(detection(size=400, score=0.2))]
    assert [place.odd for place in places.compared(dim)] == [0, 0]


@pytest.mark.parametrize(
    ("alike", "usual", "reason"),
    [
        (2, True, "two dice on a cloth full of small ones"),
        (1, False, "one may be the dot on a card, and the small ones dim dice"),
    ],
)
def test_enough_faces_that_are_counted_alike_tell_what_is_usual(alike, usual, reason):
    small = [Place(detection(x=200.0 + 30 * n, size=14)) for n in range(9)]
    large = [Place(detection(x=10.0 + 80 * n), count()) for n in range(alike)]
    compared = places.compared([*large, *small])
    assert [place.odd == 0 for place in compared] == [usual] * alike + [not usual] * len(small), reason


def test_only_dice_clear_to_net_and_count_tell_the_usual_size(monkeypatch):
    answers: dict[float, Count | None] = {10.0: count(3), 300.0: None}
    monkeypatch.setattr(places, "counted", lambda _, x, *__: answers.get(x, count(4)))
    clear = [detection(4, x=500, size=44), detection(4, x=600)]
    others = [detection(4, x=10), detection(4, x=300), detection(4, x=400, score=0.4), detection(0, x=700)]
    assert places.clear_dice(IMAGE, [*others, *clear, detection(4, x=502, size=43, score=0.7)]) == clear


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
def test_a_calibrated_size_holds_where_a_clear_die_agrees_with_it(known, found, once, reason, net_sees):
    asked = net_sees({BEST: [detection(size=found)] if found else []})
    places.detected(IMAGE, known)
    assert (asked == [BEST]) is once, reason
