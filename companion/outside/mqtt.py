"""Publishes the table to an MQTT broker, from a thread of its own that nobody waits for.

The box subscribes to nothing: whatever a broker sends, the game cannot be changed by it.
"""

from __future__ import annotations

import contextlib
import logging
import secrets
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from companion.heartbeats import Beat
from companion.loop import Loop
from companion.outside.backoff import BackOff
from companion.outside.broker import Broker, OutsideFault, connect, open_client
from companion.outside.outbox import Message, Outbox
from companion.outside.topics import OFFLINE, ONLINE, STATUS, Topics

if TYPE_CHECKING:
    from paho.mqtt.client import Client, ConnectFlags, DisconnectFlags
    from paho.mqtt.properties import Properties
    from paho.mqtt.reasoncodes import ReasonCode

_log = logging.getLogger(__name__)

ANSWER_S = 10.0
"""So long a broker may take to let us in, once the connection stands."""

TURN_S = 0.1
"""How long one wait for the network lasts, and so how late a message may leave."""

UNDERWAY = 20
"""Messages that the broker has not confirmed yet; more wait in the outbox, which is bounded."""

GOODBYE_S = 1.0


class MqttLink:
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
        self._broker, self._topics, self._now_s = broker, topics, now_s
        self._client: Client | None = None
        self._connected, self._asked_s = False, 0.0
        self._underway: dict[int, Message] = {}
        self._fault: OutsideFault | None = None
        self._trouble: OutsideFault | None = None
        self._backoff = BackOff(now_s)
        self._leaving, self._left = threading.Event(), threading.Event()
        for message in greetings:
            self.outbox.put(message)
        self._loop = Loop("mqtt", self._turn, beat)

    @property
    def connected(self) -> bool:
        """Whether the broker has let us in."""
        return self._connected

    @property
    def fault(self) -> OutsideFault | None:
        """Why nothing can be sent; None while all is well, or nothing is known yet."""
        return self._fault

    def put(self, message: Message) -> None:
        """Send a message as soon as it can be; returns at once."""
        self.outbox.put(message)

    def stop(self) -> None:
        """Begin to say goodbye; may be called twice."""
        self._leaving.set()

    def close(self) -> None:
        """Say goodbye where the broker listens, and end; may be called twice."""
        self.stop()
        if self._connected:
            self._left.wait(GOODBYE_S)
        self._loop.close()

    def _turn(self) -> float:
        if self._leaving.is_set():
            self._leave()
            return GOODBYE_S
        if self._client is None:
            pause_s = self._backoff.pause_s()
            if pause_s > 0:
                return min(pause_s, 0.5)
            self._begin()
            return 0.0
        self._go_on(self._client)
        return 0.0

    def _begin(self) -> None:
        """Begin a connection."""
        try:
            client = open_client(self._broker, f"{self._topics.node}_{secrets.token_hex(4)}")
            client.on_connect, client.on_disconnect = self._on_connect, self._on_disconnect
            client.on_publish = self._on_publish
            client.will_set(self._topics.of(STATUS), OFFLINE, qos=1, retain=True)
            connect(client, self._broker)
        except OutsideFault as fault:
            self._failed(fault)
            return
        self._client, self._asked_s = client, self._now_s()

    def _go_on(self, client: Client) -> None:
        """Let the network do its work, and hand over what waits."""
        code = client.loop(TURN_S)
        if self._trouble is None and code != 0:
            self._trouble = OutsideFault("mqtt_away")
        if not self._connected and self._now_s() - self._asked_s > ANSWER_S:
            self._trouble = OutsideFault("mqtt_silent")
        if self._trouble is not None:
            self._drop(client, self._trouble)
        elif self._connected:
            self._hand_over(client)

    def _hand_over(self, client: Client) -> None:
        while len(self._underway) < UNDERWAY:
            message = self.outbox.take()
            if message is None:
                return
            sent = client.publish(message.topic, message.text, qos=1, retain=message.retained)
            self._underway[sent.mid] = message

    def _on_connect(
        self,
        client: Client,
        userdata: object,
        flags: ConnectFlags,
        reason: ReasonCode,
        properties: Properties | None,
    ) -> None:
        """The broker lets us in, or does not. As the other callbacks: paho calls it within `client.loop`."""
        if reason.is_failure:
            self._trouble = OutsideFault("mqtt_refused")
            return
        if self._fault:
            _log.info("the MQTT broker answers again")
        self._connected, self._fault = True, None
        self._backoff.worked()
        self.outbox.renew()
        client.publish(self._topics.of(STATUS), ONLINE, qos=1, retain=True)

    def _on_disconnect(
        self,
        client: Client,
        userdata: object,
        flags: DisconnectFlags,
        reason: ReasonCode,
        properties: Properties | None,
    ) -> None:
        if self._trouble is None:
            self._trouble = OutsideFault("mqtt_away")

    def _on_publish(
        self, client: Client, userdata: object, mid: int, reason: ReasonCode, properties: Properties
    ) -> None:
        self._underway.pop(mid, None)

    def _drop(self, client: Client, fault: OutsideFault) -> None:
        """Give this connection up, and begin another after a pause. What the broker has not confirmed is sent
        once more then."""
        self._client, self._connected, self._trouble = None, False, None
        self.outbox.give_back(self._underway.values())
        self._underway = {}
        self._failed(fault)
        _end(client)

    def _failed(self, fault: OutsideFault) -> None:
        if self._fault is None or self._fault.reason != fault.reason:
            _log.warning("%s", fault)
        self._fault = fault
        self._backoff.failed()

    def _leave(self) -> None:
        """Say "offline" ourselves: after a goodbye the broker does not send the last will."""
        client, self._client = self._client, None
        if client is not None and self._connected:
            sent = client.publish(self._topics.of(STATUS), OFFLINE, qos=1, retain=True)
            until_s = self._now_s() + GOODBYE_S / 2
            while not sent.is_published() and self._now_s() < until_s and client.loop(TURN_S) == 0:
                pass
        self._connected = False
        if client is not None:
            _end(client)
        self._left.set()


def _end(client: Client) -> None:
    """Close the connection of a client that is given up."""
    client.on_disconnect = None
    with contextlib.suppress(Exception):  # whatever is left of it: a new one is made
        client.disconnect()
        client.loop(0.0)
