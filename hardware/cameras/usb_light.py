"""Exposure and white balance of a USB camera, kept for a reveal as far as its driver lets them be.

V4L2 has a switch for each of the automatics, and a value that holds while it is off. What cameras make of it
differs: most keep what the automatics had found, some fall back on a value of long ago, some have no switch.
So the pictures before and after are compared; where they differ, the automatics go on.

Source: the kernel's camera control reference, V4L2_CID_EXPOSURE_AUTO (1 is by hand, 0 automatic, 3 aperture
priority, as USB cameras call automatic) and V4L2_CID_AUTO_WHITE_BALANCE; OpenCV hands these numbers on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.optics.pixels import Image

SETTLED_PICTURES = 5
MAX_PICTURES = 30
_LATE_PICTURES = 4
_ALIKE = 0.08


class Video(Protocol):
    """The part of cv2.VideoCapture that is used: properties by number, below 0 for one that is not there."""

    def get(self, prop: int, /) -> float: ...

    def set(self, prop: int, value: float, /) -> bool: ...


@dataclass(frozen=True, slots=True)
class Automatic:
    """One of a camera's automatics: its switch, what that takes for on (the first that works) and for off,
    and the value that it moves."""

    name: str
    switch: int
    on: tuple[int, ...]
    off: int
    value: int


AUTOMATICS = (
    Automatic("exposure", cv2.CAP_PROP_AUTO_EXPOSURE, (3, 0), 1, cv2.CAP_PROP_EXPOSURE),
    Automatic("white balance", cv2.CAP_PROP_AUTO_WB, (1,), 0, cv2.CAP_PROP_WB_TEMPERATURE),
)


@dataclass(slots=True)
class UsbMemory:
    """The locked values, kept while the camera is closed and opened again: by property, in order."""

    kept: dict[int, float] = field(default_factory=dict)
    refused: tuple[str, ...] = ()


def unlock_exposure(video: Video, memory: UsbMemory) -> None:
    """Switch all automatics on."""
    memory.kept.clear()
    for automatic in AUTOMATICS:
        _start(video, automatic)


def recall(video: Video, memory: UsbMemory) -> None:
    """A newly opened camera as it was: locked within a reveal, else automatic whatever came before."""
    if not memory.kept:
        unlock_exposure(video, memory)
    for prop, value in memory.kept.items():
        video.set(prop, value)


def lock_exposure(video: Video, memory: UsbMemory, newest: Callable[[], Image]) -> tuple[str, ...]:
    """Let the automatics settle and switch them off; returns the names of those that can't be.

    `newest` gives the newest picture and raises the camera's own errors, which leave them as they are.
    """
    unlock_exposure(video, memory)
    refused = tuple(one.name for one in AUTOMATICS if not _stopped(video, memory, one, newest))
    memory.refused = refused
    return refused


def _stopped(video: Video, memory: UsbMemory, automatic: Automatic, newest: Callable[[], Image]) -> bool:
    """Whether the automatic is off and the picture still the same."""
    before, value = settled(newest), video.get(automatic.value)
    if not video.set(automatic.switch, automatic.off):
        return False
    if value > 0:
        video.set(automatic.value, value)
    for _ in range(_LATE_PICTURES):
        newest()
    if not alike([before, mean(newest())]):
        _start(video, automatic)
        return False
    memory.kept[automatic.switch] = automatic.off
    if value > 0:
        memory.kept[automatic.value] = value
    return True


def _start(video: Video, automatic: Automatic) -> None:
    any(video.set(automatic.switch, on) for on in automatic.on)


def settled(newest: Callable[[], Image]) -> NDArray[np.float64]:
    """The mean colour once the last pictures were alike; after so many pictures as it is by then."""
    seen: list[NDArray[np.float64]] = []
    while len(seen) < MAX_PICTURES:
        seen.append(mean(newest()))
        if len(seen) >= SETTLED_PICTURES and alike(seen[-SETTLED_PICTURES:]):
            break
    return seen[-1]


def mean(image: Image) -> NDArray[np.float64]:
    """Mean blue, green and red of a picture."""
    return np.asarray(image[::8, ::8].mean(axis=(0, 1)), np.float64)


def alike(means: list[NDArray[np.float64]]) -> bool:
    """Whether each colour stays within 8 % over the pictures."""
    low, high = np.min(means, axis=0), np.max(means, axis=0)
    return bool((high - low <= _ALIKE * np.maximum(high, 1.0)).all())
