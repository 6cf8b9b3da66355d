"""The page on which emblem faces are shown to the box, tried and forgotten."""

from __future__ import annotations

import itertools
from collections.abc import Callable

from companion.app.lessons import Lessons
from companion.app.pictures import encoded
from companion.errors import BadCommand
from vision.arrays import Image
from vision.contract import ReadingJson

Data = dict[str, object]


class Teaching:
    """State and steps of the page, one step at a time."""

    def __init__(
        self,
        lessons: Lessons,
        picture: Callable[[], Image],
        read: Callable[[Image], ReadingJson],
        show: Callable[[str, bytes], None],
    ) -> None:
        """`picture` takes one now, `read` gives the object of `dudo read --json` of it, `show` keeps a JPEG
        under a name for the page."""
        self._lessons, self._picture, self._read, self._show_jpeg = lessons, picture, read, show
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
        self._show_jpeg(name, encoded(self._lessons.show(self._picture(), face)))
        self._shown, self._seen = {"face": face, "picture": name}, None

    def _recognise(self) -> None:
        dice = self._read(self._picture())["dice"]
        self._seen = [
            {"face": die["face"], "taught": "taught" in die["why"], "certain": die["certain"]} for die in dice
        ]
