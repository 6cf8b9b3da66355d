"""Turns the section [pins] of the settings into a `Wiring`; reports all faults at once.

Every key is optional. `buttons` lists all buttons by name; `false` means that a part is missing:

    [pins]
    buttons = { dudo = 17, calza = 27, ok = 22 }
    status = [18, 19, 13]
    seats = [23, 24, 25, 16, 20, 21]
    ring = 12
    buzzer = false
    common_anode = false
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import cast

from hardware.errors import WiringFault
from hardware.gpio.wiring import Wiring, faults

KEYS = tuple(field.name for field in fields(Wiring))


def wiring_from(pins: Mapping[str, object]) -> Wiring:
    """The wiring that the settings' [pins] describe, defaults for what is not there; raises WiringFault."""
    wrong = [f"[pins] has no {key}; there are {', '.join(KEYS)}." for key in pins if key not in KEYS]
    given = {key: value for key, value in pins.items() if key in KEYS}
    wrong += [said for key, value in given.items() if (said := _shape_fault(key, value))]
    if wrong:
        raise WiringFault(" ".join(wrong))
    wiring = replace(Wiring(), **{key: _value(key, value) for key, value in given.items()})  # type: ignore[arg-type]  # their forms were looked at
    if found := faults(wiring):
        raise WiringFault(" ".join(found))
    return wiring


def _shape_fault(key: str, value: object) -> str:
    """The fault in the form of one key's value, "" when it has the right one."""
    if key == "common_anode":
        return "" if isinstance(value, bool) else "[pins] common_anode is true or false."
    if value is False:
        return ""
    if key == "buttons":
        good = isinstance(value, Mapping) and all(_is_pin(pin) for pin in value.values())
        return "" if good else "[pins] buttons is like { dudo = 17, calza = 27, ok = 22 }."
    if key in ("status", "seats"):
        pins = value if isinstance(value, list | tuple) else [None]
        good = all(_is_pin(pin) for pin in pins)
        three = key == "seats" or (good and len(pins) == 3)
        return "" if good and three else f"[pins] {key} is a list of {'three ' * (key == 'status')}pins."
    return "" if _is_pin(value) else f"[pins] {key} is a pin's BCM number, or false."


def _is_pin(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _value(key: str, value: object) -> object:
    """A TOML value of the right form as the value of the field."""
    if value is False and key != "common_anode":
        return () if key in ("buttons", "seats") else None
    if key == "buttons":
        return tuple(cast("Mapping[str, int]", value).items())
    return tuple(value) if isinstance(value, list) else value
