"""Games that come as JSON lines, of every schema so far: a head line, then one line a record."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from hashlib import blake2b

from msgspec import Struct

from companion.errors import BadCommand
from companion.json_types import Body, body, whole
from companion.storage.form import FORMAT, SCHEMA, Record, chain, dump, sealed


class Exported(Struct, frozen=True):
    """A game with the id that it had where it comes from."""

    game: str
    created: str
    records: tuple[Record, ...]


def parse(lines: Iterable[str]) -> Exported:
    """The game in an export; raises BadCommand with the line that is wrong or was changed."""
    rows: list[Body] = []
    records: list[Record] = []
    try:
        for line in lines:
            row = body(json.loads(line))
            if rows:
                records.append(_record(len(rows), row))
            elif row["format"] != FORMAT or whole(row["schema"]) > SCHEMA or "game" not in row:
                raise ValueError("not an export this version reads")
            rows.append(row)
        head = rows[0]
    except (ValueError, LookupError, TypeError, RecursionError) as error:
        raise BadCommand("export_unreadable", line=len(rows) + 1) from error
    _check(rows, records)
    return Exported(str(head["game"]), str(head.get("created", "")), tuple(records))


def checked_lines(text: str) -> list[str]:
    """The lines of an export, each JSON that the journal can store and write out again; raises BadCommand.

    Only line feeds end a line: a player's name may hold what else ends one for `str.splitlines`.
    """
    lines = text.removesuffix("\n").replace("\r\n", "\n").split("\n")
    for number, line in enumerate(lines, 1):
        try:
            json.dumps(json.loads(line), ensure_ascii=False).encode()
        except (ValueError, RecursionError) as error:  # half of a surrogate pair is a ValueError too
            raise BadCommand("export_unreadable", line=number) from error
    return lines


def _record(number: int, row: Body) -> Record:
    if row["number"] != number:
        raise ValueError("a record is missing")
    return Record(number, str(row["at"]), body(row["body"]), str(row.get("tick", "")))


def _check(rows: list[Body], records: list[Record]) -> None:
    """Exports since schema 2 carry checksums; a line that was changed does not fit its own. One without is
    taken as it is: an export of a game that goes on hides dice, and has none."""
    if not any(row.get("chain") for row in rows[1:]):
        return
    old = whole(rows[0]["schema"]) < SCHEMA
    before = old_seed(str(rows[0]["game"])) if old else _anew(b"", rows[0])
    for number, (row, record) in enumerate(zip(rows[1:], records, strict=True), 1):
        text = dump(record.body)
        before = old_link(before, number, record.at, record.tick, text) if old else _anew(before, row)
        if row.get("chain") != before.decode():
            raise BadCommand("export_changed", line=number + 1)


def _anew(before: bytes, row: Body) -> bytes:
    return chain(sealed(before, {key: value for key, value in row.items() if key != "chain"}))


def parting(kept: Sequence[Record], given: Sequence[Record]) -> int | None:
    """Where two games part; None if one goes on as the other: they are the same game then."""
    both = enumerate(zip(kept, given, strict=False))
    return next((n for n, (one, other) in both if (one.at, one.body) != (other.at, other.body)), None)


def own_id(game: str, records: Sequence[Record]) -> str:
    """An id for a game whose own is taken, by the first of its records in which it is another one."""
    first = [[one.at, one.body] for one in records[:1]]
    return blake2b(dump({"game": game, "first": first}).encode(), digest_size=6).hexdigest()


def old_seed(game: str) -> bytes:
    """The checksum before the first record of a game, as schema 2 had it."""
    return _digest(game.encode("utf-8", "surrogateescape"))


def old_link(before: bytes, number: int, at: str, tick: str, text: str) -> bytes:
    """The checksum of a record behind one with the checksum `before`, as schema 2 had it."""
    parts = (str(number), at, tick, text)
    return _digest(b"\0".join((before, *(part.encode("utf-8", "surrogateescape") for part in parts))))


def _digest(text: bytes) -> bytes:
    return blake2b(text, digest_size=8).hexdigest().encode()
