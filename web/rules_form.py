"""The presets and house switches as the page offers them: which values each may take, told in sentences."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from companion.rules.rulebook import spoken
from companion.rules.ruleset import PRESETS, choices, switches

_HIDDEN = ("most_players", "ante", "reveal_order", "order")  # told among the rules, not switched by hand
_NUMBERS: Mapping[str, tuple[int | None, ...]] = {
    "starting_dice": (1, 2, 3, 4, 5, 6, 7, 8, 9, 10),
    "lives": (None, 1, 2, 3),
}


@dataclass(frozen=True, slots=True)
class Switch:
    """One house rule: the name of its field in the ruleset and the values offered."""

    name: str
    values: tuple[Any, ...]


def offered() -> tuple[Switch, ...]:
    """The switches of the set-up form, in the order in which rules are told."""
    named = (name for name in switches() if name not in _HIDDEN)
    return tuple(Switch(name, _NUMBERS.get(name) or choices(name)) for name in named)


def told() -> tuple[str, ...]:
    """The rules told on the page of rules, in order."""
    return tuple(name for name in switches() if name not in ("most_players", "ante"))


def presets() -> tuple[str, ...]:
    """The names of the presets, the default first."""
    return tuple(PRESETS)


def values_of(preset: str) -> Mapping[str, Any]:
    """Every switch's value in a preset, the default's when the name is unknown."""
    return PRESETS.get(preset, PRESETS["modern"]).to_json()


def all_values() -> dict[str, dict[str, Any]]:
    """Every preset with the switches offered, for the form that follows a choice of preset."""
    return {name: {one.name: values_of(name)[one.name] for one in offered()} for name in presets()}


def chosen(game: Mapping[str, Any] | None) -> Mapping[str, Any]:
    """The switches of the game that is on, its house rules laid over its preset."""
    if not game:
        return values_of("modern")
    return {**values_of(game.get("preset") or "modern"), **(game.get("house") or {})}


def sentence(tell: Callable[[str, Mapping[str, object]], str], name: str, value: object) -> str:
    """The catalogue's sentence for a switch set to `value`."""
    key, values = spoken(name, value)
    return tell(key, values)
