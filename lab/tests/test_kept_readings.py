"""When kept readings are read anew: another calibration takes them as they are."""

import pytest

from lab.measure.kept_readings import used_fits
from vision import fits


@pytest.mark.parametrize(
    ("name", "anew", "reason"),
    [
        ("calibration", False, "it comes after what is kept"),
        ("trust", True, "it tells which places are dice"),
        ("colours", True, "they are names in a reading"),
    ],
)
def test_which_fits_make_kept_readings_stale(name, anew, reason):
    parts = fits.parts()
    changed = {**parts, name: {**parts[name], "weights": {"other": [1.0]}}}
    assert (used_fits(changed) != used_fits(parts)) is anew, reason
