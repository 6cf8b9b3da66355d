"""What one seat may know: the game as all see it, and the dice that may be looked at from there."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from companion.rules.position import Game


class Level(StrEnum):
    """How well a bot plays: by feel, by the odds and what was bid, or by playing every raise out."""

    EASY = "easy"
    MEDIUM = "medium"
    STRONG = "strong"


@dataclass(frozen=True, slots=True)
class SeatView:
    """What one seat may know: the game without hidden dice, and the visible hands as (player, faces)."""

    game: Game
    seat: str
    hands: tuple[tuple[str, tuple[int, ...]], ...] = ()
