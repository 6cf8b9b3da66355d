"""A challenge that was noted wrong becomes the right one, and a die that was read wrong after the verdict."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from companion.errors import BadCommand
from companion.reveal.corrections import ByHand, Correction
from companion.rules.calls import Call, Calza, Dudo, DudoPass
from companion.rules.events import Called, NextRound, Revealed, RolledOff, Started
from companion.table.happenings import ColoursLearnt, Corrected, Cups, Happening, Observed, Rolled


def recalled(history: Sequence[Happening], call: Call) -> tuple[int, tuple[Happening, ...]]:
    """How many happenings stay when this round's challenge is `call`, and what then follows them.

    Looks and corrections follow; a count by hand does not, for it was of other dice. Raises BadCommand where
    nothing was challenged in this round.
    """
    for at in range(len(history) - 1, -1, -1):
        match history[at]:
            case Called(Dudo() | Calza() | DudoPass()):
                return at, (Called(call), *filter(_stays, history[at + 1 :]))
            case NextRound():
                break
    raise BadCommand("no_reveal")


def rejudged(history: Sequence[Happening], correction: Correction) -> tuple[int, tuple[Happening, ...]]:
    """How many happenings stay when the dice behind the newest verdict are corrected, and what follows them.

    Raises BadCommand where the last thing that happened was no verdict.
    """
    after = tuple(takewhile(lambda happening: isinstance(happening, ColoursLearnt), reversed(history)))
    at = len(history) - len(after) - 1
    if at < 0 or not isinstance(history[at], Revealed):
        raise BadCommand("no_reveal")
    return at, (Corrected(correction), *reversed(after))


def thrown_anew(
    history: Sequence[Happening], rolled: tuple[Rolled, ...]
) -> tuple[int, tuple[Happening, ...]]:
    """How many happenings stay when the dice in phones of the last round are `rolled` anew, and what follows:
    everything that was said in it so far."""
    start = len(history)
    while start and not isinstance(history[start - 1], NextRound | RolledOff | Started | Cups):
        start -= 1
    said = (happening for happening in history[start:] if not isinstance(happening, Rolled))
    return start, (*rolled, *said)


def _stays(happening: Happening) -> bool:
    """Whether it holds whatever was called."""
    if isinstance(happening, Corrected):
        return not isinstance(happening.correction, ByHand)
    return isinstance(happening, Observed)
