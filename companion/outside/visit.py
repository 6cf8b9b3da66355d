"""Comes to a broker once, to see whether it lets the box in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.outside.broker import Broker, OutsideFault
from companion.outside.connection import Connection

if TYPE_CHECKING:
    from paho.mqtt.client import Client


class _Visitor:
    """Comes to a broker and says nothing."""

    def ready(self, client: Client) -> None:
        """The broker lets the box in: that is all there is to know."""

    def heard(self, topic: str, text: bytes) -> None:
        """Nothing was asked for."""

    def confirmed(self, number: int) -> None:
        """Nothing was said."""

    def lost(self) -> None:
        """The fault tells."""


def broker_fault(broker: Broker) -> OutsideFault | None:
    """Why the broker does not let the box in; None where it does. Takes as long as a broker may take."""
    connection = Connection(broker, "dudo_doctor", _Visitor())
    try:
        while connection.fault is None and connection.client is None:
            connection.turn()
        return connection.fault
    finally:
        connection.leave()
