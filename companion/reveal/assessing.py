"""Assesses a reveal at this moment: the interval, whether it is settled, what is worth asking, and whether it
was seen enough. Makes the judge's input of a settled one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations, combinations_with_replacement

from msgspec import Struct

from companion.reveal.claims import Doubles, Kind, Seen, Settled, Tally, tally
from companion.reveal.claims import settled as plain_rule
from companion.reveal.layout import Overlap, counted_once, places_of, ways
from companion.reveal.questions import Question, questions
from companion.reveal.revealed import (
    Problem,
    RevealedDie,
    concerns,
    next_place,
    problems,
    revealed,
    unseen_dice,
)
from companion.reveal.risk import Risk, risk
from companion.reveal.state import RevealState
from companion.rules.counting import Bonuses, Reveal, justifies_pass

Hands = tuple[tuple[str, tuple[int, ...]], ...]
Justified = Callable[[tuple[int, ...]], bool]
"""Whether a whole hand justifies a pass."""

NO_DIE = 0.5
"""A thing that is a die with at most this probability is likelier none."""

MAX_KNOWN = 10
"""More certain dice than this are no hand any more; its outcome stays open."""


class Assessment(Struct, frozen=True):
    """Everything the page, the lamps and the judge need of a reveal.

    - [lo, hi]: the counts of matching dice that the certain dice leave open. A settled verdict is that of
      every count in `judged`, which is narrower if probabilities settle it.
    - `risk`: the probability that the verdict would be another; None if there are no probabilities.
    - `early`: "", or why a settled verdict needs no more dice: "enough" (there are that many already) or
      "short" (there cannot be that many any more).
    - `unseen`: number of dice not seen yet. `open`: how they hold up the verdict, "change" (they may change
      it) or "stranger" (one of the dice seen may not belong to the game until all are there).
    - `hands`: the certain faces of every player whose dice can be distinguished.
    - `next_place`: where to take the next picture; None when all places were seen.
    """

    lo: int
    hi: int
    settled: bool
    early: str
    open: str
    unseen: int
    questions: tuple[Question, ...]
    problems: tuple[Problem, ...]
    dice: tuple[RevealedDie, ...]
    hands: Hands
    next_place: str | None
    judged: tuple[int, int]
    risk: float | None
    natural: tuple[int, int]
    whole: Hands


def assess(
    state: RevealState,
    settled: Settled | None = None,
    justified: Justified = justifies_pass,
    bonuses: Bonuses | None = None,
) -> Assessment:
    """The meaning of `state` under the rule `settled` (the plain one when not given).

    `bonuses`: what whole hands add to the count. `judged` and `natural` count dice alone, and `whole` are the
    hands that are known whole, where hands count.
    """
    dice, shared = counted_once(state, revealed(state))
    rules = _Rules(settled or plain_rule(state.claim), justified, bonuses)
    now = _standing(state, dice, shared, rules)
    (lo, hi), (least, most) = now.natural, now.added
    unseen = unseen_dice(state, dice, now.counted)

    def settles(supposed: Sequence[RevealedDie]) -> bool:
        return _standing(state, supposed, shared, rules).done

    return Assessment(
        lo=lo + least,
        hi=hi + most,
        settled=now.done,
        early=_early(state, lo + least, hi + most) if now.sure else "",
        open=_open(now) if unseen else "",
        unseen=unseen,
        questions=() if now.done else questions(state, dice, now.counted, shared, lo, hi, settles),
        problems=problems(state, dice, now.counted),
        dice=dice,
        hands=_hands(state, dice),
        next_place=next_place(state, dice),
        judged=now.judged,
        risk=now.likely.wrong if now.likely else None,
        natural=now.natural,
        whole=now.whole,
    )


class _Rules(Struct, frozen=True):
    """What decides the verdict, a pass, and what whole hands add."""

    settled: Settled
    justified: Justified
    bonuses: Bonuses | None


class _Standing(Struct, frozen=True):
    """How a claim stands with some dice: `rule` counts dice alone, `added` is what hands add to them."""

    counted: Tally
    natural: tuple[int, int]
    rule: Settled
    whole: Hands
    added: tuple[int, int]
    sure: bool
    likely: Risk | None
    done: bool

    @property
    def judged(self) -> tuple[int, int]:
        """The counts that all give the verdict: narrower than `natural` where probabilities settle it."""
        return self.natural if self.sure or self.likely is None else (self.likely.lo, self.likely.hi)


def _standing(
    state: RevealState, dice: Sequence[RevealedDie], shared: Sequence[Overlap], rules: _Rules
) -> _Standing:
    counted = _tally(state, dice, shared)
    natural = _interval(state, dice, counted, shared, rules.justified)
    whole, added = _added(state, dice, counted, shared, rules.bonuses)
    least, most = added
    rule: Settled = lambda lo, hi: rules.settled(lo + least, hi + most)  # noqa: E731
    sure = _done(state, counted, shared, natural, rule)
    likely = None if state.answer is not None else risk(state, ways(dice, shared), rule)
    done = sure or (likely is not None and likely.wrong < state.bound)
    return _Standing(counted, natural, rule, whole, added, sure, likely, done)


def _added(
    state: RevealState,
    dice: Sequence[RevealedDie],
    counted: Tally,
    shared: Sequence[Overlap],
    bonuses: Bonuses | None,
) -> tuple[Hands, tuple[int, int]]:
    """The hands known whole, and what all hands add; none is known while a die may be one too many."""
    if bonuses is None or state.answer is not None or not state.claim.counts:
        return (), (0, 0)
    numbers = dict(state.by_player)
    odd = shared or counted.excess or counted.swaps or any(counted.stranger)
    hands = () if odd else _hands(state, dice)
    whole = tuple((name, hand) for name, hand in hands if len(hand) == numbers[name])
    return whole, bonuses.within(dict(whole))


def _done(
    state: RevealState,
    counted: Tally,
    shared: Sequence[Overlap],
    interval: tuple[int, int],
    settled: Settled,
) -> bool:
    """Whether nothing that is open changes the outcome, nor one stranger among the dice as long as others
    are unseen."""
    if state.answer is not None:
        return True
    if state.claim.kind is Kind.ROLL and (counted.excess or counted.swaps or shared):
        return False
    (lo, hi), (matching, other) = interval, counted.stranger if state.claim.counts else (False, False)
    return settled(max(0, lo - matching), min(hi + other, state.expected))


def _tally(state: RevealState, dice: Sequence[RevealedDie], shared: Iterable[Overlap]) -> Tally:
    there = (d for d in dice if d.counted and not _has_no_room(state, dice, d))
    seen = (Seen(d.matches and d.certain, d.certain, d.by_hand, d.owner) for d in there)
    matching = {d.id for d in dice if d.matches}
    return tally(seen, state.expected, dict(state.by_player), _doubles(shared, matching))


def _has_no_room(state: RevealState, dice: Iterable[RevealedDie], thing: RevealedDie) -> bool:
    """Whether a thing that nobody reads, and that is likelier none than a die, lies beside as many certain
    dice as its player has: it stands for none of them."""
    if thing.certain or thing.face or not thing.chances or sum(thing.chances) > NO_DIE:
        return False
    number = dict(state.by_player).get(thing.owner or "")
    return number == sum(d.certain and d.counted and d.owner == thing.owner for d in dice)


def _doubles(shared: Iterable[Overlap], matching: set[str]) -> Doubles:
    """The worst of the ways each two places may overlap, over all pairs of places."""
    worst: dict[tuple[str, str], Doubles] = {}
    for overlap in shared:
        key = places_of(overlap)
        mine = {first for first, _ in overlap.pairs}
        hits, old = len(mine & matching), worst.get(key, Doubles())
        worst[key] = Doubles(max(old.matching, hits), max(old.other, len(mine) - hits))
    return Doubles(sum(d.matching for d in worst.values()), sum(d.other for d in worst.values()))


def _interval(
    state: RevealState,
    dice: Sequence[RevealedDie],
    counted: Tally,
    shared: Sequence[Overlap],
    justified: Justified,
) -> tuple[int, int]:
    if state.answer is not None:
        return state.answer, state.answer
    if state.claim.counts:
        return counted.lo, counted.hi
    if state.claim.kind is Kind.ROLL:
        wanted = dict(state.by_player)
        shown = sum(len(faces) == wanted.get(name) for name, faces in _hands(state, dice))
        return shown, len(state.by_player)
    known = [die.face for die in dice if die.certain and concerns(state, die)]
    if shared or len(known) > MAX_KNOWN:
        return 0, 1
    outcomes = {justified(hand) for hand in possible_hands(known, state.expected)}
    return int(all(outcomes)), int(any(outcomes))


def possible_hands(known: Sequence[int], size: int) -> Iterable[tuple[int, ...]]:
    """Every hand of `size` dice, sorted, that the known faces allow: some left out when they are too many."""
    for kept in {tuple(sorted(hand)) for hand in combinations(known, min(size, len(known)))}:
        for more in combinations_with_replacement(range(1, 7), size - len(kept)):
            yield tuple(sorted(kept + more))


def _hands(state: RevealState, dice: Sequence[RevealedDie]) -> Hands:
    return tuple(
        (player, tuple(d.face for d in dice if d.owner == player and d.certain and d.counted))
        for player, _ in state.by_player
    )


def _open(now: _Standing) -> str:
    """How unseen dice hold up the verdict, as `Assessment.open` names it."""
    if now.done:
        return ""
    return "stranger" if now.rule(*now.natural) else "change"


def _early(state: RevealState, lo: int, hi: int) -> str:
    if state.answer is not None or lo == hi or not state.claim.counts:
        return ""
    return "enough" if lo >= state.claim.quantity else "short"


def is_seen_enough(state: RevealState, found: Assessment) -> bool:
    """Whether enough frames of each place agree, or the first frame of the only place shows every die.

    A second frame shares the light and the view of the first, so it is no new evidence about a face
    (lab/docs/measured.md). It tells a hand, a cup lifted late and a flicker: none of them leaves all
    dice there, each read.
    """
    looked = [view for view in state.places if view.frames]
    return all(view.agreed(state.frames) for view in looked) or _shows_all(state, found)


def _shows_all(state: RevealState, found: Assessment) -> bool:
    """Whether all dice of a claim that counts them are read and nothing lies beside them, the picture as a
    whole is beyond doubt, and the chance of another verdict is known and below the bound."""
    if not state.claim.counts or len(state.places) != 1 or found.risk is None:
        return False
    place = state.places[0]
    whole = len(found.dice) == state.expected and all(die.face for die in found.dice)
    return whole and not place.doubts and not place.restarted and found.risk < state.bound


def shown(
    state: RevealState,
    assessment: Assessment,
    passer: str | None = None,
    justified: Justified = justifies_pass,
) -> Reveal:
    """The dice as the judge wants them, so that it reaches exactly the interval of the assessment.

    Dice that are one too many, or perhaps one die seen twice, are left out as unknown ones. A count by hand
    is handed on as such; `passer` is needed for a called pass.
    """
    certain = [d for d in assessment.dice if d.certain and concerns(state, d)]
    if state.claim.kind is Kind.PASS:
        hand = _passed(state, [d.face for d in certain], justified)
        return Reveal(hands=((passer or "", hand),), unknown=max(0, state.expected - len(hand)))
    if state.answer is not None:
        return Reveal(count=state.answer)
    return _counted(state, assessment)


def _counted(state: RevealState, assessment: Assessment) -> Reveal:
    """As many matching dice as there are at least, those that do not match, and the rest unknown.

    Certain dice come first, then, where probabilities settle the verdict, the likeliest of the others.
    """
    lo, hi = assessment.judged
    read = [d for d in assessment.dice if d.face and concerns(state, d)]
    read.sort(key=lambda d: (not d.certain, -max(d.chances, default=0.0)))
    if (lo, hi) == assessment.natural:
        read = [d for d in read if d.certain]
    whole = dict(assessment.whole)
    faces = [face for hand in whole.values() for face in hand]
    counting = sum(map(state.claim.matches, faces))
    open_ = [d for d in read if d.owner not in whole]
    matching = [d.face for d in open_ if d.matches][: lo - counting]
    others = [d.face for d in open_ if not d.matches][: state.expected - hi - (len(faces) - counting)]
    unknown = state.expected - len(faces) - len(matching) - len(others)
    return Reveal(hands=assessment.whole, heap=tuple(matching + others), unknown=unknown)


def _passed(state: RevealState, known: list[int], justified: Justified) -> tuple[int, ...]:
    """The passer's hand as known, or one that says what a person decided by hand."""
    if state.answer is not None:
        wanted = bool(state.answer)
        fitting = (h for h in possible_hands(known, state.expected) if justified(h) == wanted)
        anything = (h for h in possible_hands((), state.expected) if justified(h) == wanted)
        return next(fitting, None) or next(anything, tuple(known))
    return tuple(known[: state.expected])
