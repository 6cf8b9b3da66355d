"""No secret leaves: the report for somebody who helps has none, and a game that goes on no hidden die."""

import json
import logging
import stat
import zipfile
from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest

from companion.app import machine
from companion.app.machine import pack_report
from companion.app.system.log import logged, masked
from companion.settings import Data, Mqtt, Settings, Web, Webhook
from companion.storage.journal import Journal
from companion.storage.side_files import SideFile
from companion.table import commands as cmd
from companion.table.folder import FILE as ACCESS
from companion.table.folder import AccessRecord
from companion.table.kept_game import replay
from companion.table.resuming import without_secrets
from companion.table.table import Table
from tests.companion.at_table import begin

QUOTED = "ca\"sa \\ wi'fi \u00fc"
BROKER, SIGNING, USER = "broker:pass=word", "sign ing; key", "box-of-the-club"
HOOK = "https://who:hunter2@hooks.example/T0/path-secret?key=query-secret"

LOG = (
    f"connecting to {HOOK} failed",
    "mqtts://table:url-secret@broker.example:8883 refused",
    "GET / HTTP/1.1 Authorization: Bearer header-secret second-part",
    "Cookie: a=cookie-secret; b=cookie-rest",
    "headers {'Cookie': 'session=dict-secret; x', 'X-Api-Key': 'key-secret'}",
    '{"Set-Cookie": "phone=json-secret; Path=/", "X-Dudo-Signature": "sha256=signature-secret"}',
    "password: open sesame-secret",
    '{"host_token": "token-secret", "bid": "5x3"} wifi_psk=bare-secret;',
    'wifi_psk = "escaped \\" quote-secret"',
    'text {\\"token\\": \\"nested-secret\\"}',
    "-----BEGIN PRIVATE KEY----- pem-secret -----END PRIVATE KEY-----",
    f"the broker refused {USER} with {BROKER}",
    f"wanted {json.dumps(QUOTED)} but {QUOTED!r}",
)
PLANTED = (
    *("hunter2", "path-secret", "query-secret", "url-secret", "header-secret", "second-part"),
    *("cookie-secret", "cookie-rest", "dict-secret", "key-secret", "json-secret", "signature-secret"),
    *(
        "sesame-secret",
        "token-secret",
        "bare-secret",
        "quote-secret",
        "nested-secret",
        "pem-secret",
        "lines-secret",
        "comment-secret",
    ),
    *(BROKER, SIGNING, USER, QUOTED, json.dumps(QUOTED)[1:-1], repr(QUOTED)[1:-1]),
    *("192.168.1.17", "dc:a6:32:01:02:03", "maker-name"),
)


@pytest.fixture
def settings(tmp_path):
    for name, line in (("broker", BROKER), ("signing", SIGNING)):
        (tmp_path / name).write_text(f"{line}\n")
    return Settings(
        web=Web(wifi="Casa", wifi_password=QUOTED),
        data=Data(folder=str(tmp_path / "data")),
        mqtt=Mqtt("broker.example", user=USER, password_file=str(tmp_path / "broker")),
        webhook=Webhook(HOOK, str(tmp_path / "signing")),
    )


@pytest.fixture
def folder(settings):
    folder = settings.data_folder
    folder.mkdir()
    lines = "\n".join((*LOG, f"{SIGNING} at 192.168.1.17, dc:a6:32:01:02:03, /home/maker-name/x"))
    (folder / "dudo.log").write_text(lines)
    (folder / "calibration.json").write_text(json.dumps({"note": QUOTED, "token": "comment-secret"}))
    AccessRecord(SideFile(folder / ACCESS)).lead("phone-that-leads")
    with closing(Journal(folder / "games")) as journal:
        played(journal, "Ana Bea")
    return folder


def packed(settings: Settings, findings: str = "") -> dict[str, str]:
    target = settings.data_folder.parent / "report.zip"
    names = pack_report(target, findings, settings)
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    with zipfile.ZipFile(target) as archive:
        return {name: archive.read(name).decode() for name in names}


def test_nothing_planted_is_found_again(settings, folder, monkeypatch):
    text = "\n".join((*LOG, 'password = """two\nlines-secret\n"""', "token = '''three\n\nlines-secret'''"))
    monkeypatch.setattr(machine, "_log", lambda: text)
    found = packed(settings, findings=text)
    secrets = (*PLANTED, *(folder / ACCESS).read_text().split())
    assert [(name, one) for name, said in found.items() for one in secrets if one in said] == []
    assert json.loads(found["settings.json"])["web"]["wifi"] == "Casa", "what is no secret helps"
    assert "broker.example" in found["settings.json"]


def test_no_die_under_a_cup_and_no_seal_is_in_it(settings, folder):
    lines = packed(settings)["games.jsonl"].splitlines()
    bodies: list[dict[str, Any]] = [json.loads(json.loads(line)["body"]) for line in lines]
    assert {body["event"] for body in bodies} >= {"sealed", "thrown", "rolled", "held", "noted"}
    assert "the phone of Ana" not in str(bodies)
    assert [
        body for body in bodies if body.get("faces") or body.get("seal") not in (None, "", "[hidden]")
    ] == []


def test_every_secret_setting_is_left_out(settings, folder):
    bare = replace(settings, mqtt=replace(settings.mqtt, password_file=""), webhook=Webhook(HOOK))
    left = json.loads(packed(bare)["settings.json"])
    assert (left["web"]["wifi_password"], left["mqtt"]["user"], left["webhook"]["url"]) == ("[hidden]",) * 3


@pytest.mark.parametrize("line", LOG[:-2])
def test_the_log_of_the_box_has_none_either(line, tmp_path):

    with logged(tmp_path, verbose=False):
        logging.getLogger("test").warning("%s", line)
    written = (tmp_path / "dudo.log").read_text()
    assert [one for one in PLANTED if one in written] == []


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("one secret: no more", "one secret: [hidden]"),
        ("https://host:8000/", "https://host:8000/"),
        ("bid 5x3 by Ana at 21:07:33", "bid 5x3 by Ana at 21:07:33"),
        ('numpy from /usr/lib, "password_file": "/etc/x"', 'numpy from /usr/lib, "password_file": "/etc/x"'),
    ],
)
def test_words_around_a_secret_stay(text, left):
    assert masked(text) == left


def played(journal: Journal, cups: str) -> Table:
    """A round judged, the second one going on after it was taken back and thrown anew."""
    table = Table(journal, roll=lambda n: (6,) * n)
    table.seat({"Ana": "the phone of Ana"})
    begin(table, "Ana Bea", f"2x3, dudo, {'' if cups else '5, '}next, 2x3, dudo, undo", cups=cups)
    return table


def test_it_is_read_back(journal):
    played(journal, "Ana Bea")
    game_id = journal.take_in(without_secrets(journal.export(journal.current() or "")))
    game = replay([record.body for record in journal.records(game_id)]).state.game
    assert (game.round.number, str(game.round.standing.bid)) == (2, "2x3")


@pytest.mark.parametrize(
    ("why", "cups", "over", "event"),
    [
        ("dice under real cups", "", False, "called"),
        ("the game is over", "Ana Bea", True, "called"),
        ("nobody can read it, or play on with it", "Ana Bea", False, "cried"),
    ],
)
def test_everything_else_leaves_as_it_is(journal, why, cups, over, event):
    table = played(journal, cups)
    if over:
        table.do(cmd.Abandon())
    lines = tuple(line.replace("called", event) for line in journal.export(journal.current() or ""))
    assert without_secrets(lines) == lines, why
