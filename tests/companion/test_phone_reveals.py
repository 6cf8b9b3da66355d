"""Games whose dice all fall in phones: no reveal and no roll for seats waits for anybody."""

from __future__ import annotations

from contextlib import closing, suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import CompanionError
from companion.rules.calls import DudoPass, Pass
from companion.rules.events import Called
from companion.rules.game import Phase
from companion.rules.presets import PRESETS
from companion.rules.ruleset import Ruleset
from companion.storage.journal import Journal
from companion.table import commands as cmd
from companion.table.state import REVEALING
from companion.table.table import Table
from tests.companion.playing import chosen, rulesets, seats
from tests.companion.test_table import bid
from tests.effort import draws

STEPS = 25


@pytest.mark.thorough
@given(rules=rulesets(), seed=st.integers(0, 2**32), roll_off=st.booleans(), data=st.data())
@settings(max_examples=draws(60, 1000), deadline=None)
def test_whatever_is_called_by_whatever_rules_is_judged_with_the_call(
    rules: Ruleset, seed: int, roll_off: bool, data: st.DataObject
) -> None:
    names, random = data.draw(seats(rules)), Random(seed)
    players = tuple((name, "") for name in names)
    starter = None if roll_off else names[0]
    with TemporaryDirectory() as folder, closing(Journal(Path(folder) / "games")) as journal:
        table = Table(journal, roll=lambda n: tuple(random.choices(range(1, 7), k=n)))
        game = table.do(cmd.NewGame(rules, players, starter, names, roll_off=roll_off)).state.game
        for _ in range(STEPS):
            assert game
            assert game.phase not in REVEALING
            if game.phase is Phase.OVER:
                break
            event = chosen(game, random)
            with suppress(CompanionError):  # the way of a palifico is to be chosen first
                table.do(cmd.Say(event.call) if isinstance(event, Called) else cmd.NextRound())
            game = table.snapshot().state.game


def test_a_doubted_pass_of_dice_in_a_phone_waits_for_no_cup_of_others(tmp_path: Path) -> None:
    people = (("Ana", ""), ("Beto", ""), ("Cleo", ""))
    with closing(Journal(tmp_path / "games")) as journal:
        table = Table(journal)
        table.do(cmd.NewGame(PRESETS["modern"], people, "Ana", ("Beto",)))
        table.do(bid("Ana", "3x4"))
        table.do(cmd.Say(Pass("Beto")))
        game = table.do(cmd.Say(DudoPass("Cleo"))).state.game
        assert game
        assert game.phase is Phase.VERDICT
