"""Bids, and the arithmetic of aces."""

from __future__ import annotations

import re

from msgspec import Struct

from companion.errors import BadCommand

_TEXT = re.compile(r"\s*(\d{1,4000})\s*[x×*]\s*(\d{1,2})\s*(z?)\s*", re.IGNORECASE | re.ASCII)
"""As wide as what was ever written: earlier versions kept bids of any quantity where it was unlimited."""


class Bid(Struct, frozen=True, omit_defaults=True, cache_hash=True):
    """The claim that at least `quantity` dice show `face`; as text `5x3`. `check` holds it to bounds.

    `zhai`: without wild dice; as text `5x3z`.
    """

    quantity: int
    face: int
    zhai: bool = False

    def __str__(self) -> str:
        return f"{self.quantity}x{self.face}{'z' if self.zhai else ''}"

    @classmethod
    def parse(cls, text: str) -> Bid:
        """The bid in "5x3" (spaces, capitals and × are welcome); raises BadCommand.

        >>> Bid.parse("5 × 3")
        Bid(quantity=5, face=3, zhai=False)
        """
        found = _TEXT.fullmatch(text)
        if not found:
            raise BadCommand("bid_unreadable", text=text)
        return cls(int(found[1]), int(found[2]), bool(found[3]))


def least_aces(quantity: int) -> int:
    """The fewest aces that follow `quantity` dice of another face: half, rounded up (variants, row R6)."""
    return (quantity + 1) // 2


def least_after_aces(aces: int) -> int:
    """The fewest dice of another face that follow `aces` aces: double and one (variants, row R7)."""
    return 2 * aces + 1


def most_dice(original_dice: int) -> int:
    """The highest quantity of any bid where it is not limited to the dice in play (variants, row R9).

    The order of bids asks for no more: out of as many aces as the game began with dice.
    """
    return least_after_aces(original_dice)
