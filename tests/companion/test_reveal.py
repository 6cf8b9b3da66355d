"""The reveal in tables of cases: the result of observations and corrections."""

from dataclasses import replace

import pytest

from companion.errors import BadCommand
from companion.reveal.assessing import assess
from companion.reveal.claims import Claim, Kind
from companion.reveal.corrections import Add, AsRead, ByHand, CutOff, Hand, SameDie, SetFace, Strike, TwoDice
from companion.reveal.observations import Observation, SeenDoubt
from companion.reveal.state import with_correction
from tests.companion.begun_reveals import begin
from tests.companion.reveal_table import FIVES, SIZE, after, dudo, keys, observation, row, seen
from tests.refusals import refused


def calza(quantity: int) -> Claim:
    return Claim(Kind.CALZA, 5, quantity, wild=True)


TEN = (5, 5, 1, 5, 2, 3, 4, 6, 6, 2)
"""Four match with wild aces."""


@pytest.mark.parametrize(
    ("why", "claim", "uncertain", "interval", "settled", "early"),
    [
        ("all certain: exact", dudo(4), (), (4, 4), True, ""),
        ("enough already", dudo(3), (4, 5), (4, 6), True, "enough"),
        ("cannot be reached any more", dudo(7), (4, 5), (4, 6), True, "short"),
        ("one of two could do it", dudo(5), (4, 5), (4, 6), False, ""),
        ("an uncertain match does not count", dudo(4), (0,), (3, 4), False, ""),
        ("nothing known", dudo(4), tuple(range(10)), (0, 10), False, ""),
        ("calza exact", calza(4), (), (4, 4), True, ""),
        ("calza above", calza(3), (4,), (4, 5), True, "enough"),
        ("calza below", calza(6), (4,), (4, 5), True, "short"),
        ("calza still open at the top", calza(5), (4,), (4, 5), False, ""),
        ("calza still open at the bottom", calza(4), (4,), (4, 5), False, ""),
        ("aces not wild", replace(dudo(3), wild=False), (), (3, 3), True, ""),
        ("aces bid", Claim(Kind.DUDO, 1, 1, wild=False), (), (1, 1), True, ""),
    ],
)
def test_the_interval(why, claim, uncertain, interval, settled, early):
    found = assess(after(begin(claim, 10), row(TEN, uncertain=uncertain)))
    assert (found.lo, found.hi) == interval, why
    assert (found.settled, found.early) == (settled, early), why
    assert bool(found.questions) != found.settled


@pytest.mark.parametrize(
    ("why", "claim", "dice", "corrections", "settled"),
    [
        ("all are seen: none is a stranger", dudo(4), 10, (), True),
        ("one is unseen: one that matches may be nobody's", dudo(4), 11, (), False),
        ("more than enough, even without a stranger", dudo(3), 11, (), True),
        ("one is unseen: one that does not match may be nobody's", dudo(6), 11, (), False),
        ("too few, even with another die for a stranger", dudo(7), 11, (), True),
        ("a person spoke for those that match", dudo(4), 11, (AsRead("all"),), True),
        ("a person entered the unseen one", dudo(4), 11, (Add(3),), True),
        ("a person counted", dudo(4), 11, (ByHand(4),), True),
    ],
)
def test_one_stranger_decides_nothing_as_long_as_a_die_is_unseen(why, claim, dice, corrections, settled):
    found = assess(after(begin(claim, dice), row(TEN), *corrections))
    assert found.settled == settled, why
    assert bool(found.questions) != found.settled, why


@pytest.mark.parametrize(
    ("why", "frames", "certain", "reasons"),
    [
        ("one certain frame", [row([5])], True, ()),
        ("one uncertain frame", [row([5], uncertain=[0])], False, ("uncertain",)),
        ("frames agree", [row([5]), row([5]), row([5])], True, ()),
        ("frames disagree", [row([5]), row([3])], False, ("frames_disagree",)),
        ("one certain frame against many", [row([5])] * 4 + [row([3])], False, ("frames_disagree",)),
        ("a passing shadow", [row([5]), row([3], uncertain=[0]), row([5])], True, ()),
        ("a shadow as long as the light", [row([5]), row([3], uncertain=[0])], False, ("frames_disagree",)),
        ("mostly uncertain", [row([5]), row([5], uncertain=[0])], False, ("uncertain",)),
        ("mostly certain", [row([5]), row([5], uncertain=[0]), row([5])], True, ()),
        ("flickers up once", [row([5, 0, 0, 2]), row([0, 0, 0, 2])], False, ("not_always_seen",)),
        ("appears once", [row([0, 0, 0, 2]), row([5, 0, 0, 2])], False, ("not_always_seen",)),
        ("cup lifted late", [row([0, 0, 0, 2]), *[row([5, 0, 0, 2])] * 2], True, ()),
        ("a hand passed", [row([5, 0, 0, 2]), row([0, 0, 0, 2]), row([5, 0, 0, 2])], True, ()),
        ("an empty frame tells nothing", [row([5]), row([])], True, ()),
    ],
)
def test_frames_of_one_place(why, frames, certain, reasons):
    found = assess(after(begin(FIVES, 4), *frames))
    die = min(found.dice, key=lambda d: d.x or 0)
    assert (die.certain, die.why) == (certain, reasons), why


