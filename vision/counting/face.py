"""A die's top face, cut out of the picture at one size, and the spots on it that may be pips.

The net gives the place and the size of the face. The spots are blobs of a pip's size, in the colour that
differs most from the body's, whichever that is.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats, Image, medians, quantiles
from vision.picture.working import halved, roots

FACE_PX, SIDE_PX = 44.0, 72
"""Width of a face in the cut-out, and the cut-out's side."""
CORE, RIM = 0.4, 0.47
"""Radii, in sides: the body's colour is measured within the first, pips have their middles in the second."""
PIP = 0.105
"""Usual radius of a pip, in sides: makes differ by a third, and a blob filter forgives that."""
WITHIN, AROUND = 0.45, 1.25
"""Standard deviations, in pip radii, of the two Gaussians whose difference finds blobs (Lowe 2004, 3)."""
RING = (1.5, 2.2)
"""Radii, in pip radii, between which the body's colour is measured: light falls alike on pip and ring."""


@dataclass(frozen=True, slots=True)
class Spots:
    """Blobs on a face, the strongest first.

    `middles` (n, 2) in sides from the middle of the face, `strength` (n,): contrast in square roots of light.
    `face` is the cut-out that they were found in.
    """

    middles: Floats
    strength: Floats
    face: Floats


def spots(image_bgr: Image, x_px: float, y_px: float, size_px: float) -> Spots:
    """What may be pips on the face of `size_px` whose middle lies at a place of the picture."""
    face = _cut_out(image_bgr, x_px, y_px, FACE_PX / size_px)
    found = _blobs(_contrast(face))
    at = np.flatnonzero((found >= _largest(found)) & (found > 0) & _RIM)
    at = at[np.argsort(-found.ravel()[at], kind="stable")]
    return Spots(_PLACES[at], found.ravel()[at], face)


def body(face: Floats, middles: Floats) -> Floats:
    """The body's colour (3,), square roots of light, by the rings round the pips of a cut-out.

    Each ring has its median, of which the mean is taken: a lamp burns out the one more than the other.
    """
    columns, rows = np.rint((middles.T - _ALONG[0]) * FACE_PX).astype(int)
    at = (rows * SIDE_PX + columns)[:, None]
    bare = np.ones(SIDE_PX**2, bool)
    bare[at + _ON_PIP] = False
    colours, shades = face.reshape(-1, 3), list[Floats]()
    for ring in at + _ON_RING:
        clear = ring[bare[ring]]
        shades.append(medians(colours[clear if len(clear) else ring]))
    return np.asarray(np.mean(shades, axis=0), np.float32)


def _cut_out(image_bgr: Image, x_px: float, y_px: float, scale: float) -> Floats:
    """The face `scale` times as large, (SIDE_PX, SIDE_PX, 3), square roots from 0 to 1."""
    smaller = halved(image_bgr, scale)
    height, width = smaller.shape[:2]
    times = image_bgr.shape[1] / width
    scale, x_px, y_px = scale * times, (x_px + 0.5) / times - 0.5, (y_px + 0.5) / times - 0.5
    reach = _REACH / scale + 2
    left, top = (int(min(max(0, v - reach), most - 1)) for v, most in ((x_px, width), (y_px, height)))
    part = smaller[top : max(top + 1, int(y_px + reach)), left : max(left + 1, int(x_px + reach))]
    if scale < 1:
        part = np.asarray(cv2.GaussianBlur(part, (5, 5), _BLUR / scale), np.uint8)
    middle_px = -_ALONG[0] * FACE_PX
    shift_x, shift_y = middle_px - scale * (x_px - left), middle_px - scale * (y_px - top)
    warp = np.array([[scale, 0, shift_x], [0, scale, shift_y]])
    cut = cv2.warpAffine(part, warp, (SIDE_PX, SIDE_PX), borderMode=cv2.BORDER_REPLICATE)
    return roots(np.asarray(cut, np.uint8))


def _contrast(face: Floats) -> Floats:
    """How far each pixel (h, w) lies from the body's colour towards that which differs most from it: the mean
    difference, in which each weighs by its square."""
    core = np.ascontiguousarray(face.reshape(-1, 3).take(_CORE, axis=0).T)
    usual = quantiles(core, 0.5)
    off = core - usual[:, None]
    most = ((off * off).sum(axis=0) * off).sum(axis=1)
    axis = most / max(float(np.linalg.norm(most)), 1e-9)
    onto = np.append(axis, -float((axis * usual).sum()))
    return np.asarray(cv2.transform(face, onto[None]), np.float32)


def _blobs(contrast: Floats) -> Floats:
    """The response (h, w) of a blob filter of a pip's size."""
    radius_px = PIP * FACE_PX
    within, around = (cv2.GaussianBlur(contrast, (0, 0), s * radius_px) for s in (WITHIN, AROUND))
    return np.asarray(within - around, np.float32)


def _largest(found: Floats) -> Floats:
    """The largest response within a pip's radius of each pixel."""
    side = 2 * int(PIP * FACE_PX) + 1
    return np.asarray(cv2.dilate(found, np.ones((side, side), np.uint8)), np.float32)


_BLUR = 0.45
"""Standard deviation, in pixels of the cut-out, that keeps a shrunk picture from aliasing. In those of the
picture it is 0.45 to 0.9, for which a kernel of five does, in half the time of one of seven."""
_REACH = SIDE_PX / 2 + 4 * _BLUR
"""Half the side of what the cut-out depends on, in its pixels."""
_ALONG = np.arange(SIDE_PX) / FACE_PX
_ALONG -= _ALONG.mean()
_PLACES = np.stack(np.meshgrid(_ALONG, _ALONG), axis=-1).reshape(-1, 2).astype(np.float32)
"""Places of the pixels of a row or column, and x and y of all, in sides from the middle."""


_FAR = np.hypot(_ALONG, _ALONG[:, None])
"""How far each pixel lies from the middle, in sides."""
_RIM = _FAR < RIM
_CORE = np.flatnonzero(_FAR < CORE)


def _about(least: float, most: float) -> NDArray[np.int64]:
    """The pixels whose distance from one lies between two, in pip radii, as steps in a flat cut-out."""
    steps = np.arange(-SIDE_PX // 2, SIDE_PX // 2 + 1)
    far = np.hypot(steps, steps[:, None]) / FACE_PX / PIP
    rows, columns = np.nonzero((far > least) & (far < most))
    return np.asarray(steps[rows] * SIDE_PX + steps[columns])


_ON_PIP, _ON_RING = _about(-1, RING[0]), _about(*RING)
