"""Tests keep their files in memory only where that has room and runs programs."""

import os
import tempfile
from types import SimpleNamespace

import pytest

from tests import scratch
from tests.scratch import ROOM_BYTES, has_room, use_memory


@pytest.mark.parametrize(
    ("free", "flags", "has", "why"),
    [
        (ROOM_BYTES, 0, True, "room and programs"),
        (ROOM_BYTES, os.ST_NOSUID | os.ST_NODEV, True, "as Debian mounts it"),
        (ROOM_BYTES, os.ST_NOEXEC, False, "as containers mount it"),
        (64 * 1024**2, 0, False, "as containers make it"),
    ],
)
def test_which_folder_has_room(tmp_path, monkeypatch, free, flags, has, why):
    monkeypatch.setattr(scratch.shutil, "disk_usage", lambda folder: SimpleNamespace(free=free))
    monkeypatch.setattr(scratch.os, "statvfs", lambda folder: SimpleNamespace(f_flag=flags))
    assert has_room(tmp_path) is has, why


@pytest.mark.parametrize(
    ("environment", "free", "there", "used"),
    [
        ({}, ROOM_BYTES, True, True),
        ({"TMPDIR": "/chosen"}, ROOM_BYTES, True, False),
        ({}, ROOM_BYTES, False, False),
        ({}, 0, True, False),
    ],
)
def test_it_is_used_where_nobody_chose_another(tmp_path, monkeypatch, environment, free, there, used):
    monkeypatch.setattr(scratch.os, "environ", environment)
    monkeypatch.setattr(tempfile, "tempdir", "/before")
    monkeypatch.setattr(scratch.shutil, "disk_usage", lambda folder: SimpleNamespace(free=free))
    folder = tmp_path if there else tmp_path / "missing"
    use_memory(folder)
    assert (tempfile.tempdir == str(folder)) is used
    assert (environment.get("TMPDIR") == str(folder)) is used
