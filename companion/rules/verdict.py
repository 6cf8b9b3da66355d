"""A verdict: what a challenge came to, with everything it takes to explain itself."""

from __future__ import annotations

from dataclasses import dataclass

from companion.rules.bids import Bid
from companion.rules.calls import Challenge
from companion.rules.players import ACES_COUNT, NORMAL, PALIFICO, Player, RoundKind, left_of
from companion.rules.ruleset import Ruleset

Change = tuple[tuple[str, int], ...]
Changed = tuple[Player, Player]  # before and after


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was found, and what follows.

    At most one player is `changed` by a verdict; `players` are all as it leaves them.
    The count of matching dice lies in [count_lo, count_hi]; `naturals` and `aces` are its two parts where
    every die was read. A called pass has no bid, but `passer` and `pass_justified`.
    """

    call: Challenge
    changed: Changed | None
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
    pass_justified: bool | None = None

    @property
    def caller(self) -> str:
        """Who challenged."""
        return self.call.by

    @property
    def holds(self) -> bool | None:
        """Whether the bid holds; None where the count leaves that open, and for a called pass."""
        if self.bid is None or self.count_lo < self.bid.quantity <= self.count_hi:
            return None
        return self.count_lo >= self.bid.quantity

    @property
    def exact(self) -> bool | None:
        """Whether the bid is exact; None where the count leaves that open, and for a called pass."""
        if self.bid is None:
            return None
        if self.count_lo == self.count_hi:
            return self.count_lo == self.bid.quantity
        return None if self.count_lo <= self.bid.quantity <= self.count_hi else False

    @property
    def loser(self) -> str | None:
        """Who lost a die, a life or the last chance."""
        return self.changed[1].name if self.changed and _gain(*self.changed) < 0 else None

    @property
    def gainer(self) -> str | None:
        """Who won a die or a life back."""
        return self.changed[1].name if self.changed and _gain(*self.changed) > 0 else None

    @property
    def dice_change(self) -> Change:
        """The player whose dice change, and by how many; empty when nobody's do."""
        if self.changed is None:
            return ()
        before, after = self.changed
        return _change(after, after.dice - before.dice)

    @property
    def lives_change(self) -> Change:
        """The player whose lives change, and by how many; empty when nobody's do."""
        if self.changed is None:
            return ()
        before, after = self.changed
        return _change(after, after.lives - before.lives)

    @property
    def eliminated(self) -> tuple[str, ...]:
        """Who is out by this verdict."""
        return (self.changed[1].name,) if self.changed and self.changed[1].out else ()


def _gain(before: Player, after: Player) -> int:
    """How much better off a changed player is; losing the last chance is worse by one."""
    return after.dice - before.dice + after.lives - before.lives or -after.out


def _change(player: Player, by: int) -> Change:
    return ((player.name, by),) if by else ()


def what_follows(
    rules: Ruleset, players: tuple[Player, ...], caller: str, changed: Changed | None
) -> tuple[tuple[Player, ...], str | None, str | None, RoundKind | None]:
    """The players as they then are, winner, next starter and kind of the next round (rows D4, D5, Z8, E1)."""
    if changed is None:
        return players, None, caller, NORMAL
    _, after = changed
    players = tuple([after if p.name == after.name else p for p in players])
    left = [p for p in players if not p.out]
    if len(left) == 1:
        return players, left[0].name, None, None
    starter = left_of(players, after.name) if after.out else after.name
    return players, None, starter, _next_kind(rules, after, len(left))


def _next_kind(rules: Ruleset, changed: Player, left: int) -> RoundKind:
    """Whether the changed player has a special round now; never after a gain (rows F1 to F3, L2)."""
    if changed.palifico_used or changed.out:
        return NORMAL
    if rules.lives is not None:
        return ACES_COUNT if changed.lives == 0 else NORMAL
    earned = rules.palifico == "first_one_die" and changed.dice == 1
    return PALIFICO if earned and (left > 2 or rules.palifico_two_players) else NORMAL
