"""Publishes the table to an MQTT broker, from a thread of its own that nobody waits for.

The box subscribes to nothing: whatever a broker sends, the game cannot be changed by it.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from companion.outside.connection import Connection, published
from companion.outside.topics import OFFLINE, ONLINE, STATUS, Message, Outbox, Topics
from companion.settings import Mqtt
from companion.threads import Beat, Loop

if TYPE_CHECKING:
    from paho.mqtt.client import Client

UNDERWAY = 20
"""Messages that the broker has not confirmed yet; more wait in the outbox, which is bounded."""

GOODBYE_S = 1.0


class MqttLink(Connection):
    """Keeps a connection to `broker`, and sends what is in its outbox. A broker that is away is tried again.

    `greetings` are retained messages that each new connection begins with. A last will says "offline".
    """

    name = "mqtt"

    def __init__(
        self,
        broker: Mqtt,
        topics: Topics,
        greetings: tuple[Message, ...] = (),
        beat: Beat = lambda: None,
    ) -> None:
        self._online, self._offline = (
            Message(topics.of(STATUS), word, retained=True) for word in (ONLINE, OFFLINE)
        )
        super().__init__(broker, topics.node, self._offline)
        self.outbox = Outbox()
        self._underway: dict[int, Message] = {}
        self._leaving, self._left = threading.Event(), threading.Event()
        for message in greetings:
            self.outbox.put(message)
        self._loop = Loop("mqtt", self._send, beat)

    def put(self, message: Message) -> None:
        """Send a message as soon as it can be; returns at once."""
        self.outbox.put(message)

    def stop(self) -> None:
        """Begin to say goodbye; may be called twice."""
        self._leaving.set()

    def close(self) -> None:
        """Say goodbye where the broker listens, and end; may be called twice."""
        self.stop()
        if self.connected:
            self._left.wait(GOODBYE_S)
        self._loop.close()

    def ready(self, client: Client) -> None:
        """Say that the table is there, and all that is retained once more."""
        self.outbox.renew()
        published(client, self._online)

    def confirmed(self, number: int) -> None:
        """The broker has a message."""
        self._underway.pop(number, None)

    def lost(self) -> None:
        """What the broker has not confirmed is sent once more by the next connection."""
        self.outbox.give_back(self._underway.values())
        self._underway = {}

    def _send(self) -> float:
        if self._leaving.is_set():
            self.leave(self._offline)
            self._left.set()
            return GOODBYE_S
        pause_s = self.turn()
        while self._client and self._connected and len(self._underway) < UNDERWAY:
            message = self.outbox.take()
            if message is None:
                break
            self._underway[published(self._client, message).mid] = message
        return pause_s