@pytest.mark.parametrize("shift", [0.0, 0.3, 0.55, 2.0])
def test_a_small_shift_of_the_box_is_followed(shift):
    first = row((5, 3, 2, 6, 1))
    moved = observation([replace(d, x=d.x + shift * SIZE, y=d.y + shift * SIZE) for d in first.dice])
    found = assess(after(begin(FIVES, 5), first, moved))
    assert len(found.dice) == 5, "in sizes of a die"
    assert (found.lo, found.hi) == (2, 2)


def test_a_correction_follows_its_die_through_a_shift():
    first = row((5, 3, 2, 6, 1))
    moved = observation([replace(d, x=d.x + 2 * SIZE) for d in first.dice])
    found = assess(after(begin(FIVES, 5), first, SetFace("all.2", 5), moved))
    assert [d.face for d in sorted(found.dice, key=lambda d: d.x or 0)] == [5, 5, 2, 6, 1]
    assert (found.lo, found.hi) == (3, 3)


def test_a_kicked_box_starts_the_place_over():
    found = assess(after(begin(FIVES, 5), row((5, 3, 2, 6, 1), 0.2), row((3, 3, 3, 2), 0.8)))
    assert len(found.dice) == 4
    assert "moved" not in keys(found)


def test_corrections_lost_in_a_kick_leave_the_place_in_doubt():
    state = after(begin(dudo(1), 4), row((5, 3, 2, 6), 0.2), SetFace("all.1", 4), row((3, 4, 4, 1), 0.8))
    found = assess(state)
    assert "moved" in keys(found)
    assert not any(die.certain for die in found.dice)
    assert assess(after(state, AsRead("all"))).settled


@pytest.mark.parametrize(
    ("why", "correction", "interval"),
    [
        ("a face changed", SetFace("all.1", 2), (3, 3)),
        ("struck out: one is missing", Strike("all.1"), (3, 4)),
        ("one added: one too many", Add(5), (4, 5)),
        ("one added over another", Add(2, "all", 0.05, 0.5), (3, 3)),
        ("one added elsewhere", Add(5, "all", 0.5, 0.9), (4, 5)),
        ("counted by hand", ByHand(7), (7, 7)),
        ("confirmed", SetFace("all.1", 5), (4, 4)),
    ],
)
def test_corrections(why, correction, interval):
    state = after(begin(FIVES, 10), row(TEN), correction)
    assert (assess(state).lo, assess(state).hi) == interval, why
    again = after(state, row(TEN), row(TEN))
    assert (assess(again).lo, assess(again).hi) == interval, f"{why}, after two more looks"


def at_the_border(face: int, shift: float = 0.0) -> Observation:
    """Four dice, the first cut by the left border of the picture as long as nothing is shifted."""
    faces = ((face, 0.02), (5, 0.3), (2, 0.5), (1, 0.7))
    return observation([seen(f, x + shift, 0.5) for f, x in faces])


@pytest.mark.parametrize(
    ("why", "steps", "interval"),
    [
        ("it is still missing", (), (2, 3)),
        ("it lies as it lay", (at_the_border(5), at_the_border(5)), (2, 3)),
        ("seen whole once, it is a newcomer", (at_the_border(2, 0.06),), (2, 3)),
        ("seen whole twice, it counts as it is", (at_the_border(2, 0.06), at_the_border(2, 0.06)), (2, 2)),
        ("seen whole, it may be what it seemed", (at_the_border(5, 0.06), at_the_border(5, 0.06)), (3, 3)),
        ("a person says what it shows", (SetFace("all.1", 5),), (3, 3)),
        ("no die after all stays none", (Strike("all.1"), *[at_the_border(5, 0.06)] * 2), (2, 3)),
    ],
)
def test_a_die_cut_off_is_missing_until_it_is_seen_whole(why, steps, interval):
    state = after(begin(FIVES, 4), at_the_border(5), CutOff("all.1"))
    assert (assess(state).lo, assess(state).hi) == (2, 3)
    found = assess(after(state, *steps))
    assert (found.lo, found.hi) == interval, why


@pytest.mark.parametrize(
    ("then", "interval", "reason"),
    [
        ((), (3, 4), "cut off after all: it counts as not seen"),
        ((SetFace("all.4", 5),), (4, 4), "and yet it shows a five"),
    ],
)
def test_a_die_that_a_person_added_may_be_cut_off(then, interval, reason):
    state = after(begin(FIVES, 4), row((5, 5, 1)), Add(5, "all", 0.9, 0.9), CutOff("all.4"), *then)
    found = assess(state)
    assert (found.lo, found.hi) == interval, reason


