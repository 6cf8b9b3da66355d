"""House rules as data: one frozen `Ruleset`, its switches, and what keeps a mix from being played.

The switches are those of docs/reference/rules.md; it also says what is taken where a description is silent.
Every field has its sentence in the catalogues, under `rules.FIELD.VALUE` for each value it can take.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Annotated, Literal, TypeAlias, get_args, get_type_hints

from msgspec import Struct
from msgspec.structs import replace as replace_members

from companion.errors import BadRuleset
from companion.rules.order import ONE_PRICE, BidOrder, Convert, RaiseRule

VERSION = 1

RENAMED = {"common_hand_free": "single_hand_free"}
"""Presets of earlier versions that have another name now."""

Order = Literal["all", "starter_only"]

Value: TypeAlias = str | int | bool | None
"""The value of a switch."""

BESIDE_GAIN: dict[str, Value] = {"lives": None, "handicap": False, "dice_left": "shown", "loser": "loser"}
"""What switches that speak of lost dice must be where dice are gained."""

RulesetJson: TypeAlias = dict[str, Value]
"""A ruleset as plain data: every switch by name, its `name` and the `version` of this form."""


class Between(Struct, frozen=True):
    """The least and the most that a number in the rules may be."""

    least: int
    most: int


@dataclass(frozen=True)
class Ruleset:
    """The rules one game is played by. The defaults are the common base of the presets."""

    name: str = ""
    most_players: Annotated[int, Between(2, 20)] = 12
    starting_dice: Annotated[int, Between(1, 10)] = 5
    handicap: bool = False
    dice_left: Literal["shown", "hidden"] = "shown"
    order: Order = "all"
    roll_off_dice: Annotated[int, Between(1, 10)] = 1
    teams: Literal["off", "share_win", "share_loss"] = "off"
    team_count: Annotated[int, Between(2, 6)] = 2
    direction: Literal["clockwise", "counter_clockwise", "starter_chooses", "first_starter_chooses"] = (
        "clockwise"
    )
    wild: Literal["always", "until_aces_bid", "until_aces_open", "none"] = "always"
    wild_face: Annotated[int, Between(1, 6)] = 1
    wild_rank: Literal["by_number", "highest"] = "by_number"
    zhai: bool = False
    straight_rerolls: bool = False
    stairs: bool = False
    hand_bonus: Annotated[int, Between(0, 2)] = 0
    opening_aces: Literal["allowed", "never", "one_die"] = "allowed"
    opening_minimum: Annotated[int, Between(1, 12)] = 1
    push_and_reroll: bool = False
    raise_rule: RaiseRule = "any_face"
    aces_convert: Convert = True
    max_quantity: Literal["dice_in_play", "unlimited"] = "dice_in_play"
    dudo_by: Literal["on_turn", "anybody"] = "on_turn"
    dudo_exact: Literal["caller_loses", "all_but_bidder"] = "caller_loses"
    penalty: Literal["one", "difference", "difference_plus_one", "calza_two", "all", "tally", "gain"] = "one"
    tally_to: Annotated[int, Between(1, 100)] = 10
    loser: Literal["loser", "winner"] = "loser"
    next_starter: Literal["loser", "caller", "left_of_caller", "rotate"] = "loser"
    reveal_order: Literal["together", "left_of_caller", "challenged_counts"] = "together"
    calza: Literal["off", "current", "out_of_turn"] = "current"
    calza_by: Literal["anybody", "missing_a_die"] = "anybody"
    calza_limit: Literal["always", "more_than_half", "once", "three_left"] = "always"
    calza_exact: Literal[
        "regain", "regain_two", "bidder_loses", "nobody", "others_lose", "regain_others_lose"
    ] = "regain"
    calza_palifico: bool = True
    passing: bool = False
    pass_hands: Literal["five_dice", "no_two_alike"] = "five_dice"
    pass_dice: Annotated[int, Between(1, 5)] = 5
    palifico: Literal["off", "first_one_die", "optional", "every_one_die"] = "first_one_die"
    palifico_two_players: bool = True
    palifico_unlock: Literal["nobody", "one_die", "other_one_die", "everybody"] = "one_die"
    palifico_opening_aces: bool = True
    palifico_view: Literal["usual", "choice"] = "usual"
    lives: Annotated[int | None, Between(1, 10)] = None
    last_life: Literal["aces_round", "out"] = "aces_round"
    out_below: Annotated[int, Between(1, 5)] = 1
    ante: Annotated[int, Between(0, 1000)] = 0
    ante_each_round: bool = False
    turn_seconds: Annotated[int, Between(0, 600)] = 0
    turn_over: Literal["nothing", "dudo", "least_bid"] = "nothing"
    undo: Literal["everybody", "host", "caller"] = "everybody"

    @cached_property
    def caps_bids(self) -> bool:
        """Whether a bid may not be higher than the dice in play, as far as all know them (rows R9, S6)."""
        return self.max_quantity == "dice_in_play" or self.dice_left == "hidden"

    @cached_property
    def keeps_tally(self) -> bool:
        """Whether who is wrong gets a mark, and neither dice nor lives are ever lost (row D11)."""
        return self.penalty == "tally"

    @cached_property
    def gains_dice(self) -> bool:
        """Whether who is wrong takes one more of his dice, and is out where he has all (row D12)."""
        return self.penalty == "gain"

    @cached_property
    def loses_dice(self) -> bool:
        """Whether dice are lost, and not lives, and neither marks nor dice got."""
        return self.lives is None and self.penalty not in ("tally", "gain")

    @property
    def first_dice(self) -> int:
        """With how many dice everybody begins, without handicaps."""
        return 1 if self.gains_dice else self.starting_dice

    @cached_property
    def bid_order(self) -> BidOrder:
        """The order of bids while there is a wild face (rows R4 to R8, R11 to R16)."""
        wild = 0 if self.wild == "none" else self.wild_face
        price = self.aces_convert if wild and self.raise_rule not in ONE_PRICE else False
        top = wild if self.wild_rank == "highest" else 0
        return BidOrder(self.raise_rule, wild, price, top, self.zhai)

    @cached_property
    def plain_order(self) -> BidOrder:
        """The order of bids in special rounds, and once the wild face is none any more."""
        return replace_members(self.bid_order, wild=0)

    def with_house(self, house: Mapping[str, object]) -> Ruleset:
        """These rules with the table's own switches; raises BadRuleset.

        >>> Ruleset().with_house({"calza": "off"}).calza
        'off'
        """
        for key in house:
            if key not in switches():
                raise BadRuleset("ruleset_unknown_field", field=key)
        changed = replace(self, **house)  # type: ignore[arg-type]  # `faults` checks every value
        for fault in faults(changed):
            raise fault
        return changed

    def to_json(self) -> RulesetJson:
        """Every field, with the version of this form."""
        return {"version": VERSION, "name": self.name, **{rule: getattr(self, rule) for rule in switches()}}

    @classmethod
    def from_json(cls, data: Mapping[str, object]) -> Ruleset:
        """The ruleset that `to_json` wrote. Missing fields take the base's values. Raises BadRuleset."""
        values = dict(data)
        version = values.pop("version", VERSION)
        if type(version) is not int or version > VERSION:
            raise BadRuleset("ruleset_newer", version=version, known=VERSION)
        name = str(values.pop("name", ""))
        return cls(name=RENAMED.get(name, name)).with_house(values)


