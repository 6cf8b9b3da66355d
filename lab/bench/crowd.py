"""Phones that follow the page of a running box, and some that play on it: how soon each hears of a change.

The box runs in a process of its own; the phones share this one, on one event loop.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import psutil

LANGUAGES = ("en", "es", "de", "fr", "pt")
PEOPLE = ("Ana", "Beto", "Cleo", "Dora", "Emil", "Fina")
COLOURS = ("red", "blue", "green", "yellow", "white", "black")


@dataclass
class Heard:
    """When each version of the table was made known to who caused it, and when phones heard of it."""

    made_s: dict[int, float] = field(default_factory=dict)
    delays_s: list[float] = field(default_factory=list)
    failed: int = 0
    disordered: int = 0
    dropped: int = 0

    def note(self, before: int, now: int) -> None:
        """A phone went from one version to a newer one."""
        at_s = time.monotonic()
        self.disordered += now < before
        made = [self.made_s[version] for version in range(before + 1, now + 1) if version in self.made_s]
        if made:
            self.delays_s.append(at_s - max(made))

    def part(self, share: float) -> float:
        """The delay in seconds that `share` of all stay below."""
        ordered = sorted(self.delays_s)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")


class Line:
    """One connection that is kept, and the cookie that came over it."""

    def __init__(self, port: int, headers: dict[str, str], address: str = "127.0.0.1") -> None:
        self._port, self._headers, self._address = port, headers, address
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, method: str, path: str, body: Any = None) -> tuple[int, dict[str, str], bytes]:
        """Status, headers and body of an answer; raises OSError, EOFError when the box is gone."""
        if self._streams is None:
            self._streams = await asyncio.open_connection(
                "127.0.0.1", self._port, local_addr=(self._address, 0)
            )
        reader, writer = self._streams
        sent = b"" if body is None else json.dumps(body).encode()
        headers = {"Host": f"localhost:{self._port}", **self._headers, "Content-Length": str(len(sent))}
        if sent:
            headers["Content-Type"] = "application/json"
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        writer.write(f"{method} {path} HTTP/1.1\r\n{lines}\r\n".encode() + sent)
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        received = {
            name.lower(): value for name, _, value in (line.partition(": ") for line in head[1:] if line)
        }
        content = await reader.readexactly(int(received.get("content-length", 0)))
        if "set-cookie" in received:
            self._headers["Cookie"] = received["set-cookie"].partition(";")[0]
        if received.get("connection", "").lower() == "close":
            self.close()
        return int(head[0].split()[1]), received, content

    def close(self) -> None:
        """Hang up without a word."""
        streams, self._streams = self._streams, None
        if streams:
            streams[1].transport.abort()


async def follow(port: int, number: int, heard: Heard, *, drops: Random | None = None) -> None:
    """A phone that shows the table for as long as it is not cancelled; with `drops` it hangs up at times."""
    headers = {"Accept-Language": LANGUAGES[number % 5], "Accept-Encoding": "gzip", "Via": "phone"}
    line = Line(port, headers, f"127.0.1.{1 + number % 250}")
    with contextlib.closing(line):
        await _follow(line, heard, drops)


async def _follow(line: Line, heard: Heard, drops: Random | None) -> None:
    version = 0
    while True:
        try:
            if drops and drops.random() < 0.5:
                heard.dropped += 1
                asyncio.get_running_loop().call_later(drops.random(), line.close)
            status, received, _ = await line.ask("GET", f"/fragment/table?after={version or ''}")
            now = int(received.get("x-version", version))
            if status == 200 and version:
                heard.note(version, now)
            heard.failed += status >= 400
            version = now
        except (OSError, EOFError, RuntimeError):  # of them all, asyncio tells of a dropped transport
            heard.failed += not drops
            line.close()
            await asyncio.sleep(0.1)


async def play(port: int, heard: Heard, rng: Random, pause_s: float) -> None:
    """A phone at the table that does whatever is to be done next, and is often overtaken by another."""
    with contextlib.closing(Line(port, {})) as line:
        while True:
            await asyncio.sleep(pause_s * (0.5 + rng.random()))
            state = json.loads((await line.ask("GET", "/api/v1/state"))[2])
            command = next_command(state, rng)
            if command is None:
                continue
            body = {"command": command, "based_on": state["version"]}
            status, _, content = await line.ask("POST", "/api/v1/commands", body)
            if status == 200:
                heard.made_s.setdefault(json.loads(content)["version"], time.monotonic())


def next_command(state: Any, rng: Random) -> dict[str, Any] | None:
    """What somebody at the table would do; None while the box looks at the dice."""
    game = state["game"]
    if game is None:
        players = [{"name": name, "colour": colour} for name, colour in zip(PEOPLE, COLOURS, strict=True)]
        return {"type": "new_game", "players": players, "starter": "Ana"}
    match game["phase"]:
        case "bidding":
            return _call(game["round"], rng)
        case "reveal" if state["state"] == "question" and rng.random() < 0.3:
            return {"type": "type_count", "count": state["reveal"]["lo"]}
        case "verdict":
            return {"type": "next_round"}
        case "over":
            return {"type": "play_again"}
    return None


def _call(round_: Any, rng: Random) -> dict[str, Any]:
    if round_["legal"]["visibility"] and round_["visibility"] is None:
        return {"type": "choose_visibility", "by": round_["starter"], "visibility": "usual"}
    if not round_["legal"]["bids"] or (round_["legal"]["dudo"] and rng.random() < 0.1):
        return {"type": "dudo", "by": round_["turn"]}
    quantity, face = round_["legal"]["bids"][0]
    return {"type": "bid", "by": round_["turn"], "quantity": quantity, "face": face}


async def watch(port: int, number: int) -> None:
    """A phone that shows the camera's live view for as long as it is not cancelled."""
    with contextlib.closing(Line(port, {}, f"127.0.2.{1 + number % 250}")) as line:
        while True:
            await line.ask("GET", "/preview.jpg")
            await asyncio.sleep(0.3)


