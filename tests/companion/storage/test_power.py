"""The power goes at every step, the disk fills up, a sync fails: what was acknowledged is there."""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import pytest

from companion.errors import StorageError
from companion.storage.exports import Exported
from companion.storage.form import Record
from companion.storage.journal import Journal
from tests.companion.storage.lossy_disk import LossyDisk, PowerCut

FOLDER = Path("/nowhere/games")
SEEDS = range(3)


@dataclass
class Model:
    """What was acknowledged: the bodies of each game, and which is on the table."""

    games: dict[str, list[int]] = field(default_factory=dict)
    current: str | None = None

    def copy(self) -> Model:
        return Model({game: list(bodies) for game, bodies in self.games.items()}, self.current)


def kept(journal: Journal) -> Model:
    games = {info.id: [record.body["n"] for record in journal.records(info.id)] for info in journal.games()}
    return Model(games, journal.current())  # type: ignore[arg-type]


Step = Callable[[Journal, Model], None]


def create(*bodies: int) -> Step:
    def run(journal: Journal, model: Model) -> None:
        game = journal.create(*({"n": n} for n in bodies))
        model.games[game], model.current = list(bodies), game

    return run


def append(*bodies: int) -> Step:
    def run(journal: Journal, model: Model) -> None:
        game = model.current or ""
        journal.append(game, len(model.games[game]) + 1, *({"n": n, "text": "x" * n} for n in bodies))
        model.games[game] += bodies

    return run


def put_away(journal: Journal, model: Model) -> None:
    journal.put_notes({"current": None})
    model.current = None


def settle(journal: Journal, model: Model) -> None:
    journal.settle()


def delete_first(journal: Journal, model: Model) -> None:
    game = next(iter(model.games))
    journal.delete(game)
    del model.games[game]


def start(journal: Journal, model: Model) -> None:
    journal.boots()


SCRIPTS: dict[str, tuple[Step, ...]] = {
    "a game": (start, create(1, 2), append(3), append(4, 5, 6), append(7), put_away),
    "two games": (create(1), append(2), settle, append(3), put_away, create(4), append(5, 6), append(7)),
    "one is forgotten": (create(1), put_away, create(2), append(3), delete_first, append(4), append(5)),
}


def played(journal: Journal, steps: tuple[Step, ...]) -> Iterator[Model]:
    """Let the steps follow; yields what is acknowledged after each."""
    model = Model()
    for step in steps:
        step(journal, model)
        yield model.copy()


def steps_of(script: str) -> int:
    disk = LossyDisk()
    list(played(Journal(FOLDER, disk=disk), SCRIPTS[script]))
    return disk.steps


def until_the_cut(disk: LossyDisk, script: str) -> tuple[Model, int]:
    """What was acknowledged when the power went, and after how many steps of the script."""
    acknowledged = [Model()]
    with suppress(PowerCut):
        for model in played(Journal(FOLDER, disk=disk), SCRIPTS[script]):
            acknowledged.append(model)
    return acknowledged[-1], len(acknowledged) - 1


def allowed(model: Model, script: str, done: int, found: Model) -> list[Model]:
    """The acknowledged state, and the one that the step in flight would have led to."""
    return [model, *_next_of(model, SCRIPTS[script][done : done + 1], found)]


def _next_of(model: Model, steps: tuple[Step, ...], found: Model) -> Iterator[Model]:
    after, disk = model.copy(), LossyDisk()
    journal = _Echo([game for game in found.games if game not in model.games], disk)
    for step in steps:
        step(journal, after)  # type: ignore[arg-type]
        yield after
        yield Model(after.games, model.current)  # a game that is there and not yet on the table


class _Echo:
    """A journal that does as told: the model alone says what follows."""

    def __init__(self, fresh: list[str], disk: LossyDisk) -> None:
        self.fresh = fresh

    def create(self, *bodies: object) -> str:
        return self.fresh[0] if self.fresh else "none"

    def __getattr__(self, name: str) -> Callable[..., None]:
        return lambda *said: None


@pytest.mark.parametrize("block", [1, 4096])
@pytest.mark.parametrize("script", SCRIPTS)
def test_the_power_may_go_at_every_step(script, block):
    """A block that the cut tears has earlier records too; the other file is not being written meanwhile."""
    for steps in range(steps_of(script)):
        for seed in SEEDS:
            disk = LossyDisk(steps_left=steps, block=block)
            model, done = until_the_cut(disk, script)
            after = disk.after_the_cut(Random(seed))
            journal = Journal(FOLDER, disk=after)
            found = kept(journal)
            assert found in allowed(model, script, done, found), (steps, seed)
            assert not any(loss.records for loss in journal.losses()), (steps, seed)
            assert block > 1 or journal.losses() == (), (steps, seed)
            assert not any(journal.check(info.id) for info in journal.games()), (steps, seed)
            assert not [path for path in after.named if path.suffix == ".new"], (steps, seed)
            goes_on(journal, found)


def goes_on(journal: Journal, found: Model) -> None:
    """What came up takes records, and the next start has them."""
    if not found.current:
        return
    journal.append(found.current, len(found.games[found.current]) + 1, {"n": 99})
    journal.close()
    again = kept(Journal(FOLDER, disk=journal._disk))
    assert again.games[found.current] == [*found.games[found.current], 99]


