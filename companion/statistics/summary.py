"""One game in a few numbers, small enough to keep for all games."""

from __future__ import annotations

from dataclasses import dataclass

from companion.statistics.fairness import Counts, faces_by_colour, left_out
from companion.statistics.record import GameRecord
from companion.statistics.scores import Score, scores


@dataclass(frozen=True, slots=True)
class Part:
    """One player's part in a game."""

    name: str
    colour: str
    score: Score


@dataclass(frozen=True, slots=True)
class Summary:
    """A game's sums. `faces` are (colour, counts) of real dice, `left_out` those nobody knew for certain;
    `rounds` were judged, `round` is the last one begun. `began_tick`, `ended_tick` and `partners` as in
    `GameRecord`."""

    id: str
    began: str
    ended: str
    preset: str
    rounds: int
    winner: str | None
    over: bool
    parts: tuple[Part, ...]
    faces: tuple[tuple[str, Counts], ...] = ()
    left_out: int = 0
    round: int = 0
    began_tick: str = ""
    ended_tick: str = ""
    partners: tuple[str, ...] = ()

    @property
    def winners(self) -> tuple[str, ...]:
        """The winner, with partners where there are teams; nobody while nobody has won."""
        return (*((self.winner,) if self.winner else ()), *self.partners)

    @property
    def names(self) -> tuple[str, ...]:
        """Who played, in order of the table."""
        return tuple(part.name for part in self.parts)


def summary(game: GameRecord) -> Summary:
    """The sums of a game."""
    by_name = scores(game)
    return Summary(
        id=game.id,
        began=game.began,
        ended=game.ended,
        preset=game.preset,
        rounds=len(game.rounds),
        winner=game.winner,
        over=game.over,
        parts=tuple(Part(name, colour, by_name[name]) for name, colour in game.players),
        faces=tuple(faces_by_colour(game).items()),
        left_out=left_out(game),
        round=game.round,
        began_tick=game.began_tick,
        ended_tick=game.ended_tick,
        partners=game.partners,
    )
