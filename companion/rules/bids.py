"""Bids and what makes one higher than another."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import NamedTuple

from msgspec import Struct

from companion.errors import BadCommand
from companion.rules.dice import ACE
from companion.rules.ruleset import Convert, RaiseRule, Ruleset

_TEXT = re.compile(r"\s*(\d{1,4000})\s*[x×*]\s*(\d{1,2})\s*(z?)\s*", re.IGNORECASE | re.ASCII)
"""As wide as what was ever written: earlier versions kept bids of any quantity where it was unlimited."""


class Bid(Struct, frozen=True, omit_defaults=True):
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


class Order(NamedTuple):
    """The order of bids in a round.

    `wild`: the face into which halves and out of which doubles, 0 where all faces cost the same; with `board`
    at the price of a board on which a star lies before every even number. `top`: the face above all others.
    `zhai`: the wild face where bids may be made without it, 0 where they may not.
    """

    raising: RaiseRule = "any_face"
    wild: int = ACE
    board: bool = False
    top: int = 0
    zhai: int = 0


ONE_PRICE = ("nothing_falls", "higher_face_any_quantity")
"""Ways of raising in which the number never falls for another face, or means nothing for a higher one."""


def order_of(rules: Ruleset, wild: int) -> Order:
    """The order of bids in a round in which `wild` is the wild face, 0 for none (rows R4 to R8)."""
    top = rules.wild_face if rules.wild_rank == "highest" and rules.wild != "none" else 0
    return _order(rules.raise_rule, rules.aces_convert, wild, top, rules.zhai)


@lru_cache(maxsize=256)
def _order(raising: RaiseRule, convert: Convert, wild: int, top: int, zhai: bool) -> Order:
    """Remembered, for it is asked at every bid."""
    priced = wild if convert and raising not in ONE_PRICE else 0
    return Order(raising, priced, convert == "board", top, wild if zhai else 0)


def why_not_raise(standing: Bid, bid: Bid, order: Order) -> str | None:
    """The reason why `bid` may not follow `standing`, None when it may."""
    if order.zhai and (standing.zhai or bid.zhai):
        return _why_not_zhai(standing, bid, order)
    wild = order.wild
    if wild and (standing.face == wild) != (bid.face == wild):
        return _why_not_price(standing.quantity, bid.quantity, bid.face == wild, order.board)
    return _why_not_usual(standing, bid, order)


def _why_not_usual(standing: Bid, bid: Bid, order: Order) -> str | None:
    """By the way of raising alone (rows R1 to R5, R11 to R14)."""
    more = bid.quantity - standing.quantity
    up = bid.face - standing.face
    if order.top and up:
        up = 1 if bid.face == order.top else -1 if standing.face == order.top else up
    return _RAISING[order.raising](standing.quantity, more, up)


def _why_not_price(standing: int, bid: int, into: bool, board: bool) -> str | None:
    """Into the wild face half, out of it double (rows R6, R7); on the board k aces lie before 2 k dice."""
    if into:
        least = standing // 2 + 1 if board else least_aces(standing)
        return "aces_too_few" if bid < least else None
    return "from_aces_too_few" if bid < (2 * standing if board else least_after_aces(standing)) else None


def _why_not_zhai(standing: Bid, bid: Bid, order: Order) -> str | None:
    """Where one of both is without wilds (row R16).

    k aces lie between k dice of any other face without wilds and k + 1, so that no way round comes back.
    """
    if order.zhai in (standing.face, bid.face) and order.wild and not order.board:
        least = standing.quantity + (standing.face == order.zhai)
        return "bid_not_higher" if bid.quantity < least else None
    if bid.zhai and (standing.quantity, standing.face, standing.zhai) == (bid.quantity, bid.face, False):
        return None
    back = standing.zhai and not bid.zhai and bid.face != order.zhai
    short = back and bid.quantity < 2 * standing.quantity
    return _why_not_usual(standing, bid, order) or ("fei_too_few" if short else None)


def _any_face(standing: int, more: int, up: int) -> str | None:
    return "bid_not_higher" if more < 0 or (more == 0 and up <= 0) else None


def _no_lower_face(standing: int, more: int, up: int) -> str | None:
    return _any_face(standing, more, up) or ("face_lowered" if up < 0 else None)


def _one_of_both(standing: int, more: int, up: int) -> str | None:
    return _no_lower_face(standing, more, up) or ("raise_one_of_both" if more and up else None)


def _higher_face(standing: int, more: int, up: int) -> str | None:
    if up < 0:
        return "face_lowered"
    return "bid_not_higher" if up == 0 and more <= 0 else None


def _through_aces(standing: int, more: int, up: int) -> str | None:
    """A lower face costs what the way into aces and out of them costs."""
    priced = up >= 0 or standing + more >= least_after_aces(least_aces(standing))
    return _any_face(standing, more, up) or (None if priced else "face_lowered_too_few")


_RAISING: Mapping[RaiseRule, Callable[[int, int, int], str | None]] = {
    "any_face": _any_face,
    "no_lower_face": _no_lower_face,
    "one_of_both": _one_of_both,
    "nothing_falls": _no_lower_face,
    "higher_face_any_quantity": _higher_face,
    "through_aces": _through_aces,
}
