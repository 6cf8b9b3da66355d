"""Fitted weights and counted rates as data: `vision/models/fits.toml`, a table for each part."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NotRequired, TypedDict

Weights = Mapping[str, Sequence[float]]
Rates = Mapping[str, float]
FILE = Path(__file__).parent / "models" / "fits.toml"


class Part(TypedDict):
    """One table of the file. `unit` is that of the weights, and of the rates where there are some."""

    source: str
    unit: str
    weights: Weights
    rates: NotRequired[Rates]


@cache
def parts() -> Mapping[str, Part]:
    """All parts by their names, as the file has them."""
    found: dict[str, Part] = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return found


@cache
def weights(part: str) -> Weights:
    """The rows of weights of a part by their names, each of the unit that the file names."""
    return {name: tuple(row) for name, row in parts()[part]["weights"].items()}


def rates(part: str) -> Rates:
    """The counted probabilities of a part by their names."""
    return parts()[part]["rates"]
