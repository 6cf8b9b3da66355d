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

from companion.json_types import Body

SCHEMA = 3
FORMAT = "dudo-journal"
HEAD = f'{{"format":"{FORMAT}"'
"""How the first line of every game begins."""

_MARK, _SEAL_BYTES = b',"chain":"', 28
_START = re.compile(
    rb'\{"number":(?P<number>\d{1,9}),'
    rb'(?:"batch":\[(?P<first>\d{1,9}),(?P<last>\d{1,9})\],)?(?:"version":"(?P<version>[^"\\]*)",)?'
    rb'(?!"batch)"\w+":'
)
"""The start of a record up to what follows its batch: a line that was cut before says nothing of that."""


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


def version_of(lines: Sequence[bytes]) -> str:
    """The version of the companion that wrote last; "" where none is named."""
    for line in reversed(lines[1:]):
        start = _START.match(line)
        if start and start["version"]:
            return start["version"].decode(errors="replace")
    return str(json.loads(lines[0]).get("version", "")) if lines else ""


@dataclass(frozen=True, slots=True)
class Woven:
    """What two files of a game have together: its `lines`, none where not even the head is left.

    `missing` records were acknowledged and are in neither. `damaged`: a file is not what was written, or what
    a power cut leaves of it. `behind`: the files are not these lines, and have to be written again.
    """

    lines: tuple[bytes, ...]
    missing: int = 0
    damaged: bool = False
    behind: bool = False


def woven(texts: tuple[bytes, bytes], listed: int = 0, *, torn: bool = False) -> Woven:
    """Each line from whichever file has it as it was written.

    `listed` records are known to have been there. `torn`: the power may have gone while this was written to.
    """
    files = tuple(text.split(b"\n") for text in (texts if texts[0] != texts[1] else texts[:1]))
    lines = _walked(files)
    begun = _unfinished(lines)
    lines = lines[: begun or None]
    good = max(0, len(lines) - 1)
    whole, floor = joined(lines), _last_batch(lines) if torn else len(lines)
    strays = _strays(files, good, torn=torn, complete=whole in texts)
    missing = max(0, listed - good, *(number - good for number in strays))
    behind = any(text != whole for text in texts)
    differs = any(_same(file, lines) < floor for file in files) or (behind and not torn)
    return Woven(tuple(lines), missing, bool(missing) or differs, behind)


def _walked(files: Sequence[Sequence[bytes]]) -> list[bytes]:
    """The longest run of lines of which each fits the one before."""
    by_number: dict[int, list[bytes]] = {}
    for file in files:
        for number, line in _numbered(file):
            by_number.setdefault(number, []).append(line)
    lines: list[bytes] = []
    while True:
        before = chain(lines[-1]) if lines else b""
        fitting = (line for line in by_number.get(len(lines), ()) if follows(before, line))
        if (found := next(fitting, None)) is None:
            return lines
        lines.append(found)


def _numbered(file: Iterable[bytes]) -> Iterator[tuple[int, bytes]]:
    for line in file:
        if start := _START.match(line):
            yield int(start["number"]), line
        elif line.startswith(HEAD.encode()):
            yield 0, line


def _batch(line: bytes) -> tuple[int, int]:
    """The first and the last record that were written together with this one."""
    start = _START.match(line)
    if start is None:
        return 0, 0
    number = int(start["number"])
    return (int(start["first"]), int(start["last"])) if start["first"] else (number, number)


def _unfinished(lines: Sequence[bytes]) -> int:
    """Where a command begins at the end of the lines that is not whole; 0 for none."""
    first, last = _batch(lines[-1]) if lines else (0, 0)
    return first if last > len(lines) - 1 else 0


def _last_batch(lines: Sequence[bytes]) -> int:
    """How many lines there were before the last command."""
    return max(1, _batch(lines[-1])[0]) if lines else 0


def _strays(files: Sequence[Sequence[bytes]], good: int, *, torn: bool, complete: bool) -> Iterator[int]:
    """Numbers of records behind the good ones; with `torn` only of those that a power cut cannot explain:
    another command had followed by then, so the one before was acknowledged.

    `complete`: one file has all good lines and no more. Then a number in the other counts only in its place,
    or where a neighbour goes on with it: a flipped bit in a number is no lost record.
    """
    for file in files:
        found = list(_numbered(file))
        for place, (number, line) in enumerate(found):
            beside = [found[at][0] + place - at for at in (place - 1, place + 1) if 0 <= at < len(found)]
            stands = not complete or place >= number or number in beside
            if number > good and stands and (not torn or _batch(line)[0] > good + 1):
                yield number


def _same(file: Sequence[bytes], lines: Sequence[bytes]) -> int:
    """How many lines from the first on a file has in their place."""
    return next((n for n, line in enumerate(lines) if n >= len(file) or file[n] != line), len(lines))
