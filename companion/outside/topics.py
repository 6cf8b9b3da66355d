"""The MQTT topics of a table, the messages that wait for them, and Home Assistant's discovery.

docs/reference/outside.md lists the topics. Source of the discovery: home-assistant.io/integrations/mqtt.
"""

from __future__ import annotations

import hashlib
import json
import re
import threading
import unicodedata
from collections import deque
from collections.abc import Iterable
from typing import get_args

from msgspec import Struct

from companion.table.wire.state import StateWord
from companion.texts import translate

STATUS, STATE, EVENING, EVENTS = "status", "state", "evening", "events"
ONLINE, OFFLINE = "online", "offline"

_LONGEST_PREFIX = 100
_ID_LETTERS = 6


class Topics(Struct, frozen=True):
    """The topics of one table: `<prefix>/<key>/<what>`.

    `key` has the name in plain letters, and an id of the box: two boxes of one name never mix.
    """

    prefix: str
    key: str

    def of(self, what: str) -> str:
        """The topic of STATUS, STATE, EVENING or EVENTS."""
        return f"{self.prefix}/{self.key}/{what}"

    @property
    def node(self) -> str:
        """The table's id for Home Assistant: letters, digits, - and _ alone."""
        return f"dudo_{self.key}"


def topics(prefix: str, table: str, secret: str) -> Topics:
    """The topics of the table called `table` on the box with this secret, from which nobody can tell it."""
    box = hashlib.sha256(f"dudo table {secret}".encode()).hexdigest()[:_ID_LETTERS]
    return Topics(prefix, "-".join(filter(None, (plain(table), box))))


def box_of(key: str) -> str:
    """The id of the box in the key of its table."""
    return key.rpartition("-")[2]


def prefix_fault(prefix: str) -> str | None:
    """What is wrong with a prefix of topics (MQTT 3.1.1, 4.7), None where nothing is."""
    if not prefix or prefix[0] in "/$" or prefix[-1] == "/" or len(prefix) > _LONGEST_PREFIX:
        return f"{prefix!r} is empty, too long, or begins or ends with / or $"
    if set(prefix) & set("+#") or not prefix.isprintable():
        return f"{prefix!r} has a sign that no topic may have"
    return None


def plain(name: str) -> str:
    """A name in lower-case letters a to z, digits and single dashes; "" where nothing of it is left."""
    letters = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", letters).strip("-")[:40]


MAX_WAITING = 200
"""Events that wait: an evening's bids of an hour. The oldest go first."""


class Message(Struct, frozen=True):
    """A text for a topic; a retained one is kept by the broker for whoever comes later."""

    topic: str
    text: str
    retained: bool = False


class Outbox:
    """Of a retained topic the newest message waits alone, of events the newest `most`. For any thread."""

    def __init__(self, most: int = MAX_WAITING) -> None:
        self._most, self._lock = most, threading.Lock()
        self._retained: dict[str, Message] = {}
        self._due: dict[str, Message] = {}
        self._events: deque[Message] = deque()
        self._dropped = 0

    def put(self, message: Message) -> None:
        """Let a message wait. A retained one that says what the last one said is not sent again."""
        with self._lock:
            if not message.retained:
                self._events.append(message)
                self._drop_oldest()
            elif self._retained.get(message.topic) != message:
                self._retained[message.topic] = self._due[message.topic] = message

    def take(self) -> Message | None:
        """The next message, retained ones before events: a state never waits behind an old event."""
        with self._lock:
            if self._due:
                return self._due.pop(next(iter(self._due)))
            return self._events.popleft() if self._events else None

    def give_back(self, messages: Iterable[Message]) -> None:
        """Messages that were taken and may not have arrived; events go before those that wait."""
        with self._lock:
            for message in reversed(list(messages)):
                if not message.retained:
                    self._events.appendleft(message)
            self._drop_oldest()

    def renew(self) -> None:
        """Every retained message is due again: the broker may have lost them."""
        with self._lock:
            self._due = dict(self._retained)

    def give_up(self) -> None:
        """An event that was taken will not be sent."""
        with self._lock:
            self._dropped += 1

    def counts(self) -> tuple[int, int]:
        """How many messages wait, and how many events were dropped."""
        with self._lock:
            return len(self._due) + len(self._events), self._dropped

    def _drop_oldest(self) -> None:
        while len(self._events) > self._most:
            self._events.popleft()
            self._dropped += 1


LONGEST_STATE = 255
"""Letters that Home Assistant takes as a state."""


class Entity(Struct, frozen=True):
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
