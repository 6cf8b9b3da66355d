"""The chance that a verdict would be another, from calibrated probabilities and the number of dice known.

What checks say of a die, of two of them or of a picture is one more probability each: the known numbers
weigh them all (`companion.reveal.counts`). They do so only where the picture fits the numbers: no more dice
are read than there are, or the clear ones alone are just so many, and one is clear. Elsewhere side
faces were read as dice, and errors go together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec import Struct

from companion.reveal.claims import Claim, Settled
from companion.reveal.counts import Pair, Thing, counts
from companion.reveal.merging import CUT_OFF
from companion.reveal.revealed import RevealedDie, concerns
from companion.reveal.state import RevealState

CLEAR = 0.995
"""Probability of one face from which a die is clear, though the picture as a whole may be doubted."""

ALIKE = 0.5
"""Chance that all dice that nobody reads, or reads wrongly, show one face: an emblem is one."""

ODD = 0.3
"""Chance that an uncertain die is another of those that nobody reads, where they are all alike."""


class Risk(Struct, frozen=True):
    """The verdict is that of every count in [lo, hi], and another with probability `wrong`."""

    lo: int
    hi: int
    wrong: float


def risk(state: RevealState, ways: Sequence[Sequence[RevealedDie]], settled: Settled) -> Risk | None:
    """The likeliest verdict of a claim that counts dice; None where probabilities say nothing.

    `ways`: the dice in each way in which places may overlap. Nothing is assumed of how likely each is: the
    verdict is wrong as often as in the worst of them.
    """
    parts = [count_shares(state, dice) for dice in ways]
    if not parts or not all(parts):
        return None
    mean = tuple(sum(column) / len(parts) for column in zip(*parts, strict=True))
    found = _interval(mean, settled, state.bound / 2 / len(parts))
    wrong = max(1 - _sum(shares[found.lo : found.hi + 1]) for shares in parts)
    return Risk(found.lo, found.hi, max(0.0, wrong))


def count_shares(state: RevealState, dice: Sequence[RevealedDie]) -> tuple[float, ...]:
    """The probability of each matching count; () where probabilities say nothing."""
    if not state.claim.counts or not _fits(state, dice):
        return ()
    unread = [view.unread for view in state.places if view.frames]
    things = [die for die in dice if _may_count(state, die)]
    if not unread or None in unread or any(not die.chances for die in things):
        return ()
    rest = sum(u for u in unread if u is not None)
    whole = sum(bool(die.face) for die in things) >= state.expected
    unseen = _unseen(state.claim.chance, alike=not whole)
    return _mixed([(weight, _shares(state, things, rest, p)) for weight, p in unseen])


def _unseen(chance: float, *, alike: bool) -> tuple[tuple[float, float], ...]:
    """Weights and matching chances of the undetected dice.

    Each is independent, or all are alike, as dice with an emblem on one face are.
    """
    if not alike:
        return ((1.0, chance),)
    return ((1 - ALIKE, chance), (ALIKE * (1 - chance), 0.0), (ALIKE * chance, 1.0))


def _shares(
    state: RevealState, dice: Sequence[RevealedDie], unread: float, matching: float
) -> tuple[float, ...]:
    """The probability of each count where a die that nobody reads matches with this chance."""
    things = [_thing(state.claim, die, matching) for die in dice]
    return counts(things, state.expected, dict(state.by_player), unread, matching, _pairs(state, dice))


def _pairs(state: RevealState, dice: Sequence[RevealedDie]) -> list[Pair]:
    """What is said of two dice that are both counted."""
    order = {die.id: k for k, die in enumerate(dice)}
    known = (pair for view in state.places for pair in view.pairs if pair.ids <= order.keys())
    places = ((sorted(order[die] for die in pair.ids), pair.chance) for pair in known)
    return [Pair(first, second, chance) for (first, second), chance in places]


def _mixed(parts: Sequence[tuple[float, tuple[float, ...]]]) -> tuple[float, ...]:
    """The mean of probabilities by their weights; () where one of them is unknown."""
    if not all(shares for _, shares in parts):
        return ()
    weights = [weight for weight, _ in parts]
    return tuple(
        sum(w * p for w, p in zip(weights, column, strict=True))
        for column in zip(*(shares for _, shares in parts), strict=True)
    )


def _may_count(state: RevealState, die: RevealedDie) -> bool:
    """Whether a thing may be one of the dice in question: also what the border cuts."""
    return concerns(state, die) or (die.struck and not die.by_hand and die.why == (CUT_OFF,))


def _thing(claim: Claim, die: RevealedDie, unseen: float) -> Thing:
    """A die of the reveal; where nobody read it, or it shows another face than was read, it matches with the
    chance `unseen`, or as its probabilities say."""
    there = sum(die.chances)
    if not die.face:
        return Thing(there * unseen, there * (1 - unseen), die.owner)
    matches = sum(p for face, p in enumerate(die.chances, 1) if claim.matches(face))
    if not _clear(die) and unseen in (0.0, 1.0):
        as_read = die.chances[die.face - 1] * (1 - ODD)
        matches = as_read * claim.matches(die.face) + (there - as_read) * unseen
    return Thing(matches, there - matches, die.owner)


def _fits(state: RevealState, dice: Sequence[RevealedDie]) -> bool:
    """Whether what was read may all be dice of the game, or all that is clear is, and one die is clear."""
    read = [die for die in dice if concerns(state, die) and die.face]
    clear = [die for die in read if _clear(die)]
    read = clear if len(clear) == state.expected else read
    numbers = Counter(die.owner for die in read)
    fits = all(numbers[player] <= number for player, number in state.by_player)
    return fits and len(read) <= state.expected and any(not die.by_hand for die in clear)


def _clear(die: RevealedDie) -> bool:
    """Whether a die shows its face beyond doubt, be it doubted together with a neighbour."""
    return die.certain or max(die.chances, default=0.0) > CLEAR


def _interval(shares: Sequence[float], settled: Settled, enough: float) -> Risk:
    """The counts round the likeliest one in which the verdict stays the same, grown where more lies until no
    more than `enough` is left."""
    lo = hi = max(range(len(shares)), key=lambda count: shares[count])
    while (wrong := 1 - _sum(shares[lo : hi + 1])) > enough:
        ends = [(lo - 1, shares[lo - 1])] if lo else []
        ends += [(hi + 1, shares[hi + 1])] if hi + 1 < len(shares) else []
        grown = [(p, end) for end, p in ends if settled(min(lo, end), max(hi, end))]
        if not grown:
            break
        end = max(grown)[1]
        lo, hi = min(lo, end), max(hi, end)
    return Risk(lo, hi, max(0.0, wrong))


def _sum(shares: Iterable[float]) -> float:
    return sum(sorted(shares))
