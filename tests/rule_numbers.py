"""The engine's own numbers in the form of the reference files: odds, numbers of next bids, perft counts."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from companion.rules.bidding import legal_bids
from companion.rules.bids import Bid
from companion.rules.calls import BidCall
from companion.rules.dice import ACE
from companion.rules.hands import Counting
from companion.rules.odds import Knowledge
from companion.rules.players import Player, RoundKind
from companion.rules.position import Game, Phase, Round
from companion.rules.presets import MODERN, PERUDO, PRESETS
from companion.rules.ruleset import Ruleset
from tests.perft import bidding_rounds, perft

Numbers = Mapping[str, Any]

COUNTINGS = {"wild": Counting(ACE), "plain": Counting(0)}


@dataclass(frozen=True, slots=True)
class Setting:
    """Where a table of numbers of bids comes from: rules, kind of round, and the dice of whoever raises."""

    rules: Ruleset
    kind: RoundKind = RoundKind.NORMAL
    raiser_dice: int = 2


#: Every preset's normal round by its name, and these.
SETTINGS = {name: Setting(rules) for name, rules in PRESETS.items()} | {
    "no_lower_face": Setting(PERUDO),
    "palifico_locked": Setting(MODERN, RoundKind.PALIFICO),
    "palifico_one_die": Setting(MODERN, RoundKind.PALIFICO, raiser_dice=1),
    "palifico_one_die_000": Setting(MODERN, RoundKind.PALIFICO, raiser_dice=1),
}


def reference_of(path: Path) -> dict[str, Any]:
    return dict(json.loads(path.read_text(encoding="utf-8")))


def sections(reference: Numbers, prefix: str) -> Iterator[tuple[Setting, Numbers]]:
    """The tables of a kind with the setting they are about, such as those of `perft_modern`."""
    for key, tables in reference.items():
        if key.startswith(prefix):
            yield SETTINGS[key.removeprefix(prefix)], tables


def bidding(setting: Setting, dice: int, *, starter_dice: int, standing: Bid | None = None) -> Game:
    """A round with `dice` dice in play, to be opened by A, or with his bid standing."""
    players = (Player("A", dice=starter_dice), Player("B", dice=setting.raiser_dice))
    bids = () if standing is None else (BidCall("A", standing),)
    turn = "A" if standing is None else "B"
    return Game(setting.rules, players, Round(1, setting.kind, "A", turn, dice, bids), Phase.BIDDING)


def probabilities(dice: int, kind: str, numbers: Numbers) -> Numbers:
    counting, known = COUNTINGS[kind], Knowledge({"all": dice}, {})
    hold = [known.holds(Bid(q, 2), counting) for q in range(1, dice + 1)]
    scale = (3 if counting.wild else 6) ** dice
    all_of_it = {
        "denominator": str(scale),
        "hold_numerators_q1_to_n": [str(p * scale) for p in hold],
        "hold": _near([float(p) for p in hold], numbers.get("hold")),
        "exact_q0_to_n": _near(
            [float(known.exact(Bid(q, 2), counting)) for q in range(dice + 1)], numbers.get("exact_q0_to_n")
        ),
        "mean": _near(float(sum(hold)), numbers.get("mean")),
        "max_q_with_hold_ge_half": sum(p >= Fraction(1, 2) for p in hold),
    }
    return {key: all_of_it[key] for key in numbers}


def advised(example: Numbers) -> Numbers:
    """The example with what the engine says of it."""
    bid, own, dice = Bid(*example["bid"]), tuple(example["own"]), example["dice_in_play"]
    counting = COUNTINGS["wild" if example["round"] == "normal" else "plain"]
    known = Knowledge({"own": len(own), "others": dice - len(own)}, {"own": own})
    hold, just_right = known.holds(bid, counting), known.exact(bid, counting)
    said = {
        "own_matching": known.own(bid.face, counting),
        "unknown": dice - len(own),
        "p_hold": _near(float(hold), example.get("p_hold")),
        "p_hold_fraction": str(hold),
        "p_exact": _near(float(just_right), example.get("p_exact")),
        "p_dudo_wins": _near(float(1 - hold), example.get("p_dudo_wins")),
    }
    return {**example, **{key: value for key, value in said.items() if key in example}}


def next_bids(setting: Setting, dice: int, numbers: Numbers) -> Numbers:
    after = {
        text: len(legal_bids(bidding(setting, dice, starter_dice=2, standing=Bid.parse(text))))
        for text in numbers.get("after", {})
    }
    all_of_it = {
        "opening_multi_dice": perft(bidding(setting, dice, starter_dice=2), 1),
        "opening_one_die": perft(bidding(setting, dice, starter_dice=1), 1),
        "after": after,
        "sum_after": sum(after.values()),
    }
    return {key: all_of_it[key] for key in numbers}


def perft_counts(setting: Setting, dice: int, numbers: Numbers) -> Numbers:
    """Counts by depth, either plain or under `depth`, and counts of whole rounds."""
    many, one = bidding(setting, dice, starter_dice=2), bidding(setting, dice, starter_dice=1)
    if all(key.isdigit() for key in numbers):
        return _by_depth(many, numbers)
    all_of_it = {
        "depth": _by_depth(many, numbers.get("depth", {})),
        "depth_one_die_starter": _by_depth(one, numbers.get("depth_one_die_starter", {})),
        "rounds_ending_in_dudo": str(bidding_rounds(many)),
        "rounds_ending_in_dudo_one_die_starter": str(bidding_rounds(one)),
    }
    return {key: all_of_it[key] for key in numbers}


def _by_depth(game: Game, numbers: Numbers) -> Numbers:
    return {depth: str(perft(game, int(depth))) for depth in numbers}


def _near(value: Any, said: Any) -> Any:
    """`said` where it is `value` up to the last bits of a float, otherwise `value`."""
    if isinstance(value, list):
        same_length = isinstance(said, list) and len(said) == len(value)
        return [_near(v, s) for v, s in zip(value, said, strict=True)] if same_length else value
    return said if isinstance(said, int | float) and abs(value - said) < 1e-12 else value
