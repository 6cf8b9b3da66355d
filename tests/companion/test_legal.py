"""What the view says is legal is what the table accepts, in every phase of games by any rules."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import get_args

import pytest

from companion.errors import CompanionError
from companion.reveal.corrections import ByHand
from companion.rules.bids import Bid
from companion.rules.calls import (
    BidCall,
    Call,
    Calza,
    ChooseDirection,
    ChooseVisibility,
    DeclarePalifico,
    Dudo,
    DudoPass,
    Pass,
    Visibility,
)
from companion.rules.dice import FACES
from companion.rules.presets import PRESETS
from companion.rules.ruleset import Ruleset
from companion.table import commands as cmd
from companion.table.amending import followed
from companion.table.casting import Cast
from companion.table.cups import hides
from companion.table.kept_game import KeptGame
from companion.table.snapshot import Snapshot
from companion.table.view import view
from companion.table.wire.game import LegalJson
from tests.companion.playing import CHALLENGES, NAMES, mixed
from tests.perft import legal_calls

pytestmark = pytest.mark.slow

STEPS = 50
HOUSES = {
    **PRESETS,
    "a palifico is to be chosen for": Ruleset(starting_dice=2),
    "or declared": Ruleset(starting_dice=2, palifico="optional"),
    "a way round": Ruleset(direction="starter_chooses"),
    "dice pushed out": Ruleset(push_and_reroll=True),
    "tame aces": Ruleset(zhai=True),
    "anybody doubts": Ruleset(dudo_by="anybody"),
    "seats are rolled for": Ruleset(order="starter_only"),
    **{f"any mix {seed}": mixed(Random(seed)) for seed in range(12)},
}


def after(game: KeptGame, command: cmd.Command, dice: Random) -> KeptGame | None:
    """The game after a command, None where the table refuses it."""
    cast = Cast(lambda number: tuple(dice.choices(FACES, k=number)), game.ledger)
    try:
        done = followed(game, command, cast)
    except CompanionError:
        return None
    return None if hides(game.state, done.state) else done


def legal_of(game: KeptGame) -> LegalJson:
    shown = view(Snapshot(1, "", game.state))["game"]
    assert shown
    return shown["round"]["legal"]


def is_true(game: KeptGame, legal: LegalJson, dice: Random) -> None:
    """Whether each entry is what the table would accept."""
    assert game.state.game
    now, players = game.state.game.round, [player.name for player in game.state.game.players]

    def may(*calls: Call) -> bool:
        return any(after(game, cmd.Say(call), dice) for call in calls)

    listed = {Bid(*bid, kind == "zhai") for kind in ("bids", "zhai") for bid in legal[kind]}
    ends = {1, *(end({bid.quantity for bid in listed}, default=1) for end in (min, max))}
    tried = {Bid(*bid) for bid in product(ends, FACES, (False, True))}
    assert {bid for bid in tried if may(BidCall(now.turn, bid))} == listed & tried
    if not game.state.cups and game.state.game.shown is game.state.game:  # else it may tell of hidden dice
        most = (may(*(BidCall(now.turn, bid, (bid.face,) * n) for bid in listed & tried)) for n in FACES)
        assert legal["push"] == sum(most)
    ways = get_args(Visibility)
    assert {key: value for key, value in legal.items() if key not in ("bids", "zhai", "push")} == {
        "dudo": may(Dudo(now.turn)),
        "doubters": [name for name in players if may(Dudo(name))],
        "calza": [name for name in players if may(Calza(name))],
        "pass": may(Pass(now.turn)),
        "dudo_pass": may(DudoPass(now.turn)),
        "visibility": may(*(ChooseVisibility(now.starter, way) for way in ways)),
        "direction": may(ChooseDirection(now.starter, "clockwise")),
        "palifico": may(DeclarePalifico(now.starter)),
    }


def moved(game: KeptGame, dice: Random) -> KeptGame:
    """The game after something that people may do; now and then somebody goes home."""
    now = game.state.game
    assert now
    commands: list[cmd.Command] = [cmd.NextRound(), cmd.Correct(ByHand(dice.randint(0, now.round.dice)))]
    calls = legal_calls(now)
    doubts = [call for call in calls if isinstance(call, CHALLENGES)]
    commands += [cmd.Say(call) for call in (doubts if doubts and dice.random() < 0.4 else calls)]
    if dice.random() < 0.03:
        commands = [cmd.Leave(dice.choice(now.players).name)]
    dice.shuffle(commands)
    return next((done for one in commands if (done := after(game, one, dice))), game)


@pytest.mark.parametrize("cups", [False, True])
@pytest.mark.parametrize("house", HOUSES)
def test_what_the_view_says_is_legal_is_what_the_table_accepts(house, cups):
    rules, dice = HOUSES[house], Random(house)
    names = NAMES[: min(4, rules.most_players)]
    people = tuple((name, "") for name in names)
    rolled = "rolled" in house
    begun = cmd.NewGame(rules, people, None if rolled else names[0], names if cups else (), rolled)
    game = after(KeptGame(), begun, dice)
    assert game
    for _ in range(STEPS):
        is_true(game, legal_of(game), dice)
        game = moved(game, dice)
