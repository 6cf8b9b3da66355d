"""A presenter's keys taught on the page of a box at work, in real Chromium, and the presenter pulled out."""

from typing import Any

import pytest

from companion.app.system import box_parts
from companion.texts import translate
from hardware.buttons.keys import FILE, Key, parsed
from tests.companion.outside.brokers import wait_until
from tests.hardware.simulated_keys import SimulatedKeys
from tests.web.axe import complaints
from tests.web.hands import FITS, until
from tests.whole.conftest import at_work

pytestmark = pytest.mark.browser

PRESENTER = "Presenter"


def says(page: Any, key: str, **values: object) -> None:
    page.wait_for_selector(f".keys .note:has-text({translate('en', key, **values)!r})")


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
