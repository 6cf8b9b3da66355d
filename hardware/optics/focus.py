"""How sharp and how bright a picture is, and the lens position at which the tray is sharpest: a coarse sweep,
a fine one, and a parabola. Numpy only, pure.

Lens positions of a Pi's camera are in dioptres, one divided by the distance in metres; 0 is infinity. A USB
camera's are numbers of its driver. Units of one model differ by as much as a fifth, so the position is found
for each camera and stored.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from hardware.ports import Focus, Frame

COARSE_STEPS = 11
FINE_STEPS = 7


class Lens(Protocol):
    """A camera whose lens moves between the two positions of `lens_range`; None where none moves."""

    @property
    def lens_range(self) -> tuple[float, float] | None: ...

    def set_lens(self, position: float, /) -> object: ...

    def capture(self) -> Frame: ...


def focused(lens: Lens) -> Focus | None:
    """Sweep the lens, leave it where the middle of the picture is sharpest; None where none moves. Raises the
    camera's own errors."""
    if (limits := lens.lens_range) is None:
        return None
    found = sweep(*limits, lambda position: _sharpness_at(lens, position))
    lens.set_lens(found.position)
    return found


def _sharpness_at(lens: Lens, position: float) -> float:
    lens.set_lens(position)
    image = lens.capture().image_bgr
    height, width = image.shape[:2]
    return sharpness(image[height // 4 : height * 3 // 4, width // 4 : width * 3 // 4])


def sweep(low: float, high: float, sharpness_at: Callable[[float], float]) -> Focus:
    """The sharpest lens position between `low` and `high`; `sharpness_at` moves the lens and measures."""
    step = (high - low) / (COARSE_STEPS - 1)
    # rounded, so that the same position of both sweeps is one
    found = {at: sharpness_at(at) for at in np.linspace(low, high, COARSE_STEPS).round(6).tolist()}
    best = max(found, key=found.__getitem__)
    near = np.linspace(max(low, best - step), min(high, best + step), FINE_STEPS).round(6)
    found |= {at: sharpness_at(at) for at in near.tolist()}
    position = peak(found)
    clear = max(found.values()) > 1.3 * min(found.values())
    return Focus(position, inside=low + step / 2 < position < high - step / 2, clear=clear)


def peak(found: Mapping[float, float]) -> float:
    """The top of the parabola through the sharpest position and its neighbours, in the units of the lens;
    `found` has the sharpness at each."""
    positions = sorted(found)
    best = positions.index(max(found, key=found.__getitem__))
    if best in (0, len(positions) - 1):
        return positions[best]
    before, top, after = positions[best - 1 : best + 2]
    left, right = top - before, after - top
    rise, fall = found[top] - found[before], found[top] - found[after]
    bend = rise * right + fall * left
    return top + (rise * right * right - fall * left * left) / (2 * bend) if bend > 0 else top


@dataclass(frozen=True, slots=True)
class PictureQuality:
    """`sharpness` is the variance of the Laplacian of the luma, near 0 when blurred.

    `brightness` is the mean luma from 0 to 1; `glare` is the share of pixels that are burnt out.
    `evenness` is the darkest ninth of the picture against the brightest, 1 when alike.
    """

    sharpness: float
    brightness: float
    glare: float
    evenness: float


def luma(image_bgr: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Luma from 0 to 255 of a picture in blue, green, red (ITU-R BT.601)."""
    weights = np.array([0.114, 0.587, 0.299], dtype=np.float32)
    return (image_bgr.astype(np.float32) @ weights).astype(np.float32)


def sharpness(image_bgr: NDArray[np.uint8]) -> float:
    """Variance of the Laplacian of the luma; higher is sharper, comparable only for the same scene.

    Source: J. L. Pech-Pacheco et al., Diatom autofocusing in brightfield microscopy, ICPR 2000.
    """
    y = luma(image_bgr)
    if min(y.shape) < 3:
        return 0.0
    edges = 4 * y[1:-1, 1:-1] - y[:-2, 1:-1] - y[2:, 1:-1] - y[1:-1, :-2] - y[1:-1, 2:]
    return float(edges.var())


def quality(image_bgr: NDArray[np.uint8]) -> PictureQuality:
    """How sharp and how bright a picture is."""
    y = luma(image_bgr)
    return PictureQuality(
        sharpness=sharpness(image_bgr),
        brightness=float(y.mean()) / 255,
        glare=float((y > 250).mean()),
        evenness=evenness(y),
    )


def evenness(y: NDArray[np.float32]) -> float:
    """Median luma of the darkest of nine parts over that of the brightest: a few dice do not count."""
    rows = [part for part in np.array_split(y, 3, axis=0) if part.size]
    parts = [part for row in rows for part in np.array_split(row, 3, axis=1) if part.size]
    medians = [float(np.median(part)) for part in parts]
    return (min(medians) + 1) / (max(medians) + 1)
