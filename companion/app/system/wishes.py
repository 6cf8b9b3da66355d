"""What the service may not do itself: join a Wi-Fi, and switch the whole machine off. It leaves a file that
systemd watches for.

The units `.setup/pi/dudo-companion-wifi.path` and `dudo-companion-off.path` do the rest, as root; the first
says in another file what came of it. Nothing is done where a person only runs the program: there the
environment names no file.
"""

from __future__ import annotations

import logging
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import get_args

from companion.addresses import Joining, JoiningWord
from companion.errors import BadCommand, PartFault

VARIABLE = "DUDO_WIFI"
"""Of the environment: the file to leave, set by the service's unit alone."""

RESULT = "DUDO_WIFI_RESULT"
"""Of the environment: the file in which it says what came of the last wish."""

MAX_NAME_BYTES = 32
"""Of a network's name (IEEE 802.11)."""

PASSWORD_SIGNS = range(8, 64)
"""Printable ASCII signs of a WPA passphrase (IEEE 802.11i)."""

_LONGEST_BYTES = 200
_log = logging.getLogger(__name__)


class WifiJoining:
    """The wish to join a Wi-Fi, and what came of it."""

    def __init__(self, environ: Mapping[str, str] = os.environ, tool: str = "nmcli") -> None:
        can = bool(environ.get(VARIABLE) and environ.get(RESULT) and shutil.which(tool))
        self._file = Path(environ[VARIABLE]) if can else None
        self._result = Path(environ[RESULT]) if can else None

    @property
    def can(self) -> bool:
        """Whether this machine is a box whose Wi-Fi can be set from here."""
        return self._file is not None

    def join(self, name: str, password: str) -> None:
        """Wish to join the network; an empty `password` is for an open one.

        Raises BadCommand for what no network can have, or where nobody listens, PartFault where the file
        cannot be left.
        """
        if self._file is None:
            raise BadCommand("cannot_join_wifi")
        if not _is_name(name):
            raise BadCommand("wifi_name")
        if password and not _is_password(password):
            raise BadCommand("wifi_password")
        try:
            _leave(self._file, f"{name}\n{password}\n")
        except OSError as error:
            raise PartFault("wifi_failed", cause=error.strerror or str(error)) from error
        _log.warning("a phone has the box join another Wi-Fi")

    def now(self) -> Joining | None:
        """What came of the last wish since the machine was started; None where there was none."""
        if self._file is not None and self._file.exists():
            return Joining("joining", "")
        if self._result is None:
            return None
        try:
            with self._result.open("rb") as file:
                word, _, name = file.read(_LONGEST_BYTES).decode("utf-8", "replace").partition("\n")
        except OSError:
            return None
        return next((Joining(one, name.strip()) for one in get_args(JoiningWord) if one == word), None)


def _is_name(name: str) -> bool:
    return 1 <= len(name.encode("utf-8", "replace")) <= MAX_NAME_BYTES and name.isprintable()


def _is_password(password: str) -> bool:
    return len(password) in PASSWORD_SIGNS and password.isascii() and password.isprintable()


def _leave(path: Path, text: str) -> None:
    """Whole or not at all, and readable by nobody else: it has a password in it."""
    beside = path.with_suffix(".new")
    beside.unlink(missing_ok=True)
    with open(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(beside, path)


SWITCH_OFF = "DUDO_SWITCH_OFF"
"""Of the environment: the file to leave, set by the service's unit alone."""


class SwitchOff:
    """The wish to switch off. `can`: somebody listens to it."""

    def __init__(self, environ: Mapping[str, str] = os.environ) -> None:
        self._file = Path(environ[SWITCH_OFF]) if environ.get(SWITCH_OFF) else None

    @property
    def can(self) -> bool:
        """Whether this machine is a box that can be switched off from here."""
        return self._file is not None

    def off(self, whose: str) -> None:
        """Wish it; `whose` wish it is goes into the log.

        Raises BadCommand where nobody listens, PartFault where the file cannot be left.
        """
        if self._file is None:
            raise BadCommand("cannot_switch_off")
        _log.warning("switched off by %s", whose)
        try:
            self._file.touch()
        except OSError as error:
            raise PartFault("switch_off_failed", cause=error.strerror or str(error)) from error
