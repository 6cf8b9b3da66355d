"""Join codes: short-lived words that a phone at the table shows and another brings, as a QR code or typed."""

from __future__ import annotations

import hmac
import secrets
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
        return self._is_of(brought, range(2))

    def shown_lately(self, brought: str) -> bool:
        """Whether this code was shown some minutes ago: somebody was slow, and guessed nothing."""
        return self._is_of(brought, range(2, 2 + LATE_TURNS))

    def _is_of(self, brought: str, ago: range) -> bool:
        """Whether it was the code so many turns ago, whatever lies between its letters."""
        typed, turn = "".join(filter(str.isalnum, brought.upper())).encode(errors="replace"), self._turn()
        return any(hmac.compare_digest(typed, self._code(turn - n).encode()) for n in ago)

    def _turn(self) -> int:
        return int(self._now_s() // PERIOD_S)

    def _code(self, turn: int) -> str:
        drawn = hmac.digest(self._key, str(turn).encode(), sha256)
        return "".join(LETTERS[byte % len(LETTERS)] for byte in drawn[:LENGTH])
