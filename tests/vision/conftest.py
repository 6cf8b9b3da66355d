"""What several tests of readings need, worked out once in a run, whichever worker asks first."""

from __future__ import annotations

import hashlib
import os
import pickle
import sys
from collections.abc import Callable
from typing import Any, TypeAlias

import pytest

from tests.vision.photographs import PHOTOS

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
