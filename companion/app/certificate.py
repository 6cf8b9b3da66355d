"""The certificate with which the page is served over https: made by the box itself, kept in its data folder.

One file has the key and the certificate, so that a power cut never leaves two that do not belong together.
A file that somebody else made is used as it stands.
"""

from __future__ import annotations

import os
import ssl
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING

from companion.errors import NoHttps

if TYPE_CHECKING:
    from cryptography.x509 import GeneralName

FILE = "https.pem"
MAKER = "Dudo table companion"
"""The organization in a certificate that was made here."""

VALID = timedelta(days=397)
"""Safari takes no longer ones from a server, whoever signed them: 825 days, and 398 from authorities."""

RENEWED = timedelta(days=30)
"""So long before its end a certificate is made anew."""

_MODE = 0o600


@dataclass(frozen=True, slots=True)
class Certificate:
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


def write(path: Path, pem: bytes) -> None:
    """Replace the file whole and synced, for its owner alone; raises NoHttps."""
    fresh = path.with_name(f"{path.name}.new")
    try:
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, _MODE), "wb") as file:
            os.fchmod(file.fileno(), _MODE)
            file.write(pem)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
    except OSError as error:
        raise NoHttps("https_file", file=path, cause=error.strerror or error) from error


def _general(name: str) -> GeneralName:
    """A name or a numeric address as certificates have it."""
    from cryptography import x509  # here, as above

    try:
        return x509.IPAddress(ip_address(name))
    except ValueError:
        return x509.DNSName(name)
