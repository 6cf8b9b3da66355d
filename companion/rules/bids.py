"""Bids and what makes one higher than another."""

from __future__ import annotations

import re
from dataclasses import dataclass

from companion.errors import BadCommand
from companion.rules.dice import ACE

_TEXT = re.compile(r"\s*(\d{1,4000})\s*[x×*]\s*(\d{1,2})\s*", re.IGNORECASE | re.ASCII)
"""As wide as what was ever written: earlier versions kept bids of any quantity where it was unlimited."""


@dataclass(frozen=True, slots=True)
class Bid:
    """The claim that at least `quantity` dice show `face`; as text `5x3`. `check` holds it to bounds."""

    quantity: int
    face: int

    def __str__(self) -> str:
        return f"{self.quantity}x{self.face}"

    @classmethod
    def parse(cls, text: str) -> Bid:
        """The bid in "5x3" (spaces, capitals and × are welcome); raises BadCommand."""
        found = _TEXT.fullmatch(text)
        if not found:
            raise BadCommand("bid_unreadable", text=text)
        return cls(int(found[1]), int(found[2]))


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


def why_not_raise(standing: Bid, bid: Bid, *, convert: bool, lower_face: bool) -> str | None:
    """The reason why `bid` may not follow `standing`, None when it may.

    `convert`: going into aces halves and out of them doubles, which makes sense only where aces are wild.
    `lower_face`: more dice may come with a lower face.
    """
    if convert and (standing.face == ACE) != (bid.face == ACE):
        if bid.face == ACE:
            return "aces_too_few" if bid.quantity < least_aces(standing.quantity) else None
        return "from_aces_too_few" if bid.quantity < least_after_aces(standing.quantity) else None
    if bid.quantity < standing.quantity or (bid.quantity == standing.quantity and bid.face <= standing.face):
        return "bid_not_higher"
    if bid.face < standing.face and not lower_face:
        return "face_lowered"
    return None
