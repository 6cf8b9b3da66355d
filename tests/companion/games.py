"""Games for the tests of statistics, written by hand as the journal keeps them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from companion.reveal.observations import Observation, SeenDie
from companion.statistics.evenings import Part, Summary
from companion.statistics.record import GameRecord, game_record
from companion.statistics.scores import Score
from companion.storage.journal import Journal
from companion.table import commands as cmd
from companion.table.table import Table
from tests.companion.at_table import play, say

PEOPLE = (("Ana", "red"), ("Bea", "blue"), ("Carlos", "green"))


def start(table: Table, people: Sequence[tuple[str, str]] = PEOPLE, script: str = "", **more: Any) -> str:
    """A new game, whatever lies on the table, as far as the script leads; returns its id."""
    if table.snapshot().state.game:
        table.do(cmd.PutAway())
    players = [{"name": name, "colour": colour} for name, colour in people]
    say(table, "new_game", players=players, **{"preset": "modern", "starter": people[0][0], **more})
    return play(table, script).game_id or ""


def observation(
    hands: Mapping[str, Sequence[int]], unsure: Sequence[int] = (), place: str = "all"
) -> cmd.AddObservation:
    """Dice by colour, in rows; `unsure` numbers those that were not read for certain."""
    lying = [
        (row, column, face, colour)
        for row, (colour, faces) in enumerate(hands.items())
        for column, face in enumerate(faces)
    ]
    dice = tuple(
        SeenDie(f, 0.1 + 0.15 * c, 0.1 + 0.2 * r, 0.06, 0.99, n not in unsure, colour, (), (), 0.0)
        for n, (r, c, f, colour) in enumerate(lying)
    )
    return cmd.AddObservation(Observation(1280, 960, dice, not unsure), place)


def record(journal: Journal, game: str) -> GameRecord:
    lines = journal.records(game)
    return game_record(game, lines[0].at, lines)


def won(game_id: str, began: str, ended: str, winner: str | None, names: Iterable[str]) -> Summary:
    """A finished game of which nothing but its end is known."""
    parts = tuple(Part(name, "red", Score(rounds=1)) for name in names)
    labels = {"id": game_id, "began": began, "ended": ended, "preset": "modern"}
    return Summary(**labels, rounds=1, winner=winner, over=winner is not None, parts=parts)
