"""The presets and house switches as the page offers them: the values of each, in sentences."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
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

MORE_TABLES = tuple(name for name in PRESETS if name not in FIRST_TABLES)

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


def offered() -> Mapping[str, tuple[Value, ...]]:
    """The switches of the set-up form with the values offered, in the order of the rule book."""
    return {name: _NUMBERS.get(name) or choices(name) for name in switches() if name not in _HIDDEN}


def listed(played: Mapping[str, object]) -> tuple[str, ...]:
    """The rules on the page of rules, in order, without those that change nothing here."""
    return _listed(tuple(played.items()))


@lru_cache(maxsize=32)  # every phone asks as a game starts
def _listed(played: tuple[tuple[str, object], ...]) -> tuple[str, ...]:
    without_effect = idle(Ruleset.from_json(dict(played)))
    return tuple(name for name in switches() if name not in _UNLISTED and name not in without_effect)


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
    names, base = offered(), Ruleset().to_json()
    usual = {"": {name: base[name] for name in names}}
    own = {preset: values_of(preset) for preset in PRESETS}
    return usual | {
        preset: {name: values[name] for name in names if values[name] != base[name]}
        for preset, values in own.items()
    }


def judged(
    preset: str, house: Mapping[str, Value], players: int
) -> tuple[list[BadRuleset], list[BadRuleset], tuple[str, ...]]:
    """The house switches laid over a preset, for so many players: why it cannot be played, what to know, each
    with its switch as `field`, and the switches that mean nothing. Raises BadRuleset for unknown ones."""
    unknown = set(house) - set(switches())
    if unknown:
        raise BadRuleset("ruleset_unknown_field", field=min(unknown))
    ruleset = replace(PRESETS[preset], **house)  # type: ignore[arg-type]  # `faults` checks every value
    if wrong := list(faults(ruleset)):
        return wrong, [], ()
    if players > (most := ruleset.most_players):
        wrong.append(BadRuleset("too_many_players", field="preset", players=players, most=most))
    # those that a remark is about stay visible
    without_effect = idle(ruleset) - {"passing", "opening_aces"}
    moot = tuple(name for name in switches() if name in without_effect)
    return wrong, list(_remarks(ruleset, players)), moot


def _remarks(ruleset: Ruleset, players: int) -> Iterator[BadRuleset]:
    if ruleset.calza == "out_of_turn" and players == 2:
        yield BadRuleset("calza_needs_three", field="calza")
    if ruleset.passing and ruleset.starting_dice < ruleset.pass_dice:
        yield BadRuleset("pass_needs_five_dice", field="passing", least=ruleset.pass_dice)


def chosen(preset: str, game: GameJson | None) -> RulesetJson:
    """The switches of a preset, with the house rules of the game that is on laid over them."""
    return {**values_of(preset), **(game["house"] if game else {})}
