"""Whose die is it: by hand, by the cup in whose picture it lies, by the colour learnt at this table.

Colours are learnt as they look in the pictures of this table, not by their names. A name changes with the
light; one player's dice stay more like each other than like any other player's. Players whose colours are
too close are refused, and a die between two colours has no owner.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from msgspec import Struct

from companion.reveal.observations import Observation, Rgb, SeenDie

Lab = tuple[float, float, float]

LIGHTNESS = 0.5
"""Weight of a difference of lightness beside one of hue: exposure and shadows change lightness first."""

ALIKE = 20.0
"""Colours no further apart than this could be taken for one another, nor those no further apart than the dice
of one of them are from their mean: a lamp's shine makes one die of five much paler."""

MIXED = 55.0
"""Two dice further apart than this are of two colours. Red dice in shine and in shade were 46 apart."""

CLEAR = 0.5
"""A die is a player's when it is at most this share as far from the player's colour as from any other."""

LIKELY = 0.75
"""Or this share, when most dice that are equal to it in the same picture are clearly that player's."""

STRANGE = 60.0
STRANGER = "strange"
"""A die further than this from everybody's colour is none of theirs, and its colour is called so."""

_TO_XYZ = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
_WHITE = (0.9505, 1.0, 1.089)


class Colour(Struct, frozen=True):
    """The colour of one player's dice: its name, and its place in CIE L*a*b*.

    The name is "" for dice that could be taken for another player's.
    """

    player: str
    name: str
    lab: Lab


def lab_of(rgb: Rgb) -> Lab:
    """CIE L*a*b* (D65) of a picture's colour; source: CIE 15, and IEC 61966-2-1 for sRGB."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (v / 255 for v in rgb)]
    mixed = (sum(k * c for k, c in zip(row, linear, strict=True)) for row in _TO_XYZ)
    x, y, z = (_root(value / white) for value, white in zip(mixed, _WHITE, strict=True))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _root(value: float) -> float:
    return math.cbrt(value) if value > 0.008856 else 7.787 * value + 16 / 116


def apart(a: Lab, b: Lab) -> float:
    """How far two colours are from one another, lightness counting less."""
    return math.hypot(LIGHTNESS * (a[0] - b[0]), a[1] - b[1], a[2] - b[2])


def learn_colours(shown: Mapping[str, Iterable[SeenDie]]) -> tuple[Colour, ...]:
    """Colours from pictures of each player's own dice; dice whose colour was not measured teach nothing."""
    seen = {player: [d for d in dice if d.rgb is not None] for player, dice in shown.items()}
    means = {player: _mean(dice) for player, dice in seen.items() if dice}
    spread = {
        player: max(apart(mean, lab_of(d.rgb)) for d in seen[player] if d.rgb)
        for player, mean in means.items()
    }
    pairs = [
        (one, two)
        for one, two in combinations(means, 2)
        if apart(means[one], means[two]) <= max(ALIKE, spread[one], spread[two])
    ]
    alike = {player for pair in pairs for player in pair}
    names = {player: Counter(d.colour for d in seen[player]).most_common(1)[0][0] for player in means}
    return tuple(
        Colour(player, "" if player in alike else _own_name(player, names), mean)
        for player, mean in means.items()
    )


def of_one_colour(dice: Sequence[SeenDie]) -> bool:
    """Whether these dice, whose colour was measured, can be one player's."""
    found = [lab_of(die.rgb) for die in dice if die.rgb]
    return all(apart(one, other) <= MIXED for one, other in combinations(found, 2))


def alike(colours: Iterable[Colour]) -> tuple[str, ...]:
    """The players whose dice are too similar to somebody else's to be identified by colour."""
    return tuple(colour.player for colour in colours if not colour.name)


def _mean(dice: Iterable[SeenDie]) -> Lab:
    found = [lab_of(die.rgb) for die in dice if die.rgb]
    a, b, c = (sum(part) / len(found) for part in zip(*found, strict=True))
    return a, b, c


def _own_name(player: str, names: Mapping[str, str]) -> str:
    """The reader's name of the colour, with the player's name added where another's colour has the same
    name."""
    name = names[player]
    return name if list(names.values()).count(name) == 1 else f"{name} ({player})"


def plain(name: str) -> str:
    """A colour's name without the player's: "" for one that was not learnt to be anybody's."""
    return "" if name == STRANGER else name.partition(" (")[0]


def named(observation: Observation, colours: Sequence[Colour]) -> Observation:
    """The observation with the learnt colour name of every die: none for a die between two, unless it is
    nearer to that of the dice it equals."""
    if not colours:
        return observation
    dice = tuple(replace(die, colour=_name(die, colours, CLEAR)) for die in observation.dice)
    return replace(observation, dice=tuple(_as_its_group(die, dice, colours) for die in dice))


def _as_its_group(die: SeenDie, dice: Sequence[SeenDie], colours: Sequence[Colour]) -> SeenDie:
    """The die with the one colour of its group of equal dice, if it leans to that and most have it."""
    if die.colour or die.rgb is None or die.group is None:
        return die
    group = [other.colour for other in dice if other.group == die.group]
    clear = {name for name in group if name}
    likely = _name(die, colours, LIKELY)
    alone = clear == {likely} and 2 * group.count(likely) >= len(group)
    return replace(die, colour=likely) if alone else die


def _name(die: SeenDie, known: Sequence[Colour], clear: float) -> str:
    if die.rgb is None:
        return die.colour
    here = lab_of(die.rgb)
    order = sorted((apart(here, colour.lab), colour.name) for colour in known)
    nearest, name = order[0]
    if nearest > STRANGE:
        return STRANGER
    return name if len(order) == 1 or nearest <= clear * order[1][0] else ""
