"""How long it takes to throw and draw a scene, on one thread. How well scenes are read tells
`python -m tests.vision.measure`."""

from __future__ import annotations

import time

import cv2

from vision.scenes import render, throw

_SCENES = 6


def rows() -> list[tuple[str, str]]:
    """One row per kind of scene: the median time of a few pictures of 1280 x 960."""
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        kinds = [("easy", 5), ("normal", 10), ("hard", 10), ("hard", 30)]
        return [(f"draw {n} dice, {d}, 1280 x 960", f"{_median_s(d, n) * 1000:.0f} ms") for d, n in kinds]
    finally:
        cv2.setNumThreads(threads)


def _median_s(difficulty: str, number: int) -> float:
    times = []
    for seed in range(_SCENES):
        start = time.perf_counter()
        render(throw(seed, difficulty=difficulty, count=(number, number)))
        times.append(time.perf_counter() - start)
    return sorted(times)[_SCENES // 2]
