"""The list of games: which there are, how far each has got, which is on the table, and what was lost.

It is written as a whole, in the form of a game, at every change but that of a game's length: a head line with
what concerns the box, then a line for each game. Keys of another version are kept as they are.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.storage.form import SCHEMA, all_sealed, good_lines, joined
from companion.storage.game_file import Entry

NAME = f"list-{SCHEMA}.jsonl"
FORMAT = "dudo-journal-list"


@dataclass(frozen=True, slots=True)
class GameList:
    """`box` has `serial`, which rises with each writing, `current`, `boots` and whatever else is kept."""

    box: Mapping[str, Any] = field(default_factory=dict)
    games: Mapping[str, Entry] = field(default_factory=dict)

    @property
    def serial(self) -> int:
        return int(self.box.get("serial", 0))

    def following(self, games: Mapping[str, Entry], changes: Mapping[str, object]) -> GameList:
        """The next one, with these games, and with what of the box has changed; None forgets."""
        box = {**self.box, **changes, "serial": self.serial + 1}
        return GameList({key: value for key, value in box.items() if value is not None}, games)

    def text(self) -> bytes:
        """The content of its file."""
        head = {**self.box, "format": FORMAT, "schema": SCHEMA, "games": len(self.games)}
        return joined(all_sealed(head, self.games.values()))


def parsed(text: bytes) -> GameList | None:
    """The list in a file; None where it is not whole."""
    lines = good_lines(text)
    if not lines or joined(lines) != text:
        return None
    box, *games = ({k: v for k, v in json.loads(line).items() if k != "chain"} for line in lines)
    if box.get("games") != len(games):
        return None
    return GameList(box, {game["id"]: game for game in games})


def newest(texts: tuple[bytes, bytes]) -> tuple[GameList | None, bool]:
    """The newer of two that are whole, and whether one is damaged or missing. The very first may be alone:
    the power went before there were two."""
    found = [parsed(text) for text in texts]
    best = max((one for one in found if one), key=lambda one: one.serial, default=None)
    damaged = any(text and not one for text, one in zip(texts, found, strict=True))
    return best, damaged or (best is not None and best.serial > 1 and not all(found))
