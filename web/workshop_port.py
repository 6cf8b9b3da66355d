"""The box as the workshop's pages need it, and the steps they know."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

CALIBRATION = ("focus", "dice", "empty", "keep")
TRIALS = ("light", "beep", "picture", "again")
LESSONS = ("show", "recognise", "forget")
COLOURS = ("colour", "mixed")
KEYS = ("key", "key-stop", "key-forget", "key-undo")
SWITCH_OFF = "switch-off"
STEPS = (*CALIBRATION, *TRIALS, *LESSONS, *COLOURS, *KEYS, SWITCH_OFF)


class WorkshopPort(Protocol):
    """The camera to be calibrated and the parts to be tried out; all its answers are plain data."""

    def camera(self) -> Mapping[str, object]:
        """Light and sharpness at this moment, what the steps found and advise."""

    def calibrate(self, step: str) -> None:
        """Do a step of CALIBRATION. Raises CompanionError."""

    def switch_off(self) -> None:
        """Switch the whole machine off. Raises CompanionError where it is no installed box."""

    def taught(self) -> Mapping[str, object]:
        """The emblem faces taught so far, and what was seen last."""

    def teach(self, what: str, face: int | None = None) -> None:
        """Do one of LESSONS: show a face, try what lies there, forget a face (None: all).

        Raises CompanionError."""

    def colours(self) -> Mapping[str, object]:
        """The players whose dice were shown for their colour, and the result."""

    def teach_colours(self, what: str, player: str | None = None) -> None:
        """Do one of COLOURS: the dice that lie there are `player`'s, or all colours are mixed.

        Raises CompanionError."""

    def parts(self) -> Mapping[str, object]:
        """Every lamp, and what every button did since the page was opened."""

    def try_part(self, what: str, part: str | None = None) -> None:
        """Do one of TRIALS: light a lamp (None: all as usual), beep, take a picture, begin again.

        Raises CompanionError."""

    def teach_key(self, what: str, button: str | None = None) -> None:
        """Do one of KEYS: await a key for a button or none, forget its keys, take the last step back.

        Raises CompanionError."""
