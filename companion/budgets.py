"""How much work one phone may ask of the box: every bound in one place.

What a phone does is charged to it, known by its cookie. A connection is opened before anybody has seen a
cookie: it is charged to its address. The sum of what all together may hold fits the memory of the smallest
board (tests/hardware/test_service.py).
"""

from __future__ import annotations

import threading
from collections.abc import Callable

CONNECTIONS = 400
"""Open at once, of all addresses."""

PER_ADDRESS = 100
"""Phones behind one router may share an address: forty of them listen and keep a second connection."""

NEW_PER_S = 50.0
"""New connections of an address in each second, after PER_ADDRESS at once: phones behind one router that load
the page."""

SESSIONS = 40
"""An address lets so many new phones in at once: as many as a router may have behind it."""

SESSIONS_PER_S = SESSIONS / 3600.0
"""So many more in each second: a phone that throws its cookie away gets no budget for it."""

GUESSES_OF_ALL, GUESSES_OF_ALL_PER_S = 60, 60 / 300
"""The same of all addresses together; then an address tries once while it owes nothing."""

GUESSES, GUESSES_PER_S = 8, 8 / 300
"""So many join codes that were never shown an address brings at once, and again in each second."""

CLAIMS, CLAIMS_PER_S = 4, 1 / 300
"""So many claims that come to nothing an address makes at once, and again in each second. Each stands on
every screen for a minute. One that the table grants wipes them out."""

LARGE_BYTES = 16_000_000
"""Of all larger bodies together that arrive or wait to be read; a phone has one at a time."""

PICTURE_S = 1.0
"""A phone sends a picture, or a preview, no more often."""

WAITING = 4
"""So many pictures wait while one is read. Each holds a thread of the server."""

WAIT_S = 20.0
"""No picture waits longer."""

READER_S = 30.0
"""So long the pictures of one phone may keep the reader busy at once."""

READER_SHARE = 0.5
"""This share of the time comes back to it."""

PHOTO_PX = 1920
"""The longest side of a phone's picture: dice are found at half of it, and read closely at this size."""

PREVIEW_PX = 960
"""The longest side of a viewfinder's preview: the size at which dice are found."""

DECODING_BYTES = 120_000_000
"""What the process that decodes may hold for one picture: any kind of 12 megapixels, as phones take them."""

DECODING_S = 6
"""So long it may compute on one: a PNG of 12 megapixels takes a Raspberry Pi Zero 2 half of it."""

COMINGS, COMINGS_PER_S = 4, 1 / 60
"""So often a phone joins a running game at once, and again each minute: every phone is shown it, and the
journal keeps it."""

REACTIONS, REACTIONS_PER_S = 3, 0.5
"""So often a phone reacts to the dice at once, and again in each second: every phone is drawn anew."""


class Purse:
    """What each phone has left of something: `most` at once, and `per_s` of it comes back in each second.

    Any thread may ask. Whoever has spent nothing lately is not remembered.
    """

    def __init__(self, most: float, per_s: float, now_s: Callable[[], float]) -> None:
        self._most, self._per_s, self._now_s = most, per_s, now_s
        self._lock = threading.Lock()
        self._spent: dict[str, tuple[float, float]] = {}
        self._swept_s = now_s()

    def spent(self, who: str) -> float:
        """How much of it has not come back yet."""
        with self._lock:
            return self._owed(who, self._now_s())

    def spend(self, who: str, amount: float) -> None:
        """Charge `amount`, also beyond what is left."""
        with self._lock:
            now_s = self._now_s()
            self._spent[who] = (self._owed(who, now_s) + amount, now_s)
            self._sweep(now_s)

    def forgive(self, who: str) -> None:
        """Charge nothing of what was spent so far."""
        with self._lock:
            self._spent.pop(who, None)

    def wait_s(self, who: str, amount: float = 0.0) -> float:
        """In how many seconds that phone may spend `amount`; 0 if it may now."""
        return max(0.0, (self.spent(who) + amount - self._most) / self._per_s)

    def take(self, who: str) -> float:
        """Charge 1 if that phone may spend it now, and give 0; else in how many seconds it may."""
        if (wait_s := self.wait_s(who, 1.0)) == 0:
            self.spend(who, 1.0)
        return wait_s

    def _owed(self, who: str, now_s: float) -> float:
        amount, then_s = self._spent.get(who, (0.0, now_s))
        return max(0.0, amount - (now_s - then_s) * self._per_s)

    def _sweep(self, now_s: float) -> None:
        """Forget who owes nothing any more, as often as a whole purse fills again."""
        if now_s - self._swept_s > self._most / self._per_s:
            self._swept_s = now_s
            self._spent = {who: of for who, of in self._spent.items() if self._owed(who, now_s) > 0}
