"""Serving the page over https: the context of its connections, and its certificate, made and renewed."""

from __future__ import annotations

import logging
import ssl
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from companion.addresses import own_addresses, own_names
from companion.errors import NoHttps, StorageError
from companion.settings import Settings
from companion.storage.side_files import SideFile

if TYPE_CHECKING:
    from cryptography.x509 import GeneralName


CHECK_S = 30.0
"""So often it is looked whether the certificate still fits: a box gets its address after it has begun."""

_LONGEST_NAME = 253
_log = logging.getLogger(__name__)


class Https:
    """`context` is what connections are encrypted by. A `turn` renews its certificate where that is due."""

    def __init__(
        self,
        file: SideFile,
        names: Callable[[], tuple[str, ...]],
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """`names` are those by which phones may call the box now. A file that cannot be served is set aside.

        Raises NoHttps."""
        self._file, self._path, self._names, self._now = file, file.path, names, now
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.minimum_version = ssl.TLSVersion.TLSv1_2
        try:
            self._begin()
        except NoHttps as error:
            if error.reason == "https_library":
                raise
            file.set_aside(error)
            self._begin()

    def _begin(self) -> None:
        self.renew()
        load(self.context, self._path)

    def renew(self) -> bool:
        """Make a certificate where there is none, or the box's own fits no more; whether one was made.

        Raises NoHttps.
        """
        pem = kept(self._path)
        if pem is not None and not _outdated(pem, self._names(), self._now()):
            return False
        try:
            self._file.write(make(self._names(), self._now()))
        except StorageError as error:
            raise NoHttps("https_file", file=self._path, cause=error.values["cause"]) from error
        _log.info("https: a certificate was made for %s", ", ".join(self._names()))
        return True

    def turn(self) -> float:
        """Renew what does not fit any more; seconds until the next turn."""
        try:
            if self.renew():
                load(self.context, self._path)
        except NoHttps as error:  # the one in force goes on
            _log.warning("https: %s", error)
        return CHECK_S


def names_of(settings: Settings) -> tuple[str, ...]:
    """All names and addresses by which phones may call the box."""
    found = ("localhost", "127.0.0.1", *own_names(), *own_addresses(), *settings.web.names)
    return tuple(sorted({name for name in found if name.isascii() and len(name) <= _LONGEST_NAME}))


def kept(path: Path) -> bytes | None:
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
        found = read(pem)
    except NoHttps:
        return False
    return found is not None and found.own and not found.fits(names, now)


FILE = "https.pem"
MAKER = "Dudo table companion"
"""The organization in a certificate that was made here."""

VALID = timedelta(days=397)
"""Safari takes no longer ones from a server, whoever signed them: 825 days, and 398 from authorities."""

RENEWED = timedelta(days=30)
"""So long before its end a certificate is made anew."""


class Certificate(Struct, frozen=True):
    """The names and addresses a certificate is for, its first and last moment, and whether it was made
    here."""

    names: frozenset[str]
    since: datetime
    until: datetime
    own: bool

    def fits(self, names: Iterable[str], now: datetime) -> bool:
        """Whether it is for all these names, and for a while yet."""
        return self.names.issuperset(names) and self.since <= now < self.until - RENEWED


def make(names: Iterable[str], now: datetime) -> bytes:
    """A new key (ECDSA, P-256) and a certificate that it signed itself, as PEM. Raises NoHttps where the
    library is missing."""
    try:
        from cryptography import x509  # here: an extra, and only some boxes want it
        from cryptography.hazmat.primitives import hashes, serialization
        from cryptography.hazmat.primitives.asymmetric import ec
        from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
    except ImportError as error:
        raise NoHttps("https_library") from error
    key = ec.generate_private_key(ec.SECP256R1())
    attributes = ((NameOID.ORGANIZATION_NAME, MAKER), (NameOID.COMMON_NAME, MAKER))
    who = x509.Name([x509.NameAttribute(kind, value) for kind, value in attributes])
    signed = (
        x509.CertificateBuilder()
        .subject_name(who)
        .issuer_name(who)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))  # a phone's clock may be behind
        .not_valid_after(now + VALID)
        .add_extension(
            x509.SubjectAlternativeName([_general(name) for name in sorted(names)]), critical=False
        )
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(key, hashes.SHA256())
    )
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return bytes(secret + signed.public_bytes(serialization.Encoding.PEM))


def read(pem: bytes) -> Certificate | None:
    """The certificate in a file, None where there is none in it. Raises NoHttps where the library is
    missing."""
    try:
        from cryptography import x509  # here, as above
        from cryptography.x509.oid import NameOID
    except ImportError as error:
        raise NoHttps("https_library") from error
    try:
        found = x509.load_pem_x509_certificate(pem)
        alternative = found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except (ValueError, x509.ExtensionNotFound):
        return None
    names = [str(entry.value) for entry in alternative]
    makers = {str(one.value) for one in found.subject.get_attributes_for_oid(NameOID.ORGANIZATION_NAME)}
    own = found.issuer == found.subject and MAKER in makers
    return Certificate(frozenset(names), found.not_valid_before_utc, found.not_valid_after_utc, own)


def load(context: ssl.SSLContext, path: Path) -> None:
    """Have the context serve key and certificate of the file. Raises NoHttps, and then nothing is served
    that was not before."""
    try:
        for into in (ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), context):  # tried first: half a pair would stay
            into.load_cert_chain(path, password=lambda: "")  # an encrypted key is refused, not asked about
    except ssl.SSLError as error:
        mixed = error.reason == "KEY_VALUES_MISMATCH"
        raise NoHttps("https_pair" if mixed else "https_no_pair", file=path) from error
    except OSError as error:
        raise NoHttps("https_file", file=path, cause=error.strerror or error) from error


def _general(name: str) -> GeneralName:
    """A name or a numeric address as certificates have it."""
    from cryptography import x509  # here, as above

    try:
        return x509.IPAddress(ip_address(name))
    except ValueError:
        return x509.DNSName(name)
