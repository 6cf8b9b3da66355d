"""Bots: legal under every mix of rules, blind to hidden dice, and true to what the dice can tell. Two players
with few dice: the strong level mixes its calls, by the rules of any preset."""

from collections import Counter
from itertools import product
from math import comb
from random import Random

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.bots.beliefs import believed, justified
from companion.bots.coach import advise
from companion.bots.deciding import decide, mixed, payoff
from companion.bots.endgame import equilibrium, played_alike
from companion.bots.odds import Odds
from companion.bots.seat import Level, SeatView
from companion.rules.bidding import legal_bids
from companion.rules.bids import Bid
from companion.rules.calls import BidCall, Calza, ChooseVisibility, Dudo, DudoPass, Pass
from companion.rules.consequences import Dispute
from companion.rules.counting import Reveal
from companion.rules.dice import FACES
from companion.rules.events import Called
from companion.rules.game import apply
from companion.rules.hands import tail_of
from companion.rules.judge import judge
from companion.rules.legality import check, sees
from companion.rules.players import RoundKind, playing
from companion.rules.position import Game, Phase
from companion.rules.presets import PRESETS
from companion.table.cups import seat_view
from companion.table.ledger import EMPTY
from companion.table.state import TableState
from tests.companion.at_table import said
from tests.companion.playing import NAMES, chosen, rulesets, seats
from tests.new_games import new_game

MODERN = PRESETS["modern"]


def seen_from(game: Game, seat: str, random: Random) -> SeatView:
    hands = {p.name: tuple(random.choices(range(1, 7), k=p.dice)) for p in playing(game.players)}
    return SeatView(game, seat, tuple((name, hands[name]) for name in sees(game).get(seat, ())))


ANY_RULES = settings(deadline=None, max_examples=60, suppress_health_check=list(HealthCheck))


@ANY_RULES
@given(
    rulesets().flatmap(lambda rules: st.tuples(st.just(rules), seats(rules))),
    st.integers(0, 2**32),
    st.sampled_from(Level),
)
def test_whatever_the_rules_bots_and_coach_say_what_they_allow(rules_and_names, seed, level):
    rules, names = rules_and_names
    random, game = Random(seed), new_game(rules, names[:5], names[0])
    for _ in range(random.randint(0, 30)):
        after = apply(game, chosen(game, random))
        game = game if after.phase is Phase.OVER else after
    while game.phase is not Phase.BIDDING:
        after = apply(game, chosen(game, random))
        game = new_game(rules, names[:5], names[0]) if after.phase is Phase.OVER else after
    for player in playing(game.players):
        view = seen_from(game, player.name, random)
        call = decide(view, level, random)
        assert call is not None or player.name != game.round.turn
        advised = [one.call for one in advise(view, random).calls]
        for one in (*mixed(view, random), *advised, *([call] if call else [])):
            assert check(one, game) is None


@ANY_RULES
@given(rulesets(), st.sampled_from(RoundKind), st.integers(0, 2**32))
def test_whatever_the_rules_odds_are_what_the_judge_finds(rules, kind, seed):
    """One seat sees its dice; all ways in which the others' one to three can fall are judged."""
    random, start = Random(seed), new_game(rules.with_house({"teams": "off"}), NAMES[:3], NAMES[0])
    dice = random.randint(1, 5), 1, random.randint(1, 2)
    players = tuple(replace(p, dice=n) for p, n in zip(start.players, dice, strict=True))
    now = replace(start.round, kind=kind, dice=sum(dice), visibility="usual")
    game = replace(start, players=players, round=now)
    own = tuple(random.choices(FACES, k=dice[0]))
    for _ in range(random.randint(1, 4)):
        bids = [bid for bid in legal_bids(game) if bid.quantity <= sum(dice) + 1]
        game = apply(game, Called(BidCall(game.round.turn, random.choice(bids)))) if bids else game
    standing = game.round.standing
    assume(standing is not None)
    asked, counts = apply(game, Called(Dudo(game.round.turn))), Counter[int]()
    for rest in product(FACES, repeat=sum(dice[1:])):
        hands = zip(NAMES[:3], (own, rest[:1], rest[1:]), strict=True)
        counts[judge(asked, Reveal(tuple(hands))).count_lo] += 1
    odds, wanted = Odds(SeatView(game, NAMES[0], ((NAMES[0], own),))), standing.bid.quantity
    assert odds.holds(standing.bid) * counts.total() == sum(n for k, n in counts.items() if k >= wanted)
    assert odds.exact(standing.bid) * counts.total() == counts[wanted]


