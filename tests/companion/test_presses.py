"""What presses of the box mean: shared buttons, one for each seat, any mix; holding takes back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.app.presses import meaning
from companion.errors import BadCommand
from companion.table import commands as cmd
from companion.table.commands import Command
from companion.table.table import Snapshot
from hardware.buttons.pin_buttons import open_buttons
from hardware.buttons.simulated import SimulatedBox
from hardware.clock import FakeClock
from hardware.gpio.pins import Pins, open_pins
from hardware.gpio.wiring import Wiring
from hardware.ports import Press
from tests.web.tables import BoxedTable, bidding, looking, over, start, verdict

SHARED = (("dudo", 17), ("calza", 27), ("ok", 22))
SEATS = (("seat1", 5), ("seat2", 6), ("seat3", 13), ("ok", 22))
MIXED = (("dudo", 17), ("seat2", 6), ("ok", 22))


@pytest.fixture
def table(tmp_path: Path) -> Iterator[BoxedTable]:
    made = BoxedTable(tmp_path)
    yield made
    made.journal.close()


@pytest.fixture
def pins() -> Iterator[Pins]:
    opened = open_pins("mock", FakeClock())
    yield opened
    opened.close()


def pressed(pins: Pins, buttons: tuple[tuple[str, int], ...], name: str, held: bool) -> Press:
    """The press that comes of a finger on a box with those buttons, through gpiozero's mock pins."""
    wiring = Wiring(buttons=buttons, status=None, seats=(), ring=None, buzzer=None)
    heard: list[Press] = []
    listening = open_buttons(wiring, pins)
    listening.listen(heard.append)
    SimulatedBox(listening, wiring, pins).press(name, held)
    listening.close()
    assert len(heard) == 1
    return heard[0]


@pytest.mark.parametrize(
    ("buttons", "name", "held", "bring", "command"),
    [
        (SHARED, "dudo", False, bidding, cmd.Press("dudo")),
        (SHARED, "calza", False, bidding, cmd.Press("calza")),
        (SHARED, "ok", False, bidding, cmd.Press("ok")),
        (SHARED, "ok", True, bidding, cmd.Undo()),
        (SHARED, "ok", True, verdict, cmd.Undo()),
        (SHARED, "ok", False, looking, cmd.WantLook()),
        (SHARED, "ok", False, over, cmd.PlayAgain()),
        (SEATS, "seat1", False, bidding, cmd.Press("dudo", "Ana")),
        (SEATS, "seat2", False, bidding, cmd.Press("dudo", "Bea")),
        (SEATS, "seat3", True, bidding, cmd.Press("calza", "Carlos")),
        (SEATS, "ok", True, bidding, cmd.Undo()),
        (MIXED, "dudo", False, bidding, cmd.Press("dudo")),
        (MIXED, "seat2", True, bidding, cmd.Press("calza", "Bea")),
    ],
)
def test_a_finger_on_the_box_becomes_a_command(
    pins: Pins,
    table: BoxedTable,
    buttons: tuple[tuple[str, int], ...],
    name: str,
    held: bool,
    bring: Callable[[BoxedTable], Any],
    command: Command,
) -> None:
    bring(table)
    assert meaning(pressed(pins, buttons, name, held), table.table.snapshot()) == command


def test_a_seat_where_nobody_sits_is_refused(pins: Pins, table: BoxedTable) -> None:
    start(table)
    with pytest.raises(BadCommand, match="7"):
        meaning(Press("seat7", False, 0.0), table.table.snapshot())


def test_a_seats_button_calls_for_its_player(pins: Pins, table: BoxedTable) -> None:
    bidding(table)
    now: Snapshot = table.table.snapshot()
    table.do(meaning(pressed(pins, SEATS, "seat2", False), now))
    assert table.snapshot().data["reveal"]["call"] == "dudo"


@pytest.mark.parametrize("way", [bidding, verdict, over])
def test_nothing_that_destroys_is_done_by_a_short_press(
    table: BoxedTable, way: Callable[[BoxedTable], Any]
) -> None:
    way(table)
    for name in ("dudo", "calza", "ok", "seat1", "seat2"):
        command = meaning(Press(name, False, 0.0), table.table.snapshot())
        assert not isinstance(command, cmd.Undo | cmd.Abandon | cmd.PutAway)
