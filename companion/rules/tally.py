"""A tally in place of lost dice: marks for the wrong, and whom they make the winner (rows D11, E3)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from companion.rules.players import Player
from companion.rules.ruleset import Ruleset


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
