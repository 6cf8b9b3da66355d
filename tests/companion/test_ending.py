"""How a box ends: every part is asked to stop before any is waited for, and threads have one deadline."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace

import pytest

from companion import threads
from companion.app.companion import Companion
from companion.app.reading.reader import Reader
from companion.threads import Ending, Loop
from tests.simulated import simulated


class Part:
    """A part that writes down what it is asked."""

    def __init__(self, name: str, order: list[str], trouble: Exception | None = None) -> None:
        self._name, self._order, self._trouble = name, order, trouble

    def stop(self) -> None:
        self._order.append(f"stop {self._name}")
        if self._trouble:
            raise self._trouble

    def close(self) -> None:
        self._order.append(f"close {self._name}")
        if self._trouble:
            raise self._trouble


def test_all_are_asked_to_stop_before_one_is_waited_for_the_newest_first():
    order = list[str]()
    ending = Ending()
    ending.on_close(lambda: order.append("close the files"))
    for name in ("table", "camera", "page"):
        ending.add(Part(name, order))
    for _ in range(2):
        ending.close()
    stops, closes = order[:3], order[3:]
    assert stops == ["stop page", "stop camera", "stop table"]
    assert closes == ["close page", "close camera", "close table", "close the files"]


def test_a_part_that_fails_to_stop_or_to_close_hinders_no_other(caplog):
    order = list[str]()
    ending = Ending()
    for name, trouble in (("table", None), ("camera", RuntimeError("gone")), ("page", None)):
        ending.add(Part(name, order, trouble))
    with pytest.raises(RuntimeError, match="gone"):
        ending.close()
    assert order == [f"{what} {name}" for what in ("stop", "close") for name in ("page", "camera", "table")]
    assert "could not be asked to stop" in caplog.text


@contextmanager
def hanging(names: tuple[str, ...]) -> Iterator[list[Loop]]:
    """Loops whose turn does not come back before this ends."""
    free = threading.Event()

    def turn() -> float:
        free.wait()
        return 0.0

    loops = [Loop(name, turn) for name in names]
    yield loops
    free.set()
    for one in loops:
        one.close()


def test_threads_that_are_stopped_together_are_waited_for_once(monkeypatch):
    """Each had a second of its own: eight that hang would take eight."""
    clock = SimpleNamespace(now_s=100.0)
    waits = list[float | None]()

    def join(thread: threading.Thread, timeout: float | None = None) -> None:
        waits.append(timeout)
        clock.now_s += timeout or 0.0

    with hanging(("one", "another", "a third")) as loops, monkeypatch.context() as patch:
        patch.setattr(threads, "time", SimpleNamespace(monotonic=lambda: clock.now_s))
        patch.setattr(threading.Thread, "join", join)
        for one in loops:
            one.stop()
        for one in loops:
            one.close()
    assert waits == [threads.CLOSE_S, 0.0, 0.0]


@pytest.mark.slow
def test_every_thread_of_the_box_and_its_demonstration_is_asked_before_one_is_waited_for(
    tmp_path, monkeypatch
):
    loops, asked = list[Loop](), list[bool]()
    begin, close = Loop.__init__, Loop.close

    def begun(
        one: Loop, name: str, turn: Callable[[], float], beat: Callable[[], None] = lambda: None
    ) -> None:
        loops.append(one)
        begin(one, name, turn, beat)

    def closed(one: Loop) -> None:
        asked[:] = asked or [other.closed for other in loops]
        close(one)

    with monkeypatch.context() as patch:
        patch.setattr(Loop, "__init__", begun)
        patch.setattr(Loop, "close", closed)
        with Companion(simulated(tmp_path), reader=Reader()) as box:
            box.demonstration_table.open()
            assert not any(one.closed for one in loops)
    assert asked == [True] * len(loops)
