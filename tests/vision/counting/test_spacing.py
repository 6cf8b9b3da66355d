"""How far pips lie apart tells holes of a button, and what is left of a larger face, from whole faces."""

from __future__ import annotations

import pytest

from tests.vision.pictures import Drawn, draw
from vision.counting.spacing import like_holes, like_part
from vision.counting.way import found_in


@pytest.mark.parametrize(
    ("die", "holes", "part", "reason"),
    [
        (Drawn(4, 320, 240, 90), False, False, "a four of the usual kind"),
        (Drawn(4, 320, 240, 90, pip=0.045), True, False, "small ones far apart may be the holes of a button"),
        (Drawn(5, 320, 240, 90, pip=0.045), False, False, "no button has five holes"),
        (Drawn(4, 320, 240, 90, spacing=0.145), False, True, "as near as four of a six lie"),
        (Drawn(6, 320, 240, 90), False, False, "a six may have rows as close as that"),
        (Drawn(2, 320, 240, 90, spacing=0.16, pip=0.08), False, False, "a two set close on a large body"),
        (Drawn(2, 320, 240, 60, spacing=0.16, pip=0.13), False, True, "as near as two of a three lie"),
    ],
)
def test_spacing_tells_what_a_face_may_be_besides(die: Drawn, holes: bool, part: bool, reason: str) -> None:
    _, found = found_in(draw([die], noise=1.0))
    assert found.faces.face.tolist() == [die.face]
    assert (like_holes(found).tolist(), like_part(found).tolist()) == ([holes], [part]), reason
