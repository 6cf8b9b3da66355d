"""Join codes: short-lived words that a phone at the table shows and another brings, as a QR code or typed;
and the pause after wrong ones."""

from __future__ import annotations

import hmac
import secrets
import threading
from collections.abc import Callable
from hashlib import sha256

PERIOD_S = 120.0
"""So long a code is shown; the one before is honoured as well, for a phone that was slow to open it."""

LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"  # none that is taken for another when read out or typed
LENGTH = 6
LATE_TURNS = 5


class JoinCodes:
    """The code of the moment, by a clock that never jumps; a restart of the box begins with new ones."""

    def __init__(self, now_s: Callable[[], float]) -> None:
        self._now_s = now_s
        self._key = secrets.token_bytes(16)

    def renew(self) -> None:
        """Show other codes from now on; none that was shown before is honoured."""
        self._key = secrets.token_bytes(16)

    def current(self) -> str:
        """The code to show now."""
        return self._code(self._turn())

    def left_s(self) -> float:
        """In how many seconds the next code takes its place; above 0, at most PERIOD_S."""
        return PERIOD_S - self._now_s() % PERIOD_S

    def honours(self, brought: str) -> bool:
        """Whether this code is or was just now shown; spaces, dashes and small letters do not matter."""
        typed, turn = _typed(brought), self._turn()
        return any(hmac.compare_digest(typed, self._code(t).encode()) for t in (turn, turn - 1))

    def shown_lately(self, brought: str) -> bool:
        """Whether this code was shown some minutes ago: somebody was slow, and guessed nothing."""
        typed = _typed(brought)
        late = range(self._turn() - 2, self._turn() - 2 - LATE_TURNS, -1)
        return any(hmac.compare_digest(typed, self._code(turn).encode()) for turn in late)

    def _turn(self) -> int:
        return int(self._now_s() // PERIOD_S)

    def _code(self, turn: int) -> str:
        drawn = hmac.digest(self._key, str(turn).encode(), sha256)
        return "".join(LETTERS[byte % len(LETTERS)] for byte in drawn[:LENGTH])


def _typed(brought: str) -> bytes:
    """A code as it is compared, whatever lies between its letters."""
    return "".join(letter for letter in brought.upper() if letter.isalnum()).encode(errors="replace")


WINDOW_S = 300.0
PER_ADDRESS = 8
OVERALL = 60
_ADDRESSES = 500


class Guesses:
    """Who has guessed how often; may be asked by many threads."""

    def __init__(self, now_s: Callable[[], float]) -> None:
        self._now_s, self._lock = now_s, threading.Lock()
        self._wrong: dict[str, tuple[float, ...]] = {}

    def wait_s(self, address: str) -> float:
        """How long that address must wait before it may try, 0 when it may."""
        with self._lock:
            self._forget()
            allowed = 1 if sum(map(len, self._wrong.values())) >= OVERALL else PER_ADDRESS
            own = self._wrong.get(address, ())
            return 0.0 if len(own) < allowed else own[-allowed] + WINDOW_S - self._now_s()

    def wrong(self, address: str) -> None:
        """That address brought a code that was never shown."""
        with self._lock:
            self._forget()
            self._wrong[address] = (*self._wrong.get(address, ()), self._now_s())

    def _forget(self) -> None:
        since_s = self._now_s() - WINDOW_S
        recent = {one: tuple(t for t in times if t > since_s) for one, times in self._wrong.items()}
        last_first = sorted((one for one in recent if recent[one]), key=lambda one: -recent[one][-1])
        self._wrong = {one: recent[one] for one in last_first[:_ADDRESSES]}
