"""The rules in words, generated from a ruleset: one line a switch, and the presets side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from companion.rules.counting import FIVE
from companion.rules.order import ONE_PRICE
from companion.rules.presets import PRESETS
from companion.rules.ruleset import Ruleset, bounds, switches
from companion.texts import translate

BASICS = ("bid", "turn", "dudo")

Spoken = tuple[str, Mapping[str, object]]


def spoken(name: str, value: object) -> Spoken:
    """The key and the values of the sentence for the switch `name` set to `value`."""
    if value is None or (bounds(name) and value == 0):
        return f"rules.{name}.none", {}
    if bounds(name):
        return f"rules.{name}", {"n": value}
    return f"rules.{name}.{str(value).lower()}", {}


def sentence(language: str, name: str, value: object, lives: bool = True) -> str:
    """The meaning of the switch `name` set to `value`, in a sentence; without its aside in brackets about
    lives where a table plays without `lives`."""
    key, values = spoken(name, value)
    asides = {
        one: f" {translate(language, f'rules.{one}')}" if lives else "" for one in ("or_life", "or_lives")
    }
    return translate(language, key, **values, **asides)


def idle(rules: Ruleset) -> frozenset[str]:
    """The switches that change nothing because of others: calza's when there is none, and so on."""
    never_one = not _may_fall_to_one(rules)
    too_few = rules.starting_dice < rules.pass_dice
    of_palifico = " ".join(name for name in switches() if name.startswith("palifico_"))
    without_effect = (
        (rules.calza == "off", "calza_by calza_limit calza_exact calza_palifico"),
        (not rules.passing or too_few, "pass_hands pass_dice"),
        (rules.passing and too_few, "passing"),
        (rules.teams == "off", "team_count"),
        (not rules.turn_seconds, "turn_over"),
        (rules.wild == "none", "wild_rank aces_convert zhai"),
        (rules.raise_rule in ONE_PRICE, "aces_convert"),
        (rules.bid_order.price == "never", "opening_aces"),
        (rules.starting_dice == 1, "push_and_reroll"),
        (rules.starting_dice < FIVE, "straight_rerolls hand_bonus"),
        (rules.dice_left == "hidden", "max_quantity"),
        (rules.keeps_tally, "lives"),
        (not rules.keeps_tally, "tally_to"),
        (not rules.loses_dice, "out_below"),
        (rules.lives is None or rules.loser == "winner" or rules.keeps_tally, "last_life"),
        (rules.loser == "winner", "dudo_exact"),
        (rules.loser == "winner" and rules.calza_exact != "nobody", "calza_exact"),
        (rules.ante == 0, "ante_each_round"),
        (never_one, "palifico"),
        (never_one or rules.palifico == "off", of_palifico),
        (not _has_special_rounds(rules), "calza_palifico"),
    )
    return frozenset(name for holds, names in without_effect if holds for name in names.split())


def _has_special_rounds(rules: Ruleset) -> bool:
    if rules.keeps_tally:
        return False
    if rules.lives is not None:
        return rules.last_life == "aces_round" and rules.loser == "loser"
    return rules.palifico != "off" and _may_fall_to_one(rules)


def _may_fall_to_one(rules: Ruleset) -> bool:
    """Whether anybody can get down to one die and still be in the game."""
    return rules.loses_dice and rules.starting_dice > 1 and rules.out_below == 1


def rules_in_words(ruleset: Ruleset, language: str) -> tuple[str, ...]:
    """First the rules that always hold, then a line for every switch. House rules over a preset are
    marked."""
    always = tuple(translate(language, f"rules.basics.{name}") for name in BASICS)
    return always + tuple(_line(name, ruleset, language) for name in switches())


def heading(ruleset: Ruleset, language: str) -> str:
    """The name of these rules."""
    name = ruleset.name or translate(language, "rules.own_mix")
    return translate(language, "rules.heading", name=name)


def _line(name: str, ruleset: Ruleset, language: str) -> str:
    value = getattr(ruleset, name)
    text = sentence(language, name, value, ruleset.lives is not None)
    if name in idle(ruleset):
        text = translate(language, "rules.idle", sentence=text)
    line = translate(language, "rules.line", switch=translate(language, f"rules.{name}.name"), sentence=text)
    base = PRESETS.get(ruleset.name)
    own = base is not None and getattr(base, name) != value
    return translate(language, "rules.differs", line=line) if own else line


def presets_table(language: str = "en") -> str:
    """The presets side by side as a table in Markdown: for every switch the value of most presets, and others
    with the presets that have them."""
    head = [translate(language, f"rules.{column}_column") for column in ("switch", "usual", "otherwise")]
    rows = (_compared(name, language) for name in switches())
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *rows))


def _compared(name: str, language: str) -> tuple[str, str, str]:
    """The row of a switch: its label, its usual value, and the presets with another one."""
    values = {preset: value_word(language, getattr(rules, name)) for preset, rules in PRESETS.items()}
    usual, *others = (value for value, _ in Counter(values.values()).most_common())
    having = {
        word: ", ".join(f"`{preset}`" for preset in values if values[preset] == word) for word in others
    }
    label = f"{translate(language, f'rules.{name}.name')} (`{name}`)"
    return label, usual, "; ".join(f"{word}: {presets}" for word, presets in having.items())


def value_word(language: str, value: object) -> str:
    """A switch's value as a word of a table."""
    if value is None or isinstance(value, bool):
        return translate(language, f"rules.{str(value).lower()}")
    return str(value)
