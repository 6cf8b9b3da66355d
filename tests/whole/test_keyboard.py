"""A presenter as the box's buttons: its keys are taught, press dudo, and it is pulled out and put back."""

from typing import Any

import pytest

from companion.app.system import box_parts
from companion.storage.side_files import SideFile
from companion.texts import translate
from hardware.buttons.keys import FILE, Key, parsed, written
from tests.companion.outside.brokers import wait_until
from tests.hardware.simulated_keys import SimulatedKeys
from tests.web.axe import complaints
from tests.web.hands import FITS, until
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


def says(page: Any, key: str, **values: object) -> None:
    page.wait_for_selector(f".keys .note:has-text({translate('en', key, **values)!r})")


@pytest.mark.browser
def test_keys_are_taught_on_the_page(tmp_path, empty_table, monkeypatch, phone):
    keys = SimulatedKeys()
    monkeypatch.setattr(box_parts, "EvdevKeys", lambda clock: keys)
    kept = tmp_path / "data" / FILE
    with at_work(tmp_path / "data", empty_table) as companion:
        page = phone(companion, "/hardware-test", viewport={"width": 360, "height": 640})
        page.click("#key-ok button")
        says(page, "web.workshop.key_none")
        keys.plug(PRESENTER)
        says(page, "web.workshop.key_awaited", button="OK")
        page.wait_for_selector(".keys .note:not(:has-text('yet'))")
        keys.move(PRESENTER, "KEY_ENTER", True)
        keys.move(PRESENTER, "KEY_ENTER", False)
        says(page, "web.workshop.key_learnt", code="KEY_ENTER", device=PRESENTER, button="OK")
        assert parsed(kept.read_bytes()) == {Key(PRESENTER, "KEY_ENTER"): "ok"}
        page.click("#key-dudo button")
        says(page, "web.workshop.key_awaited", button="DUDO")
        keys.move(PRESENTER, "KEY_ENTER", True)
        keys.move(PRESENTER, "KEY_ENTER", False)
        says(page, "web.workshop.key_taken", code="KEY_ENTER", device=PRESENTER, button="OK")
        until(page, FITS)
        assert complaints(page) == []
        page.click("#key-ok button:has-text('Forget')")
        says(page, "web.workshop.key_forgotten", button="OK")
        assert parsed(kept.read_bytes()) == {}
        page.click(".keys > button")
        says(page, "web.workshop.key_undone")
        assert parsed(kept.read_bytes()) == {Key(PRESENTER, "KEY_ENTER"): "ok"}
        keys.unplug(PRESENTER)
        page.wait_for_selector(f".note.bad:has-text({translate('en', 'web.faults.keyboard_missing')!r})")
        keys.plug(PRESENTER)
        page.wait_for_selector(".note.bad", state="detached")
        keys.move(PRESENTER, "KEY_ENTER", True)
        wait_until(lambda: companion.parts.buttons.down() == ("ok",), "the key presses its button again")
