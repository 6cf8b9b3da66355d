"""The roll for seats and starter: one die each, or the sum of several (row S2).

Those who tie roll again among themselves, for their places.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from companion.errors import BadCommand
from companion.rules.dice import FACES
from companion.rules.ruleset import Order

Rolls = Mapping[str, int]


class RollOff(Struct, frozen=True):
    """Where a roll-off stands: the groups that roll again, or the starter and, with `all`, the seats."""

    starter: str | None
    order: tuple[str, ...]
    reroll: tuple[tuple[str, ...], ...]


def roll_off(names: Sequence[str], rounds: Sequence[Rolls], order: Order, dice: int = 1) -> RollOff:
    """Judge the rolls so far, each the sum of so many `dice`.

    Raises BadCommand for a sum that they cannot show, or the wrong people rolling.

    The first round has everybody's roll, each later one the rolls of some or all groups that were tied. A
    re-roll decides inside the tied group's places only, so a high one overtakes nobody else.
    """
    groups: list[tuple[str, ...]] = [tuple(names)]
    for rolls in rounds:
        rolling = [group for group in _tied(groups, order) if rolls.keys() >= set(group)]
        _check(rolls, rolling, _tied(groups, order), dice)
        groups = [part for group in groups for part in _split(group, rolls if group in rolling else {})]
    tied = _tied(groups, order)
    if tied:
        return RollOff(None, (), tuple(tied))
    seats = tuple(group[0] for group in groups) if order == "all" else ()
    return RollOff(groups[0][0], seats, ())


def _tied(groups: Sequence[tuple[str, ...]], order: Order) -> list[tuple[str, ...]]:
    """The groups whose places are still open and matter."""
    concerned = groups if order == "all" else groups[:1]
    return [group for group in concerned if len(group) > 1]


def _check(
    rolls: Rolls, rolling: Sequence[tuple[str, ...]], tied: Sequence[tuple[str, ...]], dice: int
) -> None:
    if not rolls or set(rolls) != {name for group in rolling for name in group}:
        raise BadCommand("rolloff_wrong_players", players=", ".join(name for group in tied for name in group))
    most = FACES[-1] * dice
    for rolled in rolls.values():
        if not dice <= rolled <= most:
            raise BadCommand("bad_face" if dice == 1 else "bad_roll", least=dice, most=most)


def _split(group: tuple[str, ...], rolls: Rolls) -> Iterator[tuple[str, ...]]:
    """The group by falling roll, those with the same roll together; untouched without rolls."""
    if not rolls:
        yield group
        return
    for rolled in sorted({rolls[name] for name in group}, reverse=True):
        yield tuple(name for name in group if rolls[name] == rolled)
