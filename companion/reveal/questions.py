"""Which question to ask first, and which dice one tap may answer for.

Open dice are asked about in the order in which verdicts settle soonest. "At least k of n dice match" is a
k-out-of-n system. The cheapest test on average is the k-th likeliest die to match: it is among the k
likeliest to match and among the n - k + 1 likeliest not to. Source: Ben-Dov, "Optimal testing procedures
for special structures of coherent systems", Management Science 27, 1981.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import groupby

from companion.reveal.claims import Claim, Kind, Tally
from companion.reveal.layout import Overlap, Pair
from companion.reveal.revealed import RevealedDie, missing_by_player, open_dice, unlooked, unseen_dice
from companion.reveal.state import RevealState

MAX_MARKED = 6
"""So many dice are seen side by side on a phone."""

EVEN = 0.5
"""Minimum probability that all marks are right: else the dice are asked about one by one."""

Settles = Callable[[Sequence[RevealedDie]], bool]
"""Whether the verdict is settled with these dice."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A die and the face it is taken for, 0 for no die; `chance` is the probability that this is right."""

    die: str
    face: int
    chance: float


def mark_of(die: RevealedDie) -> Mark | None:
    """What an uncertain die most likely is; None where nothing tells."""
    there = sum(die.chances)
    if die.chances and there < EVEN:
        return Mark(die.id, 0, 1 - there)
    if not die.face:
        return None
    return Mark(die.id, die.face, die.chances[die.face - 1] if die.chances else die.confidence)


def confirmed(claim: Claim, dice: Iterable[RevealedDie], marks: Iterable[Mark]) -> tuple[RevealedDie, ...]:
    """The dice as they are once a person confirms these marks."""
    faces = {mark.die: mark.face for mark in marks}
    return tuple(_confirmed(claim, die, faces[die.id]) if die.id in faces else die for die in dice)


def _confirmed(claim: Claim, die: RevealedDie, face: int) -> RevealedDie:
    chances = tuple(float(face == one) for one in range(1, 7))
    shown = replace(die, certain=True, by_hand=True, confidence=1.0, why=())
    if not face:
        return replace(shown, struck=True, matches=False)
    return replace(shown, face=face, matches=claim.matches(face), chances=chances)


def together(
    claim: Claim, dice: Sequence[RevealedDie], order: Sequence[RevealedDie], settles: Settles
) -> tuple[Mark, ...]:
    """The first dice in the order of asking that settle the verdict if all are what they seem.

    One that settles it alone is taken first, the surest of these. No more than are all right more often than
    not; () where the first is none of these.
    """
    marks = []
    for mark in map(mark_of, order[:MAX_MARKED]):
        if mark is None:
            break
        marks.append(mark)
    alone = [mark for mark in marks if settles(confirmed(claim, dice, [mark]))]
    if alone:
        return (max(alone, key=lambda mark: mark.chance),)
    right, taken = 1.0, list[Mark]()
    for mark in marks:
        right *= mark.chance
        if right < EVEN:
            break
        taken.append(mark)
        if len(taken) > 1 and settles(confirmed(claim, dice, taken)):
            break
    return tuple(taken)


MAX_PAIRS = 4
"""So many pairs of dice are seen side by side on a phone."""


class Ask(StrEnum):
    """The kind of a question: a face; what an unread body is; a die not seen at all; one die too many; one
    die seen twice; whether several dice are what they seem."""

    FACE = "face"
    UNREAD = "unread"
    MISSING = "missing"
    EXTRA = "extra"
    SAME = "same"
    MARKED = "marked"


@dataclass(frozen=True, slots=True)
class Question:
    """One question about a die that matters.

    The answers are corrections: SetFace, Strike or CutOff of `die`; for one too many SetOwner too; for a
    missing die Add; for the same die SameDie or TwoDice of `die` and `other`, or AllApart. `faces` come
    likeliest first, all six. `chance` is how likely the die counts for the bid.

    One tap may answer for several dice (`Several`), of which `die` is the first. `marked` ones are all what
    they are taken for, or none of them is one too many. `pairs` are all two dice, or one is one die.
    """

    ask: Ask
    die: str | None = None
    other: str | None = None
    place: str | None = None
    x: float | None = None
    y: float | None = None
    size: float = 0.0
    player: str | None = None
    faces: tuple[int, ...] = (1, 2, 3, 4, 5, 6)
    chance: float = 0.0
    marked: tuple[Mark, ...] = ()
    pairs: tuple[Pair, ...] = ()


def questions(
    state: RevealState,
    dice: Sequence[RevealedDie],
    counted: Tally,
    shared: Sequence[Overlap],
    lo: int,
    hi: int,
    settles: Settles,
) -> tuple[Question, ...]:
    """All questions that matter to an unsettled claim, the most decisive first; `settles` says what of dice
    as they would be after an answer.

    Dice counted too often come before unread ones, since they decide how many are still open.
    """
    askable = open_dice(state, dice) if counted.unknown or counted.swaps else []
    open_ = [_face(state.claim, d) for d in askable]
    open_ += _missing(state, dice, counted)
    shared = () if unlooked(state, dice) else shared  # the next place may decide without it
    by_hand = [d for d in dice if d.by_hand]  # asked about when nothing else is left to ask
    twice = (*_same(dice, shared), *_too_many(state, [d for d in dice if not d.by_hand], counted))
    ordered = _ordered(state.claim, open_, lo, hi)
    first = (*twice, *(ordered if twice else _first_together(state, dice, ordered, settles)))
    return first or tuple(_too_many(state, by_hand, counted))


