"""The thread of lamps, buttons and sound: it is heard of, and no bad moment ends it."""

import threading

import pytest

from hardware import ticker
from hardware.ticker import Ticker


def test_a_sleeping_thread_is_heard_of_again_and_again(monkeypatch):
    monkeypatch.setattr(ticker, "BEAT_S", 0.001)
    beats, heard = list[int](), threading.Event()

    def beat() -> None:
        beats.append(1)
        if len(beats) == 5:
            heard.set()

    lamps = Ticker("lights", lambda: None, beat)
    assert heard.wait(10)
    lamps.close()


def test_a_thread_that_hangs_is_silent():
    begun, never, beats = threading.Event(), threading.Event(), list[int]()

    def hang() -> None:
        begun.set()
        never.wait(30)

    lamps = Ticker("lights", hang, lambda: beats.append(1))
    assert begun.wait(10)
    assert beats == [1]
    never.set()
    lamps.close()


@pytest.mark.parametrize("error", [RuntimeError("odd"), SystemExit(), MemoryError(), KeyboardInterrupt()])
def test_no_bad_moment_ends_the_thread(error, monkeypatch):
    monkeypatch.setattr(ticker, "AFTER_FAULT_S", 0.0)
    errors, went_on = [error], threading.Event()

    def step() -> None:
        if errors:
            raise errors.pop()
        went_on.set()

    lamps = Ticker("lights", step)
    assert went_on.wait(10)
    lamps.close()
