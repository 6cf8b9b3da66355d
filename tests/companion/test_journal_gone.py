"""A journal that is deleted or replaced under the running box: nothing more is acknowledged."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from companion.errors import StorageError
from companion.table.opening import open_journal
from tests.soak.data_folder import NAME


def deleted(path: Path) -> None:
    for file in path.parent.iterdir():
        file.unlink()
    path.parent.rmdir()


def emptied(path: Path) -> None:
    for file in path.parent.iterdir():
        file.unlink()


def replaced(path: Path) -> None:
    copy = path.with_name("other")
    copy.write_bytes(path.read_bytes())
    copy.replace(path)


def log_deleted(path: Path) -> None:
    path.with_name(f"{path.name}-wal").unlink()


@pytest.mark.parametrize("lose", [deleted, emptied, replaced, log_deleted])
def test_nothing_is_acknowledged_that_goes_into_a_lost_file(
    tmp_path: Path, lose: Callable[[Path], None]
) -> None:
    path = tmp_path / "x" / NAME
    with closing(open_journal(path)) as journal:
        game = journal.create({"n": 1})
        assert journal.trouble() is None
        lose(path)
        for act in (
            lambda: journal.append(game, 2, {"n": 2}),
            lambda: journal.create({"n": 1}),
            journal.put_away,
        ):
            with pytest.raises(StorageError) as caught:
                act()
            assert caught.value.reason == "journal_gone"
        assert journal.trouble() is not None
