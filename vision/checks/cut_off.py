"""Dice that the border of the picture cuts."""

from __future__ import annotations

from vision.checks.check import Change, Checked
from vision.values import CUT_OFF

CUT_SIDES = 0.45
"""A die whose middle is within so many sides of the image border is truncated."""


def check(read: Checked) -> Change:
    """Dice whose middle lies too near to the border."""
    height, width = read.image_bgr.shape[:2]
    inside = [min(d.x_px, d.y_px, width - 1 - d.x_px, height - 1 - d.y_px) / d.size_px for d in read.dice]
    return Change(tuple(k for k, sides in enumerate(inside) if sides < CUT_SIDES), why=CUT_OFF)