@pytest.mark.parametrize("script", SCRIPTS)
def test_the_power_may_go_while_a_cut_is_put_right(script):
    for steps in range(0, steps_of(script), 3):
        disk = LossyDisk(steps_left=steps)
        model, done = until_the_cut(disk, script)
        for again in range(12):
            after = disk.after_the_cut(Random(steps))
            after.steps_left = again
            with suppress(PowerCut):
                Journal(FOLDER, disk=after)
            journal = Journal(FOLDER, disk=after.after_the_cut(Random(again)))
            found = kept(journal)
            assert found in allowed(model, script, done, found), (steps, again)
            assert journal.losses() == (), (steps, again)


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_disk_that_fills_up_refuses_and_loses_nothing(script):
    for room in range(400, 4000, 37):
        disk, model = LossyDisk(room=room), Model()
        journal = Journal(FOLDER, disk=disk)
        with suppress(StorageError):
            for found in played(journal, SCRIPTS[script]):
                model = found
        assert kept(journal) == model, room
        assert not [path for path in disk.named if path.suffix == ".new"], "room for what still fits"
        disk.room = float("inf")
        refused = kept(Journal(FOLDER, disk=disk, reading=True))
        assert refused == model, "what was refused is in no file"
        goes_on(journal, model)
        again = Journal(FOLDER, disk=disk)
        assert list(kept(again).games) == list(model.games), room
        assert again.losses() == (), room


def test_games_that_come_in_are_there_once_wherever_the_power_goes():
    records = tuple(Record(n, "2026", {"n": n}) for n in (1, 2))
    coming = [Exported(f"game{number}", "2026", records) for number in range(3)]
    disk, steps = LossyDisk(), 0
    while disk.steps >= steps:
        steps += 1
        disk = LossyDisk(steps_left=steps)
        with suppress(PowerCut):
            Journal(FOLDER, disk=disk).keep(*coming)
        journal = Journal(FOLDER, disk=disk.after_the_cut(Random(steps)))
        assert journal.keep(*coming) == journal.keep(*coming) == ["game0", "game1", "game2"]
        assert kept(journal).games == {game: [1, 2] for game in kept(journal).games}
        assert (len(journal.games()), journal.losses()) == (3, ())


def test_a_game_that_grew_after_it_was_listed_is_listed_as_it_is_once_it_was_checked():
    """An earlier game was corrected as the power went: its sums are those of what it is now."""
    disk = LossyDisk()
    journal = Journal(FOLDER, disk=disk)
    game = journal.create({"n": 1})
    journal.create({"n": 1})
    journal.append(game, 2, {"n": 2})
    again = Journal(FOLDER, disk=disk.after_the_cut(Random(1)))
    assert again.check(game) is None
    listed = next(info for info in again.games() if info.id == game)
    assert (listed.records, listed.head) == (2, next(iter(journal.games())).head)


def test_room_that_is_made_is_used_and_asked_for_once():
    disk, asked = LossyDisk(), list[str]()

    def more_room() -> bool:
        asked.append("room")
        disk.room = 10**6  # bytes
        return True

    journal = Journal(FOLDER, disk=disk, more_room=more_room)
    game = journal.create({"n": 1})
    disk.room = 900
    journal.append(game, 2, {"n": 2})
    assert (asked, len(journal.records(game))) == (["room"], 2)


@pytest.mark.parametrize("cuts", [True, False], ids=["and is cut", "and cannot be cut"])
def test_a_sync_that_fails_acknowledges_nothing_and_the_next_one_writes_whole(monkeypatch, cuts):
    disk = LossyDisk()
    journal = Journal(FOLDER, disk=disk)
    game = journal.create({"n": 1})
    journal.append(game, 2, {"n": 2})
    disk.sync_fails = True
    if not cuts:
        monkeypatch.setattr(disk, "cut", lambda *said: (_ for _ in ()).throw(OSError(errno.EIO, "no")))
    with pytest.raises(StorageError) as caught:
        journal.append(game, 3, {"n": 3})
    assert caught.value.reason == "journal_unwritable"
    disk.sync_fails = False
    journal.append(game, 3, {"n": 4})
    after = Journal(FOLDER, disk=disk.after_the_cut(Random(1)))
    assert (kept(after).games, after.losses()) == ({game: [1, 2, 4]}, ())


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (OSError(errno.ENOSPC, "full"), "journal_full"),
        (OSError(errno.EDQUOT, "the quota is used up"), "journal_full"),
        (OSError(errno.EIO, "anything else"), "journal_unwritable"),
        (PermissionError(errno.EACCES, "no"), "folder_forbidden"),
        (OSError(errno.EROFS, "read only"), "journal_read_only"),
    ],
)
def test_a_disk_that_refuses_is_named_by_its_cause(monkeypatch, error, reason):
    disk, asked = LossyDisk(), list[str]()
    journal = Journal(FOLDER, disk=disk, more_room=lambda: bool(asked.append("room")))
    game = journal.create({"n": 1})
    monkeypatch.setattr(disk, "append", lambda *said: (_ for _ in ()).throw(error))
    for act in (lambda: journal.append(game, 2, {"n": 2}), lambda: journal.create({"n": 1})):
        with pytest.raises(StorageError) as caught:
            act()
        assert caught.value.reason == reason
    assert bool(asked) == (error.errno == errno.ENOSPC), "the reserve is for a full disk"
    assert kept(journal) == Model({game: [1]}, game)
