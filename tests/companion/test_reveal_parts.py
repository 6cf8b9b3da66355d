"""The parts of the reveal by themselves: owners, alignment, overlaps, and what the judge is given."""

import cmath
import math
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import to_builtins

from companion.reveal.alignment import STILL, Landmark, align, pairs
from companion.reveal.assessing import assess, shown
from companion.reveal.claims import Claim, Kind
from companion.reveal.corrections import Add, ByHand, Correction, Strike
from companion.reveal.layout import Outlook, overlaps
from companion.reveal.observations import Observation, Rgb, SeenDie
from companion.reveal.owners import Colour, alike, lab_of, learn_colours, named, of_one_colour, plain
from companion.reveal.state import PlaceView, RevealState, with_correction, with_observation
from companion.rules.counting import Reveal, justifies_pass
from tests.companion.begun_reveals import begin
from tests.companion.reveal_table import observation, row, seen

RGB = {
    "red": (160, 40, 40),
    "scarlet": (175, 55, 50),
    "blue": (60, 90, 150),
    "green": (60, 160, 70),
    "ivory": (232, 224, 196),
    "white": (236, 238, 234),
    "black": (40, 42, 45),
}


@pytest.mark.parametrize(
    ("why", "rgb", "lab"),
    [
        ("white", (255, 255, 255), (100, 0, 0)),
        ("black", (0, 0, 0), (0, 0, 0)),
        ("red", (255, 0, 0), (53.2, 80.1, 67.2)),
        ("blue", (0, 0, 255), (32.3, 79.2, -107.9)),
        ("grey", (119, 119, 119), (50.0, 0, 0)),
    ],
)
def test_the_colour_space(why, rgb, lab):
    """Known values of the colour space, for D65."""
    assert lab_of(rgb) == pytest.approx(lab, abs=0.15), why


def tinted(colour: str, exposure: float = 1.0, name: str = "") -> SeenDie:
    red, green, blue = (min(255.0, exposure * part) for part in RGB[colour])
    return replace(seen(5, 0.5, 0.5), colour=name or colour, rgb=(red, green, blue))


def learnt(**colours: str) -> tuple[Colour, ...]:
    return learn_colours({player: [tinted(colour)] * 2 for player, colour in colours.items()})


@pytest.mark.parametrize(
    ("why", "colours", "owners", "refused"),
    [
        ("far apart", {"Ana": "red", "Ben": "blue", "Eva": "ivory"}, ("Ana", "Ben", "Eva"), ()),
        ("white and ivory", {"Ana": "white", "Ben": "blue", "Eva": "ivory"}, ("Ben",), ("Ana", "Eva")),
        ("two reds", {"Ana": "red", "Ben": "scarlet"}, (), ("Ana", "Ben")),
        ("all the same", {"Ana": "red", "Ben": "red", "Eva": "red"}, (), ("Ana", "Ben", "Eva")),
        ("nobody", {}, (), ()),
    ],
)
def test_colours_are_learnt_or_refused(why, colours, owners, refused):
    found = learnt(**colours)
    assert tuple(colour.player for colour in found if colour.name) == owners, why
    assert alike(found) == refused, why


def test_a_lamps_shine_does_not_tell_equal_dice_apart():
    shades = [(254, 87, 80), (253, 76, 68), (254, 97, 86), (253, 78, 70), (255, 172, 162)]
    shining = [replace(tinted("red"), rgb=rgb) for rgb in shades]
    duller = [replace(tinted("red"), rgb=rgb) for rgb in [(182, 42, 38), (195, 64, 60), (179, 42, 37)]]
    assert alike(learn_colours({"Ana": shining, "Ben": duller})) == ("Ana", "Ben")


def test_a_reader_without_colours_teaches_nothing():
    assert learn_colours({"Ana": [seen(5, 0.5, 0.5)], "Ben": []}) == ()


