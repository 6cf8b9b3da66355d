"""Files that the box may go without: read, replaced whole, and set aside with their reason."""

import json
import os
import sqlite3

import pytest

from companion.errors import StorageError
from companion.storage.database import SideDatabase
from companion.storage.side_files import ASIDE, SideFile, SideFiles

UNIX = pytest.mark.linux(reason="other systems have other words for it, or no such file")


def test_what_is_written_comes_back_and_nothing_else_is_left(tmp_path):
    file = SideFile(tmp_path / "new" / "x.json")
    assert file.read(json.loads, "none yet") == "none yet"
    for value in ({"a": 1}, ["é"]):
        file.write(json.dumps(value).encode())
        assert file.read(json.loads, None) == value
    assert [one.name for one in file.path.parent.iterdir()] == ["x.json"]
    assert file.path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("damage", "cause"),
    [
        (lambda path: path.write_bytes(b""), "Expecting value: line 1 column 1 (char 0)"),
        (lambda path: path.write_bytes(b"\0" * 591), "'utf-32-be' codec can't decode bytes"),
        (lambda path: path.write_bytes(b"[" * 100_000), "maximum recursion depth exceeded"),
        pytest.param(lambda path: path.mkdir(), "Is a directory", marks=UNIX),
        pytest.param(lambda path: os.mkfifo(path), "it is no file", marks=UNIX),
        pytest.param(lambda path: path.symlink_to(path), "Too many levels of symbolic links", marks=UNIX),
    ],
    ids=[
        "empty",
        "zeroed",
        "brackets without end",
        "a folder",
        "a pipe that never ends",
        "a circle of links",
    ],
)
def test_what_cannot_be_read_is_set_aside_with_its_reason(tmp_path, damage, cause):
    files = SideFiles(tmp_path)
    file = files.file("x.json")
    damage(file.path)
    assert file.read(json.loads, "default") == "default"
    assert {name: why[: len(cause)] for name, why in files.aside.items()} == {"x.json": cause}
    assert (tmp_path / f"x.json{ASIDE}").is_symlink() or (tmp_path / f"x.json{ASIDE}").exists()
    file.write(b"3")
    assert file.read(json.loads, None) == 3


def test_one_that_cannot_be_moved_stays_and_is_said(tmp_path):
    files = SideFiles(tmp_path)
    (tmp_path / "x").write_bytes(b"?")
    (tmp_path / f"x{ASIDE}").mkdir()
    assert files.file("x").read(json.loads, None) is None
    assert files.aside.keys() == {"x"}


def test_what_cannot_be_written_leaves_the_old_one(tmp_path):
    file = SideFile(tmp_path / "x")
    file.write(b"old")
    (tmp_path / "x.new").mkdir()
    with pytest.raises(StorageError) as refused:
        file.write(b"new")
    assert (refused.value.reason, file.path.read_bytes()) == ("data_unwritable", b"old")


@pytest.mark.linux(reason="a folder is synced")
def test_bytes_are_on_the_disk_before_the_name(tmp_path, monkeypatch):
    calls: list[str] = []
    rename = os.replace
    for name in ("fdatasync", "fsync"):
        sync = getattr(os, name)
        monkeypatch.setattr(os, name, lambda number, sync=sync: (calls.append("sync"), sync(number))[1])
    monkeypatch.setattr(os, "replace", lambda old, new: (calls.append("replace"), rename(old, new))[1])
    SideFile(tmp_path / "x").write(b"1")
    assert calls == ["sync", "replace", "sync"], "its bytes, its name, and the folder that has the name"


def test_a_wrong_question_costs_no_database(tmp_path):
    files = SideFiles(tmp_path)
    database = SideDatabase(files.file("x.sqlite"), "CREATE TABLE a (b);")
    database.change(lambda db: db.execute("INSERT INTO a VALUES (1)"))
    with pytest.raises(sqlite3.OperationalError):
        database.change(lambda db: db.execute("SELECT * FROM nowhere"))
    assert (files.aside, database.read(lambda db: db.execute("SELECT b FROM a").fetchone(), None)) == (
        {},
        (1,),
    )
    database.close()
