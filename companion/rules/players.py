"""Who sits where: players clockwise, their dice, the kinds of round that fall to them, who are partners
(rows M1, M2), and who is ahead by a tally (row E3).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from companion.rules.ruleset import Ruleset


class RoundKind(StrEnum):
    """Normal, or a player's one special round: palifico, or the count of aces in a game with lives."""

    NORMAL = "normal"
    PALIFICO = "palifico"
    ACES_COUNT = "aces_count"


#: The members used at every step, for Python 3.11 takes longer to find one than to compare a bid.
NORMAL, PALIFICO, ACES_COUNT = RoundKind.NORMAL, RoundKind.PALIFICO, RoundKind.ACES_COUNT


class Player(Struct, frozen=True):
    """One seat. `lives` counts in a game with lives only.

    `palifico_used`: his special round (palifico or aces count-up) has begun, which happens once a game.
    `left`: he has gone home, which is more than being `out`. `handicap`: with how many dice fewer than the
    others he began. `team`: the number of his team, 0 for none. `marks`: his on
    the tally, where one is kept. `calza_used`: he has called calza in this game, where that counts.
    """

    name: str
    colour: str = ""
    dice: int = 5
    lives: int = 0
    palifico_used: bool = False
    out: bool = False
    left: bool = False
    handicap: int = 0
    team: int = 0
    marks: int = 0
    calza_used: bool = False


def playing(players: Iterable[Player]) -> tuple[Player, ...]:
    """Those who are still in the game."""
    return tuple(p for p in players if not p.out)


def dice_in_play(players: Iterable[Player]) -> int:
    """All dice of those still in the game."""
    return sum([p.dice for p in players if not p.out])


def after(players: Sequence[Player], name: str, clockwise: bool) -> str:
    """The next player who is still in the game, the way round that bids go."""
    met, seats = False, players if clockwise else players[::-1]
    for player in seats:
        if met and not player.out:
            return player.name
        if player.name == name:
            met = True
    for player in seats:
        if not player.out:
            return player.name
    raise ValueError("nobody is left in the game")


def teamed(rules: Ruleset, players: Sequence[Player]) -> tuple[Player, ...]:
    """The players as they sit, in teams by turns: with two teams every other player is a partner."""
    if rules.teams == "off":
        return tuple(players)
    return tuple(replace(p, team=seat % rules.team_count + 1) for seat, p in enumerate(players))


def smallest_team(rules: Ruleset, players: Iterable[Player]) -> int:
    """The team of somebody who comes late: the one with the fewest still in the game; 0 without teams."""
    if rules.teams == "off":
        return 0
    teams = [p.team for p in players if not p.out]
    return min(range(1, rules.team_count + 1), key=lambda team: (teams.count(team), team))


def partners(players: Iterable[Player], player: Player) -> tuple[Player, ...]:
    """The others of a player's team who are still in the game."""
    return tuple(
        p for p in players if player.team and p.team == player.team and p is not player and not p.out
    )


def are_partners(players: Sequence[Player]) -> bool:
    """Whether these are several, and all of one team."""
    return len(players) > 1 and players[0].team > 0 and len({p.team for p in players}) == 1


def one_side(left: Sequence[Player]) -> bool:
    """Whether those who are left are one player, or one team."""
    return len(left) == 1 or are_partners(left)


def winners(players: Iterable[Player], winner: str) -> tuple[str, ...]:
    """Everybody who wins with the winner, in or out of the game, without those who have gone home."""
    everybody = tuple(players)
    team = next(p.team for p in everybody if p.name == winner)
    mates = tuple(p.name for p in everybody if team and p.team == team and not p.left)
    return mates or (winner,)


def ahead(rules: Ruleset, inside: Sequence[Player]) -> str | None:
    """Who wins by the marks of those in the game: None before anybody has `tally_to`, while sides are level,
    and where no tally is kept.

    The fewest marks win, or the most where the right give and get them. A team counts by its mean.
    """
    if not rules.keeps_tally or max((player.marks for player in inside), default=0) < rules.tally_to:
        return None
    means = _means(inside)
    best = max(means.values()) if rules.loser == "winner" else min(means.values())
    leading = [side for side, mean in means.items() if mean == best]
    if len(leading) > 1:
        return None
    return next(player.name for player in inside if _side(player) == leading[0])


def _side(player: Player) -> str | int:
    return player.team or player.name


def _means(inside: Sequence[Player]) -> dict[str | int, Fraction]:
    sides: dict[str | int, list[int]] = {}
    for player in inside:
        sides.setdefault(_side(player), []).append(player.marks)
    return {side: Fraction(sum(marks), len(marks)) for side, marks in sides.items()}
