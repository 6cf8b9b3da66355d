"""Posts each event of a game to an address, signed, from a thread of its own that nobody waits for.

The receiver checks `X-Dudo-Signature: sha256=<hex>`: HMAC-SHA256 (RFC 2104) with the shared secret over the
timestamp of `X-Dudo-Timestamp`, a dot, and the body. So nobody else can send events, nor an old one again.
"""

from __future__ import annotations

import hashlib
import hmac
import http.client
import logging
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from urllib.parse import urlsplit

from companion.outside.connection import OutsideFault, back_off, secret_in
from companion.outside.topics import Message, Outbox
from companion.threads import Beat, Loop

_log = logging.getLogger(__name__)

ANSWER_S = 5.0
TRIES = 6
"""So often is one event sent at most: the pauses between add up to half a minute."""

SIGNATURE, TIMESTAMP, DELIVERY = "X-Dudo-Signature", "X-Dudo-Timestamp", "X-Dudo-Delivery"


def signed(body: bytes, secret: str, at_s: int, delivery: str) -> dict[str, str]:
    """The headers of an event that leaves at `at_s`, in seconds since 1970. Pure."""
    code = hmac.new(secret.encode(), f"{at_s}.".encode() + body, hashlib.sha256).hexdigest()
    return {
        "Content-Type": "application/json; charset=utf-8",
        "User-Agent": "dudo-companion",
        TIMESTAMP: str(at_s),
        SIGNATURE: f"sha256={code}",
        DELIVERY: delivery,
    }


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A signed event goes to the address of the settings and nowhere else."""

    def redirect_request(self, *args: object, **more: object) -> None:
        return None


def post(url: str, body: bytes, headers: Mapping[str, str]) -> None:
    """Send `body` to `url` by POST; raises OutsideFault. Redirects are not followed."""
    opener = urllib.request.build_opener(_NoRedirects)
    try:
        opener.open(urllib.request.Request(url, body, dict(headers)), timeout=ANSWER_S).close()
    except urllib.error.HTTPError as error:
        error.close()
        raise OutsideFault("webhook_refused") from error
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise OutsideFault("webhook_away") from error


def check_address(url: str) -> None:
    """Raises OutsideFault for an address that no event can be sent to."""
    try:
        parts = urlsplit(url)
        fit = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        fit = False
    if not fit:
        raise OutsideFault("webhook_address")


class Webhook:
    """Sends the events of its outbox to `url` one after the other, each up to TRIES times.

    `connected`: the last event was taken; else `fault` is why not.
    """

    name = "webhook"

    def __init__(self, url: str, secret_file: str, beat: Beat = lambda: None) -> None:
        self.outbox = Outbox()
        self._url, self._secret_file = url, secret_file
        self._next: Message | None = None
        self._number, self.connected = 0, False
        self.fault: OutsideFault | None = None
        self._back_off = back_off()
        self._loop = Loop("webhook", self._turn, beat)

    def put(self, message: Message) -> None:
        """Send an event as soon as it can be; returns at once. A state is not sent: it is no event."""
        if not message.retained:
            self.outbox.put(message)
            self._loop.wake()

    def stop(self) -> None:
        """Have the thread end; may be called twice."""
        self._loop.stop()

    def close(self) -> None:
        """End; events that wait are lost. May be called twice."""
        self._loop.close()

    def _turn(self) -> float | None:
        if self._next is None:
            self._next = self.outbox.take()
            self._number += self._next is not None
        if self._next is None:
            return None
        if pause_s := self._back_off.pause_s():
            return pause_s
        self._try(self._next)
        return 0.0

    def _try(self, message: Message) -> None:
        body, at_s = message.text.encode(), int(time.time())
        delivery = hashlib.sha256(f"{self._number} {message.text}".encode()).hexdigest()[:32]
        try:
            check_address(self._url)
            secret = secret_in(self._secret_file, OutsideFault("webhook_secret"))
            post(self._url, body, signed(body, secret, at_s, delivery))
        except OutsideFault as fault:
            self._failed(fault)
        else:
            self._next, self.fault, self.connected = None, None, True
            self._back_off.worked()

    def _failed(self, fault: OutsideFault) -> None:
        if self.fault is None or self.fault.reason != fault.reason:
            _log.warning("%s", fault)
        self.fault, self.connected = fault, False
        self._back_off.failed()
        if self._back_off.failures >= TRIES:
            self._next = None
            self.outbox.give_up()
            self._back_off.worked()
