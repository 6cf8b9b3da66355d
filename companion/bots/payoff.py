"""What verdicts are worth to a player: dice or lives won and lost, by the rules' own consequence."""

from __future__ import annotations

from companion.rules.bids import Bid
from companion.rules.consequences import Dispute
from companion.rules.players import partners
from companion.rules.position import Game
from companion.rules.verdict import Changed


class Payoff:
    """The worth of verdicts to one player: 1 for a die more, -1 for a die less.

    What others lose is worth its share to each of the rest, so that the game is one of sum zero; partners'
    dice count as the own. Where who is first without dice wins, it is the other way round.
    """

    def __init__(self, game: Game, name: str) -> None:
        self._game = game
        self._players = {player.name: player for player in game.inside}
        own = self._players.get(name)
        self._side = {name} | ({p.name for p in partners(game.inside, own)} if own else set())
        self._share = len(self._side) / max(1, len(self._players) - len(self._side))
        self._sign = -1 if game.ruleset.loser == "winner" else 1
        self._known: dict[tuple[str, str, bool, int, int], float] = {}

    def of_challenge(self, by: str, bidder: str, bid: Bid, count: int, *, calza: bool = False) -> float:
        """What dudo, or calza, on `bid` is worth when `count` dice match."""
        key = (by, bidder, calza, bid.quantity, count)
        if key not in self._known:
            self._known[key] = self._asked(by, bidder, bid, count, calza)
        return self._known[key]

    def _asked(self, by: str, bidder: str, bid: Bid, count: int, calza: bool) -> float:
        game = self._game
        caller, challenged = self._players[by], self._players[bidder]
        changes = Dispute(game.ruleset, bid, calza, caller, challenged, game.players).changes(count)
        return sum(
            self._sign * _moved(one) * (1 if one[0].name in self._side else -self._share) for one in changes
        )


def _moved(changed: Changed) -> int:
    """Dice and lives won and marks lost, negative the other way; the last chance counts as one."""
    before, after = changed
    moved = after.dice - before.dice + after.lives - before.lives + before.marks - after.marks
    return moved or -int(after.out and not before.out)
