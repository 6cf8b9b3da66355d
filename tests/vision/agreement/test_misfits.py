"""Dice that do not fit beside one another are never certain."""

from __future__ import annotations

from dataclasses import replace

import pytest

from vision.agreement.misfits import doubting_misfits
from vision.values import Die


def die(x: float = 100.0, size: float = 40.0) -> Die:
    return Die(4, x, 100.0, size, 0.0, 0.95, True, "white")


@pytest.mark.parametrize(
    ("other", "why", "reason"),
    [
        (die(x=145), (), "a die beside it"),
        (die(x=135), ("low_confidence",), "nearer than dice can lie: a side face"),
        (die(x=300, size=75), ("odd_size",), "a domino's half, or a die of another game"),
    ],
)
def test_misfits_are_never_certain(other: Die, why: tuple[str, ...], reason: str) -> None:
    fits = [die(x=x) for x in (100.0, 500.0, 560.0)]
    doubted = doubting_misfits([*fits, other])
    assert doubted[-1].why == why, reason
    assert doubted[-1].certain is not bool(why), reason


RED, DARK_RED, BLUE = (180, 30, 30), (150, 25, 25), (30, 40, 160)


@pytest.mark.parametrize(
    ("angle", "rgb", "x", "certain", "reason"),
    [
        (1.0, RED, 141.0, False, "edge to edge, straight, of one colour: a domino's halves"),
        (46.0, RED, 141.0, False, "a two tells its turn but for an eighth"),
        (20.0, RED, 141.0, True, "turned: two dice that touch"),
        (8.0, DARK_RED, 141.0, False, "the top of a die and, darker, its side"),
        (1.0, BLUE, 141.0, True, "two colours"),
        (1.0, RED, 150.0, True, "a gap between them"),
    ],
)
def test_dominoes_are_never_certain(
    angle: float, rgb: tuple[int, int, int], x: float, certain: bool, reason: str
) -> None:
    one, other = replace(die(), rgb=RED), replace(die(x=x), angle_deg=angle, rgb=rgb)
    assert [d.certain for d in doubting_misfits([one, other])] == [certain, certain], reason


@pytest.mark.parametrize(
    ("face", "size", "certain", "reason"),
    [
        (1, 24.0, False, "a flower printed on a cloth has a dot in its middle, too"),
        (1, 32.0, True, "wide enough to tell"),
        (4, 24.0, True, "four dots in a square are no flower"),
    ],
)
def test_a_speck_is_no_certain_ace(face: int, size: float, certain: bool, reason: str) -> None:
    (doubted,) = doubting_misfits([replace(die(size=size), face=face)])
    assert doubted.certain is certain, reason
