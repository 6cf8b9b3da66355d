"""Partners: who plays with whom, by seats, and which side has won (rows M1, M2)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from companion.rules.players import Player
from companion.rules.ruleset import Ruleset


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
