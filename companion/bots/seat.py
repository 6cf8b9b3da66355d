"""What one seat may know: the game as all see it, and the dice that may be looked at from there."""

from __future__ import annotations

from dataclasses import dataclass

from companion.rules.position import Game


@dataclass(frozen=True, slots=True)
class SeatView:
    """A game without secrets, whose seat looks at it, and the hands it may see, (player, faces)."""

    game: Game
    seat: str
    hands: tuple[tuple[str, tuple[int, ...]], ...] = ()
