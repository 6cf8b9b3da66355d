"""The settings that the page changes: a file in the data folder that goes before the box's own.

A change counts from the next start on. Nothing is kept of a form in which one value cannot be used.
"""

from __future__ import annotations

import json
import os
import tomllib
import zlib
from collections.abc import Callable, Mapping
from dataclasses import replace

from companion.app.system.box_parts import fitting
from companion.errors import BadSetting, CompanionError
from companion.settings import Camera, Setting, Settings, table
from companion.settings_file import page_keys, usable
from companion.side_files import SideFile

_WITHOUT = "without"
"""Marks of faults of the settings that somebody read, to go on with the defaults."""

HEAD = "# Set on the page. It goes before the settings file of the box."

Values = Mapping[str, object]
"""By the names of settings."""


class PageSettings:
    """What is in force, what was changed since, and what only a restart brings."""

    def __init__(
        self,
        file: SideFile,
        settings: Settings,
        restart: Callable[[], None],
        environ: Mapping[str, str] = os.environ,
        say: Callable[[str], object] = lambda aside: None,
    ) -> None:
        """`settings` are those in force; `restart` begins the box anew, `say` is told what was set aside."""
        self._file, self.restart, self._say = file, restart, say
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
                value = _fitting(row, given[row.name].strip())
            except BadSetting as error:
                refused[row.name] = error
                continue
            if value != self.value(row):
                changed[row.name] = value
        if not refused and changed != self._kept:
            self._file.write(_written(changed, self._without))
            self._kept = changed
        return refused


def _fitting(row: Setting, given: str) -> object:
    """The value that was typed, where this machine can use it; raises BadSetting."""
    value = usable(row, given)
    if row.name == "camera.use":
        path = given.startswith("folder:")  # it names a folder of the box
        if path or fitting(replace(Settings(), camera=Camera(given))).faults:
            raise BadSetting("setting_camera", value=repr(given))
    return value


def _parsed(content: bytes) -> Values:
    """What was kept and can still be used."""
    given = page_keys(tomllib.loads(content.decode()))
    rows = {(row.section, row.key): row for row in table()}
    return {
        rows[section, key].name: usable(rows[section, key], value)
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
