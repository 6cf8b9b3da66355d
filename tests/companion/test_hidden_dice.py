"""Hidden lost dice: before the reveal nothing shows who has lost some."""

import pytest
from msgspec.structs import replace

from companion.rules.bidding import legal_bids
from companion.rules.bids import Bid
from companion.rules.calls import BidCall, Dudo
from companion.rules.events import Called
from companion.rules.game import apply, refuse
from companion.rules.legality import check
from companion.rules.position import Game
from companion.rules.presets import PRESETS
from tests.new_games import new_game

NAMES = ("Ana", "Ben", "Eva")


def late(preset: str, *dice: int) -> Game:
    """A round of players with so many dice, who began with five."""
    game = new_game(PRESETS[preset].with_house({"dice_left": "hidden"}), NAMES, NAMES[0])
    players = tuple(replace(p, dice=n, out=not n) for p, n in zip(game.players, dice, strict=True))
    return replace(game, players=players, round=replace(game.round, dice=sum(dice)))


@pytest.mark.parametrize("preset", ["perudo", "snyd", "chui_niu", "bluff"])
@pytest.mark.parametrize("bids", [(), (Bid(3, 4),)])
def test_bids_and_what_is_shown_do_not_tell_who_has_lost(preset, bids):
    games = [late(preset, 2, 3, 5), late(preset, 5, 4, 2)]
    for bid in bids:
        games = [apply(game, Called(BidCall("Ana", bid))) for game in games]
    one, other = games
    assert one.shown == other.shown
    assert legal_bids(one) == legal_bids(other)
    for quantity in range(1, 40):
        call = BidCall(one.round.turn, Bid(quantity, 5))
        assert check(call, one) == check(call, other)


def test_the_sentence_of_a_refusal_names_what_is_known():
    with pytest.raises(Exception, match="15 dice"):
        refuse(BidCall("Ana", Bid(16, 5)), late("perudo", 2, 3, 5))


def test_a_call_shows_how_many_there_are():
    game = apply(late("perudo", 2, 3, 5), Called(BidCall("Ana", Bid(3, 4))))
    assert game.shown.round.dice == 15
    assert apply(game, Called(Dudo("Ben"))).shown.round.dice == 10
