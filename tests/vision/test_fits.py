"""Every fitted part is data of one form, and says where it comes from."""

from __future__ import annotations

import math
import tomllib
from pathlib import Path

import pytest

import vision
from vision import fits
from vision.agreement import calibration, trust
from vision.picture import colour

FILES = sorted((Path(vision.__file__).parent / "models").glob("*.toml"))
WIDE = {
    "calibration": (5, 2, 4, 5),
    "colours": (6,) * len(colour.NAMES),
    "trust": (len(trust.NAMES),) * 2,
}
"""Numbers in each row."""


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_fitted_part_names_its_source_and_unit(file: Path) -> None:
    data = tomllib.loads(file.read_text(encoding="utf-8"))
    assert len(data["source"]) > 40
    assert data["unit"]
    assert set(data) <= {"source", "unit", "weights", "rates"}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_weights_of_a_part_are_as_many_as_its_features(file: Path) -> None:
    rows = fits.weights(file.stem)
    assert tuple(len(row) for row in rows.values()) == WIDE[file.stem]
    assert all(math.isfinite(value) for row in rows.values() for value in row)


def test_the_colours_are_those_of_the_contract() -> None:
    assert set(fits.weights("colours")) == set(colour.NAMES)


def test_counted_rates_are_probabilities() -> None:
    assert all(0 < rate < 1 for rate in fits.rates("calibration").values())
    assert calibration.rates().certain_face < calibration.rates().slanting_face
