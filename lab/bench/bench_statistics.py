"""How long the statistics of hundreds of games take: the first time, and when their sums are remembered."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from companion.statistics.archive import Archive
from companion.statistics.evenings import careers, evenings, faces_of
from companion.statistics.exporting import FORMS, whole
from companion.statistics.fairness import fairness, of_all
from companion.storage.journal import Journal
from companion.storage.side_files import SideFile
from lab.bench.many_games import fill

GAMES = 300


def seconds(began: float) -> str:
    return f"{(time.process_time() - began) * 1e3:.0f} ms"


def rows() -> Iterator[tuple[str, str, str]]:
    """The figures for `make bench`."""
    with tempfile.TemporaryDirectory() as folder:
        journal = Journal(Path(folder) / "games")
        fill(journal, GAMES)
        yield from measured(journal, Path(folder) / "sums.sqlite")
        journal.close()


def measured(journal: Journal, sums: Path) -> Iterator[tuple[str, str, str]]:
    many = f"{GAMES} games"
    archive, began = Archive(journal, SideFile(sums)), time.process_time()
    archive.overview()
    first_s = time.process_time() - began
    yield "sums of all games, the first time", seconds(began), many
    archive.close()
    began = time.process_time()
    archive = Archive(journal, SideFile(sums))
    games = archive.overview().games
    yield "sums of all games after a restart", seconds(began), many
    yield "the first time to a restart", f"{first_s / (time.process_time() - began):.0f}", "ratio"
    began = time.process_time()
    archive.overview()
    careers(games), evenings(games), fairness(of_all(faces_of(games)))
    yield "players, evenings and dice for one page", seconds(began), many
    for form, text in FORMS.items():
        began = time.process_time()
        size = sum(len(piece.encode()) for piece in archive.exported(form))
        remembered_s = time.process_time() - began
        yield f"all games as {form}", seconds(began), f"{size / 1e6:.1f} MB"
        began = time.process_time()
        anew = sum(
            len(piece.encode()) for piece in whole(form, map(text, map(archive.record, archive.ids())))
        )
        unit = "ratio" if anew == size else "not the same file"
        yield f"{form} from all games anew", f"{(time.process_time() - began) / remembered_s:.0f}", unit
    archive.close()
