"""Plain values of a reader, which can be handed between processes."""

from __future__ import annotations

from dataclasses import dataclass

Features = tuple[tuple[float, ...], ...]
Taught = tuple[int, tuple[float, ...]]
"""A taught face, and what the model saw of it."""

Drawn = tuple[object, tuple[tuple[int, float, float], ...]]
"""A picture, and the face and place of every die in it."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A picture read: the object of `dudo read --json`, and two JPEGs: with what was seen, small enough for a
    phone, and as it was taken."""

    read: dict[str, object]
    marked: bytes
    plain: bytes


@dataclass(frozen=True, slots=True)
class Example:
    """A die shown alone, for teaching.

    `part_bgr` is the part of the picture around it, (height, width, 3) uint8; `png` is the same as PNG. The
    die is in its middle, `size_px` wide. `features` has one vector for each turn.
    """

    part_bgr: object
    png: bytes
    size_px: float
    features: Features
