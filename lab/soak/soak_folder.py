"""The whole box started on a folder of which any file was damaged, and games played while the clock jumps."""

import logging
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

from companion.app.companion import Companion
from companion.app.reading.reader import Reader
from companion.statistics.archive import Archive
from companion.statistics.evenings import evenings
from companion.storage import form, journal
from companion.storage.journal import Journal
from companion.table import commands as cmd
from companion.table.parsing import parse
from companion.table.table import Table
from lab.soak.scenario import Row, Scenario, turns
from lab.soak.soak_journal import any_damage
from tests.many_games import play
from tests.simulated import simulated


def scenarios() -> tuple[Scenario, ...]:
    """What happens to the folder as a whole, and to the clock."""
    return (
        Scenario("any file of the box's folder damaged, emptied or deleted", _any_file, share=2.0),
        Scenario("evenings whose clock is set right on the way", _clock_jumps),
    )


def _any_file(budget_s: float, rng: Random) -> Row:
    """Every start must come up and take a command; what the journal lost is reported."""
    row, names = Row(0), set[str]()
    with _silent(), tempfile.TemporaryDirectory() as folder:
        whole = Path(folder) / "whole"
        with _box(whole) as box:
            _begin(box)
        for turn in turns(budget_s):
            place = Path(folder) / str(turn)
            shutil.copytree(whole, place)
            file = rng.choice(sorted(path for path in place.rglob("*") if path.is_file()))
            names.add(file.suffix if file.parent != place else file.name)
            how = rng.choice(("damaged", "emptied", "deleted"))
            content = any_damage(file.read_bytes(), rng) if how == "damaged" else b""
            file.unlink() if how == "deleted" else file.write_bytes(content)
            row += _started(place)
            shutil.rmtree(place)
    return row.saying(f"{len(names)} kinds of files; each start came up and took commands.")


def _started(place: Path) -> Row:
    """Start twice and play on; a game that is not there any more must have been reported."""
    try:
        with _box(place) as box:
            now = box.table.snapshot()
            reported = bool({"journal_loss", "game_cut"} & dict(now.faults).keys())
            lost = now.game_id is None and not reported
            if now.game_id is None:
                _begin(box)
            else:
                box.table.do(cmd.Undo())
        with _box(place) as box:
            wrong = box.table.snapshot().game_id is None
    except Exception:
        logging.getLogger(__name__).exception("a start failed")
        return Row(1, wrong=1)
    return Row(1, int(reported), int(lost), int(wrong))


def _begin(box: Companion) -> None:
    people = [{"name": "Ana"}, {"name": "Bea"}]
    box.table.do(parse({"type": "new_game", "players": people, "starter": "Ana"}))
    box.table.do(parse({"type": "bid", "by": "Ana", "quantity": 2, "face": 3}))


@contextmanager
def _box(folder: Path) -> Iterator[Companion]:
    """A box with mock pins and the simulated table."""
    with Companion(simulated(folder), reader=Reader()) as box:
        yield box


def _clock_jumps(budget_s: float, rng: Random) -> Row:
    """Games of one evening under a clock that jumps by hours and years until it is set right: one evening."""
    row, label = Row(0), form.label
    with _silent(), tempfile.TemporaryDirectory() as folder:
        for turn in turns(budget_s):
            try:
                row += _evening(Path(folder) / str(turn), rng)
            finally:
                _set_label(label)
    return row.saying("Every evening stayed one, with all its games and its day.")


def _set_label(label: Callable[[], str]) -> None:
    form.label = journal.label = label


def _evening(place: Path, rng: Random) -> Row:
    off = [timedelta(0)]

    def wrong_clock() -> str:
        return (datetime.now(UTC) + off[0]).isoformat(timespec="seconds")

    _set_label(wrong_clock)
    with closing(Journal(place / "games")) as kept:
        table, jumps = Table(kept, frames=1), rng.randrange(1, 4)
        for left in range(jumps, -1, -1):
            off[0] = timedelta(hours=rng.randrange(-300_000, 300_000)) if left else timedelta(0)
            play(table, rng)
        found = evenings(Archive(kept).overview().games)
        games = len(kept.games())
    day = datetime.now().astimezone().date()
    one = len(found) == 1 and found[0].day in (day, day - timedelta(days=1))
    return Row(jumps, jumps if one else 0, games - sum(len(each.games) for each in found), int(not one))


@contextmanager
def _silent() -> Iterator[None]:
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(logging.NOTSET)
