"""The end of a game, two players with few dice: how to mix calls so that little is won by knowing them.

`lab/bots/endings.py` solves rounds by the rules of the presets; `endings.bin` has the solutions. Rounds that
are played alike share one, whatever else a table has agreed on.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from itertools import accumulate
from pathlib import Path

from msgspec.structs import replace

from companion.bots.policy import Memory
from companion.bots.seat import FEW_DICE, SeatView
from companion.rules.bids import Bid
from companion.rules.calls import BidCall, Call, Calza, Dudo
from companion.rules.consequences import missing
from companion.rules.dice import FACES
from companion.rules.hands import index_of
from companion.rules.legality import check
from companion.rules.players import NORMAL
from companion.rules.position import Game

FILE = Path(__file__).with_name("endings.bin")
ENTRY = "<II"
"""Of each round in the head of the file: its number by `played_alike`, and the length of its solution."""

BIDS = tuple(Bid(quantity, face) for quantity in range(1, 3 * FEW_DICE + 1) for face in FACES)
CALLS = len(BIDS) + 2
"""Calls in a solution: these bids, dudo and calza."""

_CODES = {bid: code for code, bid in enumerate(BIDS, 1)}
_HANDS = 32
"""More than there are hands of two dice."""


def remembered(game: Game) -> int:
    """How many of the newest bids a solution tells apart: one more takes seven times as long to solve."""
    return 3 if game.round.dice == 2 and not game.ruleset.stairs else 2


def equilibrium(view: SeatView) -> dict[Call, float]:
    """How often the seat on turn makes each call, in a round of two players with few dice of which it sees
    its own alone; nothing where no solution knows the round."""
    game, own = view.game, dict(view.hands)
    bids = [said.bid for said in game.round.bids if isinstance(said, BidCall) and not said.pushed]
    hand = own.get(view.seat, ())
    blind = len(own) != 1 or len(hand) != game.player(view.seat).dice
    if not view.is_ending or blind or len(bids) != len(game.round.bids):
        return {}
    newest = bids[-remembered(game) :]
    key = key_of(len(bids) % 2, newest, index_of(len(hand))[tuple(sorted(hand))])
    memory = _memory(played_alike(game))
    played = memory.shares(key) if memory and key is not None else None
    calls: tuple[Call, ...] = (*(BidCall(view.seat, bid) for bid in BIDS), Dudo(view.seat), Calza(view.seat))
    found = {
        call: share
        for call, share in zip(calls, played or (), strict=False)
        if share and check(call, game) is None
    }
    return {call: share / sum(found.values()) for call, share in found.items()}


def key_of(mover: int, newest: Sequence[Bid], hand: int) -> int | None:
    """Where a solution has the player on turn, 0 for who began, with this hand after these newest bids; None
    after a bid that is in none."""
    key = 0
    for bid in newest:
        if bid not in _CODES:
            return None
        key = key * (len(BIDS) + 1) + _CODES[bid]
    return (2 * key + mover) * _HANDS + hand


def played_alike(game: Game) -> int:
    """A number that rounds of two share which are played alike from their first bid on."""
    rules, now = game.ruleset, game.round
    first = now.bids[0].by if now.bids else now.turn
    seats = (first, game.after(first))
    special = (rules.palifico_opening_aces, rules.palifico_unlock)
    calzas = [_calza(game, *pair) for pair in (seats, seats[::-1])]
    penalty = "one" if rules.penalty == "calza_two" and not any(calzas) else rules.penalty
    facts = (
        *(now.kind.value, [game.player(seat).dice for seat in seats], rules.bid_order, rules.wild),
        *((rules.opening_aces, rules.opening_minimum > 1) if now.kind is NORMAL else special),
        *(rules.caps_bids, rules.stairs, penalty, rules.dudo_exact, rules.loser, rules.teams),
        *(rules.lives is None, calzas),
    )
    return zlib.crc32(repr(facts).encode())


def _calza(game: Game, seat: str, other: str) -> str:
    """What an exact calza of this seat does, "" where it may call none."""
    bid = BidCall(other, Bid(1, FACES[-1]))
    asked = replace(game, round=replace(game.round, bids=(bid,), turn=seat))
    if check(Calza(seat), asked) is not None:
        return ""
    rules = game.ruleset
    return f"{rules.calza_exact} {'regain' in rules.calza_exact and missing(game.player(seat), rules) > 0}"


@lru_cache(maxsize=16)
def _memory(number: int) -> Memory | None:
    place = places().get(number)
    return Memory(FILE.read_bytes()[slice(*place)], CALLS) if place else None


@cache
def places() -> Mapping[int, tuple[int, int]]:
    """Where each solution lies in the file: the number of them comes first, then the entries."""
    data = FILE.read_bytes()
    (number,) = struct.unpack_from("<I", data)
    head = struct.calcsize(ENTRY)
    entries = [struct.unpack_from(ENTRY, data, 4 + head * n) for n in range(number)]
    starts = accumulate((length for _, length in entries), initial=4 + head * number)
    return {name: (at, at + length) for (name, length), at in zip(entries, starts, strict=False)}
