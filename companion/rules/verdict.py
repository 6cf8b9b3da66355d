"""A verdict: what a challenge came to, with everything it takes to explain itself."""

from __future__ import annotations

from dataclasses import dataclass

from companion.rules.bids import Bid
from companion.rules.calls import Challenge
from companion.rules.position import ACES_COUNT, NORMAL, PALIFICO, Player, RoundKind, left_of
from companion.rules.ruleset import Ruleset

Change = tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was found, and what follows.

    At most one player is changed by a verdict, `before` and `after`; `players` are all as it leaves them.
    The count of matching dice lies in [count_lo, count_hi]; `naturals` and `aces` are its two parts where
    every die was read. `holds` and `exact` are None where the count leaves them open (without changing what
    follows) and for a called pass, which has `pass_justified` instead.
    """

    call: Challenge
    before: Player | None
    after: Player | None
    players: tuple[Player, ...]
    winner: str | None
    next_starter: str | None
    next_round_kind: RoundKind | None
    bid: Bid | None = None
    bidder: str | None = None
    passer: str | None = None
    count_lo: int = 0
    count_hi: int = 0
    naturals: int | None = None
    aces: int | None = None
    holds: bool | None = None
    exact: bool | None = None
    pass_justified: bool | None = None

    @property
    def caller(self) -> str:
        """Who challenged."""
        return self.call.by

    @property
    def loser(self) -> str | None:
        """Who lost a die, a life or the last chance."""
        return self.after.name if self.after and self._better() < 0 else None

    @property
    def gainer(self) -> str | None:
        """Who won a die or a life back."""
        return self.after.name if self.after and self._better() > 0 else None

    @property
    def dice_change(self) -> Change:
        """The player whose dice change, and by how many; empty when nobody's do."""
        return _change(self.after, self.after.dice - self.before.dice) if self.after and self.before else ()

    @property
    def lives_change(self) -> Change:
        """The player whose lives change, and by how many; empty when nobody's do."""
        return _change(self.after, self.after.lives - self.before.lives) if self.after and self.before else ()

    @property
    def eliminated(self) -> tuple[str, ...]:
        """Who is out by this verdict."""
        return (self.after.name,) if self.after and self.after.out else ()

    def _better(self) -> int:
        """How much better off the changed player is."""
        if self.after is None or self.before is None:
            return 0
        change = self.after.dice - self.before.dice + self.after.lives - self.before.lives
        return change or -self.after.out


def _change(player: Player, by: int) -> Change:
    return ((player.name, by),) if by else ()


def with_player(players: tuple[Player, ...], changed: Player | None) -> tuple[Player, ...]:
    """The players with one of them changed."""
    if changed is None:
        return players
    return tuple([changed if p.name == changed.name else p for p in players])


def what_next(
    rules: Ruleset, players: tuple[Player, ...], subject: Player, *, lost: bool
) -> tuple[str | None, str | None, RoundKind | None]:
    """Winner, next starter and kind of the next round; `subject` lost or, when nobody did, called."""
    left = [p.name for p in players if not p.out]
    if len(left) == 1:
        return left[0], None, None
    starter = left_of(players, subject.name) if subject.out else subject.name
    return None, starter, _next_kind(rules, subject, len(left)) if lost else NORMAL


def _next_kind(rules: Ruleset, subject: Player, left: int) -> RoundKind:
    """Whether the player concerned has a special round now (rows F1 to F3, L2)."""
    if subject.palifico_used or subject.out:
        return NORMAL
    if rules.lives is not None:
        return ACES_COUNT if subject.lives == 0 else NORMAL
    earned = rules.palifico == "first_one_die" and subject.dice == 1
    return PALIFICO if earned and (left > 2 or rules.palifico_two_players) else NORMAL
