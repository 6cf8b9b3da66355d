"""What one seat may know: the game as all see it, and the dice that may be looked at from there."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from companion.rules.position import Game

FEW_DICE = 2
"""Rounds of two players with so many dice each, or fewer, are solved."""


class Level(StrEnum):
    """How well a bot plays: mostly by feel, half by feel, or as self-play tells."""

    EASY = "easy"
    MEDIUM = "medium"
    STRONG = "strong"


class SeatView(Struct, frozen=True):
    """What one seat may know: the game without hidden dice, and the visible hands as (player, faces)."""

    game: Game
    seat: str
    hands: tuple[tuple[str, tuple[int, ...]], ...] = ()

    @property
    def is_ending(self) -> bool:
        """Whether two players are left with few dice."""
        inside = self.game.inside
        return len(inside) == 2 and all(player.dice <= FEW_DICE for player in inside)
