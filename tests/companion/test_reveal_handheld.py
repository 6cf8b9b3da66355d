"""Pictures of phones in a reveal: held by hand, so that their dice lie anywhere in each of them."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.reveal.assessing import assess
from companion.reveal.claims import Claim, Kind
from companion.reveal.corrections import AllApart, SetFace
from companion.reveal.observations import Observation
from companion.reveal.questions import Ask
from companion.reveal.state import (
    RevealState,
    begin,
    last_place,
    players_plan,
    with_correction,
    with_observation,
)
from tests.companion.reveal_table import FIVES, dudo, keys, observation, row, scattered, seen


def by_phone(shown: Observation, name: str = "Ana") -> Observation:
    return replace(shown, phone=name)


def taken(state: RevealState, *shown: Observation) -> RevealState:
    """Every picture a place of its own, as phones open them."""
    for number, one in enumerate(shown, 1):
        state = with_observation(state, f"phone-{number}", by_phone(one))
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


def test_one_picture_of_a_phone_shows_all_dice_of_the_table() -> None:
    found = assess(taken(begin(FIVES, 5, frames=2), row((5, 5, 1, 2, 3))))
    assert (found.lo, found.hi, found.settled, found.next_place) == (3, 3, True, None)
    assert keys(found) == set()


ALL = (5, 5, 1, 2, 3, 6)


@pytest.mark.parametrize(
    ("why", "pictures", "interval", "asks"),
    [
        ("the same table twice", (ALL, ALL), (3, 3), None),
        ("three phones", (ALL, ALL, ALL), (3, 3), None),
        ("all dice, and a part of them", (ALL, (5, 1, 6)), (3, 3), None),
        ("a part first", ((5, 1, 6), ALL), (3, 3), None),
        ("two parts without a face in common", ((5, 5, 1), (2, 3, 6)), (3, 3), None),
        ("two parts that may share a five", ((5, 1, 2), (5, 3, 6)), (2, 3), Ask.SAME),
        ("two parts, most in both", ((5, 5, 1, 2), (5, 5, 1, 3)), (3, 6), Ask.SAME),
        ("they contradict each other", (ALL, (5, 5, 1, 2, 3, 4)), (2, 3), Ask.EXTRA),
    ],
)
def test_pictures_say_together_what_is_surely_there(
    why: str, pictures: tuple[tuple[int, ...], ...], interval: tuple[int, int], asks: Ask | None
) -> None:
    rng = Random(7)
    claim = Claim(Kind.CALZA, 5, 3, wild=True)
    found = assess(taken(begin(claim, 6, frames=2), *(strewn(faces, rng) for faces in pictures)))
    assert (found.lo, found.hi) == interval, why
    assert (found.questions[0].ask if found.questions else None) is asks, why


def test_one_tap_says_that_no_die_is_in_two_pictures() -> None:
    rng = Random(3)
    state = taken(begin(dudo(3), 6), strewn((5, 1, 2), rng), strewn((5, 3, 6), rng))
    assert not assess(state).settled
    assert assess(with_correction(state, AllApart())).lo == 3


def test_what_one_picture_leaves_open_the_other_settles() -> None:
    rng = Random(4)
    first, second = strewn(ALL, rng, frozenset({0})), strewn(ALL, rng, frozenset({3}))
    found = assess(taken(begin(Claim(Kind.CALZA, 5, 3, wild=True), 6), first, second))
    assert (found.lo, found.hi) == (3, 3)


def test_a_picture_taken_again_takes_the_place_of_the_one_before() -> None:
    state = with_observation(begin(FIVES, 5), "phone-1", by_phone(row((5, 5, 1, 2, 3), uncertain=(0, 1))))
    state = with_correction(state, SetFace("phone-1.1", 2))
    state = with_observation(state, "phone-1", by_phone(row((5, 5, 1, 2, 3))))
    found = assess(state)
    assert (found.lo, found.hi) == (3, 3)
    assert [die.id for die in found.dice] == [f"phone-1.{n}" for n in range(6, 11)]


def test_every_player_shows_the_own_dice_by_phone() -> None:
    state = begin(dudo(4), 4, {"Ana": 2, "Bea": 2}, plan=players_plan(("Ana", "Bea")), frames=2)
    state = with_observation(state, "Ana", by_phone(row((5, 5))))
    assert assess(state).next_place == "Bea"
    found = assess(with_observation(state, "Bea", by_phone(row((5, 1)), "Bea")))
    assert (found.lo, found.hi, found.settled, found.next_place) == (4, 4, True, None)


def test_the_box_stays_where_its_own_camera_stood() -> None:
    state = with_observation(begin(FIVES, 5, frames=2), "all", row((5, 5)))
    assert last_place(with_observation(state, "phone-1", by_phone(row((5, 1))))) == "all"


@pytest.mark.slow
@given(st.data())
def test_no_pictures_settle_a_wrong_verdict(data: st.DataObject) -> None:
    """Whatever parts of the table pictures show, from wherever: the true count is within the interval. What
    is read with doubt may be wrong."""
    rng = Random(data.draw(st.integers(0, 10**6)))
    faces = data.draw(st.lists(st.sampled_from((1, 2, 5, 6)), min_size=2, max_size=8))
    part = st.sets(st.sampled_from(range(len(faces))), min_size=1)
    shown = data.draw(st.lists(st.tuples(part, part), min_size=1, max_size=4))
    claim = Claim(Kind.CALZA, 5, data.draw(st.integers(1, len(faces))), wild=True)
    found = assess(taken(begin(claim, len(faces)), *(half_read(faces, *one, rng) for one in shown)))
    true = sum(face in (1, 5) for face in faces)
    assert found.lo <= true <= found.hi
    if found.settled:
        assert found.judged[0] <= true <= found.judged[1]


def half_read(faces: list[int], seen_: set[int], doubtful: set[int], rng: Random) -> Observation:
    """A picture of some of the dice, of which the doubtful ones show any face."""
    order = sorted(seen_)
    read = tuple(rng.randint(1, 6) if k in doubtful else faces[k] for k in order)
    return strewn(read, rng, frozenset(n for n, k in enumerate(order) if k in doubtful))