PART = observation(
    [seen(f, x, 0.5) for f, x in ((5, 0.3), (2, 0.5), (1, 0.7))], [SeenDoubt("cut_off", 0.02, 0.5, SIZE)]
)
"""Three dice, two of them fives or aces, and the part of a fourth that the left border leaves."""


@pytest.mark.parametrize(
    ("why", "expected", "steps", "interval"),
    [
        ("the fourth is missing", 4, (), (2, 3)),
        ("nobody waits for it: all three are there", 3, (), (2, 2)),
        ("it lies as it lay", 4, (PART, PART), (2, 3)),
        ("read after all, once", 4, (at_the_border(5),), (2, 3)),
        ("read after all, twice", 4, (at_the_border(5), at_the_border(5)), (3, 3)),
        ("seen whole twice", 4, (at_the_border(2, 0.06), at_the_border(2, 0.06)), (2, 2)),
        ("a person says what it shows", 4, (SetFace("all.4", 5),), (3, 3)),
        ("a person says it is none, another is missing", 4, (Strike("all.4"),), (2, 3)),
    ],
)
def test_a_part_of_a_die_at_the_border_is_missing_until_it_is_read(why, expected, steps, interval):
    state = after(begin(FIVES, expected), PART)
    assert assess(state).dice[3].struck, "a part of a die is not counted"
    found = assess(after(state, *steps))
    assert (found.lo, found.hi) == interval, why


def test_everything_read_in_a_place_is_believed_with_one_tap():
    doubtful = row(TEN, uncertain=range(10))
    state = after(begin(dudo(4), 10), doubtful, Strike("all.2"), AsRead("all"))
    found = assess(state)
    assert [d.certain for d in found.dice] == [True] * 10
    assert (found.lo, found.hi, sum(d.struck for d in found.dice)) == (3, 4, 1)


@pytest.mark.parametrize(
    ("why", "correction", "reason"),
    [
        ("unknown die", SetFace("all.99", 3), "unknown_die"),
        ("unknown die struck", Strike("nowhere.1"), "unknown_die"),
        ("unknown die cut off", CutOff("all.99"), "unknown_die"),
        ("no such face", SetFace("all.1", 7), "bad_face"),
        ("no such face in a hand", Hand("Ana", (1, 0)), "bad_face"),
        ("unknown place", Add(3, "attic", 0.5, 0.5), "unknown_place"),
        ("all as read nowhere", AsRead("attic"), "unknown_place"),
        ("half a position", Add(3, "all", 0.5), "correction_unreadable"),
        ("negative count", ByHand(-1), "bad_quantity"),
        ("one die twice", SameDie("all.1", "all.1"), "unknown_die"),
        ("unknown twin", TwoDice("all.1", "all.99"), "unknown_die"),
    ],
)
def test_corrections_that_make_no_sense_change_nothing(why, correction, reason):
    state = after(begin(FIVES, 10), row(TEN))
    with refused(reason, BadCommand, why=why):
        with_correction(state, correction)


def unread(x: float, y: float = 0.9) -> SeenDoubt:
    return SeenDoubt("die_like", x, y, SIZE)


@pytest.mark.parametrize(
    ("why", "faces", "doubts", "interval", "problems"),
    [
        ("too few", TEN[:9], (), (4, 5), {"too_few"}),
        ("too many", (*TEN, 5), (), (4, 5), {"too_many"}),
        ("too many, none of the extra matters", (*TEN, 2), (), (3, 4), {"too_many"}),
        ("an unread body may be the missing die", TEN[:9], (unread(0.5),), (4, 5), set()),
        ("an unread body beside a full count may be the real one", TEN, (unread(0.5),), (3, 5), set()),
        ("three pips of one unread die are one body", TEN[:9], (unread(0.5), unread(0.51)), (4, 5), set()),
        ("doubt on a die", TEN, (SeenDoubt("die_like", 0.05, 0.5, SIZE),), (3, 4), set()),
        ("doubt on a region", TEN, (SeenDoubt("dark", 0.05, 0.5, 0.25),), (2, 4), set()),
        ("doubt on the whole", TEN, (SeenDoubt("blurred"),), (0, 10), {"look_uncertain"}),
        ("a wrong count alone harms nothing", TEN, (SeenDoubt("count"),), (4, 4), set()),
    ],
)
def test_numbers_and_doubts(why, faces, doubts, interval, problems):
    found = assess(after(begin(dudo(4), 10), replace(row(faces), certain=not doubts, doubts=doubts)))
    assert (found.lo, found.hi) == interval, why
    assert keys(found) == problems, why


def test_an_observation_without_reasons_that_is_not_certain_is_not_believed():
    found = assess(after(begin(FIVES, 10), replace(row(TEN), certain=False)))
    assert (found.lo, found.hi) == (0, 10)
