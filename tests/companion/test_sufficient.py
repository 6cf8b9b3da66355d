"""When one frame is enough for a verdict, and when it is not."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from companion.reveal.assessing import assess, is_seen_enough
from companion.reveal.claims import Claim, Kind
from companion.reveal.observations import Observation, SeenDie, SeenDoubt
from companion.reveal.state import ALL, begin, players_plan, with_observation

FACES = (5, 5, 1, 2, 3)
DUDO = Claim(Kind.DUDO, 5, 3, wild=True)
SURE, UNSURE = 1 - 1e-5, 0.9


def die(face: int, at: int, *, certain: bool = True, chance: float = SURE) -> SeenDie:
    chances = tuple(chance if face == one else (1 - chance) / 6 for one in range(1, 7))
    why = () if certain else ("one_way",)
    return SeenDie(face, 0.1 + 0.15 * at, 0.5, 0.06, 0.99, certain, "ivory", why=why, chances=chances)


def picture(*dice: SeenDie) -> Observation:
    certain = all(one.certain for one in dice)
    return Observation(1000, 1000, dice, certain, unread=1e-5)


UNCERTAIN, DECIDING = (die(*at, certain=False, chance=UNSURE) for at in ((3, 4), (5, 0)))
WHOLE = picture(*(die(face, at) for at, face in enumerate(FACES)))
TWO_PLACES = players_plan(("Ana", "Bea"))
FIVE = begin(DUDO, 5, frames=2)


def doubted(key: str) -> Observation:
    return replace(WHOLE, certain=False, doubts=(SeenDoubt(key),))


@pytest.mark.parametrize(
    ("why", "state", "seen", "enough"),
    [
        ("every die is there and certain", FIVE, WHOLE, True),
        ("an uncertain one changes nothing", FIVE, picture(*WHOLE.dice[:4], UNCERTAIN), True),
        ("the verdict hangs on it", FIVE, picture(*WHOLE.dice[1:], DECIDING), False),
        ("one is missing", FIVE, picture(*WHOLE.dice[:4]), False),
        ("there is one too many", FIVE, picture(*WHOLE.dice, die(6, 5)), False),
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
