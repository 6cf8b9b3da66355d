"""The box's own certificate: made, renewed and refused, each for its reason."""

import ssl
import stat
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from companion.app.machine import https_findings
from companion.app.system import https
from companion.app.system.https import Https, names_of
from companion.errors import NoHttps
from companion.settings import Data, Settings, Web
from companion.storage.side_files import SideFile, SideFiles

pytest.importorskip("cryptography", reason="the extra https is not installed")

NOW = datetime(2026, 11, 26, 12, tzinfo=UTC)
NAMES = ("10.0.0.7", "dudo.local", "localhost")


@pytest.fixture
def opened(tmp_path):
    """Opens https in a folder of its own, at some moment and with some names."""

    def open_(names: tuple[str, ...] = NAMES, now: datetime = NOW) -> Https:
        return Https(SideFile(tmp_path / https.FILE), lambda: names, now=lambda: now)

    return open_


def kept(folder: Path) -> https.Certificate:
    found = https.read((folder / https.FILE).read_bytes())
    assert found is not None
    return found


def test_a_certificate_is_made_for_all_names_and_for_its_owner_alone(tmp_path, opened):
    opened()
    found = kept(tmp_path)
    assert (found.names, found.own) == (frozenset(NAMES), True)
    assert found.until - NOW == https.VALID
    assert stat.S_IMODE((tmp_path / https.FILE).stat().st_mode) == 0o600
    assert [one.name for one in tmp_path.iterdir()] == [https.FILE]


@pytest.mark.parametrize(
    ("why", "names", "later", "renewed"),
    [
        ("nothing has changed", NAMES, timedelta(days=1), False),
        ("an address is gone, and may come back", NAMES[1:], timedelta(days=1), False),
        ("the box has another address", (*NAMES, "192.168.1.20"), timedelta(days=1), True),
        ("it ends within a month", NAMES, timedelta(days=368), True),
        ("it has ended", NAMES, timedelta(days=500), True),
        ("the clock was wrong when it was made", NAMES, timedelta(days=-400), True),
    ],
)
def test_when_it_is_made_anew(tmp_path, opened, why, names, later, renewed):
    opened()
    before = (tmp_path / https.FILE).read_bytes()
    opened(names, NOW + later)
    assert ((tmp_path / https.FILE).read_bytes() != before) is renewed, why
    assert kept(tmp_path).names >= set(names)


def test_a_certificate_from_elsewhere_is_used_as_it_stands(tmp_path, opened, monkeypatch):
    monkeypatch.setattr(https, "MAKER", "Somebody else")
    foreign = https.make(("dudo.example",), NOW - timedelta(days=500))
    monkeypatch.undo()
    (tmp_path / https.FILE).write_bytes(foreign)
    assert not opened().renew()
    assert (tmp_path / https.FILE).read_bytes() == foreign


def part(pem: bytes, name: bytes) -> bytes:
    """One part of a file, by its name."""
    begin, end = b"-----BEGIN " + name + b"-----", b"-----END " + name + b"-----\n"
    return pem[pem.index(begin) : pem.index(end) + len(end)]


def locked(pem: bytes) -> bytes:
    """The same with a key that a password protects."""
    from cryptography.hazmat.primitives import serialization

    key = serialization.load_pem_private_key(pem, None)
    form = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8)
    return key.private_bytes(*form, serialization.BestAvailableEncryption(b"secret")) + part(
        pem, b"CERTIFICATE"
    )


BOX = names_of(Settings())
ONE, OTHER = (https.make(BOX, datetime.now(UTC)) for _ in range(2))
BAD = {
    "empty": (b"", "https_no_pair"),
    "no PEM at all": (b"\0\xff what", "https_no_pair"),
    "the key alone": (part(ONE, b"PRIVATE KEY"), "https_no_pair"),
    "the certificate alone": (part(ONE, b"CERTIFICATE"), "https_no_pair"),
    "cut off": (ONE[:-40], "https_no_pair"),
    "a key of another": (part(OTHER, b"PRIVATE KEY") + part(ONE, b"CERTIFICATE"), "https_pair"),
    "a key under a password": (locked(ONE), "https_no_pair"),
    "a folder": (None, "https_file"),
}


