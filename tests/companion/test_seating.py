"""Somebody comes late, goes home, or gets dice back: what the rules make of it at each moment of a game."""

from dataclasses import replace

import pytest
from msgspec import structs

from companion.errors import BadCommand, CompanionError
from companion.rules.events import Event, Finished, HandedBack, Joined, Left, RolledOff
from companion.rules.players import Player, RoundKind
from companion.rules.position import Game, Phase
from companion.rules.presets import CLASSIC, MODERN, PRESETS
from companion.rules.ruleset import Ruleset
from companion.rules.seating import next_round
from companion.table.parsing import parse
from tests.companion.at_table import after, said
from tests.new_games import new_game
from tests.refusals import refused

THREE = ("Ana", "Bea", "Carlos")


DOUBTED = "Ana 5x3, Bea dudo"
JUDGED = f"{DOUBTED}, 5"
"""Bea loses a die."""


def begun(*steps: Event | str, rules: Ruleset = MODERN) -> Game:
    return said(rules, THREE, *steps)


@pytest.mark.parametrize(
    ("script", "gone", "turn", "standing", "dice", "why"),
    [
        ("", "Ana", "Bea", None, 10, "the starter goes: the next player opens"),
        ("", "Bea", "Ana", None, 10, "somebody else goes: the turn stays"),
        ("Ana 2x3", "Bea", "Carlos", "2x3", 10, "the turn passes on, the bid stands"),
        ("Ana 2x3, Bea 3x3", "Bea", "Carlos", "2x3", 10, "a bid goes with its bidder"),
        ("Ana 2x3", "Ana", "Bea", None, 10, "no bid is left: Bea opens"),
        ("Ana 2x3, Bea pass", "Bea", "Carlos", "2x3", 10, "a pass goes, too"),
    ],
)
def test_who_goes_takes_dice_and_bids_along(script, gone, turn, standing, dice, why):
    game = after(begun(script), Left(gone))
    now = game.round
    stands = now.standing and str(now.standing.bid)
    assert (now.turn, stands, now.dice) == (turn, standing, dice), why
    assert game.player(gone).out
    assert game.player(gone).left


def test_the_last_who_stays_wins():
    game = after(begun(), Left("Ana"), Left("Carlos"))
    assert (game.phase, game.winner) == (Phase.OVER, "Bea")
    assert after(game, Left("Bea")).winner == "Bea", "who goes home afterwards has won all the same"


def test_a_game_that_was_stopped_has_no_winner_whoever_goes_then():
    game = begun(Finished())
    for name in ("Ana", "Bea"):
        game = after(game, Left(name))
    assert game.winner is None


def test_a_palifico_round_ends_with_its_starter():
    game = begun(f"{JUDGED}, next", rules=replace(MODERN, starting_dice=2))
    assert (game.round.kind, game.round.starter) == (RoundKind.PALIFICO, "Bea")
    assert after(game, Left("Ana")).round.kind is RoundKind.PALIFICO
    left = after(game, Left("Bea"))
    assert (left.round.kind, left.round.turn) == (RoundKind.NORMAL, "Carlos")


def test_who_would_start_next_may_go_before():
    game = begun(JUDGED, Left("Bea"), "next")
    assert (game.round.starter, game.round.kind, game.round.dice) == ("Carlos", RoundKind.NORMAL, 10)


def test_who_comes_late_waits_and_then_has_as_many_dice_as_those_with_fewest():
    game = begun(Joined("Dora", "yellow", "Ana"))
    assert [p.name for p in game.players] == ["Ana", "Bea", "Carlos"]
    game = begun(Joined("Dora", "yellow", "Ana"), f"{JUDGED}, next")
    assert [(p.name, p.dice) for p in game.players] == [("Ana", 5), ("Dora", 4), ("Bea", 4), ("Carlos", 5)]
    assert game.waiting == ()
    assert game.round.dice == 18
    assert game.player("Dora").team == 0, "nobody plays in teams"


