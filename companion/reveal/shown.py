"""Makes the judge's input of a settled reveal."""

from __future__ import annotations

from companion.reveal.assessing import Assessment, Justified, possible_hands
from companion.reveal.claims import Kind
from companion.reveal.problems import concerns
from companion.reveal.state import RevealState
from companion.rules.judge import Reveal, justifies_pass


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
