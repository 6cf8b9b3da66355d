"""What kept games tell: rounds as they were played, calls, bids, boldness and luck."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import convert, to_builtins
from msgspec.structs import replace

from companion.bots.odds import Odds
from companion.bots.seat import SeatView
from companion.errors import BadCommand
from companion.rules.bids import Bid
from companion.rules.calls import BidCall
from companion.rules.hands import Counting
from companion.rules.odds import Knowledge
from companion.statistics.evenings import Summary, careers, standings, summary
from companion.statistics.fairness import faces_by_colour, left_out, luck
from companion.statistics.record import How, game_record
from companion.statistics.scores import Score, courses, highlights, made_bids, scores
from companion.storage.journal import Journal
from companion.table import commands as cmd
from companion.table.commands import CLOCK
from companion.table.table import Table
from tests.companion.at_table import begin, in_play, play, rolled, say
from tests.companion.games import PEOPLE, observation, record, start

DICE = {"red": (3, 1, 6, 2, 4), "blue": (3, 5, 5, 6, 2), "green": (1, 4, 6, 2, 5)}
TWO_EACH = {"red": (1, 2), "blue": (3, 4), "green": (6, 6)}


@pytest.fixture
def table(journal):
    return Table(journal, frames=1)


@pytest.fixture
def each(journal):
    """A table that looks at each player's dice by themselves, so that whose they are is known."""
    return Table(journal, each=True, frames=1)


def test_a_round_is_kept_with_its_bids_its_verdict_and_its_dice(table, journal):
    game = start(table, script="Ana 3x3, Bea 5x3, Carlos dudo")
    table.do(observation(DICE))
    (one,) = record(journal, game).rounds
    assert [(said.by, str(said.bid)) for said in one.bids] == [("Ana", "3x3"), ("Bea", "5x3")]
    assert (one.verdict.caller, one.verdict.bidder, one.verdict.loser) == ("Carlos", "Bea", "Bea")
    assert {part.colour: part.faces for part in one.shown} == DICE
    assert one.fair_sample
    assert {part.how for part in one.shown} == {How.CAMERA}


def test_what_was_taken_back_never_happened(table, journal):
    game = start(table, script="Ana 9x3, undo, Ana 5x3, Bea dudo")
    table.do(observation(DICE))
    play(table, "undo, 5, confirm")
    (one,) = record(journal, game).rounds
    assert [str(said.bid) for said in one.bids] == ["5x3"]
    assert one.verdict.holds


def test_a_bid_named_with_the_doubt_is_a_bid_of_its_bidder(table, journal):
    game = start(table)
    say(table, "challenge", by="Bea", call="dudo", bid={"quantity": 5, "face": 3}, bidder="Ana")
    table.do(observation(DICE))
    (one,) = record(journal, game).rounds
    assert one.bids == (BidCall("Ana", Bid(5, 3)),)


@pytest.mark.parametrize(
    ("count", "faces", "unknown", "why"),
    [
        ("", 15, 0, "every die was read"),
        ("4", 0, 0, "a person counted instead, so the camera may have been wrong"),
    ],
)
def test_which_dice_count_as_seen(table, journal, count, faces, unknown, why):
    game = start(table, script="Ana 5x3, Bea dudo")
    if not play(table, count).state.game.verdict:
        table.do(observation(DICE))
    found = record(journal, game)
    assert sum(map(sum, faces_by_colour(found).values())) == faces, why
    assert left_out(found) == unknown, why


def test_dice_nobody_is_sure_of_are_left_out_and_corrected_ones_are_not(table, journal):
    game = start(table, script="Ana 9x3, Bea dudo")
    table.do(observation(DICE, unsure=(2, 9)))  # a six and a two, neither of which can make nine threes
    found = record(journal, game)
    assert left_out(found) == 2
    assert faces_by_colour(found)["red"] == (1, 1, 1, 1, 0, 0)


def test_phone_dice_are_luck_but_say_nothing_of_real_dice(table, journal):
    begin(table, "Ana Bea", cups="Ana")
    own = rolled(table)["Ana"]
    play(table, f"Ana {own.count(1) + own.count(3) + 1}x3, Bea dudo")  # Bea's dice decide it
    table.do(observation({"blue": DICE["blue"]}))
    found = record(journal, table.snapshot().game_id or "")
    ways = {(part.owner, part.how): len(part.faces) for part in found.rounds[0].shown}
    assert ways == {("Ana", How.PHONE): 5, (None, How.CAMERA): 5}
    assert set(faces_by_colour(found)) == {"blue"}
    assert scores(found)["Ana"].dice == 5
    assert scores(found)["Bea"].dice == 0, "nobody knows that these are Bea's"


