"""A card that fails: flipped bits, damaged pages, cut files, cut power, killed writers, a clock that jumps.

Each turn damages a folder in which games were played, starts on it as the box does, and compares what came
up with what was played. Lost is what is missing without a word; wrong is a game that is not what was played,
and a start that failed.
"""

import logging
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random

from companion.storage.journal import Journal
from companion.table.resuming import GAMES, open_journal
from companion.table.table import Table
from lab.soak.scenario import Row, Scenario, turns
from tests.companion.storage.data_folder import MIRROR, Folder, games_of, played
from tests.companion.storage.lossy_disk import LossyDisk, PowerCut

PAGE = 4096
PLAYED = 5
KEPT = Path(__file__).resolve().parents[2] / "build" / "soak"
"""Folders as they were damaged when something was lost or wrong."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a start made of a damaged folder: `reported`: it reported a loss, `missing` records are gone,
    `wrong` games are not what was played, `resumed` whether the same game is on the table; `cut` are the
    games that miss some."""

    reported: bool
    missing: int
    wrong: int
    resumed: bool
    cut: frozenset[str] = frozenset()

    @property
    def changed(self) -> bool:
        """Whether anything is not as it was."""
        return bool(self.missing or self.wrong or not self.resumed)


def started(path: Path, before: Folder) -> Outcome:
    """Start on a damaged folder as the box does, with the look at every record that follows in its back."""
    with closing(open_journal(path)) as journal:
        for info in journal.games():
            journal.check(info.id)
        after, current, reported = games_of(journal), journal.current(), bool(journal.losses())
        table = Table(journal, frames=1)
        resumed = table.snapshot().game_id == current == before.current
    gone = {game: len(bodies) - len(after.get(game, ())) for game, bodies in before.games.items()}
    cut = frozenset(game for game, missing in gone.items() if missing)
    wrong = sum(bodies != before.games.get(game, ())[: len(bodies)] for game, bodies in after.items())
    return Outcome(reported, sum(gone.values()), wrong, resumed, cut)


def scenarios() -> tuple[Scenario, ...]:
    """Everything a failing card may do to the data folder."""
    return (
        Scenario("a bit flipped in the journal", _damaging(_flip)),
        Scenario("a page of the journal overwritten", _damaging(_page)),
        Scenario("a file of the journal cut short", _damaging(_cut)),
        Scenario("a bit flipped in the game on the table", _damaging(_flip, closed=False)),
        Scenario("a game damaged in both its files", _damaging_twice(closed=True)),
        Scenario("the game on the table damaged in both its files", _damaging_twice(closed=False)),
        Scenario("a whole folder of the journal gone", _folder_gone),
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


def _damaging(damage: Damage, *, closed: bool = True) -> Callable[..., Row]:
    """A scenario that damages one file of a folder a turn: any, or without `closed` one of the game on the
    table when the power went."""

    def run(budget_s: float, rng: Random) -> Row:
        row, missing = Row(0), 0
        with _place() as place:
            folder = played(place / "played", PLAYED, rng.randrange(10**6), closed=closed)
            names = [name for name in sorted(folder.files) if closed or (folder.current or "") in name]
            for _ in turns(budget_s):
                path = folder.laid_out(place / "damaged")
                file = path.parent / rng.choice(names)
                file.write_bytes(damage(file.read_bytes(), rng))
                found, one = _tried(path, folder)
                row, missing = row + one, missing + found.missing
        return row.saying(f"{missing} records were really gone, each time with a word.")

    return run


def _damaging_twice(*, closed: bool) -> Callable[..., Row]:
    """A scenario that damages both files of a game, each in its own way: the first line that is in neither
    ends it. Without `closed` it is the one on the table when the power went. If one of its files is cut right
    behind a command that was written after the list, nothing shows that more was there."""

    def run(budget_s: float, rng: Random) -> Row:
        row, missing = Row(0), 0
        with _place() as place:
            folder = played(place / "played", PLAYED, rng.randrange(10**6), closed=closed)
            games = [game for game in sorted(folder.games) if closed or game == folder.current]
            for _ in turns(budget_s):
                path = folder.laid_out(place / "damaged")
                game = rng.choice(games)
                for name in (GAMES, MIRROR):
                    file = path.with_name(name) / f"{game}.jsonl"
                    file.write_bytes(any_damage(file.read_bytes(), rng))
                found, one = _tried(path, folder)
                row, missing = row + one, missing + found.missing
        return row.saying(f"{missing} records were really gone, each time with a word.")

    return run


def _folder_gone(budget_s: float, rng: Random) -> Row:
    """One of the two folders is deleted: everything is in the other."""
    row = Row(0)
    with _place() as place:
        folder = played(place / "played", PLAYED, rng.randrange(10**6), closed=True)
        for _ in turns(budget_s):
            path = folder.laid_out(place / "damaged")
            shutil.rmtree(path.with_name(rng.choice((GAMES, MIRROR))))
            found, one = _tried(path, folder)
            row += one + Row(0, lost=found.missing)
    return row.saying("Every record was in the other folder.")


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
    """The disk loses its power at any step, with any part of what was not synced."""
    row = Row(0)
    with _place():
        for _ in turns(budget_s):
            row += _power_cut(rng)
    return row.saying("At most one record that was not acknowledged is kept, too.")


def _power_cut(rng: Random) -> Row:
    disk, place = LossyDisk(steps_left=rng.randrange(8, 120)), Path("/nowhere") / GAMES
    acknowledged: list[object] = []
    game = ""
    with suppress(PowerCut):
        journal = Journal(place, disk=disk)
        game = journal.create({"n": 1})
        acknowledged.append(1)
        for number in range(2, 99):
            journal.append(game, number, {"n": number, "text": "x" * rng.randrange(900)})
            acknowledged.append(number)
    after = Journal(place, disk=disk.after_the_cut(rng))
    kept = [record.body["n"] for record in after.records(game)] if game else []
    whole = kept == list(range(1, len(kept) + 1)) and len(kept) <= len(acknowledged) + 1
    return Row(1, 1, max(0, len(acknowledged) - len(kept)), 0 if whole and not after.losses() else 1)


_WRITER = """
import sys
from pathlib import Path
from companion.storage.journal import Journal
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
            row += _kill(place / str(turn) / GAMES, rng.randrange(1, 60))
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
        sound = not journal.losses() and len(journal.records(journal.current() or "")) == kept
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
