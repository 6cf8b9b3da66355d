"""A bid in JSON."""

from typing import Annotated, Literal, NotRequired, TypedDict

from msgspec import Meta

from companion.rules.bids import Bid
from companion.rules.fields import Face, Ordinal


class BareBidJson(TypedDict):
    """A bid by itself."""

    quantity: Ordinal
    face: Face
    zhai: NotRequired[Annotated[Literal[True], Meta(description="Without wild dice.")]]


def bid_json(bid: Bid) -> BareBidJson:
    """The bid as plain data."""
    data: BareBidJson = {"quantity": bid.quantity, "face": bid.face}
    if bid.zhai:
        data["zhai"] = True
    return data