@pytest.mark.parametrize(
    ("house", "raised", "hands", "more", "why"),
    [
        ({}, "9x3", DICE, 0, "dice count by themselves"),
        ({"zhai": True}, "9x3z", DICE, 0, "the raise is without wild dice"),
        ({"stairs": True, "starting_dice": 2}, "5x3", TWO_EACH, 2, "Ana's stair"),
        ({"hand_bonus": 1}, "9x3", DICE | {"red": (3, 3, 1, 3, 1)}, 1, "Ana's five alike"),
    ],
)
def test_the_chances_of_bids_are_those_of_the_coach(each, journal, house, raised, hands, more, why):
    game = start(each, script=f"Ana 3x3, Bea {raised}", house={"palifico": "off", **house})
    bids = in_play(each)
    play(each, "Carlos dudo")
    for name, colour in (("Ana", "red"), ("Bea", "blue"), ("Carlos", "green")):
        if in_play(each).verdict is None:
            each.do(observation({colour: hands[colour]}, place=name))
    found = record(journal, game)
    first, second = made_bids(found)
    anyone, ana = Odds(SeatView(bids, "")), Odds(SeatView(bids, "Ana", (("Ana", hands["red"]),)))
    assert ana.own(3) == sum(face in (1, 3) for face in hands["red"]) + more, why
    assert [first.chance, second.chance] == [float(anyone.holds(made.bid)) for made in (first, second)], why
    assert first.own_chance == float(ana.holds(first.bid)), why
    assert highlights(found, "Carlos").best_call.chance == second.chance, why


def one_each(table: Table, journal: Journal) -> str:
    """Ana's bid of four threes is doubted by Bea; each hand is shown by itself."""
    game = start(table, script="Ana 4x3, Bea dudo", house={"palifico": "off"})
    for name, colour in (("Bea", "blue"), ("Carlos", "green"), ("Ana", "red")):
        if in_play(table).verdict is None:
            table.do(observation({colour: DICE[colour]}, place=name))
    return game


def test_own_dice_make_own_odds_and_luck(each, journal):
    found = record(journal, one_each(each, journal))
    ana = scores(found)["Ana"]
    assert (ana.dice, ana.aces, ana.own_bids, ana.daring) == (5, 1, 1, 0)
    assert (ana.doubted, ana.held) == (1, 1)
    assert (scores(found)["Bea"].dudos, scores(found)["Bea"].dudos_right) == (1, 0)


@pytest.mark.parametrize(
    ("call", "count", "expected", "why"),
    [
        ("dudo", 4, Score(rounds=1, dudos=1, dudos_right=1), "fewer than bid"),
        ("dudo", 5, Score(rounds=1, dudos=1), "the bid held"),
        ("calza", 5, Score(rounds=1, calzas=1, calzas_right=1), "exactly as many"),
        ("calza", 6, Score(rounds=1, calzas=1), "one too many"),
    ],
)
def test_a_call_is_right_or_wrong(table, journal, call, count, expected, why):
    game = start(table, script=f"Ana 5x3, Bea {call}, {count}")
    assert scores(record(journal, game))["Bea"] == expected, why


@pytest.mark.parametrize(
    ("count", "lost"), [pytest.param(4, 0, id="the clock was right"), pytest.param(5, 1, id="wrong")]
)
def test_a_doubt_of_the_clock_is_no_call_of_the_player(table, journal, count, lost):
    game = start(table, script="Ana 5x3", house={"turn_seconds": 10, "turn_over": "dudo"})
    table.do(cmd.TimeUp(), author=CLOCK)
    play(table, f"{count}")
    found = record(journal, game)
    assert found.rounds[0].by_clock
    assert scores(found)["Bea"] == Score(rounds=1, by_clock=1, by_clock_lost=lost)
    assert highlights(found, "Bea").best_call is None


def test_a_win_is_one_of_all_partners(table, journal):
    people = (*PEOPLE, ("Dora", "yellow"))
    house = {"starting_dice": 1, "teams": "share_win", "palifico": "off"}
    game = start(table, people, "Ana 1x3, Bea dudo, 1, next, Carlos 1x3, Dora dudo, 1", house=house)
    found = record(journal, game)
    assert set(found.winners) == {"Ana", "Carlos"}
    by_name = {career.name: (career.won, career.even) for career in careers([summary(found)])}
    assert by_name == {"Ana": (1, 0.5), "Carlos": (1, 0.5), "Bea": (0, 0.5), "Dora": (0, 0.5)}
    assert standings([summary(found)], "carlos")[-1].won == 1


