"""The consequence of the players that a verdict changes: the winner, or who starts the next round."""

from __future__ import annotations

from dataclasses import dataclass

from companion.rules.players import ACES_COUNT, NORMAL, PALIFICO, Player, RoundKind
from companion.rules.position import Game
from companion.rules.verdict import Changes


@dataclass(frozen=True, slots=True)
class Outcome:
    """All players as a verdict leaves them, and what follows; without a winner there is a next round."""

    players: tuple[Player, ...]
    winner: str | None
    next_starter: str | None = None
    next_round_kind: RoundKind | None = None


def what_follows(game: Game, caller: str, changes: Changes) -> Outcome:
    """The players as they then are, winner, next starter and kind of the next round (rows D4, D5, D8, E1)."""
    rules, players = game.ruleset, game.players
    for before, after in changes:
        players = tuple([after if p is before else p for p in players])
    left = [p for p in players if not p.out]
    if rules.loser == "winner":
        through = [after.name for _, after in changes if after.out]
        if through:
            return Outcome(players, through[0])
    elif len(left) == 1:
        return Outcome(players, left[0].name)
    now = Game(rules, players, game.round, game.phase)
    starter = _starter(now, caller, changes)
    if now.player(starter).out:
        starter = now.after(starter)
    special, kind = _special(now, starter, changes, len(left))
    return Outcome(players, None, special or starter, kind)


def _starter(game: Game, caller: str, changes: Changes) -> str:
    """Who starts next by the table's custom, whether still in the game or not."""
    custom = game.ruleset.next_starter
    if custom == "loser":
        return changes[0][1].name if len(changes) == 1 else caller
    if custom == "caller":
        return caller
    return game.after(caller if custom == "left_of_caller" else game.round.starter)


def _special(game: Game, starter: str, changes: Changes, left: int) -> tuple[str | None, RoundKind]:
    """The special round that is due now and whose it is (rows F1 to F3, L2); never after a gain.

    Of several players the one who comes first from the starter on; who waits for the count of aces keeps
    waiting.
    """
    rules = game.ruleset
    if rules.lives is not None:
        if rules.last_life == "out" or rules.loser == "winner":
            return None, NORMAL
        due = {p.name for p in game.players if p.lives == 0 and not p.palifico_used and not p.out}
        return (_first_of(game, starter, due), ACES_COUNT) if due else (None, NORMAL)
    if rules.palifico in ("off", "optional") or not (left > 2 or rules.palifico_two_players):
        return None, NORMAL
    if rules.palifico == "every_one_die":
        return None, PALIFICO if game.player(starter).dice == 1 < rules.starting_dice else NORMAL
    due = {p.name for _, p in changes if p.dice == 1 and not p.palifico_used and not p.out}
    return (_first_of(game, starter, due), PALIFICO) if due else (None, NORMAL)


def _first_of(game: Game, start: str, names: set[str]) -> str:
    while start not in names:
        start = game.after(start)
    return start
