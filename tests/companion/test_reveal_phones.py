"""Pictures of phones in a reveal: each is of one player's cup, or of everybody's dice."""

from collections.abc import Iterable
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import BadCommand, CompanionError
from companion.reveal.assessing import assess
from companion.reveal.claims import Claim, Kind
from companion.reveal.corrections import SetFace, TakenFor
from companion.reveal.observations import Observation
from companion.reveal.questions import Ask
from companion.reveal.state import (
    WHOLE,
    RevealState,
    last_place,
    players_plan,
    with_correction,
    with_observation,
)
from companion.rules.events import Called
from companion.rules.position import Phase
from companion.storage.journal import Journal
from companion.table import commands as cmd
from companion.table.state import REVEALING
from companion.table.table import Table
from tests.companion.at_table import begin as begin_at
from tests.companion.begun_reveals import begin
from tests.companion.playing import chosen, rulesets, seats
from tests.companion.reveal_table import FIVES, dudo, keys, observation, row, scattered, seen
from tests.effort import draws

CUPS = (("Ana", 3), ("Ben", 2), ("Cleo", 1))
EXACTLY_3 = Claim(Kind.CALZA, 5, 3, wild=True)
Pictures = tuple[tuple[str, tuple[int, ...]], ...]


def by_phone(shown: Observation, name: str = "Ana") -> Observation:
    return replace(shown, phone=name)


def opened(claim: Claim = EXACTLY_3) -> RevealState:
    """Three players lift their cups from Ana on; the box knows nobody's colour."""
    return begin(claim, sum(number for _, number in CUPS), frames=2, cups=CUPS)


def taken(state: RevealState, pictures: Iterable[tuple[str, Observation]]) -> RevealState:
    for place, shown in pictures:
        state = with_observation(state, place, by_phone(shown))
    return state


def strewn(faces: tuple[int, ...], rng: Random, uncertain: frozenset[int] = frozenset()) -> Observation:
    """A picture in which nothing tells where the dice lay in another one."""
    places = scattered(rng, len(faces))
    return observation(
        [
            seen(f, z.real, z.imag / 0.75, certain=n not in uncertain, angle=rng.uniform(0, 90))
            for n, (f, z) in enumerate(zip(faces, places, strict=True))
        ]
    )


def test_one_picture_of_a_phone_shows_all_dice_of_the_table():
    found = assess(taken(begin(FIVES, 5, frames=2), [(WHOLE, row((5, 5, 1, 2, 3)))]))
    assert (found.lo, found.hi, found.settled, found.next_place) == (3, 3, True, None)
    assert keys(found) == set()


ANA, BEN, CLEO = ("Ana", (5, 1, 2)), ("Ben", (3, 5)), ("Cleo", (6,))
ALL = (WHOLE, (5, 1, 2, 3, 5, 6))


@pytest.mark.parametrize(
    ("why", "pictures", "interval", "next_place", "asks"),
    [
        ("one cup of three", (ANA,), (2, 5), "Ben", None),
        ("in any order", (CLEO, ANA), (2, 4), "Ben", None),
        ("dice alike in two cups are two dice", (("Ana", (5, 5, 2)), ("Ben", (5, 5))), (4, 5), "Cleo", None),
        ("every cup", (BEN, CLEO, ANA), (3, 3), None, None),
        ("one cup twice", (ANA, ANA), (2, 5), "Ben", None),
        ("a die too many in a cup is asked about", (ANA, ("Ben", (3, 5, 5)), CLEO), (3, 4), None, Ask.EXTRA),
        ("a die missing in a cup is asked about", (ANA, ("Ben", (5,)), CLEO), (3, 4), None, Ask.MISSING),
        ("one picture of everything", (ALL,), (3, 3), None, None),
        ("everything twice", (ALL, ALL), (3, 3), None, None),
        ("everything in place of cups", (ANA, ("Ben", (2, 2)), ALL), (3, 3), None, None),
        ("cups in place of everything", ((WHOLE, (5, 1, 2)), BEN), (1, 5), "Ana", None),
    ],
)
def test_a_picture_is_of_a_cup_or_of_everything(why, pictures, interval, next_place, asks):
    rng = Random(7)
    found = assess(taken(opened(), ((place, strewn(faces, rng)) for place, faces in pictures)))
    assert (found.lo, found.hi, found.next_place) == (*interval, next_place), why
    assert (found.questions[0].ask if found.questions else None) is asks, why


