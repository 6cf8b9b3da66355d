"""The settings: one TOML file, every key with its default and its sentence, `DUDO_*` on top.

`load` reports all faults at once, so that a person corrects the file once.
"""

from __future__ import annotations

import dataclasses
import errno
import os
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from companion.errors import SettingsError
from companion.wifi import Wifi

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

T = TypeVar("T")
S = TypeVar("S", bound="DataclassInstance")

PLACES = (Path("/etc/dudo/companion.toml"), Path("~/.config/dudo/companion.toml"))

MAX_BYTES = 1_000_000
"""Of a settings file: a device that never ends must not be read to its end."""
MAX_DIGITS = 20
"""Of a number in the environment."""


def _key(
    default: T,
    doc: str,
    *,
    low: float | None = None,
    high: float | None = None,
    choices: tuple[str, ...] | None = None,
) -> T:
    """A settings field: its default, the sentence that explains it and its bounds."""
    return field(default=default, metadata={"doc": doc, "low": low, "high": high, "choices": choices})


@dataclass(frozen=True, slots=True)
class Web:
    """The page and the API."""

    host: str = _key("0.0.0.0", "Address to listen on; 127.0.0.1 keeps the page on this machine.")
    port: int = _key(8000, "Port of the page.", low=1, high=65535)
    https: bool = _key(
        False, "Encrypt the page, so that phones open a live camera view; each browser warns once."
    )
    hosts: str = _key(
        "", "Further names of the box, with commas between; its addresses and own name are known."
    )
    local_leads: bool = _key(
        True, "A browser on the box itself may do everything; false behind a proxy that leaves no sign."
    )
    metrics: bool = _key(False, "Serve /metrics for Prometheus: how the box is and how far the game.")
    open_scoreboard: bool = _key(
        True, "Any phone of the network sees the game; pictures are for those that were let in."
    )
    wifi: str = _key("", "Name of the Wi-Fi, for a second code beside the invitation; empty: no such code.")
    wifi_password: str = _key("", "Its password, shown in that code to phones that were let in.")

    @property
    def network(self) -> Wifi | None:
        """The Wi-Fi that phones join, if its name is known."""
        return Wifi(self.wifi, self.wifi_password) if self.wifi else None


@dataclass(frozen=True, slots=True)
class Data:
    """Which data are kept, and where."""

    folder: str = _key("", "Folder of the journal and the pictures; empty: ~/.local/share/dudo-companion.")
    evidence_mb: int = _key(
        200, "Room for pictures behind the verdicts; the oldest go first.", low=1, high=100_000
    )
    keep_examples: bool = _key(True, "Keep corrected dice as examples, on this box only.")


@dataclass(frozen=True, slots=True)
class Camera:
    """The camera and how it looks."""

    use: str = _key("auto", "auto, pi, pi:N, usb, usb:N, folder:PATH, phones or simulated.")
    looks: str = _key("one", "One look at all dice, or one for each player.", choices=("one", "each"))
    by_itself: bool = _key(True, "Take the picture as soon as the table is still; otherwise on OK.")
    reader: str = _key("both", "Way of reading dice.", choices=("pips", "net", "both"))
    mains_hz: str = _key(
        "50",
        "Frequency of the lamps' current, against dark bands: 50, 60 (the Americas), or off for daylight.",
        choices=("50", "60", "off"),
    )

    @property
    def flicker_hz(self) -> float | None:
        """The frequency of lamps on mains, None where none shines."""
        return None if self.mains_hz == "off" else float(self.mains_hz)


@dataclass(frozen=True, slots=True)
class Box:
    """Buttons and lamps."""

    pins: str = _key(
        "auto",
        "auto, real (a Raspberry Pi's pins) or mock (the box on the page).",
        choices=("auto", "real", "mock"),
    )
    strip: int = _key(
        0,
        "Pixels of a WS281x strip on GPIO10: the status light, then the seats; 0: lamps on pins.",
        low=0,
        high=13,
    )


@dataclass(frozen=True, slots=True)
class Table:
    """The table's habits."""

    preset: str = _key(
        "modern", "House rules offered first.", choices=("modern", "classic", "perudo", "lives", "app")
    )
    language: str = _key(
        "en",
        "Language of the page where a browser asks for none we speak.",
        choices=("en", "de", "es", "fr", "pt"),
    )
    doubt: float = _key(
        0.001,
        "Chance of another verdict below which nothing is asked; 0 asks about all that is open.",
        low=0,
        high=0.1,
    )


@dataclass(frozen=True, slots=True)
class Mqtt:
    """The MQTT broker to which games are published."""

    host: str = _key("", "MQTT broker that is told of the games; empty: none.")
    port: int = _key(1883, "Port of the broker; with TLS usually 8883.", low=1, high=65535)
    user: str = _key("", "User at the broker; empty: none is needed.")
    password_file: str = _key("", "File whose first line is the password of that user.")
    tls: bool = _key(False, "Encrypt the connection and check the broker's certificate.")
    ca_file: str = _key("", "Certificates that are trusted with TLS; empty: those of the system.")
    prefix: str = _key("dudo", "First part of every topic.")
    table: str = _key("", "Name of this table; empty: the name of the machine.")
    discovery: str = _key(
        "homeassistant", "Topic below which Home Assistant listens for devices; empty: none."
    )


