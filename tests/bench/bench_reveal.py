"""From the press to the settled verdict, and how many questions a reveal asks."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from random import Random

import cv2
import numpy as np

from companion.reveal.assessing import assess
from companion.reveal.claims import Claim, Kind
from companion.reveal.looks import Look
from companion.reveal.state import begin, with_look
from tests.companion.reveal_player import play, scenario
from tests.companion.reveal_table import Errors, Table, TrueDie, View, photograph, scattered
from vision.contract import to_json
from vision.read import read
from vision.scenes import render, table_scene
from vision.settle import Settler

DICE = 30
REVEALS = 360
CLAIM = Claim(Kind.DUDO, 5, 9, wild=True)


def rows() -> list[tuple[str, str]]:
    """What was measured and the figure with its unit."""
    return [*_one_look(), *_moved(), *_settling(), *_questions()]


def best_ms(work: Callable[[], object], times: int = 5) -> float:
    """The quickest of a few runs: what the work takes when nothing else disturbs it."""
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return 1000 * min(taken)


def _one_look() -> list[tuple[str, str]]:
    """A still look at 30 dice: read, merged and assessed."""
    cv2.setNumThreads(1)
    rng = Random(1)
    scene = table_scene([(rng.randint(1, 6), "ivory") for _ in range(DICE)], 1, width_px=1536, height_px=864)
    image = render(scene).image_bgr
    look = Look.from_json(to_json(read(image), "", {"decode": 0.0, "read": 0.0}))

    def verdict() -> None:
        seen = Look.from_json(to_json(read(image), "", {"decode": 0.0, "read": 0.0}))
        assess(with_look(begin(CLAIM, DICE), "all", seen))

    whole, alone = best_ms(verdict), best_ms(lambda: assess(with_look(begin(CLAIM, DICE), "all", look)))
    return [
        (f"press to verdict, one look at {DICE} dice, camera apart", f"{whole:.0f} ms"),
        ("  of that the reveal", f"{alone:.1f} ms"),
    ]


def _moved() -> list[tuple[str, str]]:
    """Looks a second while the box is pushed about, each read already."""
    rng = Random(2)
    table = Table(tuple(TrueDie(rng.randint(1, 6), z) for z in scattered(rng, DICE)))
    views = [View(complex(0.5 + 0.04 * (k % 5), 0.375 + 0.03 * (k % 3))) for k in range(20)]
    looks = [photograph(table, view, Errors(), rng) for view in views]

    def all_looks() -> None:
        state = begin(CLAIM, DICE)
        for look in looks:
            state = with_look(state, "all", look)
            assess(state)

    return [("looks merged a second, box moved", f"{1000 * len(looks) / best_ms(all_looks, 3):.0f}")]


def _settling() -> list[tuple[str, str]]:
    grey = np.random.default_rng(1).integers(80, 120, (480, 640), np.uint8)
    settler = Settler().feed(grey, 0.0)
    return [("one preview settled, 640 x 480", f"{best_ms(lambda: settler.feed(grey, 0.1), 20):.2f} ms")]


def _questions() -> list[tuple[str, str]]:
    """Questions a reveal over simulated ones with bids near the count, by how the dice lay."""
    asked, runs, wrong = Counter[str](), Counter[str](), 0
    for seed in range(REVEALS):
        scene = scenario(seed)
        outcome = play(scene, seed)
        asked[scene.kind] += len(outcome.asked)
        runs[scene.kind] += 1
        wrong += not outcome.right
    by_kind = [(f"  {kind}", f"{asked[kind] / runs[kind]:.2f}") for kind in runs]
    return [
        ("questions a simulated reveal, bids near the count", f"{asked.total() / REVEALS:.2f}"),
        *by_kind,
        (f"wrong verdicts of {REVEALS}", f"{wrong}"),
    ]
