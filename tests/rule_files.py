"""Reads positions, whole games and expected answers in the JSON form of the rule case files."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import to_builtins

from companion.errors import IllegalCall
from companion.rules.bids import Bid
from companion.rules.calls import (
    BidCall,
    Call,
    Calza,
    ChooseDirection,
    ChooseVisibility,
    DeclarePalifico,
    Dudo,
    DudoPass,
    Pass,
)
from companion.rules.counting import Reveal, is_rolled_again
from companion.rules.events import Called, Revealed
from companion.rules.game import apply
from companion.rules.judge import reveal_order
from companion.rules.legality import call_when_time_is_up, sees
from companion.rules.players import Player, RoundKind, dice_in_play, teamed
from companion.rules.position import Game, Phase, Round
from companion.rules.presets import preset
from companion.rules.rolloff import roll_off
from companion.rules.ruleset import Ruleset

Answer = dict[str, Any]


def load(path: Path, key: str) -> list[dict[str, Any]]:
    """The entries of a file: a list, or an object that has them under `key`."""
    data = json.loads(path.read_text(encoding="utf-8"))
    entries = data[key] if isinstance(data, dict) else data
    return list(entries)


def rules_of(entry: Mapping[str, Any]) -> Ruleset:
    return preset(entry["preset"]).with_house(entry.get("house", {}))


def game_of(state: Mapping[str, Any], rules: Ruleset) -> Game:
    """The position that `state` describes."""
    started = {"starting_dice": "starting_dice", "lives": "starting_lives"}
    rules = rules.with_house({rule: state[key] for rule, key in started.items() if key in state})
    players = tuple(_player(p, rules) for p in state["players"])
    described = state.get("round") or {"kind": "normal", "starter": ""}
    said = tuple(call_of(b) for b in state.get("bids", ()))
    now = Round(
        number=1,
        kind=RoundKind(described["kind"]),
        starter=described["starter"],
        turn=state.get("current") or described["starter"],
        dice=dice_in_play(players),
        bids=tuple(call for call in said if isinstance(call, BidCall | Pass)),
        clockwise=described.get("direction", rules.direction) != "counter_clockwise",
    )
    return Game(rules, teamed(rules, players), now, Phase.BIDDING)


def _player(data: Mapping[str, Any], rules: Ruleset) -> Player:
    used = data.get("palifico_used", False) or data.get("reprieve_used", False)
    return Player(
        data["name"],
        dice=data["dice"],
        lives=data.get("lives", rules.lives or 0),
        palifico_used=used,
        out=data.get("out", data["dice"] == 0),
        marks=data.get("marks", 0),
        handicap=rules.starting_dice - data.get("began", rules.starting_dice),
    )


def call_of(action: Mapping[str, Any]) -> Call:
    """The call that a move or one of the earlier bids is."""
    by = action["player"]
    match action["type"]:
        case "bid":
            return BidCall(by, bid_of(action), tuple(action.get("pushed", ())))
        case "choose_visibility":
            return ChooseVisibility(by, action["visibility"])
        case "choose_direction":
            return ChooseDirection(by, action["direction"])
        case "declare_palifico":
            return DeclarePalifico(by)
        case kind:
            return {"dudo": Dudo, "calza": Calza, "pass": Pass, "dudo_pass": DudoPass}[kind](by)


def bid_of(action: Mapping[str, Any]) -> Bid:
    """A bid by its numbers, or as text."""
    if "bid" in action:
        return Bid.parse(action["bid"])
    return Bid(action["quantity"], action["face"], bool(action.get("zhai", False)))


def answer(game: Game, action: Mapping[str, Any], reveal: Mapping[str, Any]) -> tuple[Answer, Game]:
    """What the engine says to a move, in the words of the case files, and the game after it."""
    if action["type"] == "roll_off":
        return _rolled(game, action["rolls"]), game
    if action["type"] == "time_up":
        called = call_when_time_is_up(game)
        return {"legal": True, "call": _said(called) if called else None}, game
    if action["type"] == "throw":
        return {"legal": True, "again": is_rolled_again(action["faces"], game.ruleset)}, game
    call = call_of(action)
    try:
        after = apply(game, Called(call))
    except IllegalCall as refused:
        return {"legal": False, "reason": refused.reason}, game
    if isinstance(call, ChooseVisibility):
        return {"legal": True, "sees": {name: list(seen) for name, seen in sees(after).items()}}, after
    if after.phase is Phase.BIDDING:
        lying = {p.name: list(after.round.pushed_by(p.name)) for p in after.players}
        return {"legal": True, "next_current": after.round.turn, "lying": lying}, after
    judged = apply(after, Revealed(reveal_of(reveal)))
    return _judged(judged, reveal_order(after)), judged


def _said(call: Call) -> Answer:
    """A call in the words of the case files."""
    data = to_builtins(call)
    said = {"call": data.pop("type"), **data}
    return said | ({"bid": str(call.bid)} if isinstance(call, BidCall) else {})


def reveal_of(hands: Mapping[str, list[int]]) -> Reveal:
    return Reveal(hands=tuple((name, tuple(hand)) for name, hand in hands.items()))


def _rolled(game: Game, rolls: list[dict[str, Any]]) -> Answer:
    rules, sums = game.ruleset, [{name: _sum(rolled) for name, rolled in one.items()} for one in rolls]
    result = roll_off([p.name for p in game.players], sums, rules.order, rules.roll_off_dice)
    if result.reroll:
        return {"legal": True, "reroll": [list(group) for group in result.reroll]}
    return {"legal": True, "starter": result.starter, "order": list(result.order)}


def _sum(rolled: int | list[int]) -> int:
    """A roll of one die, or the sum of several, given as such or die by die."""
    return rolled if isinstance(rolled, int) else sum(rolled)


def _judged(game: Game, order: tuple[str, ...]) -> Answer:
    verdict = game.verdict
    assert verdict is not None
    return {
        "legal": True,
        "count": verdict.count_lo if verdict.count_lo == verdict.count_hi else None,
        "bid_holds": verdict.holds,
        "exact": verdict.exact,
        "pass_justified": verdict.pass_justified,
        "dice_change": dict(verdict.dice_change),
        "dice_after": {p.name: p.dice for p in game.players},
        "lives_after": {p.name: p.lives for p in game.players},
        "marks_after": {p.name: p.marks for p in game.players},
        "eliminated": list(verdict.eliminated),
        "winner": verdict.winner,
        "winners": sorted(verdict.winners),
        "next_starter": verdict.next_starter,
        "next_round_kind": verdict.next_round_kind,
        "reveal_order": list(order),
    }


def expected_part(got: Answer, expect: Mapping[str, Any]) -> Answer:
    """Those fields of an answer that the file speaks of."""
    return {key: got.get(key) for key in expect}
