"""Scenes written to a folder as labelled pictures."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import cv2

from lab.scenes.render import check_size, render
from lab.scenes.throw import throw
from lab.scenes.values import DieTruth, Picture, Scene, SceneError

_READABLE = 0.6  # share of the top face that must be seen for a die to count
_FAINT = 8.0  # grey levels below which nobody can read the pips
_SLANTING_DEG = 15.0


def write(
    folder: Path,
    count: int,
    *,
    seed: int = 0,
    difficulty: str = "normal",
    style: str = "any",
    dice: tuple[int, int] | None = None,
    width_px: int = 1280,
    height_px: int = 960,
) -> Iterator[str]:
    """Write `count` pictures and their `labels.json`; yields each picture's name once it is written.

    Scene k is thrown with the seed `seed` + k. Raises SceneError for arguments that cannot be drawn and for a
    folder that cannot be written or has other labels already.
    """
    if count < 1:
        raise SceneError("The number of pictures is 1 or more.")
    check_size(width_px, height_px)
    throw(  # refused before any work
        seed, style=style, difficulty=difficulty, count=dice, width_px=width_px, height_px=height_px
    )
    _prepare(folder)
    return _written(folder, count, seed, difficulty, style, dice, (width_px, height_px))


def _written(
    folder: Path,
    count: int,
    seed: int,
    difficulty: str,
    style: str,
    dice: tuple[int, int] | None,
    size: tuple[int, int],
) -> Iterator[str]:
    labels: dict[str, object] = {}
    for number in range(seed, seed + count):
        scene = throw(
            number, style=style, difficulty=difficulty, count=dice, width_px=size[0], height_px=size[1]
        )
        picture = render(scene)
        name = f"{difficulty}-{number:06d}.jpg"
        if not cv2.imwrite(str(folder / name), picture.image_bgr, [cv2.IMWRITE_JPEG_QUALITY, 95]):
            raise SceneError(f"The picture {folder / name} cannot be written: is the disk full?")
        labels[name] = label(scene, picture)
        _save(folder, labels)
        yield name


def label(scene: Scene, picture: Picture) -> dict[str, object]:
    """One picture's entry of `labels.json`: positions as shares of its width and height."""
    height, width = picture.image_bgr.shape[:2]
    return {
        "dice": [_die_label(t, width, height) for t in picture.truth],
        "angle": "overhead" if scene.lens.tilt_deg < _SLANTING_DEG else "slanting",
        "difficulty": scene.difficulty,
        "scene": "tray" if scene.tray is not None else scene.cover.kind,
    }


def _die_label(truth: DieTruth, width: int, height: int) -> dict[str, object]:
    entry: dict[str, object] = {
        "x": round(truth.x_px / width, 5),
        "y": round(truth.y_px / height, 5),
        "size": round(truth.size_px / width, 5),
        "face": truth.face,
        "colour": truth.colour,
    }
    if truth.visible < _READABLE or truth.cocked or truth.contrast < _FAINT:
        entry["ignore"] = True
    if truth.symbol:
        entry["symbol"] = truth.symbol
    return entry


def _prepare(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SceneError(f"The folder {folder} cannot be made: {error.strerror}.") from error
    if (folder / "labels.json").exists():
        raise SceneError(f"The folder {folder} has labels already: name another one.")


def _save(folder: Path, labels: dict[str, object]) -> None:
    """Write the labels so that an interruption leaves either the old or the new ones."""
    new = folder / "labels.json.new"
    new.write_text(json.dumps(labels, indent=1) + "\n", encoding="utf-8")
    new.replace(folder / "labels.json")
