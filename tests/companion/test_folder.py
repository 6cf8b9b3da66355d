"""The data folder: its lock, its secret, and that nobody else can read it."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.__main__ import main
from companion.errors import FolderBusy
from companion.reveal.evidence import Evidence
from companion.side_files import SideFile
from companion.storage.journal import Journal
from companion.table.folder import DataFolder, secret


@pytest.fixture(params=[0o000, 0o022, 0o077], ids=oct)
def umask(request: pytest.FixtureRequest) -> Iterator[int]:
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


def modes(folder: Path) -> dict[str, int]:
    return {
        path.name: stat.S_IMODE(path.stat().st_mode)
        for path in (folder, *folder.rglob("*"))
        if path == folder or path.is_file()
    }


def test_whatever_is_kept_is_its_owners_alone(tmp_path: Path, umask: int) -> None:
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


def test_files_of_older_versions_are_tightened(tmp_path: Path) -> None:
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


def test_pictures_asked_for_by_the_command_line_are_the_persons(tmp_path: Path, umask: int) -> None:
    data, out = tmp_path / "data", tmp_path / "out"
    assert main(["read", "--data", str(data), "--examples", str(out)]) == 0
    assert not data.exists(), "what only reads makes nothing"
    assert modes(out)["labels.json"] == 0o666 & ~umask, "what was asked for is the person's"


def test_the_secret_stays_the_same(tmp_path: Path) -> None:
    with DataFolder(tmp_path) as folder:
        first = secret(SideFile(folder.path / "secret"))
    with DataFolder(tmp_path) as folder:
        assert secret(SideFile(folder.path / "secret")) == first
    assert re.fullmatch("[0-9a-f]{64}", first)


def test_one_companion_at_a_time(tmp_path: Path) -> None:
    with DataFolder(tmp_path):
        with pytest.raises(FolderBusy) as refused:
            DataFolder(tmp_path)
        assert refused.value.values["holder"] == str(os.getpid())
    DataFolder(tmp_path).close()
