"""Things that lie flat on the table: cards, sheets with text, coasters, and dots that look like pips."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from lab.scenes.values import Flat, FloatArray

Rng = np.random.Generator
Sheet = NDArray[np.uint8]  # (height, width, 4): red, green, blue, coverage
_LONG_PX = 640
_FINE_PX = 240  # faces are drawn so large and then shrunk
_DIAGONAL, _OTHER_DIAGONAL, _MIDDLE = [(-1, -1), (1, 1)], [(-1, 1), (1, -1)], [(0, 0)]
_LAYOUTS: list[list[tuple[int, int]]] = [
    _MIDDLE,
    _DIAGONAL,
    _DIAGONAL + _MIDDLE,
    _DIAGONAL + _OTHER_DIAGONAL,
    _DIAGONAL + _OTHER_DIAGONAL + _MIDDLE,
    _DIAGONAL + _OTHER_DIAGONAL + [(-1, 0), (1, 0)],
]


def lay(canvas: FloatArray, flat: Flat, corner_mm: tuple[float, float], mm_per_px: float) -> None:
    """Draw one flat thing on the cover's canvas, whose pixel (0, 0) lies at `corner_mm`."""
    sheet = _sheet(flat, mm_per_px)
    h, w = sheet.shape[:2]
    scale = flat.size_mm[0] / w / mm_per_px
    c, s = np.cos(np.radians(flat.angle_deg)) * scale, np.sin(np.radians(flat.angle_deg)) * scale
    x = (flat.centre_mm[0] - corner_mm[0]) / mm_per_px
    y = (flat.centre_mm[1] - corner_mm[1]) / mm_per_px
    # the canvas's rows run towards +y, a sheet's rows run down: it is laid mirrored, so that it reads right
    place = np.array([[c, s, x - c * w / 2 - s * h / 2], [s, -c, y - s * w / 2 + c * h / 2]])
    _blend_in(canvas, sheet, place)


def _blend_in(canvas: FloatArray, sheet: Sheet, place: NDArray[np.float64]) -> None:
    """Warp the sheet onto the part of the canvas it covers."""
    h, w = sheet.shape[:2]
    ends = np.array([[0, 0, 1], [w, 0, 1], [0, h, 1], [w, h, 1]], float) @ place.T
    low = np.maximum(np.floor(ends.min(axis=0)).astype(int) - 1, 0)
    high = np.minimum(np.ceil(ends.max(axis=0)).astype(int) + 2, (canvas.shape[1], canvas.shape[0]))
    if (high <= low).any():
        return
    moved = place - np.array([[0, 0, low[0]], [0, 0, low[1]]])
    size = (int(high[0] - low[0]), int(high[1] - low[1]))
    seen = cv2.warpAffine(sheet, moved, size, flags=cv2.INTER_LINEAR).astype(np.float32) / 255
    part = canvas[low[1] : high[1], low[0] : high[0]]
    part += (np.power(seen[..., :3], 2.2) - part) * seen[..., 3:]


def _sheet(flat: Flat, mm_per_px: float) -> Sheet:
    """The thing as a picture with coverage, at about the canvas's resolution."""
    long_mm = max(flat.size_mm)
    scale = min(_LONG_PX, max(24.0, long_mm / mm_per_px)) / long_mm
    w, h = (max(8, round(side * scale)) for side in flat.size_mm)
    sheet = np.zeros((h, w, 4), np.uint8)
    (SHEETS | LIKENESSES)[flat.kind](sheet, flat, np.random.default_rng(flat.seed))
    return sheet


def _ink(rgb: tuple[float, float, float]) -> tuple[int, int, int, int]:
    return (round(rgb[0] * 255), round(rgb[1] * 255), round(rgb[2] * 255), 255)


