"""One connection to an MQTT broker at a time, begun anew after a pause whenever it is lost, and what may be
wrong with it: address, password, certificate. The table is published by one of them.

paho-mqtt is an extra (`.setup/locks/mqtt.txt`): it is imported only where a broker is named. What publishes
subscribes to nothing: whatever a broker sends, the game cannot be changed by it.
"""

from __future__ import annotations

import contextlib
import logging
import secrets
import ssl
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

from companion.errors import CompanionError
from companion.outside.topics import OFFLINE, ONLINE, STATUS, Message, Outbox, Topics
from companion.settings import Mqtt
from companion.threads import Beat, Loop
from hardware.clock import BackOff, SystemClock

if TYPE_CHECKING:
    from paho.mqtt.client import Client, MQTTMessage, MQTTMessageInfo
    from paho.mqtt.reasoncodes import ReasonCode

_log = logging.getLogger(__name__)

CONNECT_S = 5.0
"""So long each address of the broker may take to answer."""

KEEPALIVE_S = 20
"""A broker learns within 1.5 times this that a box has gone; paho lets a TLS handshake take as long, too."""

LONGEST_SECRET_BYTES = 4096


class OutsideFault(CompanionError, OSError):
    """Nothing outside the box can be reached; `reason` is a key under `errors`."""


FIRST_S, LONGEST_S = 1.0, 60.0


def back_off() -> BackOff:
    """Pauses that are half by chance: a broker that was restarted may have two hundred boxes."""
    return BackOff(SystemClock(), first_s=FIRST_S, longest_s=LONGEST_S, jitter=0.5)


def secret_in(path: str, fault: CompanionError) -> str:
    """The first line of a file that holds a secret; raises `fault` where there is none."""
    try:
        with Path(path).expanduser().open("rb") as file:
            if line := file.read(LONGEST_SECRET_BYTES).decode().partition("\n")[0].strip():
                return line
    except (OSError, ValueError, RuntimeError) as error:
        raise fault from error
    raise fault


def open_client(broker: Mqtt, client_id: str) -> Client:
    """A client of paho for this broker, not connected yet; raises OutsideFault."""
    try:
        from paho.mqtt.client import Client
        from paho.mqtt.enums import CallbackAPIVersion
    except ImportError as error:
        raise OutsideFault("mqtt_missing") from error
    client = Client(CallbackAPIVersion.VERSION2, client_id=client_id)
    client.connect_timeout = CONNECT_S
    if broker.user:
        fault, path = OutsideFault("mqtt_password"), broker.password_file
        password = secret_in(path, fault) if path else None
        client.username_pw_set(broker.user, password)
    if broker.tls:
        client.tls_set_context(trusted(broker.ca_file))
    return client


def trusted(ca_file: str) -> ssl.SSLContext:
    """Checks the broker's certificate and its name by the authorities in `ca_file`, "": those of the system.

    An authority of one's own is taken without the extension "key usage": `openssl req -x509` leaves it out,
    and Python 3.13 refuses such a one by default (RFC 5280, 4.2.1.3). Raises OutsideFault.
    """
    try:
        context = ssl.create_default_context(cafile=ca_file or None)
    except (OSError, ValueError) as error:
        raise OutsideFault("mqtt_ca") from error
    if ca_file:
        context.verify_flags &= ~ssl.VERIFY_X509_STRICT
    context.sslsocket_class = _TlsSocket
    return context


class _TlsSocket(ssl.SSLSocket):
    """Closes itself after a handshake that failed: paho leaves it open then."""

    def do_handshake(self, block: bool = False) -> None:
        try:
            super().do_handshake(block)
        except BaseException:
            self.close()
            raise


def connect(client: Client, broker: Mqtt) -> None:
    """Open the connection and ask the broker to let us in; raises OutsideFault when nobody is there."""
    try:
        client.connect(broker.host, broker.port, KEEPALIVE_S)
    except ssl.SSLError as error:
        raise OutsideFault("mqtt_certificate") from error
    except (OSError, ValueError) as error:  # ValueError: a name that no host can have
        raise OutsideFault("mqtt_away") from error


ANSWER_S = 10.0
"""So long a broker may take to let us in, once the connection stands."""

TURN_S = 0.1
"""How long one wait for the network lasts, and so how late a message may leave."""

GOODBYE_S = 0.5

PROTOCOL_ERROR = 2
"""`MQTT_ERR_PROTOCOL` of paho: what came is no MQTT."""


