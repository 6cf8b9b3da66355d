"""Hands that count more than their dice, read by the camera: the verdict is that of the hands as they lie."""

from functools import reduce
from random import Random

import pytest

from companion.reveal.corrections import AllApart, ByHand
from companion.rules.bidding import legal_bids
from companion.rules.bids import Bid
from companion.rules.calls import BidCall, Dudo
from companion.rules.counting import Bonuses, Reveal
from companion.rules.events import Called, Revealed, Started
from companion.rules.game import apply
from companion.rules.judge import judge
from companion.rules.legality import check
from companion.rules.presets import CLASSIC
from companion.rules.ruleset import Ruleset
from companion.table.casting import Cast
from companion.table.state import TableState, assessment, step, verdict_event
from companion.table.table_events import Corrected, Observed
from tests.companion.reveal_table import observation, scattered, seen
from tests.new_games import new_game

NAMES = ("Ana", "Beto", "Carla")
Hands = dict[str, tuple[int, ...]]


def opened(rules: Ruleset, bid: Bid) -> TableState:
    """A doubted bid of Ana's, every cup still to be lifted."""
    started = Started(rules, tuple((name, "") for name in NAMES), "Ana")
    return reduce(step, (started, Called(BidCall("Ana", bid)), Called(Dudo("Beto"))), TableState())


def observed(state: TableState, name: str, hand: tuple[int, ...], random: Random) -> TableState:
    """One look at a hand that lies as it fell."""
    places = scattered(random, len(hand))
    dice = [seen(face, z.real, z.imag) for face, z in zip(hand, places, strict=True)]
    return step(state, Observed(observation(dice), name))


def thrown(random: Random, dice: int) -> Hands:
    """Hands of which many are stairs or alike."""
    stair = tuple(range(1, dice + 1))
    kinds = [stair, (random.randint(1, 6),) * dice, tuple(random.choices(range(1, 7), k=dice))]
    return {name: random.choice(kinds) for name in NAMES}


@pytest.mark.parametrize("seed", range(60))
def test_the_camera_counts_hands_as_they_lie(seed):
    random = Random(seed)
    dice = random.choice((1, 3, 5))
    house = {"starting_dice": dice, "stairs": seed % 3 > 0, "hand_bonus": 1 + seed % 2}
    rules = Ruleset(max_quantity="unlimited").with_house(house)
    state = opened(rules, Bid(random.randint(1, 3 * dice + 1), random.randint(2, 6)))
    hands = thrown(random, dice)
    assert state.game is not None
    verdict = judge(state.game, Reveal(tuple(hands.items())))
    for name in NAMES:
        state = observed(state, name, hands[name], random)
        found = assessment(state)
        assert found.lo <= verdict.count_lo <= found.hi, "what is still covered may only widen the interval"
    state = step(state, Corrected(AllApart()))  # what lies alike may be asked about
    found = assessment(state)
    assert (found.lo, found.hi, found.settled) == (verdict.count_lo, verdict.count_lo, True)
    by_camera = step(state, verdict_event(state)).game
    assert (by_camera.verdict.count_lo, by_camera.verdict.players) == (verdict.count_lo, verdict.players)


def test_one_hand_after_the_other_is_asked_for():
    """A heap would not tell which dice are a stair."""
    state = opened(Ruleset(stairs=True), Bid(6, 6))
    assert [place.player for place in state.reveal.places] == ["Beto", "Carla", "Ana"]
    assert assessment(state).next_place == "Beto"
    plain = opened(Ruleset(), Bid(6, 6)).reveal
    assert [place.player for place in plain.places] == [None]


def test_a_heap_leaves_open_what_hands_would_count():
    state = opened(Ruleset(stairs=True), Bid(6, 6))
    assert state.game is not None
    heap = Reveal(heap=(1, 2, 3, 4, 5) * 3)
    with pytest.raises(Exception, match="Between 3 and 18"):
        judge(state.game, heap)


def test_a_count_by_hand_holds_as_entered_and_may_be_more_than_the_dice():
    state = opened(Ruleset(stairs=True, max_quantity="unlimited"), Bid(16, 6))
    state = step(state, Corrected(ByHand(17)))
    event = verdict_event(state)
    assert isinstance(event, Revealed)
    assert event.reveal.count == 17
    after = step(state, event).game
    assert after.verdict.loser == "Beto"


@pytest.mark.parametrize("seed", range(40))
def test_the_bound_of_a_bonus_holds_for_every_hand(seed):
    random = Random(seed)
    rules = Ruleset(stairs=seed % 2 == 0, hand_bonus=random.randint(0, 2))
    dice, face, wild = random.randint(1, 7), random.randint(1, 6), random.choice((0, 1, 6))
    bonuses = Bonuses(rules, face, 0 if face == wild else wild, {"Ana": dice})
    for _ in range(200):
        hand = tuple(random.choices((1, 1, 2, 3, 4, 5, 6, face), k=dice))
        assert 0 <= bonuses.of(hand) <= bonuses.at_most(dice)


def test_phones_roll_five_in_a_row_again_before_anybody_sees_it():
    thrown = iter([(1, 2, 3, 4, 5), (2, 3, 4, 5, 6), (1, 1, 3, 4, 5)])
    rules = CLASSIC.with_house({"straight_rerolls": True})
    game = new_game(rules, ("Ana", "Beto"), "Ana")
    rolled = Cast(lambda number: next(thrown)[:number]).round(game, ("Beto",))
    assert [one.faces for one in rolled] == [(1, 1, 3, 4, 5)]
    usual = Cast(lambda number: (1, 2, 3, 4, 5)).round(new_game(CLASSIC, ("Ana", "Beto"), "Ana"), ("Ana",))
    assert [one.faces for one in usual] == [(1, 2, 3, 4, 5)]


@pytest.mark.parametrize(
    ("house", "dice", "highest"),
    [
        pytest.param({}, 5, 15, id="hands count their dice"),
        pytest.param({"stairs": True}, 5, 18, id="three stairs"),
        pytest.param({"stairs": True}, 1, 6, id="a one is a stair of one die"),
        pytest.param({"stairs": True}, 8, 24, id="no stair of eight dice"),
        pytest.param({"hand_bonus": 2}, 5, 21, id="three times five alike"),
        pytest.param({"hand_bonus": 2}, 4, 12, id="four alike are no five"),
        pytest.param({"stairs": True, "hand_bonus": 2}, 5, 21, id="the better of both"),
        pytest.param({"stairs": True, "max_quantity": "dice_in_play"}, 5, 15, id="held to the dice"),
    ],
)
def test_a_round_may_open_as_high_as_hands_can_count(house, dice, highest):
    """What is listed at the opening, and over a low bid; `check` agrees (rows C5, C6, R9)."""
    rules = Ruleset(max_quantity="unlimited").with_house({"starting_dice": dice, **house})
    game = new_game(rules, NAMES, "Ana")
    assert max(bid.quantity for bid in legal_bids(game)) == highest
    raised = apply(game, Called(BidCall("Ana", Bid(1, 2))))
    assert max(bid.quantity for bid in legal_bids(raised)) == highest
    assert all(check(BidCall("Beto", bid), raised) is None for bid in legal_bids(raised))
