"""The table in few words, for programs outside the box. Pure.

It is made of the view that every page shows, and has no dice in it: what lies under cups cannot leave.
"""

from __future__ import annotations

from typing import Annotated, TypedDict

from msgspec import Meta

from companion.rules.fields import Amount, Ordinal
from companion.rules.players import RoundKind
from companion.rules.position import Phase
from companion.table.wire.game import BidJson, GameJson, PlayerJson
from companion.table.wire.state import FaultJson, StateWord, TableJson
from companion.texts import knows, translate

LOW_POWER = "under_voltage"
PRESSES = "button"
"""Under this part stands a press that was refused: it is no fault of the box."""


class OutlinePlayerJson(TypedDict):
    """A player at the table."""

    name: str
    dice: Amount
    lives: Amount | None
    marks: Annotated[Amount | None, Meta(description="Where a tally is kept.")]
    out: bool


class OutlineVerdictJson(TypedDict):
    """The last verdict of the game."""

    round: Ordinal
    sentence: Annotated[str, Meta(description="In the language of `table.language`.")]
    stands: Annotated[bool, Meta(description="What was doubted or claimed turned out true.")]
    losers: list[str]
    gainer: str | None


class OutlineJson(TypedDict):
    """The state of one table."""

    table: Annotated[str, Meta(description="The name of the table.")]
    state: Annotated[StateWord, Meta(description="The word the lamps show as well.")]
    game: Annotated[str | None, Meta(description="The id of the game; null: none is played.")]
    phase: Phase | None
    preset: str
    round: Annotated[int, Meta(ge=0, description="0 before the first.")]
    kind: RoundKind | None
    turn: Annotated[str, Meta(description='Who is to bid; "" while nobody is.')]
    bid: Annotated[BidJson | None, Meta(description="The standing bid.")]
    dice: Annotated[int, Meta(ge=0, description="Dice left in the game.")]
    players: list[OutlinePlayerJson]
    verdict: OutlineVerdictJson | None
    winner: Annotated[str, Meta(description='"" before the game is over.')]
    winners: Annotated[list[str], Meta(description="The winner, with partners where there are teams.")]
    problem: Annotated[str, Meta(description='What does not work, as a sentence; "": all does.')]
    problems: Annotated[list[str], Meta(description="The same as reason keys.")]
    power_low: Annotated[bool, Meta(description="The supply or the battery gives too little.")]


def outline(data: TableJson, table: str, language: str) -> OutlineJson:
    """The outline of a table called `table`, with sentences in `language`."""
    faults = [fault for part, fault in data["faults"].items() if part != PRESSES]
    game = data["game"]
    bidding = game is not None and game["phase"] is Phase.BIDDING
    return {
        "table": table,
        "state": data["state"],
        "game": game["id"] if game else None,
        "phase": game["phase"] if game else None,
        "preset": game["preset"] if game else "",
        "round": game["round"]["number"] if game else 0,
        "kind": game["round"]["kind"] if game else None,
        "turn": game["round"]["turn"] if game and bidding else "",
        "bid": game["round"]["bid"] if game else None,
        "dice": sum(player["dice"] for player in game["players"] if not player["out"]) if game else 0,
        "players": [_player(player) for player in game["players"]] if game else [],
        "verdict": _last_verdict(game, language) if game else None,
        "winner": (game["winner"] or "") if game else "",
        "winners": list(game["winners"]) if game else [],
        "problem": problem_sentence(faults[0], language) if faults else "",
        "problems": [fault["reason"] for fault in faults],
        "power_low": any(fault["reason"] == LOW_POWER for fault in faults),
    }


def problem_sentence(fault: FaultJson, language: str) -> str:
    """What does not work, in a sentence."""
    key = f"web.faults.{fault['reason']}"
    return translate(language, key, **fault["values"]) if knows(key) else fault["reason"]


def _player(player: PlayerJson) -> OutlinePlayerJson:
    return {
        "name": player["name"],
        "dice": player["dice"],
        "lives": player["lives"],
        "marks": player["marks"],
        "out": player["out"],
    }


def _last_verdict(game: GameJson, language: str) -> OutlineVerdictJson | None:
    if not game["history"]:
        return None
    last = game["history"][-1]
    verdict = last["verdict"]
    return {
        "round": last["round"],
        "sentence": verdict["sentences"].get(language, verdict["sentences"]["en"]),
        "stands": verdict["stands"],
        "losers": verdict["losers"],
        "gainer": verdict["gainer"],
    }
