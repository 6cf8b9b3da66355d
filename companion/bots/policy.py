"""What the bots remember of self-play, written by `lab/bots/train.py`: how often each call is made."""

from __future__ import annotations

import struct
import zlib
from array import array
from bisect import bisect_left
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import accumulate
from pathlib import Path

from companion.bots.situation import Situation

FILE = Path(__file__).with_name("policy.bin")
GROUPS = 65
FACING, OPENING = 10, 15
"""Kinds of calls with a standing bid, and without one."""

WARY = 4.0
"""Where nothing is remembered a call is made in proportion to this power of its chance."""


class Memory:
    """The situations of one group: keys in order, and the shares of every call in as many columns."""

    def __init__(self, packed: bytes, calls: int) -> None:
        body = zlib.decompress(packed)
        (self._number,) = struct.unpack_from("<I", body)
        parts = [body[4 + n * self._number : 4 + (n + 1) * self._number] for n in range(4 + calls)]
        steps = (a | b << 8 | c << 16 | d << 24 for a, b, c, d in zip(*parts[:4], strict=True))
        self._keys = array("Q", accumulate(steps))
        self._columns = parts[4:]

    def shares(self, key: int) -> Sequence[int] | None:
        """How often each call is made, None where this was never met."""
        place = bisect_left(self._keys, key)
        if place == self._number or self._keys[place] != key:
            return None
        return [column[place] for column in self._columns]


def shares(now: Situation) -> list[float]:
    """How often each action is taken; their sum is 1, or 0 where there is none but what is forbidden."""
    kept = _memory(now.group, now.facing).shares(now.key)
    may = [action is not None or (now.facing and n == 0) for n, action in enumerate(now.actions)]
    weights = [float(share) if allowed else 0.0 for share, allowed in zip(kept or (), may, strict=False)]
    if not any(weights):
        weights = [(chance + 1e-3) ** WARY * ok for chance, ok in zip(now.chances, may, strict=True)]
    total = sum(weights)
    return [weight / total for weight in weights] if total else weights


@lru_cache(maxsize=24)
def _memory(group: int, facing: bool) -> Memory:
    head, places = _index()
    place = 2 * group + (not facing)
    with FILE.open("rb") as file:
        file.seek(places[place])
        return Memory(file.read(head[place]), FACING if facing else OPENING)


@cache
def _index() -> tuple[tuple[int, ...], list[int]]:
    """The length of every block of the file, and where it begins."""
    with FILE.open("rb") as file:
        head = struct.unpack(f"<{2 * GROUPS}I", file.read(8 * GROUPS))
    return head, list(accumulate(head, initial=8 * GROUPS))
