"""Dice that lie on other dice: the lower one shows a corner or a side, and neither way takes that for a die.

What lies about a die that was read is its own sides to everything else that looks for dice left unread. So a
small net (`vision/models/perched.onnx`, made by `vision.training`) looks round each die, from within its face
to beyond its sides, along rays: not at colours, but at how far they are from the face's and the ground's.
Where two dice lie one on the other the outline of both is no square, and its corners stand at other angles.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.arrays import Floats, Image
from vision.learned.closeup import patch
from vision.learned.net import MODEL, Net, load
from vision.values import Die, Doubt

MODEL_PERCHED = MODEL.with_name("perched.onnx")
LIKELY = 3.0
"""Logarithm of the odds from which a die is taken to lie on another."""
FACE_PX, SIDE_PX = 20.0, 64
"""How wide the face is made, and what is cut out about it."""
RAYS, STEPS, REACH = 48, 20, (0.3, 1.5)
"""Rays round a die, and steps along each from so many sides from its middle to so many."""
BODY, GROUND = slice(0, 3), slice(-3, None)
"""The steps that lie on the face, and those on the ground, mostly."""
LIGHT = 0.5
"""What lightness counts beside hue: shadows are dark."""
LEAST_APART, LIGHT_SCALE = 8.0, 40.0
"""Added to how far face and ground lie apart in CIE Lab, which all is measured by but for lightness."""
LAPS = np.arange(-6, RAYS + 3) % RAYS
"""The rays as the net takes them: some twice, so that its convolutions go all the way round."""


def on_others(image_bgr: Image, dice: Sequence[Die]) -> list[Doubt]:
    """The places of dice that seem to lie on others, which nobody read."""
    return [
        Doubt("on_another", die.x_px, die.y_px, die.size_px)
        for die in dice
        if odds(image_bgr, die.x_px, die.y_px, die.size_px) > LIKELY
    ]


def odds(image_bgr: Image, x_px: float, y_px: float, size_px: float, net: Net | None = None) -> float:
    """Logarithm of the odds that the die of about `size_px` at a place lies on another."""
    seen = surroundings(image_bgr, x_px, y_px, size_px)[None, :, LAPS]
    (said,) = (net or load(MODEL_PERCHED)).answers(seen, ("odds",))
    return float(said[0, 0])


def surroundings(image_bgr: Image, x_px: float, y_px: float, size_px: float) -> Floats:
    """What lies about a die, (6, RAYS, STEPS): how far from the face's colour and from the ground's, how much
    lighter than the ground and than the face, how sharply it changes outwards and round about."""
    cut = patch(image_bgr, (x_px, y_px), FACE_PX / size_px, SIDE_PX)
    lab = cv2.cvtColor(np.asarray(cut, np.float32) / 255, cv2.COLOR_BGR2LAB)
    along = np.asarray(cv2.remap(lab, *_places_px(), cv2.INTER_LINEAR), np.float32)
    body, ground = (np.median(along[:, steps].reshape(-1, 3), axis=0) for steps in (BODY, GROUND))
    weights = np.array([LIGHT, 1, 1], np.float32)
    apart = np.linalg.norm((body - ground) * weights) + LEAST_APART
    far = [np.linalg.norm((along - colour) * weights, axis=2) / apart for colour in (body, ground)]
    lighter = [(along[..., 0] - colour[0]) / LIGHT_SCALE for colour in (ground, body)]
    outwards = np.diff(along, axis=1, append=along[:, -1:])
    changes = [np.linalg.norm(d, axis=2) / apart for d in (outwards, np.roll(along, -1, axis=0) - along)]
    return np.asarray(np.stack([*far, *lighter, *changes]), np.float32)


def _places_px() -> tuple[Floats, Floats]:
    """x and y (RAYS, STEPS) of the places looked at in what is cut out."""
    angles = np.arange(RAYS)[:, None] * (2 * np.pi / RAYS)
    reach = np.linspace(*REACH, STEPS) * FACE_PX
    middle = SIDE_PX / 2 - 0.5
    x, y = (middle + turn(angles) * reach for turn in (np.cos, np.sin))
    return np.asarray(x, np.float32), np.asarray(y, np.float32)
