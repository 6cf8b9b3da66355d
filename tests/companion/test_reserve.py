"""Room set aside on the disk: taken only where there is plenty, and given up when it is needed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from companion.table import folder
from companion.table.folder import BYTES, NEXT_TO_NOTHING_BYTES, SPARE_BYTES, Reserve

Disk = Callable[[int], None]


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    """Sets how much is free."""

    def set_free(free: int) -> None:
        monkeypatch.setattr(folder.shutil, "disk_usage", lambda path: SimpleNamespace(free=free))

    return set_free


@pytest.fixture(autouse=True)
def real_size(monkeypatch: pytest.MonkeyPatch) -> None:
    """As much as at play, not the little that other tests set aside."""
    monkeypatch.setattr(folder, "BYTES", BYTES)


def test_room_is_really_taken_and_really_given_up(tmp_path: Path, disk: Disk) -> None:
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
def test_nothing_is_taken_from_a_disk_with_little_room(tmp_path: Path, disk: Disk, free: int) -> None:
    disk(free)
    Reserve(tmp_path / "reserve").keep()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("free", "left"), [(0, False), (NEXT_TO_NOTHING_BYTES - 1, False), (NEXT_TO_NOTHING_BYTES, True)]
)
def test_a_start_on_a_full_disk_gets_the_room(tmp_path: Path, disk: Disk, free: int, left: bool) -> None:
    path = tmp_path / "reserve"
    path.touch()
    disk(free)
    Reserve(path).ease_start()
    assert path.exists() == left


def test_a_folder_that_is_not_there_yet_is_no_trouble(tmp_path: Path) -> None:
    nowhere = Reserve(tmp_path / "new" / "reserve")
    nowhere.keep()
    nowhere.ease_start()
    assert not nowhere.give_up()
