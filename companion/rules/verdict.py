"""A verdict: what a challenge came to, with everything it takes to explain itself."""

from __future__ import annotations

from msgspec import Struct

from companion.rules.bids import Bid
from companion.rules.calls import Calza, Challenge
from companion.rules.dice import ACE
from companion.rules.players import Player, RoundKind, are_partners, winners

Change = tuple[tuple[str, int], ...]
Changed = tuple[Player, Player]  # before and after
Changes = tuple[Changed, ...]


class Verdict(Struct, frozen=True):
    """The result of a challenge and its consequence.

    `changes` are the players whom it changes, each before and after; `players` are all as it leaves them. The
    count of matching dice lies in [count_lo, count_hi]; `naturals` and `aces` are its two parts where every
    die was read, the latter showing the `wild` face. A called pass has no bid, but `passer` and
    `pass_justified`. `kept`: the count was corrected afterwards, and what followed then stays.
    """

    call: Challenge
    changes: Changes
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
    wild: int = ACE
    kept: bool = False

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
    def stands(self) -> bool:
        """Whether what was doubted or claimed turned out true: the bid, the exact count, the pass."""
        if isinstance(self.call, Calza):
            return bool(self.exact)
        return bool(self.pass_justified if self.bid is None else self.holds)

    @property
    def right(self) -> bool:
        """Whether the caller was: by a doubt of what did not stand, or by a calza that did."""
        return self.stands == isinstance(self.call, Calza)

    @property
    def losers(self) -> tuple[str, ...]:
        """Everybody who lost a die, a life or the last chance, or got a mark."""
        return tuple(after.name for before, after in self.changes if better_off(before, after) < 0)

    @property
    def loser(self) -> str | None:
        """Who alone lost something; None where nobody did, or several."""
        losers = self.losers
        return losers[0] if len(losers) == 1 else None

    @property
    def winners(self) -> tuple[str, ...]:
        """Everybody who wins by this verdict: the winner, with partners where there are teams."""
        return winners(self.players, self.winner) if self.winner else ()

    @property
    def together(self) -> bool:
        """Whether partners lost together."""
        return are_partners([before for before, _ in self.changes if before.name in self.losers])

    @property
    def gainer(self) -> str | None:
        """Who won a die or a life back, or lost a mark."""
        return next((after.name for before, after in self.changes if better_off(before, after) > 0), None)

    @property
    def dice_change(self) -> Change:
        """The players whose dice change, and by how many; empty when nobody's do."""
        return tuple((a.name, a.dice - b.dice) for b, a in self.changes if a.dice != b.dice)

    @property
    def lives_change(self) -> Change:
        """The players whose lives change, and by how many; empty when nobody's do."""
        return tuple((a.name, a.lives - b.lives) for b, a in self.changes if a.lives != b.lives)

    @property
    def marks_change(self) -> Change:
        """The players whose marks change, and by how many; empty where no tally is kept."""
        return tuple((a.name, a.marks - b.marks) for b, a in self.changes if a.marks != b.marks)

    @property
    def takes_dice(self) -> bool:
        """Whether each mark is a die that is gained; where a tally is kept dice stay, and nobody is out."""
        return bool(self.marks_change and (self.dice_change or self.eliminated))

    @property
    def eliminated(self) -> tuple[str, ...]:
        """Who is out by this verdict, or through by giving the last die away."""
        return tuple(after.name for _, after in self.changes if after.out)


def better_off(before: Player, after: Player) -> int:
    """How much better off a changed player is; losing the last chance is worse by one, as is a mark, also
    where it is a die that is gained."""
    marks = before.marks - after.marks
    return marks or after.dice - before.dice + after.lives - before.lives or -after.out
