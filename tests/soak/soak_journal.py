"""A card that fails: flipped bits, damaged pages, cut files, cut power, killed writers, a clock that jumps.

Each turn damages a folder in which games were played, starts on it as the box does, and compares what came
up with what was played. Lost is what is missing without a word; wrong is a game that is not what was played,
and a start that failed.
"""

from __future__ import annotations

import logging
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random

from companion.storage import copies
from companion.storage.database import log_of
from companion.table.journal import Journal
from tests.soak.data_folder import NAME, Folder, Outcome, played, started
from tests.soak.scenario import Row, Scenario, turns

PAGE = 4096
GAMES = 5
KEPT = Path(__file__).resolve().parents[2] / "build" / "soak"
"""Folders as they were damaged when something was lost or wrong."""


def scenarios() -> tuple[Scenario, ...]:
    """Everything a failing card may do to the data folder."""
    return (
        Scenario("a bit flipped in the journal", _damaging(_flip, NAME)),
        Scenario("a page of the journal overwritten", _damaging(_page, NAME)),
        Scenario("the journal cut short", _damaging(_cut, NAME)),
        Scenario("a bit flipped in the journal's log", _damaging(_flip, f"{NAME}-wal", closed=False)),
        Scenario("the journal's log damaged", _damaging(any_damage, f"{NAME}-wal", closed=False)),
        Scenario("any file of the folder damaged, with copies", _damaging(any_damage, "", copy=True)),
        Scenario("a bit flipped in a copy, and the journal damaged", _damaged_copies),
        Scenario("power cut between two writes", _power_cuts),
        Scenario("the writer killed", _kills),
    )


Damage = Callable[[bytes, Random], bytes]


