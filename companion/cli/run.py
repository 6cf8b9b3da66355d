"""`dudo run`: start the companion and answer phones; as a service of systemd say when it is ready and alive.

Source of the protocol: sd_notify(3). Without systemd nothing happens.
"""

from __future__ import annotations

import argparse
import os
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import NoReturn

from companion import memory
from companion.addresses import invitation, own_addresses, reached_at
from companion.app.compiled import in_one_file
from companion.cli.options import BOX, add_common, add_settings, asked_for, at_start
from companion.settings import Settings

CLOSING_S = 4.5
"""Maximum time for closing."""

LAST_S = 2 * CLOSING_S
"""After so long the kernel of Unix ends a process whose threads never come to say that it is time. A busy
machine may keep a thread waiting for seconds, and who is ended by the kernel counts as failed; systemd waits
for 15 s."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options; each goes before the settings file."""
    parser.description = "Starts the companion and serves its page."
    add_common(parser, "--config")
    add_serving(parser)
    parser.set_defaults(run=run)


def add_serving(parser: argparse.ArgumentParser) -> None:
    """The options that a demo has too."""
    add_settings(parser, BOX)
    parser.add_argument("--no-browser", action="store_true", help="do not open the page in a browser")
    parser.add_argument("--verbose", action="store_true", help="say more in the log")


def run(args: argparse.Namespace) -> int:
    """Serve until interrupted or ended by a signal."""
    return serve(at_start(args), args)


def serve(settings: Settings, args: argparse.Namespace, *, shows: bool = False) -> int:
    """Open the box, say where its page is, and serve; a person's own browser gets the page. With
    `shows` the box is a demonstration."""
    with in_one_file():
        settings = asked_for(settings, args)  # imports, too
        from companion.app.companion import Companion, Shows
        from companion.app.system.log import logged

    _end_on_sigterm()
    memory.spare()
    shown = Shows() if shows else None
    with logged(settings.data_folder, verbose=args.verbose), Companion(settings, shows=shown) as companion:
        addresses = reached_at(settings.web.host, own_addresses())
        https, drawn = companion.https is not None, sys.stdout.isatty()
        invited = invitation(addresses, companion.port, drawn=drawn, https=https)
        with suppress(OSError):  # a full disk takes no greeting
            print(*filter(None, (companion.greeting(), invited)), sep="\n", flush=True)
        if not args.no_browser and (browser := windowed_browser(terminal=drawn)):
            browser.open(companion.link)
        with watched(companion.alive, lambda: not companion.restarts):
            companion.serve()
    if companion.restarts:
        _begin_anew()
    return 0


def _begin_anew() -> NoReturn:
    """The same program anew in this process, whose number the service manager knows."""
    given = sys.orig_argv[1:]
    os.execv(
        sys.executable, [sys.executable, *given, *(() if "--no-browser" in given else ("--no-browser",))]
    )


def windowed_browser(*, terminal: bool) -> webbrowser.BaseBrowser | None:
    """The browser of whoever starts this by hand at a desktop. None for a service, which has no terminal,
    and where the only browser is one that would take the terminal."""
    with suppress(webbrowser.Error):
        found = webbrowser.get() if terminal else None
        in_terminal = isinstance(found, webbrowser.GenericBrowser)
        if isinstance(found, webbrowser.BackgroundBrowser) or not in_terminal:
            return found
    return None


def _end_on_sigterm() -> None:
    """A service manager ends us with SIGTERM: everything is closed, whatever hangs."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, _end)


def _end(signum: int, frame: object) -> NoReturn:
    """Close everything, and end without that when it takes too long: the journal is always synced."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if sys.platform != "win32":
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, LAST_S)
    last = threading.Timer(CLOSING_S, os._exit, (0,))
    last.daemon = True
    last.start()
    raise SystemExit(0)


_CLOSE_S = 1.0


def notify(message: str) -> bool:
    """Send systemd `message` ("READY=1"). True if a service manager listens."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if sys.platform == "win32" or not address:
        return False
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as channel, suppress(OSError):
        channel.sendto(message.encode(), "\0" + address[1:] if address.startswith("@") else address)
        return True
    return False


@contextmanager
def watched(alive: Callable[[], bool], ends: Callable[[], bool]) -> Iterator[None]:
    """Within this, systemd gets to know that the box is ready, and that it lives as long as `alive` is true;
    afterwards that it stops, unless it only begins anew and `ends` is false.

    The unit's WatchdogSec sets the pace. When the box no longer answers, systemd starts it anew.
    """
    notify("READY=1")
    done = threading.Event()
    pings = threading.Thread(target=_ping, args=(alive, done), name="watchdog", daemon=True)
    pings.start()
    try:
        yield
    finally:
        done.set()
        notify("STOPPING=1" if ends() else "WATCHDOG=1")
        pings.join(_CLOSE_S)


def _ping(alive: Callable[[], bool], done: threading.Event) -> None:
    """Send systemd a sign of life twice in each of its periods."""
    with suppress(ValueError):
        period_s = int(os.environ.get("WATCHDOG_USEC", "")) / 1e6
        while not done.wait(period_s / 2):
            if alive():
                notify("WATCHDOG=1")
