"""What each verdict rests on, kept as it happens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.errors import StorageError
from companion.reveal.evidence import record
from companion.reveal.examples import examples
from companion.rules.game import Phase
from companion.table.state import Played, assessment
from companion.table.table import Fault, Snapshot

if TYPE_CHECKING:
    from companion.app.companion import Companion


class Witness:
    """Keeps what each verdict rests on, and what people corrected."""

    def __init__(self, companion: Companion) -> None:
        self._table, self._evidence = companion.table, companion.evidence
        self._examples = companion.settings.data.keep_examples
        self._kept: Played | None = None

    def follow(self, now: Snapshot) -> None:
        """Keep the evidence of a verdict once it is there, anew after it was taken back and given again."""
        game = now.state.game
        decided = game is not None and game.phase in (Phase.VERDICT, Phase.OVER) and now.state.reveal
        if decided and now.state.played and now.state.played[-1] is not self._kept:
            self._kept = now.state.played[-1]
            self._keep(now)

    def _keep(self, now: Snapshot) -> None:
        """A full disk costs the evidence, not the game."""
        reveal, played = now.state.reveal, now.state.played[-1]
        assert reveal is not None
        try:
            if self._examples:
                self._evidence.keep_examples(examples(reveal))
            body = record(reveal, assessment(now.state))
            self._evidence.keep_verdict(now.game_id or "", played.number, body, played.pictures)
        except StorageError as error:
            self._table.report("evidence", Fault(error.reason))
