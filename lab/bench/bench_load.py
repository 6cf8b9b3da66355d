"""How soon fifty phones hear of a change, beside one phone alone: 30 dice, five people who play, the camera
reading in between."""

import asyncio
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path

from psutil import Process

from lab.bench.crowd import Heard, answered_s, box, crowd, memory_mb

PHONES, PLAYERS, SECONDS = 50, 5, 25.0


SILENT = """
import time
from hardware.cameras.deviceless import SimulatedCamera
from hardware.errors import CameraSilent

def silent(self, timeout_s=1.0):
    time.sleep(timeout_s)
    raise CameraSilent("no picture")

SimulatedCamera.preview = silent
"""
"""A camera that answers nothing, as after its ribbon came loose."""


def rows() -> Iterator[tuple[str, ...]]:
    yield from _changes()
    yield from _live_views()


def _live_views() -> Iterator[tuple[str, ...]]:
    with tempfile.TemporaryDirectory() as folder, box(Path(folder), port := free_port(), before=SILENT):
        quiet, busy = (asyncio.run(answered_s(port, views, SECONDS / 2)) for views in (0, PHONES))
    late = [times[int(0.95 * len(times))] for times in (quiet, busy)]
    yield "the state beside nobody", f"{1000 * late[0]:.0f} ms", "p95"
    yield f"the state beside {PHONES} live views of a silent camera", f"{1000 * late[1]:.0f} ms", "p95"


def _changes() -> Iterator[tuple[str, ...]]:
    with tempfile.TemporaryDirectory() as folder, box(Path(folder), port := free_port()) as process:
        alone, alone_ms = _followed(process, port, 1)
        many, many_ms = _followed(process, port, PHONES)
        yield "a change reaches one phone", *_median_and_slowest(alone)
        each = f"with {PHONES} phones {many_ms:.0f} ms"
        yield "the page's processor a change, pictures too", f"{alone_ms:.0f} ms", each
        yield f"a change reaches {PHONES} phones", *_median_and_slowest(many)
        ratio = many.part(0.95) / max(alone.part(0.95), 0.001)
        yield "fifty phones over one, at p95", f"{ratio:.1f} times", f"{many.failed + many.disordered} faults"
        yield "memory of all processes then", f"{memory_mb(process):.0f} MB", "PSS"


def _followed(process: Process, port: int, phones: int) -> tuple[Heard, float]:
    """What phones heard, and the milliseconds of the page's processor for each change."""
    before = process.cpu_times()
    heard = asyncio.run(crowd(port, phones, PLAYERS, SECONDS))
    used_s = sum(process.cpu_times()[:2]) - sum(before[:2])
    return heard, 1000 * used_s / max(1, len(heard.made_s))


def _median_and_slowest(heard: Heard) -> tuple[str, str]:
    median, late, last = (1000 * heard.part(share) for share in (0.5, 0.95, 0.99))
    return f"{median:.0f} ms", f"p95 {late:.0f} ms, p99 {last:.0f} ms, {len(heard.made_s)} changes"


def free_port() -> int:
    with socket.socket() as asked:
        asked.bind(("127.0.0.1", 0))
        return int(asked.getsockname()[1])
