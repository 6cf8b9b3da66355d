"""Fitted weights and counted rates as data: a TOML file for each fitted part in `vision/models`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources

Weights = Mapping[str, Sequence[float]]
Rates = Mapping[str, float]


@cache
def weights(part: str) -> Weights:
    """The rows of weights of a part by their names, each of the unit that the file names."""
    rows: dict[str, list[float]] = tomllib.loads(_text(part))["weights"]
    return {name: tuple(row) for name, row in rows.items()}


@cache
def rates(part: str) -> Rates:
    """The counted probabilities of a part by their names."""
    found: dict[str, float] = tomllib.loads(_text(part))["rates"]
    return found


def _text(part: str) -> str:
    return (resources.files("vision") / "models" / f"{part}.toml").read_text(encoding="utf-8")
