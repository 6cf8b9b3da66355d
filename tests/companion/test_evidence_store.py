"""The pictures behind a verdict are kept after it, and whoever asks for one meanwhile waits for it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.app.reading.evidence_store import EvidenceStore
from companion.app.reading.reader_process import Jpegs
from companion.errors import CompanionError
from companion.reveal.evidence import Evidence
from companion.side_files import SideFile
from companion.storage.journal import Journal
from companion.table.table import Table

DRAWN = Jpegs(b"marked", b"plain")


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[EvidenceStore]:
    monkeypatch.setattr("companion.app.reading.evidence_store.no_room", lambda _: None)
    journal, evidence = Journal(tmp_path / "games"), Evidence(SideFile(tmp_path / "evidence.sqlite"))
    yield EvidenceStore(Table(journal), evidence, tmp_path, keep_examples=False)
    evidence.close()
    journal.close()


def test_a_picture_is_there_for_whoever_asked_before_it_was_drawn(store: EvidenceStore) -> None:
    name, begun, go_on = store.expect(), threading.Event(), threading.Event()
    found: list[bytes | None] = []

    def draw() -> Jpegs:
        begun.set()
        assert go_on.wait(20)
        return DRAWN

    keeping = threading.Thread(target=lambda: store.keep(name, draw))
    asking = threading.Thread(target=lambda: found.append(store.picture(name)))
    keeping.start()
    assert begun.wait(20)
    asking.start()
    go_on.set()
    for thread in (keeping, asking):
        thread.join(20)
    assert found == [b"marked"]
    assert store.picture(f"{name}-plain") == b"plain"


def test_a_picture_that_cannot_be_drawn_costs_the_picture_alone(store: EvidenceStore) -> None:
    name = store.expect()

    def fail() -> Jpegs:
        raise CompanionError("reading_failed")

    store.keep(name, fail)
    assert store.picture(name) is None


def test_no_picture_is_expected_on_a_full_disk(store: EvidenceStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.app.reading.evidence_store.no_room", lambda _: True)
    assert store.expect() == ""
    store.keep("", lambda: DRAWN)
    assert store.picture("") is None


@pytest.mark.parametrize(
    ("why", "sizes", "kept"),
    [
        ("all of them fit", (1, 1, 1), (0, 1, 2)),
        ("older ones make room", (2, 2, 2), (1, 2)),
        ("one is kept in any case", (1, 9), (1,)),
        ("a large one takes the room of older ones", (1, 3, 3, 1), (2, 3)),
    ],
)
def test_the_newest_pictures_stay_in_memory_within_their_room(
    why: str,
    sizes: tuple[int, ...],
    kept: tuple[int, ...],
    store: EvidenceStore,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("companion.app.reading.evidence_store.PLAIN_BYTES", 4)
    for number, size in enumerate(sizes):
        store.show(str(number), bytes(size))
    assert tuple(n for n in range(len(sizes)) if store.picture(str(n)) is not None) == kept, why
