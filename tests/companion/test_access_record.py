"""The word of an admission: kept over restarts, renewed whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.errors import StorageError
from companion.table.admission import Admission


def test_the_word_stays_the_same_until_it_is_renewed(tmp_path: Path) -> None:
    kept = tmp_path / "admission"
    admission = Admission(kept)
    word = admission.word
    assert len(word) >= 12
    assert Admission(kept).word == word
    admission.renew()
    assert admission.word != word
    assert Admission(kept).word == admission.word


@pytest.mark.parametrize("content", [b"", b"\xff\xfe\x00"])
def test_a_damaged_word_lets_nobody_back_in(tmp_path: Path, content: bytes) -> None:
    kept = tmp_path / "admission"
    kept.write_bytes(content)
    word = Admission(kept).word
    assert len(word) >= 12
    assert Admission(kept).word == word


def test_a_folder_that_cannot_be_written_changes_nothing(tmp_path: Path) -> None:
    kept = tmp_path / "admission"
    admission = Admission(kept)
    word = admission.word
    (tmp_path / "admission.new").mkdir()
    with pytest.raises(StorageError):
        admission.renew()
    assert admission.word == word


def test_without_a_path_every_run_has_a_word_of_its_own() -> None:
    assert Admission().word != Admission().word
