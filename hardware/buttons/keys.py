"""Keys of keyboards, presenters and arcade encoders that stand for buttons of the box: the port, and the file
of what was learnt.

Real and simulated sides pass the same contract tests.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from hardware.errors import HardwareError
from hardware.gpio.wiring import BUTTON_NAMES

FILE = "keys.json"
"""The file of learnt keys in a data folder."""


@dataclass(frozen=True, slots=True)
class Key:
    """A key of a device: the device's name, and the key's as Linux calls it, such as KEY_ENTER."""

    device: str
    code: str


@dataclass(frozen=True, slots=True)
class KeyEvent:
    """A key went down or up."""

    key: Key
    down: bool


@dataclass(frozen=True, slots=True)
class Unplugged:
    """A device has gone; keys that were down on it will never come up."""

    device: str


class KeyDevices(Protocol):
    """All devices with keys that are plugged in; new ones are found by themselves."""

    def devices(self) -> tuple[str, ...]:
        """The names of the devices that are there."""

    def poll(self, timeout_s: float) -> tuple[KeyEvent | Unplugged, ...]:
        """What has happened, waiting for it up to `timeout_s`; raises nothing."""

    def fault(self) -> HardwareError | None:
        """Why no device can be read at all."""

    def close(self) -> None:
        """Give all devices back; may be called twice."""


Learnt = Mapping[Key, str]
"""The button that each key stands for."""


def parsed(content: bytes) -> Learnt:
    """What was learnt, of the file's content. Raises ValueError and whatever else damage brings about."""
    written = json.loads(content)
    found = {Key(str(one["device"]), str(one["code"])): str(one["button"]) for one in written["keys"]}
    unknown = set(found.values()) - set(BUTTON_NAMES)
    if unknown:
        raise ValueError(f"no such buttons: {', '.join(sorted(unknown))}")
    return found


def written(learnt: Learnt) -> bytes:
    """The content of the file with what was learnt."""
    keys = [{"device": key.device, "code": key.code, "button": button} for key, button in learnt.items()]
    return json.dumps({"keys": keys}, indent=1, ensure_ascii=False).encode()
