"""From a picture to a reading, by nets and count together or by either alone."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial

import numpy as np

from vision import fits, groups
from vision.agreement import calibration
from vision.agreement.ways import WAYS
from vision.arrays import Image
from vision.checks.check import Checked, applied
from vision.checks.picture import OF_PICTURES
from vision.errors import VisionError
from vision.learned import emblems
from vision.learned.classifier import tilt_deg
from vision.learned.net import LEVELS_PX
from vision.learned.taught import Taught
from vision.picture.working import reading
from vision.values import Doubt, Reading, Seen

SMALLEST_PX = 48
"""A picture made as small as pictures are read, with less on its short side, shows not even one die."""
TOO_SMALL = Doubt("too_small")


def read(
    image_bgr: Image,
    *,
    expect: int | None = None,
    reader: str = "both",
    scale_px: float | None = None,
    taught: Sequence[Taught] = (),
    thorough: bool = False,
    raw: bool = False,
) -> Reading:
    """The dice in a picture (height, width, 3) uint8, blue, green, red, with calibrated probabilities where
    nets and count read together.

    `expect` is the number of dice that must be there, where it is known. `scale_px` is the side of a die,
    where it is known; it is believed where a clear die is about that large. `reader` chooses
    the way of reading; one way alone is never certain. `taught` are faces shown to this box. `thorough`
    leaves a picture uncertain for dice much smaller than the others, too, which takes twice as long: where
    nobody waits, and the number of dice is not known. `raw` leaves the calibration out: it is fitted on that.

    Raises ValueError for a reader that does not exist or an array that is no picture.

    >>> from vision.picture.photos import load
    >>> found = read(load("docs/dice.jpg"))
    >>> len(found.dice), found.dice[0].face
    (16, 2)
    """
    _check(image_bgr, reader)
    height, width = image_bgr.shape[:2]
    with reading(image_bgr):
        dice, doubts = _seen(image_bgr, reader, scale_px, taught, thorough)
        dice, alike = groups.grouped(image_bgr, dice)
    if expect is not None and expect != len(dice) and TOO_SMALL not in doubts:
        doubts.append(Doubt("count"))
    certain = reader == "both" and not doubts and all(die.certain for die in dice)
    found = Reading(width, height, dice, certain, tuple(doubts), alike)
    return found if raw or reader != "both" else calibration.calibrated(found)


def _seen(
    image_bgr: Image, reader: str, scale_px: float | None, taught: Sequence[Taught], thorough: bool
) -> Seen:
    """Dice and doubts, after taught faces were looked for and the picture was checked."""
    shrunk = min(1.0, max(LEVELS_PX) / max(image_bgr.shape))
    if min(image_bgr.shape[:2]) * shrunk < SMALLEST_PX:
        return (), [TOO_SMALL]
    dice, doubts = WAYS[reader](image_bgr, scale_px, thorough)
    if taught:
        dice, doubts = emblems.known_again(image_bgr, dice, doubts, taught)
    checked = applied(OF_PICTURES, Checked(image_bgr, dice, tuple(doubts), partial(tilt_deg, image_bgr)))
    return checked.dice, list(checked.doubts)


@cache
def get_ready(reader: str = "both") -> None:
    """Load what reading takes, so that the first reading of a program is as quick as others: an empty picture
    as wide as a camera's is read, since memory, too, is fetched the first time.

    Raises ValueError for a reader that does not exist, and VisionError where one of its files is missing or
    damaged: whatever goes wrong with an empty picture, no photograph is to blame.
    """
    width = max(LEVELS_PX)
    empty = np.full((width * 9 // 16, width, 3), 96, np.uint8)  # a square one takes 18 MB more
    _check(empty, reader)
    try:
        WAYS[reader](empty, None, False)
        for part in ("trust", "calibration", "colours", "tilt"):  # no die in an empty picture asks for them
            fits.weights(part)
    except VisionError:
        raise
    except Exception as error:
        fault = f"{type(error).__name__}: {error}".partition("\n")[0]
        raise VisionError(f"the models can't be used ({fault}): {VisionError.hint}") from error


def _check(image_bgr: Image, reader: str) -> None:
    """Raises ValueError for a reader that does not exist or an array that is no picture."""
    if reader not in WAYS:
        raise ValueError(f"reader must be one of {', '.join(WAYS)}, not {reader!r}")
    if image_bgr.ndim != 3 or image_bgr.shape[2] != 3 or image_bgr.dtype != np.uint8 or not image_bgr.size:
        raise ValueError(f"expected a picture (h, w, 3) uint8, got {image_bgr.shape} {image_bgr.dtype}")
