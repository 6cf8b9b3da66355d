"""Keys of keyboards, presenters and arcade encoders that stand for buttons of the box: the port, and the file
of what was learnt.

Real and simulated sides pass the same contract tests.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from hardware.errors import HardwareError
from hardware.gpio.wiring import BUTTON_NAMES

_log = logging.getLogger(__name__)

FILE = "keys.json"
"""The file of learnt keys in a data folder."""

LONGEST_BYTES = 100_000


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


def load(path: Path) -> Learnt:
    """What was learnt; nothing where the file is missing or damaged, which is logged."""
    try:
        with path.open("rb") as file:
            return _parsed(json.loads(file.read(LONGEST_BYTES)))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        _log.warning("learnt keys cannot be read from %s: %s", path, error)
        return {}


def _parsed(written: Mapping[str, list[Mapping[str, str]]]) -> Learnt:
    found = {Key(str(one["device"]), str(one["code"])): str(one["button"]) for one in written["keys"]}
    unknown = set(found.values()) - set(BUTTON_NAMES)
    if unknown:
        raise ValueError(f"no such buttons: {', '.join(sorted(unknown))}")
    return found


def save(path: Path, learnt: Learnt) -> None:
    """Keep what was learnt, whole or not at all. Raises OSError."""
    keys = [{"device": key.device, "code": key.code, "button": button} for key, button in learnt.items()]
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_suffix(".new")
    try:
        beside.write_text(json.dumps({"keys": keys}, indent=1, ensure_ascii=False), encoding="utf-8")
        os.replace(beside, path)
    finally:
        with contextlib.suppress(FileNotFoundError):
            beside.unlink()
