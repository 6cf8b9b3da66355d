"""Aces that may be other dots: printed flowers, the discs on a board of tiles."""

from __future__ import annotations

from vision.checks.check import Change, Checked

SPECK_PX = 28.0
"""In a picture a lone dot in a patch narrower than this may be a printed flower as well as an ace."""
SPOTS = 16
"""Where so many aces are doubtful, or places look like dice that nobody reads, a dot on a patch is no ace for
certain: a board of tiles with discs on them has them by the dozen, the photographs of `dev` 13 at most."""


def check(read: Checked) -> Change:
    """Aces that are specks, and all where the picture is full of what looks like some."""
    aces = [k for k, die in enumerate(read.dice) if die.face == 1]
    specks = [k for k in aces if read.dice[k].size_px < SPECK_PX]
    uncertain = sum(not read.dice[k].certain or k in specks for k in aces)
    left = sum(doubt.x_px is not None for doubt in read.doubts)
    if left + uncertain < SPOTS:
        return Change(tuple(specks))
    return Change((*specks, *(k for k in aces if read.dice[k].certain)))
