"""A small table for tests of the reveal: true dice that lie somewhere, and a reader that errs as asked."""

from __future__ import annotations

import cmath
import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from random import Random

from companion.reveal.assessing import Assessment
from companion.reveal.claims import Claim, Kind
from companion.reveal.corrections import Correction
from companion.reveal.observations import Observation, SeenDie, SeenDoubt
from companion.reveal.state import RevealState, with_correction, with_observation

HEIGHT = 0.75
LOST = 0.06
"""Dice that rolled off the table, on the mean."""
CERTAIN_NONE, CERTAIN_WRONG = 4e-4, 1e-4
"""Chances that a certain die is nobody's, or shows another face."""
THING = 0.21
"""The reader's probability of an undetected die at a thing."""
THINGS_IN_VIEW = 2
"""Places beside the dice where a picture may show something, on the mean."""
SIZE = 0.05


@dataclass(frozen=True)
class TrueDie:
    """A real die: where it lies on the table (in picture widths), what it shows and whose it is."""

    face: int
    z: complex
    colour: str = "ivory"
    owner: str | None = None
    angle_deg: float = 0.0


@dataclass(frozen=True)
class Picture:
    """What was read in so many `photographs` of one source: of their `dice` so many with doubt, and so on."""

    photographs: int
    dice: int
    uncertain: int = 0
    missed: int = 0
    ghosts: int = 0
    things: int = 0
    doubted: bool = False
    unread: float = 0.03


@dataclass(frozen=True)
class Errors:
    """How often a reader errs, per die or per frame. One that is `calibrated` knows how likely it errs.

    `things`: chance that something beside the dice is doubted. `uncertain_none`: the reader's probability
    that an uncertain die is none. `bad_frame`: rate of certain misreadings and missed dice in one frame of
    several.
    `persistent`: all frames of a place show a die alike. `doubted`: so is the picture as a whole.
    `unread_claimed`: the expected number of dice without a detection, as the reader claims it. `sources`:
    photographs, of which one is drawn for each place.
    """

    uncertain: float = 0.06
    misread: float = 0.5
    certain_wrong: float = 0.0
    missed: float = 0.01
    ghost: float = 0.02
    unread: float = 0.01
    hand: float = 0.05
    jitter: float = 0.1
    colour_unclear: float = 0.03
    colour_wrong: float = 0.01
    calibrated: bool = False
    things: float = 0.0
    uncertain_none: float = 0.1
    bad_frame: float = 0.02
    persistent: bool = False
    doubted: bool = False
    unread_claimed: float = 0.0
    sources: tuple[tuple[Picture, ...], ...] = ()

    def at(self, table: Table, place: str) -> Errors:
        """The errors in the pictures of one place: of `sources` one is drawn for the table, whose light and
        cloth are the same in all its pictures, and one of its photographs for each place."""
        if not self.sources or not table.dice:
            return self
        source = Random(f"{table.dice[0]}").choice(self.sources)
        weights = [picture.photographs for picture in source]
        picture = Random(f"{table.dice[0]} {place}").choices(source, weights)[0]
        return replace(
            self,
            uncertain=picture.uncertain / picture.dice,
            missed=picture.missed / picture.dice,
            ghost=min(1.0, picture.ghosts / THINGS_IN_VIEW),
            things=min(1.0, picture.things / THINGS_IN_VIEW),
            doubted=picture.doubted,
            unread_claimed=picture.unread,
        )


MEASURED = Errors(
    uncertain=0.012,
    misread=0.033,
    certain_wrong=1e-4,
    missed=0.004,
    ghost=0.01,
    unread=0.002,
    calibrated=True,
    things=0.17,
    uncertain_none=0.105,
    bad_frame=0.0,
    persistent=True,
)
"""Of 769 dice in 193 photographs from above (king, wik, damian, kamil, marceli, azb): 9 of 766 read are
uncertain, none of them wrong, none of the certain ones; 3 are missed, 6 ghosts, 99 things doubted. What was
never seen has the rate that the reader tells, and frames of one place err together (measured.md)."""


