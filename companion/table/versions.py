"""Which snapshot of the table follows another: its version, its undo, and the reveal that wants pictures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from companion.table.announcing import step_of
from companion.table.cups import hides
from companion.table.history import keep_on_undo
from companion.table.kept_game import KeptGame
from companion.table.snapshot import Changes, Snapshot
from companion.table.state import REVEALING


def next_snapshot(
    before: Snapshot, game: KeptGame, reveals: Iterator[int], *, minor: bool, changes: Changes
) -> Snapshot:
    """The table as `game` stands, one version on, with `changes` of its own.

    Only a `minor` change lets commands for older versions stand. `reveals` numbers reveals, from 1 on.
    """
    version, state = before.version + 1, game.state
    keep = keep_on_undo(game.history)
    changes.setdefault("resumed", before.resumed and minor)
    now = replace(
        before,
        version=version,
        state=state,
        ledger=game.ledger,
        stale_before=before.stale_before if minor else version,
        can_undo=keep is not None,
        undoes=None if keep is None else step_of(game.history[keep]),
        undo_hides=keep is not None and hides(state, game.state_after(keep)),
        **changes,
    )
    if now.game_id == before.game_id and len(now.ledger.notes) > len(before.ledger.notes):
        now = replace(now, announcement=now.ledger.notes[-1], announced=version)
    same_reveal = _reveal_key(now) == _reveal_key(before)
    return now if same_reveal else _opened(now, next(reveals), now.wanted > before.wanted)


def _opened(now: Snapshot, number: int, asked: bool) -> Snapshot:
    """The snapshot with another reveal, or none: pictures asked for before were meant for that one."""
    number = number if _reveal_key(now) else 0
    return replace(now, reveal=number, wanted=int(asked), place=now.place if asked else None)


def _reveal_key(now: Snapshot) -> tuple[object, ...]:
    """The key of the reveal that wants pictures, different from those before and after; empty while none
    does."""
    game = now.state.game
    if game is None or game.phase not in REVEALING or now.held:
        return ()
    return now.game_id, game.round.number, len(now.state.rolls)
