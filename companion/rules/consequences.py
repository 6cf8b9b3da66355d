"""The cost of a count of matching dice, from a dispute to the players it changes, and what follows: the
winner, or who starts the next round. Also the scores of a table that counts points.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from companion.rules.bids import Bid
from companion.rules.players import (
    ACES_COUNT,
    NORMAL,
    PALIFICO,
    Player,
    RoundKind,
    after,
    ahead,
    are_partners,
    one_side,
    partners,
)
from companion.rules.position import Game
from companion.rules.ruleset import Ruleset
from companion.rules.verdict import Changed, Changes, better_off

ALL = 1_000
"""More dice or lives than anybody has."""


class Dispute(Struct, frozen=True):
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
        return settle(right, wrong, off, self.rules, self.players, self.by_calza)

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


def settle(
    right: Player, wrong: Player, off: int, rules: Ruleset, players: tuple[Player, ...], calza: bool = False
) -> Changes:
    """The players after `wrong` was wrong against `right`, by `off` dice (rows D3, D9, M2, Z5)."""
    payer = right if rules.loser == "winner" else wrong
    stakes = {"difference": max(1, off), "difference_plus_one": off + 1, "calza_two": 1 + calza, "all": ALL}
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
    """The loser's loss of so many dice or lives; where a tally is kept it is one mark, whatever was wrong.

    Where dice are gained each counts as a mark too, and one with all of them is out.
    """
    if rules.penalty == "tally":
        return player, replace(player, marks=player.marks + 1)
    if rules.gains_dice:
        out = player.dice == rules.starting_dice
        return player, replace(player, marks=player.marks + 1, dice=player.dice + (not out), out=out)
    if rules.lives is None:
        dice = max(0, player.dice - amount)
        return player, replace(player, dice=dice, out=dice < rules.out_below)
    lives = max(0, player.lives - amount)
    last = player.palifico_used or rules.last_life == "out" or rules.loser == "winner"
    return player, replace(player, lives=lives, out=lives == 0 and last)


def _gain(player: Player, rules: Ruleset) -> Changes:
    """A die or a life more for the player, or two, or so many marks less; no more than he has lost."""
    back = min(missing(player, rules), 2 if rules.calza_exact == "regain_two" else 1)
    if not back:
        return ()
    if rules.keeps_tally:
        return ((player, replace(player, marks=player.marks - back)),)
    if rules.gains_dice:
        return ((player, replace(player, marks=player.marks - back, dice=player.dice - back)),)
    if rules.lives is None:
        return ((player, replace(player, dice=player.dice + back)),)
    return ((player, replace(player, lives=player.lives + back)),)


def missing(player: Player, rules: Ruleset) -> int:
    """How many dice the player has lost, or gained, or lives lost where those are played, or his marks."""
    if rules.keeps_tally:
        return player.marks
    if rules.gains_dice:
        return player.dice - rules.first_dice
    if rules.lives is not None:
        return rules.lives - player.lives
    return rules.starting_dice - player.handicap - player.dice


Outcome = tuple[tuple[Player, ...], str | None, str | None, RoundKind | None]
"""All players as a verdict leaves them, the winner, or else the next starter and the kind of his round."""


def what_follows(game: Game, caller: str, changes: Changes) -> Outcome:
    """The players as they then are, winner, next starter and kind of the next round (rows D4, D5, D8, E1)."""
    rules, players = game.ruleset, game.players
    for before, changed in changes:
        players = tuple([changed if p is before else p for p in players])
    left = [p for p in players if not p.out]
    if rules.keeps_tally:
        if first := ahead(rules, left):
            return players, first, None, None
    elif rules.loser == "winner":
        through = [changed.name for _, changed in changes if changed.out]
        if through:
            return players, through[0], None, None
    elif one_side(left):
        return players, left[0].name, None, None
    starter = _starter(game, caller, changes)
    if starter not in [p.name for p in left]:
        starter = after(players, starter, game.round.clockwise)
    return players, None, *_special(game, left, starter, changes)


def _starter(game: Game, caller: str, changes: Changes) -> str:
    """Who starts next by the table's custom, whether still in the game or not."""
    custom = game.ruleset.next_starter
    if custom == "loser":
        lost = [before for before, after in changes if better_off(before, after) <= 0]
        return lost[0].name if len(lost) == 1 or are_partners(lost) else caller
    if custom == "caller":
        return caller
    return game.after(caller if custom == "left_of_caller" else game.round.starter)


def _special(game: Game, left: Sequence[Player], starter: str, changes: Changes) -> tuple[str, RoundKind]:
    """Who starts, and the special round that is due (rows F1 to F3, L2); never after a gain.

    Of several players the one who comes first from the starter on; who waits for the count of aces keeps
    waiting.
    """
    rules = game.ruleset
    if rules.keeps_tally or rules.gains_dice:
        return starter, NORMAL
    if rules.lives is not None:
        if rules.last_life == "out" or rules.loser == "winner":
            return starter, NORMAL
        due, kind = {p.name for p in left if p.lives == 0 and not p.palifico_used}, ACES_COUNT
    elif rules.palifico in ("off", "optional") or not (len(left) > 2 or rules.palifico_two_players):
        return starter, NORMAL
    elif rules.palifico == "every_one_die":
        single = rules.starting_dice > 1 and any(p.dice == 1 for p in left if p.name == starter)
        return starter, PALIFICO if single else NORMAL
    else:
        due = {p.name for _, p in changes if p.dice == 1 and not p.palifico_used and not p.out}
        kind = PALIFICO
    return (_first_of(left, starter, due, game.round.clockwise), kind) if due else (starter, NORMAL)


def _first_of(left: Sequence[Player], start: str, names: set[str], clockwise: bool) -> str:
    while start not in names:
        start = after(left, start, clockwise)
    return start
