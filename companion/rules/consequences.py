"""The consequence of the players that a verdict changes: the winner, or who starts the next round;
the scores of a table that counts points."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

from companion.rules.players import ACES_COUNT, NORMAL, PALIFICO, Player, RoundKind, after
from companion.rules.position import Game
from companion.rules.ruleset import Ruleset
from companion.rules.teams import are_partners, one_side
from companion.rules.verdict import Changes


class Outcome(NamedTuple):
    """All players as a verdict leaves them, and what follows; without a winner there is a next round."""

    players: tuple[Player, ...]
    winner: str | None
    next_starter: str | None = None
    next_round_kind: RoundKind | None = None


def what_follows(game: Game, caller: str, changes: Changes) -> Outcome:
    """The players as they then are, winner, next starter and kind of the next round (rows D4, D5, D8, E1)."""
    rules, players = game.ruleset, game.players
    for before, changed in changes:
        players = tuple([changed if p is before else p for p in players])
    left = [p for p in players if not p.out]
    if rules.keeps_tally:
        if first := ahead(rules, left):
            return Outcome(players, first)
    elif rules.loser == "winner":
        through = [changed.name for _, changed in changes if changed.out]
        if through:
            return Outcome(players, through[0])
    elif one_side(left):
        return Outcome(players, left[0].name)
    starter = _starter(game, caller, changes)
    if starter not in [p.name for p in left]:
        starter = after(players, starter, game.round.clockwise)
    return Outcome(players, None, *_special(game, left, starter, changes))


def _starter(game: Game, caller: str, changes: Changes) -> str:
    """Who starts next by the table's custom, whether still in the game or not."""
    custom = game.ruleset.next_starter
    if custom == "loser":
        lost = [before for before, after in changes if _holds(after) <= _holds(before)]
        return lost[0].name if len(lost) == 1 or are_partners(lost) else caller
    if custom == "caller":
        return caller
    return game.after(caller if custom == "left_of_caller" else game.round.starter)


def _holds(player: Player) -> tuple[int, int, int]:
    return player.dice, player.lives, -player.marks


def _special(game: Game, left: Sequence[Player], starter: str, changes: Changes) -> tuple[str, RoundKind]:
    """Who starts, and the special round that is due (rows F1 to F3, L2); never after a gain.

    Of several players the one who comes first from the starter on; who waits for the count of aces keeps
    waiting.
    """
    rules = game.ruleset
    if rules.keeps_tally:
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


def ahead(rules: Ruleset, inside: Sequence[Player]) -> str | None:
    """Who wins by the marks of those in the game: None before anybody has `tally_to`, and while sides are
    level.

    The fewest marks win, or the most where the right give and get them. A team counts by its mean.
    """
    if max(player.marks for player in inside) < rules.tally_to:
        return None
    means = _means(inside)
    best = max(means.values()) if rules.loser == "winner" else min(means.values())
    leading = [side for side, mean in means.items() if mean == best]
    if len(leading) > 1:
        return None
    return next(player.name for player in inside if _side(player) == leading[0])


def marks_of_a_newcomer(rules: Ruleset, inside: Iterable[Player]) -> int:
    """As many as whoever is worst off: the most, or the fewest where marks win."""
    marks = [player.marks for player in inside]
    return min(marks) if rules.loser == "winner" else max(marks)


def _side(player: Player) -> str | int:
    return player.team or player.name


def _means(inside: Sequence[Player]) -> dict[str | int, Fraction]:
    sides: dict[str | int, list[int]] = {}
    for player in inside:
        sides.setdefault(_side(player), []).append(player.marks)
    return {side: Fraction(sum(marks), len(marks)) for side, marks in sides.items()}
