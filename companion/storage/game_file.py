"""A game in its two files: read from whichever is as it was written, and grown by what one command brings."""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from msgspec import Struct

from companion.json_types import Body
from companion.storage.disk import Disk
from companion.storage.form import FORMAT, SCHEMA, Woven, all_sealed, chain, joined, sealed, woven, written_by
from companion.storage.pair import FRESH, Pair

SUFFIX = ".jsonl"
KEPT_ASIDE = 12
"""How many damaged files are kept; older ones make room for newer ones."""
_ID = re.compile(r"[0-9a-z]{1,32}")


@dataclass(frozen=True, slots=True)
class Record:
    """One line of a game: its number, a wall-clock label (never used for order), its body, and the label of
    a clock that never jumps."""

    number: int
    at: str
    body: Body
    tick: str = ""


class GameInfo(Struct, frozen=True):
    """What is listed of a game; `head` is the checksum of the last of its `records`."""

    id: str
    created: str
    records: int
    head: str = ""


class GameFile(Pair):
    """The files of one game."""

    def __init__(self, disk: Disk, folders: tuple[Path, Path], game: str) -> None:
        super().__init__(disk, folders, game + SUFFIX)
        self.game, self._version = game, ""

    def hold(self, lines: Iterable[bytes] = ()) -> None:
        """Have these lines in memory, and which version wrote last."""
        super().hold(lines)
        self._version = version_of(self.lines)

    def add(self, bodies: Sequence[Body], version: str) -> None:
        """Have the records of one command follow, all or none. They name the `version` that writes where it
        was another one before."""
        self.append(_following(self.lines, bodies, version if version != self._version else None))
        self._version = version

    def read(self, listed: int | None = None) -> Woven:
        """What both have together (`form.woven`): lines in memory were read before. Of a form of a later
        version the head alone is read."""
        if self.lines:
            whole = joined(self.lines)
            return Woven(tuple(self.lines), damaged=any(text != whole for text in self.texts()))
        found = woven(self.texts(), listed)
        if is_newer(found.lines):
            return Woven(found.lines[:1])
        if head(found.lines).get("game") == self.game:
            return found
        missing = max(found.missing, listed) if listed else 0  # what no list names is no game
        return Woven((), missing, missing > 0)

    def set_aside(self, folder: Path) -> str:
        """Keep both files as they are in this folder, and return the name of the first; "" where there is no
        room for what is damaged."""
        names = [f"{label().replace(':', '')[:17]}-{self.game}-{number}{SUFFIX}" for number in (1, 2)]
        try:
            for name, text in zip(names, self.texts(), strict=True):
                self.disk.write(folder / name, text)
            for old in self.disk.names(folder)[:-KEPT_ASIDE]:
                self.disk.remove(folder / old)
        except OSError:
            return ""
        return names[0]


def made(game: str, created: str, records: Iterable[Record], version: str) -> list[bytes]:
    """The lines of a whole game, written by `version`."""
    head = {"format": FORMAT, "schema": SCHEMA, "game": game, "created": created, "version": version}
    return all_sealed(head, map(_row, records))


def _following(lines: Sequence[bytes], bodies: Sequence[Body], version: str | None) -> list[bytes]:
    """The lines of one command behind those of a game."""
    first, last = len(lines), len(lines) + len(bodies) - 1
    more: dict[str, object] = {"batch": [first, last]} if len(bodies) > 1 else {}
    if version is not None:
        more["version"] = version
    found = [lines[-1]]
    for record in fresh(bodies, first):
        found.append(sealed(chain(found[-1]), {"number": record.number, **more, **_row(record)}))
    return found[1:]


def _row(record: Record) -> Body:
    return {"number": record.number, "at": record.at, "tick": record.tick, "body": record.body}


def fresh(bodies: Iterable[Body], first: int = 1) -> tuple[Record, ...]:
    """Records with these bodies, made now."""
    at, tick = label(), ticking()
    return tuple(Record(number, at, body, tick) for number, body in enumerate(bodies, first))


def records(lines: Sequence[bytes]) -> tuple[Record, ...]:
    """The records in the lines of a game."""
    rows = map(json.loads, lines[1:])
    return tuple(Record(row["number"], row["at"], row["body"], row["tick"]) for row in rows)


def head(lines: Sequence[bytes]) -> Body:
    """The first line of a game; empty where there is none."""
    found = json.loads(lines[0]) if lines else {}
    return found if isinstance(found, dict) else {}


def is_newer(lines: Sequence[bytes]) -> bool:
    """Whether a later version wrote the game in a form of its own."""
    return bool(lines) and head(lines).get("schema") != SCHEMA


def listed(lines: Sequence[bytes]) -> GameInfo:
    """What is listed of a game with these lines."""
    first, seal = head(lines), "" if is_newer(lines) else chain(lines[-1]).decode()
    return GameInfo(str(first["game"]), str(first.get("created", "")), len(lines) - 1, seal)


def label() -> str:
    """Now, by the clock on the wall."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def version_of(lines: Sequence[bytes]) -> str:
    """The version of the companion that wrote last; "" where none is named."""
    named = filter(None, map(written_by, reversed(lines[1:])))
    return next(named, "") or str(head(lines).get("version", ""))


def is_id(game: str) -> bool:
    """Whether a game may have this id: it is the name of its file."""
    return _ID.fullmatch(game) is not None


def ids(disk: Disk, folders: Iterable[Path]) -> set[str]:
    """The ids of games of which there is a file."""
    names = {name.removesuffix(SUFFIX) for folder in folders for name in disk.names(folder) if SUFFIX in name}
    return set(filter(is_id, names))


def sweep(disk: Disk, folders: Iterable[Path]) -> None:
    """Remove what had not got its name when the power went."""
    for path in (folder / name for folder in folders for name in disk.names(folder)):
        if path.name.endswith(FRESH):
            disk.remove(path)


_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


def ticking() -> str:
    """The label of now by a clock that never jumps: "3f2a91c4+1823" is so many seconds after the start of the
    machine that is called 3f2a91c4. "" on a machine that does not know how long it has been up.

    A box without a clock of its own has wrong wall-clock labels until the network corrects them. These give
    the time between records of one start all the same.
    """
    if sys.platform == "linux" and (boot := _boot()):
        return f"{boot}+{int(time.clock_gettime(time.CLOCK_BOOTTIME))}"
    return ""


@cache
def _boot() -> str:
    """The first letters of the kernel's name for this start."""
    try:
        return _BOOT_ID.read_text(encoding="ascii")[:8]
    except (OSError, UnicodeDecodeError):
        return ""