@pytest.mark.parametrize(("wild", "stays"), [("always", 1), ("until_aces_open", 0), ("until_aces_bid", 0)])
def test_a_round_that_opens_anew_on_aces_after_a_pass_opens_on_aces(wild, stays):
    """The only bidder has gone: Bea's pass is left, and Carlos opens."""
    rules = replace(MODERN, wild=wild, opening_aces="allowed")
    game = begun("Ana 2x3, Bea pass", Left("Ana"), "Carlos 1x1", rules=rules)
    assert game.wild == stays


def test_who_waits_may_go_again():
    assert after(begun(Joined("Dora")), Left("Dora")) == begun()


def test_who_has_gone_comes_back_to_the_same_seat():
    game = begun(Left("Bea"), Joined("Bea"), "Ana 5x3, Carlos dudo, 5, next")
    assert [(p.name, p.dice, p.out) for p in game.players] == [
        ("Ana", 5, False),
        ("Bea", 4, False),
        ("Carlos", 4, False),
    ]


def test_who_comes_late_has_as_many_as_the_fewest_of_those_who_played():
    """Bea comes back beside Dora with the single die with which she left."""
    gone = (HandedBack("Bea", 1), Left("Bea", strict=True), Joined("Bea", strict=True))
    game = begun(*gone, Joined("Dora", strict=True), "Ana 5x3, Carlos dudo, 5, next")
    assert {p.name: p.dice for p in game.players} == {"Ana": 5, "Bea": 1, "Carlos": 4, "Dora": 4}


def test_one_die_by_coming_late_is_no_palifico():
    rules = replace(MODERN, starting_dice=2)
    game = begun(Joined("Dora"), f"{JUDGED}, next", rules=rules)
    assert game.round.starter == "Bea"
    assert not game.player("Dora").palifico_used


@pytest.mark.parametrize(
    ("before", "event", "reason"),
    [
        ((), Joined("Ana"), "names_not_distinct"),
        ((Joined("Dora"),), Joined("Dora"), "names_not_distinct"),
        ((), Joined("Dora", after="Zoe"), "unknown_player"),
        ((), Left("Zoe"), "unknown_player"),
        ((Left("Ana"),), Left("Ana"), "has_left"),
        ((DOUBTED,), Left("Ana"), "count_first"),
        (("Ana 2x3",), HandedBack("Ana", 5), "between_rounds"),
        ((DOUBTED,), HandedBack("Ana", 5), "between_rounds"),
        ((), HandedBack("Ana", 6), "bad_count"),
        ((), HandedBack("Ana", 0), "bad_count"),
        ((Left("Ana"),), HandedBack("Ana", 5), "has_left"),
    ],
)
def test_what_may_not_be_is_refused(before, event, reason):
    with refused(reason):
        after(begun(*before), event)


def test_no_more_come_than_the_rules_seat():
    game = said(PRESETS["perudo"], "abcdef")
    with pytest.raises(CompanionError, match="6"):
        after(game, Joined("g"))
    assert after(game, Left("a"), Joined("g")).waiting[0].name == "g"


def test_dice_are_handed_back_before_the_first_bid_and_after_a_verdict():
    game = after(begun(JUDGED), HandedBack("Bea", 5))
    assert game.player("Bea").dice == 5
    game = after(game, "next")
    assert (game.round.dice, game.round.kind) == (15, RoundKind.NORMAL)
    assert after(game, HandedBack("Ana", 3)).round.dice == 13


@pytest.mark.parametrize(
    ("house", "count", "reason"),
    [
        ({"out_below": 3}, 2, "bad_count"),
        ({"out_below": 3}, 3, None),
        ({"out_below": 3, "starting_dice": 2}, 2, None),  # nobody has more
        ({"out_below": 3, "starting_dice": 2}, 1, "bad_count"),
        ({"out_below": 3, "lives": 2}, 1, None),
    ],
)
def test_nobody_is_handed_fewer_dice_than_keep_one_in_the_game(house, count, reason):
    game, event = begun(rules=MODERN.with_house(house)), HandedBack("Bea", count, strict=True)
    if reason is None:
        assert not after(game, event).player("Bea").out
        return
    with refused(reason, BadCommand):
        after(game, event)


