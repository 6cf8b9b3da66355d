"""An encrypted connection to a real mosquitto, whose certificate an authority of our own has signed."""

import ssl

import pytest

from companion.app.machine import outside_findings
from companion.outside.club import ClubLink
from companion.outside.connection import MqttLink, broker_fault, trusted
from companion.outside.topics import Message, Topics
from companion.settings import Mqtt, Settings
from tests.companion.outside.brokers import authority, broker, passwords, wait_until

TABLE = Topics("dudo", "table-3")


@pytest.fixture
def own(tmp_path):
    return authority(tmp_path / "own")


def test_a_club_and_its_tables_meet_at_an_encrypted_broker_with_passwords(tmp_path, own):
    secret, kept = tmp_path / "secret", passwords(tmp_path / "passwords", "box", "right")
    secret.write_text("right\n")
    lines = (*own.listener("IP:127.0.0.1"), "allow_anonymous false", f"password_file {kept}")
    with broker(tmp_path / "broker", *lines) as running:
        there = Mqtt("127.0.0.1", running.port, "box", str(secret), tls=True, ca_file=str(own.certificate))
        box, club = MqttLink(there, TABLE), ClubLink(there)
        try:
            wait_until(lambda: "table-3" in club.club.tables, "the club hears of the table")
            assert club.club.tables["table-3"].online is True
            box.put(Message(TABLE.of("status"), "offline", retained=True))
            wait_until(lambda: club.club.tables["table-3"].online is False, "and of what it says")
        finally:
            box.close()
            club.close()
        named = Mqtt("127.0.0.1", running.port, "box", str(secret), True, str(own.certificate))
        assert list(outside_findings(Settings(mqtt=named))) == [
            ("mqtt", "good", "the broker lets the box in", "")
        ]
        secret.write_text("wrong\n")
        refused = broker_fault(there)
        assert refused.reason == "mqtt_refused"


@pytest.mark.parametrize(
    ("host", "subject", "trusts", "reason", "why"),
    [
        ("127.0.0.1", "IP:127.0.0.1", "own", None, "its name and its authority are right"),
        ("localhost", "DNS:localhost", "own", None, "a name does as well as an address"),
        ("127.0.0.1", "IP:127.0.0.1", "other", "mqtt_certificate", "another authority has not signed it"),
        ("127.0.0.1", "IP:127.0.0.1", "", "mqtt_certificate", "the system knows no authority of ours"),
        ("127.0.0.1", "DNS:broker.club", "own", "mqtt_certificate", "it is another machine's"),
    ],
)
def test_a_certificate_is_checked(tmp_path, own, host, subject, trusts, reason, why):
    authorities = {"own": own, "other": authority(tmp_path / "other", "other")}
    ca_file = str(authorities[trusts].certificate) if trusts else ""
    with broker(tmp_path / "broker", *own.listener(subject)) as running:
        fault = broker_fault(Mqtt(host, running.port, tls=True, ca_file=ca_file))
    assert (fault.reason if fault else None) == reason, why


@pytest.mark.parametrize("broker_is_encrypted", [True, False])
def test_who_encrypts_alone_learns_it(tmp_path, own, monkeypatch, broker_is_encrypted):
    monkeypatch.setattr("companion.outside.connection.ANSWER_S", 0.3)
    lines = own.listener("IP:127.0.0.1") if broker_is_encrypted else ()
    with broker(tmp_path / "broker", *lines) as running:
        tls = not broker_is_encrypted
        ca_file = str(own.certificate) if tls else ""
        fault = broker_fault(Mqtt("127.0.0.1", running.port, tls=tls, ca_file=ca_file))
    assert fault.reason in {"mqtt_away", "mqtt_silent", "mqtt_certificate"}


def test_an_authority_of_ones_own_need_not_say_what_its_key_is_for(own):
    """Python 3.13 refuses such an authority by default: openssl makes it by default."""
    context = trusted(str(own.certificate))
    assert not context.verify_flags & ssl.VERIFY_X509_STRICT
    assert context.check_hostname
    assert context.verify_mode is ssl.CERT_REQUIRED
    assert trusted("").verify_flags == ssl.create_default_context().verify_flags
