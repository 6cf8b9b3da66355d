"""The order of bids: of every face the range of quantities that may follow a bid (rows R1 to R8, R11 to R16).

A range is what several limits leave open, each with the reason why a bid outside it may not be made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import inf
from typing import Literal, NamedTuple

from msgspec import Struct

from companion.rules.bids import Bid, least_aces, least_after_aces

RaiseRule = Literal[
    "any_face",
    "no_lower_face",
    "one_of_both",
    "nothing_falls",
    "higher_face_any_quantity",
    "through_aces",
    "face_costs_two",
]
Convert = Literal[True, False, "half_plus_one", "board", "never"]

ONE_PRICE = ("nothing_falls", "higher_face_any_quantity")
"""Ways of raising in which the number never falls for another face, or means nothing for a higher one."""

PRICES: Mapping[Convert, tuple[Callable[[int], int], Callable[[int], int]]] = {
    True: (least_aces, least_after_aces),
    "half_plus_one": (lambda quantity: quantity // 2 + 1, least_after_aces),
    "board": (lambda quantity: quantity // 2 + 1, lambda aces: 2 * aces),
}
"""The fewest aces after so many dice of another face, and the fewest of another face after so many aces."""


class Limit(NamedTuple):
    """Quantities from `least` to `most` may be bid; `reason`: why no others."""

    least: int
    most: float
    reason: str


class BidOrder(Struct, frozen=True, cache_hash=True):
    """The order of bids in a round.

    `wild`: the wild face, 0 for none. `price`: what aces cost while they are wild, False where no other than
    any face. `top`: the face above all others, 0 for none. `zhai`: whether bids may be made without wilds.
    """

    raising: RaiseRule = "any_face"
    wild: int = 0
    price: Convert = True
    top: int = 0
    zhai: bool = False


def at_least(least: int, reason: str) -> Limit:
    """The limit of what takes that many dice."""
    return Limit(least, inf, reason)


def never(reason: str) -> Limit:
    """The limit that no quantity keeps to."""
    return Limit(1, 0, reason)


def raise_limits(order: BidOrder, standing: Bid, face: int, zhai: bool) -> Iterator[Limit]:
    """What a bid on `face`, `zhai` without wilds, has to keep to after `standing`."""
    wild, ace, from_ace = order.wild, face == order.wild != 0, standing.face == order.wild
    if order.price == "never" and ace:
        yield never("aces_never")
    elif wild and order.zhai and (standing.zhai or zhai):
        yield from _zhai(order, standing, face, zhai)
    elif wild and order.price and ace != from_ace:
        price = PRICES[order.price][from_ace](standing.quantity)
        yield at_least(price, "from_aces_too_few" if from_ace else "aces_too_few")
    else:
        yield from _usual(order, standing, face)


def _usual(order: BidOrder, standing: Bid, face: int) -> Iterator[Limit]:
    """By the way of raising alone."""
    quantity, up = standing.quantity, face - standing.face
    if order.top and up:
        up = 1 if face == order.top else -1 if standing.face == order.top else up
    if order.raising != "higher_face_any_quantity" or not up:
        least = quantity + (2 if up and order.raising == "face_costs_two" else up <= 0)
        yield at_least(least, "bid_not_higher")
    if up < 0:
        if order.raising == "through_aces":
            yield at_least(least_after_aces(least_aces(quantity)), "face_lowered_too_few")
        elif order.raising not in ("any_face", "face_costs_two"):
            yield never("face_lowered")
    elif up and order.raising == "one_of_both":
        yield Limit(quantity, quantity, "raise_one_of_both")


def _zhai(order: BidOrder, standing: Bid, face: int, zhai: bool) -> Iterator[Limit]:
    """Where one of both is without wilds (row R16).

    k aces lie between k dice of any other face without wilds and k + 1, so that no way round comes back.
    """
    quantity, from_ace = standing.quantity, standing.face == order.wild
    if order.wild in (standing.face, face) and order.price and order.price != "board":
        yield at_least(quantity + from_ace, "bid_not_higher")
    elif zhai and not standing.zhai and face == standing.face:
        yield at_least(quantity, "bid_not_higher")
    else:
        yield from _usual(order, standing, face)
        if standing.zhai and not zhai and face != order.wild:
            yield at_least(2 * quantity, "fei_too_few")