@pytest.mark.parametrize(
    ("why", "faces", "there", "interval"),
    [
        ("a thing beside a full cup stands for none of its dice", (5, 1, 2), 0.03, (2, 2)),
        ("what may well be a die could", (5, 1, 2), 0.9, (1, 3)),
        ("where a die is missing it may be that one", (5, 1), 0.03, (2, 3)),
    ],
)
def test_what_is_hardly_a_die_has_no_room_in_a_full_cup(why, faces, there, interval):
    thing = seen(0, 0.5, 0.9, certain=False, chances=(there / 6,) * 6)
    shown = row(faces, chances=(1 / 6,) * 6)
    cup = observation([*shown.dice, thing], certain=False)
    others = [("Ben", row((3, 2))), ("Cleo", row((6,)))]
    found = assess(taken(opened(), [("Ana", cup), *others]))
    assert (found.lo, found.hi) == interval, why


@pytest.mark.parametrize(
    ("why", "claim", "pictures", "early"),
    [
        ("there are enough already", dudo(2), (ANA,), "enough"),
        ("there cannot be enough any more", dudo(6), (ANA,), "short"),
        ("the cup that is missing decides", dudo(4), (ANA, BEN), ""),
    ],
)
def test_the_verdict_comes_as_soon_as_no_missing_cup_can_change_it(why, claim, pictures, early):
    found = assess(taken(opened(claim), ((place, row(faces)) for place, faces in pictures)))
    assert (found.settled, found.early) == (bool(early), early), why


def test_one_tap_changes_what_a_picture_was_taken_for():
    state = taken(opened(), [(WHOLE, row((5, 1, 2)))])
    own = with_correction(state, TakenFor(WHOLE, "Ana"))
    assert [view.name for view in own.places if view.frames] == ["Ana"]
    assert assess(own).next_place == "Ben"
    others = with_correction(own, TakenFor("Ana", "Ben"))
    assert [view.name for view in others.places if view.frames] == ["Ben"]
    assert [view.name for view in with_correction(others, TakenFor("Ben")).places] == [WHOLE]


@pytest.mark.parametrize(("place", "player"), [("Ben", "Ana"), (WHOLE, "Ana"), ("Ana", "Dora")])
def test_only_a_picture_that_is_there_is_taken_for_a_cup_that_is_there(place, player):
    with pytest.raises(BadCommand):
        with_correction(taken(opened(), [("Ana", row((5, 1, 2)))]), TakenFor(place, player))


def test_the_seat_decides_before_any_colour():
    state = begin(dudo(3), 6, dict(CUPS), {"Ben": "white"}, cups=CUPS)
    found = assess(taken(state, [("Ana", row((5, 1, 2)))]))
    assert dict(found.hands) == {"Ana": (5, 1, 2), "Ben": (), "Cleo": ()}


def test_a_picture_taken_again_takes_the_place_of_the_one_before():
    state = with_observation(begin(FIVES, 5), WHOLE, by_phone(row((5, 5, 1, 2, 3), uncertain=(0, 1))))
    state = with_correction(state, SetFace("phone.1", 2))
    state = with_observation(state, WHOLE, by_phone(row((5, 5, 1, 2, 3))))
    found = assess(state)
    assert (found.lo, found.hi) == (3, 3)
    assert [die.id for die in found.dice] == [f"phone.{n}" for n in range(6, 11)]


