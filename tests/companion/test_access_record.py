"""The access token: kept over restarts, renewed whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.errors import StorageError
from companion.side_files import SideFile
from companion.table.folder import AccessRecord


def test_the_word_stays_the_same_until_it_is_renewed(tmp_path: Path) -> None:
    kept = tmp_path / "admission"
    access = AccessRecord(SideFile(kept))
    token = access.token
    assert len(token) >= 12
    assert AccessRecord(SideFile(kept)).token == token
    access.renew()
    assert access.token != token
    assert AccessRecord(SideFile(kept)).token == access.token


def test_a_folder_that_cannot_be_written_changes_nothing(tmp_path: Path) -> None:
    kept = tmp_path / "admission"
    access = AccessRecord(SideFile(kept))
    token = access.token
    (tmp_path / "admission.new").mkdir()
    with pytest.raises(StorageError):
        access.renew()
    assert access.token == token


def test_without_a_path_every_run_has_a_word_of_its_own() -> None:
    assert AccessRecord().token != AccessRecord().token
