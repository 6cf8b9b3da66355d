"""How sharp and how bright a picture is, and the lens position at which the tray is sharpest: a coarse sweep,
a fine one, and a parabola. Numpy only, pure.

Lens positions of a Pi's camera are in dioptres, one divided by the distance in metres; 0 is infinity. A USB
camera's are numbers of its driver. Units of one model differ by as much as a fifth, so the position is found
for each camera and stored.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from hardware.ports import Frame

COARSE_STEPS = 11
FINE_STEPS = 7


@dataclass(frozen=True, slots=True)
class Sample:
    """How sharp the picture was at one lens position."""

    position: float
    sharpness: float


@dataclass(frozen=True, slots=True)
class Focus:
    """The best lens position, and whether it lies inside the lens's range.

    `clear` is false when the sharpness hardly changes over the sweep: there was nothing to focus on.
    """

    position: float
    inside: bool
    clear: bool


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


def spread(low: float, high: float, count: int) -> tuple[float, ...]:
    """`count` positions evenly from `low` to `high`."""
    return tuple(low + (high - low) * n / (count - 1) for n in range(count))


def sweep(low: float, high: float, sharpness_at: Callable[[float], float]) -> Focus:
    """The sharpest lens position between `low` and `high`; `sharpness_at` moves the lens and measures."""
    coarse = [Sample(at, sharpness_at(at)) for at in spread(low, high, COARSE_STEPS)]
    step = (high - low) / (COARSE_STEPS - 1)
    best = _sharpest(coarse)
    near = spread(max(low, best.position - step), min(high, best.position + step), FINE_STEPS)
    fine = [Sample(at, sharpness_at(at)) for at in near]
    newest = {round(sample.position, 6): sample for sample in [*coarse, *fine]}
    samples = tuple(newest[position] for position in sorted(newest))
    position = peak(samples)
    dullest = min(sample.sharpness for sample in samples)
    clear = _sharpest(samples).sharpness > 1.3 * dullest
    return Focus(position, inside=low + step / 2 < position < high - step / 2, clear=clear)


def peak(samples: tuple[Sample, ...]) -> float:
    """The top of the parabola through the sharpest sample and its neighbours, in the units of the lens."""
    best = samples.index(_sharpest(samples))
    if best in (0, len(samples) - 1):
        return samples[best].position
    before, top, after = samples[best - 1 : best + 2]
    left, right = top.position - before.position, after.position - top.position
    rise, fall = top.sharpness - before.sharpness, top.sharpness - after.sharpness
    bend = rise * right + fall * left
    if bend <= 0:
        return top.position
    return top.position + (rise * right * right - fall * left * left) / (2 * bend)


def _sharpest(samples: tuple[Sample, ...] | list[Sample]) -> Sample:
    return max(samples, key=lambda sample: sample.sharpness)


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
