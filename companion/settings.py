"""The settings as values: every key with its default and its bounds. What it does stands in the catalogues
under `settings`; this table is the source of the page, of `--help` and of the docs."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TypeVar

from companion.addresses import Wifi
from companion.errors import SettingsError
from companion.rules.presets import PRESETS
from companion.rules.ruleset import RENAMED
from companion.texts import DEFAULT, languages, translate

T = TypeVar("T")

READERS = ("pips", "net", "both")
"""The ways of reading that `vision` has; a test compares them."""

PINS = ("auto", "real", "mock")
"""The pins that `hardware` opens; a test compares them."""


def _key(default: T, **about: object) -> T:
    """A settings field with its default and what else `Setting` has of it; `choices` says what there is."""
    return field(default=default, metadata=about)


@dataclass(frozen=True, slots=True)
class Web:
    """The page and the API."""

    host: str = _key("0.0.0.0", page=False)
    port: int = _key(8000, low=1, high=65535, page=False)
    https: bool = _key(False)
    hosts: str = _key("", page=False)
    local_leads: bool = _key(True, page=False)
    metrics: bool = _key(False)
    open_scoreboard: bool = _key(True)
    wifi: str = _key("")
    wifi_password: str = _key("", secret=True)

    @property
    def names(self) -> tuple[str, ...]:
        """What the box is called beside its own names."""
        return tuple(self.hosts.replace(",", " ").split())

    @property
    def network(self) -> Wifi | None:
        """The Wi-Fi that phones join, if its name is known."""
        return Wifi(self.wifi, self.wifi_password) if self.wifi else None


@dataclass(frozen=True, slots=True)
class Data:
    """Which data are kept, and where."""

    folder: str = _key("", page=False)
    evidence_mb: int = _key(200, low=1, high=100000)
    keep_examples: bool = _key(True)


@dataclass(frozen=True, slots=True)
class Camera:
    """The camera and how it looks."""

    use: str = _key("auto")
    places: str = _key("one", choices=lambda: ("one", "each"), old="looks")
    by_itself: bool = _key(True)
    reader: str = _key("both", choices=lambda: READERS)
    mains_hz: str = _key("50", choices=lambda: ("50", "60", "off"))

    @property
    def flicker_hz(self) -> float | None:
        """The frequency of lamps on mains, None where none shines."""
        return None if self.mains_hz == "off" else float(self.mains_hz)


@dataclass(frozen=True, slots=True)
class Box:
    """Buttons and lamps."""

    pins: str = _key("auto", choices=lambda: PINS)
    strip: int = _key(0, low=0, high=13)


@dataclass(frozen=True, slots=True)
class Table:
    """The table's habits."""

    preset: str = _key("classic", choices=lambda: tuple(PRESETS), renamed=RENAMED)
    language: str = _key("en", choices=languages)
    doubt: float = _key(0.001, low=0, high=0.1)


@dataclass(frozen=True, slots=True)
class Mqtt:
    """The MQTT broker to which games are published."""

    host: str = _key("")
    port: int = _key(1883, low=1, high=65535)
    user: str = _key("", secret=True, page=False)
    password_file: str = _key("", page=False)
    tls: bool = _key(False)
    ca_file: str = _key("", page=False)
    prefix: str = _key("dudo")
    table: str = _key("")
    discovery: str = _key("homeassistant")


@dataclass(frozen=True, slots=True)
class Webhook:
    """An address that gets every event of a game."""

    url: str = _key("", secret=True, page=False)
    secret_file: str = _key("", page=False)


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that can be set. `pins` holds the BCM numbers, checked by the hardware's wiring.

    `faults` are the sentences on what was given and cannot be used: its default is in force.
    """

    web: Web = Web()
    data: Data = Data()
    camera: Camera = Camera()
    box: Box = Box()
    table: Table = Table()
    mqtt: Mqtt = Mqtt()
    webhook: Webhook = Webhook()
    pins: Mapping[str, object] = field(default_factory=dict)
    faults: tuple[str, ...] = ()

    @property
    def data_folder(self) -> Path:
        """Where the journal lives; raises SettingsError where nobody knows the home folder it lies in."""
        folder = os.path.expanduser(self.data.folder or "~/.local/share/dudo-companion")
        if folder.startswith("~"):
            raise SettingsError((f"[data] folder: nobody knows where {folder} is",))
        return Path(folder)


SECTIONS = {kind.__name__.lower(): kind for kind in (Web, Data, Camera, Box, Table, Mqtt, Webhook)}


@dataclass(frozen=True, slots=True)
class Setting:
    """One row of the table of settings. `choices` are all its values where they can be counted.

    Files and the environment may still use its `old` name, and the old names of `renamed` values. A `secret`
    one leaves the box in no report. Without `page` it is set on the box alone: it names a file, or says who
    reaches the page and leads.
    """

    section: str
    key: str
    default: object
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    old: str | None = None
    renamed: Mapping[str, str] = field(default_factory=dict)
    secret: bool = False
    page: bool = True

    @property
    def name(self) -> str:
        """Section and key, `web.port`."""
        return f"{self.section}.{self.key}"

    @property
    def variable(self) -> str:
        """The variable of the environment that goes before every file."""
        return f"DUDO_{self.section}_{self.key}".upper()

    def sentence(self, language: str = DEFAULT) -> str:
        """What it does."""
        return translate(language, f"settings.{self.name}")


def table() -> Iterator[Setting]:
    """Every setting."""
    for name, kind in SECTIONS.items():
        for item in fields(kind):
            choices = item.metadata.get("choices", tuple)()
            yield Setting(name, item.name, item.default, **{**item.metadata, "choices": choices})


def rows_of(section: str) -> dict[str, Setting]:
    """The settings of a section by their keys."""
    return {row.key: row for row in table() if row.section == section}