def _first_together(
    state: RevealState, dice: Sequence[RevealedDie], ordered: list[Question], settles: Settles
) -> list[Question]:
    """The questions with the dice first that settle the verdict when they are what they seem: one, or several
    in one question: of one place, for the pictures of two may show one die twice."""
    known = {die.id: die for die in dice}
    if not ordered or not ordered[0].die:
        return ordered
    place = known[ordered[0].die].place
    order = [known[q.die] for q in ordered if q.die and known[q.die].place == place]
    marks = together(state.claim, dice, order, settles)
    if not marks:
        return ordered
    first = next(q for q in ordered if q.die == marks[0].die)
    rest = [q for q in ordered if q.die is None or q.die not in {mark.die for mark in marks}]
    return [replace(first, ask=Ask.MARKED, marked=marks) if len(marks) > 1 else first, *rest]


def _face(claim: Claim, die: RevealedDie) -> Question:
    others = tuple(face for face in range(1, 7) if face not in die.faces)
    return _about(die, Ask.FACE if die.face else Ask.UNREAD, die.faces + others, _chance(claim, die))


def _about(die: RevealedDie, ask: Ask, faces: tuple[int, ...], chance: float) -> Question:
    return Question(ask, die.id, None, die.place, die.x, die.y, die.size, die.owner, faces, chance)


def _chance(claim: Claim, die: RevealedDie) -> float:
    """How likely an uncertain die matches. Without probabilities its confidence is on the likeliest face, and
    the rest on the others alike."""
    if not die.chances and not die.face:
        return claim.chance
    other = (1 - die.confidence) / 5
    plain = (die.confidence if face == die.face else other for face in range(1, 7))
    chances = enumerate(die.chances or plain, 1)
    return sum(chance for face, chance in chances if claim.matches(face))


def _missing(state: RevealState, dice: Sequence[RevealedDie], counted: Tally) -> list[Question]:
    """One question for each die nobody has seen, once every planned place was looked at."""
    unseen = unseen_dice(state, dice, counted)
    if not unseen or unlooked(state, dice):
        return []
    names: list[str | None] = [p for p, number in missing_by_player(state, dice) for _ in range(number)]
    if len(names) != unseen:
        names = [None] * unseen
    return [Question(Ask.MISSING, player=name, chance=state.claim.chance) for name in names]


def _too_many(state: RevealState, dice: Sequence[RevealedDie], counted: Tally) -> list[Question]:
    """Dice of which some are one too many: of players with a surplus, those that count for the bid first."""
    if not counted.excess:
        return []
    players = {player for player, _ in counted.surplus}
    whole = counted.excess > sum(number for _, number in counted.surplus)
    shown = [d for d in dice if d.certain and d.counted]
    suspects = [
        d for d in shown if d.owner in players or (whole and (d.owner is None or not state.by_player))
    ]
    suspects.sort(key=lambda d: (not d.matches, d.owner or "", d.confidence))
    groups = [list(some) for _, some in groupby(suspects, key=lambda d: (d.matches, d.owner))]
    return [
        _suspected(some[at : at + MAX_MARKED]) for some in groups for at in range(0, len(some), MAX_MARKED)
    ]


def _suspected(dice: Sequence[RevealedDie]) -> Question:
    """Which of these is one too many."""
    first, marks = dice[0], tuple(Mark(d.id, d.face, d.confidence) for d in dice)
    asked = _about(first, Ask.EXTRA, first.faces, first.confidence * first.matches)
    return replace(asked, marked=marks)


def _same(dice: Sequence[RevealedDie], shared: Sequence[Overlap]) -> list[Question]:
    """Pairs that may be one die: those borne out by most dice first, then those that count for the bid."""
    known = {d.id: d for d in dice}
    weight: dict[tuple[str, str], int] = {}
    for overlap in shared:
        for pair in overlap.pairs:
            weight[pair] = max(weight.get(pair, 0), len(overlap.pairs))
    order = sorted(weight, key=lambda pair: (-weight[pair], not known[pair[0]].matches, pair))
    return [
        _pair(known[order[at][0]], tuple(order[at : at + MAX_PAIRS]))
        for at in range(0, len(order), MAX_PAIRS)
    ]


def _pair(first: RevealedDie, pairs: tuple[Pair, ...]) -> Question:
    asked = _about(first, Ask.SAME, first.faces, float(first.matches))
    return replace(asked, other=pairs[0][1], pairs=pairs)


def _ordered(claim: Claim, open_: list[Question], lo: int, hi: int) -> list[Question]:
    """The open dice in the order of asking, as if every answer were the expected one."""
    left, order = list(open_), []
    needed = _needed(claim, left, lo, hi)
    while left:
        best = _next(left, max(1, min(needed, len(left))))
        left.remove(best)
        order.append(best)
        needed -= best.chance >= 0.5
    return order


def _needed(claim: Claim, open_: Sequence[Question], lo: int, hi: int) -> int:
    """How many open dice must match to settle: as the bid says, for calza one more if that is likelier."""
    if claim.kind is Kind.CALZA and sum(q.chance for q in open_) + lo > claim.quantity:
        return claim.quantity + 1 - lo
    return claim.quantity - lo


def _next(open_: Sequence[Question], needed: int) -> Question:
    """The die to ask about; a die one can see rather than one that must be looked for."""
    best = sorted(open_, key=lambda q: -q.chance)[needed - 1].chance
    return min((q for q in open_ if q.chance == best), key=lambda q: q.ask is Ask.MISSING)
