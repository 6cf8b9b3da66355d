"""How verdicts on labelled photographs are counted."""

from typing import Any

import pytest

from companion.reveal.observations import Observation
from lab.measure.reveals import Counts, interval, of_photo

PLACES = ((0.2, 0.3), (0.5, 0.3), (0.8, 0.3), (0.2, 0.7))


def labelled(*faces: int) -> dict[str, Any]:
    """Dice in fixed places."""
    return {
        "dice": [{"face": f, "x": x, "y": y, "size": 0.05} for f, (x, y) in zip(faces, PLACES, strict=False)]
    }


def read(*faces: int, uncertain: tuple[int, ...] = ()) -> Observation:
    """The reading of such dice; 0: nothing was seen there."""
    dice = [
        {"face": f, "x": x, "y": y, "size": 0.05, "confidence": 0.6 if k in uncertain else 0.999}
        | {"certain": k not in uncertain, "colour": "ivory", "why": ["one_way"] if k in uncertain else []}
        for k, (f, (x, y)) in enumerate(zip(faces, PLACES, strict=False))
        if f
    ]
    plain = {"width": 1000, "height": 750, "dice": dice, "certain": not uncertain, "doubts": []}
    return Observation.from_json(plain)


@pytest.mark.parametrize(
    ("label", "reading", "expected", "reason"),
    [
        (labelled(2, 3), read(2, 3), Counts(1, 8, 8, 0, 0, 0), "all read: nothing is asked"),
        (labelled(2, 3), read(2, 4), Counts(1, 8, 8, 2, 0, 2), "one three, one four"),
        (labelled(2, 3), read(2, 3, uncertain=(1,)), Counts(1, 8, 2, 0, 6, 0), "one answer settles the rest"),
        (labelled(2, 3), read(2, 0), Counts(1, 8, 0, 0, 8, 0), "a die not seen is asked for"),
        (labelled(1), read(1), Counts(1, 12, 12, 0, 0, 0), "an ace counts for every face"),
    ],
)
def test_calls_are_counted(label, reading, expected, reason):
    assert of_photo(label, reading) == expected, reason


def test_dice_that_count_neither_way_are_not_expected():
    label = labelled(2, 3)
    label["dice"][1]["ignore"] = True
    assert of_photo(label, read(2, 0)).unasked == of_photo(label, read(2, 0)).calls


def test_the_interval_holds_the_share():
    photos = [Counts(1, 10, 10)] * 6 + [Counts(1, 10, 0)] * 4
    low, high = interval(photos)
    assert low < 0.6 < high
    assert interval(photos[:6]) == (1, 1)
