"""The data folder: its lock, its secret, its room on the card, and that nobody else can read it."""

import os
import re
import stat
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest

from companion.__main__ import main
from companion.errors import FolderBusy, StorageError
from companion.reveal.evidence import FILE, Evidence, Example, Label
from companion.storage.journal import Journal
from companion.storage.side_files import SideFile
from companion.table import folder
from companion.table.folder import (
    BYTES,
    NEXT_TO_NOTHING_BYTES,
    SPARE_BYTES,
    AccessRecord,
    DataFolder,
    Reserve,
    is_busy,
    secret,
)
from companion.upkeep import Room


@pytest.fixture(params=[0o000, 0o022, 0o077], ids=oct)
def umask(request):
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


def modes(folder: Path) -> dict[str, int]:
    return {
        path.name: stat.S_IMODE(path.stat().st_mode)
        for path in (folder, *folder.rglob("*"))
        if path == folder or path.is_file()
    }


def test_whatever_is_kept_is_its_owners_alone(tmp_path, umask):
    path = tmp_path / "data"
    with DataFolder(path) as folder, closing(Journal(path / "games")) as journal:
        secret(SideFile(folder.path / "secret"))
        game = journal.create({"event": "none"})
        with closing(Evidence(SideFile(path / "evidence.sqlite"))) as evidence:
            evidence.forget_examples()
            (path / "calibration.json").write_text("{}")
            found = modes(path)
    assert found.pop("data") == 0o700
    assert {f"{game}.jsonl", "list-3.jsonl", "secret", "lock"} <= found.keys()
    assert set(found.values()) == {0o600}
    assert modes_of_a_new_file(tmp_path) == 0o666 & ~umask, "while other files are as the person has it"


def modes_of_a_new_file(folder: Path) -> int:
    (folder / "other").touch()
    return modes(folder)["other"]


def test_files_of_older_versions_are_tightened(tmp_path):
    for name in ("games.sqlite", "games.sqlite-wal", "secret", "photo.jpg"):
        (tmp_path / name).touch(0o644)
        (tmp_path / name).chmod(0o644)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "file").touch(0o644)
    (tmp_path / "link").symlink_to("elsewhere/file")
    with DataFolder(tmp_path):
        found = modes(tmp_path)
    assert {found[name] for name in ("games.sqlite", "games.sqlite-wal", "secret", "photo.jpg")} == {0o600}
    assert found["file"] == 0o644, "a link leads to what is not ours"


def test_pictures_asked_for_by_the_command_line_are_the_persons(tmp_path, umask):
    data, out = tmp_path / "data", tmp_path / "out"
    assert main(["read", "--data", str(data), "--examples", str(out)]) == 0
    assert not data.exists(), "what only reads makes nothing"
    assert modes(out)["labels.json"] == 0o666 & ~umask, "what was asked for is the person's"


def test_the_secret_stays_the_same(tmp_path):
    with DataFolder(tmp_path) as folder:
        first = secret(SideFile(folder.path / "secret"))
    with DataFolder(tmp_path) as folder:
        assert secret(SideFile(folder.path / "secret")) == first
    assert re.fullmatch("[0-9a-f]{64}", first)


def test_one_companion_at_a_time(tmp_path):
    assert not is_busy(tmp_path), "nobody has ever used it"
    with DataFolder(tmp_path):
        assert is_busy(tmp_path)
        with pytest.raises(FolderBusy) as refused:
            DataFolder(tmp_path)
        assert refused.value.values["holder"] == str(os.getpid())
    assert not is_busy(tmp_path)
    DataFolder(tmp_path).close()


