"""The compiled rounds of training see what the bots see at a table."""

from random import Random

import pytest

pytest.importorskip("numba")

import numpy as np
from msgspec.structs import replace

from companion.bots.odds import Odds
from companion.bots.policy import FACING, OPENING
from companion.bots.seat import SeatView
from companion.bots.situation import FINE_DICE, group_of, situation
from companion.rules.bidding import legal_bids
from companion.rules.calls import BidCall
from companion.rules.dice import FACES
from companion.rules.events import Called
from companion.rules.game import apply
from companion.rules.players import RoundKind
from companion.rules.position import Game
from companion.rules.presets import MODERN
from companion.rules.ruleset import Ruleset
from lab.bots import views
from tests.new_games import new_game

PLAIN = Ruleset(aces_convert=False, calza="off", palifico="off")
DRAWS = 60
"""Faces alike are taken by chance; so many draws meet all of them."""


def drawn(rules: Ruleset, kind: RoundKind, rng: Random) -> tuple[Game, dict[str, tuple[int, ...]]]:
    names = tuple("ABCDEF"[: rng.randint(2, 4)])
    game = new_game(rules, names, "A")
    players = tuple(replace(player, dice=rng.randint(1, 5)) for player in game.players)
    if kind is RoundKind.PALIFICO:
        players = (replace(players[0], dice=1), *players[1:])
    dice = sum(player.dice for player in players)
    now = replace(
        game.round, kind=kind, dice=dice, visibility="usual" if kind is RoundKind.PALIFICO else None
    )
    game = replace(game, players=players, round=now)
    hands = {player.name: tuple(rng.choices(FACES, k=player.dice)) for player in players}
    for _ in range(rng.randint(0, 4)):
        bids = legal_bids(game)[:12]
        if bids:
            game = apply(game, Called(BidCall(game.round.turn, rng.choice(bids))))
    return game, hands


def compiled(game: Game, hands: dict[str, tuple[int, ...]], code: int) -> tuple[int, tuple[str, ...]]:
    names = [player.name for player in game.players]
    counts = np.array([[0, *(hands[name].count(face) for face in FACES)] for name in names])
    dice, me, said = np.array([p.dice for p in game.players]), names.index(game.round.turn), game.round.bids
    table = np.zeros((64, 3), dtype=np.int64)
    for n, call in enumerate(said):
        assert isinstance(call, BidCall)
        table[n] = call.bid.quantity, call.bid.face, names.index(call.by)
    calls = np.zeros(OPENING, np.int64), np.zeros(OPENING, np.int64), np.zeros(OPENING, np.bool_)
    deal = counts, dice, code
    key = (
        views.facing_view(deal, me, table, len(said), calls) if said else views.opening_view(deal, me, calls)
    )
    noted = list(zip(*calls, strict=True))[: FACING if said else OPENING]
    return key, tuple(f"{quantity}x{face}" if may and quantity else "-" for quantity, face, may in noted)


def played(game: Game, hands: dict[str, tuple[int, ...]], rng: Random) -> tuple[int, tuple[str, ...]]:
    view = SeatView(game, game.round.turn, ((game.round.turn, hands[game.round.turn]),))
    now = situation(view, Odds(view), rng)
    return now.key, tuple(str(bid) if bid else "-" for bid in now.actions)


@pytest.mark.parametrize(
    ("rules", "kind", "code"),
    [
        (PLAIN, RoundKind.NORMAL, views.ORDER),
        (MODERN, RoundKind.NORMAL, views.CONVERTING),
        (MODERN, RoundKind.PALIFICO, views.PALIFICO),
        (PLAIN.with_house({"wild_rank": "highest"}), RoundKind.NORMAL, views.HIGHEST),
    ],
)
def test_both_see_the_same(rules, kind, code):
    views.seed(1)
    for number in range(40):
        rng = Random(number)
        game, hands = drawn(rules, kind, rng)
        few = len(game.players) == 2 and game.round.dice <= FINE_DICE
        if code == views.HIGHEST and not few:
            continue
        theirs = {compiled(game, hands, code) for _ in range(DRAWS)}
        ours = {played(game, hands, rng) for _ in range(DRAWS)}
        assert ours & theirs, (game.round, hands)
        assert {key for key, _ in ours} == {key for key, _ in theirs}, (game.round, hands)


def test_groups_are_the_same():
    for seats in range(2, 7):
        for own in range(1, 6):
            for hidden in range(seats - 1, 5 * seats):
                assert group_of(seats, own, hidden) == views.group_of(seats, own, hidden)
