"""Drawn dice whose six is an emblem."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from vision.scenes import render, table_scene
from vision.scenes.values import Picture

SIX = 6


def drawn(faces: Sequence[int], seed: int, emblem: str = "*crown") -> Picture:
    """Ivory dice with `faces` up, lying as `seed` says."""
    scene = table_scene([(face, "ivory") for face in faces], seed, width_px=800, height_px=600)
    dice = tuple(replace(die, make=replace(die.make, marks=((SIX, emblem),))) for die in scene.dice)
    return render(replace(scene, dice=dice))
