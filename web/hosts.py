"""By which names this box is called. A page whose name was made to mean this box is served nothing.

A name of the internet can be pointed at any address of a home ("DNS rebinding"): the browser then takes the
box for a part of that page. Only names that nobody else can own are known: numeric addresses of this
machine, its own name, and those that the settings add.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address

_HOST = re.compile(r"(?:\[(?P<v6>[0-9a-f:.]{2,45})\]|(?P<name>[a-z0-9._-]{1,253}))(?::[0-9]{1,5})?")
_HOME = ("", ".local", ".lan", ".home", ".home.arpa", ".internal", ".localdomain")
"""Endings that a router or the machine itself gives; nobody can buy them."""

_KEPT_S = 30.0
_KEPT = 200
_SIGNS = (
    *("HTTP_FORWARDED", "HTTP_VIA", "HTTP_X_REAL_IP", "HTTP_X_CLIENT_IP"),
    *("HTTP_X_CLUSTER_CLIENT_IP", "HTTP_TRUE_CLIENT_IP"),
)
_SIGNS_START = ("HTTP_X_FORWARDED", "HTTP_X_ORIGINAL", "HTTP_CF_", "HTTP_X_ENVOY", "HTTP_X_PROXY")
_FROM = ("HTTP_ORIGIN", "HTTP_REFERER")
_OWN_SITE = ("none", "same-origin")
"""What a browser says of a request that a person began, or a page of this very address."""


class Hosts:
    """The names that are known; `also` are those of the settings. May be asked by many threads."""

    def __init__(self, also: Iterable[str], now_s: Callable[[], float]) -> None:
        self._also, self._now_s = {name.lower().rstrip(".") for name in also}, now_s
        self._own: dict[str, tuple[bool, float]] = {}

    def knows(self, host: str) -> bool:
        """Whether a request's Host, with or without a port, means this box."""
        name = bare(host)
        if name is None:
            return False
        with suppress(ValueError):
            return self._is_own(ip_address(name))
        return name == "localhost" or name in self._also or name in own_names() or _is_renamed(name)

    def _is_own(self, address: IPv4Address | IPv6Address) -> bool:
        """Whether this machine has that address; a box may get another one while it runs."""
        name, now_s = str(address), self._now_s()
        if name in self._also:
            return True
        is_own, until_s = self._own.get(name, (False, float("-inf")))
        if until_s < now_s:
            is_own = _can_bind(address)
            self._own = {**({} if len(self._own) > _KEPT else self._own), name: (is_own, now_s + _KEPT_S)}
        return is_own


@lru_cache(maxsize=64)
def bare(host: str) -> str | None:
    """The name in a Host header without its port, in small letters; None where it is no name."""
    found = _HOST.fullmatch(host.lower())
    return (found["v6"] or found["name"].rstrip(".")) if found else None


@lru_cache(maxsize=64)
def is_loopback(host: str) -> bool:
    """Whether a Host means the machine on which the browser runs."""
    name = bare(host) or ""
    with suppress(ValueError):
        return ip_address(name).is_loopback and name in ("127.0.0.1", "::1")
    return name == "localhost"


def is_forwarded(request: Mapping[str, str]) -> bool:
    """Whether anything about a request, as WSGI has it, says that a server in between sent it on.

    Browsers speak HTTP/1.1 and name the page they come from by the name that they know; a server in between
    often speaks HTTP/1.0 and says `localhost` itself.
    """
    signed = any(name in _SIGNS or name.startswith(_SIGNS_START) for name in request)
    old = request.get("SERVER_PROTOCOL") == "HTTP/1.0"
    return signed or old or not all(map(is_loopback, _pages(request)))


def is_foreign(request: Mapping[str, str], host: str) -> bool:
    """Whether a browser says that a page of another address than `host` had it send a request."""
    elsewhere = request.get("HTTP_SEC_FETCH_SITE", "none") not in _OWN_SITE
    return elsewhere or any(page != host for page in _pages(request))


def _pages(request: Mapping[str, str]) -> list[str]:
    """The hosts, with their ports, of the pages from which a request says that it comes."""
    return [request[name].split("://", 1)[-1].split("/", 1)[0] for name in _FROM if request.get(name)]


def own_names() -> set[str]:
    """The names of this machine: its host name, alone and with the suffixes of home networks."""
    own = socket.gethostname().lower().rstrip(".")
    short = own.split(".", 1)[0]
    return {own, *(f"{short}{ending}" for ending in _HOME)} - {""}


def _is_renamed(name: str) -> bool:
    """Whether avahi may have given this machine the name because another one has its own: `dudo-2.local`."""
    short, number = socket.gethostname().lower().split(".", 1)[0], r"-[0-9]{1,3}\.local"
    return re.fullmatch(re.escape(short) + number, name) is not None


def _can_bind(address: IPv4Address | IPv6Address) -> bool:
    """Whether a socket may be bound to that address: only to one's own."""
    if address.is_unspecified or address.is_multicast:
        return False
    family = socket.AF_INET if address.version == 4 else socket.AF_INET6
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.bind((str(address), 0))
        return True
    return False
