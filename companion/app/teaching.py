"""The page on which emblem faces are shown to the box, tried and forgotten."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from companion.app.pictures import encoded, taken
from companion.errors import BadCommand

if TYPE_CHECKING:
    from companion.app.companion import Companion

Data = dict[str, Any]


class Teaching:
    """What the page sees and does; one step at a time."""

    def __init__(self, companion: Companion) -> None:
        self._companion, self._lessons = companion, companion.lessons
        self._numbers = itertools.count(1)
        self._shown: Data | None = None
        self._seen: list[Data] | None = None

    def now(self) -> Data:
        """Every taught face with its showings, what was shown last, and what was seen when it was tried."""
        faces = [{"face": face, "times": times} for face, times in sorted(self._lessons.faces.items())]
        return {"faces": faces, "shown": self._shown, "seen": self._seen}

    def do(self, what: str, face: int | None) -> None:
        """`show` a face, `recognise` what lies there, or `forget` a face (None: all).

        Raises BadCommand, PartFault, StorageError."""
        match what:
            case "show" if face is not None:
                self._show(face)
            case "recognise":
                self._recognise()
            case "forget":
                self._lessons.forget(face)
                self._shown = self._seen = None
            case _:
                raise BadCommand("bad_face", face=face)

    def _show(self, face: int) -> None:
        name = f"taught-{next(self._numbers)}"
        self._companion.eyes.plain[name] = encoded(self._lessons.show(taken(self._companion.camera), face))
        self._shown, self._seen = {"face": face, "picture": name}, None

    def _recognise(self) -> None:
        reader = self._companion.settings.camera.reader
        image = taken(self._companion.camera)
        dice = self._companion.reader.read(image, reader, self._lessons.taught)["dice"]
        self._seen = [
            {"face": die["face"], "taught": "taught" in die["why"], "certain": die["certain"]} for die in dice
        ]
