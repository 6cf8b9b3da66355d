"""What people wish of the machine from the page: other settings, room on the card, another Wi-Fi, its end.

A changed setting counts from the next start on. For what the service may not do itself, it leaves a file that
systemd watches for. The units `.setup/pi/dudo-companion-wifi.path` and `dudo-companion-off.path` do the rest,
as root; the first says in another file what came of it. Nothing is done where a person only runs the program:
there the environment names no file.
"""

from __future__ import annotations

import json
import logging
import os
import shutil
import tomllib
import zlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Literal, TypeAlias, get_args

from msgspec import Struct

from companion.errors import BadCommand, BadSetting, CompanionError, PartFault, StorageError
from companion.reveal.evidence import Evidence
from companion.settings import Setting, Settings, rows_of, table
from companion.settings_file import page_keys, usable
from companion.storage.side_files import ASIDE, SideFile
from companion.table.folder import MEGABYTE, Reserve, free_bytes

_log = logging.getLogger(__name__)

_WITHOUT = "without"
"""Marks of faults of the settings that somebody read, to go on with the defaults."""

HEAD = "# Set on the page. It goes before the settings file of the box."

Values = Mapping[str, object]
"""By the names of settings."""


class PageSettings:
    """The settings that the page changes, in a file that goes before the box's own: what is in force, what
    was changed since, and what only a restart brings. Nothing is kept of a form in which one value cannot be
    used."""

    def __init__(
        self,
        file: SideFile,
        settings: Settings,
        restart: Callable[[], None],
        fit: Callable[[Settings], Settings],
        environ: Mapping[str, str] = os.environ,
        say: Callable[[str], object] = lambda aside: None,
    ) -> None:
        """`settings` are those in force; `restart` restarts the box, `say` reports faults that are open.
        `fit` finds faults in settings that no machine can use."""
        self._file, self.restart, self._fit, self._say = file, restart, fit, say
        self._fixed = {row.name for row in table() if not row.page or row.variable in environ}
        self._now: Values = {row.name: getattr(getattr(settings, row.section), row.key) for row in table()}
        self._kept: Values = file.read(_parsed, {})
        self._without: tuple[int, ...] = file.read(_gone_without, ())
        self._faults: tuple[str, ...] = ()

    @property
    def waits(self) -> bool:
        """Whether what was changed waits for a restart."""
        return any(self.value(row) != self._now[row.name] for row in table())

    @property
    def aside(self) -> str:
        """What cannot be used of the settings, and nobody chose yet to go without."""
        return "; ".join(fault for fault in self._faults if _mark(fault) not in self._without)

    def set_aside(self, faults: tuple[str, ...]) -> None:
        """Say what cannot be used."""
        self._faults = faults
        self._say(self.aside)

    def go_without(self) -> None:
        """Keep the defaults that are in force, and say no more of these faults. Raises StorageError."""
        marks = tuple(map(_mark, self._faults))
        self._file.write(_written(self._kept, marks))
        self._without = marks
        self._say(self.aside)

    def value(self, row: Setting) -> object:
        """What is in force once the box was restarted."""
        kept = {} if row.name in self._fixed else self._kept
        return kept.get(row.name, self._now[row.name])

    def may_change(self, row: Setting) -> bool:
        """Whether the page may: neither the box's own file alone says it, nor the environment."""
        return row.name not in self._fixed

    def change(self, given: Mapping[str, str]) -> Mapping[str, CompanionError]:
        """Keep what a form says, by the names of settings. Returns what cannot be used, and then nothing is
        kept. Raises StorageError."""
        changed, refused = dict(self._kept), dict[str, CompanionError]()
        for row in table():
            if row.name not in given or not self.may_change(row):
                continue
            try:
                value = self._fitting(row, given[row.name].strip())
            except BadSetting as error:
                refused[row.name] = error
                continue
            if value != self.value(row):
                changed[row.name] = value
        if not refused and changed != self._kept:
            self._file.write(_written(changed, self._without))
            self._kept = changed
        return refused

    def _fitting(self, row: Setting, given: str) -> object:
        """The value that was typed, where this machine can use it; raises BadSetting."""
        value = usable(row, given)
        if row.name in NOT_ALL_FIT:
            usual = getattr(Settings(), row.section)
            typed = replace(Settings(), **{row.section: replace(usual, **{row.key: value})})
            if given.startswith("folder:") or self._fit(typed).faults:  # set on the box alone
                raise BadSetting(NOT_ALL_FIT[row.name], value=repr(given))
        return value


NOT_ALL_FIT = {
    "camera.use": "setting_camera",
    "mqtt.prefix": "setting_sign",
    "mqtt.discovery": "setting_sign",
}
"""Settings of which not every value can be used by every machine, with the reason."""


