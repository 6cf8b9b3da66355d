"""The light of one reveal: the ring is lit, exposure and colours stay from its second picture to its end."""

import importlib
import threading

import numpy as np
import pytest

from companion.reveal.corrections import ByHand
from companion.rules.game import Phase
from companion.table import commands as cmd
from hardware.cameras.pi import PiCamera
from hardware.lamps.pin_lights import RING_AT_WORK
from tests.hardware.fakes import FakePicamera2
from tests.whole.conftest import at_work
from tests.whole.test_faults import TIMEOUT_S, in_reveal, wait_until

pytestmark = pytest.mark.slow

CARD = np.full((120, 160, 3), 120, dtype=np.uint8)


def test_the_exposure_is_kept_from_the_second_picture_on_and_freed_afterwards(tmp_path, monkeypatch):
    sensor, ring = FakePicamera2(CARD), []
    asked, freed = sensor.set_controls, threading.Event()
    monkeypatch.setattr(
        importlib.import_module("hardware.cameras.choose"),
        "_in_process",
        lambda choice, clock, options, kept: PiCamera(clock, options, open_pi=lambda number: sensor),
    )
    with at_work(tmp_path / "data", "pi", mains_hz="60") as companion:

        def noted(wanted: dict[str, object]) -> None:
            ring.append((wanted.get("AeEnable"), companion.parts.lights.shown().ring))
            asked(wanted)
            if wanted.get("AeEnable"):
                freed.set()

        monkeypatch.setattr(sensor, "set_controls", noted)
        in_reveal(companion)
        companion.press("ok")
        wait_until(companion, lambda now: len(now.state.reveal.steps) > 0)
        assert ring == [], "the first picture may settle it, and a lock takes a second"
        companion.press("ok")
        wait_until(companion, lambda now: len(now.state.reveal.steps) > 1)
        lit = pytest.approx(RING_AT_WORK, abs=0.01)
        assert ring == [(False, lit), (None, lit)], "first the automatics off, then the values"
        assert sensor.metadata()["ExposureTime"] == 16_667
        companion.press("ok")
        wait_until(companion, lambda now: len(now.state.reveal.steps) > 2)
        assert len(ring) == 2, "one exposure for all further pictures of a reveal"
        assert companion.table.do(cmd.Correct(ByHand(2))).state.game.phase is Phase.VERDICT
        assert freed.wait(TIMEOUT_S)
    assert [kept for kept, _ in ring] == [False, None, True]