_MARKS = {"u": "uncertain", "m": "missed", "g": "ghosts", "t": "things"}


def _picture(text: str) -> Picture:
    """ "2/3+g1+.05": two photographs of three dice, one ghost, unread; "d" is doubted as a whole."""
    numbers, *marks = text.split("+")
    found = {_MARKS[mark[0]]: int(mark[1:]) for mark in marks if mark[0] in _MARKS}
    unread = next((float(mark) for mark in marks if mark[0] == "."), Picture.unread)
    return Picture(*map(int, numbers.split("/")), **found, doubted="d" in marks, unread=unread)


_SOURCES = """
10/6
28/7 1/7+t1 1/7+t2+.04 1/7+t9+.05
78/3 1/5+t1 1/1+u1+.06
10/3+.02 1/4+d+.02 2/2+t1+.02 1/3+t4+.05 1/8+t9+.1 1/6+g1+t3+.1
21/3 1/3+t1 1/3+t2 1/3+t4 1/3+t5+.06 1/2+t8+.05 1/3+t20+.19
    2/3+g1+.05 1/3+g1+t1+.06 1/2+g1+t5+.06 1/3+g1+t8+.18 1/2+u2+.08
9/7 2/4+d 1/6+u1+.05 1/36+u5+m3+t3+.77
"""

PICTURED = replace(
    MEASURED,
    sources=tuple(
        tuple(map(_picture, line.split())) for line in _SOURCES.replace("\n    ", " ").strip().split("\n")
    ),
)
"""The same photographs, picture by picture: king, wik, damian, kamil, marceli, azb, each source with the same
weight. Uncertain dice and things come together: 159 of 193 pictures have neither. `unread` is what
the reader tells of dice of which nothing tells, calibrated without the source."""


@dataclass(frozen=True)
class View:
    """Where the camera stands over the table: the picture shows `turn` * (z - centre), centred."""

    centre: complex = complex(0.5, HEIGHT / 2)
    turn: complex = 1

    def picture(self, z: complex) -> complex:
        return self.turn * (z - self.centre) + complex(0.5, HEIGHT / 2)


@dataclass(frozen=True)
class Table:
    dice: tuple[TrueDie, ...]
    ghosts: tuple[complex, ...] = field(default=())


def seen(face: int, x: float, y: float, *, certain: bool = True, **more: object) -> SeenDie:
    """A die of a look, by its fractions of the picture."""
    values: dict[str, object] = {"size": SIZE, "confidence": 0.99 if certain else 0.6, "colour": "ivory"}
    return SeenDie(face=face, x=x, y=y, certain=certain, **{**values, **more})  # type: ignore[arg-type]


def observation(
    dice: Sequence[SeenDie], doubts: Sequence[SeenDoubt] = (), certain: bool | None = None
) -> Observation:
    sure = not doubts and all(die.certain for die in dice) if certain is None else certain
    return Observation(1000, 750, tuple(dice), sure, tuple(doubts), "picture")


def row(faces: Sequence[int], y: float = 0.5, uncertain: Sequence[int] = (), **more: object) -> Observation:
    """A look at dice in a row, those at the given indices uncertain."""
    gap = 0.9 / max(1, len(faces))
    dice = [seen(f, 0.05 + gap * i, y, certain=i not in uncertain, **more) for i, f in enumerate(faces) if f]
    return observation(dice)


def scattered(rng: Random, count: int, width: float = 0.9, gap: float = 1.05) -> list[complex]:
    """Places of dice that do not overlap, within `width` of the picture's middle."""
    found: list[complex] = []
    while len(found) < count:
        z = complex(0.5 + width * (rng.random() - 0.5), HEIGHT * (0.5 + width * (rng.random() - 0.5)))
        if all(abs(z - other) >= gap * SIZE for other in found):
            found.append(z)
    return found


