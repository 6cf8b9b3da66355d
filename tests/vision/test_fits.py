"""Every fitted part is data of one form, and says where it comes from."""

import math

import pytest

from vision import fits
from vision.agreement import trust
from vision.picture import colour

WIDE = {
    "trust": (len(trust.NAMES),) * 2,
    "calibration": (5, 4, 4, 3),
    "features": (48, 48),
    "tilt": (112, 1),
    "colours": (6,) * len(colour.NAMES),
}
"""Numbers in each row."""


def test_all_parts_are_checked_here():
    assert set(fits.parts()) == set(WIDE)


@pytest.mark.parametrize("name", WIDE)
def test_a_fitted_part_names_its_source_and_unit(name):
    part = fits.parts()[name]
    assert len(part["source"]) > 40
    assert part["unit"]
    assert set(part) <= {"source", "unit", "weights", "rates"}


@pytest.mark.parametrize("name", WIDE)
def test_the_weights_of_a_part_are_as_many_as_its_features(name):
    rows = fits.weights(name)
    assert tuple(len(row) for row in rows.values()) == WIDE[name]
    assert all(math.isfinite(value) for row in rows.values() for value in row)


def test_the_colours_are_those_of_the_contract():
    assert set(fits.weights("colours")) == set(colour.NAMES)


def test_counted_rates_are_probabilities():
    rates = fits.rates("calibration")
    assert all(0 < rate < 1 for rate in rates.values())
    assert rates["certain_face"] < rates["slanting_face"]
