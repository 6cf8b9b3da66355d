"""The bots at the table: they take a while to think, then say what they decide, as a phone would.

Nothing is kept here but when the next call is due: what a bot says follows from the table as it stands. So
an undo, a restart or a quicker person need no care; the bot looks again.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from random import Random

from msgspec import Struct

from companion.bots.deciding import decide
from companion.bots.seat import Level
from companion.errors import CompanionError
from companion.rules.calls import Call
from companion.rules.position import Phase
from companion.table import commands as cmd
from companion.table.commands import Author, By
from companion.table.cups import seat_view, unread
from companion.table.ledger import Kind
from companion.table.snapshot import Snapshot
from companion.table.table import Table

_log = logging.getLogger(__name__)

TURN_S, NO_BOTS_S = 0.25, 1.0
"""How often the table is asked, with bots in the game and without."""


@dataclass(frozen=True, slots=True)
class Thinking:
    """Seconds that a bot takes: at least, and so many more by chance; and after somebody has taken a step
    back, so that people may take one more."""

    least_s: float = 2.0
    more_s: float = 3.0
    after_undo_s: float = 12.0


Moment = tuple[int, tuple[str, ...]]
"""A version of the table, and the bots whose dice the box has still to look at."""


class Due(Struct, frozen=True):
    """A call that is made at `at_s`, if the table is still as it was at `moment`."""

    moment: Moment
    at_s: float
    call: Call | None


class BotPlayers:
    """Plays for the bots of the game on the table, by a `turn` now and then."""

    def __init__(
        self,
        table: Table,
        now_s: Callable[[], float],
        thinking: Thinking = Thinking(),
    ) -> None:
        """`now_s` is a clock that never jumps."""
        self._table, self._now_s, self._thinking = table, now_s, thinking
        self._due: Due | None = None
        self._undone = 0

    def turn(self) -> float:
        """Decide anew where the table has changed, and say what is due; seconds until the next turn."""
        now = self._table.snapshot()
        if not now.state.bots:
            return NO_BOTS_S
        if self._due is None or self._due.moment != moment_of(now):
            limit_s = now.state.game.ruleset.turn_seconds if now.state.game else 0
            thinks_s = min(self._thinks_s(now), limit_s / 2 or inf)
            self._due = Due(moment_of(now), self._now_s() + thinks_s, next_call(now))
        if self._due.call is not None and not now.paused and self._now_s() >= self._due.at_s:
            self._say(self._due.call, now)
        return TURN_S

    def _say(self, call: Call, now: Snapshot) -> None:
        """A call that is refused is not made again until the table has changed."""
        self._due = Due(moment_of(now), 0.0, None)
        try:
            self._table.do(cmd.Say(call), now.version, Author(By.BOT, call.by))
        except CompanionError as error:
            _log.info("the call of a bot was refused: %s", error)

    def _thinks_s(self, now: Snapshot) -> float:
        last = now.announcement
        if last and last.kind in (Kind.UNDONE, Kind.TAKEN_BACK) and now.announced != self._undone:
            self._undone = now.announced
            return self._thinking.after_undo_s
        return self._thinking.least_s + self._thinking.more_s * chance_of(now, "pace").random()


def moment_of(now: Snapshot) -> Moment:
    """What a call that was thought out holds for."""
    return now.stale_before, unread(now.state, now.ledger)


def next_call(now: Snapshot) -> Call | None:
    """What a bot says next, one who speaks out of turn before the one on turn; None when people are on
    turn, or are about to say what they called."""
    game = now.state.game
    if game is None or game.phase is not Phase.BIDDING or now.state.asked:
        return None
    blind = unread(now.state, now.ledger)
    seeing = [bot for bot in now.state.bots if bot[0] not in blind]
    bots = sorted(seeing, key=lambda bot: bot[0] == game.round.turn)
    calls = (_call(now, name, Level(level)) for name, level in bots)
    return next((call for call in calls if call is not None), None)


def _call(now: Snapshot, name: str, level: Level) -> Call | None:
    view = seat_view(now.state, now.ledger, name)
    return decide(view, level, chance_of(now, name)) if view else None


def chance_of(now: Snapshot, what: str) -> Random:
    """Chance that is the same whenever the table stands as it does, by the secret seed kept with the game."""
    game = now.state.game
    said = f"{game.round.number}/{len(game.round.bids)}/{game.round.clockwise}" if game else ""
    return Random(f"{now.ledger.seal}/{now.game_id}/{said}/{what}")
