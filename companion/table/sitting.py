"""Who sits where: which phone, by its id, is in the seat of which player.

No journal has these ids, the ledger keeps marks of them. After a restart the phones bring them back.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field
from msgspec.structs import replace

from companion.names import same_person
from companion.rules.seating import stayed
from companion.table.state import TableState


class Sitting(Struct, frozen=True):
    """The phone in each seat that is `taken`, by player; a phone has one seat. One of a player who is not in
    the game is kept for the next.

    `last` is the phone that sat last for each player of this game, "" for one whose seat a bot took.
    """

    taken: Mapping[str, str] = field(default_factory=dict)
    last: Mapping[str, str] = field(default_factory=dict)

    def seat_of(self, phone: str) -> str | None:
        """The seat that the phone has, in this game or not."""
        return next((player for player, one in self.taken.items() if one == phone), None)

    def sat_for(self, phone: str) -> tuple[str, ...]:
        """The players of this game whose phone that was last: whoever has it is one of them."""
        return tuple(player for player, one in self.last.items() if one == phone)

    def moved(self, seats: Mapping[str, str], known: Sitting | None = None) -> Sitting:
        """After each of `seats` was taken by its phone, or left where that is ""; the newest come last.

        A seat that changed hands since `known` stays as it is."""
        was = (known or self).taken
        seats = {player: one for player, one in seats.items() if was.get(player) == self.taken.get(player)}
        stay = {p: one for p, one in self.taken.items() if p not in seats and one not in seats.values()}
        return replace(self, taken=stay | {player: phone for player, phone in seats.items() if phone})

    def renamed(self, old: str, new: str) -> Sitting:
        """After a player is called otherwise: the phone keeps its seat, whoever had that name before."""
        name, both = {old: new}, (self.taken, self.last)
        return Sitting(*({name.get(p, p): one for p, one in m.items() if p != new} for m in both))

    def within(self, state: TableState, *, anew: bool = False) -> Sitting:
        """In the game as it stands: what a bot plays is nobody's seat. In one that begins `anew` a phone may
        come as somebody else."""
        if state.game is None:
            return self
        bots, named, people = dict(state.bots), self.taken, people_of(state)
        if anew:
            named = {same_person(player, people) or player: phone for player, phone in named.items()}
        taken = {player: phone for player, phone in named.items() if player not in bots}
        inside = {player.name for player in state.game.players} | {one.name for one in state.game.waiting}
        last = {} if anew else {player: "" if player in bots else one for player, one in self.last.items()}
        return Sitting(taken, last | {player: phone for player, phone in taken.items() if player in inside})


NOBODY = Sitting()
"""Where no phone has come yet."""


def people_of(state: TableState) -> list[str]:
    """The people who have not gone home: a phone may have their seats."""
    game, bots = state.game, dict(state.bots)
    here = [one.name for one in stayed(game)] + [one.name for one in game.waiting] if game else []
    return [name for name in here if name not in bots]
