"""What each verdict rests on, kept as it happens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.reveal.examples import examples
from companion.table.table import Snapshot
from companion.table.view import view

if TYPE_CHECKING:
    from companion.box.companion import Companion


class Witness:
    """Keeps what each verdict rests on, and what people corrected."""

    def __init__(self, companion: Companion) -> None:
        self._evidence, self._examples = companion.evidence, companion.settings.data.keep_examples
        self._kept: tuple[str | None, int] = (None, 0)

    def follow(self, now: Snapshot) -> None:
        """Keep the evidence of a verdict once it is there."""
        state, key = now.state, (now.game_id, len(now.state.played))
        if not now.game_id or not state.played or state.reveal is None or key == self._kept:
            return
        self._kept = key
        body = view(now).data["reveal"]
        if self._examples:
            self._evidence.keep_examples(examples(state.reveal))
        self._evidence.keep_verdict(now.game_id, state.played[-1].number, body, state.played[-1].pictures)