def photograph(table: Table, view: View, errors: Errors, rng: Random) -> Observation:
    """What a reader with these errors says of the table from this view."""
    dice, doubts = [], []
    palette = sorted({die.colour for die in table.dice})
    hand = _hand(rng) if rng.random() < errors.hand else None
    for die in table.dice:
        z = view.picture(die.z) + SIZE * errors.jitter * complex(rng.gauss(0, 1), rng.gauss(0, 1))
        how = Random(f"{die} {view.turn}") if errors.persistent else rng
        if not _inside(z) or (hand and abs(z - hand[0]) < hand[1]) or how.random() < errors.missed:
            continue
        if how.random() < errors.unread:
            doubts.append(SeenDoubt("unread_body", z.real, z.imag / HEIGHT, SIZE, 0.9))
        else:
            angle = (die.angle_deg + math.degrees(cmath.phase(view.turn)) + rng.gauss(0, 2)) % 90
            colour = _coloured(die, palette, errors, rng)
            dice.append(replace(_read(die, z, errors, how), angle=angle, colour=colour))
    for ghost in table.ghosts:
        z = view.picture(ghost)
        how = Random(f"{ghost}") if errors.persistent else rng
        chance = how.random()
        if _inside(z) and chance < errors.ghost:
            dice.append(seen(how.randint(1, 6), z.real, z.imag / HEIGHT, certain=False))
        elif _inside(z) and chance < errors.ghost + errors.things:
            doubts.append(SeenDoubt("die_like", z.real, z.imag / HEIGHT, SIZE, THING))
    rng.shuffle(dice)
    if errors.doubted:
        doubts.append(SeenDoubt("torn"))
    return _calibrated(observation(dice, doubts), errors) if errors.calibrated else observation(dice, doubts)


def _calibrated(observation: Observation, errors: Errors) -> Observation:
    """The look with how likely each die is another, or none; nothing tells of one that is lost."""
    dice = tuple(replace(die, chances=_chances(die, errors)) for die in observation.dice)
    return replace(observation, dice=dice, unread=LOST + (errors.unread_claimed or errors.missed * len(dice)))


def _chances(die: SeenDie, errors: Errors) -> tuple[float, ...]:
    if die.certain:
        none, other = CERTAIN_NONE, errors.certain_wrong + CERTAIN_WRONG
    else:
        none, other = errors.uncertain_none, errors.misread
    return tuple((1 - none) * (1 - other if face == die.face else other / 5) for face in range(1, 7))


def _hand(rng: Random) -> tuple[complex, float]:
    return complex(rng.random(), HEIGHT * rng.random()), 0.1 + 0.15 * rng.random()


def _inside(z: complex) -> bool:
    return SIZE / 2 < z.real < 1 - SIZE / 2 and SIZE / 2 < z.imag < HEIGHT - SIZE / 2


def _read(die: TrueDie, z: complex, errors: Errors, rng: Random) -> SeenDie:
    good = seen(die.face, z.real, z.imag / HEIGHT, colour=die.colour)
    wrong = rng.choice([face for face in range(1, 7) if face != die.face])
    if rng.random() < errors.certain_wrong:
        return replace(good, face=wrong)
    if rng.random() < errors.uncertain:
        misread = rng.random() < errors.misread
        return replace(
            good, face=wrong if misread else die.face, certain=False, confidence=rng.uniform(0.3, 0.9)
        )
    return good


def _coloured(die: TrueDie, palette: Sequence[str], errors: Errors, rng: Random) -> str:
    """The colour as it is read: now and then that of somebody else's dice, or nobody's."""
    chance = rng.random()
    if chance < errors.colour_wrong:
        return rng.choice(palette)
    return "" if chance < errors.colour_wrong + errors.colour_unclear else die.colour


def turned(degrees: float) -> complex:
    return cmath.rect(1, degrees * cmath.pi / 180)


FIVES = Claim(Kind.DUDO, 5, 4, wild=True)


def dudo(quantity: int) -> Claim:
    return replace(FIVES, quantity=quantity)


def after(state: RevealState, *steps: Observation | Correction, place: str = "all") -> RevealState:
    for step in steps:
        state = (
            with_observation(state, place, step)
            if isinstance(step, Observation)
            else with_correction(state, step)
        )
    return state


def keys(found: Assessment) -> set[str]:
    return {problem.key for problem in found.problems}
