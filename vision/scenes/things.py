"""Solid things beside the dice that are no dice with pips."""

from __future__ import annotations

from vision.scenes.bodies import Body
from vision.scenes.values import Thing


def thing_bodies(thing: Thing) -> list[Body]:
    """The bodies that make up a thing."""
    return []
