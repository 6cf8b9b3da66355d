"""All tables of a club in few words: what its page and `dudo club` show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias, TypedDict

from companion.table.wire.game import BidJson
from companion.table.wire.state import StateWord

Presence: TypeAlias = Literal["online", "offline", "unknown"]


class ClubTableJson(TypedDict):
    """A table; `state` None: it has sent none yet."""

    key: str
    name: str
    presence: Presence
    state: StateWord | None
    round: int
    turn: str
    bid: BidJson | None
    dice: int
    verdict: str
    winners: list[str]


class PlaceJson(TypedDict):
    """A place in the standings of the evening; `even`: games won with equal chances for everybody."""

    rank: int
    name: str
    won: int
    games: int
    even: float


class ClubJson(TypedDict):
    """All tables in the order of their names, and the standings over their `games`."""

    tables: list[ClubTableJson]
    online: int
    games: int
    standings: list[PlaceJson]


@dataclass(frozen=True, slots=True)
class ClubNow:
    """The club at a moment. `mark` changes with it; `fault` is a reason key, "" for none."""

    mark: str
    connected: bool
    fault: str
    club: ClubJson
