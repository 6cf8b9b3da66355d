"""Presses: of the box's buttons, and of the simulated ones on the page."""

from __future__ import annotations

from typing import Protocol

from companion.app.system.switch_off import SwitchOff
from companion.errors import BadCommand, CompanionError
from companion.table import commands as cmd
from companion.table.commands import Command
from companion.table.table import Fault, Snapshot, Table
from hardware.buttons.pin_buttons import SimulatedBox
from hardware.ports import SWITCH_OFF, TOGETHER, Press


class ButtonTest(Protocol):
    """Takes the presses while `testing`: then they mean nothing for the game."""

    @property
    def testing(self) -> bool: ...

    def heard(self, press: Press) -> None: ...


class Presses:
    """Sends presses of the box to the table or to a test of the buttons, those of a page to the box."""

    def __init__(
        self,
        table: Table,
        names: tuple[str, ...],
        fingers: SimulatedBox | None,
        test: ButtonTest,
        switch_off: SwitchOff,
    ) -> None:
        """`names` are the box's buttons. `fingers` press them where they are simulated."""
        self._switch_off = switch_off
        self._table, self._names, self._fingers, self._test = table, names, fingers, test
        self.gestures = 0
        """How often two buttons were held: whoever does so stands at the box."""

    def heard(self, press: Press) -> None:
        """A press of the box, from its own thread. If it is refused, every page shows why."""
        if press.button == TOGETHER:
            self.gestures += 1
            self._table.refresh()
        elif press.button == SWITCH_OFF:
            self._end()
        elif self._test.testing:
            self._test.heard(press)
        else:
            self._do(press)

    def _end(self) -> None:
        """Switch the box off, where it can be; a failure is shown on every page."""
        try:
            if self._switch_off.can:
                self._switch_off.off("two buttons")
        except CompanionError as error:
            self._table.report("button", Fault(error.reason, ()))

    def _do(self, press: Press) -> None:
        try:
            self._table.do(asked_by(press, self._table.snapshot()))
            self._table.report("button", None)
        except CompanionError as error:
            values = tuple((key, str(value)) for key, value in error.values.items())
            self._table.report("button", Fault(error.reason, values))

    def press(self, button: str, held: bool = False) -> None:
        """Press a button of the simulated box, or two for TOGETHER.

        Raises BadCommand where the box is real or has no such button.
        """
        if self._fingers and button == TOGETHER:
            self._fingers.hold_together(*self._two())
        elif self._fingers is None or button not in self._names:
            raise BadCommand("no_such_button", button=button)
        else:
            self._fingers.press(button, held)

    def _two(self) -> tuple[str, ...]:
        """The buttons that a gesture of the simulated box holds."""
        names = self._names
        return ("ok", next(name for name in names if name != "ok")) if "ok" in names else names[:2]


def asked_by(press: Press, now: Snapshot) -> Command:
    """The command of a press. A seat's button names the player; holding OK takes the last step back."""
    if press.button == "ok" and press.held:
        return cmd.Undo()
    if press.button.startswith("seat"):
        players = now.state.game.players if now.state.game else ()
        seat = int(press.button.removeprefix("seat")) - 1
        if seat >= len(players):
            raise BadCommand("no_such_seat", seat=seat + 1)
        return cmd.Press("calza" if press.held else "dudo", players[seat].name)
    return cmd.Press(press.button)
