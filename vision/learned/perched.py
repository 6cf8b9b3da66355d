"""Dice that lie on other dice: the lower one shows a corner or a side, and neither way takes that for a die.

What lies about a die that was read is its own sides to everything else that looks for dice left unread. So a
small net (`vision/models/perched.onnx`, made by `vision.training`) looks round each die, from within its face
to beyond its sides, along rays: not at colours, but at how far they are from the face's and the ground's.
Where two dice lie one on the other the outline of both is no square, and its corners stand at other angles.
A second net (`flat.onnx`) is shown the same and tells prints; `vision.agreement.relief` asks it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import cv2
import numpy as np

from vision.arrays import Floats, Image, lengths
from vision.learned.closeup import patch
from vision.learned.net import MODEL, Net, load
from vision.values import Die, Doubt

MODEL_PERCHED, MODEL_FLAT = MODEL.with_name("perched.onnx"), MODEL.with_name("flat.onnx")
WORTH_MORE, LIKELY = 1.0, 2.5
"""Logarithm of the odds from which a die is looked at again, mirrored and as if smaller and larger; and from
which it is taken to lie on another on the mean of these looks. So do 44 of 60 drawn tables with such a pair,
2 of 154 other dice there, and none of 1 559 dice of photographs; one look tells 39, 2 and 3 from 3.0 on."""
SIZES = (1.0, 0.95, 1.05)
"""As how large a die is looked at again, for how wide it was said to be is a little off, either way."""
FACE_PX, SIDE_PX = 20.0, 64
"""How wide the face is made, and what is cut out about it."""
RAYS, STEPS, REACH = 48, 20, (0.3, 1.5)
"""Rays round a die, and steps along each from so many sides from its middle to so many."""
BODY, GROUND = slice(0, 3), slice(-3, None)
"""The steps that lie on the face, and those on the ground, mostly."""
ROUND_ABOUT = 5
"""Which of what is seen along a ray tells how sharply it changes from that ray to the next."""
LIGHT = 0.5
"""What lightness counts beside hue: shadows are dark."""
LEAST_APART, LIGHT_SCALE = 8.0, 40.0
"""Added to how far face and ground lie apart in CIE Lab, which all is measured by but for lightness."""
Place = tuple[float, float, float]
"""Middle and side of a die, in pixels."""
LAPS = np.arange(-6, RAYS + 3) % RAYS
"""The rays as the net takes them: some twice, so that its convolutions go all the way round."""


def on_others(image_bgr: Image, dice: Sequence[Die]) -> list[Doubt]:
    """The places of dice that seem to lie on others, which nobody read."""
    places = [(die.x_px, die.y_px, die.size_px) for die in dice]
    worth = (at for at, said in zip(places, odds(image_bgr, places), strict=True) if said > WORTH_MORE)
    return [Doubt("on_another", *at) for at in worth if odds_again(image_bgr, at) > LIKELY]


def odds(image_bgr: Image, places: Sequence[Place], net: Net | None = None) -> list[float]:
    """Logarithms of the odds that the dice at some places lie on others."""
    return [float(said) for said in _said(image_bgr, places, net or load(MODEL_PERCHED))]


def odds_again(image_bgr: Image, place: Place) -> float:
    """The logarithm of the odds that the die at a place lies on another: the mean of looks at it, mirrored or
    not, in each of SIZES."""
    x_px, y_px, size_px = place
    seen = surroundings(image_bgr, [(x_px, y_px, times * size_px) for times in SIZES])
    return float(_answers(np.concatenate([seen, mirrored(seen)]), load(MODEL_PERCHED)).mean())


def flat_odds(image_bgr: Image, places: Sequence[Place], net: Net | None = None) -> Floats:
    """Logarithms of the odds (n,) that what was read as dice at n places lies flat in the ground."""
    return _said(image_bgr, places, net or load(MODEL_FLAT))


def _said(image_bgr: Image, places: Sequence[Place], net: Net) -> Floats:
    """What a net says of n places, (n,)."""
    return _answers(surroundings(image_bgr, places), net) if places else np.zeros(0, np.float32)


def _answers(seen: Floats, net: Net) -> Floats:
    """What a net says of n surroundings, (n,)."""
    return np.concatenate([net.answers(one[None], ("odds",))[0][0] for one in seen[:, :, LAPS]])


def surroundings(image_bgr: Image, places: Sequence[Place]) -> Floats:
    """What lies about n dice, (n, 6, RAYS, STEPS): how far from the face's colour and the ground's, how
    much lighter than the ground and than the face, how sharply it changes outwards and round about."""
    rays = np.concatenate([_rays(image_bgr, place) for place in places])
    lab = cv2.cvtColor(rays, cv2.COLOR_BGR2LAB).reshape(-1, RAYS, STEPS, 3)
    body, ground = (np.median(lab[:, :, k].reshape(len(lab), 1, -1, 3), axis=2) for k in (BODY, GROUND))
    weights = np.array([LIGHT, 1, 1], np.float32)
    apart = lengths((body - ground) * weights)[..., None] + LEAST_APART
    far = [lengths((lab - colour[:, None]) * weights) / apart for colour in (body, ground)]
    lighter = [(lab[..., 0] - colour[:, None, :, 0]) / LIGHT_SCALE for colour in (ground, body)]
    outwards = np.diff(lab, axis=2, append=lab[:, :, -1:])
    changes = [lengths(step) / apart for step in (outwards, np.roll(lab, -1, axis=1) - lab)]
    return np.asarray(np.stack([*far, *lighter, *changes], axis=1), np.float32)


def mirrored(seen: Floats) -> Floats:
    """Surroundings (n, 6, RAYS, STEPS) as a mirror shows them."""
    flipped = seen[:, :, ::-1].copy()
    flipped[:, ROUND_ABOUT] = np.roll(flipped[:, ROUND_ABOUT], -1, axis=1)  # it is from one ray to the next
    return flipped


def _rays(image_bgr: Image, place: Place) -> Floats:
    """The colours along the rays from a die's middle, (RAYS, STEPS, 3), blue, green, red up to one."""
    x_px, y_px, size_px = place
    cut = patch(image_bgr, (x_px, y_px), FACE_PX / size_px, SIDE_PX)
    along = cv2.remap(np.asarray(cut, np.float32), *_on_rays(), cv2.INTER_LINEAR)
    return np.asarray(along / 255, np.float32)


@cache
def _on_rays() -> tuple[Floats, Floats]:
    """x and y (RAYS, STEPS) of the places along the rays in what is cut out."""
    angles = np.arange(RAYS)[:, None] * (2 * np.pi / RAYS)
    reach = np.linspace(*REACH, STEPS) * FACE_PX
    middle = SIDE_PX / 2 - 0.5
    x, y = (middle + turn(angles) * reach for turn in (np.cos, np.sin))
    return np.asarray(x, np.float32), np.asarray(y, np.float32)
