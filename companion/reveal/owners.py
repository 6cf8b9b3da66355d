"""Whose die is it: by hand, by the colour learnt at this table, by the place it lies in.

Colours are the reader's names. They are learnt under the table's own light, and players whose colours
could be taken for one another are refused rather than guessed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations

NEIGHBOURS = frozenset(
    frozenset(pair.split())
    for pair in (
        "white ivory",
        "white grey",
        "ivory yellow",
        "ivory wood",
        "yellow orange",
        "orange red",
        "orange wood",
        "red pink",
        "pink purple",
        "purple blue",
        "blue black",
        "green black",
        "blue green",
        "grey black",
    )
)
"""Names that one die may be given in turn as the light changes."""

ENOUGH = 5
"""Sightings of one name alone that tell a colour apart from its neighbours."""


@dataclass(frozen=True, slots=True)
class Colours:
    """What was learnt: the owner of each colour name, and the pairs of players that were refused."""

    owner: tuple[tuple[str, str], ...]
    refused: tuple[tuple[str, str], ...] = ()

    def by_player(self) -> dict[str, tuple[str, ...]]:
        """The colour names of each player, as `companion.reveal.state.begin` wants them."""
        names: dict[str, tuple[str, ...]] = {}
        for colour, player in self.owner:
            names[player] = (*names.get(player, ()), colour)
        return names


def lookalike(colours: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Pairs of players (given with the name of their colour) whose dice could be taken for one another."""
    pairs = combinations(colours.items(), 2)
    return tuple((p, q) for (p, a), (q, b) in pairs if a == b or frozenset((a, b)) in NEIGHBOURS)


def learn_colours(sightings: Mapping[str, Iterable[str]]) -> Colours:
    """Colours from the names read of each player's own dice, the more frames the better.

    Neighbouring names are told apart when every one of at least ENOUGH sightings on both sides says so;
    players sharing a name, or too little seen, are refused in pairs and own no colour.
    """
    seen = {player: Counter(names) for player, names in sightings.items()}
    refused = tuple((p, q) for p, q in combinations(seen, 2) if not _apart(seen[p], seen[q]))
    unsure = {player for pair in refused for player in pair}
    owner = tuple((name, player) for player, names in seen.items() if player not in unsure for name in names)
    return Colours(owner, refused)


def _apart(a: Counter[str], b: Counter[str]) -> bool:
    if a.keys() & b.keys():
        return False
    if not any(frozenset((x, y)) in NEIGHBOURS for x in a for y in b):
        return True
    return all(len(names) == 1 and names.total() >= ENOUGH for names in (a, b))


def owner_of(
    said: str | None, colour: str, place_player: str | None, owner_by_colour: Mapping[str, str]
) -> str | None:
    """The owner a person named, else the colour's, else the place's; None when nothing tells."""
    return said or owner_by_colour.get(colour) or place_player