def _sheet_of_paper(sheet: Sheet, flat: Flat, rng: Rng) -> None:
    """A page with lines of text and sometimes a heading."""
    h, w = sheet.shape[:2]
    sheet[:] = _ink(flat.rgb)
    size = h / float(rng.uniform(14, 40))
    for row in range(1, int(h / (1.6 * size))):
        letters = "".join(
            rng.choice(list("abcdefghijklmnopqrstuvwxyz0123456789  ..:O"), int(rng.integers(4, 40)))
        )
        at = (int(w * 0.06), int(row * 1.6 * size))
        thick = max(1, round(size / 9))
        cv2.putText(
            sheet, letters, at, int(rng.integers(0, 5)), size / 28, _ink(flat.second_rgb), thick, cv2.LINE_AA
        )


def _card(sheet: Sheet, flat: Flat, rng: Rng) -> None:
    """A playing card: white, rounded, with rows of signs and an index."""
    h, w = sheet.shape[:2]
    _rounded(sheet, _ink((0.95, 0.95, 0.93)), 0.07)
    ink = _ink((0.75, 0.05, 0.08) if rng.uniform() < 0.5 else (0.06, 0.06, 0.07))
    columns, rows = int(rng.integers(1, 4)), int(rng.integers(1, 5))
    radius = max(1, int(min(w, h) * 0.07))
    for x in np.linspace(0.3, 0.7, columns) if columns > 1 else (0.5,):
        for y in np.linspace(0.2, 0.8, rows) if rows > 1 else (0.5,):
            _sign(sheet, (int(x * w), int(y * h)), radius, ink, flat.seed % 3)
    word = str(rng.choice(list("23456789JQKA")))
    cv2.putText(
        sheet, word, (int(0.04 * w), int(0.14 * h)), 0, min(w, h) / 150, ink, max(1, w // 90), cv2.LINE_AA
    )


def _sign(sheet: Sheet, at: tuple[int, int], radius: int, ink: tuple[int, ...], kind: int) -> None:
    x, y = at
    if kind == 0:
        diamond = np.array([(x, y - radius), (x + radius, y), (x, y + radius), (x - radius, y)])
        cv2.fillPoly(sheet, [diamond], ink, cv2.LINE_AA)
    elif kind == 1:
        cv2.circle(sheet, at, radius, ink, -1, cv2.LINE_AA)
    else:
        for dx, dy in ((-1, 0), (1, 0), (0, -1)):
            cv2.circle(
                sheet, (x + dx * radius // 2, y + dy * radius // 2), radius // 2 + 1, ink, -1, cv2.LINE_AA
            )


def _disc(sheet: Sheet, flat: Flat, rng: Rng) -> None:
    """A coaster or token: a disc with rings and a mark."""
    h, w = sheet.shape[:2]
    centre, radius = (w // 2, h // 2), min(w, h) // 2 - 2
    cv2.circle(sheet, centre, radius, _ink(flat.rgb), -1, cv2.LINE_AA)
    for share in rng.uniform(0.3, 0.95, int(rng.integers(1, 4))):
        cv2.circle(
            sheet, centre, int(radius * share), _ink(flat.second_rgb), max(1, radius // 20), cv2.LINE_AA
        )


def _dotted(sheet: Sheet, flat: Flat, rng: Rng) -> None:
    """A square with dots in a grid or at random: what looks most like a face and is none."""
    h, w = sheet.shape[:2]
    if rng.uniform() < 0.7:
        _rounded(sheet, _ink(flat.rgb), float(rng.uniform(0, 0.3)))
    columns, rows = int(rng.integers(1, 6)), int(rng.integers(2, 6))
    if columns * rows in (4, 6) and columns > 1:
        columns += 2  # two by two and two by three dots would be a face
    radius = max(1, int(min(w / columns, h / rows) * rng.uniform(0.12, 0.4)))
    for i in range(columns):
        for j in range(rows):
            at = (int((i + 0.5) * w / columns), int((j + 0.5) * h / rows))
            if rng.uniform() < 0.85:
                cv2.circle(sheet, at, radius, _ink(flat.second_rgb), -1, cv2.LINE_AA)


def _logo(sheet: Sheet, flat: Flat, rng: Rng) -> None:
    """Words and a sign printed on the table itself, as on boxes and mats."""
    h, w = sheet.shape[:2]
    word = "".join(rng.choice(list("AEIOUBDRSTLM08"), int(rng.integers(2, 8))))
    scale = w / 24 / len(word)
    ink = _ink(flat.second_rgb)
    cv2.putText(
        sheet,
        word,
        (2, int(h * 0.9)),
        int(rng.integers(0, 5)),
        scale,
        ink,
        max(1, int(scale * 2)),
        cv2.LINE_AA,
    )
    for k in range(int(rng.integers(0, 5))):
        corner = (int(w * 0.4) + (k % 2) * w // 8, int(h * 0.1) + (k // 2) * w // 8)
        cv2.rectangle(sheet, corner, (corner[0] + w // 10, corner[1] + w // 10), ink, -1)


def _plate(sheet: Sheet, flat: Flat, rng: Rng) -> None:
    """A plain square, sharp or with round corners: what a picture of a die may be printed on."""
    _rounded(sheet, _ink(flat.rgb), float(rng.choice([0.0, rng.uniform(0, 0.3)])))


def _face(sheet: Sheet, flat: Flat, rng: Rng) -> None:
    """The picture of a die from above, or the middle of a yard of a board: pips in a square, often framed."""
    fine = np.zeros((_FINE_PX, _FINE_PX, 4), np.uint8)
    corner = float(rng.choice([rng.uniform(0, 0.06), rng.uniform(0.06, 0.3)]))
    frame = round(_FINE_PX * float(rng.choice([0.0, 0.0, rng.uniform(0.01, 0.06)])))
    if frame:
        _rounded(fine, _ink(flat.second_rgb), corner)
    within = np.zeros((_FINE_PX - 2 * frame, _FINE_PX - 2 * frame, 4), np.uint8)
    _rounded(within, _ink(flat.rgb), max(0.0, corner - frame / _FINE_PX))
    part = fine[frame : _FINE_PX - frame, frame : _FINE_PX - frame]
    part[within[..., 3] > 0] = within[within[..., 3] > 0]
    _pips(fine, _ink(flat.second_rgb), rng)
    sheet[:] = cv2.resize(fine, (sheet.shape[1], sheet.shape[0]), interpolation=cv2.INTER_AREA)


def _pips(sheet: Sheet, ink: tuple[int, ...], rng: Rng) -> None:
    """The pips of a face, as discs, now and then with a line round them in black."""
    side, spread = sheet.shape[0], float(rng.uniform(0.19, 0.29))
    radius = min(float(rng.uniform(0.055, 0.14)), 0.46 * spread)
    places = _LAYOUTS[int(rng.integers(len(_LAYOUTS)))]
    if len(places) == 1:
        radius *= float(rng.choice([1.0, rng.uniform(1.0, 1.6)]))
    ringed = rng.uniform() < 0.15
    for x, y in places:
        at = (round((0.5 + spread * x) * side), round((0.5 + spread * y) * side))
        cv2.circle(sheet, at, round(radius * side), ink, -1, cv2.LINE_AA)
        if ringed:
            cv2.circle(sheet, at, round(radius * side), (15, 15, 15, 255), max(2, side // 80), cv2.LINE_AA)


def _rounded(sheet: Sheet, ink: tuple[int, ...], share: float) -> None:
    """Fill the sheet as a rectangle with rounded corners."""
    h, w = sheet.shape[:2]
    r = max(1, int(min(h, w) * share))
    cv2.rectangle(sheet, (r, 0), (w - r - 1, h), ink, -1)
    cv2.rectangle(sheet, (0, r), (w, h - r - 1), ink, -1)
    for x in (r, w - r - 1):
        for y in (r, h - r - 1):
            cv2.circle(sheet, (x, y), r, ink, -1, cv2.LINE_AA)


SHEETS: dict[str, Callable[[Sheet, Flat, Rng], None]] = {
    "page": _sheet_of_paper,
    "card": _card,
    "disc": _disc,
    "dotted": _dotted,
    "logo": _logo,
}

LIKENESSES: dict[str, Callable[[Sheet, Flat, Rng], None]] = {"plate": _plate, "face": _face}
"""What looks like a die and lies flat: on no table that is thrown, for no reader may be sure of a table with
them; for training, and for measuring what passes for dice."""
