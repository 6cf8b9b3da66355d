"""The rules in words, generated from a ruleset: one line a switch, and the presets side by side."""

from __future__ import annotations

from collections.abc import Mapping

from companion.rules.ruleset import PRESETS, Ruleset, bounds, switches
from companion.texts import say

BASICS = ("bid", "turn", "dudo", "starter", "end")

Spoken = tuple[str, Mapping[str, object]]


def spoken(name: str, value: object) -> Spoken:
    """The key and the values of the sentence for the switch `name` set to `value`."""
    if value is None or (bounds(name) and value == 0):
        return f"rules.{name}.none", {}
    if bounds(name):
        return f"rules.{name}", {"n": value}
    return f"rules.{name}.{str(value).lower()}", {}


def sentence(language: str, name: str, value: object) -> str:
    """What the switch `name` set to `value` means at the table."""
    key, values = spoken(name, value)
    return say(language, key, **values)


def idle(ruleset: Ruleset) -> frozenset[str]:
    """The switches that change nothing because of others: calza's when there is none, and so on."""
    found: set[str] = set()
    if ruleset.calza == "off":
        found |= {"calza_limit", "calza_exact", "calza_palifico"}
    if ruleset.lives is not None:
        found.add("palifico")
    if ruleset.lives is not None or ruleset.palifico == "off" or ruleset.starting_dice == 1:
        found |= {name for name in switches() if name.startswith("palifico_")}
    if ruleset.passing and ruleset.starting_dice < 5:
        found.add("passing")
    return frozenset(found)


def rules_in_words(ruleset: Ruleset, language: str) -> tuple[str, ...]:
    """What always holds, then a line for every switch; house rules over a preset are marked."""
    always = tuple(say(language, f"rules.basics.{name}") for name in BASICS)
    return always + tuple(_line(name, ruleset, language) for name in switches())


def heading(ruleset: Ruleset, language: str) -> str:
    """What these rules are called."""
    name = ruleset.name or say(language, "rules.own_mix")
    return say(language, "rules.heading", name=name)


def _line(name: str, ruleset: Ruleset, language: str) -> str:
    value = getattr(ruleset, name)
    told = sentence(language, name, value)
    if name in idle(ruleset):
        told = say(language, "rules.idle", sentence=told)
    line = say(language, "rules.line", switch=say(language, f"rules.{name}.name"), sentence=told)
    base = PRESETS.get(ruleset.name)
    own = base is not None and getattr(base, name) != value
    return say(language, "rules.differs", line=line) if own else line


def presets_table(language: str = "en") -> str:
    """The presets side by side as a table in Markdown: a row for every switch."""
    head = [say(language, "rules.switch_column"), *(f"`{name}`" for name in PRESETS)]
    rows = [head, ["---"] * len(head)]
    for name in switches():
        label = f"{say(language, f'rules.{name}.name')} (`{name}`)"
        rows.append([label, *(value_word(language, getattr(rules, name)) for rules in PRESETS.values())])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def value_word(language: str, value: object) -> str:
    """A switch's value as a word of a table."""
    if value is None or isinstance(value, bool):
        return say(language, f"rules.{str(value).lower()}")
    return str(value)
