"""The presets and house switches as the page offers them: the values of each, in sentences."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from urllib.parse import quote

from companion.errors import BadRuleset
from companion.rules.presets import PRESETS
from companion.rules.rulebook import BASICS as BASICS
from companion.rules.rulebook import idle
from companion.rules.rulebook import sentence as sentence
from companion.rules.ruleset import Ruleset, RulesetJson, Value, choices, faults, switches
from companion.table.wire.game import GameJson

_HIDDEN = ("most_players", "ante", "ante_each_round", "reveal_order")
"""Shown among the rules, not switched by hand."""
_NUMBERS: Mapping[str, tuple[Value, ...]] = {
    "starting_dice": (1, 2, 3, 4, 5, 6, 7, 8, 9, 10),
    "lives": (None, 1, 2, 3),
    "wild_face": (1, 2, 3, 4, 5, 6),
    "opening_minimum": (1, 2, 3, 4, 5, 6, 8, 10, 12),
    "hand_bonus": (0, 1, 2),
    "pass_dice": (1, 2, 3, 4, 5),
    "out_below": (1, 2, 3, 4, 5),
    "roll_off_dice": (1, 2, 3),
    "team_count": (2, 3, 4, 5, 6),
    "tally_to": (3, 5, 7, 10, 15, 20, 30),
    "turn_seconds": (0, 10, 15, 20, 30, 45, 60, 90, 120),
}
_UNLISTED = ("most_players", "ante", "ante_each_round")


BEGINNERS = "classic"
"""The preset without special calls and choices."""

FIRST_TABLES = ("modern", "classic", "perudo", "bluff", "snyd", "cachito")
"""The presets that the set-up shows at once; the others are one tap away."""

SUBJECTS: Mapping[str, tuple[str, ...]] = {
    "dice": ("starting_dice", "handicap", "dice_left", "out_below", "lives", "last_life"),
    "bidding": (
        *("direction", "wild", "wild_face", "wild_rank", "zhai", "straight_rerolls", "stairs", "hand_bonus"),
        *("opening_aces", "opening_minimum", "push_and_reroll"),
        *("raise_rule", "aces_convert", "max_quantity"),
    ),
    "teams": ("teams", "team_count"),
    "losing": ("dudo_by", "dudo_exact", "penalty", "tally_to", "loser", "next_starter"),
    "calza": ("calza", "calza_by", "calza_limit", "calza_exact", "calza_palifico"),
    "passing": ("passing", "pass_hands", "pass_dice"),
    "palifico": (
        *("palifico", "palifico_two_players", "palifico_unlock"),
        *("palifico_opening_aces", "palifico_view"),
    ),
    "table": ("order", "roll_off_dice", "undo", "turn_seconds", "turn_over"),
}
"""The switches of the form by what they are about; `rules.subjects` of the catalogues names them."""


@dataclass(frozen=True, slots=True)
class Switch:
    """One house rule: the name of its field in the ruleset and the values offered."""

    name: str
    values: tuple[Value, ...]


def offered() -> tuple[Switch, ...]:
    """The switches of the set-up form, in the order of the rule book."""
    named = (name for name in switches() if name not in _HIDDEN)
    return tuple(Switch(name, _NUMBERS.get(name) or choices(name)) for name in named)


def subjects() -> Mapping[str, tuple[Switch, ...]]:
    """The switches of the form, grouped as `SUBJECTS` has them."""
    by_name = {one.name: one for one in offered()}
    return {subject: tuple(by_name[name] for name in names) for subject, names in SUBJECTS.items()}


def listed(played: Mapping[str, object]) -> tuple[str, ...]:
    """The rules on the page of rules, in order, without those that change nothing here."""
    return _listed(tuple(played.items()))


@lru_cache(maxsize=32)  # every phone asks as a game starts
def _listed(played: tuple[tuple[str, object], ...]) -> tuple[str, ...]:
    without_effect = idle(Ruleset.from_json(dict(played)))
    return tuple(name for name in switches() if name not in _UNLISTED and name not in without_effect)


def presets() -> tuple[str, ...]:
    """The names of the presets, the default first."""
    return tuple(PRESETS)


def first_tables() -> tuple[str, ...]:
    """The presets shown at once."""
    return tuple(name for name in presets() if name in FIRST_TABLES)


def more_tables() -> tuple[str, ...]:
    """All other presets."""
    return tuple(name for name in presets() if name not in FIRST_TABLES)


def differing(preset: str, played: Mapping[str, object]) -> tuple[str, ...]:
    """The listed rules that differ from the preset's."""
    usual = values_of(preset)
    return tuple(name for name in listed(played) if name in played and played[name] != usual[name])


