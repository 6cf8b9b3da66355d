"""The box's own addresses, so that the join page can name one that phones can reach. Linux, by interface."""

from __future__ import annotations

import contextlib
import fcntl
import socket
import struct
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

_SIOCGIFADDR = 0x8915  # linux/sockios.h: the IPv4 address of a named interface
_NOT_FOR_PHONES = ("lo", "docker", "veth", "br-", "virbr")


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


def own_addresses() -> tuple[str, ...]:
    """Numeric IPv4 addresses of the interfaces a phone may come by, wireless ones first."""
    names = [name for _, name in socket.if_nameindex() if not name.startswith(_NOT_FOR_PHONES)]
    names.sort(key=lambda name: (not name.startswith("wl"), name))
    found = (_address_of(name) for name in names)
    return tuple(dict.fromkeys(address for address in found if address))


def name_in_network() -> str:
    """The name by which phones of one network find this machine (multicast DNS), wherever it is."""
    return f"{socket.gethostname().partition('.')[0]}.local"


def _address_of(interface: str) -> str | None:
    """The interface's address, None when it has none at present."""
    asked = struct.pack("256s", interface.encode()[:15])
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        return socket.inet_ntoa(fcntl.ioctl(probe.fileno(), _SIOCGIFADDR, asked)[20:24])
    return None
