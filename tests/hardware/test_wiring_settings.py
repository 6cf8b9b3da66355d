"""The section [pins] of the settings."""

import tomllib

import pytest

from hardware.errors import WiringFault
from hardware.gpio.wiring import Wiring, wiring_from


@pytest.mark.parametrize(
    ("text", "wiring"),
    [
        ("", Wiring()),
        ("ring = 14", Wiring(ring=14)),
        ("ring = false\nbuzzer = false", Wiring(ring=None, buzzer=None)),
        ("status = false\nseats = false", Wiring(status=None, seats=())),
        ("seats = [16, 20]\ncommon_anode = true", Wiring(seats=(16, 20), common_anode=True)),
        ("status = [10, 9, 11]", Wiring(status=(10, 9, 11))),
        ("buttons = { seat1 = 17, ok = 4 }", Wiring(buttons=(("seat1", 17), ("ok", 4)))),
        ("buttons = false", Wiring(buttons=())),
    ],
)
def test_settings_become_a_wiring(text, wiring):
    assert wiring_from(tomllib.loads(text)) == wiring


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("rings = 18", "[pins] has no rings; there are buttons, status"),
        ("ring = true", "[pins] ring is a pin's BCM number, or false."),
        ('ring = "GPIO18"', "[pins] ring is a pin's BCM number"),
        ("status = [1, 2]", "[pins] status is a list of three pins."),
        ("seats = 4", "[pins] seats is a list of pins."),
        ("buttons = [1]", "[pins] buttons is like"),
        ("common_anode = 1", "[pins] common_anode is true or false."),
        ("ring = 17", "GPIO17 is given to button dudo and light ring"),
        ("ring = 99\nbuzzer = 0", "GPIO0 (buzzer) is reserved"),
        ("ring = true\nfan = 3", "has no fan"),
    ],
)
def test_faults_are_reported_in_the_settings_words(text, words):
    with pytest.raises(WiringFault) as caught:
        wiring_from(tomllib.loads(text))
    assert words in str(caught.value)
