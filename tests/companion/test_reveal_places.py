"""Reveals of several places and players: owners, overlaps, hands, and what is asked first."""

from dataclasses import replace

import pytest

from companion.reveal.assessing import assess
from companion.reveal.claims import Claim, Kind
from companion.reveal.corrections import Add, AllApart, Hand, SameDie, SetOwner
from companion.reveal.observations import Observation
from companion.reveal.questions import Ask
from companion.reveal.state import PlaceView, RevealState, players_plan, with_correction, with_observation
from tests.companion.begun_reveals import begin
from tests.companion.reveal_table import FIVES, after, dudo, keys, observation, row, seen

COLOURS = {"Ana": "red", "Ben": "ivory"}


def coloured(reds: tuple[int, ...], whites: tuple[int, ...], **more: object) -> Observation:
    gap = 0.9 / 5
    mine = [seen(f, 0.05 + gap * i, 0.2, colour="red", **more) for i, f in enumerate(reds)]
    yours = [seen(f, 0.05 + gap * i, 0.8, colour="ivory") for i, f in enumerate(whites)]
    return observation(mine + yours)


@pytest.mark.parametrize(
    ("why", "reds", "whites", "interval", "problems"),
    [
        ("as it should be", (5, 5, 2), (1, 3, 4), (3, 3), set()),
        ("one red too many", (5, 5, 2, 5), (1, 3, 4), (3, 4), {"player_too_many"}),
        ("one white too few", (5, 5, 2), (1, 3), (3, 4), {"player_too_few"}),
        ("full in all, but not of each", (5, 5, 2, 5), (1, 3), (3, 5), {"player_too_many", "player_too_few"}),
    ],
)
def test_owners_by_colour(why, reds, whites, interval, problems):
    state = begin(FIVES, 6, {"Ana": 3, "Ben": 3}, COLOURS)
    found = assess(after(state, coloured(reds, whites)))
    assert (found.lo, found.hi) == interval, why
    assert keys(found) == problems, why
    assert found.hands == (("Ana", reds), ("Ben", whites))


def test_a_die_of_somebody_out_of_the_game_is_set_aside_and_named():
    state = begin(FIVES, 3, {"Ana": 3, "Ben": 0}, COLOURS)
    found = assess(after(state, coloured((5, 5, 2), (5,))))
    assert (found.lo, found.hi) == (2, 2)
    assert keys(found) == {"stray"}


def test_a_misread_owner_is_put_right_by_hand():
    state = after(begin(FIVES, 6, {"Ana": 3, "Ben": 3}, COLOURS), coloured((5, 5, 2, 5), (1, 3)))
    found = assess(after(state, SetOwner("all.4", "Ben")))
    assert (found.lo, found.hi, found.settled) == (4, 4, True)


def test_players_are_looked_at_one_after_the_other():
    state = begin(dudo(5), 6, {"Ana": 3, "Ben": 3}, None, players_plan(("Ben", "Ana")))
    assert assess(state).next_place == "Ben"
    state = with_observation(state, "Ben", row((5, 5, 2)))
    halfway = assess(state)
    assert (halfway.next_place, halfway.lo, halfway.hi, halfway.settled) == ("Ana", 2, 5, False)
    assert keys(halfway) == {"unread_place", "player_too_few"}
    assert not halfway.questions, "a place nobody looked at is looked at before anybody is asked"
    found = assess(with_observation(state, "Ana", row((1, 1, 3))))
    assert (found.lo, found.hi, found.next_place) == (4, 4, None)
    assert found.hands == (("Ana", (1, 1, 3)), ("Ben", (5, 5, 2)))


def test_nobody_is_asked_about_dice_seen_twice_while_a_place_is_still_to_be_looked_at():
    state = begin(
        dudo(5), 9, dict.fromkeys(("Ana", "Ben", "Eva"), 3), None, players_plan(("Ben", "Ana", "Eva"))
    )
    for player in ("Ben", "Ana"):
        state = with_observation(state, player, row((5, 5, 2)))
    assert not any(q.ask is Ask.SAME for q in assess(state).questions)
    found = assess(with_observation(state, "Eva", row((3, 3, 2), 0.2)))
    assert found.questions[0].ask is Ask.SAME


def test_an_early_verdict_needs_no_further_place():
    state = begin(dudo(2), 6, {"Ana": 3, "Ben": 3}, None, players_plan(("Ben", "Ana")))
    found = assess(with_observation(state, "Ben", row((5, 5, 2))))
    assert (found.settled, found.early) == (True, "enough")


def test_dice_rolled_in_the_phone_are_certain_and_replaced_by_a_new_hand():
    state = begin(FIVES, 6, {"Ana": 3, "Ben": 3}, None, (PlaceView("Ana", "Ana"),))
    state = after(state, Hand("Ben", (5, 5, 5)), Hand("Ben", (1, 2, 3)))
    state = with_observation(state, "Ana", row((5, 6, 6)))
    found = assess(state)
    assert (found.lo, found.hi) == (2, 2)
    assert dict(found.hands)["Ben"] == (1, 2, 3)


@pytest.mark.parametrize("hands", [("J", "J.P."), ("J.P.", "J"), ("A", "A.1"), ("A.1", "A")])
def test_a_hand_replaces_that_of_no_player_whose_name_begins_alike(hands):
    state = begin(FIVES, 6, dict.fromkeys(hands, 3), None, ())
    state = after(state, *(Hand(player, (5, 5, face)) for face, player in enumerate(hands, 1)))
    assert dict(assess(state).hands) == {player: (5, 5, face) for face, player in enumerate(hands, 1)}


