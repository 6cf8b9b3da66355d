"""A box in a process of its own: killed while people play, left by phones that hang up, and idle for long."""

import asyncio
import http.client
import json
import tempfile
import threading
import time
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import psutil

from lab.bench.bench_load import free_port
from lab.bench.crowd import Heard, box, crowd, next_command, own_mb
from lab.soak.scenario import Row, Scenario, turns

LIVES_S = (0.2, 3.0)
GROWTH_MB = 6.0
"""By so much memory may grow once everything is loaded: allocators round up."""

SETTLED_S, SETTLING_S = 5.0, 60.0
"""Everything is loaded when memory has not grown for the first; after the second at the latest."""


def scenarios() -> tuple[Scenario, ...]:
    return (
        Scenario("a running box that is killed while people play", killed, share=3.0),
        Scenario("phones that hang up in the middle of everything", hung_up),
        Scenario("an idle box with a phone that listens", idle, share=3.0),
    )


def killed(budget_s: float, rng: Random) -> Row:
    """Kill a box at any instant and start it again in the same folder: what it acknowledged is there."""
    row, commands = Row(0), 0
    with tempfile.TemporaryDirectory() as folder:
        acked: Any = None
        in_flight = False
        for _ in turns(budget_s):
            port = free_port()
            with box(Path(folder), port) as process:
                found = _game(port)
                row += _compared(acked, found, in_flight)
                acked, in_flight, done = _played(port, process, rng, found)
                commands += done
        with box(Path(folder), port := free_port()):
            row += _compared(acked, _game(port), in_flight)
    return row.saying(f"{commands} commands were acknowledged before the kills; all were there again.")


def _compared(acked: Any, found: Any, in_flight: bool) -> Row:
    """A start after a kill: where it stands, beside where it stood when it was killed."""
    if acked is None:
        return Row(0)
    if found is None:  # put away after its end, by a command that was not acknowledged any more
        lost, wrong = not in_flight or acked["phase"] != "over", False
    else:
        before, after = _progress(acked), _progress(found)
        lost, wrong = after < before, after > before and not in_flight
    return Row(1, detected=1, lost=int(lost), wrong=int(wrong))


def _progress(game: Any) -> tuple[int, int, int]:
    """How far a game has come: the last round that was judged, the round it is in, and its bids."""
    last = game["last_round"]
    return last["round"] if last else 0, game["round"]["number"], len(game["round"]["bids"])


def _played(port: int, process: psutil.Process, rng: Random, game: Any) -> tuple[Any, bool, int]:
    """Play until the box is killed; the last game that was acknowledged, whether a command was under way, and
    how many were acknowledged."""
    threading.Timer(rng.uniform(*LIVES_S), process.kill).start()
    acked, done, in_flight = game, 0, False
    with suppress(OSError, http.client.HTTPException, ValueError):
        state = _asked(port, "GET", "/api/v1/state")
        while True:
            command = next_command(state, rng) or {"type": "type_count", "count": state["reveal"]["lo"]}
            if command["type"] == "play_again":
                command = {"type": "put_away"}
            in_flight = True
            state = _asked(port, "POST", "/api/v1/commands", {"command": command})
            in_flight = False
            done += 1
            acked = state["game"] or acked
            if state["game"] is None:
                acked = None
    return acked, in_flight or acked is None, done


def _game(port: int) -> Any:
    return _asked(port, "GET", "/api/v1/state")["game"]


def _asked(port: int, method: str, path: str, body: Any = None) -> Any:
    """The JSON that the box answers; a command that came too late is no fault."""
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    headers = {"Host": f"localhost:{port}", "Content-Type": "application/json"}
    try:
        line.request(method, path, None if body is None else json.dumps(body), headers)
        answer = line.getresponse()
        health = json.loads(answer.read())
        return health if answer.status == 200 else _asked(port, "GET", "/api/v1/state")
    finally:
        line.close()


def hung_up(budget_s: float, rng: Random) -> Row:
    """Phones that follow and hang up while an answer is on its way; the others hear of everything."""
    with tempfile.TemporaryDirectory() as folder, box(Path(folder), port := free_port()):
        heard = _finished(crowd(port, 10, 2, budget_s, drops=(10, rng)))
        health = _asked(port, "GET", "/api/v1/health")
    wrong = heard.failed + heard.disordered + (not health["ok"])
    remark = (
        f"{len(heard.made_s)} changes; ten other phones heard of them after {1000 * heard.part(0.95):.0f} ms"
    )
    return Row(heard.dropped or 1, heard.dropped, wrong=wrong, remark=f"{remark} at p95.")


def idle(budget_s: float, rng: Random) -> Row:
    """Nobody plays: memory stays what it is."""
    with tempfile.TemporaryDirectory() as folder, box(Path(folder), port := free_port()) as process:
        before, began_s = _settled_mb(process), time.monotonic()
        _finished(crowd(port, 1, 0, budget_s))
        after, took_s = own_mb(process), time.monotonic() - began_s
    grown = after - before
    remark = f"{before:.1f} MB of its own before and {after:.1f} MB after {took_s:.0f} s."
    return Row(1, detected=1, wrong=int(grown > GROWTH_MB), remark=remark)


def _settled_mb(process: psutil.Process) -> float:
    """The memory of a box that has just started, once it grows no more."""
    most, since_s, until_s = 0.0, time.monotonic(), time.monotonic() + SETTLING_S
    while time.monotonic() < min(until_s, since_s + SETTLED_S):
        time.sleep(0.5)
        now = own_mb(process)
        if now > most + 1.0:
            most, since_s = now, time.monotonic()
    return own_mb(process)


def _finished(phones: Coroutine[Any, Any, Heard]) -> Heard:
    """What the phones heard, in a thread of its own: a browser of other tests has a loop in this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, phones).result()
