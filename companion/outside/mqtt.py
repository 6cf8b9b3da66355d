"""Publishes the table to an MQTT broker, from a thread of its own that nobody waits for.

The box subscribes to nothing: whatever a broker sends, the game cannot be changed by it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from companion.outside.connection import Broker, Connection, OutsideFault, User
from companion.outside.topics import OFFLINE, ONLINE, STATUS, Message, Outbox, Topics
from companion.threads import Beat, Loop

if TYPE_CHECKING:
    from paho.mqtt.client import Client

UNDERWAY = 20
"""Messages that the broker has not confirmed yet; more wait in the outbox, which is bounded."""

GOODBYE_S = 1.0


class MqttLink(User):
    """Keeps a connection to `broker`, and sends what is in its outbox. A broker that is away is tried again.

    `greetings` are retained messages that each new connection begins with. A last will says "offline".
    """

    name = "mqtt"

    def __init__(
        self,
        broker: Broker,
        topics: Topics,
        greetings: tuple[Message, ...] = (),
        beat: Beat = lambda: None,
        now_s: Callable[[], float] = time.monotonic,
    ) -> None:
        self.outbox = Outbox()
        self._status = topics.of(STATUS)
        self._offline = Message(self._status, OFFLINE, retained=True)
        self.connection = Connection(broker, topics.node, self, self._offline, now_s)
        self._underway: dict[int, Message] = {}
        self._leaving, self._left = threading.Event(), threading.Event()
        for message in greetings:
            self.outbox.put(message)
        self._loop = Loop("mqtt", self._turn, beat)

    @property
    def connected(self) -> bool:
        """Whether the broker has let us in."""
        return self.connection.client is not None

    @property
    def fault(self) -> OutsideFault | None:
        """Why nothing can be sent; None while all is well, or nothing is known yet."""
        return self.connection.fault

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
        client.publish(self._status, ONLINE, qos=1, retain=True)

    def confirmed(self, number: int) -> None:
        """The broker has a message."""
        self._underway.pop(number, None)

    def lost(self) -> None:
        """What the broker has not confirmed is sent once more by the next connection."""
        self.outbox.give_back(self._underway.values())
        self._underway = {}

    def _turn(self) -> float:
        if self._leaving.is_set():
            self.connection.leave(self._offline)
            self._left.set()
            return GOODBYE_S
        pause_s = self.connection.turn()
        if self.connection.client is not None:
            self._hand_over(self.connection.client)
        return pause_s

    def _hand_over(self, client: Client) -> None:
        while len(self._underway) < UNDERWAY:
            message = self.outbox.take()
            if message is None:
                return
            sent = client.publish(message.topic, message.text, qos=1, retain=message.retained)
            self._underway[sent.mid] = message
