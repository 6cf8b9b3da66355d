"""Dice as the game sees them: faces 1 to 6, and how many of them match a bid."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from companion.errors import BadCommand

ACE = 1
FACES = (1, 2, 3, 4, 5, 6)

_ONE_FACE = re.compile(r"[1-6]")


def matching(faces: Sequence[int], face: int, wild: int) -> int:
    """How many of `faces` show `face` or the `wild` face (0: none is); a bid on that counts it once."""
    naturals = faces.count(face)
    return naturals + faces.count(wild) if wild and face != wild else naturals


def parse_hand(text: str) -> tuple[int, ...]:
    """The faces in "3,3,1,5,6" (commas, spaces or nothing between); raises BadCommand."""
    parts = [part for part in re.split(r"[,\s]+", text.strip()) if part]
    if len(parts) == 1:  # written without anything between
        parts = list(parts[0])
    if not all(_ONE_FACE.fullmatch(part) for part in parts):
        raise BadCommand("hand_unreadable", text=text)
    return tuple(int(part) for part in parts)


def hand_text(faces: Iterable[int]) -> str:
    """The form that `parse_hand` reads."""
    return ",".join(map(str, faces))
