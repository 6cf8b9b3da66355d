"""Being a service of systemd: saying when the box is ready, and that it is alive.

Source of the protocol: sd_notify(3). Without systemd nothing happens.
"""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress

_CLOSE_S = 1.0


def notify(message: str, environ: Mapping[str, str] = os.environ) -> bool:
    """Send systemd `message` ("READY=1"). True if a service manager listens."""
    address = environ.get("NOTIFY_SOCKET", "")
    if not address:
        return False
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as channel, suppress(OSError):
        channel.sendto(message.encode(), "\0" + address[1:] if address.startswith("@") else address)
        return True
    return False


@contextmanager
def watched(alive: Callable[[], bool], environ: Mapping[str, str] = os.environ) -> Iterator[None]:
    """Within this, systemd gets to know that the box is ready, and that it lives as long as `alive` is true.

    The unit's WatchdogSec sets the pace. When the box no longer answers, systemd starts it anew.
    """
    notify("READY=1", environ)
    done = threading.Event()
    pings = threading.Thread(target=_ping, args=(alive, done, environ), name="watchdog", daemon=True)
    pings.start()
    try:
        yield
    finally:
        done.set()
        notify("STOPPING=1", environ)
        pings.join(_CLOSE_S)


def _ping(alive: Callable[[], bool], done: threading.Event, environ: Mapping[str, str]) -> None:
    """Send systemd a sign of life twice in each of its periods."""
    with suppress(ValueError):
        period_s = int(environ.get("WATCHDOG_USEC", "")) / 1e6
        while not done.wait(period_s / 2):
            if alive():
                notify("WATCHDOG=1", environ)
