"""Whether the picture is empty, moving, has a hand in it, is too dark or bright, or is still and may be read.

A `Settler` is a value: `feed` gives the next one from a small grey picture and its time. It compares each
picture with the one before (moving), with the last still one and, where there is one, with the empty table
(hand, empty).

Flickering lamps change the whole picture or whole rows of it, so the median change of each row is taken out
first. The rest must be above the camera's noise and larger than a speck.

No `np.median` here: its first call imports `numpy.ma`, 10 MB in the process that serves the page.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import medians

Grey = NDArray[np.float32]

WIDTH_PX = 120
"""Pictures are compared at this width: a die is still three pixels wide."""

STILL_S = 0.3
"""Nothing moves for so long, and for at least two pictures, before a picture counts as still."""

SILENT_S = 2.0
"""After a longer gap between pictures anything may have happened in between."""

PATIENT_S = 4.0
"""A hand never lies this still: what looks like one has become part of the table. And a table that stays
empty is read all the same: one small die changes little."""

DARK, BRIGHT = 14.0, 250.0
"""Mean grey levels under and over which nothing can be read."""

CHANGE = 9.0
NOISES = 6.0
MAX_NOISE = 4.0
"""A pixel has changed when it differs by so many grey levels and by so many times the noise; what differs
by more all over is no noise but another picture."""

MOVED = 0.0012
"""Share of changed pixels that is more than chance: about the edge of one die."""

ROW_STEP = 20.0
"""A row's brightness flickers by no more than this many grey levels: an arm may cover a whole row."""

HAND = 0.03
"""A hand covers this share of the picture, and its arm this share of the picture's border."""

ELSEWHERE = 0.6
"""Where more has changed than this, the box stands elsewhere and the old picture says nothing."""


class Settled(StrEnum):
    """What the picture is fit for."""

    EMPTY = "empty"
    MOVING = "moving"
    HAND = "hand"
    DARK = "dark"
    BRIGHT = "bright"
    STILL = "still"


@dataclass(frozen=True, slots=True, eq=False)
class Settler:
    """What was seen so far. `word` is the answer, `since_s` when nothing has moved since.

    `empty` is the empty table, where it is known; `last` the newest picture, `clear` the last still one
    without a hand; both 120 px wide.
    """

    word: Settled = Settled.MOVING
    since_s: float | None = None
    at_s: float | None = None
    quiet: int = 0
    empty: Grey | None = field(default=None, repr=False)
    last: Grey | None = field(default=None, repr=False)
    clear: Grey | None = field(default=None, repr=False)

    def feed(self, grey: NDArray[np.uint8], at_s: float) -> Settler:
        """The settler after one more picture (height, width), uint8, taken at `at_s` seconds."""
        now = small(grey)
        if not DARK <= now.mean() <= BRIGHT:
            word = Settled.DARK if now.mean() < DARK else Settled.BRIGHT
            return replace(self, word=word, at_s=at_s, since_s=None, quiet=0, last=None)
        if self._moved(now, at_s):
            return replace(self, word=Settled.MOVING, at_s=at_s, since_s=at_s, quiet=0, last=now)
        following = replace(self, at_s=at_s, quiet=self.quiet + 1, last=now)
        return following._settled(now, at_s)

    def _moved(self, now: Grey, at_s: float) -> bool:
        """True if something moved, or if there is nothing to compare with."""
        if self.last is None or self.at_s is None or self.since_s is None or self.last.shape != now.shape:
            return True
        return at_s - self.at_s > SILENT_S or bool(changed(self.last, now).mean() > MOVED)

    def _settled(self, now: Grey, at_s: float) -> Settler:
        """The word for a picture in which nothing moves."""
        quiet_s = at_s - (self.since_s or 0.0)
        if quiet_s < STILL_S or self.quiet < 2:
            return replace(self, word=Settled.MOVING)
        impatient = quiet_s < PATIENT_S
        if impatient and any(_hand(seen, now) for seen in (self.empty, self.clear)):
            return replace(self, word=Settled.HAND)
        word = Settled.EMPTY if impatient and _is_empty(self.empty, now) else Settled.STILL
        return replace(self, word=word, clear=now)


def small(grey: NDArray[np.uint8]) -> Grey:
    """The picture at WIDTH_PX (never enlarged), lightly smoothed. Raises ValueError for another shape."""
    if grey.ndim != 2 or grey.dtype != np.uint8 or not grey.size:
        raise ValueError(f"expected a grey picture (h, w) uint8, got {grey.shape} {grey.dtype}")
    height, width = grey.shape
    if width > WIDTH_PX:
        size = (WIDTH_PX, max(1, round(height * WIDTH_PX / width)))
        grey = cv2.resize(grey, size, interpolation=cv2.INTER_AREA).astype(np.uint8)
    return cv2.blur(grey.astype(np.float32), (3, 3)).astype(np.float32)


def changed(before: Grey, now: Grey) -> NDArray[np.bool_]:
    """Pixels that differ by more than light and noise explain."""
    gain = medians(now.ravel() + 1) / medians(before.ravel() + 1)
    apart = now - np.float32(gain) * before
    apart -= np.clip(medians(apart.T), -ROW_STEP, ROW_STEP)[:, None]
    noise = min(MAX_NOISE, 1.48 * float(medians(np.abs(apart).ravel())))
    return np.asarray(np.abs(apart) > max(CHANGE, NOISES * noise))


def _is_empty(empty: Grey | None, now: Grey) -> bool:
    return empty is not None and empty.shape == now.shape and bool(changed(empty, now).mean() <= MOVED)


def _hand(before: Grey | None, now: Grey) -> bool:
    """Whether something large reaches in over the border that was not there before."""
    if before is None or before.shape != now.shape:
        return False
    apart = changed(before, now)
    if apart.mean() > ELSEWHERE:
        return False
    closed = cv2.morphologyEx(apart.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    number, labels, stats, _ = cv2.connectedComponentsWithStats(closed)
    border = np.concatenate((labels[0], labels[-1], labels[1:-1, 0], labels[1:-1, -1]))
    touching = np.bincount(border, minlength=number)[1:] / border.size
    areas = stats[1:, cv2.CC_STAT_AREA] / labels.size
    return bool(((areas > HAND) & (touching > HAND)).any())