def _parsed(content: bytes) -> Values:
    """What was kept and can still be used."""
    given = page_keys(tomllib.loads(content.decode()))
    return {
        f"{section}.{key}": usable(rows_of(section)[key], value)
        for section, values in given.items()
        for key, value in values.items()
    }


def _mark(fault: str) -> int:
    return zlib.crc32(fault.encode())


def _gone_without(content: bytes) -> tuple[int, ...]:
    return tuple(tomllib.loads(content.decode()).get(_WITHOUT, ()))


def _written(values: Values, without: tuple[int, ...]) -> bytes:
    """As TOML, section by section; its strings and JSON's are written alike."""
    lines = [HEAD, f"{_WITHOUT} = {list(without)}"] if without else [HEAD]
    for row in table():
        if row.name in values:
            heading = f"[{row.section}]"
            lines += [] if heading in lines else ["", heading]
            lines.append(f"{row.key} = {json.dumps(values[row.name], ensure_ascii=False)}")
    return ("\n".join(lines) + "\n").encode()


class Room:
    """Room on the memory card: of pictures behind verdicts of other games than the one on the table, and of
    damaged files set aside. Games, standings and examples stay."""

    def __init__(
        self, folder: Path, evidence: Evidence, reserve: Reserve, game: Callable[[], str | None]
    ) -> None:
        """`game` is the one on the table; a full card takes changes in the room that `reserve` gives up."""
        self._folder, self._evidence, self._reserve, self._game = folder, evidence, reserve, game

    @property
    def free_mb(self) -> int:
        """Megabytes that are free."""
        return free_bytes(self._folder) // MEGABYTE

    def spare_mb(self) -> int:
        """Megabytes that `make` would free, rounded up."""
        aside = sum(path.stat().st_size for path in self._aside())
        return -(-(aside + self._evidence.spare_bytes(self._game())) // MEGABYTE)

    def make(self) -> None:
        """Free them. Raises StorageError."""
        before = self.free_mb
        for path in self._aside():
            with suppress(OSError):
                path.unlink()
        self._reserve.give_up()
        try:
            self._evidence.drop_pictures(self._game())
        finally:
            self._reserve.keep()
        _log.warning("the page made room: %d MB were free, %d MB are", before, self.free_mb)

    def _aside(self) -> list[Path]:
        return [path for path in self._folder.glob(f"*{ASIDE}") if path.is_file()]


VARIABLE = "DUDO_WIFI"
"""Of the environment: the file to leave, set by the service's unit alone."""

RESULT = "DUDO_WIFI_RESULT"
"""Of the environment: the file in which it says what came of the last wish."""

MAX_NAME_BYTES = 32
"""Of a network's name (IEEE 802.11)."""

PASSWORD_SIGNS = range(8, 64)
"""Printable ASCII signs of a WPA passphrase (IEEE 802.11i)."""

_LONGEST_BYTES = 200


JoiningWord: TypeAlias = Literal["joining", "joined", "not_found", "refused", "failed"]


class Joining(Struct, frozen=True):
    """What came of the wish to join the Wi-Fi called `name`."""

    word: JoiningWord
    name: str


class WifiJoining:
    """The wish to join a Wi-Fi, and what came of it. `can`: it can be set from here."""

    def __init__(self, environ: Mapping[str, str] = os.environ, tool: str = "nmcli") -> None:
        self.can = bool(environ.get(VARIABLE) and environ.get(RESULT) and shutil.which(tool))
        self._file = Path(environ[VARIABLE]) if self.can else None
        self._result = Path(environ[RESULT]) if self.can else None

    def join(self, name: str, password: str) -> None:
        """Wish to join the network; an empty `password` is for an open one.

        Raises BadCommand for what no network can have, or where nobody listens, PartFault where the file
        cannot be left.
        """
        if self._file is None:
            raise BadCommand("cannot_join_wifi")
        if not (0 < len(name.encode("utf-8", "replace")) <= MAX_NAME_BYTES and name.isprintable()):
            raise BadCommand("wifi_name")
        signs_fit = password.isascii() and password.isprintable()
        if password and not (signs_fit and len(password) in PASSWORD_SIGNS):
            raise BadCommand("wifi_password")
        try:
            SideFile(self._file).write(f"{name}\n{password}\n".encode())
        except StorageError as error:
            raise PartFault("wifi_failed", cause=error.values["cause"]) from error
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


SWITCH_OFF = "DUDO_SWITCH_OFF"
"""Of the environment: the file to leave, set by the service's unit alone."""


class SwitchOff:
    """The wish to switch off. `can`: somebody listens to it."""

    def __init__(self, environ: Mapping[str, str] = os.environ) -> None:
        self._file = Path(environ[SWITCH_OFF]) if environ.get(SWITCH_OFF) else None
        self.can = self._file is not None

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
