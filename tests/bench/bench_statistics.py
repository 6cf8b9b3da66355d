"""How long the statistics of hundreds of games take: the first time, and when their sums are remembered."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

from companion.demo.bots import choose
from companion.reveal.observations import Observation, SeenDie
from companion.rules.game import Game, Phase, playing
from companion.rules.ruleset import PRESETS
from companion.statistics.archive import Archive
from companion.statistics.evenings import careers, evenings, faces_of
from companion.statistics.exporting import csv_pieces, json_pieces
from companion.statistics.fairness import fairness, of_all
from companion.table import commands as cmd
from companion.table.journal import Journal
from companion.table.table import Table

GAMES, COPIES = 3, 100
PEOPLE = (("Ana", "red"), ("Bea", "blue"), ("Carlos", "green"), ("Dora", "yellow"))


def observation(game: Game, hands: dict[str, tuple[int, ...]]) -> Observation:
    """All dice in rows, each read for certain."""
    colours = {player.name: player.colour for player in game.players}
    lying = [(face, colours[name]) for name, hand in hands.items() for face in hand]
    dice = [
        SeenDie(face, 0.05 + 0.15 * (n % 6), 0.1 + 0.18 * (n // 6), 0.06, 0.99, True, colour, (), (), 0.0)
        for n, (face, colour) in enumerate(lying)
    ]
    return Observation(1280, 960, tuple(dice), True, (), "shot")


def play(table: Table, random: Random) -> None:
    """One whole game between bots, every reveal read in one look."""
    table.do(cmd.NewGame(PRESETS["modern"], PEOPLE, starter="Ana"))
    while (game := table.snapshot().state.game) and game.phase is not Phase.OVER:
        hands = {p.name: tuple(random.choices((1, 2, 3, 4, 5, 6), k=p.dice)) for p in playing(game.players)}
        while (game := table.snapshot().state.game) and game.phase is Phase.BIDDING:
            table.do(cmd.Say(choose(game, hands[game.round.turn], random)))
        assert game is not None
        table.do(cmd.AddObservation(observation(game, hands), "all"))
        if (game := table.snapshot().state.game) and game.phase is Phase.VERDICT:
            table.do(cmd.NextRound())
    table.do(cmd.PutAway())


def seconds(began: float) -> str:
    return f"{(time.process_time() - began) * 1e3:.0f} ms"


def rows() -> Iterator[tuple[str, str, str]]:
    """The figures for `make bench`."""
    with tempfile.TemporaryDirectory() as folder:
        journal = Journal(Path(folder) / "games.sqlite")
        table, random = Table(journal, frames=1), Random(3)
        for _ in range(GAMES):
            play(table, random)
        for info in journal.games():
            lines = list(journal.export(info.id))
            for _ in range(COPIES - 1):
                journal.take_in(lines)
        yield from measured(journal, Path(folder) / "sums.sqlite")
        journal.close()


def measured(journal: Journal, sums: Path) -> Iterator[tuple[str, str, str]]:
    many = f"{GAMES * COPIES} games"
    archive, began = Archive(journal, sums), time.process_time()
    archive.overview()
    first_s = time.process_time() - began
    yield "sums of all games, the first time", seconds(began), many
    archive.close()
    began = time.process_time()
    archive = Archive(journal, sums)
    games = archive.overview().games
    yield "sums of all games after a restart", seconds(began), many
    yield "the first time to a restart", f"{first_s / (time.process_time() - began):.0f}", "ratio"
    began = time.process_time()
    archive.overview()
    careers(games), evenings(games), fairness(of_all(faces_of(games)))
    yield "players, evenings and dice for one page", seconds(began), many
    for form, pieces in (("csv", csv_pieces), ("json", json_pieces)):
        began = time.process_time()
        size = sum(len(piece.encode()) for piece in archive.exported(form))
        remembered_s = time.process_time() - began
        yield f"all games as {form}", seconds(began), f"{size / 1e6:.1f} MB"
        began = time.process_time()
        anew = sum(len(piece.encode()) for piece in pieces(archive.records()))
        told = "ratio" if anew == size else "not the same file"
        yield f"{form} from all games anew", f"{(time.process_time() - began) / remembered_s:.0f}", told
    archive.close()
