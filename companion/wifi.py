"""The Wi-Fi that a phone must be in, as a QR code that its camera understands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

if TYPE_CHECKING:
    from segno import QRCode


@dataclass(frozen=True, slots=True)
class Wifi:
    """The network that a phone must be in; no `password` for an open one."""

    name: str
    password: str = ""

    def code(self) -> QRCode:
        """The code; a phone that scans it joins the network."""
        from segno.helpers import make_wifi

        security = "WPA" if self.password else None
        return make_wifi(ssid=self.name, password=self.password or None, security=security)


JoiningWord: TypeAlias = Literal["joining", "joined", "not_found", "refused", "failed"]


@dataclass(frozen=True, slots=True)
class Joining:
    """What came of the wish to join the Wi-Fi called `name`."""

    word: JoiningWord
    name: str


class WifiPort(Protocol):
    """Lets the box join another Wi-Fi, where that is possible from the page."""

    def join(self, name: str, password: str) -> None:
        """Begin to join a network; raises a CompanionError."""

    def now(self) -> Joining | None:
        """What came of the last wish; None where there was none."""
