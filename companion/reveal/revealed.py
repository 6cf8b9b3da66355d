"""A die as the whole reveal sees it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RevealedDie:
    """One die, all its frames merged.

    `face` is the one that counts (0: unread), `faces` the readings, likeliest first. x and y are fractions of
    the newest picture of its place, size of its width; None for a die known by hand alone.

    `struck` dice, and those with a `twin` (the same die in another place's picture), are shown but not
    counted. `why` names what makes it uncertain. `chances` are the probabilities of the faces 1 to 6; what is
    missing to one is no die of the game. Empty where an observation gave none.
    """

    id: str
    face: int
    faces: tuple[int, ...]
    certain: bool
    by_hand: bool
    struck: bool
    confidence: float
    matches: bool
    place: str | None = None
    x: float | None = None
    y: float | None = None
    size: float = 0.0
    picture: str = ""
    colour: str = ""
    owner: str | None = None
    why: tuple[str, ...] = ()
    angle: float | None = None
    twin: str | None = None
    chances: tuple[float, ...] = ()

    @property
    def counted(self) -> bool:
        """Whether it takes part in the tally: neither struck nor counted elsewhere."""
        return not self.struck and self.twin is None