@cache
def switches() -> Mapping[str, object]:
    """The type of every field that is a rule, by name, in the order of the rule book."""
    hints = get_type_hints(Ruleset, include_extras=True)
    return {name: hint for name, hint in hints.items() if name != "name"}


def bounds(name: str) -> Between | None:
    """The bounds of the switch `name`, None where it is a choice between words."""
    return next((part for part in get_args(switches()[name]) if isinstance(part, Between)), None)


def choices(name: str) -> tuple[Value, ...]:
    """The values that the switch `name` can take; empty for a number."""
    kind = switches()[name]
    if kind is bool:
        return (False, True)
    return () if bounds(name) else get_args(kind)


def faults(ruleset: Ruleset) -> tuple[BadRuleset, ...]:
    """Everything that keeps these rules from being played; empty when they can be."""
    wrong = tuple(fault for name in switches() if (fault := _fault(name, getattr(ruleset, name))))
    if wrong:
        return wrong
    if ruleset.calza == "out_of_turn" and ruleset.most_players == 2:
        return (BadRuleset("calza_needs_three"),)
    beside = BESIDE_GAIN.items() if ruleset.gains_dice else ()
    return tuple(
        BadRuleset("gain_alone", field=name) for name, one in beside if getattr(ruleset, name) != one
    )


def _fault(name: str, value: object) -> BadRuleset | None:
    """The fault of one switch's value by itself."""
    allowed, between = choices(name), bounds(name)
    if between is None:
        known = any(type(value) is type(one) and value == one for one in allowed)
        return None if known else _bad_value(name, value, ", ".join(map(_plain, allowed)))
    if value is None and name == "lives":
        return None
    fits = type(value) is int and between.least <= value <= between.most
    return None if fits else _bad_value(name, value, f"{between.least} … {between.most}")


def _bad_value(name: str, value: object, allowed: str) -> BadRuleset:
    return BadRuleset("ruleset_bad_value", field=name, value=value, allowed=allowed)


def _plain(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
