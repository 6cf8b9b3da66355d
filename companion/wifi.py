"""The Wi-Fi that a phone must be in, as a QR code that its camera understands."""

from __future__ import annotations

from dataclasses import dataclass

import segno
from segno.helpers import make_wifi


@dataclass(frozen=True, slots=True)
class Wifi:
    """The network that a phone must be in; no `password` for an open one."""

    name: str
    password: str = ""

    def code(self) -> segno.QRCode:
        """The code; a phone that scans it joins the network."""
        security = "WPA" if self.password else None
        return make_wifi(ssid=self.name, password=self.password or None, security=security)
