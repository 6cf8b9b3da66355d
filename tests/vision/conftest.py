"""What several tests of readings need, worked out once in a run, whichever worker asks first."""

from __future__ import annotations

import hashlib
import os
import pickle
import sys
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeAlias

import pytest

from tests.vision.photographs import PHOTOS, photographs
from vision.agreement import ways
from vision.agreement.places import Detected, detected
from vision.arrays import Image
from vision.read import read
from vision.values import Reading

if sys.platform != "win32":
    import fcntl

NEED_PHOTOGRAPHS = [
    pytest.mark.slow,
    pytest.mark.shared,
    pytest.mark.skipif(not PHOTOS.is_dir(), reason="no labelled photographs beside the project"),
]
"""The marks of tests that read them."""

Once: TypeAlias = Callable[[str, Callable[[], Any]], Any]
"""The value of that name, made now where no worker has made it yet."""


@pytest.fixture(scope="session")
def once(tmp_path_factory: pytest.TempPathFactory) -> Once:
    """Keeps values as files in the folder that all workers of a session share, and in memory."""
    own = tmp_path_factory.getbasetemp()
    folder = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "once"
    folder.mkdir(exist_ok=True)
    known: dict[str, Any] = {}

    def value(name: str, make: Callable[[], Any]) -> Any:
        if name not in known:
            with (folder / hashlib.sha256(name.encode()).hexdigest()[:16]).open("a+b") as file:
                if sys.platform != "win32":
                    fcntl.flock(file, fcntl.LOCK_EX)  # another worker may be about to make it
                file.seek(0)
                if not (kept := file.read()):
                    kept = pickle.dumps(make())
                    file.write(kept)
                known[name] = pickle.loads(kept)
        return known[name]

    return value


Readings: TypeAlias = Callable[[str], Sequence[dict[str, Reading]]]


@pytest.fixture(scope="session")
def readings(once: Once) -> Readings:
    """Gives what is read in each photograph of a set, by either reader, without a word of how many dice
    there are."""

    def read_all(name: str) -> tuple[dict[str, Reading], ...]:
        with each_detected_once():
            images = (photo.image() for photo in photographs([name]))
            return tuple({by: read(image, reader=by) for by in ("both", "pips")} for image in images)

    return lambda name: once(f"readings of {name}", lambda: read_all(name))


@pytest.fixture(scope="module")
def detected_once() -> Iterator[None]:
    """For tests that read one picture in several ways."""
    with each_detected_once():
        yield


@contextmanager
def each_detected_once() -> Iterator[None]:
    """Within, what the net detects in a picture is kept: it is the same for each way of reading, and most of
    what these cost."""
    kept: dict[Hashable, Detected] = {}

    def once_detected(image: Image, scale_px: float | None = None, *, thorough: bool = False) -> Detected:
        known = hashlib.sha256(image.tobytes()).digest(), image.shape, scale_px, thorough
        if known not in kept:
            kept[known] = detected(image, scale_px, thorough=thorough)
        return kept[known]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ways, "detected", once_detected)
        yield