def _flip(data: bytes, rng: Random) -> bytes:
    changed = bytearray(data)
    bit = rng.randrange(8 * max(1, len(changed)))
    if changed:
        changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def _page(data: bytes, rng: Random) -> bytes:
    start = PAGE * rng.randrange(max(1, len(data) // PAGE))
    size = min(PAGE, len(data) - start)
    return data[:start] + rng.choice((bytes(size), rng.randbytes(size))) + data[start + size :]


def _cut(data: bytes, rng: Random) -> bytes:
    return data[: rng.randrange(max(1, len(data)))]


def any_damage(data: bytes, rng: Random) -> bytes:
    """A bit flipped, a page overwritten, or cut short."""
    return rng.choice((_flip, _page, _cut))(data, rng)


def _damaging(damage: Damage, name: str, *, copy: bool = False, closed: bool = True) -> Callable[..., Row]:
    """A scenario that damages one file of a folder a turn: the one called `name`, or any."""

    def run(budget_s: float, rng: Random) -> Row:
        row, missing = Row(0), 0
        with _place() as place:
            folder = played(place / "played", GAMES, rng.randrange(10**6), copy=copy, closed=closed)
            for _ in turns(budget_s):
                path = folder.laid_out(place / "damaged")
                file = path.with_name(name or rng.choice(sorted(folder.files)))
                file.write_bytes(damage(file.read_bytes(), rng))
                found, one = _tried(path, folder)
                row, missing = row + one, missing + found.missing
        return row.saying(f"{missing} records were really gone, each time with a word.")

    return run


def _damaged_copies(budget_s: float, rng: Random) -> Row:
    """A wrong bit in a copy, while the journal, with its log or without, is damaged and needs the copies."""
    row, missing = Row(0), 0
    with _place() as place:
        folders = [
            played(place / name, GAMES, rng.randrange(10**6), copy=True, closed=closed)
            for name, closed in (("switched off", True), ("cut off", False))
        ]
        for _ in turns(budget_s):
            folder = rng.choice(folders)
            path = folder.laid_out(place / "damaged")
            copy = rng.choice(copies.existing(path))
            for file, damage in ((copy, _flip), (path, any_damage)):
                file.write_bytes(damage(file.read_bytes(), rng))
            found, one = _tried(path, folder)
            row, missing = row + one, missing + found.missing
    return row.saying(f"{missing} records were really gone, each time with a word.")


def _tried(path: Path, folder: Folder) -> tuple[Outcome, Row]:
    """A start on a damaged folder, and a second one on what it made of it. Where something is lost or wrong,
    the folder is kept as it was damaged."""
    damaged = shutil.copytree(path.parent, path.parent.with_name("as damaged"), dirs_exist_ok=True)
    found, row = _started_twice(path, folder)
    if row.lost or row.wrong:
        KEPT.mkdir(parents=True, exist_ok=True)
        shutil.move(damaged, tempfile.mkdtemp(prefix=f"{found.missing}-missing-", dir=KEPT))
    else:
        shutil.rmtree(damaged)
    return found, row


def _started_twice(path: Path, folder: Folder) -> tuple[Outcome, Row]:
    try:
        found, again = started(path, folder), started(path, folder)
    except Exception:
        logging.getLogger(__name__).exception("a start failed")
        return Outcome(False, 0, 0, False), Row(1, wrong=1)
    lost = found.missing if not found.reported else again.missing - found.missing
    return found, Row(1, int(found.reported), int(lost > 0), int(bool(found.wrong or again.wrong)))


def _power_cuts(budget_s: float, rng: Random) -> Row:
    """The disk as it was after each write of the journal's log: all that was acknowledged is there."""
    row = Row(0)
    with _place() as place:
        for turn in turns(budget_s):
            row += _power_cut(place / str(turn), rng)
    return row.saying("At most one record that was not acknowledged is missing.")


def _power_cut(place: Path, rng: Random) -> Row:
    """Write some records, then cut the power after any of the bytes that were written since the last sync."""
    path, count = place / NAME, rng.randrange(2, 12)
    with closing(Journal(path)) as journal:
        game = journal.create({"n": 1})
        for number in range(2, count):
            journal.append(game, number, {"n": number})
        synced = log_of(path).stat().st_size
        journal.append(game, count, {"n": count, "text": "x" * rng.randrange(9000)})
        content, log = path.read_bytes(), log_of(path).read_bytes()
    disk = place / "disk" / NAME
    disk.parent.mkdir()
    disk.write_bytes(content)
    log_of(disk).write_bytes(log[: rng.randrange(synced, len(log) + 1)])
    with closing(Journal(disk)) as journal:
        kept = [record.body["n"] for record in journal.records(game)]
    whole = kept in (list(range(1, count)), list(range(1, count + 1)))
    return Row(1, 1, 0 if len(kept) >= count - 1 else 1, 0 if whole else 1)


_WRITER = """
import sys
from pathlib import Path
from companion.table.journal import Journal
journal = Journal(Path(sys.argv[1]))
game, number = journal.create(), 0
while True:
    number += 1
    journal.append(game, number, {"n": number})
    print(game, number, flush=True)
"""


def _kills(budget_s: float, rng: Random) -> Row:
    """A process that writes is killed at any moment: all that it acknowledged is there."""
    row = Row(0)
    with _place() as place:
        for turn in turns(budget_s):
            row += _kill(place / str(turn) / NAME, rng.randrange(1, 60))
    return row.saying("At most one record that was not acknowledged is kept, too.")


def _kill(path: Path, after: int) -> Row:
    with subprocess.Popen(
        [sys.executable, "-c", _WRITER, str(path)], stdout=subprocess.PIPE, text=True
    ) as writer:
        assert writer.stdout is not None
        for _ in range(after):
            writer.stdout.readline()
        writer.kill()
        rest = writer.stdout.read()
    reported = after + sum(len(line.split()) == 2 for line in rest.splitlines())
    with closing(Journal(path)) as journal:
        kept = journal.games()[0].records
        sound = journal.is_listed_whole() and not list(journal.changed_games())
    return Row(1, 1, max(0, reported - kept), 0 if sound and kept <= reported + 1 else 1)


@contextmanager
def _place() -> Iterator[Path]:
    """A folder for one scenario; the log of what is expected to fail is silent meanwhile."""
    logging.disable(logging.CRITICAL)
    try:
        with tempfile.TemporaryDirectory() as folder:
            yield Path(folder)
    finally:
        logging.disable(logging.NOTSET)
