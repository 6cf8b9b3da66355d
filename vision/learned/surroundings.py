"""What lies about a die, along rays from within its face to beyond its sides, and what small nets say of it.

Not colours are looked at, but how far they are from the face's and the ground's. One net tells dice that lie
on others by it (`vision.learned.perched`), one what is printed on the table (`vision.agreement.relief`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import cv2
import numpy as np

from vision.arrays import Floats, Image, lengths
from vision.learned.closeup import patch
from vision.learned.net import Net
from vision.learned.turns import Place
from vision.picture.once import once

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
SIZES = (1.0, 0.95, 1.05)
"""As how large a die is looked at again, for how wide it was said to be is a little off, either way."""
AS_IT_IS = (1.0,)
"""The tone of the picture itself."""
LAPS = np.arange(-6, RAYS + 3) % RAYS
"""The rays as the nets take them: some twice, so that their convolutions go all the way round."""


def odds(image_bgr: Image, places: Sequence[Place], net: Net) -> Floats:
    """Logarithms of the odds (n,) of what a net is asked of the dice at n places."""
    return answers(about(image_bgr, places), net) if places else np.zeros(0, np.float32)


def odds_again(image_bgr: Image, place: Place, net: Net, tones: Sequence[float] = AS_IT_IS) -> float:
    """The logarithm of such odds of one die after looking again, mirrored and in each of SIZES: the mean of
    these looks; of several `tones`, powers the picture's values are raised to, the one that says least."""
    x_px, y_px, size_px = place
    rays = _rays(image_bgr, [(x_px, y_px, times * size_px) for times in SIZES])
    seen = (_traits(rays**tone) for tone in tones)
    return min(float(answers(np.concatenate([one, mirrored(one)]), net).mean()) for one in seen)


def answers(seen: Floats, net: Net) -> Floats:
    """What a net says of n surroundings, (n,)."""
    return np.concatenate([net.answers(one[None], ("odds",))[0][0] for one in seen[:, :, LAPS]])


def about(image_bgr: Image, places: Sequence[Place]) -> Floats:
    """What lies about n dice, (n, 6, RAYS, STEPS): how far from the face's colour and the ground's, how
    much lighter than the ground and than the face, how sharply it changes outwards and round about."""
    return once(image_bgr, ("about", *places), lambda: _traits(_rays(image_bgr, places)))


def _traits(rays: Floats) -> Floats:
    """What is seen along rays (n * RAYS, STEPS, 3) round n dice, as `about` says."""
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


def _rays(image_bgr: Image, places: Sequence[Place]) -> Floats:
    """The colours along the rays from n dice's middles, (n * RAYS, STEPS, 3), blue, green, red up to one."""
    cuts = (patch(image_bgr, (x_px, y_px), FACE_PX / size_px, SIDE_PX) for x_px, y_px, size_px in places)
    seen = (cv2.remap(np.asarray(cut, np.float32), *_on_rays(), cv2.INTER_LINEAR) for cut in cuts)
    return np.asarray(np.concatenate(list(seen)) / 255, np.float32)


@cache
def _on_rays() -> tuple[Floats, Floats]:
    """x and y (RAYS, STEPS) of the places along the rays in what is cut out."""
    angles = np.arange(RAYS)[:, None] * (2 * np.pi / RAYS)
    reach = np.linspace(*REACH, STEPS) * FACE_PX
    middle = SIDE_PX / 2 - 0.5
    x, y = (middle + turn(angles) * reach for turn in (np.cos, np.sin))
    return np.asarray(x, np.float32), np.asarray(y, np.float32)
