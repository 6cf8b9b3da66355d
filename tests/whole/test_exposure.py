"""The light of one game: the ring is lit, exposure and colours stay from one reveal to the next."""

import importlib
import threading

import numpy as np
import pytest

from companion.reveal.corrections import ByHand
from companion.rules.calls import Dudo
from companion.rules.position import Phase
from companion.table import commands as cmd
from hardware.cameras.pi import PiCamera
from tests.companion.at_table import bid
from tests.hardware.fakes import FakePicamera2
from tests.hardware.inline import InlineWorker
from tests.hardware.shown import shown
from tests.whole.at_box import TIMEOUT_S, in_reveal, wait_until
from tests.whole.conftest import at_work

pytestmark = pytest.mark.slow

CARD = np.full((120, 160, 3), 120, dtype=np.uint8)


def test_the_exposure_is_kept_from_the_first_picture_of_a_game_to_its_end(tmp_path, monkeypatch):
    sensor, ring = FakePicamera2(CARD), []
    asked, freed = sensor.set_controls, threading.Event()
    monkeypatch.setattr(
        importlib.import_module("hardware.cameras.choose"),
        "_in_process",
        lambda choice, clock, options, memory: InlineWorker(
            lambda: PiCamera(clock, options, open_pi=lambda number: sensor)
        ),
    )
    with at_work(tmp_path / "data", "pi", mains_hz="60") as companion:

        def noted(wanted: dict[str, object]) -> None:
            ring.append((wanted.get("AeEnable"), shown(companion.parts.lights).ring))
            asked(wanted)
            if wanted.get("AeEnable"):
                freed.set()

        monkeypatch.setattr(sensor, "set_controls", noted)

        def picture(number: int) -> None:
            companion.press("ok")
            wait_until(companion, lambda now: len(now.state.reveal.steps) >= number)

        in_reveal(companion)
        picture(1)
        picture(2)
        lit = pytest.approx(1.0, abs=0.01)
        assert ring == [(False, lit), (None, lit)], "first the automatics off, then the values"
        assert sensor.metadata()["ExposureTime"] == 16_667
        now = companion.table.do(cmd.Correct(ByHand(2)))
        assert now.state.game.phase is Phase.VERDICT
        starter = companion.table.do(cmd.NextRound()).state.game.round.turn
        other = next(p.name for p in now.state.game.players if p.name != starter)
        companion.table.do(bid(starter, "1x5"))
        companion.table.do(cmd.Say(Dudo(other)))
        picture(1)
        assert len(ring) == 2, "one exposure for all reveals in one light"
        sensor.image = np.full_like(CARD, 60)
        picture(2)
        assert [kept for kept, _ in ring[2:3]] == [True], "another light is settled anew"
        assert freed.wait(TIMEOUT_S)
        freed.clear()
        picture(3)
        companion.table.do(cmd.Abandon())
        assert freed.wait(TIMEOUT_S), "who sets up the box sees by the automatics"
