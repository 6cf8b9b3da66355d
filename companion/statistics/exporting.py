"""Games for other programs: CSV with a line for every judged round, JSON with everything statistics know.

The CSV is UTF-8 with a byte order mark, because spreadsheets take accents for two letters each without one,
and readers of UTF-8 skip it; commas, double quotes and CRLF as in RFC 4180. A name that a spreadsheet would
run as a formula gets an apostrophe before it (OWASP, "CSV Injection").
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Annotated, Literal, TypedDict

from msgspec import Meta, to_builtins

from companion.json_types import members
from companion.rules.players import RoundKind
from companion.statistics.record import Counted, GameRecord, JudgedRound, Shown
from companion.statistics.scores import MadeBid, Score, made_bids, scores
from companion.table.wire.game import BareBidJson, bid_json, call_word

FORMAT, VERSION = "dudo-games", 1

MARK = "\ufeff"

COLUMNS = (
    *("game", "began", "preset", "players", "winner", "round", "kind", "dice", "starter"),
    *("caller", "call", "right", "bidder", "quantity", "face", "count_lo", "count_hi"),
    *("loser", "gainer", "bids", "shown"),
)

_RUN_BY_SPREADSHEETS = re.compile(r"(^|[;,|\t\r\n])(\s*)(?=[=+@\-＝＋＠－])")
"""Before a formula at the beginning of a cell, or after what some country's spreadsheet splits cells at."""

Cell = str | int | None


def csv_rows(game: GameRecord) -> str:
    """The rows of one game."""
    return "".join(_line(_row(game, one)) for one in game.rounds)


def json_text(game: GameRecord) -> str:
    """One game as the text of a JSON object."""
    return json.dumps(game_json(game), ensure_ascii=False, default=to_builtins)


FORMS: Mapping[str, Callable[[GameRecord], str]] = {"csv": csv_rows, "json": json_text}
"""A game's part of a file, by the form of the file."""


def whole(form: str, games: Iterable[str]) -> Iterator[str]:
    """The file of this form with the parts of all games, in pieces: many games need little memory. CSV
    begins with the mark and the names of the columns, JSON is one object with all games under "games"."""
    if form == "csv":
        yield MARK + _line(COLUMNS)
        yield from games
        return
    yield json.dumps({"format": FORMAT, "version": VERSION})[:-1] + ', "games": ['
    for number, game in enumerate(games):
        yield ("," if number else "") + "\n" + game
    yield "\n]}\n"


class MadeBidJson(BareBidJson):
    """A bid and the probability that it holds: without seeing dice, and seeing the own hand."""

    by: str
    chance: float
    own_chance: float | None


class LeftJson(TypedDict):
    """What a player has left after a round."""

    dice: int
    lives: int
    marks: int
    out: bool


class JudgedRoundJson(TypedDict):
    """A round with its bids, its verdict and the dice shown; `held` are dice, or lives, by player."""

    round: int
    kind: RoundKind
    starter: str
    dice: int
    held: dict[str, int]
    bids: list[MadeBidJson]
    call: Literal["dudo", "calza", "dudo_pass"]
    caller: str
    right: bool
    by_clock: Annotated[bool, Meta(description="The clock doubted: the caller's time was up.")]
    bid: BareBidJson | None
    bidder: str | None
    count: Annotated[list[int] | None, Meta(description="The least and the most there may have been.")]
    loser: str | None
    gainer: str | None
    left: dict[str, LeftJson]
    shown: list[Shown]
    pictures: list[str]


class SeatedJson(TypedDict):
    """A player and the colour of the dice."""

    name: str
    colour: str


class KeptGameJson(TypedDict):
    """Everything statistics know of a game."""

    id: str
    began: str
    ended: str
    preset: str
    players: list[SeatedJson]
    starts_with: dict[Counted, int]
    winner: str | None
    winners: Annotated[list[str], Meta(description="The winner, with partners where there are teams.")]
    over: bool
    rounds: list[JudgedRoundJson]
    scores: dict[str, Score]


class GamesJson(TypedDict):
    """A file of kept games."""

    format: Literal["dudo-games"]
    version: Annotated[int, Meta(ge=1)]
    games: list[KeptGameJson]


def game_json(game: GameRecord) -> KeptGameJson:
    """Everything statistics know of a game, as plain data."""
    bids = made_bids(game)
    return members(
        KeptGameJson,
        game,
        players=[{"name": name, "colour": colour} for name, colour in game.players],
        starts_with={game.counted: game.starting},
        rounds=[_round_json(one, [b for b in bids if b.round == one.number]) for one in game.rounds],
        scores=dict(scores(game)),
    )


def _round_json(one: JudgedRound, bids: Iterable[MadeBid]) -> JudgedRoundJson:
    verdict = one.verdict
    return members(
        JudgedRoundJson,
        one,
        verdict,
        round=one.number,
        held=dict(one.held),
        bids=[
            {**bid_json(made.bid), "by": made.by, "chance": made.chance, "own_chance": made.own_chance}
            for made in bids
        ],
        call=call_word(verdict),
        bid=bid_json(verdict.bid) if verdict.bid else None,
        bidder=verdict.bidder or verdict.passer,
        count=[verdict.count_lo, verdict.count_hi] if verdict.bid else None,
        left={player.name: members(LeftJson, player) for player in verdict.players},
    )


def _row(game: GameRecord, one: JudgedRound) -> tuple[Cell, ...]:
    verdict, bid = one.verdict, one.verdict.bid
    counts = (verdict.count_lo, verdict.count_hi) if bid else (None, None)
    return (
        *(game.id, game.began, game.preset, "; ".join(name for name, _ in game.players), game.winner),
        *(one.number, one.kind.value, one.dice, one.starter, verdict.caller, call_word(verdict)),
        int(verdict.right),
        verdict.bidder or verdict.passer,
        *((bid.quantity, bid.face) if bid else (None, None)),
        *counts,
        *(verdict.loser, verdict.gainer, len(one.bids)),
        " ".join(str(face) for part in one.shown for face in part.faces),
    )


def _line(cells: Iterable[Cell]) -> str:
    written = io.StringIO()
    csv.writer(written, lineterminator="\r\n").writerow([_safe(cell) for cell in cells])
    return written.getvalue()


def _safe(cell: Cell) -> Cell:
    """A cell that a spreadsheet shows and does not run; numbers stay numbers."""
    return _RUN_BY_SPREADSHEETS.sub(r"\1\2'", cell) if isinstance(cell, str) else cell
