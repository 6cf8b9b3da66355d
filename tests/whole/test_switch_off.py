"""Switching the box off: from the page and by two buttons, only where it is an installed box."""

import pytest

from companion.errors import BadCommand, PartFault
from companion.upkeep import SWITCH_OFF as VARIABLE
from companion.upkeep import SwitchOff
from hardware.ports import SWITCH_OFF, Press
from tests.whole.at_box import page
from tests.whole.conftest import at_work


@pytest.fixture
def wish(tmp_path, monkeypatch):
    """The file that systemd watches for on an installed box."""
    file = tmp_path / "switch-off"
    monkeypatch.setenv(VARIABLE, str(file))
    return file


def test_without_an_installed_box_nothing_is_switched_off():
    here = SwitchOff({})
    assert not here.can
    with pytest.raises(BadCommand, match="cannot be switched off from here"):
        here.off("nobody")


def test_a_wish_that_cannot_be_left_is_reported(tmp_path):
    with pytest.raises(PartFault, match="No such file or directory"):
        SwitchOff({VARIABLE: str(tmp_path / "gone" / "switch-off")}).off("a test")


def test_two_buttons_held_for_ten_seconds_leave_the_wish(tmp_path, wish):
    with at_work(tmp_path / "data", "simulated") as companion:
        companion.presses.heard(Press(SWITCH_OFF, True, 1.0))
        assert wish.exists()


def test_two_buttons_of_a_laptop_switch_nothing_off(tmp_path):
    with at_work(tmp_path / "data", "simulated") as companion:
        companion.presses.heard(Press(SWITCH_OFF, True, 1.0))
        assert companion.table.snapshot().faults == ()
        assert "switch-off" not in page(companion, "/calibrate")


@pytest.mark.browser
def test_the_page_asks_once_then_switches_off(tmp_path, wish, phone):
    with at_work(tmp_path / "data", "simulated") as companion:
        screen = phone(companion, "/calibrate")
        button = screen.get_by_role("button", name="Switch off")
        asked: list[str] = []
        screen.once("dialog", lambda dialog: (asked.append(dialog.message), dialog.dismiss()))
        button.click()
        assert asked == ["Switch the box off?"]
        assert not wish.exists()
        screen.once("dialog", lambda dialog: dialog.accept())
        button.click()
        screen.get_by_text("The box is switching off.").wait_for()
        assert wish.exists()
