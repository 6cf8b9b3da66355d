"""What reading a picture costs on one thread, by resolution and by number of dice.

The floor is what any reader must do: decode the JPEG, make it grey, blur it 5 x 5; measured in the same run.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import cv2
import numpy as np

from vision.photos import decode
from vision.read import read
from vision.scenes import render, throw

READERS = ("pips", "net", "both")
SIZES = ((640, 480), (1280, 960), (1600, 1200), (3280, 2464))
COUNTS = (1, 5, 15, 30)
ROUNDS = 3
"""The quickest of so many runs: what the machine does besides only ever adds."""

Measured = dict[str, float]
"""Milliseconds by reader; those of the floor under "floor"."""


def rows() -> list[tuple[str, str]]:
    """Pairs of what was measured and the figure."""
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        by_size = {size: _measured(_jpeg(5, *size)) for size in SIZES}
        by_count = {count: _measured(_jpeg(count, 1600, 1200)) for count in COUNTS}
    finally:
        cv2.setNumThreads(threads)
    lines = [_row(f"{w} x {h}, 5 dice", times) for (w, h), times in by_size.items()]
    lines += [_row(f"1600 x 1200, {count} dice", times) for count, times in by_count.items()]
    millions = [w * h / 1e6 for w, h in SIZES]
    return [
        *lines,
        ("each further million pixels", _growth(millions, list(by_size.values()))),
        ("each further die", _growth(list(COUNTS), list(by_count.values()))),
    ]


def _jpeg(count: int, width: int, height: int) -> bytes:
    """A drawn scene of so many dice as a camera would deliver it."""
    picture = render(throw(11, style="box", count=(count, count), width_px=width, height_px=height)).image_bgr
    return bytes(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 90])[1])


def _measured(data: bytes) -> Measured:
    """Each reader's time for a picture that is decoded already, and the floor's."""
    image = decode(data)
    times = {reader: _quickest(lambda way=reader: read(image, reader=way)) for reader in READERS}
    return {**times, "floor": _quickest(lambda: _floor(data))}


def _row(name: str, times: Measured) -> tuple[str, str]:
    """Milliseconds and floors of each reader."""
    floor = times["floor"]
    told = [f"{reader} {times[reader]:4.0f} ms {times[reader] / floor:4.0f} floors" for reader in READERS]
    return name, f"{'   '.join(told)}   floor {floor:5.1f} ms"


def _growth(sizes: Sequence[float], times: Sequence[Measured]) -> str:
    """The slope of each reader's straight line, and how far the farthest measurement lies off it."""
    told = []
    for reader in READERS:
        taken = np.array([t[reader] for t in times])
        line = np.polyfit(sizes, taken, 1)
        off = float(np.abs(np.polyval(line, sizes) - taken).max())
        told.append(f"{reader} {line[0]:4.1f} ms (+- {off:.0f} off the line)")
    return "   ".join(told)


def _floor(data: bytes) -> None:
    """Decode, grey, blur."""
    image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    cv2.GaussianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), (5, 5), 0)


def _quickest(work: Callable[[], object]) -> float:
    """Milliseconds of the processor of the quickest of ROUNDS runs."""
    times = []
    for _ in range(ROUNDS):
        start = time.process_time()  # other programs of the machine do not count
        work()
        times.append(1000 * (time.process_time() - start))
    return min(times)