@pytest.mark.parametrize("visibility", ["usual", "open", "closed"])
@pytest.mark.parametrize("level", Level)
def test_dice_that_a_seat_may_not_see_change_nothing(visibility, level):
    """The same cups as `known_cups` shows to a phone: only those reach the bot."""
    game = new_game(MODERN, NAMES[:3], NAMES[0])
    now = replace(game.round, kind=RoundKind.PALIFICO, visibility=visibility)
    game = apply(replace(game, round=now), Called(BidCall(NAMES[0], Bid(3, 4))))
    seat = NAMES[1]
    hidden = {name for name in NAMES[:3] if name not in sees(game)[seat]}
    decided = set()
    for number in range(4):
        random = Random(number)
        rolled = tuple(
            (name, tuple(random.choices(range(1, 7), k=5)) if name in hidden else (2, 3, 4, 4, 6))
            for name in NAMES[:3]
        )
        view = seat_view(TableState(game=game, cups=NAMES[:3], rolled=rolled), EMPTY, seat)
        assert not hidden & set(dict(view.hands))
        decided.add(decide(view, level, Random(7)))
    assert len(decided) == 1
    assert hidden


def test_dice_that_were_pushed_out_are_certain_and_the_others_fair():
    """Two fives lie before Ana; of her other three and Beto's five each is a five, or a six, in 1 of 3."""
    game = new_game(PRESETS["bluff"], NAMES[:2], NAMES[0])
    game = apply(game, Called(BidCall(NAMES[0], Bid(3, 5), (5, 5))))
    view = SeatView(game, NAMES[1], ())
    found = believed(view, Odds(view), Bid(3, 5))
    expected = [comb(8, n - 2) * 2 ** (10 - n) / 3**8 if n >= 2 else 0.0 for n in range(11)]
    assert found == pytest.approx(expected), "the bid came before the others were rolled again"
    assert [Odds(view).chance(Bid(n, 5)) for n in range(11)] == pytest.approx(
        list(tail_of(tuple(expected))[:11])
    )


def test_before_the_starter_has_chosen_a_bot_sees_no_dice_and_chooses():
    game = new_game(MODERN, NAMES[:3], NAMES[0])
    game = replace(game, round=replace(game.round, kind=RoundKind.PALIFICO))
    rolled = tuple((name, (1, 1, 2, 3, 4)) for name in NAMES[:3])
    view = seat_view(TableState(game=game, cups=NAMES[:3], rolled=rolled), EMPTY, NAMES[0])
    assert view.hands == ()
    assert decide(view, Level.STRONG, Random(1)) == ChooseVisibility(NAMES[0], "closed")
    assert seat_view(TableState(), EMPTY, NAMES[0]) is None


def test_a_bid_makes_its_face_a_little_likelier():
    view = standing_at(3, 5, (2, 2, 3, 4, 6))
    heard, fair = believed(view, Odds(view), Bid(3, 5)), Odds(view).chance(Bid(3, 5))
    assert fair + 0.05 < sum(heard[3:]) < fair + 0.3
    assert sum(heard) == pytest.approx(1)


@pytest.mark.parametrize(
    ("house", "call", "count", "dice", "why"),
    [
        ({}, Dudo, 2, 1.0, "the bidder loses one, the only other player"),
        ({}, Dudo, 3, -1.0, "an exact count makes the bid right"),
        ({"penalty": "difference"}, Dudo, 1, 2.0, "two less than was bid"),
        ({"dudo_exact": "all_but_bidder"}, Dudo, 3, -1.0, "all but the bidder"),
        ({"loser": "winner"}, Dudo, 2, 1.0, "who is right puts a die away, which is what one wants"),
        ({}, Calza, 2, -1.0, "not exact"),
        ({"penalty": "calza_two"}, Calza, 2, -2.0, "not exact, which costs two"),
        ({"calza_exact": "bidder_loses"}, Calza, 3, 1.0, "exact costs the bidder a die"),
        ({"calza_exact": "nobody"}, Calza, 3, 0.0, "exact costs nobody anything"),
        ({}, Calza, 3, 0.0, "a whole hand regains nothing"),
        ({"penalty": "gain"}, Dudo, 2, 1.0, "the bidder takes a die"),
        ({"penalty": "gain", "starting_dice": 1}, Dudo, 3, -1.0, "out, for want of a die to take"),
        ({"penalty": "gain", "calza_exact": "regain_two"}, Calza, 3, 0.0, "one die cannot be put away"),
    ],
)
def test_a_verdict_is_worth_what_the_rules_make_of_it(house, call, count, dice, why):
    game = new_game(MODERN.with_house(house), NAMES[:2], NAMES[0])
    bidder, caller = game.players
    dispute = Dispute(game.ruleset, Bid(3, 4), call is Calza, caller, bidder, game.players)
    assert payoff(dispute, caller, count) == dice, why


