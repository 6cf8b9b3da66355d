"""Reads the settings: one TOML file, above it what was set on the page, and above both what `DUDO_*` says in
the environment.

All faults are reported at once, so that a person corrects the file once. None of them keeps a box from
starting: what cannot be used has its default.
"""

from __future__ import annotations

import dataclasses
import errno
import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, cast

from companion.errors import BadSetting, SettingsError
from companion.settings import SECTIONS, Data, Setting, Settings, rows_of, table

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

S = TypeVar("S", bound="DataclassInstance")

PLACES = (Path("/etc/dudo/companion.toml"), Path("~/.config/dudo/companion.toml"))

PAGE_FILE = "settings.toml"
"""In the data folder: what was set on the page."""

MAX_BYTES = 1_000_000
"""Of a settings file: a device that never ends must not be read to its end."""
MAX_DIGITS = 20
"""Of a number in the environment."""


def load(
    path: Path | None = None, environ: Mapping[str, str] = os.environ, data: str | None = None
) -> Settings:
    """Settings of the file at `path`, else of the first of PLACES that is there, else the defaults.

    What was set on the page goes before the file, and `DUDO_<SECTION>_<KEY>` of `environ` before both.
    `data` is a data folder that goes before all. Raises SettingsError with every fault.
    """
    settings = load_usable(path, environ, data)
    if settings.faults:
        raise SettingsError(settings.faults)
    return settings


def load_usable(
    path: Path | None = None, environ: Mapping[str, str] = os.environ, data: str | None = None
) -> Settings:
    """The settings as `load`, with the default of each that cannot be used: its faults are in `faults`.

    A file that is no TOML may have named pins: then the box's own are left alone.
    """
    places, faults = (Path(os.path.expanduser(place)) for place in PLACES), list[str]()
    source = path or next((place for place in places if place.exists()), None)
    given = _parse(source, faults) if source else {}
    faults += [f"{source}: no section [{name}]" for name in given if name not in {*SECTIONS, "pins"}]
    by_env = {name: _from_environment(name, environ) for name in SECTIONS}
    by_env["data"] |= {"folder": data} if data else {}
    by_page = _of_the_page(by_env["data"].get("folder") or _table(given, "data", []).get("folder"), faults)
    sections: dict[str, object] = {}
    for name, kind in SECTIONS.items():
        sources = _table(given, name, faults), by_page.get(name, {}), by_env[name]
        wanted = {key: value for source in sources for key, value in _renamed(name, source).items()}
        sections[name] = _section(name, kind, wanted, faults)
    pins = _table(given, "pins", faults)
    settings = Settings(**sections, pins=pins)  # type: ignore[arg-type]  # SECTIONS has their types
    try:
        _ = settings.data_folder
    except SettingsError as error:
        faults += error.faults
        settings = dataclasses.replace(settings, data=Data())
    return dataclasses.replace(settings, faults=tuple(faults))


def _of_the_page(folder: object, faults: list[str]) -> Mapping[str, Mapping[str, object]]:
    """What was set on the page, of the keys that it may change."""
    try:
        place = Settings(data=Data(folder=str(folder or ""))).data_folder / PAGE_FILE
    except SettingsError:
        return {}
    return page_keys(_parse(place, faults)) if os.path.exists(place) else {}


def page_keys(given: Mapping[str, object]) -> Mapping[str, Mapping[str, object]]:
    """Of sections as they were read what the page may change."""
    known = {(row.section, row.key) for row in table() if row.page}
    sections = {name: _table(given, name, []) for name in SECTIONS}
    return {
        name: {key: value for key, value in values.items() if (name, key) in known}
        for name, values in sections.items()
    }


def with_values(settings: Settings, given: Mapping[str, Mapping[str, object]]) -> Settings:
    """The settings with single values changed, None meaning unchanged; raises SettingsError."""
    faults: list[str] = []
    changed: dict[str, object] = {}
    for name, values in given.items():
        old = dataclasses.asdict(getattr(settings, name))
        new = {key: value for key, value in values.items() if value is not None}
        changed[name] = _section(name, SECTIONS[name], old | new, faults)
    if faults:
        raise SettingsError(tuple(faults))
    return dataclasses.replace(settings, **changed)  # type: ignore[arg-type]  # as above


