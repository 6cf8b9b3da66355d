"""A start ends in a page, whatever the files hold that are read at it."""

import errno
import os
import shutil
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from companion.app.companion import PUT_BACK, Companion
from companion.app.reading.reader import Reader
from companion.app.table_parts import PERSONS
from companion.errors import StorageError
from companion.settings import Box, Camera, Settings, Table, Web
from companion.settings_file import PAGE_FILE, load_usable
from companion.storage.disk import Disk
from companion.storage.side_files import SideFile, SideFiles
from companion.table.parsing import parse
from companion.texts import translate
from hardware.buttons import keys
from hardware.calibration import calibration
from tests.simulated import simulated
from tests.whole.at_box import PEOPLE, Phone, say
from tests.whole.conftest import at_work

READER = Reader()
JOURNAL = ("games", "games-mirror")

Damage = Callable[[Path, Random], object]
DAMAGED: dict[str, Damage] = {
    "gone": lambda path, draw: path.unlink(),
    "cut short": lambda path, draw: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2]),
    "empty": lambda path, draw: path.write_bytes(b""),
    "zeroed": lambda path, draw: path.write_bytes(bytes(591)),
    "random bytes": lambda path, draw: path.write_bytes(draw.randbytes(2000)),
    "one byte changed": lambda path, draw: path.write_bytes(changed(path.read_bytes(), draw)),
    "another type": lambda path, draw: path.write_bytes(draw.choice((b"[]", b"{}", b"3", b"null", b'"x"'))),
    "a mark before it": lambda path, draw: path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes()),
    "a folder in its place": lambda path, draw: (path.unlink(), path.mkdir()),
}


UNREADABLE_SETTINGS = set(DAMAGED) - {"empty", "a mark before it"}


def changed(content: bytes, draw: Random) -> bytes:
    at = draw.randrange(len(content)) if content else 0
    return content[:at] + draw.randbytes(1) + content[at + 1 :]


@pytest.fixture(scope="module")
def evening(tmp_path_factory):
    """The folder of a box at which a game was left, with every file that a start reads."""
    folder = tmp_path_factory.mktemp("evening") / "data"
    SideFile(folder / keys.FILE).write(keys.written({keys.Key("Presenter", "KEY_A"): "ok"}))
    found = calibration.Calibration("simulated table")
    SideFile(folder / calibration.FILE).write(calibration.written(found))
    (folder / "taught.json").write_text('{"model": "another", "showings": []}')
    (folder / "real_dice").touch()
    with at_work(folder, "simulated", https=True, picture_reader=READER) as companion:
        say(companion, "new_game", players=PEOPLE, starter="Ana")
        companion.store._evidence.keep("x", b"jpeg")
        companion.kept.archive.sum_one()
    (folder / "companion.toml").write_text('[table]\nlanguage = "es"\n')
    (folder / PAGE_FILE).write_text('[table]\nlanguage = "de"\n')
    (folder / PERSONS).write_text('[["Anna", "Ana"]]')
    (folder / "groups.json").write_text("[]")
    (folder / PUT_BACK).write_text("0.2.0")
    return folder


def read(folder: Path) -> Settings:
    """The settings of the folder, at a free port, on simulated hardware."""
    settings = load_usable(folder / "companion.toml", {"DUDO_DATA_FOLDER": str(folder)})
    here = Web(host="127.0.0.1", port=0, https=True)
    return replace(settings, web=here, camera=Camera("simulated"), box=Box("mock"))


def comes_up(folder: Path) -> tuple[str, ...]:
    """The reasons of all that the page says does not work."""
    with Companion(read(folder), reader=READER) as box:
        assert box.link.startswith("https://localhost")
        return tuple(fault.reason for _, fault in box.table.snapshot().faults)


def test_every_file_that_a_start_reads_is_among_those_that_are_damaged(evening, tmp_path, monkeypatch):
    shutil.copytree(evening, tmp_path / "data")
    asked, named = set[str](), SideFiles.file

    def noted(files: SideFiles, name: str) -> SideFile:
        asked.add(name)
        return named(files, name)

    monkeypatch.setattr(SideFiles, "file", noted)
    assert "put_back" in comes_up(tmp_path / "data"), "all of them can be used"
    assert asked <= {path.name for path in evening.iterdir()}