@pytest.mark.parametrize(
    ("why", "dice", "one"),
    [
        ("one die", [tinted("red")], True),
        ("some in the shade", [tinted("red", 0.7), tinted("red"), tinted("red", 1.2)], True),
        ("one of another colour", [tinted("red")] * 4 + [tinted("blue")], False),
        ("half of another colour", [tinted("red"), tinted("blue")], False),
    ],
)
def test_one_players_dice_are_of_one_colour(why, dice, one):
    assert of_one_colour(dice) == one, why


def test_two_players_never_share_a_name():
    found = learn_colours({"Ana": [tinted("red", name="pink")], "Ben": [tinted("ivory", name="pink")]})
    assert [colour.name for colour in found] == ["pink (Ana)", "pink (Ben)"]


@pytest.mark.parametrize(
    ("why", "die", "name"),
    [
        ("as it was learnt", tinted("red"), "red"),
        ("called otherwise by the reader", tinted("red", name="pink"), "red"),
        ("in the shade", tinted("red", 0.8), "red"),
        ("brighter", tinted("blue", 1.25), "blue"),
        ("between two colours", replace(tinted("red"), rgb=(110.0, 65.0, 95.0)), ""),
        ("like nobody's", replace(tinted("green"), rgb=(0.0, 220.0, 0.0)), "strange"),
        ("of one of two who look alike", tinted("ivory"), ""),
        ("not measured", replace(tinted("red", name="pink"), rgb=None), "pink"),
    ],
)
def test_a_die_gets_the_name_of_the_colour_it_clearly_has(why, die, name):
    known = learnt(Ana="red", Ben="blue", Eva="white", Dora="ivory")
    assert named(observation([die]), known).dice[0].colour == name, why


BETWEEN: Rgb = (130.0, 55.0, 73.0)
"""Nearer to red than to blue, but not clearly red."""


@pytest.mark.parametrize(
    ("why", "others", "group", "name"),
    [
        ("equal to two red ones", ("red", "red"), 0, "red"),
        ("equal to a red one", ("red",), 0, "red"),
        ("alone", (), 0, ""),
        ("in no group", ("red", "red"), None, ""),
        ("equal to red ones, but beside blue", ("red", "blue"), 0, ""),
        ("equal to what it is farther from", ("blue", "blue"), 0, ""),
    ],
)
def test_a_die_between_two_colours_is_of_the_group_it_leans_to(why, others, group, name):
    die = replace(tinted("red"), rgb=BETWEEN, group=group)
    dice = [die, *(replace(tinted(colour), group=0) for colour in others)]
    assert named(observation(dice), learnt(Ana="red", Ben="blue")).dice[0].colour == name, why


def test_groups_come_with_the_reading_and_stay_with_the_dice():
    die = {"face": 5, "x": 0.5, "y": 0.5, "size": 0.1, "confidence": 1.0, "certain": True, "colour": "red"}
    read = {"width": 640, "height": 480, "dice": [die] * 4, "certain": True, "doubts": []}
    found = Observation.from_json({**read, "groups": [{"dice": [1, 3]}, {"dice": [0]}]})
    assert [d.group for d in found.dice] == [1, 0, None, 0]
    assert Observation.from_json(to_builtins(found)) == found
    assert [d.group for d in Observation.from_json(read).dice] == [None] * 4


@pytest.mark.parametrize(("name", "shown"), [("red", "red"), ("red (Ana)", "red"), ("strange", ""), ("", "")])
def test_only_the_colour_itself_is_shown(name, shown):
    assert plain(name) == shown


def test_nothing_is_renamed_before_anything_was_learnt():
    assert named(observation([tinted("red")]), ()) == observation([tinted("red")])


def landmarks(number: int, seed: int) -> list[Landmark]:
    rng, found = Random(seed), list[Landmark]()
    while len(found) < number:
        z = complex(rng.random(), 0.75 * rng.random())
        if all(abs(z - other.z) > 0.06 for other in found):
            found.append(Landmark(z, 0.05, rng.randint(1, 6)))
    return found


