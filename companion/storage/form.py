"""The form of a game on disk: a head line, then a line for each record, each sealed over the one before.

A line is a JSON object that ends with its checksum, over its own bytes and the checksum of the line before (a
hash chain, as in Git). So a line that was changed, moved or lost does not fit. BLAKE2b, 64 bits: against a
failing card, not against somebody who wants to cheat and can compute it as well.

The same lines are kept in two files. What was written with one command is synced in both before it is
acknowledged, so a power cut may tear the lines of one command at the end of each, and nothing else.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import pairwise

from companion.json_types import Body

SCHEMA = 3
FORMAT = "dudo-journal"
HEAD = f'{{"format":"{FORMAT}"'
"""How the first line of every game begins."""

_MARK, _SEAL_BYTES = b',"chain":"', 28
_START = re.compile(
    rb'\{"number":(?P<number>\d{1,9}),'
    rb'(?:"batch":\[(?P<first>\d{1,9}),(?P<last>\d{1,9})\],)?(?:"version":"(?P<version>[^"\\]*)",)?'
)
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


def written_by(line: bytes) -> str:
    """The version of the companion that a record names; "" for none."""
    start = _START.match(line) if b'"version"' in line else None
    return (start["version"] or b"").decode(errors="replace") if start else ""


@dataclass(frozen=True, slots=True)
class Woven:
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
    lines = lines[: _unfinished(lines) or None]
    good = max(0, len(lines) - 1)
    missing = max(0, *(number - good for number in (listed or 0, *_written(files, good))))
    # The power may have gone while the last command was written, but not once it was listed.
    surely = joined(lines[: max((listed or 0) + 1, _before_last(lines))])
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


def _unfinished(lines: Sequence[bytes]) -> int:
    """Where a command begins at the end of the lines that is not whole; 0 for none."""
    number, first, last = _place(lines[-1]) if lines else (0, 0, 0)
    return first if last > number else 0


def _before_last(lines: Sequence[bytes]) -> int:
    """How many lines there were before the last command."""
    return max(1, _place(lines[-1])[1]) if lines else 0


def _written(files: Iterable[Sequence[bytes]], good: int) -> Iterator[int]:
    """Numbers of records behind the `good` ones and the command that follows these: as another one had begun,
    it was acknowledged. A line is as it was written if it fits the one above, whatever became of that."""
    for file in files:
        for above, line in pairwise(file):
            number, first, _ = _place(line)
            if first > good + 1 and follows(chain(above), line):
                yield number