def special(played: Mapping[str, object]) -> tuple[str, ...]:
    """The listed rules that differ from what all presets begin with."""
    base = Ruleset().to_json()
    return tuple(name for name in listed(played) if name in played and played[name] != base[name])


def by_subject(names: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
    """Rules by what they are about; those that are switched nowhere belong to the table."""
    switched = {name for all_of in SUBJECTS.values() for name in all_of}
    rest = tuple(name for name in names if name not in switched)
    grouped = {subject: tuple(n for n in names if n in all_of) for subject, all_of in SUBJECTS.items()}
    return {**grouped, "table": grouped["table"] + rest}


def shared(preset: str, played: Mapping[str, object]) -> str:
    """The path by which another table's set-up takes these rules over, with those that change nothing yet."""
    usual = values_of(preset)
    house = {name: played[name] for name in switches() if name in played and played[name] != usual[name]}
    return f"setup?rules={quote(json.dumps({'preset': preset, 'house': house}, separators=(',', ':')))}"


@cache
def values_of(preset: str) -> RulesetJson:
    """Every switch's value in a preset, the default's when the name is unknown."""
    return PRESETS.get(preset, PRESETS["modern"]).to_json()


def all_values() -> dict[str, RulesetJson]:
    """The switches offered as the base has them, under "", and where each preset differs from it."""
    names, base = [one.name for one in offered()], Ruleset().to_json()
    usual = {"": {name: base[name] for name in names}}
    own = {preset: values_of(preset) for preset in presets()}
    return usual | {
        preset: {name: values[name] for name in names if values[name] != base[name]}
        for preset, values in own.items()
    }


@dataclass(frozen=True, slots=True)
class Remark:
    """A reason key under `errors` with the values of its sentence, and the switch `at` which it is shown."""

    at: str
    reason: str
    values: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Judged:
    """The judgement of a choice of rules: why it cannot be played, what to know, which switches mean
    nothing."""

    refused: tuple[Remark, ...]
    remarks: tuple[Remark, ...]
    moot: tuple[str, ...]


def judged(preset: str, house: Mapping[str, Value], players: int) -> Judged:
    """The house switches laid over a preset, for so many players. Raises BadRuleset for unknown switches."""
    unknown = set(house) - set(switches())
    if unknown:
        raise BadRuleset("ruleset_unknown_field", field=min(unknown))
    ruleset = replace(PRESETS[preset], **house)  # type: ignore[arg-type]  # `faults` checks every value
    wrong = [Remark(str(f.values.get("field", "calza")), f.reason, f.values) for f in faults(ruleset)]
    if wrong:
        return Judged(tuple(wrong), (), ())
    if players > ruleset.most_players:
        values = {"players": players, "most": ruleset.most_players}
        wrong.append(Remark("preset", "too_many_players", values))
    return Judged(tuple(wrong), tuple(_remarks(ruleset, players)), _moot(ruleset))


def _remarks(ruleset: Ruleset, players: int) -> Iterator[Remark]:
    if ruleset.calza == "out_of_turn" and players == 2:
        yield Remark("calza", "calza_needs_three", {})
    if ruleset.passing and ruleset.starting_dice < ruleset.pass_dice:
        yield Remark("passing", "pass_needs_five_dice", {"least": ruleset.pass_dice})


def _moot(ruleset: Ruleset) -> tuple[str, ...]:
    """Switches that mean nothing beside the others; those that a remark is about stay visible."""
    without_effect = idle(ruleset) - {"passing", "opening_aces"}
    return tuple(name for name in switches() if name in without_effect)


def chosen(preset: str, game: GameJson | None) -> RulesetJson:
    """The switches of a preset, with the house rules of the game that is on laid over them."""
    return {**values_of(preset), **(game["house"] if game else {})}
