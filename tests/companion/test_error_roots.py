"""Every room's errors tell a person why, and what helps."""

import pytest

from companion.app.reading.photographs import WritingError
from companion.errors import BadCommand, CompanionError, Explained, PortBusy
from hardware.errors import CameraMissing, HardwareError
from vision.errors import VisionError
from vision.learned.net import ModelMissing
from vision.picture.photos import PhotoError
from web.problems import Refused

ROOTS: tuple[type[Explained], ...] = (CompanionError, HardwareError, VisionError, Refused)
"""The type checker holds each of them to the protocol."""


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (BadCommand("no_game"), "no_game"),
        (PortBusy("port_busy", host="here", port=80), "port_busy"),
        (CameraMissing("There is no camera."), "camera_missing"),
        (ModelMissing("It is gone."), "reader_broken"),
        (PhotoError("It is empty."), "file_unreadable"),
        (WritingError("It is full."), "file_unwritable"),
        (Refused(400, "bad_json"), "bad_json"),
    ],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)
def test_an_error_has_a_reason_a_hint_and_values(error, reason):
    assert isinstance(error, ROOTS)
    assert isinstance(error, Explained)
    assert (error.reason, type(error.hint)) == (reason, str)
    assert dict(error.values) == error.values


def test_what_nobody_foresaw_explains_nothing():
    assert not isinstance(ValueError("?"), Explained)