def test_every_player_shows_the_own_dice_where_the_box_goes_round():
    state = begin(dudo(4), 4, {"Ana": 2, "Bea": 2}, places=players_plan(("Ana", "Bea")), frames=2)
    state = with_observation(state, "Ana", by_phone(row((5, 5))))
    assert assess(state).next_place == "Bea"
    found = assess(with_observation(state, "Bea", by_phone(row((5, 1)), "Bea")))
    assert (found.lo, found.hi, found.settled, found.next_place) == (4, 4, True, None)


def test_the_newest_picture_of_all_dice_counts_whoever_took_it():
    state = taken(with_observation(opened(), "all", row((5, 5))), [(WHOLE, row((5, 1, 2, 3, 5, 6)))])
    assert (assess(state).lo, last_place(state)) == (3, "all")
    assert [view.name for view in with_observation(state, "all", row((5, 5))).places] == ["all"]


@pytest.mark.slow
@given(st.data())
def test_no_pictures_settle_a_wrong_verdict(data):
    """Whatever of the cups pictures show, in any order: the true count is within the interval. What is read
    with doubt may be wrong."""
    rng = Random(data.draw(st.integers(0, 10**6)))
    hands = {name: data.draw(st.lists(FACES, min_size=n, max_size=n)) for name, n in CUPS}
    table = [face for hand in hands.values() for face in hand]
    claim = Claim(Kind.CALZA, 5, data.draw(st.integers(1, len(table))), wild=True)
    state = opened(claim)
    for place in data.draw(st.lists(st.sampled_from((*hands, WHOLE)), min_size=1, max_size=5)):
        faces = hands.get(place, table)
        part = st.sets(st.sampled_from(range(len(faces))), min_size=1)
        state = taken(state, [(place, half_read(faces, data.draw(part), data.draw(part), rng))])
    found, true = assess(state), sum(face in (1, 5) for face in table)
    assert found.lo <= true <= found.hi
    if found.settled:
        assert found.judged[0] <= true <= found.judged[1]


FACES = st.sampled_from((1, 2, 5, 6))


def half_read(faces: list[int], seen_: set[int], doubtful: set[int], rng: Random) -> Observation:
    """A picture of some of the dice, of which the doubtful ones show any face."""
    order = sorted(seen_)
    read = tuple(rng.randint(1, 6) if k in doubtful else faces[k] for k in order)
    return strewn(read, rng, frozenset(n for n, k in enumerate(order) if k in doubtful))


STEPS = 25


@pytest.mark.thorough
@given(rules=rulesets(), seed=st.integers(0, 2**32), roll_off=st.booleans(), data=st.data())
@settings(max_examples=draws(60, 1000), deadline=None)
def test_whatever_is_called_by_whatever_rules_is_judged_with_the_call(rules, seed, roll_off, data):
    names, random = data.draw(seats(rules)), Random(seed)
    players = tuple((name, "") for name in names)
    starter = None if roll_off else names[0]
    with TemporaryDirectory() as folder, closing(Journal(Path(folder) / "games")) as journal:
        table = Table(journal, roll=lambda n: tuple(random.choices(range(1, 7), k=n)))
        game = table.do(cmd.NewGame(rules, players, starter, names, roll_off=roll_off)).state.game
        for _ in range(STEPS):
            assert game.phase not in REVEALING
            if game.phase is Phase.OVER:
                break
            event = chosen(game, random, cups=dict(table.snapshot().state.rolled))
            with suppress(CompanionError):  # the way of a palifico is to be chosen first
                table.do(cmd.Say(event.call) if isinstance(event, Called) else cmd.NextRound())
            game = table.snapshot().state.game


def test_a_doubted_pass_of_dice_in_a_phone_waits_for_no_cup_of_others(table):
    now = begin_at(table, "Ana Beto Cleo", "Ana 3x4, Beto pass, Cleo dudo_pass", cups="Beto")
    assert now.state.game.phase is Phase.VERDICT