class Connection:
    """A connection that `turn` keeps up. `will` is what the broker says for us when we are gone.

    `connected`: the broker has let us in. `fault` is why there is no connection; None while all is well, or
    nothing is known yet. What is called when something happens is called from the thread that calls `turn`.
    """

    def __init__(self, broker: Mqtt, name: str, will: Message | None = None) -> None:
        self._broker, self._name, self._will = broker, name, will
        self._client: Client | None = None
        self.connected, self._asked_s, self._over = False, 0.0, False
        self.fault: OutsideFault | None = None
        self._trouble: OutsideFault | None = None
        self.back_off = back_off()

    def ready(self, client: Client) -> None:
        """The broker has let us in."""

    def heard(self, topic: str, text: bytes) -> None:
        """A message of a topic that was subscribed to."""

    def confirmed(self, number: int) -> None:
        """The broker has the message of this number."""

    def lost(self) -> None:
        """The connection is lost, and another will be begun."""

    def turn(self) -> float:
        """Begin a connection or let the network do its work; returns the seconds until the next turn."""
        if self._client is not None:
            self._go_on(self._client)
            return 0.0
        pause_s = self.back_off.pause_s()
        if pause_s > 0:
            return min(pause_s, 0.5)
        self._begin()
        return 0.0

    def leave(self, last: Message | None = None) -> None:
        """End the connection for good, also one that another thread has just begun. `last` is said before:
        after a goodbye the broker does not send the will."""
        self._over = True
        client, self._client = self._client, None
        if client is not None and self.connected and last is not None:
            sent = published(client, last)
            until_s = time.monotonic() + GOODBYE_S
            while not sent.is_published() and time.monotonic() < until_s and client.loop(TURN_S) == 0:
                pass
        self.connected = False
        if client is not None:
            _end(client)

    def _begin(self) -> None:
        try:
            client = open_client(self._broker, f"{self._name}_{secrets.token_hex(4)}")
            client.on_connect, client.on_disconnect = self._on_connect, self._on_disconnect
            client.on_message, client.on_publish = self._on_message, self._on_publish
            if self._will is not None:
                client.will_set(self._will.topic, self._will.text, qos=1, retain=self._will.retained)
            connect(client, self._broker)
        except OutsideFault as fault:
            self._failed(fault)
            return
        self._client, self._asked_s = client, time.monotonic()
        if self._over:
            self.leave()

    def _go_on(self, client: Client) -> None:
        code = client.loop(TURN_S)
        if code != 0 and (self._trouble is None or self._trouble.reason == "mqtt_away"):
            no_mqtt = code == PROTOCOL_ERROR and not self.connected
            self._trouble = OutsideFault("mqtt_silent" if no_mqtt else "mqtt_away")
        if self._trouble is None and not self.connected and time.monotonic() - self._asked_s > ANSWER_S:
            self._trouble = OutsideFault("mqtt_silent")
        if self._trouble is not None:
            fault, self._trouble = self._trouble, None
            self._client, self.connected = None, False
            self.lost()
            self._failed(fault)
            _end(client)

    def _on_connect(self, client: Client, _: object, flags: object, reason: ReasonCode, __: object) -> None:
        """The broker lets us in, or does not. As the other callbacks: paho calls it within `client.loop`."""
        if reason.is_failure:
            self._trouble = OutsideFault("mqtt_refused")
            return
        if self.fault:
            _log.info("the MQTT broker answers again")
        self.connected, self.fault = True, None
        self.back_off.worked()
        self.ready(client)

    def _on_disconnect(self, *of: object) -> None:
        if self._trouble is None:
            self._trouble = OutsideFault("mqtt_away")

    def _on_publish(self, client: Client, userdata: object, number: int, *of: object) -> None:
        self.confirmed(number)

    def _on_message(self, client: Client, userdata: object, message: MQTTMessage) -> None:
        with contextlib.suppress(UnicodeDecodeError):  # a topic that is no text is none of ours
            self.heard(message.topic, bytes(message.payload))

    def _failed(self, fault: OutsideFault) -> None:
        if self.fault is None or self.fault.reason != fault.reason:
            _log.warning("%s", fault)
        self.fault = fault
        self.back_off.failed()


def published(client: Client, message: Message) -> MQTTMessageInfo:
    """Hand a message to the client, which sends it until the broker has it."""
    return client.publish(message.topic, message.text, qos=1, retain=message.retained)


def _end(client: Client) -> None:
    """Close the connection of a client that is given up."""
    client.on_disconnect = None
    with contextlib.suppress(Exception):  # whatever is left of it: a new one is made
        client.disconnect()
        client.loop(0.0)


def broker_fault(broker: Mqtt) -> OutsideFault | None:
    """Why the broker does not let the box in; None where it does. Takes as long as a broker may take."""
    connection = Connection(broker, "dudo_doctor")
    try:
        while connection.fault is None and not connection.connected:
            connection.turn()
        return connection.fault
    finally:
        connection.leave()


UNDERWAY = 20
"""Messages that the broker has not confirmed yet; more wait in the outbox, which is bounded."""

LEAVING_S = 1.0


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
            self._left.wait(LEAVING_S)
        self._loop.close()
        self.leave()

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
            return LEAVING_S
        pause_s = self.turn()
        while self._client and self.connected and len(self._underway) < UNDERWAY:
            message = self.outbox.take()
            if message is None:
                break
            self._underway[published(self._client, message).mid] = message
        return pause_s