def overlapping(shared: int) -> tuple[Observation, Observation]:
    """Two observations of a row of dice; the last `shared` dice of the first are the first of the second."""
    faces, gap = (5, 2, 3, 5, 6, 4, 1, 2, 5, 3), 0.1
    first = observation([seen(f, 0.45 + gap * i, 0.5, angle=10.0) for i, f in enumerate(faces[:5])])
    rest = faces[5 - shared :]
    return first, observation([seen(f, 0.05 + gap * i, 0.5, angle=10.0) for i, f in enumerate(rest)])


def both(bid: int, one: Observation, other: Observation) -> RevealState:
    """Ten dice that lie in two pictures."""
    state = begin(dudo(bid), 10, places=(PlaceView("left"), PlaceView("right")))
    return with_observation(with_observation(state, "left", one), "right", other)


@pytest.mark.parametrize("shared", [2, 3, 4])
def test_dice_in_two_overlapping_pictures_count_once(shared):
    found = assess(both(4, *overlapping(shared)))
    assert (found.lo, found.hi) == (4, 4)
    assert sum(d.twin is not None for d in found.dice) == shared
    assert keys(found) == {"seen_twice"}


def test_one_shared_die_is_asked_about():
    state = both(5, *overlapping(1))
    found = assess(state)
    assert not found.settled
    assert found.lo <= 4 <= found.hi
    question = found.questions[0]
    assert question.ask is Ask.SAME
    same = with_correction(state, SameDie(question.die or "", question.other or ""))
    assert (assess(same).lo, assess(same).hi) == (4, 4)


def test_a_confirmed_pair_of_a_doubtful_die_hides_no_other_pair():
    """Three dice lie in both pictures; confirming the doubtful one keeps the others matched."""
    one, two = overlapping(3)
    doubtful = observation([replace(d, certain=k != 3) for k, d in enumerate(one.dice)])
    merged = assess(with_correction(both(4, doubtful, two), SameDie("left.4", "right.2")))
    assert sum(d.twin is not None for d in merged.dice) == 3
    assert (merged.lo, merged.hi) == (4, 4)


def test_a_full_count_may_hide_a_die_seen_twice():
    """One die is lost and another lies in both pictures: the number seen, ten, is right by accident."""
    one, two = overlapping(1)
    state = both(5, one, observation(two.dice[:-1]))
    found = assess(state)
    assert sum(d.certain for d in found.dice) == 10
    assert not found.settled
    assert assess(with_correction(state, AllApart())).settled


@pytest.mark.parametrize(
    ("why", "faces", "uncertain", "interval"),
    [
        ("full house", (2, 2, 2, 5, 5), (), (1, 1)),
        ("five of a kind", (3, 3, 3, 3, 3), (), (1, 1)),
        ("five different", (1, 2, 3, 4, 6), (), (1, 1)),
        ("nothing", (1, 1, 2, 3, 4), (), (0, 0)),
        ("nothing whatever the last one is", (1, 1, 2, 3, 4), (4,), (0, 0)),
        ("open", (2, 2, 2, 5, 5), (4,), (0, 1)),
        ("too few seen", (2, 2, 5, 5), (), (0, 1)),
        ("too many seen", (2, 2, 2, 5, 5, 6), (), (0, 1)),
    ],
)
def test_a_called_pass(why, faces, uncertain, interval):
    state = begin(Claim(Kind.PASS), 5, {"Ana": 5}, None, (PlaceView("Ana", "Ana"),))
    found = assess(with_observation(state, "Ana", row(faces, uncertain=uncertain)))
    assert (found.lo, found.hi) == interval, why
    assert found.settled == (interval[0] == interval[1])


def test_a_roll_off_by_colours_and_by_hand():
    state = begin(Claim(Kind.ROLL), 2, {"Ana": 1, "Ben": 1}, COLOURS)
    state = with_observation(state, "all", coloured((6,), ()))
    assert not assess(state).settled
    found = assess(with_correction(state, Add(3, player="Ben")))
    assert found.settled
    assert found.hands == (("Ana", (6,)), ("Ben", (3,)))


def test_the_most_decisive_die_is_asked_about_first():
    dice = [
        seen(5, 0.1, 0.2, certain=False, confidence=0.3),
        seen(5, 0.3, 0.2, certain=False, confidence=0.9),
        seen(2, 0.5, 0.2, certain=False, confidence=0.9),
        *row((5, 5, 5, 2, 3, 4, 6), 0.7).dice,
    ]
    needs_one = assess(with_observation(begin(dudo(4), 10), "all", observation(dice))).questions
    assert needs_one[0].x == pytest.approx(0.3), "one more five settles it: the likeliest five first"
    needs_all = assess(with_observation(begin(dudo(6), 10), "all", observation(dice))).questions
    assert needs_all[0].x == pytest.approx(0.5), "one that is no five settles it: the least likely first"
    assert needs_one[0].faces[0] == 5
    assert sorted(needs_one[0].faces) == [1, 2, 3, 4, 5, 6]


def test_a_missing_die_is_asked_about_by_its_owner():
    state = begin(dudo(3), 6, {"Ana": 3, "Ben": 3}, COLOURS)
    found = assess(after(state, coloured((5, 5, 2), (2, 3))))
    assert [(q.ask, q.player) for q in found.questions] == [(Ask.MISSING, "Ben")]
    assert assess(after(state, coloured((5, 5, 2), (2, 3)), Add(1, player="Ben"))).settled
