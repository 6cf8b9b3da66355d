"""Mock pins that every test gets fresh, a clock that stands still, and a look at threads left behind."""

import threading

import pytest

from hardware.gpio.pins import open_pins
from tests.clocks import FakeClock


@pytest.fixture
def clock():
    return FakeClock(100.0)


@pytest.fixture
def pins(clock):
    opened = open_pins("mock", clock)
    yield opened
    opened.factory.reset()
    opened.close()


@pytest.fixture(autouse=True)
def no_thread_left_behind():
    before = set(threading.enumerate())
    yield
    left = [thread.name for thread in threading.enumerate() if thread not in before and thread.is_alive()]
    assert not left, f"threads still running: {left}"
