"""The form of a game on disk: a head line, then a line for each record, each sealed over the one before.

A line is a JSON object that ends with its checksum, over its own bytes and the checksum of the line before (a
hash chain, as in Git). So a line that was changed, moved or lost does not fit. BLAKE2b, 64 bits: against a
failing card, not against somebody who wants to cheat and can compute it as well.

The same lines are kept in two files. What was written with one command is synced in one, then in the other
before it is acknowledged, so a power cut may tear the end of one of them, and nothing else.
"""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from functools import cache
from hashlib import blake2b
from itertools import pairwise
from pathlib import Path

from msgspec import Struct

from companion.json_types import Body

SCHEMA = 3
FORMAT = "dudo-journal"
HEAD = f'{{"format":"{FORMAT}"'
"""How the first line of every game begins."""

_MARK, _SEAL_BYTES = b',"chain":"', 28
_START = re.compile(rb'\{"number":(?P<number>\d{1,9}),(?:"batch":\[(?P<first>\d{1,9}),(?P<last>\d{1,9})\],)?')
_STARTS = (b'{"number":', HEAD.encode())
"""The start of a record, and how the lines begin that are read."""


def dump(content: Body) -> str:
    """A JSON object as the journal writes it."""
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))


def sealed(before: bytes, content: Body) -> bytes:
    """The line of `content` behind one with the checksum `before`, b"" for a head."""
    text = dump(content).encode()[:-1]
    return b'%s%s%s"}' % (text, _MARK, _link(before, text))


def chain(line: bytes) -> bytes:
    """The checksum in a line."""
    return line[-18:-2]


def follows(before: bytes, line: bytes) -> bool:
    """Whether the line is as it was written, behind one with the checksum `before`."""
    text, mark = line[:-_SEAL_BYTES], line[-_SEAL_BYTES:-18]
    return mark == _MARK and line.endswith(b'"}') and _link(before, text) == chain(line)


def _link(before: bytes, text: bytes) -> bytes:
    return blake2b(before + b"\0" + text, digest_size=8).hexdigest().encode()


def all_sealed(head: Body, contents: Iterable[Body]) -> list[bytes]:
    """A head and what follows it, as lines."""
    lines = [sealed(b"", head)]
    for content in contents:
        lines.append(sealed(chain(lines[-1]), content))
    return lines


def joined(lines: Sequence[bytes]) -> bytes:
    """The content of a file with these lines."""
    return b"".join(b"%s\n" % line for line in lines)


def good_lines(text: bytes) -> list[bytes]:
    """The lines of one file from the first on that are as they were written."""
    found: list[bytes] = []
    for line in text.split(b"\n"):
        if not follows(chain(found[-1]) if found else b"", line):
            break
        found.append(line)
    return found


class Record(Struct, frozen=True):
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


def made(game: str, created: str, records: Iterable[Record], version: str) -> list[bytes]:
    """The lines of a whole game, written by `version`."""
    head = {"format": FORMAT, "schema": SCHEMA, "game": game, "created": created, "version": version}
    return all_sealed(head, map(_row, records))


def following(lines: Sequence[bytes], bodies: Sequence[Body], version: str | None) -> list[bytes]:
    """The lines of one command behind those of a game. They name the `version` that writes, if another one
    wrote before."""
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
    naming = (json.loads(line).get("version") for line in reversed(lines) if b'"version":' in line)
    return next((str(version) for version in naming if version), "")


class Woven(Struct, frozen=True):
    """What two files of a game have together: its `lines`, none where not even the head is left.

    `missing` records were acknowledged and are in neither. `damaged`: a file is not what was written, or what
    a power cut leaves of it.
    """

    lines: tuple[bytes, ...]
    missing: int = 0
    damaged: bool = False


def woven(texts: tuple[bytes, bytes], listed: int | None = None) -> Woven:
    """Each line from whichever file has it as it was written.

    `listed` records are known to have been in both; None for a game that is in no list: one file of it may
    have been copied there, or the power went before there were two.
    """
    files = [text.split(b"\n") for text in dict.fromkeys(texts)]
    lines = _walked(files)
    number, first, last = _last_place(lines)
    if number < last:
        del lines[first:]  # the power went while this command was written
    good = max(0, len(lines) - 1)
    # A power cut tears one file: where neither ends with the last line, more was acknowledged.
    torn = bool(lines) and not any(text.rstrip(b"\n").endswith(lines[-1]) for text in texts)
    missing = max(0, *(number - good for number in (listed or 0, good + torn, *_written(files, good))))
    # The last command may be in one of them alone, but not once it was listed.
    surely = joined(lines[: max((listed or 0) + 1, _last_place(lines)[1], 1)])
    differs = any(not text.startswith(surely) for text in texts)
    return Woven(tuple(lines), missing, bool(missing) or (differs and listed is not None))


def _walked(files: Sequence[Sequence[bytes]]) -> list[bytes]:
    """The longest run of lines of which each fits the one before."""
    by_number: dict[int, list[bytes]] = {}
    for file in files:
        for line in file:
            if line.startswith(_STARTS):
                by_number.setdefault(_place(line)[0], []).append(line)
    lines: list[bytes] = []
    while True:
        before = chain(lines[-1]) if lines else b""
        fitting = (line for line in by_number.get(len(lines), ()) if follows(before, line))
        if (found := next(fitting, None)) is None:
            return lines
        lines.append(found)


def _place(line: bytes) -> tuple[int, int, int]:
    """The number of a record, and of the first and the last that were written together with it; 0 for a head
    and what is none."""
    start = _START.match(line)
    if start is None:
        return 0, 0, 0
    number = int(start["number"])
    return number, int(start["first"] or number), int(start["last"] or number)


def _last_place(lines: Sequence[bytes]) -> tuple[int, int, int]:
    return _place(lines[-1] if lines else b"")


def _written(files: Iterable[Sequence[bytes]], good: int) -> Iterator[int]:
    """Numbers of records behind the `good` ones and the command that follows these: as another one had begun,
    it was acknowledged. A line is as it was written if it fits the one above, whatever became of that."""
    for file in files:
        for above, line in pairwise(file):
            number, first, _ = _place(line)
            if first > good + 1 and follows(chain(above), line):
                yield number


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
