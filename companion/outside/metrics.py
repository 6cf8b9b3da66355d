"""How the box is and how far the game, in Prometheus' text format. Pure.

Source of the format: prometheus.io/docs/instrumenting/exposition_formats, version 0.0.4. No player's name is
in it: a name would be a time series of its own for ever.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from companion.health_json import HealthJson
from companion.outside.outline import OutlineJson
from companion.table.wire.state import StateWord

Kind: TypeAlias = Literal["gauge", "counter"]
Samples: TypeAlias = Mapping[str, float]
"""Values by their label as it is written, "" for none."""


@dataclass(frozen=True, slots=True)
class Metric:
    """One metric: its name, kind, sentence and values by label."""

    name: str
    kind: Kind
    doc: str
    samples: Samples


def text(health: HealthJson, outline: OutlineJson, version: str) -> str:
    """All metrics of the box as Prometheus reads them."""
    return "".join(map(written, metrics(health, outline, version)))


def metrics(health: HealthJson, outline: OutlineJson, version: str) -> Iterator[Metric]:
    """The metrics of the box; what it does not know is left out."""
    yield _gauge("dudo_info", "The version of the companion.", {label("version", version): 1})
    works = "1 while the journal can be written and every thread does its work."
    yield _gauge("dudo_ok", works, health["ok"])
    yield from _box(health)
    yield from _threads(health)
    yield from _outlets(health)
    yield from _game(outline)


def _box(health: HealthJson) -> Iterator[Metric]:
    if (running_s := health.get("running_s")) is not None:
        yield _gauge("dudo_running_seconds", "Since the companion was started.", running_s)
    if disk := health.get("disk"):
        yield _gauge("dudo_disk_free_bytes", "Free space for games and pictures.", disk["free_mb"] * 1e6)
    if (celsius := health.get("temperature_c")) is not None:
        yield _gauge("dudo_processor_celsius", "Temperature of the processor.", celsius)
    low = health.get("under_voltage", False)
    yield _gauge("dudo_under_voltage", "1 while the supply gives too little.", low)
    faults = {label("reason", reason): 1.0 for reason in health.get("faults", ())}
    yield _gauge("dudo_fault", "1 for each thing that does not work, by its reason.", faults)


def _threads(health: HealthJson) -> Iterator[Metric]:
    ages = {label("thread", name): age_s for name, age_s in health.get("threads", {}).items()}
    yield _gauge("dudo_thread_silent_seconds", "Since each thread gave a sign.", ages)


def _outlets(health: HealthJson) -> Iterator[Metric]:
    outlets = {label("outlet", name): outlet for name, outlet in health.get("outside", {}).items()}
    connected = {of: float(outlet["connected"]) for of, outlet in outlets.items()}
    waiting = {of: float(outlet["waiting"]) for of, outlet in outlets.items()}
    dropped = {of: float(outlet["dropped"]) for of, outlet in outlets.items()}
    yield _gauge("dudo_outlet_connected", "1 while the broker or webhook takes what is sent.", connected)
    yield _gauge("dudo_outlet_waiting", "Messages that wait to be sent.", waiting)
    yield Metric("dudo_outlet_dropped_total", "counter", "Events that were too many to wait.", dropped)


def _game(outline: OutlineJson) -> Iterator[Metric]:
    states = {label("state", word): float(word == outline["state"]) for word in get_args(StateWord)}
    yield _gauge("dudo_state", "1 for the word that the lamps show.", states)
    inside = [player for player in outline["players"] if not player["out"]]
    yield _gauge("dudo_players", "Players who are still in the game.", len(inside))
    yield _gauge("dudo_dice", "Dice left in the game.", outline["dice"])
    yield _gauge("dudo_round", "The round of the game.", outline["round"])


def _gauge(name: str, doc: str, value: float | Samples) -> Metric:
    return Metric(name, "gauge", doc, value if isinstance(value, Mapping) else {"": float(value)})


def written(metric: Metric) -> str:
    """One metric as lines."""
    head = f"# HELP {metric.name} {metric.doc}\n# TYPE {metric.name} {metric.kind}\n"
    return head + "".join(f"{metric.name}{of} {value:.15g}\n" for of, value in metric.samples.items())


def label(name: str, value: str) -> str:
    """A label as it is written behind the name of its metric."""
    escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'{{{name}="{escaped}"}}'
