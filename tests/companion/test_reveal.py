"""The reveal by tables: what looks and corrections come to."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.assessing import Assessment, assess
from companion.claims import Claim, Kind
from companion.corrections import (
    Add,
    AllApart,
    ByHand,
    Correction,
    Hand,
    SameDie,
    SetFace,
    SetOwner,
    Strike,
    TwoDice,
    from_json,
    to_json,
)
from companion.errors import BadCommand
from companion.looks import Look, SeenDoubt
from companion.questions import Ask
from companion.reveal import (
    Place,
    RevealState,
    begin,
    confirmed,
    players_plan,
    with_correction,
    with_look,
    without_last,
    without_last_correction,
)
from tests.companion.reveal_table import SIZE, look, row, seen

FIVES = Claim(Kind.DUDO, 5, 4, wild=True)


def dudo(quantity: int) -> Claim:
    return replace(FIVES, quantity=quantity)


def calza(quantity: int) -> Claim:
    return Claim(Kind.CALZA, 5, quantity, wild=True)


def after(state: RevealState, *steps: Look | Correction, place: str = "all") -> RevealState:
    for step in steps:
        state = with_look(state, place, step) if isinstance(step, Look) else with_correction(state, step)
    return state


def keys(found: Assessment) -> set[str]:
    return {problem.key for problem in found.problems}


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
def test_the_interval(
    why: str,
    claim: Claim,
    uncertain: tuple[int, ...],
    interval: tuple[int, int],
    settled: bool,
    early: str,
) -> None:
    found = assess(after(begin(claim, 10), row(TEN, uncertain=uncertain)))
    assert (found.lo, found.hi) == interval, why
    assert (found.settled, found.early) == (settled, early), why
    assert bool(found.questions) != found.settled


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
def test_frames_of_one_place(why: str, frames: list[Look], certain: bool, reasons: tuple[str, ...]) -> None:
    found = assess(after(begin(FIVES, 4), *frames))
    die = min(found.dice, key=lambda d: d.x or 0)
    assert (die.certain, die.why) == (certain, reasons), why


@pytest.mark.parametrize(
    ("why", "shift", "same"),
    [
        ("still", 0.0, True),
        ("a hair", 0.3, True),
        ("half a die", 0.55, True),
        ("two dice", 2.0, True),
    ],
)
def test_a_small_shift_of_the_box_is_followed(why: str, shift: float, same: bool) -> None:
    first = row((5, 3, 2, 6, 1))
    moved = look([replace(d, x=d.x + shift * SIZE, y=d.y + shift * SIZE) for d in first.dice])
    found = assess(after(begin(FIVES, 5), first, moved))
    assert (len(found.dice) == 5) is same, why
    assert (found.lo, found.hi) == (2, 2), why


def test_a_correction_follows_its_die_through_a_shift() -> None:
    first = row((5, 3, 2, 6, 1))
    moved = look([replace(d, x=d.x + 2 * SIZE) for d in first.dice])
    found = assess(after(begin(FIVES, 5), first, SetFace("all.2", 5), moved))
    assert [d.face for d in sorted(found.dice, key=lambda d: d.x or 0)] == [5, 5, 2, 6, 1]
    assert (found.lo, found.hi) == (3, 3)


def test_a_kicked_box_starts_the_place_over() -> None:
    found = assess(after(begin(FIVES, 5), row((5, 3, 2, 6, 1), 0.2), row((3, 3, 3, 2), 0.8)))
    assert len(found.dice) == 4
    assert "moved" not in keys(found)


def test_corrections_lost_in_a_kick_leave_the_place_in_doubt() -> None:
    state = after(begin(dudo(1), 4), row((5, 3, 2, 6), 0.2), SetFace("all.1", 4), row((3, 4, 4, 1), 0.8))
    found = assess(state)
    assert "moved" in keys(found)
    assert not any(die.certain for die in found.dice)
    assert assess(confirmed(state, "all")).settled


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
def test_corrections(why: str, correction: Correction, interval: tuple[int, int]) -> None:
    state = after(begin(FIVES, 10), row(TEN), correction)
    assert (assess(state).lo, assess(state).hi) == interval, why
    again = after(state, row(TEN), row(TEN))
    assert (assess(again).lo, assess(again).hi) == interval, f"{why}, after two more looks"
    assert without_last(state) == after(begin(FIVES, 10), row(TEN))


def test_the_last_correction_is_taken_back_and_later_looks_are_kept() -> None:
    state = after(begin(FIVES, 10), row(TEN), SetFace("all.1", 2), Strike("all.2"), row(TEN))
    back = without_last_correction(state)
    assert (assess(back).lo, assess(back).hi) == (3, 3)
    assert sum(isinstance(step, SetFace) for step in back.steps) == 1
    assert without_last_correction(begin(FIVES, 10)) == begin(FIVES, 10) == without_last(begin(FIVES, 10))


@pytest.mark.parametrize(
    ("why", "correction", "reason"),
    [
        ("unknown die", SetFace("all.99", 3), "unknown_die"),
        ("unknown die struck", Strike("nowhere.1"), "unknown_die"),
        ("no such face", SetFace("all.1", 7), "bad_face"),
        ("no such face in a hand", Hand("Ana", (1, 0)), "bad_face"),
        ("unknown place", Add(3, "attic", 0.5, 0.5), "unknown_place"),
        ("half a position", Add(3, "all", 0.5), "correction_unreadable"),
        ("negative count", ByHand(-1), "bad_quantity"),
        ("one die twice", SameDie("all.1", "all.1"), "unknown_die"),
        ("unknown twin", TwoDice("all.1", "all.99"), "unknown_die"),
    ],
)
def test_corrections_that_make_no_sense_change_nothing(why: str, correction: Correction, reason: str) -> None:
    state = after(begin(FIVES, 10), row(TEN))
    with pytest.raises(BadCommand) as refused:
        with_correction(state, correction)
    assert refused.value.reason == reason, why


@pytest.mark.parametrize(
    "correction",
    [
        SetFace("all.1", 3),
        Strike("all.1"),
        SetOwner("all.1", "Ana"),
        Add(3, "all", 0.5, 0.25),
        Add(6, player="Ana"),
        Hand("Ana", (1, 2, 3)),
        SameDie("a.1", "b.1"),
        TwoDice("a.1", "b.1"),
        AllApart(),
        ByHand(4),
    ],
)
def test_corrections_survive_json(correction: Correction) -> None:
    assert from_json(to_json(correction)) == correction


@pytest.mark.parametrize(
    "data", [{}, {"kind": "guess"}, {"kind": "strike"}, {"kind": "set_face", "die": "a", "face": "5"}]
)
def test_unreadable_corrections_are_refused(data: dict[str, object]) -> None:
    with pytest.raises(BadCommand):
        from_json(data)


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
        ("doubt on a die", TEN, (SeenDoubt("glare", 0.05, 0.5, SIZE),), (3, 4), set()),
        ("doubt on a region", TEN, (SeenDoubt("dark", 0.05, 0.5, 0.25),), (2, 4), set()),
        ("doubt on the whole", TEN, (SeenDoubt("blurred"),), (0, 10), {"look_uncertain"}),
        ("a wrong count alone harms nothing", TEN, (SeenDoubt("count"),), (4, 4), set()),
    ],
)
def test_numbers_and_doubts(
    why: str,
    faces: tuple[int, ...],
    doubts: tuple[SeenDoubt, ...],
    interval: tuple[int, int],
    problems: set[str],
) -> None:
    found = assess(after(begin(dudo(4), 10), replace(row(faces), certain=not doubts, doubts=doubts)))
    assert (found.lo, found.hi) == interval, why
    assert keys(found) == problems, why


def test_a_look_without_reasons_that_is_not_certain_is_not_believed() -> None:
    found = assess(after(begin(FIVES, 10), replace(row(TEN), certain=False)))
    assert (found.lo, found.hi) == (0, 10)


COLOURS = {"Ana": "red", "Ben": ("white", "ivory")}


def coloured(reds: tuple[int, ...], whites: tuple[int, ...], **more: object) -> Look:
    gap = 0.9 / 5
    mine = [seen(f, 0.05 + gap * i, 0.2, colour="red", **more) for i, f in enumerate(reds)]
    yours = [seen(f, 0.05 + gap * i, 0.8, colour="ivory") for i, f in enumerate(whites)]
    return look(mine + yours)


@pytest.mark.parametrize(
    ("why", "reds", "whites", "interval", "problems"),
    [
        ("as it should be", (5, 5, 2), (1, 3, 4), (3, 3), set()),
        ("one red too many", (5, 5, 2, 5), (1, 3, 4), (3, 4), {"player_too_many"}),
        ("one white too few", (5, 5, 2), (1, 3), (3, 4), {"player_too_few"}),
        ("full in all, but not of each", (5, 5, 2, 5), (1, 3), (3, 5), {"player_too_many", "player_too_few"}),
    ],
)
def test_owners_by_colour(
    why: str, reds: tuple[int, ...], whites: tuple[int, ...], interval: tuple[int, int], problems: set[str]
) -> None:
    state = begin(FIVES, 6, {"Ana": 3, "Ben": 3}, COLOURS)
    found = assess(after(state, coloured(reds, whites)))
    assert (found.lo, found.hi) == interval, why
    assert keys(found) == problems, why
    assert found.hands == (("Ana", reds), ("Ben", whites))


def test_a_die_of_somebody_out_of_the_game_is_set_aside_and_named() -> None:
    state = begin(FIVES, 3, {"Ana": 3, "Ben": 0}, COLOURS)
    found = assess(after(state, coloured((5, 5, 2), (5,))))
    assert (found.lo, found.hi) == (2, 2)
    assert keys(found) == {"stray"}


def test_a_misread_owner_is_put_right_by_hand() -> None:
    state = after(begin(FIVES, 6, {"Ana": 3, "Ben": 3}, COLOURS), coloured((5, 5, 2, 5), (1, 3)))
    found = assess(after(state, SetOwner("all.4", "Ben")))
    assert (found.lo, found.hi, found.settled) == (4, 4, True)


@pytest.mark.parametrize(
    ("why", "begun"),
    [
        ("numbers do not add up", lambda: begin(FIVES, 7, {"Ana": 3, "Ben": 3})),
        ("one colour of two players", lambda: begin(FIVES, 6, None, {"Ana": "red", "Ben": ("red", "pink")})),
        ("two places of one name", lambda: begin(FIVES, 6, None, None, (Place("a"), Place("a")))),
        ("fewer than no dice", lambda: begin(FIVES, -1)),
    ],
)
def test_a_reveal_that_cannot_be_is_refused(why: str, begun: object) -> None:
    with pytest.raises(ValueError, match=r".+"):
        begun()  # type: ignore[operator]
    assert why


def test_players_are_looked_at_one_after_the_other() -> None:
    state = begin(dudo(5), 6, {"Ana": 3, "Ben": 3}, None, players_plan(("Ben", "Ana")))
    assert assess(state).next_place == "Ben"
    state = with_look(state, "Ben", row((5, 5, 2)))
    halfway = assess(state)
    assert (halfway.next_place, halfway.lo, halfway.hi, halfway.settled) == ("Ana", 2, 5, False)
    assert keys(halfway) == {"unread_place", "player_too_few"}
    assert not halfway.questions, "a place nobody looked at is looked at before anybody is asked"
    found = assess(with_look(state, "Ana", row((1, 1, 3))))
    assert (found.lo, found.hi, found.next_place) == (4, 4, None)
    assert found.hands == (("Ana", (1, 1, 3)), ("Ben", (5, 5, 2)))


def test_an_early_verdict_needs_no_further_place() -> None:
    state = begin(dudo(2), 6, {"Ana": 3, "Ben": 3}, None, players_plan(("Ben", "Ana")))
    found = assess(with_look(state, "Ben", row((5, 5, 2))))
    assert (found.settled, found.early) == (True, "enough")


def test_dice_rolled_in_the_phone_are_certain_and_replaced_by_a_new_hand() -> None:
    state = begin(FIVES, 6, {"Ana": 3, "Ben": 3}, None, (Place("Ana", "Ana"),))
    state = after(state, Hand("Ben", (5, 5, 5)), Hand("Ben", (1, 2, 3)))
    state = with_look(state, "Ana", row((5, 6, 6)))
    found = assess(state)
    assert (found.lo, found.hi) == (2, 2)
    assert dict(found.hands)["Ben"] == (1, 2, 3)


def overlapping(shared: int) -> tuple[Look, Look]:
    """Two looks at a row of dice, of which the last `shared` of the first begin the second."""
    faces, gap = (5, 2, 3, 5, 6, 4, 1, 2, 5, 3), 0.1
    first = look([seen(f, 0.45 + gap * i, 0.5, angle=10.0) for i, f in enumerate(faces[:5])])
    rest = faces[5 - shared :]
    return first, look([seen(f, 0.05 + gap * i, 0.5, angle=10.0) for i, f in enumerate(rest)])


@pytest.mark.parametrize("shared", [3, 4])
def test_dice_in_two_overlapping_looks_count_once(shared: int) -> None:
    one, two = overlapping(shared)
    state = with_look(with_look(begin(dudo(4), 10, plan=()), "left", one), "right", two)
    found = assess(state)
    assert (found.lo, found.hi) == (4, 4)
    assert sum(d.twin is not None for d in found.dice) == shared
    assert keys(found) == {"seen_twice"}


def test_one_shared_die_is_asked_about() -> None:
    one, two = overlapping(2)
    state = with_look(with_look(begin(dudo(4), 10, plan=()), "left", one), "right", two)
    found = assess(state)
    assert not found.settled
    assert found.lo <= 4 <= found.hi
    question = found.questions[0]
    assert question.ask is Ask.SAME
    same = with_correction(state, SameDie(question.die or "", question.other or ""))
    assert (assess(same).lo, assess(same).hi) == (4, 4)


def test_a_full_count_may_hide_a_die_seen_twice() -> None:
    """One die is lost and another lies in both pictures: ten are seen, and that is no proof."""
    one, two = overlapping(1)
    state = with_look(with_look(begin(dudo(5), 10, plan=()), "left", one), "right", look(two.dice[:-1]))
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
def test_a_called_pass(
    why: str, faces: tuple[int, ...], uncertain: tuple[int, ...], interval: tuple[int, int]
) -> None:
    state = begin(Claim(Kind.PASS), 5, {"Ana": 5}, None, (Place("Ana", "Ana"),))
    found = assess(with_look(state, "Ana", row(faces, uncertain=uncertain)))
    assert (found.lo, found.hi) == interval, why
    assert found.settled == (interval[0] == interval[1])


def test_a_roll_off_by_colours_and_by_hand() -> None:
    state = begin(Claim(Kind.ROLL), 2, {"Ana": 1, "Ben": 1}, COLOURS)
    state = with_look(state, "all", coloured((6,), ()))
    assert not assess(state).settled
    found = assess(with_correction(state, Add(3, player="Ben")))
    assert found.settled
    assert found.hands == (("Ana", (6,)), ("Ben", (3,)))


def test_the_most_decisive_die_is_asked_about_first() -> None:
    dice = [
        seen(5, 0.1, 0.2, certain=False, confidence=0.3),
        seen(5, 0.3, 0.2, certain=False, confidence=0.9),
        seen(2, 0.5, 0.2, certain=False, confidence=0.9),
        *row((5, 5, 5, 2, 3, 4, 6), 0.7).dice,
    ]
    needs_one = assess(with_look(begin(dudo(4), 10), "all", look(dice))).questions
    assert needs_one[0].x == pytest.approx(0.3), "one more five settles it: the likeliest five first"
    needs_all = assess(with_look(begin(dudo(6), 10), "all", look(dice))).questions
    assert needs_all[0].x == pytest.approx(0.5), "one that is no five settles it: the least likely first"
    assert needs_one[0].faces[0] == 5
    assert sorted(needs_one[0].faces) == [1, 2, 3, 4, 5, 6]
    assert needs_one[0].picture == "picture"


def test_a_missing_die_is_asked_about_by_its_owner() -> None:
    state = begin(dudo(3), 6, {"Ana": 3, "Ben": 3}, COLOURS)
    found = assess(after(state, coloured((5, 5, 2), (2, 3))))
    assert [(q.ask, q.player) for q in found.questions] == [(Ask.MISSING, "Ben")]
    assert assess(after(state, coloured((5, 5, 2), (2, 3)), Add(1, player="Ben"))).settled