@given(st.integers(5, 20), st.integers(0, 999), st.floats(-0.3, 0.3), st.floats(-0.3, 0.3))
def test_any_shift_is_found(number, seed, x, y):
    old = landmarks(number, seed)
    new = [landmark._replace(z=landmark.z + complex(x, y)) for landmark in old]
    move = align(old, new)
    assert move is not None
    assert pairs(old, new, move) == [(i, i) for i in range(number)] or len(pairs(old, new, move)) == number
    assert all(abs(move(a.z) - b.z) < 0.03 for a, b in zip(old, new, strict=True))


@pytest.mark.parametrize("degrees", [10, 45, 90, 180, 270])
@pytest.mark.parametrize("seed", range(4))
def test_a_turn_is_found(degrees, seed):
    old, turn = landmarks(10, seed), cmath.rect(1.03, math.radians(degrees))
    new = [landmark._replace(z=turn * (landmark.z - 0.5) + 0.5) for landmark in old]
    move = align(old, new)
    assert abs(move.turn - turn) < 0.05


def test_other_dice_are_not_taken_for_those_before():
    found = [align(landmarks(6, seed), landmarks(6, seed + 1000)) for seed in range(40)]
    moved = [move for move in found if move is not None and move != STILL]
    assert len(moved) <= 4, "a chance likeness is rare"


def test_one_die_misread_and_its_neighbour_missed_are_no_turn_of_the_box():
    """With two dice gone, a small rotation would align the ace read as a five with the five beside it."""
    before = ((0.777, 0.632, 1), (0.254, 0.45, 1), (0.477, 0.467, 1), (0.818, 0.382, 5), (0.222, 0.514, 5))
    after = ((0.777, 0.635, 1), (0.239, 0.461, 5), (0.483, 0.462, 1), (0.819, 0.382, 5))
    rest = ((0.22, 0.68, 1), (0.432, 0.634, 3))
    old, new = (
        [Landmark(complex(x, y), 0.05, face) for x, y, face in (*dice, *rest)] for dice in (before, after)
    )
    move = align(old, new)
    assert move.turn == 1
    assert all(abs(move(old[i].z) - old[i].z) < 0.01 for i in range(len(old)))


def test_a_box_pushed_and_turned_a_little_keeps_the_places_of_dice_it_sees_no_longer():
    """Those are still dice of the table: what another place shows must be laid over where they lie."""
    old, turn = landmarks(10, 5), cmath.rect(1, math.radians(5.6))
    moved = [landmark._replace(z=turn * (landmark.z - 0.5) + 0.3) for landmark in old]
    move = align(old, [landmark for landmark in moved if landmark.z.real > 0.05])
    assert move is not None
    assert all(abs(move(a.z) - b.z) < 0.005 for a, b in zip(old, moved, strict=True))


def test_touching_dice_are_matched_one_to_one():
    old = [Landmark(complex(0.05 * k, 0), 0.05, k + 1) for k in range(6)]
    new = [landmark._replace(z=landmark.z + 0.01) for landmark in reversed(old)]
    assert sorted(pairs(old, new)) == [(k, 5 - k) for k in range(6)]


def heap(name: str, dice: list[tuple[float, float, int]], colour: str = "ivory") -> Outlook:
    placed = (
        Landmark(complex(x, y), 0.05, face, f"{name}.{n}", colour) for n, (x, y, face) in enumerate(dice)
    )
    return Outlook(tuple(placed), 0.75)


MIDDLE = [(0.4, 0.3, 5), (0.5, 0.4, 2), (0.6, 0.3, 5), (0.45, 0.5, 6)]
EDGE = [(0.93, 0.3, 5)]


