"""A presenter as the box's buttons: it is learnt, presses dudo, is pulled out, and the game goes on."""

import pytest

from companion.app.system import box_parts
from companion.side_files import SideFile
from hardware.buttons.keys import FILE, Key, written
from tests.companion.outside.brokers import wait_until
from tests.hardware.simulated_keys import SimulatedKeys
from tests.whole.at_box import PEOPLE, faults_shown, say
from tests.whole.conftest import at_work

PRESENTER = "Presenter"


@pytest.mark.slow
def test_a_presenter_calls_dudo_and_is_pulled_out(tmp_path, empty_table, monkeypatch):
    keys = SimulatedKeys(PRESENTER)
    monkeypatch.setattr(box_parts, "EvdevKeys", lambda clock: keys)
    SideFile(tmp_path / "data" / FILE).write(written({Key(PRESENTER, "KEY_PAGEDOWN"): "dudo"}))
    with at_work(tmp_path / "data", empty_table) as companion:
        table = companion.table
        say(companion, "new_game", players=PEOPLE, starter="Ana")
        say(companion, "bid", by="Ana", quantity=3, face=4)
        keys.move(PRESENTER, "KEY_PAGEDOWN", True)
        wait_until(lambda: companion.parts.buttons.down() == ("dudo",), "the key is down")
        companion.parts.fingers._pass(0.1)  # type: ignore[union-attr]
        keys.move(PRESENTER, "KEY_PAGEDOWN", False)
        wait_until(lambda: companion.parts.buttons.down() == (), "the key is up")
        companion.parts.fingers._pass(0.1)  # type: ignore[union-attr]
        game = table.snapshot().state.game
        assert game.phase == "reveal"
        keys.unplug(PRESENTER)
        wait_until(lambda: faults_shown(table.snapshot()) == {"keyboard_missing"}, "it is reported")
        say(companion, "undo")
        say(companion, "bid", by="Bea", quantity=4, face=4)
        keys.plug(PRESENTER)
        wait_until(lambda: faults_shown(table.snapshot()) == set(), "it is back")


def test_without_learnt_keys_no_keyboard_is_opened(tmp_path, empty_table, monkeypatch):
    monkeypatch.setattr(box_parts, "EvdevKeys", lambda clock: pytest.fail("nobody asked for it"))
    with at_work(tmp_path / "data", empty_table) as companion:
        assert companion.parts.keys.devices() is None