def test_dice_left_are_followed_from_round_to_round(table, journal):
    rounds = ", ".join(f"2x3, dudo, {count}, next" for count in (0, 5, 0))
    game = start(table, script=rounds, house={"starting_dice": 2, "palifico": "off"})
    left = courses(record(journal, game))
    assert all(len(course) == 4 and course[0] == 2 for course in left.values())
    assert sum(course[-1] for course in left.values()) == 3
    assert all(before - after in (0, 1) for course in left.values() for before, after in pairwise(course))


def test_a_whole_game_has_a_winner_and_sums_that_survive_json(table, journal):
    game = start(
        table,
        (("Ana", "red"), ("Bea", "blue")),
        "Ana 1x3, Bea dudo",
        house={"starting_dice": 1, "palifico": "off"},
    )
    table.do(observation({"red": (3,), "blue": (5,)}))
    found = record(journal, game)
    assert (found.winner, found.over) == ("Ana", True)
    assert courses(found) == {"Ana": (1, 1), "Bea": (1, 0)}
    assert convert(to_builtins(summary(found)), Summary) == summary(found)


def test_a_journal_without_a_beginning_is_refused():
    with pytest.raises(BadCommand):
        game_record("x", "", [])


SCORES = st.builds(Score, *(st.integers(0, 9) for _ in range(7)))


@given(SCORES, SCORES, SCORES)
def test_scores_add_up_in_any_order(a, b, c):
    assert (a + b) + c == a + (c + b)
    assert a + Score() == a


@pytest.mark.parametrize(
    ("dice", "aces", "word"),
    [(60, 10, "ordinary"), (60, 18, "lucky"), (60, 3, "unlucky"), (6, 0, "ordinary"), (1, 1, "ordinary")],
)
def test_luck_is_expressed_by_how_many_would_have_it(dice, aces, word):
    found = luck(Score(dice=dice, aces=aces))
    known = Knowledge({"all": dice}, {})
    at_least_so_many = known.holds(Bid(aces, 1), Counting(0))
    at_most_so_many = 1 - known.holds(Bid(aces + 1, 1), Counting(0))
    share = at_least_so_many if aces >= dice / 6 else at_most_so_many
    assert (found.word, found.share) == (word, pytest.approx(float(share)))


def test_without_known_dice_there_is_no_luck():
    assert luck(Score(rounds=9)) is None


def test_an_abandoned_game_has_no_winner(table, journal):
    game = start(table, script="abandon")
    found = record(journal, game)
    assert (found.over, found.winner, found.rounds) == (True, None, ())


@pytest.fixture
def game(table, journal):
    """Carlos is right about a bold bid, Ana wrong about another, and an exact call of Carlos is right."""
    first, second = "Ana 2x3, Bea 5x3, Carlos dudo, 4, next", "Bea 3x4, Carlos 4x4, Ana dudo, 4, next"
    kept = start(table, script=f"{first}, {second}, Ana 1x2, Bea 2x2, Carlos calza, 2, next")
    return record(journal, kept)


@pytest.mark.parametrize(
    ("name", "boldest", "best", "why"),
    [
        ("Ana", "2x3", None, "her only call was wrong"),
        ("Bea", "5x3", None, "she never called"),
        ("Carlos", "4x4", ("2x2", True), "an exact two is rarer than doubting a bid that was bold"),
    ],
)
def test_the_boldest_bid_and_the_best_call_are_found(game, name, boldest, best, why):
    shown = highlights(game, name)
    assert str(shown.boldest.bid) == boldest, why
    found = shown.best_call and (str(shown.best_call.bid), shown.best_call.calza)
    assert found == best, why


def test_a_game_without_rounds_tells_nothing(game):
    shown = highlights(replace(game, rounds=()), "Ana")
    assert (shown.boldest, shown.best_call) == (None, None)
    assert (shown.lowest, shown.came_back) == (game.starting, False)


@pytest.mark.parametrize(("starting", "came_back"), [(5, False), (8, True)])
def test_half_of_the_dice_or_fewer_is_a_comeback(game, starting, came_back):
    shown = highlights(replace(game, starting=starting), "Ana")
    assert shown.lowest == 4
    assert shown.came_back is came_back
