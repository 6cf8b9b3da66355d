"""Whether a frame is whole: part of it may not have been delivered, or come from another frame.

A camera delivers rows, so a tear runs exactly along one: every column changes between the same two rows of
the picture as it came, with nothing like it above or below. The edge of a sheet or a tray is blurred by the
lens over several rows, hardly ever runs so straight from border to border, and has one side lighter all
along it.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import Bools, Floats, Image, Ints
from vision.checks.check import Change, Checked

COLUMNS, SECTIONS = 600, 20
"""So many columns are looked at, in green alone, and their steps averaged in sections from left to right: a
tear shows in most of them, and a section's mean shows one that is fainter than the noise of a column."""

LEAST_PX = 48
"""Minimum number of rows and columns of a picture to be checked."""

STRIPE = 0.08
"""Least share of the picture's height that a run of equal rows takes to be a part that was not delivered."""

BURNT = 251
"""Equal rows lighter than this are burnt out."""

HISS = 34
"""Grey levels to the next row and to the next column, each held to MOST: white noise has 40 of both, the
coarsest weave 24."""

APART, EVERY = 64, 4
"""Maximum period in rows of repeated rows from a decoder; every fourth column is compared."""

SAME, DIFFER = 0.25, 0.03
"""Grey levels, on average: at most between rows that are the same but for the JPEG, at least between the rows
of one period. A pattern that is woven or printed comes again with a sensor's noise, never as exactly."""

CLOSER, NEARLY_ALL = 0.6, 0.85
"""Repeated rows differ less than this many times as much as rows between them, in this share of the columns
that change at all. Within a plain square of a cloth the next square is no nearer than the next row."""

LONE, NOISE = 1.5, 0.6
"""A section changes alone where its mean step is larger than this many times those above and below it, each
and this many grey levels: noise that a JPEG smoothed away is still between the two frames."""

MOST = 60
"""Grey levels: no step counts more, or the rim of a die would stand for its section."""

SEAM = 0.35
"""Share of the sections that a seam takes at least: over plain places it does not show."""

FOURTH, AMONG = 4, 2.5
"""A frame is torn once or twice: a seam takes so many times the share of the fourth row. Pictures that were
made small without smoothing have hard rows all over."""

OUTER = 2
"""A seam takes one of so many sections at either border,"""

ONE_WAY = 0.05
"""or some of its sections, more than this share, grow lighter and others darker."""

BORDER = 0.02
"""A seam this near to the top or bottom, of the height, leaves the picture whole: no die is so small."""


def check(read: Checked) -> Change:
    """Whether the picture is whole."""
    return Change(keys=("torn",) if is_torn(read.image_bgr) else ())


def is_torn(image_bgr: Image) -> bool:
    """Whether part of a picture (height, width, 3) uint8, in the rows of its camera, is from elsewhere."""
    green = np.ascontiguousarray(image_bgr[:, :: max(1, image_bgr.shape[1] // COLUMNS), 1])
    if min(green.shape) < LEAST_PX:
        return False
    size = np.asarray(cv2.absdiff(green[1:], green[:-1]), np.uint8)
    still = size.max(axis=1) == 0
    missing = still & (green[1:].min(axis=1) < BURNT)
    if _longest_run(missing) > STRIPE * len(green) and not still.all():
        return True
    steps = _in_sections(size)
    return _hisses(green, steps) or _has_seam(green, steps) or _repeats(green)


def _hisses(green: Image, steps: Floats) -> bool:
    """Whether a part is white noise: what a decoder makes of data that is not the picture's."""
    hiss, least = steps.mean(axis=1) > HISS, STRIPE * len(green)
    if _longest_run(hiss) <= least:
        return False
    across = _in_sections(np.asarray(cv2.absdiff(green[1:, 1:], green[1:, :-1]), np.uint8))
    return _longest_run(hiss & (across.mean(axis=1) > HISS)) > least


def _repeats(green: Image) -> bool:
    """Whether some rows come again and again to the last grain, as a decoder fills in what it did not get."""
    across = np.diff(green[:, ::EVERY].astype(np.int16), axis=1)  # of stripes along the rows nothing is left
    least = int(STRIPE * len(green))
    return any(_come_again(across[top:], least) for top in range(0, len(green) - APART, least))


def _come_again(across: Ints, least: int) -> bool:
    """Whether the first row comes again some rows below, and `least` rows after it just as far below them."""
    unlike = np.abs(across[1 : APART + 1] - across[0]).mean(axis=1)
    most = np.maximum.accumulate(unlike)[:-1]
    lag = 2 + int((unlike[1:] - CLOSER * most).argmin())
    other = 1 + int(unlike[: lag - 1].argmax())
    rows = max(least, 2 * lag)
    if unlike[lag - 1] > min(SAME, CLOSER * unlike[other - 1]) or len(across) < rows + lag:
        return False
    again, between = (np.abs(across[by : by + rows] - across[:rows]).mean(axis=0) for by in (lag, other))
    closer = (again < CLOSER * between).sum() > NEARLY_ALL * (between > 0).sum()
    return bool(closer and again.mean() < SAME and between.mean() > DIFFER)


def _has_seam(green: Image, size: Floats) -> bool:
    """Whether one row changes as only a tear does; `size` (rows - 1, SECTIONS) of the steps between rows."""
    margin = max(1, int(BORDER * len(size)))
    beside = np.maximum(size[margin - 1 : -margin - 1], size[margin + 1 : len(size) - margin + 1])
    lone = size[margin:-margin] > LONE * (beside + NOISE)
    share = lone.mean(axis=1)
    row = int(share.argmax())
    if share[row] <= max(SEAM, AMONG * np.sort(share)[-FOURTH]):
        return False
    above, below = (green[number : number + 1] for number in (margin + row, margin + row + 1))
    darker, lighter = (cv2.subtract(*rows) for rows in ((above, below), (below, above)))
    change = _in_sections(np.asarray(lighter, np.uint8)) - _in_sections(np.asarray(darker, np.uint8))
    return _from_border_to_border(lone[row]) or _both_ways(change.ravel()[lone[row]])


def _in_sections(step: Image) -> Floats:
    """The mean step of each section: (rows, columns) uint8 becomes (rows, SECTIONS)."""
    rows, wide = len(step), step.shape[1] // SECTIONS
    _, held = cv2.threshold(step[:, : wide * SECTIONS], MOST, MOST, cv2.THRESH_TRUNC)
    total = cv2.reduce(held.reshape(-1, wide), 1, cv2.REDUCE_SUM, dtype=cv2.CV_32S)
    return np.asarray(total.reshape(rows, SECTIONS) / wide)


def _from_border_to_border(lone: Bools) -> bool:
    return bool(lone[:OUTER].any() and lone[-OUTER:].any())


def _both_ways(change: Floats) -> bool:
    return bool(ONE_WAY < (change > 0).mean() < 1 - ONE_WAY)


def _longest_run(flags: Bools) -> int:
    """Length of the longest run of true values."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], flags.astype(np.int8), [0]])))
    return int((edges[1::2] - edges[::2]).max(initial=0))
