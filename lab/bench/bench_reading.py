"""What reading a picture costs on one thread, by resolution and by number of dice.

The floor is what any reader must do: decode the JPEG, make it grey, blur it 5 x 5; measured in the same run.
The last lines show that the cost grows as straight lines do.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence

import cv2
import numpy as np

from hardware.cameras.simulated_dice import laid
from vision.picture.photos import decode
from vision.read import read

READERS = ("pips", "net", "both")
SIZES = ((640, 480), (1280, 960), (1600, 1200), (3280, 2464))
COUNTS = (1, 5, 15, 30)
COLOURS = ("ivory", "red", "blue", "green", "black", "yellow")
ROUNDS = 6
"""The quickest of so many runs: what the machine does besides only ever adds."""

READ_WIDTHS = (320, 448, 544, 640)
"""Pictures this small are read at half as large again: every pixel more is read."""
SHRUNK_WIDTHS = (1280, 1920, 2560, 3280)
"""Pictures this large are made smaller first, with the same dice at the same size."""
MORE_DICE = (2, 8, 14, 20, 26, 30)
"""On tables of one size."""

Measured = dict[str, float]
"""Milliseconds by reader; those of the floor under "floor"."""
Row = tuple[str, str]


def rows() -> list[Row]:
    """Pairs of what was measured and the figure."""
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        return [*_by_size_and_count(), *_growth()]
    finally:
        cv2.setNumThreads(threads)


def _by_size_and_count() -> list[Row]:
    """What a picture costs."""
    sizes = [_row(f"{w} x {h}, 5 dice", _measured(_jpeg(5, w, h))) for w, h in SIZES]
    counts = [_row(f"1600 x 1200, {n} dice", _measured(_jpeg(n, 1600, 1200))) for n in COUNTS]
    return sizes + counts + [_known_scale(n) for n in COUNTS]


def _known_scale(count: int) -> Row:
    """Both ways together of a calibrated box, which knows how wide it reads its dice."""
    image = decode(_jpeg(count, 1600, 1200))
    die_px = float(np.median([die.size_px for die in read(image).dice]))
    known, unknown = (_quickest(lambda px=px: read(image, scale_px=px)) for px in (die_px, None))
    name = f"1600 x 1200, {count} dice of known {die_px:.0f} px"
    return name, f"both {known:4.0f} ms, unknown {unknown:4.0f} ms"


def _growth() -> list[Row]:
    """That the cost grows as a straight line does: with the pixels that are read, those that are shrunk, and
    the pips."""
    read = {w: _measured(_jpeg(5, w, w * 3 // 4)) for w in READ_WIDTHS}
    shrunk = {w: _measured(_jpeg(5, w, w * 3 // 4)) for w in SHRUNK_WIDTHS}
    crowded = {n: _measured(_jpeg(n, 1600, 1200)) for n in MORE_DICE}
    of_width = 0.75 / 1e4
    pips = [sum(face for face, _ in _dice(n)) for n in MORE_DICE]
    return [
        ("100 x 100 pixels more that are read", _line([w * w * of_width for w in READ_WIDTHS], read)),
        ("and more that are shrunk", _line([w * w * of_width for w in SHRUNK_WIDTHS], shrunk)),
        (f"each further pip, {pips[0]} to {pips[-1]} on dice", _line(pips, crowded)),
    ]


def _line(sizes: Sequence[float], times: Mapping[int, Measured]) -> str:
    """The slope of each reader's straight line, where it begins, and how far the farthest measurement lies
    off it, of the mean."""
    cells = []
    for reader in READERS:
        taken = np.array([t[reader] for t in times.values()])
        slope, start = np.polyfit(sizes, taken, 1)
        off = float(np.abs(start + slope * np.array(sizes) - taken).max() / taken.mean())
        cells.append(f"{reader} {slope:5.2f} ms on {start:3.0f} ms, {off:3.0%} off")
    return "   ".join(cells)


def _jpeg(count: int, width: int, height: int) -> bytes:
    """A table with so many dice as a camera would deliver it."""
    image = laid(_dice(count), 11, width_px=width, height_px=height).image_bgr
    return bytes(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 90])[1])


def _dice(count: int) -> list[tuple[int, str]]:
    return [(1 + k % 6, COLOURS[k // 5 % len(COLOURS)]) for k in range(count)]


def _measured(data: bytes) -> Measured:
    """Each reader's time for a picture that is decoded already, and the floor's."""
    image = decode(data)
    times = {reader: _quickest(lambda way=reader: read(image, reader=way)) for reader in READERS}
    return {**times, "floor": _quickest(lambda: _floor(data))}


def _row(name: str, times: Measured) -> tuple[str, str]:
    """Milliseconds and floors of each reader."""
    floor = times["floor"]
    cells = [f"{reader} {times[reader]:4.0f} ms {times[reader] / floor:4.0f} floors" for reader in READERS]
    return name, f"{'   '.join(cells)}   floor {floor:5.1f} ms"


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