@dataclass(frozen=True, slots=True)
class Webhook:
    """An address that gets every event of a game."""

    url: str = _key("", "Address that gets each event by POST; empty: none.")
    secret_file: str = _key("", "File whose first line is the secret that signs each event.")


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that can be set. `pins` holds the BCM numbers, checked by the hardware's wiring."""

    web: Web = Web()
    data: Data = Data()
    camera: Camera = Camera()
    box: Box = Box()
    table: Table = Table()
    mqtt: Mqtt = Mqtt()
    webhook: Webhook = Webhook()
    pins: Mapping[str, object] = field(default_factory=dict)

    @property
    def data_folder(self) -> Path:
        """Where the journal lives; raises SettingsError where nobody knows the home folder it lies in."""
        folder = os.path.expanduser(self.data.folder or "~/.local/share/dudo-companion")
        if folder.startswith("~"):
            raise SettingsError((f"[data] folder: nobody knows where {folder} is",))
        return Path(folder)


SECTIONS = {
    "web": Web,
    "data": Data,
    "camera": Camera,
    "box": Box,
    "table": Table,
    "mqtt": Mqtt,
    "webhook": Webhook,
}


def load(path: Path | None = None, environ: Mapping[str, str] = os.environ) -> Settings:
    """Settings of the file at `path`, else of the first of PLACES that is there, else the defaults.

    `DUDO_<SECTION>_<KEY>` of `environ` goes before the file. Raises SettingsError with every fault.
    """
    source = path or next((place for place in _places() if place.is_file()), None)
    given = _parse(source) if source else {}
    faults = [f"{source}: no section [{name}]" for name in given if name not in {*SECTIONS, "pins"}]
    sections: dict[str, object] = {}
    for name, kind in SECTIONS.items():
        wanted = {**_table(given, name, faults), **_from_environment(name, kind, environ)}
        sections[name] = _section(name, kind, wanted, faults)
    pins = _table(given, "pins", faults)
    if faults:
        raise SettingsError(tuple(faults))
    return Settings(**sections, pins=pins)  # type: ignore[arg-type]  # SECTIONS has their types


def _places() -> Iterator[Path]:
    return (Path(os.path.expanduser(place)) for place in PLACES)


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


def keys() -> Iterator[tuple[str, str, object, str]]:
    """(section, key, default, sentence) of every setting, for the docs and the help."""
    for name, kind in SECTIONS.items():
        for item in fields(kind):
            yield name, item.name, item.default, item.metadata["doc"]


def _parse(path: Path) -> Mapping[str, object]:
    """The file as TOML; raises SettingsError with one sentence."""
    try:
        with path.open("rb") as file:
            written = file.read(MAX_BYTES + 1)
        if len(written) > MAX_BYTES:
            raise OSError(errno.EFBIG, f"more than {MAX_BYTES // 1000} kB")
        return tomllib.loads(written.decode("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise SettingsError((f"{path} {_why_unreadable(error)}",)) from error


def _why_unreadable(error: Exception) -> str:
    match error:
        case FileNotFoundError():
            return "is not there"
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


def _from_environment(name: str, kind: type[DataclassInstance], environ: Mapping[str, str]) -> dict[str, str]:
    found = {item.name: environ.get(f"DUDO_{name}_{item.name}".upper()) for item in fields(kind)}
    return {key: value for key, value in found.items() if value is not None}


def _section(name: str, kind: type[S], wanted: Mapping[str, object], faults: list[str]) -> S:
    """The section with its defaults, faults collected by the way."""
    known = {item.name: item for item in fields(kind)}
    faults.extend(f"[{name}] knows no {key!r}" for key in wanted if key not in known)
    values = {}
    for key in known.keys() & wanted.keys():
        try:
            values[key] = _value(known[key], wanted[key])
        except ValueError as error:
            faults.append(f"[{name}] {key}: {error}")
    return kind(**values)


def _value(item: dataclasses.Field[object], given: object) -> object:
    """`given` as the field's type, within its bounds; raises ValueError with what was expected."""
    value = _typed(type(item.default), given)
    low, high, choices = (item.metadata[k] for k in ("low", "high", "choices"))
    if choices and value not in choices:
        raise ValueError(f"{value!r} is none of {', '.join(choices)}")
    if low is not None and not low <= value <= high:
        raise ValueError(f"{value} is not within {low} to {high}")
    return value


def _real(given: object) -> float:
    """A number, written in a file or in the environment."""
    if isinstance(given, str) and len(given) > MAX_DIGITS:
        raise ValueError("the number is too long")
    try:
        if not isinstance(given, int | float | str):
            raise TypeError(f"{given!r} is no number")
        return float(given)
    except (TypeError, OverflowError) as error:
        raise ValueError(f"{given!r} should be a number") from error


def _typed(kind: type, given: object) -> object:
    if kind is bool and isinstance(given, str):
        if given.lower() not in {"true", "false", "1", "0", "yes", "no"}:
            raise ValueError(f"{given!r} is neither true nor false")
        return given.lower() in {"true", "1", "yes"}
    if kind is int and isinstance(given, str):
        if len(given) > MAX_DIGITS:
            raise ValueError("the number is too long")
        return int(given)
    if kind is float and not isinstance(given, bool):
        return _real(given)
    if kind is str and type(given) is int:  # mains_hz = 50 is as good as "50"
        return str(given)
    if type(given) is not kind:
        raise ValueError(f"{given!r} should be {kind.__name__}")
    if isinstance(given, str) and "\0" in given:
        raise ValueError(f"{given!r} has a character that no name may have")
    return given
