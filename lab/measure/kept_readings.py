"""Readings of labelled photographs, kept on disk until the reader changes.

They are kept before calibration, so that another calibration takes seconds.
"""

from __future__ import annotations

import hashlib
import json
import pickle
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

import cv2

import vision
from tests.vision.photographs import Photo
from vision import fits
from vision.read import read
from vision.values import Reading

FOLDER = Path(__file__).parents[2] / ".scratch" / "readings"
AFTER = ("calibration.py", "unchanged.py")
"""Files of what comes after what is kept; of the fits the calibration does."""


def readings(photos: Sequence[Photo], jobs: int = 2, folder: Path = FOLDER) -> Iterator[Reading]:
    """The uncalibrated reading of each photograph, in order; only those read that are not kept."""
    kept = folder / reader_version()
    kept.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(jobs, initializer=cv2.setNumThreads, initargs=(1,)) as pool:
        yield from pool.map(partial(_reading, kept), photos, chunksize=4)


def reader_version() -> str:
    """A name that changes with any file that reading uses."""
    root, digest = Path(vision.__file__).parent, hashlib.sha256()
    for path in sorted(root.rglob("*")):
        if path.name not in AFTER and path.suffix in (".py", ".onnx"):
            digest.update(path.read_bytes())
    digest.update(used_fits(fits.parts()))
    return digest.hexdigest()[:16]


def used_fits(parts: Mapping[str, fits.Part]) -> bytes:
    """The fits that reading uses: all but the calibration, which may change without another reading."""
    used = {name: part["weights"] for name, part in parts.items() if name != "calibration"}
    return json.dumps(used).encode()


def _reading(kept: Path, photo: Photo) -> Reading:
    """One reading, from the file it is kept in where there is one."""
    file = kept / ("-".join(photo.path.parts[-3:]) + ".pickle")
    if file.is_file():
        found: Reading = pickle.loads(file.read_bytes())
        return found
    found = read(photo.image(), raw=True)
    file.write_bytes(pickle.dumps(found))
    return found
