"""Which choices a starter has before the first bid: the reason why not (rows F9, F11, S4)."""

from __future__ import annotations

from typing import get_args

from companion.rules.calls import ChooseDirection, ChooseVisibility, DeclarePalifico, Visibility, Way
from companion.rules.players import NORMAL, PALIFICO, Player
from companion.rules.position import Game


def check_visibility(call: ChooseVisibility, caller: Player, game: Game) -> str | None:
    known = call.visibility in get_args(Visibility)
    allowed = _may_choose(game) and known and call.by == game.round.starter
    return None if allowed else "visibility_not_allowed"


def choice_is_due(game: Game) -> bool:
    """Whether the starter of a palifico has still to choose how it is looked at. The rules alone let a bid
    stand without it: a table that enters its bids does not."""
    return _may_choose(game) and game.round.visibility is None


def _may_choose(game: Game) -> bool:
    now = game.round
    return game.ruleset.palifico_view == "choice" and now.kind is PALIFICO and not now.bids


def check_direction(call: ChooseDirection, caller: Player, game: Game) -> str | None:
    """The starter chooses, before any bid (row S4)."""
    now = game.round
    way = game.ruleset.direction
    possible = way == "starter_chooses" or (way == "first_starter_chooses" and now.number == 1)
    known = call.direction in get_args(Way)
    return None if possible and known and not now.bids and call.by == now.starter else "direction_not_allowed"


def check_declared(call: DeclarePalifico, caller: Player, game: Game) -> str | None:
    """The starter with one die may say palifico once a game, before any bid (row F11)."""
    rules, now = game.ruleset, game.round
    lives = rules.lives is not None or rules.keeps_tally
    if rules.palifico != "optional" or lives or rules.starting_dice == 1:
        return "palifico_not_declared"
    if now.bids or now.kind is not NORMAL or call.by != now.starter:
        return "palifico_too_late"
    if caller.dice != 1 or caller.palifico_used:
        return "palifico_needs_one_die"
    enough = rules.palifico_two_players or len(game.inside) > 2
    return None if enough else "palifico_two_left"
