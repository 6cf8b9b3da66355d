"""Serving the page over https: the context of its connections, and its certificate, which is renewed."""

from __future__ import annotations

import logging
import ssl
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from companion.app import certificate
from companion.app.addresses import own_addresses
from companion.app.service_findings import Found
from companion.errors import NoHttps
from companion.loop import Loop
from companion.settings import Settings
from web.hosts import own_names

CHECK_S = 30.0
"""So often it is looked whether the certificate still fits: a box gets its address after it has begun."""

_LONGEST_NAME = 253
_log = logging.getLogger(__name__)


class Https:
    """`context` is what connections are encrypted by. A thread renews its certificate until it is closed."""

    def __init__(
        self,
        path: Path,
        names: Callable[[], tuple[str, ...]],
        beat: Callable[[], None] = lambda: None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """`names` are those by which phones may call the box now. Raises NoHttps."""
        self._path, self._names, self._now = path, names, now
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.minimum_version = ssl.TLSVersion.TLSv1_2
        self.renew()
        certificate.load(self.context, path)
        self._loop = Loop("certificate", self._turn, beat)

    def renew(self) -> bool:
        """Make a certificate where there is none, or the box's own fits no more; whether one was made.

        Raises NoHttps.
        """
        kept = _read(self._path)
        if kept is not None and not _outdated(kept, self._names(), self._now()):
            return False
        certificate.write(self._path, certificate.make(self._names(), self._now()))
        _log.info("https: a certificate was made for %s", ", ".join(self._names()))
        return True

    def _turn(self) -> float:
        try:
            if self.renew():
                certificate.load(self.context, self._path)
        except NoHttps as error:  # the one in force goes on
            _log.warning("https: %s", error)
        return CHECK_S

    def stop(self) -> None:
        """Renew nothing any more; may be called twice."""
        self._loop.stop()

    def close(self) -> None:
        """Renew nothing any more; may be called twice."""
        self._loop.close()


def open_https(settings: Settings, beat: Callable[[], None]) -> Https | None:
    """What serves the page over https; None, with one sentence in the log, where that cannot be."""
    try:
        return Https(settings.data_folder / certificate.FILE, lambda: names_of(settings), beat)
    except NoHttps as error:
        _log.warning("The page is served by http: %s", error)
        return None


def names_of(settings: Settings) -> tuple[str, ...]:
    """All names and addresses by which phones may call the box."""
    more = settings.web.hosts.replace(",", " ").split()
    found = ("localhost", "127.0.0.1", *own_names(), *own_addresses(), *more)
    return tuple(sorted({name for name in found if name.isascii() and len(name) <= _LONGEST_NAME}))


def https_findings(settings: Settings) -> Iterator[Found]:
    """What `dudo doctor` finds of https, where the settings want it. Nothing is made."""
    if not settings.web.https:
        return
    path = settings.data_folder / certificate.FILE
    try:
        kept = _read(path)
        if kept is None:
            certificate.read(b"")
            yield "https", "good", "a certificate is made when the companion starts", ""
            return
        certificate.load(ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), path)
    except NoHttps as error:
        yield "https", "bad", f"the page is served by http: {error}", ""
        return
    yield _of(kept, path)


def _of(pem: bytes, path: Path) -> Found:
    """The finding about a certificate that is served."""
    found = None
    with suppress(NoHttps):
        found = certificate.read(pem)
    if found is None or not found.own:
        ended = found is not None and found.until <= datetime.now(UTC)
        hint = f"Replace {path}, or delete it." if ended else ""
        return "https", "bad" if ended else "good", f"served with the certificate in {path}", hint
    return "https", "good", f"served with the box's own certificate, until {found.until:%Y-%m-%d}", ""


def _read(path: Path) -> bytes | None:
    """The file, None where there is none; raises NoHttps."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise NoHttps("https_file", file=path, cause=error.strerror or error) from error


def _outdated(pem: bytes, names: tuple[str, ...], now: datetime) -> bool:
    """Whether a certificate of the box's own fits no more. One from elsewhere is used as it stands, also
    where the library is missing that could look into it."""
    try:
        found = certificate.read(pem)
    except NoHttps:
        return False
    return found is not None and found.own and not found.fits(names, now)
