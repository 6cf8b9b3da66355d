"""Who gives a command: put on by whoever receives it, never by the sender."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class By(StrEnum):
    """The kinds of authors: a player's phone, the one that leads, and the box with its clock and its bots."""

    PLAYER = "player"
    HOST = "host"
    BOX = "box"
    CLOCK = "clock"
    BOT = "bot"


@dataclass(frozen=True, slots=True)
class Author:
    """The author of a command; "" for what there is none of.

    `seat` is the player for whom it speaks, `phone` the id of its phone. `silent` is a player on turn whose
    own phone is silent, so that it may call for him.
    """

    by: By
    seat: str = ""
    phone: str = ""
    silent: str = ""

    def to_json(self) -> dict[str, object]:
        """The author as the journal keeps it: without the phone, which nobody is to know again."""
        return {"by": self.by.value, **({"name": self.seat} if self.seat else {})}


BOX = Author(By.BOX)
"""Whoever stands at the box and presses its buttons; what its camera saw."""

CLOCK = Author(By.CLOCK)
