"""The checks by name, in the order in which they run."""

from __future__ import annotations

from collections.abc import Mapping

from vision.checks import aces, blurred, cut_off, in_line, light, slanting, torn
from vision.checks.check import Check

OF_DICE: Mapping[str, Check] = {
    "in_line": in_line.check,
    "aces": aces.check,
}
"""Of dice that were read: how they lie beside one another."""

OF_PICTURES: Mapping[str, Check] = {
    "cut_off": cut_off.check,
    "slanting": slanting.check,
    "light": light.check,
    "blurred": blurred.check,
    "torn": torn.check,
}
"""Of any reading."""
