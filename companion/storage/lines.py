"""Games as JSON lines, out of the journal and into it: a head line, then one line a record."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from companion.errors import BadCommand
from companion.json_types import Body, body, whole
from companion.storage.chain import Row, chained
from companion.storage.schema import SCHEMA

FORMAT = "dudo-journal"
HEAD = f'{{"format":"{FORMAT}"'
"""How the first line of every exported game begins."""


@dataclass(frozen=True, slots=True)
class Exported:
    """A game that came as lines; `rows` have the checksums that it came with, "" where it had none."""

    game: str
    created: str
    rows: tuple[Row, ...]


def lines(game: str, created: str, rows: Iterable[Row]) -> Iterator[str]:
    """The game as JSON lines. A body that is no JSON goes out as the text it is, under "raw"."""
    yield dump({"format": FORMAT, "schema": SCHEMA, "game": game, "created": created})
    for row in rows:
        kept = {"number": row.number, "at": row.at, "tick": row.tick, "chain": row.chain}
        yield _printable(dump({**kept, **_body(row.body)}))


def _printable(line: str) -> str:
    """The line as text that every file can hold: damaged letters are written as escapes."""
    return line.encode("utf-8", "backslashreplace").decode("utf-8")


def _body(text: str) -> Body:
    try:
        return {"body": json.loads(text)}
    except (ValueError, RecursionError):
        return {"raw": text}


def parse(lines: Iterable[str]) -> Exported:
    """The game in an export; raises BadCommand with the line that is wrong or was changed."""
    head: tuple[str, str] | None = None
    rows: list[Row] = []
    for number, line in enumerate(lines):
        try:
            if number == 0:
                head = _head(json.loads(line))
            else:
                rows.append(_row(number, json.loads(line)))
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise BadCommand("export_unreadable", line=number + 1) from error
    if head is None:
        raise BadCommand("export_unreadable", line=1)
    found = Exported(*head, tuple(rows))
    _check(found)
    return found


def _check(found: Exported) -> None:
    """Exports since schema 2 carry checksums; a line that was changed does not fit its own."""
    if not any(row.chain for row in found.rows):
        return
    for row, right in zip(found.rows, chained(found.game, found.rows), strict=True):
        if row.chain != right.chain:
            raise BadCommand("export_changed", line=row.number + 1)


def _head(row: Body) -> tuple[str, str]:
    """The game's id, and when it was begun."""
    if row["format"] != FORMAT or whole(row["schema"]) > SCHEMA:
        raise ValueError("not an export this version reads")
    return str(row["game"]), str(row["created"])


def _row(number: int, row: Body) -> Row:
    if row["number"] != number:
        raise ValueError("a record is missing")
    tick, chain = str(row.get("tick", "")), str(row.get("chain", ""))
    return Row(number, str(row["at"]), dump(body(row["body"])), tick, chain)


def renamed(found: Exported, game: str) -> tuple[Row, ...]:
    """Its records under another id, with the checksums of that."""
    return chained(game, (replace(row, chain="") for row in found.rows))


def dump(content: Body) -> str:
    """A body as the journal stores it."""
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))