@pytest.mark.slow
@pytest.mark.parametrize("how", DAMAGED)
def test_any_file_that_is_damaged_costs_no_more_than_itself(evening, tmp_path, how):
    folder = tmp_path / "data"
    for path in sorted(path for path in evening.iterdir() if path.is_file()):
        shutil.copytree(evening, folder)
        DAMAGED[how](folder / path.name, Random(path.name + how))
        comes_up(folder)
        shutil.rmtree(folder)


@pytest.mark.parametrize("how", DAMAGED)
def test_all_of_them_at_once_are_set_aside_and_said(evening, tmp_path, how):
    folder = tmp_path / "data"
    shutil.copytree(evening, folder)
    for path in [path for path in folder.iterdir() if path.is_file()]:
        DAMAGED[how](path, Random(path.name))
    found = comes_up(folder)
    aside = {path.name for path in folder.glob("*.damaged")}
    assert ("set_aside" in found) == bool(aside)
    assert ("settings_set_aside" in found) == (how in UNREADABLE_SETTINGS)


@pytest.mark.parametrize("how", DAMAGED)
def test_the_journal_may_be_damaged_in_both_its_folders(evening, tmp_path, how):
    folder = tmp_path / "data"
    shutil.copytree(evening, folder)
    for path in [path for name in JOURNAL for path in (folder / name).iterdir()]:
        DAMAGED[how](path, Random(path.name))
    comes_up(folder)


@pytest.mark.parametrize(
    ("number", "reason"),
    [
        (errno.ENOSPC, "journal_full"),
        (errno.EROFS, "journal_read_only"),
        (errno.EACCES, "folder_forbidden"),
        (errno.EIO, "journal_unwritable"),
    ],
    ids=["a full card", "a card that is read-only", "another's folder", "a card that fails"],
)
def test_a_journal_that_cannot_be_written_is_shown_and_taken_up_once_it_can_be(
    evening, tmp_path, monkeypatch, number, reason
):
    folder = tmp_path / "data"
    shutil.copytree(evening, folder)
    (folder / "secret").unlink()

    def refuse(*args: object, **more: object) -> int:
        raise OSError(number, os.strerror(number))

    bid = parse({"type": "bid", "by": "Ana", "quantity": 3, "face": 4})
    with monkeypatch.context() as broken:
        for name in ("open", "write", "rename"):
            broken.setattr(Disk, name, refuse)
        broken.setattr("companion.storage.side_files.os.open", refuse)
        box = Companion(read(folder), reader=READER)
        assert box.table.snapshot().state.game is not None, "what was played is there to be read"
        assert (box.kept.journal.trouble() or StorageError("none")).reason == reason
        with pytest.raises(StorageError):
            box.table.do(bid)
    with box:
        assert box.kept.journal.trouble() is None
        after = box.table.do(bid)
    with Companion(read(folder), reader=READER) as again:
        assert again.table.snapshot().state == after.state
        assert again.table.snapshot().version > after.version, "phones take no version below one they saw"


def test_a_folder_that_cannot_be_made_ends_no_start(tmp_path):
    (tmp_path / "file").touch()
    with Companion(read(tmp_path / "file" / "data"), reader=READER) as box:
        assert box.kept.journal.trouble() is not None
        assert box.parts.lights is not None


def test_settings_that_fit_no_machine_are_at_their_defaults(tmp_path):
    file = tmp_path / "companion.toml"
    lines = ("[web]", 'host = "203.0.113.7"', "[camera]", 'use = "periscope"', "[pins]", "ring = 99", "x = 1")
    file.write_text("\n".join(lines))
    settings = load_usable(file, {"DUDO_DATA_FOLDER": str(tmp_path / "data"), "DUDO_WEB_PORT": "1"})
    with Companion(replace(settings, web=replace(settings.web, port=0)), reader=READER) as box:
        said = "; ".join(box.settings.faults)
        assert box.parts.simulated, "nobody knows what is on the pins"
    assert [word for word in ("[web]", "periscope", "[pins]") if word not in said] == []


def test_rules_and_language_of_the_settings_are_those_that_the_page_offers(tmp_path):
    settings = simulated(tmp_path / "data", table=Table(preset="perudo", language="es"))
    with Companion(settings, reader=READER) as box:
        threading.Thread(target=box.serve).start()
        page = Phone(box, "127.0.0.1", language="ja").get("/setup").text
    assert 'value="perudo" checked' in page
    assert translate("es", "web.setup.title") in page
