"""Keys taught on a page: learnt, refused where another button has them, forgotten, and taken back."""

from pathlib import Path
from typing import Any

import pytest

from companion.app.workshop.parts_trial import KeyTeaching
from companion.errors import BadCommand, PartFault
from companion.storage.side_files import SideFile
from hardware.buttons.keys import FILE, Key, KeyButtons, parsed
from tests.hardware.simulated_keys import SimulatedKeys

PRESENTER = "Presenter"
A, B = Key(PRESENTER, "KEY_A"), Key(PRESENTER, "KEY_B")


class Contacts:
    """Buttons that remember which of them are down."""

    names = ("dudo", "calza", "ok")

    def __init__(self) -> None:
        self.down: list[str] = []

    def touch(self, name: str, down: bool) -> None:
        (self.down.append if down else self.down.remove)(name)

    def forget_contact(self, name: str) -> None:
        self.down.remove(name)


class Keyboard:
    """A presenter whose keys are read by `teaching`, step by step."""

    def __init__(self, folder: Path) -> None:
        self.keys, self.contacts, self.file = SimulatedKeys(PRESENTER), Contacts(), folder / FILE
        self.opened = 0
        self.buttons = KeyButtons(self._open, self.contacts, SideFile(self.file).read(parsed, {}))
        self.teaching = KeyTeaching(self.buttons, SideFile(self.file))

    def _open(self) -> SimulatedKeys:
        self.opened += 1
        return self.keys

    def move(self, key: Key, down: bool) -> None:
        self.keys.move(key.device, key.code, down)
        self.buttons.step()

    def tap(self, key: Key) -> None:
        self.move(key, True)
        self.move(key, False)

    def learn(self, button: str, key: Key) -> Any:
        self.teaching.do("key", button)
        self.tap(key)
        return self.teaching.now()["result"]


@pytest.fixture
def keyboard(tmp_path):
    made = Keyboard(tmp_path)
    yield made
    made.buttons.close()


def test_the_next_key_is_learnt_and_presses_nothing(keyboard):
    keyboard.teaching.do("key", "dudo")
    assert keyboard.teaching.now()["awaited"] == "dudo"
    keyboard.move(A, True)
    assert keyboard.contacts.down == []
    keyboard.move(A, False)
    result = {"what": "learnt", "button": "dudo", "device": PRESENTER, "code": "KEY_A"}
    assert keyboard.teaching.now()["result"] == result
    assert parsed(keyboard.file.read_bytes()) == {A: "dudo"}
    keyboard.move(A, True)
    assert keyboard.contacts.down == ["dudo"]


def test_a_key_of_another_button_stays_there(keyboard):
    keyboard.learn("dudo", A)
    result = {"what": "taken", "button": "dudo", "device": PRESENTER, "code": "KEY_A"}
    assert keyboard.learn("ok", A) == result
    assert parsed(keyboard.file.read_bytes()) == {A: "dudo"}
    assert keyboard.learn("dudo", A)["what"] == "learnt", "once more for the same button is no conflict"
    assert keyboard.learn("dudo", B)["what"] == "learnt", "a button may have several"
    assert parsed(keyboard.file.read_bytes()) == {A: "dudo", B: "dudo"}


def test_one_step_can_be_taken_back(keyboard):
    keyboard.learn("dudo", A)
    keyboard.learn("ok", B)
    keyboard.teaching.do("key-forget", "dudo")
    assert parsed(keyboard.file.read_bytes()) == {B: "ok"}
    assert keyboard.teaching.now()["can_undo"]
    keyboard.teaching.do("key-undo", None)
    assert parsed(keyboard.file.read_bytes()) == {A: "dudo", B: "ok"}
    assert not keyboard.teaching.now()["can_undo"]
    keyboard.teaching.do("key-undo", None)
    assert parsed(keyboard.file.read_bytes()) == {A: "dudo", B: "ok"}


@pytest.mark.parametrize(
    "ends", [lambda made: made.teaching.do("key-stop", None), lambda made: made.teaching.stop()]
)
def test_who_stops_waiting_learns_nothing(keyboard, ends):
    keyboard.teaching.do("key", "dudo")
    ends(keyboard)
    keyboard.tap(A)
    assert not keyboard.file.exists()
    assert keyboard.teaching.now()["awaited"] == ""


def test_no_keyboard_is_read_that_nobody_wants(keyboard):
    assert keyboard.buttons.step() is None
    assert keyboard.opened == 0
    keyboard.learn("dudo", A)
    assert keyboard.opened == 1
    keyboard.teaching.do("key-forget", "dudo")
    assert keyboard.buttons.step() is None
    assert keyboard.buttons.devices() is None


def test_a_button_that_is_held_is_let_go_with_its_key(keyboard):
    keyboard.learn("dudo", A)
    keyboard.move(A, True)
    keyboard.teaching.do("key-forget", "dudo")
    assert keyboard.contacts.down == []


def test_without_a_keyboard_the_page_says_so_until_one_is_there(keyboard):
    keyboard.keys.unplug(PRESENTER)
    keyboard.teaching.do("key", "ok")
    keyboard.buttons.step()
    assert keyboard.teaching.now()["no_keyboard"] is True
    keyboard.keys.plug(PRESENTER)
    assert keyboard.teaching.now()["no_keyboard"] is False


def test_a_learnt_keyboard_that_is_pulled_out_is_a_fault_until_it_is_back(keyboard):
    keyboard.learn("dudo", A)
    keyboard.keys.unplug(PRESENTER)
    keyboard.buttons.step()
    assert [fault.reason for fault in keyboard.buttons.faults()] == ["keyboard_missing"]
    keyboard.keys.plug(PRESENTER)
    assert keyboard.buttons.faults() == ()


def test_what_cannot_be_kept_does_not_count(keyboard):
    keyboard.learn("dudo", A)
    keyboard.file.with_name(f"{FILE}.new").mkdir()  # a folder stands in the file's place
    assert keyboard.learn("ok", B)["what"] == "unwritable"
    assert keyboard.buttons.learnt == {A: "dudo"}
    with pytest.raises(PartFault):
        keyboard.teaching.do("key-forget", "dudo")
    assert keyboard.buttons.learnt == {A: "dudo"}


def test_a_button_that_is_not_there_is_refused(keyboard):
    for step in ("key", "key-forget"):
        with pytest.raises(BadCommand):
            keyboard.teaching.do(step, "seat9")
