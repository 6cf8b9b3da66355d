"""The live view: one picture for however many phones ask, and nobody waits for a camera that is silent."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from companion import threads
from companion.app.camera import preview as module
from companion.app.camera.preview import MAX_WAITING, Preview
from hardware.errors import CameraSilent

PHONES = 50


class Camera:
    """A camera that gives grey preview, raises, or blocks until the test releases it."""

    def __init__(self) -> None:
        self.taken = 0
        self.trouble: Exception | None = None
        self.ready = threading.Event()
        self.ready.set()

    def preview(self) -> Any:
        self.ready.wait(30)
        self.taken += 1
        if self.trouble:
            raise self.trouble
        return SimpleNamespace(image_bgr=np.full((12, 16, 3), 90, np.uint8))


@pytest.fixture
def camera() -> Camera:
    return Camera()


@pytest.fixture
def preview(camera: Camera) -> Iterator[Preview]:
    made = Preview(camera)
    yield made
    camera.ready.set()
    made.close()


def ask_at_once(preview: Preview) -> list[bytes | None]:
    """The answers to phones that ask at the same time."""
    got: list[bytes | None] = []
    phones = [threading.Thread(target=lambda: got.append(preview.jpeg())) for _ in range(PHONES)]
    for phone in phones:
        phone.start()
    for phone in phones:
        phone.join(30)
    return got


def test_a_picture_is_taken_and_encoded_once_for_all(
    camera: Camera, preview: Preview, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "PREVIEW_KEPT_S", 30.0)
    encoded: list[int] = []
    encode = module.encoded
    monkeypatch.setattr(module, "encoded", lambda image: (encoded.append(1), encode(image))[1])
    monkeypatch.setattr(module, "WAIT_S", 20.0)
    first = preview.jpeg()
    assert first is not None
    assert first.startswith(b"\xff\xd8")
    assert ask_at_once(preview) == [first] * PHONES
    assert (camera.taken, len(encoded)) == (1, 1)


def test_nobody_waits_for_a_silent_camera_but_a_few_for_a_moment(
    camera: Camera, preview: Preview, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Regression: fifty live views of a silent camera occupied nearly all threads of the server."""
    monkeypatch.setattr(module, "WAIT_S", 0.01)
    waiting: list[int] = []
    wait = preview._changed.wait_for

    def counted(true: Any, timeout: float | None = None) -> bool:
        waiting.append(preview._waiting)
        return wait(true, timeout)

    camera.ready.clear()
    monkeypatch.setattr(preview._changed, "wait_for", counted)
    assert ask_at_once(preview) == [None] * PHONES
    assert max(waiting, default=0) <= MAX_WAITING


def test_a_fault_shows_no_picture_and_a_mended_camera_does(
    camera: Camera, preview: Preview, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "PREVIEW_KEPT_S", 0.001)
    monkeypatch.setattr(module, "WAIT_S", 20.0)
    camera.trouble = CameraSilent("no picture")
    assert preview.jpeg() is None
    assert preview.image() is None
    camera.trouble = None
    taken = camera.taken
    while preview.image() is None:
        assert camera.taken < taken + 10_000
    assert preview.jpeg()


def test_closing_wakes_the_thread_that_waits_for_a_phone(
    camera: Camera, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "IDLE_S", 600.0)
    monkeypatch.setattr(threads, "CLOSE_S", 20.0)
    before, begun = set(threading.enumerate()), threading.Event()
    unseen = Preview(camera, begun.set)
    assert begun.wait(10)
    unseen.close()
    assert set(threading.enumerate()) <= before


def test_without_a_phone_no_picture_is_taken(camera: Camera, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "IDLE_S", 0.001)
    beats = threading.Semaphore(0)
    unseen = Preview(camera, beats.release)
    for _ in range(20):
        assert beats.acquire(timeout=20)
    unseen.close()
    assert camera.taken == 0
