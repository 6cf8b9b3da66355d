"""A companion at work in a folder of its own, and a player with a phone."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest

from companion.app.companion import Companion
from companion.app.demonstration import Shows
from companion.app.reading.reader_process import ReaderProcess
from companion.settings import Camera, Data, Web
from tests.clocks import LaterClock
from tests.readers import ReaderHere
from tests.simulated import simulated
from tests.whole.at_box import TIMEOUT_S


@contextmanager
def at_work(
    folder: Path,
    camera: str,
    *,
    keep_examples: bool = True,
    host: str = "127.0.0.1",
    shows: Shows | None = None,
    https: bool = False,
    picture_reader: ReaderProcess | None = None,
    **more: Any,
) -> Iterator[Companion]:
    """A companion with mock pins and the given camera, its page served on a free port."""
    data = Data(folder=str(folder), keep_examples=keep_examples)
    web, eye = Web(host=host, port=0, https=https), Camera(use=camera, **more)
    settings = simulated(folder, web=web, data=data, camera=eye)
    clock, reader = LaterClock(), picture_reader or ReaderHere()
    with Companion(settings, clock=clock, reader=reader, shows=shows) as companion:
        serving = threading.Thread(target=companion.serve, daemon=True)
        serving.start()
        yield companion
    serving.join(TIMEOUT_S)
    assert not serving.is_alive()


@pytest.fixture
def empty_table(tmp_path):
    """A camera that sees a table without dice, so that no reveal settles by itself."""
    folder = tmp_path / "empty"
    folder.mkdir()
    cv2.imwrite(str(folder / "empty.png"), np.full((480, 640, 3), 90, np.uint8))
    return f"folder:{folder}"


@pytest.fixture
def phone(phone_at):
    """Opens the page of a companion on one more phone."""

    def opened(companion: Companion, path: str = "/", **more: Any) -> Any:
        return phone_at(f"http://127.0.0.1:{companion.port}", path, **more)

    return opened


@pytest.fixture(autouse=True)
def quick_health(monkeypatch):
    """Nobody waits two seconds until a fault is reported, or over."""
    monkeypatch.setattr("companion.app.system.health.EVERY_S", 0.1)


@pytest.fixture(autouse=True)
def named_games(monkeypatch):
    """Games named by number: the simulated table rolls by the name, and tests must roll the same again."""
    numbers = count(1)
    monkeypatch.setattr(
        "companion.storage.journal.secrets", SimpleNamespace(token_hex=lambda _: f"{next(numbers):012x}")
    )
