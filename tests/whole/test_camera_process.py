"""The process of a real camera goes wrong in a reveal: it is reported, and the box goes on by itself."""

import importlib

import pytest

from hardware.ports import Clock
from hardware.worker import Worker
from tests.hardware.child_cameras import WELL, pi, set_mood
from tests.whole.at_box import eventually, finish_by_hand, in_reveal, wait_for, wait_until
from tests.whole.conftest import at_work

pytestmark = pytest.mark.slow


@pytest.fixture
def lives(tmp_path, monkeypatch):
    """Every life of a Pi camera on a stand-in, in the mood of the test's folder."""
    opened: list[Worker] = []

    def in_process(choice: object, clock: Clock, options: object, memory: bytes) -> Worker:
        opened.append(pi(tmp_path, clock, memory))
        return opened[-1]

    monkeypatch.setattr(importlib.import_module("hardware.cameras.choose"), "_in_process", in_process)
    monkeypatch.setattr("hardware.cameras.reconnecting.GRACE_S", 0.5)
    set_mood(tmp_path, WELL)
    return opened


@pytest.mark.parametrize("how", ["frame hang", "frame die", "frame garbage"])
def test_a_camera_that_goes_wrong_in_a_reveal_is_reported_and_comes_back(tmp_path, lives, how):
    with at_work(tmp_path / "data", "pi") as companion:
        in_reveal(companion)
        companion.press("ok")
        wait_until(companion, lambda now: len(now.state.reveal.steps) > 0)
        set_mood(tmp_path, how)
        companion.press("ok")
        wait_for(companion, "camera_silent")
        set_mood(tmp_path, WELL)
        companion.press("ok")
        wait_until(companion, lambda now: len(now.state.reveal.steps) > 1)
        wait_for(companion, None)
        assert len(lives) > 1
        finish_by_hand(companion)
    assert lives[-1].pid is None


def test_a_box_whose_camera_hangs_while_it_is_opened_can_be_ended(tmp_path, lives):
    set_mood(tmp_path, "open hang")
    with at_work(tmp_path / "data", "pi") as companion:
        in_reveal(companion)
        eventually(lambda: bool(lives) and lives[-1].pid is not None)
        opening = companion.camera
    eventually(lambda: opening.fault is not None)
    assert opening.fault.sentence == "Pi camera is closed.", "nobody waited until it took too long to open"
    assert lives[-1].pid is None
