"""What faces bear instead of pips: numerals, emblems, letters, as small masks."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np

from lab.scenes.values import FloatArray

SIDE_PX = 96
EMBLEMS = ("*crown", "*skull", "*star", "*sun", "*shield", "*wings", "*heart", "*ring")


@lru_cache(maxsize=256)
def mask(mark: str) -> FloatArray:
    """The mark as coverage in [0, 1], shape (96, 96), row 0 at the top of the mark.

    "#text" is written, "*name" is an emblem, ":columns x rows x radius" are dots (":2x3x10", the radius in
    hundredths of the mark's side), "" is empty.
    """
    big = np.zeros((SIDE_PX * 2, SIDE_PX * 2), np.uint8)
    if mark.startswith("#"):
        _write(big, mark[1:])
    elif mark.startswith("*"):
        _DRAW[mark](big)
    elif mark.startswith(":"):
        _dots(big, *(int(part) for part in mark[1:].split("x")))
    return np.asarray(cv2.resize(big, (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_AREA) / 255, np.float32)


def sample(mark: str, u: FloatArray, v: FloatArray) -> FloatArray:
    """Coverage (n,) of a mark at face coordinates in [-1, 1], v upwards."""
    x = ((u + 1) / 2 * (SIDE_PX - 1)).astype(np.float32)
    y = ((1 - v) / 2 * (SIDE_PX - 1)).astype(np.float32)
    got = cv2.remap(mask(mark), _rows(x), _rows(y), cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    return np.asarray(got.ravel()[: x.size], np.float32)


def _rows(values: FloatArray) -> FloatArray:
    """Values padded into rows of 1024: OpenCV refuses maps longer than 32767, and empty ones."""
    rows = max(1, -(-values.size // 1024))
    padded = np.full(rows * 1024, -9, np.float32)
    padded[: values.size] = values
    return padded.reshape(rows, 1024)


def _write(big: np.ndarray, text: str) -> None:
    """Write `text` as large as fits, underlined where it could be read upside down."""
    font = cv2.FONT_HERSHEY_DUPLEX
    (w, h), _ = cv2.getTextSize(text, font, 1, 2)
    scale = min(110 / w, 90 / h)
    (w, h), _ = cv2.getTextSize(text, font, scale, 11)
    corner = ((big.shape[1] - w) // 2, (big.shape[0] + h) // 2)
    cv2.putText(big, text, corner, font, scale, 255, 11, cv2.LINE_AA)
    if text in ("6", "9"):
        cv2.line(big, (corner[0], corner[1] + 22), (corner[0] + w, corner[1] + 22), 255, 10)


def _dots(big: np.ndarray, columns: int, rows: int, radius: int) -> None:
    """A grid of dots as on dominoes, buttons and plugs."""
    side = big.shape[0]
    for x in np.linspace(0.26, 0.74, columns) if columns > 1 else (0.5,):
        for y in np.linspace(0.26, 0.74, rows) if rows > 1 else (0.5,):
            cv2.circle(big, (int(x * side), int(y * side)), radius * side // 100, 255, -1, cv2.LINE_AA)


def _crown(big: np.ndarray) -> None:
    points = [(40, 140), (30, 60), (66, 96), (96, 44), (126, 96), (162, 60), (152, 140)]
    cv2.fillPoly(big, [np.array(points)], 255, cv2.LINE_AA)
    cv2.rectangle(big, (40, 148), (152, 160), 255, -1)


def _skull(big: np.ndarray) -> None:
    cv2.circle(big, (96, 84), 52, 255, -1, cv2.LINE_AA)
    cv2.rectangle(big, (68, 120), (124, 160), 255, -1)
    for x in (74, 118):
        cv2.circle(big, (x, 86), 15, 0, -1, cv2.LINE_AA)
    for x in (82, 96, 110):
        cv2.line(big, (x, 136), (x, 160), 0, 5)


def _star(big: np.ndarray) -> None:
    angle = np.arange(10) * np.pi / 5
    radius = np.where(np.arange(10) % 2, 28, 68)
    points = np.column_stack([96 + radius * np.sin(angle), 96 - radius * np.cos(angle)])
    cv2.fillPoly(big, [points.astype(np.int32)], 255, cv2.LINE_AA)


def _sun(big: np.ndarray) -> None:
    for angle in np.arange(12) * np.pi / 6:
        end = (96 + round(68 * np.cos(angle)), 96 + round(68 * np.sin(angle)))
        cv2.line(big, (96, 96), end, 255, 9, cv2.LINE_AA)
    cv2.circle(big, (96, 96), 44, 0, -1)
    cv2.circle(big, (96, 96), 36, 255, -1, cv2.LINE_AA)


def _shield(big: np.ndarray) -> None:
    points = [(46, 40), (146, 40), (146, 100), (96, 160), (46, 100)]
    cv2.polylines(big, [np.array(points)], True, 255, 12, cv2.LINE_AA)
    cv2.line(big, (96, 44), (96, 150), 255, 12)
    cv2.line(big, (50, 84), (142, 84), 255, 12)


def _wings(big: np.ndarray) -> None:
    cv2.rectangle(big, (86, 60), (106, 156), 255, -1)
    cv2.circle(big, (96, 72), 22, 255, 8, cv2.LINE_AA)
    for k, y in enumerate((50, 70, 90)):
        for side in (-1, 1):
            cv2.line(big, (96 + side * 28, y + 14), (96 + side * (74 - 12 * k), y - 6), 255, 12, cv2.LINE_AA)


def _heart(big: np.ndarray) -> None:
    cv2.circle(big, (70, 76), 32, 255, -1, cv2.LINE_AA)
    cv2.circle(big, (122, 76), 32, 255, -1, cv2.LINE_AA)
    cv2.fillPoly(big, [np.array([(42, 92), (150, 92), (96, 158)])], 255, cv2.LINE_AA)


def _ring(big: np.ndarray) -> None:
    cv2.circle(big, (96, 96), 58, 255, 12, cv2.LINE_AA)
    cv2.circle(big, (96, 96), 18, 255, -1, cv2.LINE_AA)


_DRAW = dict(zip(EMBLEMS, (_crown, _skull, _star, _sun, _shield, _wings, _heart, _ring), strict=True))
