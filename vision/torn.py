"""Whether a frame is whole: part of it may not have been delivered, or come from another frame.

A camera delivers rows, so a tear runs exactly along one: every column changes between the same two rows of
the picture as it came, with nothing like it above or below. The edge of a sheet or a tray is blurred by the
lens over several rows, hardly ever runs so straight from border to border, and has one side lighter all
along it.
"""

from __future__ import annotations

import numpy as np

from vision.arrays import Bools, Image, Ints

COLUMNS = 200
"""So many columns are looked at, in green alone: a tear shows in all of them."""

LEAST_ROWS = 64
"""Of fewer rows nothing can be told."""

STRIPE = 0.08
"""Least share of the picture's height that a run of equal rows takes to be a part that was not delivered."""

BURNT = 251
"""Equal rows lighter than this are burnt out."""

LONE, STEP = 2, 8
"""A column changes alone where the step is larger than this many times the steps above and below it, and by
so many grey levels more: the blocks of a JPEG differ by less."""

SEAM = 0.35
"""Share of the columns that a seam takes at least: over plain places it does not show."""

FOURTH, AMONG = 4, 2.5
"""A frame is torn once or twice: a seam takes so many times the share of the fourth row. Pictures that were
made small without smoothing have hard rows all over."""

OUTER, REACHES = 0.1, 0.1
"""A seam takes this share of the outermost columns of both borders, of which each is such a share;"""

ONE_WAY = 0.05
"""or some of its columns, more than this share, grow lighter and others darker."""

BORDER = 0.02
"""A seam this near to the top or bottom, of the height, leaves the picture whole: no die is so small."""


def is_torn(image_bgr: Image) -> bool:
    """Whether part of a picture (height, width, 3) uint8, in the rows of its camera, is from elsewhere."""
    green = image_bgr[:, :: max(1, image_bgr.shape[1] // COLUMNS), 1].astype(np.int16)
    if len(green) < LEAST_ROWS:
        return False
    step = np.diff(green, axis=0)
    still = (step == 0).all(axis=1)
    missing = still & (green[1:].min(axis=1) < BURNT)
    return bool(_longest_run(missing) > STRIPE * len(green) and not still.all()) or _has_seam(step)


def _has_seam(step: Ints) -> bool:
    """Whether one row changes as only a tear does; `step` (rows - 1, columns) with its sign."""
    size = np.abs(step)
    margin = max(1, int(BORDER * len(step)))
    beside = np.maximum(size[margin - 1 : -margin - 1], size[margin + 1 : len(step) - margin + 1])
    lone = size[margin:-margin] > LONE * beside + STEP
    share = lone.mean(axis=1)
    row = int(share.argmax())
    stands_out = share[row] > max(SEAM, AMONG * np.sort(share)[-FOURTH])
    return bool(stands_out) and (
        _from_border_to_border(lone[row]) or _both_ways(step[margin + row][lone[row]])
    )


def _from_border_to_border(lone: Bools) -> bool:
    outer = max(1, int(OUTER * len(lone)))
    return bool(min(lone[:outer].mean(), lone[-outer:].mean()) > REACHES)


def _both_ways(step: Ints) -> bool:
    return bool(ONE_WAY < (step > 0).mean() < 1 - ONE_WAY)


def _longest_run(flags: Bools) -> int:
    """Length of the longest run of true values."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], flags.astype(np.int8), [0]])))
    return int((edges[1::2] - edges[::2]).max(initial=0))
