"""By which names this box is called. A page whose name was made to mean this box is served nothing.

A name of the internet can be pointed at any address of a home ("DNS rebinding"): the browser then takes the
box for a part of that page. Only names that nobody else can own are known: numeric addresses of this
machine, its own name, and those that the settings add.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address

from companion.addresses import is_here, names_in_network, own_names

_HOST = re.compile(r"(?:\[(?P<v6>[0-9a-f:.]{2,45})\]|(?P<name>[a-z0-9._-]{1,253}))(?::[0-9]{1,5})?")
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
        return name == "localhost" or name in self._also or name in own_names() or name in names_in_network()

    def _is_own(self, address: IPv4Address | IPv6Address) -> bool:
        """Whether this machine has that address; a box may get another one while it runs."""
        name, now_s = str(address), self._now_s()
        if name in self._also:
            return True
        is_own, until_s = self._own.get(name, (False, float("-inf")))
        if until_s < now_s:
            is_own = not (address.is_unspecified or address.is_multicast) and is_here(name)
            self._own = {**({} if len(self._own) > _KEPT else self._own), name: (is_own, now_s + _KEPT_S)}
        return is_own


@lru_cache(maxsize=64)
def bare(host: str) -> str | None:
    """The name in a Host header without its port, in small letters; None where it is no name."""
    found = _HOST.fullmatch(host.lower())
    return (found["v6"] or found["name"].rstrip(".")) if found else None


def means_this_machine(host: str) -> bool:
    """Whether a Host means the machine on which the browser runs."""
    return bare(host) in ("localhost", "127.0.0.1", "::1")


def is_forwarded(request: Mapping[str, str]) -> bool:
    """Whether anything about a request, as WSGI has it, says that a server in between sent it on.

    Browsers speak HTTP/1.1 and name the page they come from by the name that they know; a server in between
    often speaks HTTP/1.0 and says `localhost` itself.
    """
    signed = any(name in _SIGNS or name.startswith(_SIGNS_START) for name in request)
    old = request.get("SERVER_PROTOCOL") == "HTTP/1.0"
    return signed or old or not all(map(means_this_machine, _pages(request)))


def is_foreign(request: Mapping[str, str], host: str) -> bool:
    """Whether a browser says that a page of another address than `host` had it send a request."""
    elsewhere = request.get("HTTP_SEC_FETCH_SITE", "none") not in _OWN_SITE
    return elsewhere or any(page != host for page in _pages(request))


def _pages(request: Mapping[str, str]) -> list[str]:
    """The hosts, with their ports, of the pages from which a request says that it comes."""
    return [request[name].split("://", 1)[-1].split("/", 1)[0] for name in _FROM if request.get(name)]
