"""The table as a device of Home Assistant: its messages against the form that is documented there."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from jinja2 import Environment  # what Home Assistant fills templates with; Flask brings it

from companion.outside.outline import outline
from companion.outside.topics import ENTITIES, discovery, topics
from companion.table.view import view
from companion.texts import languages
from tests.companion.outside.home_assistant import BinarySensor, Sensor, parsed
from tests.companion.outside.tables import ChanceTable

TOPICS = topics("club/dudo", "Tisch „3“", "secret")


@pytest.mark.parametrize("language", languages())
def test_home_assistant_takes_every_entity(language: str) -> None:
    made = discovery(TOPICS, "Tisch „3“", "homeassistant", language, "0.2.0")
    found = [parsed(message.topic, message.text) for message in made]
    assert len(found) == len(ENTITIES)
    assert all(message.retained for message in made)
    assert len({one.unique_id for one in found}) == len({message.topic for message in made}) == len(ENTITIES)
    for one in found:
        assert (one.state_topic, one.availability_topic) == (TOPICS.of("state"), TOPICS.of("status"))
        assert (one.device.identifiers, one.device.name) == ([TOPICS.node], "Tisch „3“")
        assert one.name


@pytest.mark.parametrize("name", ["Table 3", "卓一", "_-_", "Ä" * 80])
def test_every_name_of_a_table_makes_ids_that_home_assistant_takes(name: str) -> None:
    made = discovery(topics("dudo", name, "secret"), name, "homeassistant", "en", "0.2.0")
    assert all(parsed(message.topic, message.text) for message in made)


def test_the_templates_read_the_state_as_home_assistant_would(tmp_path: Path) -> None:
    with ChanceTable(tmp_path / "table") as table:
        empty = outline(view(table.table.snapshot()), "t", "en")
        table.play()
        over = outline(view(table.table.snapshot()), "t", "en")
    for message in discovery(TOPICS, "t", "homeassistant", "en", "0.2.0"):
        entity = parsed(message.topic, message.text)
        template = Environment().from_string(entity.value_template)
        before, after = (template.render(value_json=json.loads(json.dumps(state))) for state in (empty, over))
        assert len(before) <= 255
        assert len(after) <= 255
        assert bool(after) is ("turn" not in entity.unique_id.rpartition("_")[2]), (
            "nobody is to bid at the end"
        )
        for shown in (before, after):
            if isinstance(entity, BinarySensor):
                assert shown in (entity.payload_on, entity.payload_off)
            if isinstance(entity, Sensor) and entity.options is not None:
                assert shown in entity.options
            if isinstance(entity, Sensor) and entity.state_class is not None:
                assert shown.isdigit()


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"object_id": "dudo"}, "that option is gone since release 2026.4"),
        ({"state_topic": "dudo/+/state"}, "it must be one topic"),
        ({"default_entity_id": "sensor.dudo_table-3"}, "a dash is not in an id"),
        ({"default_entity_id": "binary_sensor.dudo"}, "it is of another kind"),
        ({"state_class": "measurement"}, "an enum is no number"),
        ({"options": None}, "an enum has options"),
        ({"device": {"name": "t", "identifiers": []}}, "nothing tells the device"),
        ({"entity_category": "config"}, "a sensor sets nothing"),
    ],
)
def test_what_home_assistant_refuses_is_really_found(change: dict[str, object], why: str) -> None:
    message = discovery(TOPICS, "t", "homeassistant", "en", "0.2.0")[0]
    with pytest.raises((ValueError, msgspec.ValidationError)):
        parsed(message.topic, json.dumps(json.loads(message.text) | change))
    assert parsed(message.topic, message.text), why
