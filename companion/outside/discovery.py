"""Home Assistant's MQTT discovery: the table as a device with its entities. Pure.

Source of the format: home-assistant.io/integrations/mqtt, "MQTT Discovery".
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import get_args

from companion.outside.outbox import Message
from companion.outside.topics import STATE, STATUS, Topics
from companion.table.wire.state import StateWord
from companion.texts import translate

LONGEST_STATE = 255
"""Letters that Home Assistant takes as a state."""


@dataclass(frozen=True, slots=True)
class Entity:
    """One entity: its kind, its id below the table, its value as a template over the state, and more."""

    kind: str
    id: str
    value: str
    more: tuple[tuple[str, object], ...] = ()


ENTITIES = (
    Entity(
        "sensor",
        "state",
        "{{ value_json.state }}",
        (("device_class", "enum"), ("options", list(get_args(StateWord)))),
    ),
    Entity("sensor", "turn", "{{ value_json.turn }}"),
    Entity(
        "sensor",
        "verdict",
        f"{{{{ value_json.verdict.sentence[:{LONGEST_STATE}] if value_json.verdict else '' }}}}",
    ),
    Entity("sensor", "dice", "{{ value_json.dice }}", (("state_class", "measurement"),)),
    Entity("sensor", "winner", "{{ value_json.winner }}"),
    Entity(
        "binary_sensor",
        "problem",
        "{{ 'ON' if value_json.problem else 'OFF' }}",
        (("device_class", "problem"), ("entity_category", "diagnostic")),
    ),
    Entity(
        "binary_sensor",
        "power",
        "{{ 'ON' if value_json.power_low else 'OFF' }}",
        (("device_class", "battery"), ("entity_category", "diagnostic")),
    ),
)
"""Names of entities are under `outside.entities` in the catalogues."""


def discovery(topics: Topics, table: str, prefix: str, language: str, version: str) -> tuple[Message, ...]:
    """The retained messages by which Home Assistant shows the table; it listens below `prefix`."""
    device: dict[str, object] = {
        "identifiers": [topics.node],
        "name": table,
        "manufacturer": "Dudo companion",
        "model": translate(language, "outside.model"),
        "sw_version": version,
    }
    return tuple(
        Message(
            f"{prefix}/{entity.kind}/{topics.node}/{entity.id}/config",
            json.dumps(_config(entity, topics, device, language), ensure_ascii=False),
            retained=True,
        )
        for entity in ENTITIES
    )


def _config(entity: Entity, topics: Topics, device: dict[str, object], language: str) -> dict[str, object]:
    return {
        "name": translate(language, f"outside.entities.{entity.id}"),
        "unique_id": f"{topics.node}_{entity.id}",
        "default_entity_id": f"{entity.kind}.{topics.node}_{entity.id}".replace("-", "_"),
        "state_topic": topics.of(STATE),
        "value_template": entity.value,
        "availability_topic": topics.of(STATUS),
        "device": device,
        "origin": {"name": "dudo-companion", "sw_version": device["sw_version"]},
        **dict(entity.more),
    }
