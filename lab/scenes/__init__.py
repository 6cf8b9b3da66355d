"""A renderer of dice on tables, with exact truth.

`throw` makes a seeded scene, `table_scene` the simulated table's, `render` draws either.
"""

from __future__ import annotations

from lab.scenes.render import render
from lab.scenes.throw import DIFFICULTIES, LEVELS, STYLES, Level, table_scene, throw
from lab.scenes.values import DieTruth, Picture, PipTruth, Scene, SceneError

__all__ = [
    "DIFFICULTIES",
    "LEVELS",
    "STYLES",
    "DieTruth",
    "Level",
    "Picture",
    "PipTruth",
    "Scene",
    "SceneError",
    "render",
    "table_scene",
    "throw",
]