def test_an_earlier_version_handed_back_a_single_die():
    rules = MODERN.with_house({"out_below": 3})
    assert after(begun(rules=rules), HandedBack("Bea", 1)).player("Bea").dice == 1


BACK = HandedBack("Bea", 2, strict=True, ordinary=True)


@pytest.mark.parametrize(
    ("steps", "kind", "why"),
    [
        ((JUDGED, "next"), RoundKind.PALIFICO, "Bea has one die left"),
        ((JUDGED, HandedBack("Bea", 2), "next"), RoundKind.NORMAL, "she has two"),
        ((JUDGED, "next", BACK), RoundKind.NORMAL, "before the first bid, too"),
        ((JUDGED, "next", structs.replace(BACK, player="Ana")), RoundKind.PALIFICO, "it is not hers"),
        ((JUDGED, "next", structs.replace(BACK, count=1)), RoundKind.PALIFICO, "she has one die"),
        ((JUDGED, "next", structs.replace(BACK, ordinary=False)), RoundKind.PALIFICO, "in old journals"),
        ((JUDGED, "next", BACK, "Bea 2x3, Carlos dudo, 1", "next"), RoundKind.PALIFICO, "her first one"),
    ],
)
def test_a_special_round_is_off_once_dice_were_handed_back(steps, kind, why):
    assert begun(*steps, rules=replace(MODERN, starting_dice=2)).round.kind is kind, why


def test_who_was_out_by_mistake_plays_on():
    rules = replace(MODERN, starting_dice=1, palifico="off")
    game = begun("Ana 1x3, Bea dudo, 1", rules=rules)
    assert game.player("Bea").out
    game = after(game, HandedBack("Bea", 1), "next")
    assert (game.round.dice, game.player("Bea").out) == (3, False)


@pytest.mark.parametrize(("number", "reason"), [(40, None), (41, "command_unreadable")])
def test_a_message_has_room_for_forty_so_that_the_rules_refuse_thirteen(number, reason):
    sent = {"type": "new_game", "players": [{"name": f"P{n}"} for n in range(number)]}
    with refused(reason, BadCommand):
        assert len(parse(sent).players) == number


def test_lives_are_handed_back_where_lives_are_played():
    rules = PRESETS["lives"]
    game = begun(JUDGED, rules=rules)
    assert (game.player("Bea").lives, game.player("Bea").dice) == (1, 5)
    assert after(game, HandedBack("Bea", 2)).player("Bea").lives == 2


def gone_and_back(rules: Ruleset, before: str, name: str) -> Player:
    """Who goes home, comes back, and sits with the next round; nobody else has lost anything since."""
    game = begun(before, Left(name, strict=True), Joined(name, strict=True), rules=rules)
    return next_round(game, game.round.starter, RoundKind.NORMAL).player(name)


DUE = replace(MODERN, starting_dice=2)
LIVES = PRESETS["lives"]
PALIFICO = f"{JUDGED}, next"  # Bea has one die and opens


@pytest.mark.parametrize(
    ("rules", "before", "name", "dice", "lives", "why"),
    [
        (MODERN, "", "Carlos", 5, 0, "nothing waits for him"),
        (MODERN, "Ana 1x3", "Carlos", 5, 0, "nor while others bid"),
        (MODERN, JUDGED, "Carlos", 4, 0, "he has as many as whoever has fewest"),
        (MODERN, "", "Ana", 4, 0, "it is her turn to open"),
        (MODERN, "Ana 9x3", "Bea", 4, 0, "it is her turn to doubt or to raise"),
        (MODERN, "Ana 9x3", "Ana", 4, 0, "her bid stands"),
        (MODERN, "Ana 9x3, Bea 10x3", "Ana", 5, 0, "her bid was raised"),
        (replace(MODERN, penalty="difference"), "Ana 9x3", "Ana", 4, 0, "one die at least"),
        (MODERN, "Ana 2x3, Bea pass", "Bea", 4, 0, "her pass stands"),
        (MODERN, JUDGED, "Bea", 4, 0, "she has lost a die already"),
        (DUE, JUDGED, "Bea", 1, 0, "one die stays one die"),
        (LIVES, "Ana 9x3", "Bea", 5, 1, "a life, where lives are played"),
        (LIVES, JUDGED, "Bea", 5, 1, "a lost life stays lost"),
        (replace(MODERN, loser="winner"), "Ana 9x3", "Ana", 5, 0, "nobody wins by going home"),
    ],
)
def test_who_comes_back_has_no_more_than_he_left_with(rules, before, name, dice, lives, why):
    back = gone_and_back(rules, before, name=name)
    assert (back.dice, back.lives, back.out, back.left) == (dice, lives, False, False), why


