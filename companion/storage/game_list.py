"""The list of games: which there are, how far each has got, which is on the table, and what a card has lost.

It is written as a whole, in the form of a game, at every change but that of a game's length: a head line with
what concerns the box, then a line for each game. What another version notes of the box is kept as it is.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from msgspec import Struct, ValidationError, convert, field, to_builtins

from companion.storage.form import SCHEMA, GameInfo, all_sealed, good_lines, joined

NAME = f"list-{SCHEMA}.jsonl"
FORMAT = "dudo-journal-list"


class Loss(Struct, frozen=True):
    """One loss by a failing card: `records` of `games` are missing, none where the other file had all.

    `missing` of them are of the one `game` that is cut or gone. `file` is where the damaged one is kept, ""
    where nothing was left of it. `emptied`: the folder has had games, and nobody knows how many. `gone`: the
    game that was on the table is not there any more. `vanished`: the files were deleted while the box was
    running. `unread`: the game on the table is whole, but of a `version` that this one cannot read. `cause`:
    no game is lost; the side file `file` was set aside because of it.
    """

    records: int = 0
    games: int = 0
    file: str = ""
    game: str = ""
    missing: int = 0
    emptied: bool = False
    unread: bool = False
    gone: bool = False
    vanished: bool = False
    version: str = ""
    cause: str = ""


class GameList(Struct, frozen=True):
    """`box` has `serial`, which rises with each writing, `current`, `boots` and whatever else is kept."""

    box: Mapping[str, Any] = field(default_factory=dict)
    games: Mapping[str, GameInfo] = field(default_factory=dict)

    @property
    def serial(self) -> int:
        return int(self.box.get("serial", 0))

    @property
    def boots(self) -> int:
        return int(self.box.get("boots", 0))

    @property
    def current(self) -> str | None:
        """The game on the table."""
        current = self.box.get("current")
        return current if current in self.games else None

    @property
    def losses(self) -> tuple[Loss, ...]:
        """What was lost; nothing where another version wrote it down."""
        with suppress(ValidationError):
            return convert(self.box.get("losses", ()), tuple[Loss, ...])
        return ()

    def noting(self, changes: Mapping[str, object]) -> GameList:
        """The same games, and what of the box has changed; None forgets."""
        box = {**self.box, **changes}
        return GameList({key: value for key, value in box.items() if value is not None}, self.games)

    def listing(self, games: Mapping[str, GameInfo | None]) -> GameList:
        """These games too, or as they are now; without those of which nothing is left."""
        found = {**self.games, **games}
        return GameList(self.box, {game: info for game, info in found.items() if info})

    def losing(self, *lost: Loss) -> GameList:
        """The same games, with these losses too."""
        found = dict.fromkeys((*self.losses, *lost))
        return self.noting({"losses": list(map(to_builtins, found))}) if lost else self

    def lines(self) -> list[bytes]:
        """The lines of its file."""
        head = {**self.box, "format": FORMAT, "schema": SCHEMA, "games": len(self.games)}
        return all_sealed(head, map(to_builtins, self.games.values()))


def parsed(text: bytes) -> GameList | None:
    """The list in a file; None where it is not whole."""
    lines = good_lines(text)
    if not lines or joined(lines) != text:
        return None
    box, *games = ({k: v for k, v in json.loads(line).items() if k != "chain"} for line in lines)
    if box.get("games") != len(games):
        return None
    with suppress(ValidationError):
        return GameList(box, {info.id: info for info in convert(games, list[GameInfo])})
    return None


def newest(texts: tuple[bytes, bytes]) -> tuple[GameList | None, bool]:
    """The newer of two that are whole, and whether one is damaged or missing. The very first may be alone:
    the power went before there were two."""
    found = [parsed(text) for text in texts]
    best = max((one for one in found if one), key=lambda one: one.serial, default=None)
    damaged = any(text and not one for text, one in zip(texts, found, strict=True))
    return best, damaged or (best is not None and best.serial > 1 and not all(found))
