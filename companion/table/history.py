"""The history of a game: what of a journal's records stands, and what the last step of a person was."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from companion.rules.events import Started
from companion.table import ledger as ledgers
from companion.table.happenings import ColoursLearnt, Cups, Happening, Looked, Rolled, from_json
from companion.table.ledger import EMPTY, Ledger, noted


def replay(bodies: list[Any]) -> tuple[list[Happening], bool]:
    """The happenings that a journal's records leave standing, and whether the last record took some back."""
    history: list[Happening] = []
    undone = False
    for body in bodies:
        if ledgers.from_json(body) is not None:
            continue
        undone = body.get("event") == "undone"
        if undone:
            del history[int(body["keep"]) :]
        else:
            history.append(from_json(body))
    return history, undone


def ledger_of(bodies: Iterable[Mapping[str, Any]]) -> Ledger:
    """What no undo takes back, of a journal's records."""
    return noted(EMPTY, filter(None, map(ledgers.from_json, bodies)))


def keep_on_undo(history: list[Happening]) -> int | None:
    """How many happenings stay when the last step of a person is taken back; None when none was.

    Looks come by themselves and go with the call or the correction before them, dice rolled in phones with
    the round they were rolled for, as do colours learnt on the way. A correction goes alone, what the camera
    saw before it stays.
    """
    keep = len(history)
    while keep and _by_itself(history[keep - 1]):
        keep -= 1
    return keep - 1 if keep > 1 and not isinstance(history[keep - 1], Started | Cups) else None


def _by_itself(happening: Happening) -> bool:
    """Whether nobody asked for it: looks, dice rolled in phones, colours that were learnt."""
    learnt = isinstance(happening, ColoursLearnt) and bool(happening.colours)
    return learnt or isinstance(happening, Looked | Rolled)
