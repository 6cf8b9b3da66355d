"""Whether a frame is whole: part of it may not have been delivered, be noise, or come from another frame.

A camera delivers rows, so a tear runs exactly along one: there every column changes from one row to the
next, with nothing like it above or below. A lens blurs the edge of a sheet or a tray over several rows.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import BURNT, Bools, Floats, Image
from vision.checks.check import Change, Checked

COLUMNS, SECTIONS = 600, 20
"""Columns that are checked, in green alone, and sections in which their steps are averaged: the mean of a
section shows a tear that is fainter than the noise of a column."""

BLOCK = 16
"""Rows that a JPEG decoder fills in at once: what it made up comes again after so many."""

MIN_STRIPE = 0.05
"""Minimum share of the picture's height that rows without a picture take."""

MIN_NOISE = 40
"""Grey levels to the next row and to the next column, on average: white noise has 85 of both, photographs
24 at most."""

LONE, GRAIN = 1.5, 0.6
"""A section changes alone where its mean step is larger than so many times those above and below it, each
and this many grey levels: a JPEG may have smoothed the noise away, but not between two frames."""

MAX_STEP = 60
"""Grey levels: no step counts more, or the rim of a die would stand for its section."""

MIN_SEAM, AMONG = 0.5, 1.75
"""Minimum share of the sections that change alone in a seam; and over that share of the fourth row, for a
frame is torn once or twice, and a picture that was made small without smoothing has hard rows all over."""


def check(read: Checked) -> Change:
    """Whether the picture is whole."""
    return Change(keys=("torn",) if is_torn(read.image_bgr) else ())


def is_torn(image_bgr: Image) -> bool:
    """Whether part of a picture (height, width, 3) uint8, in the rows of its camera, is from elsewhere."""
    green = np.ascontiguousarray(image_bgr[:, :: max(1, image_bgr.shape[1] // COLUMNS), 1])
    down = np.asarray(cv2.absdiff(green[1:], green[:-1]), np.uint8)
    return _has_seam(down) or max(map(_longest_run, (_made_up(green), _noise(green, down)))) > (
        MIN_STRIPE * len(green)
    )


def _made_up(green: Image) -> Bools:
    """Which rows equal those a block above, unless all do: nothing was delivered there."""
    same = (green[BLOCK:] == green[:-BLOCK]).all(axis=1)
    return np.asarray(same & (green[BLOCK:].min(axis=1) < BURNT) & ~same.all())


def _noise(green: Image, down: Image) -> Bools:
    """Which rows are white noise; `down` are the steps to the next row."""
    across = np.asarray(cv2.absdiff(green[1:, 1:], green[1:, :-1]), np.uint8)
    return np.asarray(np.minimum(down.mean(axis=1), across.mean(axis=1)) > MIN_NOISE)


def _has_seam(down: Image) -> bool:
    """Whether one row changes as only a tear does."""
    steps = _in_sections(down)
    lone = steps[1:-1] > LONE * (np.maximum(steps[:-2], steps[2:]) + GRAIN)
    share = np.sort(lone.mean(axis=1))
    return bool(share[-1] > max(MIN_SEAM, AMONG * share[-4]))


def _in_sections(step: Image) -> Floats:
    """The mean step of each section: (rows, columns) uint8 becomes (rows, SECTIONS)."""
    rows, wide = len(step), step.shape[1] // SECTIONS
    held = np.minimum(step[:, : wide * SECTIONS], MAX_STEP).reshape(-1, wide)
    return np.asarray(cv2.reduce(held, 1, cv2.REDUCE_AVG, dtype=cv2.CV_32F)).reshape(rows, SECTIONS)


def _longest_run(flags: Bools) -> int:
    """Length of the longest run of true values."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], flags.astype(np.int8), [0]])))
    return int((edges[1::2] - edges[::2]).max(initial=0))
