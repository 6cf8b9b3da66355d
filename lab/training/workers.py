"""Work shared among processes: what comes out does not depend on how many there are."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import TypeVar

import cv2

In = TypeVar("In")
Out = TypeVar("Out")


def shared(function: Callable[[In], Out], items: Iterable[In], jobs: int) -> list[Out]:
    """What `function` makes of each item, in their order, by `jobs` processes; for one job in this process.

    Function, items and results must be such as pickle takes. What the function raises is raised here.
    """
    if jobs == 1:
        return [function(item) for item in items]
    with ProcessPoolExecutor(jobs, get_context("spawn"), _alone) as pool:
        return list(pool.map(function, items))


def _alone() -> None:
    """Each process has one thread: there are as many as there are cores."""
    cv2.setNumThreads(1)
