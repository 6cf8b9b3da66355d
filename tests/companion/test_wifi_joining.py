"""The wish to join a Wi-Fi: left whole for systemd alone to read, and what came of it."""

from pathlib import Path

import pytest

from companion.errors import BadCommand, PartFault
from companion.upkeep import Joining, WifiJoining
from tests.refusals import refused


def box(folder: Path, tool: str = "sh") -> WifiJoining:
    return WifiJoining({"DUDO_WIFI": str(folder / "wifi"), "DUDO_WIFI_RESULT": str(folder / "result")}, tool)


@pytest.mark.parametrize(
    ("name", "password"), [("Casa", "eight or more"), ("Café 1", ""), ("卓" * 10, "x" * 63)]
)
def test_a_wish_is_left_for_nobody_else(tmp_path, name, password):
    joining = box(tmp_path)
    joining.join("Earlier", "")
    joining.join(name, password)
    assert (tmp_path / "wifi").read_text(encoding="utf-8") == f"{name}\n{password}\n"
    assert (tmp_path / "wifi").stat().st_mode & 0o777 == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["wifi"]
    assert joining.now() == Joining("joining", "")


@pytest.mark.parametrize(
    ("name", "password", "reason"),
    [
        ("", "", "wifi_name"),
        ("x" * 33, "", "wifi_name"),
        ("卓" * 11, "", "wifi_name"),
        ("Ca\nsa", "", "wifi_name"),
        ("Ca\0sa", "", "wifi_name"),
        ("\ud800", "", "wifi_name"),
        ("Casa", "short", "wifi_password"),
        ("Casa", "x" * 64, "wifi_password"),
        ("Casa", "pass\nword", "wifi_password"),
        ("Casa", "contraseña", "wifi_password"),
    ],
)
def test_what_no_network_can_have_is_refused(tmp_path, name, password, reason):
    with refused(reason, BadCommand):
        box(tmp_path).join(name, password)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("written", "outcome"),
    [
        (b"joined\nCasa\n", Joining("joined", "Casa")),
        (b"refused\nCasa <b>\n", Joining("refused", "Casa <b>")),
        (b"not_found\n\xff\n", Joining("not_found", "\ufffd")),
        (b"", None),
        (b"rm -rf\nCasa\n", None),
        (b"\0" * 10_000, None),
    ],
)
def test_what_came_of_it_is_read_with_care(tmp_path, written, outcome):
    (tmp_path / "result").write_bytes(written)
    assert box(tmp_path).now() == outcome


def test_nothing_is_sent_where_nobody_listens(tmp_path):
    for machine in (WifiJoining({}), box(tmp_path, "no-such-tool")):
        assert not machine.can
        assert machine.now() is None
        with pytest.raises(BadCommand):
            machine.join("Casa", "")


def test_a_wish_that_cannot_be_left_is_a_sentence(tmp_path):
    (tmp_path / "run").touch()
    with pytest.raises(PartFault, match="File exists"):
        box(tmp_path / "run").join("Casa", "")