@pytest.mark.parametrize(("we", "owner", "become"), [(0, 1000, 1000), (0, 0, None), (1000, 1000, None)])
def test_root_works_as_the_owner_of_the_folder(monkeypatch, we, owner, become):
    done = dict[str, object]()
    for name in ("initgroups", "setegid", "seteuid"):
        monkeypatch.setattr(os, name, lambda *given, name=name: done.update({name: given[-1]}))
    monkeypatch.setattr(os, "geteuid", lambda: we)
    monkeypatch.setattr(folder.pwd, "getpwuid", lambda user: SimpleNamespace(pw_name=f"user {user}"))
    path = SimpleNamespace(exists=lambda: True, stat=lambda: SimpleNamespace(st_uid=owner, st_gid=owner))
    folder._work_as_owner(path)
    assert done.get("seteuid") == become


def test_the_word_stays_the_same_until_it_is_renewed_and_written(tmp_path):
    kept = tmp_path / "admission"
    access = AccessRecord(SideFile(kept))
    token = access.token
    assert len(token) >= 12
    assert AccessRecord(SideFile(kept)).token == token
    fresh = access.following()
    access.lead("a phone")  # meanwhile
    assert access.token == token
    access.renew(fresh)
    assert access.token == AccessRecord(SideFile(kept)).token == fresh != token
    (tmp_path / "admission.new").mkdir()
    with pytest.raises(StorageError):
        access.following()
    assert access.token == fresh


@pytest.fixture
def disk(monkeypatch):
    """Sets how much is free."""

    def set_free(free: int) -> None:
        monkeypatch.setattr(folder.shutil, "disk_usage", lambda path: SimpleNamespace(free=free))

    return set_free


@pytest.fixture(autouse=True)
def real_size(monkeypatch):
    """As much as at play, not the little that other tests set aside."""
    monkeypatch.setattr(folder, "BYTES", BYTES)


def test_room_is_really_taken_and_really_given_up(tmp_path, disk):
    disk(BYTES + SPARE_BYTES + 1)
    kept = Reserve(tmp_path / "reserve")
    kept.keep()
    kept.keep()
    taken = (tmp_path / "reserve").stat()
    assert taken.st_size == BYTES
    assert taken.st_blocks * 512 >= BYTES, "a file with holes holds no room"
    assert [kept.give_up(), kept.give_up()] == [True, False]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("free", [0, BYTES, BYTES + SPARE_BYTES])
def test_nothing_is_taken_from_a_disk_with_little_room(tmp_path, disk, free):
    disk(free)
    Reserve(tmp_path / "reserve").keep()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("free", "left"), [(0, False), (NEXT_TO_NOTHING_BYTES - 1, False), (NEXT_TO_NOTHING_BYTES, True)]
)
def test_a_start_on_a_full_disk_gets_the_room(tmp_path, disk, free, left):
    path = tmp_path / "reserve"
    path.touch()
    disk(free)
    Reserve(path).ease_start()
    assert path.exists() == left


def test_a_folder_that_is_not_there_yet_is_no_trouble(tmp_path):
    nowhere = Reserve(tmp_path / "new" / "reserve")
    nowhere.keep()
    nowhere.ease_start()
    assert not nowhere.give_up()


JPEG = bytes(400_000)


def test_old_pictures_and_damaged_files_go_and_the_rest_stays(tmp_path):
    evidence = Evidence(SideFile(tmp_path / FILE))
    old = [evidence.keep("before", JPEG, b"clean") for _ in range(25)]
    now = evidence.keep("now", JPEG)
    evidence.keep_examples([Example(old[0], (Label(0.5, 0.5, 0.1, 3, ""),))])
    (tmp_path / "taught.json.damaged").write_bytes(bytes(3_000_000))
    (tmp_path / "taught.json").write_text("{}")
    room = Room(tmp_path, evidence, Reserve(tmp_path / "reserve"), lambda: "now")
    assert room.spare_mb() == 14
    room.make()
    assert room.spare_mb() == 0
    assert [evidence.picture(name) for name in (old[0], now)] == [None, JPEG]
    assert len(evidence.examples()) == 1
    assert {path.name for path in tmp_path.iterdir()} >= {"taught.json", "reserve"}
    assert not (tmp_path / "taught.json.damaged").exists()
    assert (tmp_path / FILE).stat().st_size < 1_000_000, "the file itself has become smaller"
    evidence.close()
