"""The cost and the gain of a count of matching dice: from a dispute to the players it changes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from msgspec.structs import replace

from companion.rules.bids import Bid
from companion.rules.players import Player
from companion.rules.ruleset import Ruleset
from companion.rules.teams import partners
from companion.rules.verdict import Changed, Changes

ALL = 1_000
"""More dice or lives than anybody has."""


class Dispute(NamedTuple):
    """A doubted bid, the two it is between, and all players, as they are before the verdict."""

    rules: Ruleset
    bid: Bid
    by_calza: bool
    caller: Player
    bidder: Player
    players: tuple[Player, ...]

    def changes(self, count: int) -> Changes:
        """The players whom a count of matching dice changes (rows D2, D3, D7, D9, Z4 to Z7)."""
        off = abs(count - self.bid.quantity)
        if not off:
            return self._of_calza() if self.by_calza else self._of_exact_dudo()
        caller_right = not self.by_calza and count < self.bid.quantity
        right, wrong = (self.caller, self.bidder) if caller_right else (self.bidder, self.caller)
        return settle(right, wrong, off, self.rules, self.players)

    def settled(self, lo: int, hi: int) -> bool:
        """Whether every count in [lo, hi] changes the same players in the same way."""
        return all(map(self.alike, range(lo, hi)))

    def alike(self, count: int) -> bool:
        """Whether one matching die more than `count` changes the same players in the same way."""
        return self.changes(count) == self.changes(count + 1)

    def _of_exact_dudo(self) -> Changes:
        if self.rules.dudo_exact == "all_but_bidder" and self.rules.loser == "loser":
            return _losses(self.players, self.bidder, self.rules)
        return settle(self.bidder, self.caller, 0, self.rules, self.players)

    def _of_calza(self) -> Changes:
        exact = self.rules.calza_exact
        if exact == "nobody":
            return ()
        if self.rules.loser == "winner":
            return _together(self.caller, 1, self.rules, self.players)
        if exact == "bidder_loses":
            return _together(self.bidder, 1, self.rules, self.players)
        others = _losses(self.players, self.caller, self.rules) if "others_lose" in exact else ()
        return others + (_gain(self.caller, self.rules) if "regain" in exact else ())


def settle(right: Player, wrong: Player, off: int, rules: Ruleset, players: tuple[Player, ...]) -> Changes:
    """The players after `wrong` was wrong against `right`, by `off` dice (rows D3, D9, M2)."""
    payer = right if rules.loser == "winner" else wrong
    stakes = {"difference": max(1, off), "difference_plus_one": off + 1, "all": ALL}
    return _together(payer, stakes.get(rules.penalty, 1), rules, players)


def _together(player: Player, amount: int, rules: Ruleset, players: tuple[Player, ...]) -> Changes:
    """The loss of a player, and of his partners where they share it."""
    own = loss(player, amount, rules)
    if rules.teams != "share_loss":
        return (own,)
    others = (loss(partner, amount, rules) for partner in partners(players, player))
    return (own, *(change for change in others if change[0] != change[1]))


def _losses(players: Iterable[Player], spared: Player, rules: Ruleset) -> Changes:
    """Everybody but one loses a die or a life; who waits for the last chance loses nothing more."""
    lost = (loss(player, 1, rules) for player in players if not player.out and player is not spared)
    return tuple(change for change in lost if change[0] != change[1])


def loss(player: Player, amount: int, rules: Ruleset) -> Changed:
    """The loser's loss of so many dice or lives; where a tally is kept it is one mark, whatever was wrong."""
    if rules.penalty == "tally":
        return player, replace(player, marks=player.marks + 1)
    if rules.lives is None:
        dice = max(0, player.dice - amount)
        return player, replace(player, dice=dice, out=dice < rules.out_below)
    lives = max(0, player.lives - amount)
    last = player.palifico_used or rules.last_life == "out" or rules.loser == "winner"
    return player, replace(player, lives=lives, out=lives == 0 and last)


def _gain(player: Player, rules: Ruleset) -> Changes:
    """A die or a life more for the player, or a mark less; nothing when he has lost none."""
    if not missing(player, rules):
        return ()
    if rules.keeps_tally:
        return ((player, replace(player, marks=player.marks - 1)),)
    if rules.lives is None:
        return ((player, replace(player, dice=player.dice + 1)),)
    return ((player, replace(player, lives=player.lives + 1)),)


def missing(player: Player, rules: Ruleset) -> bool:
    """Whether the player has lost a die, or a life where those are played, or has a mark."""
    if rules.keeps_tally:
        return player.marks > 0
    if rules.lives is not None:
        return player.lives < rules.lives
    return player.dice < rules.starting_dice - player.handicap