@pytest.mark.parametrize(("teams", "lost"), [("share_win", 1), ("share_loss", 2)])
def test_the_dice_of_partners_count_as_the_own(teams, lost):
    """Of four in two teams Ana and Carla are partners."""
    game = new_game(MODERN.with_house({"teams": teams, "team_count": 2}), NAMES[:4], NAMES[0])
    bidder, caller, partner, _ = game.players
    dispute = Dispute(game.ruleset, Bid(3, 4), False, caller, bidder, game.players)
    assert payoff(dispute, partner, 2) == -lost, "the bidder's side loses"
    assert payoff(dispute, partner, 3) == lost, "the other side does"


def standing_at(quantity: int, face: int, own: tuple[int, ...]) -> SeatView:
    return SeatView(said(MODERN, NAMES[:2], f"{quantity}x{face}"), NAMES[1], ((NAMES[1], own),))


@pytest.mark.parametrize(("players", "quantity"), [(3, 3), (4, 4), (6, 6)])
def test_medium_opens_among_several_on_a_fifth_of_the_dice(players, quantity):
    view = seen_from(new_game(MODERN, NAMES[:players], NAMES[0]), NAMES[0], Random(3))
    calls = [decide(view, Level.MEDIUM, Random(n)) for n in range(30)]
    bids = [call.bid for call in calls if isinstance(call, BidCall)]
    assert {bid.quantity for bid in bids} == {quantity}
    assert len({bid.face for bid in bids}) == 4, "not its best face alone"


@pytest.mark.parametrize("level", Level)
def test_what_cannot_be_is_doubted(level):
    assert decide(standing_at(9, 4, (2, 2, 3, 5, 6)), level, Random(1)) == Dudo(NAMES[1])


@pytest.mark.parametrize(
    ("bids", "own", "least", "most", "why"),
    [
        ("3x2, 4x1", (1, 2, 4, 5, 5), 0.0, 0.05, "right in half of all cases, where two others pay nothing"),
        ("1x6, 3x1, 8x2", (1, 2, 4, 5, 6), 0.0, 0.1, "right in three of five"),
        ("3x2, 13x4", (4, 4, 2, 3, 6), 0.9, 1.0, "as good as sure"),
        ("2x4, 3x4", (4, 4, 1, 4, 2), 0.0, 0.0, "it certainly holds"),
    ],
)
def test_a_doubt_among_several_has_to_be_surer(bids, own, least, most, why):
    game = said(MODERN, NAMES[:4], bids)
    turn = game.round.turn
    assert least <= mixed(SeatView(game, turn, ((turn, own),)), Random(1)).get(Dudo(turn), 0.0) <= most, why


def test_a_hand_that_justifies_it_is_passed_with_and_its_pass_may_be_doubted():
    view = standing_at(2, 4, (2, 2, 3, 3, 3))
    assert decide(view, Level.STRONG, Random(1)) == Pass(NAMES[1])
    game = apply(view.game, Called(Pass(NAMES[1])))
    after = SeatView(game, NAMES[0], ((NAMES[0], (4, 4, 2, 6, 5)),))
    assert 0 < justified(after, NAMES[1]) < 1
    assert type(decide(after, Level.STRONG, Random(1))) in (BidCall, DudoPass)


def test_who_is_out_or_not_on_turn_says_nothing():
    view = standing_at(3, 4, (4, 4, 1, 4, 2))
    assert decide(SeatView(view.game, NAMES[0], view.hands), Level.STRONG, Random(1)) is None
    assert decide(SeatView(view.game, "Nobody", view.hands), Level.STRONG, Random(1)) is None


PAIR = ("Ana", "Bea")


def ending(
    preset: str, *bids: Bid, kind: RoundKind = RoundKind.NORMAL, dice: tuple[int, int] = (1, 1)
) -> Game:
    """A round with these bids in turns, the first by Ana; one die each unless said otherwise."""
    game = new_game(PRESETS[preset], PAIR, PAIR[0])
    said = tuple(BidCall(PAIR[n % 2], bid) for n, bid in enumerate(bids))
    now = replace(game.round, kind=kind, dice=sum(dice), bids=said, turn=PAIR[len(said) % 2])
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
        ({"game": new_game(PRESETS["modern"], PAIR, PAIR[0])}, "five dice each"),
        ({"game": new_game(PRESETS["modern"], (*PAIR, "Cai"), PAIR[0])}, "three players"),
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
