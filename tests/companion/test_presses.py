"""What presses of the box mean: shared buttons, one for each seat, any mix; holding takes back."""

from contextlib import nullcontext

import pytest

from companion.app.system.box_parts import asked_by
from companion.errors import BadCommand
from companion.rules.bids import Bid
from companion.rules.calls import BidCall, Dudo
from companion.table import commands as cmd
from companion.table.commands import BOX, Author, By
from companion.table.deciding import meaning
from companion.table.parsing import parse
from companion.table.table import Table
from hardware.buttons.pin_buttons import PinButtons, SimulatedBox
from hardware.gpio.pins import Pins, open_pins
from hardware.gpio.wiring import Wiring
from hardware.ports import Press
from tests.clocks import FakeClock
from tests.web.tables import BoxedTable, bidding, looking, over, start, verdict

SHARED = (("dudo", 17), ("calza", 27), ("ok", 22))
SEATS = (("seat1", 5), ("seat2", 6), ("seat3", 13), ("ok", 22))
MIXED = (("dudo", 17), ("seat2", 6), ("ok", 22))


@pytest.fixture
def table(tmp_path):
    made = BoxedTable(tmp_path)
    yield made
    made.journal.close()


@pytest.fixture
def pins():
    opened = open_pins("mock", FakeClock())
    yield opened
    opened.close()


def pressed(pins: Pins, buttons: tuple[tuple[str, int], ...], name: str, held: bool) -> Press:
    """The `Press` that a box with those buttons reports for a finger, through gpiozero's mock pins."""
    wiring = Wiring(buttons=buttons, status=None, seats=(), ring=None, buzzer=None)
    heard: list[Press] = []
    listening = PinButtons(wiring, pins)
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
        (SHARED, "ok", False, looking, cmd.Press("ok")),
        (SEATS, "seat1", False, bidding, cmd.Press("dudo", "Ana")),
        (SEATS, "seat2", False, bidding, cmd.Press("dudo", "Bea")),
        (SEATS, "seat3", True, bidding, cmd.Press("calza", "Carlos")),
        (MIXED, "seat2", True, bidding, cmd.Press("calza", "Bea")),
    ],
)
def test_a_finger_on_the_box_becomes_a_command(pins, table, buttons, name, held, bring, command):
    bring(table)
    assert asked_by(pressed(pins, buttons, name, held), table.table.snapshot()) == command


def test_a_seat_where_nobody_sits_is_refused(pins, table):
    start(table)
    with pytest.raises(BadCommand, match="7"):
        asked_by(Press("seat7", False, 0.0), table.table.snapshot())


@pytest.mark.parametrize(
    ("bring", "expected"),
    [
        (bidding, cmd.Press("ok")),  # which means nothing
        (looking, cmd.TakePicture()),
        (verdict, cmd.NextRound()),
        (over, cmd.PlayAgain()),
    ],
)
def test_ok_on_the_box_and_by_the_api_are_one(table, bring, expected):
    """Regression: in an unread reveal OK on the box asked for a picture; the API's was refused."""
    bring(table)
    now, by_api = table.table.snapshot(), parse({"type": "press", "button": "ok"})
    assert asked_by(Press("ok", False, 0.0), now) == by_api
    assert meaning(by_api, now.state) == expected


@pytest.mark.parametrize(
    ("after_s", "taken"), [(0.0, False), (0.49, False), (0.51, True)], ids=["at once", "too soon", "seen"]
)
@pytest.mark.parametrize("bring", [verdict, over])
def test_ok_leaves_only_what_was_shown_for_half_a_second(tmp_path, bring, after_s, taken):
    """Regression: OK pressed at the moment of the verdict skipped it, 20 times of 20."""
    clock = FakeClock(100.0)
    boxed = BoxedTable(tmp_path)
    boxed.table = Table(boxed.journal, frames=1, now_s=clock.now_s)
    bring(boxed)
    before = boxed.table.snapshot().state
    clock.advance(after_s)
    boxed.table.report("camera", None)
    refused = nullcontext() if taken else pytest.raises(BadCommand, match="only just changed")
    with refused:
        boxed.table.do(cmd.Press("ok"))
    after = boxed.table.snapshot().state
    boxed.journal.close()
    assert (after.game == before.game) is not taken


BEA = Author(By.PLAYER, "Bea", "the phone of Bea")
SHARED_PHONE = Author(By.HOST, "", "the shared phone")


@pytest.mark.parametrize(
    ("command", "author", "after_s", "taken"),
    [
        (cmd.Press("dudo"), BOX, 0.49, False),
        (cmd.Press("dudo"), BOX, 0.51, True),
        (cmd.Say(Dudo("Bea")), BEA, 0.49, False),
        (cmd.Say(Dudo("Bea")), BEA, 0.51, True),
        (cmd.Say(Dudo("Bea")), SHARED_PHONE, 0.0, True),
        (cmd.Say(Dudo("Bea")), Author(By.BOT, "Bea"), 0.0, True),
        (cmd.Say(Dudo("Bea", Bid(3, 4))), BEA, 0.0, True),
        (cmd.Say(BidCall("Bea", Bid(4, 4))), BEA, 0.0, True),
    ],
    ids=["button too soon", "button", "phone too soon", "phone", "same phone", "bot", "names it", "bids"],
)
def test_a_challenge_is_about_a_bid_that_could_be_seen(tmp_path, command, author, after_s, taken):
    """Regression: a finger on its way to DUDO as another phone's bid came doubted that one, unseen."""
    clock = FakeClock(100.0)
    boxed = BoxedTable(tmp_path)
    boxed.table = Table(boxed.journal, frames=1, now_s=clock.now_s)
    start(boxed)
    boxed.table.do(cmd.Say(BidCall("Ana", Bid(3, 4))), author=SHARED_PHONE)
    before = boxed.table.snapshot().state
    clock.advance(after_s)
    with nullcontext() if taken else pytest.raises(BadCommand, match="only just changed"):
        boxed.table.do(command, author=author)
    after = boxed.table.snapshot().state
    boxed.journal.close()
    assert (after.game == before.game) is not taken
