"""The settings as values: every key with its default, its bounds and its sentence."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TypeVar

from companion.addresses import Wifi
from companion.errors import SettingsError
from companion.rules.presets import PRESETS
from companion.texts import languages

T = TypeVar("T")

READERS = ("pips", "net", "both")
"""The ways of reading that `vision` has; a test compares them."""

PINS = ("auto", "real", "mock")
"""The pins that `hardware` opens; a test compares them."""


def _key(
    default: T,
    doc: str,
    *,
    low: float | None = None,
    high: float | None = None,
    choices: Callable[[], tuple[str, ...]] | None = None,
    old: str | None = None,
    secret: bool = False,
) -> T:
    """A settings field: its default, the sentence that explains it, its bounds, and its `old` name, which
    files and the environment may still use. `choices` says what there is. A `secret` one
    leaves the box in no report."""
    limits = {"low": low, "high": high, "choices": choices}
    return field(default=default, metadata={"doc": doc, "old": old, "secret": secret, **limits})


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
    wifi_password: str = _key("", "Its password, shown in that code to phones that were let in.", secret=True)

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
    places: str = _key(
        "one",
        "One place of the box for all dice, or one for each player.",
        choices=lambda: ("one", "each"),
        old="looks",
    )
    by_itself: bool = _key(True, "Take the picture as soon as the table is still; otherwise on OK.")
    reader: str = _key("both", "Way of reading dice.", choices=lambda: READERS)
    mains_hz: str = _key(
        "50",
        "Frequency of the lamps' current, against dark bands: 50, 60 (the Americas), or off for daylight.",
        choices=lambda: ("50", "60", "off"),
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
        choices=lambda: PINS,
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

    preset: str = _key("classic", "House rules offered first.", choices=lambda: tuple(PRESETS))
    language: str = _key(
        "en",
        "Language of the page where a browser asks for none we speak.",
        choices=languages,
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

    host: str = _key("", "MQTT broker that receives the games; empty: none.")
    port: int = _key(1883, "Port of the broker; with TLS usually 8883.", low=1, high=65535)
    user: str = _key("", "User at the broker; empty: none is needed.", secret=True)
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

    url: str = _key("", "Address that gets each event by POST; empty: none.", secret=True)
    secret_file: str = _key("", "File whose first line is the secret that signs each event.")


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


SECTIONS = {
    "web": Web,
    "data": Data,
    "camera": Camera,
    "box": Box,
    "table": Table,
    "mqtt": Mqtt,
    "webhook": Webhook,
}


def keys() -> Iterator[tuple[str, str, object, str]]:
    """(section, key, default, sentence) of every setting, for the docs and the help."""
    for name, kind in SECTIONS.items():
        for item in fields(kind):
            yield name, item.name, item.default, item.metadata["doc"]
