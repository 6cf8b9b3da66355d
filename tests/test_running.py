"""How the tests are run: in which order by several workers, with files in memory where that has room."""

import os
import tempfile
from types import SimpleNamespace

import pytest

from tests import scratch
from tests.scratch import ROOM_BYTES, has_room, use_memory
from tests.spreading import spread


def runs(order: list[str], workers: int) -> list[str]:
    """What each worker is given first, as pytest-xdist splits the tests."""
    found, left = [], order
    for number in range(workers):
        size = len(left) // (workers - number)
        found.append(" ".join(left[:size]))
        left = left[size:]
    return found


@pytest.mark.parametrize(
    ("tests", "workers", "given", "why"),
    [
        ("a1 b1 c1 d1", 2, ["a1 b1", "c1 d1"], "none is slow"),
        ("a1 A1 b1 B1", 2, ["B1 a1", "A1 b1"], "slow ones first, a file for each"),
        ("A1 A2 A3 b1 b2 b3", 2, ["A1 A2 A3", "b1 b2 b3"], "slow ones of a file stay together"),
        ("A1 B1 C1 a1 a2 a3 a4", 3, ["C1 a1", "B1 a2", "A1 a3 a4"], "what does not divide"),
        ("A1 A2 A3 A4 b1", 2, ["A1 A2", "A3 A4 b1"], "more slow ones than a run is long"),
        ("A1 A2 B1 C1 a1", 2, ["C1 A1", "A2 B1 a1"], "the last files, where the longest tests are, first"),
        ("", 2, ["", ""], "nothing"),
    ],
)
def test_every_run_begins_with_its_slow_tests(tests, workers, given, why):
    order = spread(tests.split(), workers, str.isupper, lambda test: test[0].upper())
    assert sorted(order) == sorted(tests.split()), why
    assert runs(order, workers) == given, why


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
