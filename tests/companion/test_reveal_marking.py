"""Several dice in one question and what one tap says of them; when one frame is enough for a verdict."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from companion.reveal.assessing import assess, is_seen_enough
from companion.reveal.claims import Claim, Kind
from companion.reveal.corrections import AllApart, SetFace, Several, Strike, TwoDice
from companion.reveal.observations import Observation, SeenDie, SeenDoubt
from companion.reveal.questions import Ask, together
from companion.reveal.revealed import RevealedDie
from companion.reveal.state import ALL, PlaceView, players_plan, with_observation
from tests.companion.begun_reveals import begin
from tests.companion.reveal_table import FIVES, after, dudo, observation, seen


def die(name: str, face: int, right: float, none: float = 0.01) -> RevealedDie:
    """An uncertain die with the probability of the face read, and of none."""
    others = (1 - none - right) / 5
    chances = tuple(right if one == face else others for one in range(1, 7))
    return RevealedDie(name, face, (face,), False, False, False, right, face in (1, 5), chances=chances)


TWO = (PlaceView("left"), PlaceView("right"))
A, B, C, THING = die("a", 5, 0.95), die("b", 2, 0.9), die("c", 5, 0.6), die("thing", 0, 0.0, 0.8)


@pytest.mark.parametrize(
    ("order", "settling", "marked", "reason"),
    [
        ((A, B), {"a", "b"}, "ab", "both are needed"),
        ((A, B, C), {"a", "b"}, "ab", "the third changes nothing"),
        ((B, A), {"a"}, "a", "the one that settles it alone is asked about first"),
        ((A, B), {"b"}, "b", "whatever its place in the order"),
        ((A, C, B), {"a", "c", "b"}, "acb", "all are right more often than not: 0.51"),
        ((C, C, A), {"a", "c"}, "c", "two of them are more often wrong than right"),
        ((A, THING), {"a", "thing"}, "a thing", "a thing is marked as no die"),
        ((replace(THING, chances=()), A), {"a"}, "", "nothing tells what the first is"),
        ((), {"a"}, "", "nothing is open"),
    ],
)
def test_dice_are_marked_together(order, settling, marked, reason):
    def settles(dice: Sequence[RevealedDie]) -> bool:
        return settling <= {one.id for one in dice if one.by_hand}

    found = together(FIVES, order, order, settles)
    assert "".join(mark.die for mark in found).replace("thing", " thing") == marked, reason


def uncertain(*faces: int, unsure: Sequence[int]) -> Observation:
    dice: list[SeenDie] = []
    for at, face in enumerate(faces):
        certain = at not in unsure
        dice.append(seen(face, 0.1 + 0.1 * at, 0.5, certain=certain, confidence=0.99 if certain else 0.95))
    return observation(dice)


def test_two_dice_that_matter_are_one_question():
    state = after(begin(dudo(3), 5), uncertain(5, 5, 5, 2, 2, unsure=(0, 1)))
    (question,) = assess(state).questions
    assert (question.ask, [(mark.die, mark.face) for mark in question.marked]) == (
        Ask.MARKED,
        [("all.1", 5), ("all.2", 5)],
    )
    assert assess(after(state, Several((SetFace("all.1", 5), SetFace("all.2", 5))))).settled
    corrected = assess(after(state, SetFace("all.1", 4)))
    assert corrected.settled, "two fives are left of the three that were bid"


def test_dice_of_two_places_are_not_confirmed_together():
    """Two crops may show one die twice: each is right, and both together are not."""
    state = begin(dudo(3), 4, places=TWO)
    for place in ("left", "right"):
        state = with_observation(state, place, uncertain(5, 2, unsure=(0,)))
    marked = [q.marked for q in assess(state).questions if q.ask is Ask.MARKED]
    assert all(len({mark.die.rpartition(".")[0] for mark in marks}) == 1 for marks in marked)


def test_the_die_too_many_is_one_of_those_that_count():
    state = after(begin(dudo(2), 4), uncertain(5, 1, 2, 3, 4, unsure=()))
    question = assess(state).questions[0]
    assert question.ask is Ask.EXTRA
    assert [mark.die for mark in question.marked] == ["all.1", "all.2"]
    belong = after(state, Several((SetFace("all.1", 5), SetFace("all.2", 1))))
    assert (assess(belong).settled, assess(belong).lo) == (True, 2)
    assert assess(after(state, Strike("all.2"))).settled


def test_pairs_that_may_be_one_die_are_one_question():
    one = observation([seen(5, 0.1, 0.5), seen(5, 0.9, 0.5)])
    state = begin(dudo(4), 4, places=TWO)
    for place in ("left", "right"):
        state = with_observation(state, place, one)
    question = assess(state).questions[0]
    assert question.ask is Ask.SAME
    assert len(question.pairs) > 1
    none = Several(tuple(TwoDice(*pair) for pair in question.pairs))
    marked = assess(after(state, none))
    assert marked.settled == assess(after(state, AllApart())).settled


FACES = (5, 5, 1, 2, 3)
DUDO = Claim(Kind.DUDO, 5, 3, wild=True)
SURE, UNSURE = 1 - 1e-5, 0.9


def read_as(face: int, at: int, *, certain: bool = True, chance: float = SURE) -> SeenDie:
    chances = tuple(chance if face == one else (1 - chance) / 6 for one in range(1, 7))
    why = () if certain else ("one_way",)
    return SeenDie(face, 0.1 + 0.15 * at, 0.5, 0.06, 0.99, certain, "ivory", why=why, chances=chances)


def picture(*dice: SeenDie) -> Observation:
    certain = all(one.certain for one in dice)
    return Observation(1000, 1000, dice, certain, unread=1e-5)


UNCERTAIN, DECIDING = (read_as(*at, certain=False, chance=UNSURE) for at in ((3, 4), (5, 0)))
WHOLE = picture(*(read_as(face, at) for at, face in enumerate(FACES)))
TWO_PLACES = players_plan(("Ana", "Bea"))
FIVE = begin(DUDO, 5, frames=2)


def doubted(key: str) -> Observation:
    return replace(WHOLE, certain=False, doubts=(SeenDoubt(key),))


@pytest.mark.parametrize(
    ("why", "state", "seen", "enough"),
    [
        ("every read_as is there and certain", FIVE, WHOLE, True),
        ("an uncertain one changes nothing", FIVE, picture(*WHOLE.dice[:4], UNCERTAIN), True),
        ("the verdict hangs on it", FIVE, picture(*WHOLE.dice[1:], DECIDING), False),
        ("one is missing", FIVE, picture(*WHOLE.dice[:4]), False),
        ("there is one too many", FIVE, picture(*WHOLE.dice, read_as(6, 5)), False),
        ("the picture is blurred", FIVE, doubted("blurred"), False),
        ("the chance of an error is not below the bound", replace(FIVE, bound=1e-9), WHOLE, False),
        ("the table wants to be asked", replace(FIVE, bound=0.0), WHOLE, False),
        ("the reader gives no probabilities", FIVE, replace(WHOLE, unread=None), False),
        ("a hand is looked at, not a count", begin(Claim(Kind.PASS), 5, frames=2), WHOLE, False),
        ("there are more places", begin(DUDO, 5, places=TWO_PLACES, frames=2), WHOLE, False),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)  # fmt: skip
def test_one_frame_is_enough_where_it_shows_every_die(why, state, seen, enough):
    after = with_observation(state, state.places[0].name, seen)
    assert is_seen_enough(after, assess(after)) is enough, why


@pytest.mark.parametrize("shown", [doubted("blurred"), picture(*WHOLE.dice[:4])], ids=["blurred", "missing"])
def test_a_second_frame_is_enough_wherever_one_is_not(shown):
    after = with_observation(with_observation(FIVE, ALL, shown), ALL, shown)
    assert is_seen_enough(after, assess(after))


def test_a_place_that_started_over_is_believed_from_its_second_frame():
    elsewhere: Callable[[SeenDie], SeenDie] = lambda one: replace(one, face=7 - one.face, y=0.2 + 0.7 * one.x)  # noqa: E731
    kicked = picture(*(elsewhere(one) for one in WHOLE.dice))
    after = with_observation(with_observation(replace(FIVE, frames=3), ALL, WHOLE), ALL, kicked)
    assert not is_seen_enough(after, assess(after))
