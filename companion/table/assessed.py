"""The assessment of a reveal under its game's rules, worked out once however many ask for it.

One observation is asked about by the table, the lamps, every page, the capture loop and the evidence. A
reveal holds hundreds of values, and hashing them would take as long as the assessment: identity tells it.
"""

from __future__ import annotations

from functools import lru_cache

from companion.reveal.assessing import Assessment, assess
from companion.reveal.state import RevealState
from companion.rules.bonuses import bonuses_of
from companion.rules.calls import DudoPass
from companion.rules.judge import pass_rule, settling
from companion.rules.position import Game

RECENT = 8
"""Assessments kept: the newest states of a table, and those just before them."""


class _OneReveal:
    """A reveal in its game, equal to no other than the very same values."""

    __slots__ = ("game", "reveal")

    def __init__(self, reveal: RevealState, game: Game) -> None:
        self.reveal, self.game = reveal, game

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _OneReveal) and self.reveal is other.reveal and self.game is other.game

    def __hash__(self) -> int:
        return hash((id(self.reveal), id(self.game)))


def assessed(reveal: RevealState, game: Game) -> Assessment:
    """The assessment of `reveal`, which is that of a challenge, a pass or a roll in `game`."""
    return _assessed(_OneReveal(reveal, game))


@lru_cache(maxsize=RECENT)
def _assessed(one: _OneReveal) -> Assessment:
    reveal, game = one.reveal, one.game
    if game.challenge is None or isinstance(game.challenge, DudoPass):
        return assess(reveal, justified=pass_rule(game.ruleset))
    bonuses = bonuses_of(game, reveal.claim.face, reveal.claim.wild)
    return assess(reveal, settled=settling(game), bonuses=bonuses)
