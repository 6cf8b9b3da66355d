"""Seeds: the box commits to its dice by a hash, and shows the seed only once everybody sees the dice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from itertools import count, islice
from pathlib import Path

import pytest

from companion.storage.journal import Journal
from companion.table import commands as cmd
from companion.table.casting import Commitment, commitment, dice_of
from companion.table.parsing import parse
from companion.table.table import Table


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    opened = Journal(tmp_path / "games")
    yield opened
    opened.close()


def begun(journal: Journal, cups: tuple[str, ...] = ("Ana", "Bea"), **house: object) -> Table:
    table = Table(journal, frames=1)
    players = [{"name": name, "phone_cup": name in cups} for name in ("Ana", "Bea")]
    table.do(parse({"type": "new_game", "players": players, "starter": "Ana", "house": house}))
    return table


def known(table: Table) -> Commitment | None:
    now = table.snapshot()
    return commitment(now.state, now.ledger)


def seed_shown(table: Table) -> str | None:
    found = known(table)
    assert found is not None
    return found.seed


def dudo(table: Table) -> None:
    table.do(parse({"type": "bid", "by": "Ana", "quantity": 2, "face": 3}))
    table.do(parse({"type": "dudo", "by": "Bea"}))


def checked(seed: str, throw: str, player: str, dice: int) -> tuple[int, ...]:
    """The dice as the documentation has anybody work them out."""
    found: list[int] = []
    for block in count():
        found += [
            b % 6 + 1 for b in sha256(f"{seed}/{throw}/{player}/0/{block}".encode()).digest() if b < 252
        ]
        if len(found) >= dice:
            return tuple(found[:dice])
    raise AssertionError


def test_the_hash_comes_before_the_bids_and_the_seed_with_the_dice(journal: Journal) -> None:
    table = begun(journal)
    before = known(table)
    assert before is not None
    assert before.seed is None
    dudo(table)
    after = known(table)
    assert after is not None
    assert after.seed is not None
    assert sha256(after.seed.encode()).hexdigest() == before.hash
    for player, faces in table.snapshot().state.rolled:
        assert checked(after.seed, "round 1 normal 0", player, 5) == faces
    assert commitment(Table(journal).snapshot().state, Table(journal).snapshot().ledger) == after


def test_each_round_and_each_new_throw_of_it_has_a_seed_of_its_own(journal: Journal) -> None:
    table = begun(journal)
    hashes = {known(table)}
    dudo(table)
    table.do(cmd.Undo())
    hashes.add(known(table))
    table.do(parse({"type": "dudo", "by": "Bea"}))
    table.do(cmd.NextRound())
    hashes.add(known(table))
    assert len(hashes) == 3
    assert {found.seed for found in hashes if found} == {None}


def test_who_doubts_a_pass_does_not_learn_the_seed_of_the_other_dice(journal: Journal) -> None:
    table = begun(journal, passing=True)
    table.do(parse({"type": "bid", "by": "Ana", "quantity": 2, "face": 3}))
    table.do(parse({"type": "pass", "by": "Bea"}))
    table.do(parse({"type": "dudo_pass", "by": "Ana"}))
    assert seed_shown(table) is None


def test_where_the_box_rolls_for_nobody_there_is_none(journal: Journal) -> None:
    assert known(begun(journal, cups=())) is None
    assert known(Table(journal)) is None


def test_dice_of_a_seed_are_fair() -> None:
    """60 000 dice: chi-square with five degrees of freedom is below 20.5 in 999 cases of 1000."""
    thrown = Counter(islice(dice_of("seed", "round 1 normal 0", "Ana", 0), 60_000))
    assert sum((thrown[face] - 10_000) ** 2 / 10_000 for face in range(1, 7)) < 20.5
