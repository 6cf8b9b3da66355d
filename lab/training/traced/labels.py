"""The truth of traced pictures as rows of labels.json, the format of `lab.training.pictures.pool`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from lab.scenes.values import DieTruth
from lab.training.pictures.scened import HIDDEN, WHOLE

Row = dict[str, Any]
FAINT = 8.0
"""Contrast of pips in grey levels below which a person cannot read them (`lab.scenes.values`)."""


def row(die: DieTruth, width_px: int, height_px: int) -> Row:
    """One die: what the pool reads (shares of width and height), and corners and centre in pixels.

    `ignore` marks dice not to be read: occluded in part, truncated by the border, leaning, or with
    pips too faint for a person.
    """
    quads = np.array([die.corners_px, *die.sides_px]).reshape(-1, 2)
    box = (quads.max(0) - quads.min(0)) / (width_px, height_px)
    clear = die.visible > WHOLE and not die.cut and not die.cocked and die.contrast >= FAINT
    return {
        "x": round(die.x_px / width_px, 6),
        "y": round(die.y_px / height_px, 6),
        "size": round(die.size_px / width_px, 6),
        "box": [round(float(side), 6) for side in box],
        "face": die.face,
        "centre_px": [round(die.x_px, 2), round(die.y_px, 2)],
        "corners_px": [[round(x, 2), round(y, 2)] for x, y in die.corners_px],
        "visible": round(die.visible, 3),
        "truncated": die.cut,
        "leaning": die.cocked,
        "colour": die.colour,
        **({} if clear else {"ignore": True}),
    }


def entry(truth: Sequence[DieTruth], width_px: int, height_px: int) -> Row:
    """The entry of a picture; dice that are hidden have no row."""
    return {"dice": [row(die, width_px, height_px) for die in truth if die.visible > HIDDEN]}


def gather(folder: Path) -> int:
    """Write labels.json from the truth that lies beside each picture; returns how many pictures it has."""
    found: Mapping[str, Row] = {
        path.with_suffix(".jpg").name: json.loads(path.read_text())
        for path in sorted(folder.glob("traced-*.json"))
    }
    part = folder / "labels.part"
    part.write_text(json.dumps(found))
    part.replace(folder / "labels.json")
    return len(found)
