"""Checks of any reading: dice that the border cuts, slant, light, sharpness, and whether it is whole."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import cv2
import numpy as np

from vision.arrays import BURNT, Bools, Floats, Image, quantiles
from vision.checks.check import Change, Check, Checked
from vision.picture.working import for_colours, resized, roots
from vision.values import CUT_OFF, Die, Doubt, is_strong

CUT_SIDES = 0.45
"""A die whose middle is within so many sides of the image border is truncated."""


def cut_off(read: Checked) -> Change:
    """Dice whose middle lies too near to the border."""
    height, width = read.image_bgr.shape[:2]
    inside = [min(d.x_px, d.y_px, width - 1 - d.x_px, height - 1 - d.y_px) / d.size_px for d in read.dice]
    return Change(tuple(k for k, sides in enumerate(inside) if sides < CUT_SIDES), why=CUT_OFF)


SQUEEZED = 0.86
"""Cosine of a tilt of 31 degrees: what it leaves of lengths is measured on all fours and fives."""
MAX_TILT_DEG = 32.0
"""Of the view, by what each die tells."""
MIN_EXCESS_DEG = 5.0
"""Sum of what the tilts at all dice exceed it by: a lone die tells the tilt worse than several."""


def slanting(read: Checked) -> Change:
    """Whether the dice that show pips are seen aslant: no die is certain where the tilt tells it.

    In a slanting view all fours and fives are squeezed along one direction. Without any, and where some die
    is uncertain, the tilt decides that the crop classifier sees at each die.
    """
    squares = [die for die in read.dice if die.face in (4, 5) and len(die.pips) == die.face]
    if squares and squeeze(np.array([_square(die) for die in squares])) < SQUEEZED:
        return Change(keys=("slanting",))
    if squares and all(is_strong(die) for die in read.dice):
        return Change()
    excess_deg = sum(read.tilt_deg(die) - MAX_TILT_DEG for die in read.dice if die.pips)
    if excess_deg < MIN_EXCESS_DEG:
        return Change()
    return Change(tuple(range(len(read.dice))), ("slanting",))


def _square(die: Die) -> Floats:
    """The corner pips of a four or five less their middle, (4, 2)."""
    places = np.array([(pip.x_px, pip.y_px) for pip in die.pips])
    off = places - places.mean(axis=0)
    return np.asarray(off[np.argsort(-np.hypot(*off.T))[:4]])


def squeeze(corners_px: Floats) -> float:
    """What the view leaves of lengths along the direction it shortens most, over those across it.

    `corners_px` (M, 4, 2): the corners of M squares about their middles, turned in any way. A view from above
    leaves 1, however ill each is measured; a tilt shortens all along one direction, whatever their turns.
    """
    spread = np.einsum("msi,msj->mij", corners_px, corners_px)
    mean = (spread / np.trace(spread, axis1=1, axis2=2)[:, None, None]).mean(axis=0)
    least, most = np.linalg.eigvalsh(mean)
    return float(np.sqrt(max(least, 0.0) / most))


DARK = 0.12
"""Minimum of the brightest hundredth of a picture, in [0, 1]; a ground darker than this tells no shadow."""

SHADOW = 0.25
"""A half lies in the shadow where ground and brightest hundredth are less than this many times as bright as
the brightest ones of all halves."""

BRIGHT_SHARE = 0.2
"""Maximum share of the picture that is burnt out: a white die may be lost in it, pips and all. Photographs
that can be read have less than a sixth of that."""

PATCH, COMPACT = (0.5, 5.0), 0.65
"""A burnt-out patch may hide a die by its area, over that of a face, and share of its box: seven
of 1 750 photographs have such a patch, and no die lies there."""
REFLECTION = 0.4
"""Its score, as if the net had seen something there: calibrated, a die in one of 25."""


def light(read: Checked) -> Change:
    """Whether the picture is too bright or a half of it too dark, and where a reflection may hide a die.

    A black cloth is no darkness: where it lies on all sides, the ground tells no shadow.
    """
    working = for_colours(read.image_bgr)
    burnt = np.asarray(cv2.inRange(working.image, (BURNT + 1,) * 3, (255,) * 3), np.uint8)
    if cv2.countNonZero(burnt) > BRIGHT_SHARE * burnt.size:
        return Change(keys=("too_bright",))
    most = roots(np.ascontiguousarray(np.moveaxis(working.image[::2, ::2], 2, 0)).max(axis=0))
    halves = np.array([[quantiles(half.ravel(), share) for share in (0.5, 0.99)] for half in _halves(most)])
    halves **= 2
    shadow = (halves < SHADOW * halves.max(axis=0)).all(axis=1).any() and halves.max(axis=0)[0] > DARK
    keys = ("too_dark",) if shadow or halves.max() < DARK else ()
    return Change(keys=keys, places=tuple(_reflections(burnt, working.factor, read.dice)))


def _reflections(burnt: Image, factor: float, dice: Sequence[Die]) -> Iterator[Doubt]:
    """Patches about as large as the dice of what is `burnt` out, (h, w), where none is read: a lamp's
    reflection may hide one. `factor` is its pixels per pixel of the picture."""
    if not dice:
        return
    places = np.array([(die.x_px, die.y_px, die.size_px) for die in dice]) * factor
    for x, y, size in places.round().astype(int).tolist():
        cv2.circle(burnt, (x, y), size, 0, -1)
    side = float(np.median(places[:, 2]))
    # labels of 16 bits take a third of the time, and so few pixels have no more
    _, _, boxes, middles = cv2.connectedComponentsWithStats(burnt, connectivity=8, ltype=cv2.CV_16U)
    for (_, _, width, height, area), (x, y) in zip(boxes[1:], middles[1:] / factor, strict=True):
        if PATCH[0] < area / side**2 < PATCH[1] and area > COMPACT * width * height:
            yield Doubt("die_like", float(x), float(y), side / factor, REFLECTION)


def _halves(value: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """The left, right, upper and lower half."""
    y, x = value.shape[0] // 2, value.shape[1] // 2
    return value[:, :x], value[:, x:], value[:y], value[y:]


LONG_PX = 320
"""Long side of the picture that is checked: its noise has gone, and a blur that matters has not."""

BLUR_PX = 2.0
"""Standard deviation of the further blur."""

STEEPEST, QUANTILE = 0.01, 0.75
"""Share of pixels that are steepest after it, and the quantile of what these lose: in sharp pictures, too,
edges near the lens or out of focus behind are wide."""

MIN_SLOPE = 1.0
"""Grey levels per pixel: where nothing is so steep, no edge is there to be sharp."""

MIN_LOSS = 1.35
"""Minimum ratio of the slopes before and after in a sharp picture: edges 2.1 px of LONG_PX wide, a blur of
8 px in 1200. In 1 341 photographs and drawn pictures the widest are 2.04 px."""


def blurred(read: Checked) -> Change:
    """Whether the picture is sharp."""
    return Change(keys=("blurred",) if is_blurred(read.image_bgr) else ())


def is_blurred(image_bgr: Image) -> bool:
    """Whether even the sharpest edges of a picture (h, w, 3) uint8 are wide: blurred dice may be blots.

    A further blur of `t` makes an edge that a lens drew `s` wide less steep by the square root of
    (s² + t²) / s², whatever its contrast. So a wide edge loses little.
    """
    small = resized(image_bgr, min(1.0, LONG_PX / max(image_bgr.shape)))
    grey = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.float32)
    before, after = _slopes(grey), _slopes(np.asarray(cv2.GaussianBlur(grey, (0, 0), BLUR_PX), np.float32))
    steep = after >= max(MIN_SLOPE, float(quantiles(after[::3, ::3].ravel(), 1 - STEEPEST)))
    return bool(steep.any() and quantiles(before[steep] / after[steep], QUANTILE) < MIN_LOSS)


def _slopes(grey: Floats) -> Floats:
    """Grey levels per pixel (h, w) in the steepest direction."""
    slopes = (cv2.Sobel(grey, cv2.CV_32F, *along, scale=1 / 8) for along in ((1, 0), (0, 1)))
    return np.asarray(cv2.magnitude(*slopes), np.float32)


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


def torn(read: Checked) -> Change:
    """Whether the picture is whole."""
    return Change(keys=("torn",) if is_torn(read.image_bgr) else ())


def is_torn(image_bgr: Image) -> bool:
    """Whether part of a picture (height, width, 3) uint8, in the rows of its camera, is from elsewhere: it
    may not have been delivered, be noise, or come from another frame.

    A camera delivers rows, so a tear runs exactly along one: there every column changes from one row to the
    next, with nothing like it above or below. A lens blurs the edge of a sheet or a tray over several rows.
    """
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
    return np.asarray(np.minimum(_row_means(down), _row_means(across)) > MIN_NOISE)


def _has_seam(down: Image) -> bool:
    """Whether one row changes as only a tear does."""
    steps = _in_sections(down)
    lone = steps[1:-1] > LONE * (np.maximum(steps[:-2], steps[2:]) + GRAIN)
    share = np.sort(lone.mean(axis=1))
    return bool(share[-1] > max(MIN_SEAM, AMONG * share[-4]))


def _in_sections(step: Image) -> Floats:
    """The mean step of each section: (rows, columns) uint8 becomes (rows, SECTIONS)."""
    rows, wide = len(step), step.shape[1] // SECTIONS
    _, held = cv2.threshold(step[:, : wide * SECTIONS], MAX_STEP, 0, cv2.THRESH_TRUNC)
    return _row_means(np.asarray(held, np.uint8).reshape(-1, wide)).reshape(rows, SECTIONS)


def _row_means(grey: Image) -> Floats:
    """The mean of each row (h, w), (h,): in a tenth of numpy's own time."""
    return np.asarray(cv2.reduce(grey, 1, cv2.REDUCE_AVG, dtype=cv2.CV_32F))[:, 0]


def _longest_run(flags: Bools) -> int:
    """Length of the longest run of true values."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], flags.astype(np.int8), [0]])))
    return int((edges[1::2] - edges[::2]).max(initial=0))


OF_PICTURES: Mapping[str, Check] = {
    "cut_off": cut_off,
    "slanting": slanting,
    "light": light,
    "blurred": blurred,
    "torn": torn,
}
"""These checks by name, in the order in which they run."""
