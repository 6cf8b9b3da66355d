"""The table as a device of Home Assistant: its messages against the form that is documented there."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import Environment  # what Home Assistant fills templates with; Flask brings it

from companion.outside.outline import outline
from companion.outside.topics import ENTITIES, Message, Outbox, discovery, topics
from companion.table.view import view
from companion.texts import languages
from tests.companion.outside.home_assistant import BinarySensor, Sensor, parsed
from tests.companion.outside.tables import ChanceTable

TOPICS = topics("club/dudo", "Tisch „3“", "secret")


@pytest.mark.parametrize("language", languages())
def test_home_assistant_takes_every_entity(language):
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
def test_every_name_of_a_table_makes_ids_that_home_assistant_takes(name):
    made = discovery(topics("dudo", name, "secret"), name, "homeassistant", "en", "0.2.0")
    assert all(parsed(message.topic, message.text) for message in made)


def test_the_templates_read_the_state_as_home_assistant_would(tmp_path):
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


def emptied(box: Outbox) -> list[str]:
    found = []
    while (message := box.take()) is not None:
        found.append(message.text)
    return found


def test_of_a_state_the_newest_alone_waits():
    box = Outbox()
    for text in ("a", "b", "b"):
        box.put(Message("state", text, retained=True))
    box.put(Message("events", "1"))
    assert emptied(box) == ["b", "1"]
    box.put(Message("state", "b", retained=True))
    assert emptied(box) == [], "it says what it said"
    box.renew()
    assert emptied(box) == ["b"], "a new connection gets it again"


@given(st.lists(st.integers(0, 99)), st.integers(1, 5), st.integers(0, 5))
def test_events_stay_in_order_and_the_oldest_go_first(numbers, most, taken):
    box = Outbox(most)
    for number in numbers:
        box.put(Message("events", str(number)))
    under_way = [message for _ in range(taken) if (message := box.take())]
    box.give_back(under_way)
    assert box.counts() == (min(most, len(numbers)), max(0, len(numbers) - most))
    assert emptied(box) == [str(number) for number in numbers][-most:]