async def answered_s(port: int, views: int, seconds: float) -> list[float]:
    """How long a question for the state takes, while so many phones show the live view."""
    took: list[float] = []
    with contextlib.closing(Line(port, {})) as line:
        async with _cancelled([watch(port, number) for number in range(views)]):
            until_s = time.monotonic() + seconds
            while time.monotonic() < until_s:
                await asyncio.sleep(0.1)
                began_s = time.monotonic()
                await line.ask("GET", "/api/v1/state")
                took.append(time.monotonic() - began_s)
    return sorted(took)


async def crowd(
    port: int,
    phones: int,
    players: int,
    seconds: float,
    *,
    seed: int = 1,
    drops: tuple[int, Random] | None = None,
) -> Heard:
    """So many phones follow while others play, for so long; with `drops` some more follow and hang up."""
    heard = Heard()
    jobs = [follow(port, number, heard) for number in range(phones)]
    if drops:
        jobs += [follow(port, phones + number, heard, drops=drops[1]) for number in range(drops[0])]
    jobs += [play(port, heard, Random(seed + number), 1.5) for number in range(players)]
    async with _cancelled(jobs):
        await asyncio.sleep(seconds)
    return heard


@asynccontextmanager
async def _cancelled(jobs: list[Any]) -> AsyncIterator[None]:
    tasks = [asyncio.create_task(job) for job in jobs]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


@contextmanager
def box(folder: Path, port: int, *, before: str = "") -> Iterator[psutil.Process]:
    """A box at the simulated table, with its page at `port`; ended in the end. `before` is Python that is run
    in it first."""
    words = ("run", "--port", str(port), "--host", "127.0.0.1", "--pins", "mock", "--data", str(folder))
    start = f"{before}\nimport sys; from companion.__main__ import main; sys.exit(main())"
    command = [sys.executable, "-c", start, *words, "--camera", "simulated"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
        try:
            assert running.stdout is not None
            assert "Dudo companion" in running.stdout.readline()
            yield psutil.Process(running.pid)
        finally:
            running.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                running.wait(10)
            running.kill()


def memory_mb(process: psutil.Process) -> float:
    """Memory of a process and its children in MB, shared pages by their share (PSS)."""
    family = [process, *process.children(recursive=True)]
    return sum(one.memory_full_info().pss for one in family) / 1e6


def own_mb(process: psutil.Process) -> float:
    """Memory in MB that a process and its children have written: private dirty pages, in memory or swapped.

    Others do not move it, as they do USS: pages of libraries become private when the last other program that
    has them open ends. Source: proc_pid_smaps(5).
    """
    family = [process, *process.children(recursive=True)]
    return sum(_written_kb(one.pid) for one in family) * 1024 / 1e6


def _written_kb(pid: int) -> int:
    text = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii")
    return sum(int(kb) for kb in re.findall(r"^(?:Private_Dirty|Swap): +(\d+) kB$", text, re.MULTILINE))