@pytest.mark.parametrize("why", BAD)
def test_what_cannot_be_served_is_set_aside_with_one_sentence(tmp_path, why):
    content, reason = BAD[why]
    file = tmp_path / https.FILE
    if content is None:
        file.mkdir()
    else:
        file.write_bytes(content)
    assert [found[1] for found in https_findings(settings(tmp_path))] == ["bad"]
    files = SideFiles(tmp_path)
    Https(files.file(https.FILE), lambda: BOX)
    assert files.aside == {https.FILE: str(NoHttps(reason, file=file, cause="Is a directory"))}
    assert https.read(file.read_bytes()) is not None, "the box has made its own"
    assert content is None or file.with_name(f"{https.FILE}.damaged").read_bytes() == content


@pytest.mark.linux(reason="the words for a folder in place of a file")
def test_a_certificate_that_cannot_be_written_is_a_sentence(tmp_path):
    (tmp_path / f"{https.FILE}.new").mkdir()
    with pytest.raises(NoHttps, match="directory"):
        Https(SideFile(tmp_path / https.FILE), lambda: BOX)


def settings(folder: Path, **more: object) -> Settings:
    return Settings(web=Web(**{"https": True, **more}), data=Data(folder=str(folder)))  # type: ignore[arg-type]


def test_without_the_library_one_sentence_says_how_to_get_it(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "cryptography", None)
    file = SideFile(tmp_path / https.FILE)
    with pytest.raises(NoHttps, match="pip install"):
        Https(file, lambda: BOX)
    assert [found[1] for found in https_findings(settings(tmp_path))] == ["bad"]
    (tmp_path / https.FILE).write_bytes(ONE)
    Https(file, lambda: BOX)  # a file that is there is served without it
    assert [found[1] for found in https_findings(settings(tmp_path))] == ["good"]


def test_the_doctor_says_what_is_served(tmp_path, monkeypatch):
    assert list(https_findings(Settings())) == []
    assert [found[1:3] for found in https_findings(settings(tmp_path))] == [
        ("good", "a certificate is made when the companion starts")
    ]
    assert list(tmp_path.iterdir()) == []
    (tmp_path / https.FILE).write_bytes(ONE)
    assert [found[1] for found in https_findings(settings(tmp_path))] == ["good"]
    monkeypatch.setattr(https, "MAKER", "Somebody else")
    (tmp_path / https.FILE).write_bytes(https.make(NAMES, datetime(2020, 1, 1, tzinfo=UTC)))
    monkeypatch.undo()
    assert [found[1] for found in https_findings(settings(tmp_path))] == ["bad"]


def test_the_names_of_the_settings_are_among_those_of_the_box():
    found = names_of(Settings(web=Web(hosts="dudo.example, würfel.example 10.1.2.3")))
    assert {"localhost", "127.0.0.1", "dudo.example", "10.1.2.3"} <= set(found)
    assert "würfel.example" not in found, "names in certificates are ASCII"
    assert https.read(https.make(found, NOW)) is not None


def test_a_renewed_certificate_is_served_by_the_context_there_is(tmp_path, opened):
    names = list(NAMES)
    made = Https(SideFile(tmp_path / https.FILE), lambda: tuple(names), now=lambda: NOW)
    context = made.context
    names.append("10.9.9.9")
    made.turn()
    assert made.context is context
    assert "10.9.9.9" in served(context)


def served(context: ssl.SSLContext) -> frozenset[str]:
    """The names in the certificate of a server with that context."""
    to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    trusting = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
    client = trusting.wrap_bio(to_client, to_server)
    server = context.wrap_bio(to_server, to_client, server_side=True)
    for side in (client, server, client, server):
        try:
            side.do_handshake()
        except ssl.SSLWantReadError:
            continue
    der = client.getpeercert(binary_form=True)
    assert der is not None
    found = https.read(ssl.DER_cert_to_PEM_cert(der).encode())
    assert found is not None
    return found.names
