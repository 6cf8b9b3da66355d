"""How phones come in: the box's own addresses, its Wi-Fi as a code, and the invitation in the terminal."""

from __future__ import annotations

import contextlib
import io
import socket
import struct
import sys
from collections.abc import Sequence
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from segno import QRCode

if sys.platform == "linux":
    import fcntl

_SIOCGIFADDR = 0x8915  # linux/sockios.h: the IPv4 address of a named interface
_ELSEWHERE = ("192.0.2.1", 9)  # RFC 5737: an address of nobody
_NOT_FOR_PHONES = ("lo", "docker", "veth", "br-", "virbr")
_NUMBERS = range(2, 100)
"""That avahi may have added to the name: no club has more boxes."""

_HOME = ("", ".local", ".lan", ".home", ".home.arpa", ".internal", ".localdomain")
"""Endings that a router or the machine itself gives; nobody can buy them."""

EVERYWHERE = ("", "0.0.0.0", "::", "*")
"""Where a server listens that listens in every network."""


def network_of(address: str) -> str:
    """Where a phone comes from, to count what it does: with IPv6 a phone has a whole network to itself."""
    found = plain_address(address)
    if found is None:
        return address
    return str(ip_network((found, 64 if found.version == 6 else 32), strict=False))


def plain_address(address: str) -> IPv4Address | IPv6Address | None:
    """An address, as IPv4 where a server of both kinds wrote it as ::ffff:10.0.0.7; None for no address."""
    with contextlib.suppress(ValueError):
        found = ip_address(address.partition("%")[0])
        return getattr(found, "ipv4_mapped", None) or found
    return None


@lru_cache(maxsize=512)
def is_loopback(address: str) -> bool:
    """Whether that is an address of the machine itself, which no other machine can have."""
    plain = plain_address(address)
    return plain is not None and plain.is_loopback


def own_addresses() -> tuple[str, ...]:
    """Numeric IPv4 addresses of this machine that a phone may come by, the likeliest first."""
    return tuple(dict.fromkeys(address for address in _addresses() if address))


def is_here(host: str) -> bool:
    """Whether this machine can listen at an address: a socket is bound only to one of its own."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.bind((host, 0))
        return True
    return False


def reached_at(host: str, own: tuple[str, ...]) -> tuple[str, ...]:
    """Those of the machine's `own` addresses at which phones reach a server that listens at `host`, the
    likeliest first; none where only this machine does."""
    if host in ("localhost", "::1") or host.startswith("127."):
        return ()
    return own if host in EVERYWHERE else (host,)


def own_names() -> set[str]:
    """The names of this machine: its host name, alone and with the suffixes of home networks."""
    own = socket.gethostname().lower().rstrip(".")
    return {own, *(f"{own.partition('.')[0]}{ending}" for ending in _HOME)} - {""}


def names_in_network() -> tuple[str, ...]:
    """The names that this machine may have in its network (multicast DNS). avahi adds a number where another
    machine has the name already."""
    short = socket.gethostname().lower().partition(".")[0]
    return (f"{short}.local", *(f"{short}-{number}.local" for number in _NUMBERS))


def name_in_network() -> str:
    """That by which phones of one network find this machine, wherever it is."""
    names = names_in_network()
    for name in names:
        found = _resolved(name)
        if not found or found & {*own_addresses(), "127.0.0.1"}:
            return name if found else names[0]
    return names[0]


def _resolved(name: str) -> set[str]:
    """The IPv4 addresses of a name; none where nobody knows it."""
    with contextlib.suppress(OSError):
        return {str(found[4][0]) for found in socket.getaddrinfo(name, None, socket.AF_INET)}
    return set()


if sys.platform == "linux":

    def _addresses() -> list[str]:
        """By interface, wireless ones first."""
        names = [name for _, name in socket.if_nameindex() if not name.startswith(_NOT_FOR_PHONES)]
        names.sort(key=lambda name: (not name.startswith("wl"), name))
        return [_address_of(name) for name in names]

    def _address_of(interface: str) -> str:
        """The interface's address, "" when it has none at present."""
        asked = struct.pack("256s", interface.encode()[:15])
        with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            return socket.inet_ntoa(fcntl.ioctl(probe.fileno(), _SIOCGIFADDR, asked)[20:24])
        return ""

else:

    def _addresses() -> list[str]:
        """The address that this machine would reach others from, then those of its name."""
        found = list[str]()
        with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(_ELSEWHERE)  # a datagram: nothing is sent
            found.append(probe.getsockname()[0])
        with contextlib.suppress(OSError):
            found += socket.gethostbyname_ex(socket.gethostname())[2]
        return [address for address in found if not address.startswith("127.")]


def link_to(address: str, port: int, *, https: bool) -> str:
    """The link to a numeric address or a name; the port of the web needs no mention."""
    host = f"[{address}]" if ":" in address else address
    scheme, usual = ("https", 443) if https else ("http", 80)
    return f"{scheme}://{host}/" if port == usual else f"{scheme}://{host}:{port}/"


def invitation(addresses: Sequence[str], port: int, *, drawn: bool, https: bool = False) -> str:
    """The lines by which a phone finds the page, at the first of these addresses; "" where there is none.
    `drawn`: with a QR code, which only a terminal shows well."""
    if not addresses:
        return ""
    link = link_to(addresses[0], port, https=https)
    code = io.StringIO()
    if drawn:
        import segno

        segno.make(link, error="l").terminal(code, border=2, compact=True)
    warned = "The browser warns once, for the certificate is the box's own: choose to go on.\n"
    words = f"Phones in the same network: {link}\n{warned if https else ''}"
    return f"{words}{code.getvalue()}".rstrip()


class Wifi(Struct, frozen=True):
    """The network that a phone must be in; no `password` for an open one."""

    name: str
    password: str = ""

    def code(self) -> QRCode:
        """The code; a phone that scans it joins the network."""
        from segno.helpers import make_wifi

        security = "WPA" if self.password else None
        return make_wifi(ssid=self.name, password=self.password or None, security=security)
