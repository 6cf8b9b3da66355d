"""What a card has lost of the journal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress

from msgspec import Struct, ValidationError, convert, to_builtins

from companion.json_types import Body, whole

MAX_LOSSES = 9
"""So many are remembered; older ones are in the log."""


class Loss(Struct, frozen=True):
    """One loss by a failing card: `records` of `games` are missing, none where the other file had all.

    `game` is the one on the table where it is cut, with `missing` records of it lost. `file` is where the
    damaged one is kept, "" where nothing was left of it. `emptied`: the folder has had games, and nobody
    knows how many. `gone`: the game that was on the table is not there any more. `vanished`: the files were
    deleted while the box was running. `unread`: the game on the table is whole, but of a `version` that
    this one cannot read. `cause`: no game is lost; the side file `file` was set aside because of it.
    """

    records: int = 0
    games: int = 0
    file: str = ""
    game: str = ""
    missing: int = 0
    emptied: bool = False
    unread: bool = False
    gone: bool = False
    vanished: bool = False
    version: str = ""
    cause: str = ""


def noted(box: Body) -> tuple[Loss, ...]:
    """The losses in what is listed of the box; none where another version wrote them."""
    with suppress(ValidationError):
        return convert(box.get("losses", ()), tuple[Loss, ...])
    return ()


def notes(losses: Iterable[Loss]) -> list[Body]:
    """The newest of them as they are listed."""
    return [to_builtins(one) for one in losses][-MAX_LOSSES:]


def of_gone(games: Sequence[Body], current: object = None, *, vanished: bool = False) -> Loss:
    """The loss of whole listed games, `current` being the id of the one on the table."""
    on_table = any(one["id"] == current for one in games)
    return Loss(sum(whole(one["records"]) for one in games), len(games), gone=on_table, vanished=vanished)
