"""Access to an MQTT broker, and what may be wrong with it: address, password, certificate.

paho-mqtt is an extra (`.setup/locks/mqtt.txt`): it is imported only where a broker is named.
"""

from __future__ import annotations

import ssl
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from companion.errors import CompanionError

if TYPE_CHECKING:
    from paho.mqtt.client import Client

CONNECT_S = 5.0
"""So long each address of the broker may take to answer."""

KEEPALIVE_S = 20
"""A broker learns within 1.5 times this that a box has gone; paho lets a TLS handshake take as long, too."""

LONGEST_SECRET_BYTES = 4096


class OutsideFault(CompanionError, OSError):
    """Nothing outside the box can be reached; `reason` is a key under `errors`."""


@dataclass(frozen=True, slots=True)
class Broker:
    """A broker and how to come to it. `ca_file` "" stands for the authorities that the system knows."""

    host: str
    port: int = 1883
    user: str = ""
    password_file: str = ""
    tls: bool = False
    ca_file: str = ""


def secret_in(path: str, reason: str) -> str:
    """The first line of a file that holds a secret; raises OutsideFault with `reason` where there is none."""
    try:
        with Path(path).expanduser().open("rb") as file:
            lines = file.read(LONGEST_SECRET_BYTES).decode("utf-8").splitlines()
    except (OSError, ValueError, RuntimeError) as error:
        raise OutsideFault(reason) from error
    if not lines or not lines[0].strip():
        raise OutsideFault(reason)
    return lines[0].strip()


def open_client(broker: Broker, client_id: str) -> Client:
    """A client of paho for this broker, not connected yet; raises OutsideFault."""
    try:
        from paho.mqtt.client import Client
        from paho.mqtt.enums import CallbackAPIVersion
    except ImportError as error:
        raise OutsideFault("mqtt_missing") from error
    client = Client(CallbackAPIVersion.VERSION2, client_id=client_id)
    client.connect_timeout = CONNECT_S
    if broker.user:
        password = secret_in(broker.password_file, "mqtt_password") if broker.password_file else None
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


def connect(client: Client, broker: Broker) -> None:
    """Open the connection and ask the broker to let us in; raises OutsideFault when nobody is there."""
    try:
        client.connect(broker.host, broker.port, KEEPALIVE_S)
    except ssl.SSLError as error:
        raise OutsideFault("mqtt_certificate") from error
    except (OSError, ValueError) as error:  # ValueError: a name that no host can have
        raise OutsideFault("mqtt_away") from error
