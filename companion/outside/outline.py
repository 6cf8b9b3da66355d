"""The table in few words, for programs outside the box, and its metrics for Prometheus. Pure.

It is made of the view that every page shows, and has no dice in it: what lies under cups cannot leave.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, TypeAlias, TypedDict, get_args

from msgspec import Meta

from companion.json_types import members
from companion.rules.fields import Amount, Ordinal
from companion.rules.players import RoundKind
from companion.rules.position import Phase
from companion.table.snapshot import PRESSES
from companion.table.wire.game import BidJson, GameJson
from companion.table.wire.state import FaultJson, HealthJson, StateWord, TableJson
from companion.texts import knows, translate

LOW_POWER = "under_voltage"


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
        "players": [members(OutlinePlayerJson, player) for player in game["players"]] if game else [],
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


def _last_verdict(game: GameJson, language: str) -> OutlineVerdictJson | None:
    last = game["last_round"]
    if last is None:
        return None
    verdict = last["verdict"]
    sentence = verdict["sentences"].get(language, verdict["sentences"]["en"])
    return members(OutlineVerdictJson, last, verdict, sentence=sentence)


Samples: TypeAlias = Mapping[str, float]
"""Values by their label as it is written, "" for none."""


# Source of the metrics: prometheus.io/docs/instrumenting/exposition_formats, version 0.0.4. They name no
# player: a name would be a time series of its own for ever.


def text(health: HealthJson, outline: OutlineJson, version: str) -> str:
    """All metrics of the box as Prometheus reads them."""
    return "".join(_metrics(health, outline, version))


def _metrics(health: HealthJson, outline: OutlineJson, version: str) -> Iterator[str]:
    """The metrics of the box; what it does not know is left out."""
    yield _metric("dudo_info", "The version of the companion.", {label("version", version): 1})
    works = "1 while the journal can be written and every thread does its work."
    yield _metric("dudo_ok", works, health["ok"])
    yield from _box(health)
    ages = {label("thread", name): age_s for name, age_s in health.get("threads", {}).items()}
    yield _metric("dudo_thread_silent_seconds", "Since each thread gave a sign.", ages)
    yield from _outlets(health)
    yield from _game(outline)


def _box(health: HealthJson) -> Iterator[str]:
    if (running_s := health.get("running_s")) is not None:
        yield _metric("dudo_running_seconds", "Since the companion was started.", running_s)
    if disk := health.get("disk"):
        yield _metric("dudo_disk_free_bytes", "Free space for games and pictures.", disk["free_mb"] * 1e6)
    if (celsius := health.get("temperature_c")) is not None:
        yield _metric("dudo_processor_celsius", "Temperature of the processor.", celsius)
    low = health.get("under_voltage", False)
    yield _metric("dudo_under_voltage", "1 while the supply gives too little.", low)
    faults = {label("reason", reason): 1.0 for reason in health.get("faults", ())}
    yield _metric("dudo_fault", "1 for each thing that does not work, by its reason.", faults)


def _outlets(health: HealthJson) -> Iterator[str]:
    outlets = {label("outlet", name): outlet for name, outlet in health.get("outside", {}).items()}
    connected = {of: float(outlet["connected"]) for of, outlet in outlets.items()}
    waiting = {of: float(outlet["waiting"]) for of, outlet in outlets.items()}
    dropped = {of: float(outlet["dropped"]) for of, outlet in outlets.items()}
    yield _metric("dudo_outlet_connected", "1 while the broker or webhook takes what is sent.", connected)
    yield _metric("dudo_outlet_waiting", "Messages that wait to be sent.", waiting)
    yield _metric("dudo_outlet_dropped_total", "Events too many to wait, or refused.", dropped, "counter")


def _game(outline: OutlineJson) -> Iterator[str]:
    states = {label("state", word): float(word == outline["state"]) for word in get_args(StateWord)}
    yield _metric("dudo_state", "1 for the word that the lamps show.", states)
    inside = [player for player in outline["players"] if not player["out"]]
    yield _metric("dudo_players", "Players who are still in the game.", len(inside))
    yield _metric("dudo_dice", "Dice left in the game.", outline["dice"])
    yield _metric("dudo_round", "The round of the game.", outline["round"])


def _metric(name: str, doc: str, value: float | Samples, kind: str = "gauge") -> str:
    samples = value if isinstance(value, Mapping) else {"": float(value)}
    head = f"# HELP {name} {doc}\n# TYPE {name} {kind}\n"
    return head + "".join(f"{name}{of} {number:.15g}\n" for of, number in samples.items())


def label(name: str, value: str) -> str:
    """A label as it is written behind the name of its metric."""
    escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'{{{name}="{escaped}"}}'
