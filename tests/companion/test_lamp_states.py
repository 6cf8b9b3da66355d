"""docs/reference/lamps.md maps states to lamps; here the table is brought into each state."""

from pathlib import Path

import pytest

from companion.reveal.observations import Observation, SeenDie
from companion.table.commands import AddObservation
from companion.table.snapshot import seat_words
from companion.table.table import Fault
from hardware.gpio.pins import open_pins
from hardware.gpio.wiring import Wiring
from hardware.lamps.patterns import STATUS
from hardware.lamps.pin_lights import PinLights
from hardware.ports import BoxState, LampView, SeatLamp
from tests.clocks import FakeClock
from tests.hardware.lamp_page import SEATS_IN, lamp_page
from tests.hardware.shown import shown
from tests.web.tables import WAYS, BoxedTable, looking

LAMPS = Path(__file__).parents[2] / "docs" / "reference" / "lamps.md"


def shown_rows() -> dict[str, list[str]]:
    """The table of every lamp in the page, by state."""
    part = LAMPS.read_text(encoding="utf-8").split("## Every lamp in every state")[1].split("##")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in part.strip().splitlines()[2:]]
    return {row[0].strip("`"): row[1:] for row in rows}


def test_the_page_has_every_state():
    assert set(shown_rows()) == {str(state) for state in BoxState}
    assert LAMPS.read_text(encoding="utf-8") == lamp_page()


@pytest.mark.parametrize("way", WAYS)
def test_a_table_in_that_state_lights_what_the_page_says(tmp_path, way):
    table = BoxedTable(tmp_path)
    WAYS[way](table)
    state = BoxState(table.snapshot().data["state"])
    at_table = table.table.snapshot().state
    seats = tuple(SeatLamp(word) for word in seat_words(at_table))
    table.journal.close()
    assert set(seats) <= set(SEATS_IN[state])
    pins = open_pins("mock", FakeClock())
    lights = PinLights(Wiring(), pins, FakeClock())
    lights.show(LampView(state, seats, open_dice=at_table.reveal is not None))
    seen = shown(lights)
    lights.close()
    pins.close()
    _, status, ring, *_ = shown_rows()[state]
    assert status == f"{STATUS[state].colour}, {seen.pattern}"
    lit = ring == "lit" or (ring == "lit where dice lie open" and at_table.reveal is not None)
    assert seen.ring == (1.0 if lit else 0.0)
    assert seen.pattern == STATUS[state].pattern.words


@pytest.mark.parametrize(("phone", "state"), [(None, "fault"), ("Ana", "question")])
def test_no_camera_is_missed_where_a_phone_took_the_picture(tmp_path, phone, state):
    table = BoxedTable(tmp_path)
    looking(table)
    table.table.report("camera", Fault("camera_missing"))
    seen = Observation(1000, 750, (SeenDie(2, 0.5, 0.5, 0.05, 0.9, True, "red"),), True, phone=phone)
    table.do(AddObservation(seen, "phone-1"))
    assert table.snapshot().data["state"] == state
    table.journal.close()


def test_the_ways_lead_through_every_state(tmp_path):
    states = set()
    for number, bring in enumerate(WAYS.values()):
        table = BoxedTable(tmp_path / str(number))
        bring(table)
        states.add(table.snapshot().data["state"])
        table.table.report("pin_taken", Fault("pin_taken"))
        states.add(table.snapshot().data["state"])
        table.journal.close()
    assert states == {str(state) for state in BoxState} - {"stands"}
