"""Games of the rules alone, begun from names."""

from collections.abc import Sequence

from companion.rules.events import Started
from companion.rules.game import start
from companion.rules.position import Game
from companion.rules.ruleset import Ruleset


def new_game(
    ruleset: Ruleset,
    players: Sequence[str] | Sequence[tuple[str, str]],
    starter: str | None = None,
    handicaps: tuple[tuple[str, int], ...] = (),
) -> Game:
    """A game that begins: names, or (name, colour), clockwise; without `starter` with the roll-off."""
    named = tuple((p, "") if isinstance(p, str) else (p[0], p[1]) for p in players)
    return start(Started(ruleset, named, starter, handicaps))