@pytest.mark.parametrize(
    ("why", "one", "other", "suspected", "strong"),
    [
        ("two heaps well inside", heap("a", MIDDLE), heap("b", [(0.3, 0.3, 5), (0.7, 0.5, 3)]), False, False),
        ("one die at the edge of both", heap("a", EDGE), heap("b", [(0.06, 0.4, 5)]), True, False),
        ("other faces", heap("a", EDGE), heap("b", [(0.06, 0.4, 4)]), False, False),
        ("other colours", heap("a", EDGE), heap("b", [(0.06, 0.4, 5)], "red"), False, False),
        ("the same picture twice", heap("a", MIDDLE), heap("b", MIDDLE), True, True),
        ("the box left standing", heap("a", [(0.5, 0.4, 5)]), heap("b", [(0.5, 0.4, 5)]), True, False),
        ("nothing there", heap("a", []), heap("b", MIDDLE), False, False),
    ],
)
def test_overlaps(why, one, other, suspected, strong):
    found = overlaps((one, other))
    assert bool(found) is suspected, why
    assert any(way.strong for way in found) is strong, why


def test_what_a_person_called_two_dice_no_strong_overlap_makes_one():
    uncertain = (0.7, 0.5, 0)
    one, other = heap("a", [*MIDDLE, uncertain]), heap("b", [*MIDDLE, uncertain])
    last = (one.dice[-1].id, other.dice[-1].id)
    (laid,) = overlaps((one, other))
    assert (laid.strong, last in laid.pairs) == (True, True)
    (overlap,) = overlaps((one, other), frozenset({frozenset(last)}))
    assert (overlap.strong, last in overlap.pairs) == (True, False)


def reveal_of(faces: tuple[int, ...], *corrections: Correction, claim: Claim, dice: int) -> RevealState:
    state = with_observation(begin(claim, dice), "all", row(faces))
    for correction in corrections:
        state = with_correction(state, correction)
    return state


FIVES = Claim(Kind.DUDO, 5, 2, wild=True)


@pytest.mark.parametrize(
    ("why", "faces", "corrections", "expected"),
    [
        ("all known", (5, 1, 3), (), Reveal(heap=(5, 1, 3))),
        ("one missing", (5, 1), (), Reveal(heap=(5, 1), unknown=1)),
        ("one too many", (5, 5, 5, 3), (), Reveal(heap=(5, 5), unknown=1)),
        ("struck and added", (5, 1, 3), (Strike("all.3"), Add(2)), Reveal(heap=(5, 1, 2))),
        ("counted by hand", (5,), (ByHand(2),), Reveal(count=2)),
    ],
)
def test_what_the_judge_is_given(why, faces, corrections, expected):
    state = reveal_of(faces, *corrections, claim=FIVES, dice=3)
    given_ = shown(state, assess(state))
    assert (sorted(given_.heap), given_.unknown, given_.count) == (
        sorted(expected.heap),
        expected.unknown,
        expected.count,
    ), why


@pytest.mark.parametrize(
    ("faces", "corrections", "hand"),
    [
        ((2, 2, 2, 5, 5), (), (2, 2, 2, 5, 5)),
        ((1, 1, 2, 3), (), (1, 1, 2, 3)),
        ((2, 2, 5), (ByHand(1),), None),
        ((2, 2, 5), (ByHand(0),), None),
        ((1, 1, 2, 3), (ByHand(1),), None),
    ],
)
def test_the_hand_of_a_pass(faces, corrections, hand):
    state = begin(Claim(Kind.PASS), 5, {"Ana": 5}, None, (PlaceView("Ana", "Ana"),))
    state = with_observation(state, "Ana", row(faces))
    for correction in corrections:
        state = with_correction(state, correction)
    given_ = shown(state, assess(state), "Ana")
    ((name, faces),) = given_.hands
    assert name == "Ana"
    assert len(faces) + given_.unknown == 5
    if hand:
        assert sorted(faces) == sorted(hand)
    elif isinstance(corrections[0], ByHand):
        assert justifies_pass(faces) == bool(corrections[0].count)
