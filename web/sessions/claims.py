"""Claims: a phone asks to be let in without a code, or to lead, and somebody at the table confirms it.

One claim is open at a time, for a minute. It is shown on every phone with its number, and redeemed by two
buttons of the box held together, which play never does, or by a phone that may confirm it. Nobody queues:
while one is open others are refused, and after one that came to nothing there is a pause, so that a gesture
that was meant for it can never serve the next.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable

from msgspec import Struct

from companion.budgets import CLAIMS, CLAIMS_PER_S, Purse
from web.sessions.access import Phone, Role

CLAIM_S = 60.0
"""So long a claim is open."""

PAUSE_S = 10.0
"""So long nobody else may ask after a claim came to nothing: longer than the gesture takes."""

REFUSED_S = 120.0
"""So long the address of a phone that was refused may not ask again."""

_NUMBERS = range(10, 100)


class Claim(Struct, frozen=True):
    """A phone's claim: to lead, or to be let in.

    `gestures` counts those the box had seen by then.
    """

    number: int
    phone: str
    address: str
    lead: bool
    gestures: int
    made_s: float


class Asked(Struct, frozen=True):
    """The result of a claim: a reason key with the values of its sentence."""

    reason: str
    number: int = 0
    wait_s: int = 0


def may_decide(phone: Phone, claim: Claim) -> bool:
    """Whether that phone may confirm or refuse the claim.

    Only phones that were let in may: the host; where nobody leads, or that phone is silent, a player; and
    whoever plays could as well show the code that lets another in.
    """
    if phone.id == claim.phone or not phone.let_in:
        return False
    if phone.role is Role.HOST:
        return True
    return phone.role is Role.PLAYER and (not claim.lead or not phone.led or phone.lead_silent)


class Claims:
    """The `open` claim, which `settle` closes once its minute is over, and who has to wait; to be used under
    the lock of the seats."""

    def __init__(self, gestures: Callable[[], int], now_s: Callable[[], float]) -> None:
        self._gestures, self._now_s = gestures, now_s
        self.open: Claim | None = None
        self._last_number = 0
        self._pause: tuple[float, str] = (float("-inf"), "")
        self._failed = Purse(CLAIMS, CLAIMS_PER_S, now_s)

    def ask(self, phone: Phone, address: str, *, lead: bool) -> Asked:
        """Open a claim, or say why not."""
        claim = self.open
        if claim:
            mine = claim.phone == phone.id and claim.lead == lead
            return Asked("claim_open" if mine else "another_asks", claim.number)
        wait_s = max(self._failed.wait_s(address, 1.0), self._pause_s(phone.id))
        if wait_s > 0:
            return Asked("ask_later", wait_s=int(wait_s) + 1)
        number = secrets.choice([n for n in _NUMBERS if n != self._last_number])
        self._last_number = number
        self.open = Claim(number, phone.id, address, lead, self._gestures(), self._now_s())
        return Asked("claim_open", number)

    def settle(self) -> Claim | None:
        """The claim that the gesture has redeemed since; one that ran out is closed."""
        claim = self.open
        if claim is None:
            return None
        if self._now_s() - claim.made_s > CLAIM_S:
            self._fail(claim)
        elif self._gestures() > claim.gestures:
            return self.redeem(claim)
        return None

    def refuse(self, claim: Claim) -> None:
        """Close the open claim, for good."""
        self._fail(claim, CLAIMS - 1 + REFUSED_S * CLAIMS_PER_S)

    def withdraw(self, phone_id: str) -> None:
        """The phone that asked asks no longer."""
        if self.open and self.open.phone == phone_id:
            self._fail(self.open)

    def drop(self) -> None:
        """Close whatever is open, to nobody's harm."""
        self.open = None

    def redeem(self, claim: Claim) -> Claim:
        """Close the open claim: it is granted."""
        self.open = None
        self._failed.forgive(claim.address)  # the table vouches for it
        return claim

    def _fail(self, claim: Claim, cost: float = 1.0) -> None:
        self.open, self._pause = None, (self._now_s() + PAUSE_S, claim.phone)
        self._failed.spend(claim.address, cost)

    def _pause_s(self, phone_id: str) -> float:
        """How long that phone waits after another's claim."""
        until_s, whose = self._pause
        return until_s - self._now_s() if phone_id != whose else 0.0