def _parse(path: Path, faults: list[str]) -> Mapping[str, object]:
    """The file as TOML; nothing, with one sentence among the faults, where it is none."""
    written = b""
    try:
        with path.open("rb") as file:
            written = file.read(MAX_BYTES + 1)
        if len(written) > MAX_BYTES:
            raise OSError(errno.EFBIG, f"more than {MAX_BYTES // 1000} kB")
        return tomllib.loads(written.decode("utf-8-sig"))  # editors of other systems begin with a mark
    except (OSError, ValueError, RecursionError) as error:
        faults.append(f"{path} {_why_unreadable(error)}")
        return {"box": {"pins": "mock"}} if b"[pins]" in written else {}


def _why_unreadable(error: Exception) -> str:
    match error:
        case FileNotFoundError():
            return "is not there"
        case PermissionError():
            return "may hold passwords and is not yours to read: type sudo before the command"
        case OSError():
            return f"cannot be read ({error.strerror})"
        case RecursionError():
            return "nests its brackets too deeply"
        case UnicodeDecodeError() | tomllib.TOMLDecodeError():
            return f"is no TOML ({error})"
        case _:
            return "has a number that is too long"  # Python makes none of thousands of digits


def _table(given: Mapping[str, object], name: str, faults: list[str]) -> Mapping[str, object]:
    table = given.get(name, {})
    if isinstance(table, dict):
        return table
    faults.append(f"[{name}] must be a section, not a value")
    return {}


def _from_environment(name: str, environ: Mapping[str, str]) -> dict[str, str]:
    keys = (*_old_names(name), *rows_of(name))
    found = {key: environ.get(f"DUDO_{name}_{key}".upper()) for key in keys}
    return {key: value for key, value in found.items() if value is not None}


def _old_names(name: str) -> dict[str, str]:
    """The key of today by each name that a key of the section had before."""
    return {row.old: key for key, row in rows_of(name).items() if row.old}


def _renamed(name: str, given: Mapping[str, object]) -> dict[str, object]:
    """`given` with keys by their names of today; where a key is given under both, that one counts."""
    old = _old_names(name)
    return {old[key]: value for key, value in given.items() if key in old} | {
        key: value for key, value in given.items() if key not in old
    }


def _section(name: str, kind: type[S], wanted: Mapping[str, object], faults: list[str]) -> S:
    """The section with its defaults, faults collected by the way."""
    known = rows_of(name)
    faults.extend(f"[{name}] knows no {key!r}" for key in wanted if key not in known)
    values = {}
    for key in known.keys() & wanted.keys():
        try:
            values[key] = usable(known[key], wanted[key])
        except BadSetting as error:
            why = "no such value" if known[key].secret else str(error).rstrip(".")
            faults.append(f"[{name}] {key}: {why}")
    return kind(**values)


def usable(row: Setting, given: object) -> object:
    """`given`, of a file or typed, as a value of this setting; raises BadSetting with what was expected."""
    value = _typed(type(row.default), given)
    if isinstance(value, str):
        value = row.renamed.get(value, value)
        if row.choices and value not in row.choices:
            raise BadSetting("setting_choice", value=repr(value), known=", ".join(row.choices))
    elif row.low is not None and row.high is not None and not row.low <= value <= row.high:
        raise BadSetting("setting_bounds", value=value, low=f"{row.low:g}", high=f"{row.high:g}")
    return value


def _typed(kind: type, given: object) -> str | float:
    """`given` as what it stands for: a file has types, the environment and the page have words."""
    value: object = given
    if kind is bool and isinstance(given, str):
        value = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}.get(
            given.lower(), given
        )
    elif kind in (int, float) and isinstance(given, str | int) and not isinstance(given, bool):
        value = _number(kind, given)
    elif kind is str and type(given) is int:  # mains_hz = 50 is as good as "50"
        value = str(given)
    if type(value) is not kind:
        raise BadSetting(f"setting_{kind.__name__}", value=repr(given))
    if isinstance(value, str) and not value.isprintable():
        raise BadSetting("setting_sign", value=repr(given))
    return cast("str | float", value)


def _number(kind: type, given: str | int) -> object:
    """A whole number or a real one, `given` where it is none."""
    if isinstance(given, str) and len(given) > MAX_DIGITS:
        raise BadSetting("setting_long")
    try:
        return kind(given)
    except (ValueError, OverflowError):
        return given
