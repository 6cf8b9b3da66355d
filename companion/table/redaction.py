"""The export of a game that goes on: everything but the dice that are still under cups.

Such an export is read back, but without the dice that were rolled in phones. The verdicts stand in it whole.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from companion.json_types import Body, body
from companion.rules.game import Phase
from companion.table.history import replay
from companion.table.state import fold

_SECRETS: Mapping[str, Body] = {
    "sealed": {"seal": ""},
    "thrown": {"faces": []},
    "rolled": {"faces": []},
}


def without_secrets(lines: Iterable[str]) -> tuple[str, ...]:
    """The lines of one exported game; those of a game that is over, or cannot be read, as they are."""
    written = tuple(line.rstrip("\n") for line in lines)
    rows = [json.loads(line) for line in written]
    if not _goes_on([row.get("body") for row in rows[1:]]):
        return written
    return (written[0], *(json.dumps(_blanked(row), ensure_ascii=False) for row in rows[1:]))


def _goes_on(bodies: list[Body]) -> bool:
    try:
        state = fold(replay(bodies)[0])
    except Exception:  # whatever a record brings about that cannot be read: nobody can play on with it
        return False
    return state.game is not None and state.game.phase is not Phase.OVER and bool(state.cups or state.bots)


def _blanked(row: Body) -> Body:
    return {"number": row["number"], "at": row["at"], "body": without_dice(body(row["body"]))}


def without_dice(event: Body) -> Body:
    """An event of the journal without dice that the box rolled, and without the seal they follow from."""
    return {**event, **_SECRETS.get(str(event.get("event")), {})}
