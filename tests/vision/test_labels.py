"""Words on a picture hide neither one another nor what they tell of."""

from itertools import combinations

import numpy as np
import pytest

from vision.annotate import Box, Labels, about

RED, SIZE = (0, 0, 255), (1000, 800)


def written(things: list[Box], lines: list[str], size: tuple[int, int] = SIZE) -> list[Box]:
    """Where the words of each thing were put, in a picture of a size (width, height)."""
    picture = np.zeros((size[1], size[0], 3), np.uint8)
    labels = Labels(picture, things)
    for thing in things:
        labels.write(lines, thing, RED, 0.6, 1)
    return labels._taken[len(things) :]


@pytest.mark.parametrize("lines", [["5"], ["low_confidence", "ways_differ"]], ids=["short", "two lines"])
@pytest.mark.parametrize(
    "things",
    [
        pytest.param([about(300, 200, 20)], id="alone"),
        pytest.param([about(380 + 41 * k, 400, 20) for k in range(6)], id="a row that touches"),
        pytest.param(
            [about(460 + 41 * k, 360 + 41 * j, 20) for k in range(3) for j in range(3)], id="packed"
        ),
        pytest.param([about(500, 400, 20)] * 6, id="six of one place"),
        pytest.param([about(22, 22, 20), about(978, 778, 20), about(978, 22, 20)], id="in the corners"),
    ],
)
def test_labels_keep_clear_of_things_and_of_one_another(things, lines):
    places = written(things, lines)
    corner = 0.01 * places[0].shared(places[0])
    assert all(one.shared(other) < corner for one, other in combinations(places, 2))
    assert all(place.shared(thing) < corner for place in places for thing in things)
    assert all(min(p.left, p.top) >= 0 and p.right < 1000 and p.bottom < 800 for p in places)


def test_a_label_stands_above_its_thing_where_that_is_free():
    (place,) = written([about(300, 200, 20)], ["5"])
    assert place.bottom == pytest.approx(180, abs=1)
    assert place.middle[0] == pytest.approx(300, abs=1)


def test_a_picture_smaller_than_its_words_is_written_on_all_the_same():
    (place,) = written([about(10, 10, 8)], ["a long reason"], size=(20, 20))
    assert (place.left, place.top) == (0, 0)


@pytest.mark.parametrize(
    ("other", "area"),
    [(Box(0, 0, 10, 10), 100), (Box(5, 5, 20, 20), 25), (Box(10, 0, 20, 10), 0), (Box(40, 40, 50, 50), 0)],
)
def test_what_two_boxes_share(other, area):
    assert Box(0, 0, 10, 10).shared(other) == area
