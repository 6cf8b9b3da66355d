"""The table at one moment, as a value: what every page, lamp and part is given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypedDict

from companion.table.ledger import EMPTY, Ledger, Note, Step
from companion.table.state import TableState


@dataclass(frozen=True, slots=True)
class Fault:
    """Something of the box that does not work: a key under `faults` and the values of its sentence."""

    reason: str
    values: tuple[tuple[str, str], ...] = ()


class Changes(TypedDict, total=False):
    """What a new snapshot has of its own; the rest follows from the table."""

    game_id: str | None
    held: bool
    wanted: int
    place: str | None
    faults: tuple[tuple[str, Fault], ...]
    preview: str
    resumed: bool


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The table at one moment. `version` only ever rises, also over restarts.

    A command for a version before `stale_before` is stale: since then more than another observation has come.
    `reveal` numbers the reveal that wants pictures, 0 while none does; no two of one run share a number.
    `wanted` counts the pictures asked for in it, `place` is where the last one was asked for.

    `can_undo`: there is a step to take back, `undoes`. `undo_hides`: that would hide dice which have been
    seen, so that the round is thrown anew. `announcement`: the last note to all phones, `announced`
    its version.
    `ledger` is what no undo takes back. `held`: a person took a verdict back, so the next one waits for a
    person too. `faults` are those of the box by part.

    `preview` is what the camera's view is fit for while it waits: still, moving, hand, dark or empty.
    `resumed`: the box was started anew in the middle of this game, and nobody has done anything since.
    """

    version: int
    game_id: str | None
    state: TableState
    ledger: Ledger = EMPTY
    can_undo: bool = False
    undoes: Step | None = None
    announcement: Note | None = None
    announced: int = 0
    undo_hides: bool = False
    held: bool = False
    stale_before: int = 0
    reveal: int = 0
    wanted: int = 0
    place: str | None = None
    faults: tuple[tuple[str, Fault], ...] = ()
    preview: str = ""
    resumed: bool = False
