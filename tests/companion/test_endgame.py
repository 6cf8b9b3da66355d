"""One die each: calls mixed so that nobody gains by knowing them, under any rules of the presets."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from companion.bots.deciding import decide
from companion.bots.endgame import equilibrium, equilibrium_call
from companion.bots.seat import Level, SeatView
from companion.rules.bids import Bid
from companion.rules.calls import BidCall, Dudo
from companion.rules.game import Game, new_game
from companion.rules.legality import check
from companion.rules.players import RoundKind
from companion.rules.presets import PRESETS
from tests.exploitability import exploitability

NAMES = ("Ana", "Bea")


def ending(preset: str, *bids: Bid, kind: RoundKind = RoundKind.NORMAL) -> Game:
    """A round of one die each with these bids in turns, the first by Ana."""
    game = new_game(PRESETS[preset], NAMES, NAMES[0])
    said = tuple(BidCall(NAMES[n % 2], bid) for n, bid in enumerate(bids))
    now = replace(game.round, kind=kind, dice=2, bids=said, turn=NAMES[len(said) % 2])
    return replace(game, players=tuple(replace(p, dice=1) for p in game.players), round=now)


def seen(game: Game, face: int) -> SeatView:
    return SeatView(game, game.round.turn, ((game.round.turn, (face,)),))


def test_a_best_response_gains_little_against_the_mix() -> None:
    """An equilibrium is 0, and this game is worth 1/36 to who moves second. The odds alone gave away 0.77."""
    first, second = exploitability(Level.STRONG, 1)
    assert (first + second) / 2 < 0.1


@pytest.mark.parametrize(
    ("preset", "kind"),
    [*((name, RoundKind.NORMAL) for name in sorted(PRESETS)), ("modern", RoundKind.PALIFICO)],
)
def test_every_call_of_the_mix_is_allowed(preset: str, kind: RoundKind) -> None:
    game = ending(preset, kind=kind)
    for _ in range(4):
        for face in (1, 4):
            view = seen(game, face)
            assert all(check(call, game) is None for call in equilibrium(view))
        call = equilibrium_call(view, Random(1))
        if not isinstance(call, BidCall):
            break
        bids = [said.bid for said in game.round.bids if isinstance(said, BidCall)]
        game = ending(preset, *bids, call.bid, kind=kind)


def test_what_cannot_be_true_is_doubted_and_what_is_certain_is_not() -> None:
    assert equilibrium(seen(ending("lives", Bid(2, 4)), 3)).keys() == {Dudo("Bea")}
    assert Dudo("Bea") not in equilibrium(seen(ending("lives", Bid(1, 4)), 4))


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"hands": ()}, "it does not see its die"),
        ({"hands": (("Bea", (3,)),)}, "it sees the other's"),
        ({"game": new_game(PRESETS["modern"], NAMES, NAMES[0])}, "five dice each"),
        ({"game": new_game(PRESETS["modern"], (*NAMES, "Cai"), NAMES[0])}, "three players"),
        ({"game": ending("modern", Bid(9, 4), Bid(9, 5))}, "bids that no dice can bear"),
    ],
)
def test_any_other_round_is_played_by_the_odds(change: dict[str, object], why: str) -> None:
    assert equilibrium(replace(seen(ending("modern"), 3), **change)) == {}, why


def test_the_strong_level_plays_the_mix() -> None:
    view = seen(ending("modern"), 3)
    assert decide(view, Level.STRONG, Random(5)) == equilibrium_call(view, Random(5))
