"""How far pips lie apart tells the holes of a button from a four."""

from __future__ import annotations

import pytest

from tests.vision.pictures import Drawn, draw
from vision.counting.spacing import like_holes
from vision.counting.way import found_in


@pytest.mark.parametrize(
    ("die", "holes", "reason"),
    [
        (Drawn(4, 320, 240, 90), False, "a four of the usual kind"),
        (Drawn(4, 320, 240, 90, pip=0.045), True, "small ones far apart may be the holes of a button"),
        (Drawn(5, 320, 240, 90, pip=0.045), False, "no button has five holes"),
    ],
)
def test_spacing_tells_holes(die: Drawn, holes: bool, reason: str) -> None:
    _, found = found_in(draw([die], noise=1.0))
    assert found.faces.face.tolist() == [die.face]
    assert like_holes(found).tolist() == [holes], reason
