"""Two players with few dice: the strong level mixes its calls, by the rules of any preset."""

from random import Random

import pytest
from msgspec.structs import replace

from companion.bots.deciding import decide
from companion.bots.endgame import equilibrium, played_alike
from companion.bots.seat import Level, SeatView
from companion.rules.bids import Bid
from companion.rules.calls import BidCall, Dudo
from companion.rules.legality import check
from companion.rules.players import RoundKind
from companion.rules.position import Game
from companion.rules.presets import PRESETS
from tests.new_games import new_game

NAMES = ("Ana", "Bea")


def ending(
    preset: str, *bids: Bid, kind: RoundKind = RoundKind.NORMAL, dice: tuple[int, int] = (1, 1)
) -> Game:
    """A round with these bids in turns, the first by Ana; one die each unless said otherwise."""
    game = new_game(PRESETS[preset], NAMES, NAMES[0])
    said = tuple(BidCall(NAMES[n % 2], bid) for n, bid in enumerate(bids))
    now = replace(game.round, kind=kind, dice=sum(dice), bids=said, turn=NAMES[len(said) % 2])
    players = tuple(replace(p, dice=number) for p, number in zip(game.players, dice, strict=True))
    return replace(game, players=players, round=now)


def seen(game: Game, *faces: int) -> SeatView:
    return SeatView(game, game.round.turn, ((game.round.turn, faces),))


SOLVED = sorted(name for name, rules in PRESETS.items() if rules.lives is None and not rules.keeps_tally)


@pytest.mark.parametrize(
    ("preset", "kind", "dice"),
    [
        *((name, RoundKind.NORMAL, dice) for name in SOLVED for dice in ((1, 1), (1, 2), (2, 1), (2, 2))),
        *(("modern", RoundKind.PALIFICO, (1, dice)) for dice in (1, 2)),
    ],
)
def test_every_call_of_the_mix_is_allowed(preset, kind, dice):
    game = ending(preset, kind=kind, dice=dice)
    for number in range(3):
        hand = (4,) * dice[number % 2]
        mixed = equilibrium(seen(game, *hand))
        assert mixed
        assert sum(mixed.values()) == pytest.approx(1)
        assert all(check(call, game) is None for call in mixed)
        call = max(mixed, key=lambda one: mixed[one])
        if not isinstance(call, BidCall):
            break
        bids = [said.bid for said in game.round.bids if isinstance(said, BidCall)]
        game = ending(preset, *bids, call.bid, kind=kind, dice=dice)


def test_who_has_a_bid_in_hand_does_not_doubt_it_with_two_dice():
    assert Dudo("Bea") not in equilibrium(seen(ending("app", Bid(2, 4), dice=(2, 2)), 4, 4))
    assert equilibrium(seen(ending("app", Bid(4, 4), dice=(2, 2)), 3, 5)).keys() == {Dudo("Bea")}


def test_dice_that_lie_in_the_open_are_left_to_the_odds():
    game = ending("bluff", Bid(1, 4), dice=(2, 2))
    pushed = replace(game, round=replace(game.round, bids=(BidCall("Ana", Bid(1, 4), (4,)),)))
    assert equilibrium(seen(game, 4, 3))
    assert equilibrium(seen(pushed, 4, 3)) == {}


def test_what_cannot_be_true_is_doubted_and_what_is_certain_is_not():
    assert equilibrium(seen(ending("app", Bid(2, 4)), 3)).keys() == {Dudo("Bea")}
    assert Dudo("Bea") not in equilibrium(seen(ending("app", Bid(1, 4)), 4))


@pytest.mark.parametrize(
    ("preset", "house", "shared"),
    [
        ("modern", {"direction": "counter_clockwise", "turn_seconds": 30, "order": "starter_only"}, True),
        ("modern", {"wild": "until_aces_open"}, False),
        ("modern", {"penalty": "tally"}, False),
        ("app", {"penalty": "calza_two"}, False),
        ("modern", {"penalty": "calza_two"}, True),  # nobody may call calza with so few dice
    ],
)
def test_rounds_that_are_played_alike_share_a_solution(preset, house, shared):
    game = ending(preset)
    other = replace(game, ruleset=game.ruleset.with_house(house))
    assert (played_alike(other) == played_alike(game)) == shared
    assert bool(equilibrium(seen(other, 3))) == shared


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"hands": ()}, "it does not see its die"),
        ({"hands": (("Bea", (3,)),)}, "it sees the other's"),
        ({"game": new_game(PRESETS["modern"], NAMES, NAMES[0])}, "five dice each"),
        ({"game": new_game(PRESETS["modern"], (*NAMES, "Cai"), NAMES[0])}, "three players"),
        ({"game": ending("modern", dice=(2, 2))}, "it sees one die of two"),
        ({"game": ending("modern", Bid(9, 4), Bid(9, 5))}, "bids that no dice can bear"),
        ({"game": ending("modern", dice=(3, 1))}, "three dice"),
    ],
)
def test_any_other_round_is_played_by_the_odds(change, why):
    assert equilibrium(replace(seen(ending("modern"), 3), **change)) == {}, why


def test_the_strong_level_plays_the_mix():
    view = seen(ending("modern"), 3)
    assert decide(view, Level.STRONG, Random(5)) in equilibrium(view)
