"""Finding the lens position at which the tray is sharpest: a coarse sweep, a fine one, and a parabola. Pure.

Lens positions are in dioptres, one divided by the distance in metres; 0 is infinity. Units of one model
differ by as much as a fifth, so the position is found for each camera and stored.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

COARSE_STEPS = 11
FINE_STEPS = 7


@dataclass(frozen=True, slots=True)
class Sample:
    """How sharp the picture was at one lens position."""

    dioptres: float
    sharpness: float


@dataclass(frozen=True, slots=True)
class Focus:
    """The best lens position, all that was sampled, and whether the best lies inside the lens's range.

    `clear` is false when the sharpness hardly changes over the sweep: there was nothing to focus on.
    """

    dioptres: float
    samples: tuple[Sample, ...]
    inside: bool
    clear: bool


def spread(low: float, high: float, count: int) -> tuple[float, ...]:
    """`count` positions evenly from `low` to `high`."""
    return tuple(low + (high - low) * n / (count - 1) for n in range(count))


def sweep(low: float, high: float, sharpness_at: Callable[[float], float]) -> Focus:
    """The sharpest lens position between `low` and `high`; `sharpness_at` moves the lens and measures."""
    coarse = [Sample(d, sharpness_at(d)) for d in spread(low, high, COARSE_STEPS)]
    step = (high - low) / (COARSE_STEPS - 1)
    best = _sharpest(coarse)
    near = spread(max(low, best.dioptres - step), min(high, best.dioptres + step), FINE_STEPS)
    fine = [Sample(d, sharpness_at(d)) for d in near]
    newest = {round(sample.dioptres, 6): sample for sample in [*coarse, *fine]}
    samples = tuple(newest[dioptres] for dioptres in sorted(newest))
    dioptres = peak(samples)
    dullest = min(sample.sharpness for sample in samples)
    clear = _sharpest(samples).sharpness > 1.3 * dullest
    return Focus(dioptres, samples, inside=low + step / 2 < dioptres < high - step / 2, clear=clear)


def peak(samples: tuple[Sample, ...]) -> float:
    """The top of the parabola through the sharpest sample and its neighbours, in dioptres."""
    best = samples.index(_sharpest(samples))
    if best in (0, len(samples) - 1):
        return samples[best].dioptres
    before, top, after = samples[best - 1 : best + 2]
    left, right = top.dioptres - before.dioptres, after.dioptres - top.dioptres
    rise, fall = top.sharpness - before.sharpness, top.sharpness - after.sharpness
    bend = rise * right + fall * left
    if bend <= 0:
        return top.dioptres
    return top.dioptres + (rise * right * right - fall * left * left) / (2 * bend)


def _sharpest(samples: tuple[Sample, ...] | list[Sample]) -> Sample:
    return max(samples, key=lambda sample: sample.sharpness)
