"""What reading a picture costs on one thread, by resolution and by number of dice.

The floor is what any reader must do: decode the JPEG, make it grey, blur it 5 x 5; measured in the same run.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import cv2
import numpy as np

from vision.photos import decode
from vision.read import read
from vision.scenes import render, throw

SIZES = ((640, 480), (1280, 960), (1600, 1200), (3280, 2464))
COUNTS = (1, 5, 15, 30)
ROUNDS = 5
"""The quickest of so many runs: what the machine does besides only ever adds."""


def rows() -> list[tuple[str, str]]:
    """Pairs of what was measured and the figure."""
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        by_size = [_row(f"{w} x {h}, 5 dice", _jpeg(5, w, h)) for w, h in SIZES]
        by_count = [_row(f"1600 x 1200, {count} dice", _jpeg(count, 1600, 1200)) for count in COUNTS]
    finally:
        cv2.setNumThreads(threads)
    return by_size + by_count


def _jpeg(count: int, width: int, height: int) -> bytes:
    """A drawn scene of so many dice as a camera would deliver it."""
    picture = render(throw(11, style="box", count=(count, count), width_px=width, height_px=height)).image_bgr
    return bytes(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 90])[1])


def _row(name: str, data: bytes) -> tuple[str, str]:
    """Milliseconds of the classical reading, and floors."""
    image = decode(data)
    reading, floor = _quickest(lambda: read(image, reader="pips")), _quickest(lambda: _floor(data))
    return f"reading by pips, {name}", f"{reading:.0f} ms, {reading / floor:.0f} floors of {floor:.1f} ms"


def _floor(data: bytes) -> None:
    """Decode, grey, blur."""
    image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    cv2.GaussianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), (5, 5), 0)


def _quickest(work: Callable[[], object]) -> float:
    """Milliseconds of the quickest of ROUNDS runs."""
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        work()
        times.append(1000 * (time.perf_counter() - start))
    return min(times)
