"""How long it takes to throw and draw a scene, on one thread. How well scenes are read tells
`python -m lab.measure.classes`."""

from __future__ import annotations

import time

import cv2

from vision.scenes import render, throw

_SCENES = 6
_WIDTHS_PX = (640, 1280)


def rows() -> list[tuple[str, str]]:
    """One row per kind of scene and size: the median time of a few pictures, and how many a second."""
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        kinds = [("easy", 5), ("normal", 10), ("hard", 10), ("hard", 30)]
        return [_row(kind, number, wide_px) for wide_px in _WIDTHS_PX for kind, number in kinds]
    finally:
        cv2.setNumThreads(threads)


def _row(difficulty: str, number: int, width_px: int) -> tuple[str, str]:
    median_s = _median_s(difficulty, number, width_px)
    said = f"draw {number} dice, {difficulty}, {width_px} x {width_px * 3 // 4}"
    return said, f"{median_s * 1000:.0f} ms, {1 / median_s:.1f} a second"


def _median_s(difficulty: str, number: int, width_px: int) -> float:
    times = []
    for seed in range(_SCENES):
        start = time.perf_counter()
        render(throw(seed, difficulty=difficulty, count=(number, number)), width_px)
        times.append(time.perf_counter() - start)
    return sorted(times)[_SCENES // 2]
