"""Readings of labelled photographs, kept on disk until the reader changes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import cv2

import vision
from tests.vision.photographs import Photo
from vision.contract import to_json
from vision.read import read

FOLDER = Path(__file__).parents[2] / ".scratch" / "readings"
NOT_READING = ("training", "scenes")
"""Folders of `vision` that reading does not use."""


def readings(photos: Sequence[Photo], jobs: int = 2, folder: Path = FOLDER) -> Iterator[dict[str, Any]]:
    """The JSON of `dudo read` of each photograph, in order; only those read that are not kept."""
    kept = folder / reader_version()
    kept.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(jobs, initializer=cv2.setNumThreads, initargs=(1,)) as pool:
        yield from pool.map(partial(_reading, kept), photos, chunksize=4)


def reader_version() -> str:
    """A name that changes with any file that reading uses."""
    root, digest = Path(vision.__file__).parent, hashlib.sha256()
    for path in sorted(root.rglob("*")):
        if path.suffix in (".py", ".onnx", ".json") and path.relative_to(root).parts[0] not in NOT_READING:
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _reading(kept: Path, photo: Photo) -> dict[str, Any]:
    """One reading, from the file it is kept in where there is one."""
    file = kept / ("-".join(photo.path.parts[-3:]) + ".json")
    if file.is_file():
        found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        return found
    found = to_json(read(photo.image()), photo.path.name, {"decode": 0.0, "read": 0.0})
    file.write_text(json.dumps(found), encoding="utf-8")
    return found