@pytest.mark.parametrize(
    ("before", "name", "why"),
    [
        ("Ana 1x3", "Bea", "the last die is at stake where it is her turn"),
        ("Ana 1x3", "Ana", "and where her bid stands"),
        ("Ana 1x3, Bea dudo, 1", "Bea", "she is out already"),
    ],
)
def test_who_has_nothing_left_does_not_come_back(before, name, why):
    rules = replace(MODERN, starting_dice=1, palifico="off")
    game = begun(before, Left(name, strict=True), rules=rules)
    with refused("out_of_game", why=why):
        after(game, Joined(name, strict=True))


def test_a_special_round_that_was_due_is_played_or_used_up():
    verdict = begun(JUDGED, Left("Bea", strict=True), rules=DUE)
    played = after(verdict, Joined("Bea", strict=True), "next")
    assert (played.round.kind, played.round.starter) == (RoundKind.PALIFICO, "Bea")
    another = after(verdict, Joined("Dora", strict=True), "next")
    assert (another.round.kind, another.round.starter) == (RoundKind.NORMAL, "Carlos")
    missed = after(verdict, "next", Joined("Bea", strict=True))
    missed = after(missed, "Carlos 1x3, Ana dudo, 0, next")
    assert missed.round.kind is RoundKind.PALIFICO, "that of Carlos"
    assert missed.player("Bea").palifico_used


def test_a_special_round_that_goes_on_costs_the_last_die():
    game = begun(PALIFICO, Left("Bea", strict=True), rules=DUE)
    with pytest.raises(CompanionError, match="Bea"):
        after(game, Joined("Bea", strict=True))


def test_a_tally_counts_a_mark_for_a_round_that_was_left():
    rules = replace(MODERN, penalty="tally", palifico="off")
    assert gone_and_back(rules, "Ana 9x3", name="Ana").marks == 1


def test_a_handicap_is_kept():
    rules = replace(MODERN, handicap=True)
    joined = Joined("Dora", strict=True, handicap=2)
    game = begun(joined, f"{JUDGED}, next", rules=rules)
    assert (game.player("Dora").dice, game.player("Dora").handicap) == (3, 2)


def test_games_of_earlier_versions_are_read_as_they_were_played():
    game = begun(f"{JUDGED}, next", Left("Bea"), Joined("Bea"), "Carlos 1x3, Ana dudo, 3, next")
    assert game.player("Bea").dice == 4


FOUR = ("Ana", "Beto", "Carla", "Dino")
WIN = CLASSIC.with_house({"teams": "share_win", "starting_dice": 2})


def test_teams_are_announced_once_the_roll_has_seated_everybody():
    game = new_game(WIN, FOUR)
    assert {player.team for player in game.players} == {0}
    rolled = after(game, RolledOff((tuple(zip(FOUR, (1, 6, 4, 3), strict=True)),)))
    assert [(p.name, p.team) for p in rolled.players] == [("Beto", 1), ("Carla", 2), ("Dino", 1), ("Ana", 2)]


def test_who_comes_late_joins_the_smallest_team():
    game = said(WIN, FOUR[:3], Joined("Dino"), "1x3, dudo, 2, next")
    assert game.player("Dino").team == 2


def test_the_game_is_over_when_the_other_team_has_gone_home():
    game = said(WIN, FOUR, Left("Beto"), Left("Dino"))
    assert (game.phase, game.winners) == (Phase.OVER, ("Ana", "Carla"))
