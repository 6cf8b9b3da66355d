"""Learnt keys press the buttons of the box, beside their pins, from a thread of its own."""

from __future__ import annotations

import logging
from typing import Protocol

from hardware.buttons.keys import Key, KeyDevices, KeyEvent, Learnt, Unplugged
from hardware.errors import HardwareError, KeyboardMissing
from hardware.ticker import Beat, Ticker

_log = logging.getLogger(__name__)

POLL_S = 0.25
"""How long one wait for keys lasts."""


class Contacts(Protocol):
    """Buttons whose contacts may also be closed by something that is no pin."""

    @property
    def names(self) -> tuple[str, ...]: ...

    def close_contact(self, name: str) -> None: ...

    def open_contact(self, name: str) -> None: ...

    def forget_contact(self, name: str) -> None: ...


class KeyButtons:
    """A key that goes down closes the contact of its button. So holds, gestures and locks are the same.

    A device that is pulled out lets go of its buttons without a press, and is a fault until it is back.
    """

    def __init__(self, keys: KeyDevices, buttons: Contacts, learnt: Learnt, beat: Beat = None) -> None:
        self._keys, self._buttons = keys, buttons
        self._learnt = {key: name for key, name in learnt.items() if name in buttons.names}
        self._down: dict[str, set[Key]] = {}
        self._ticker = Ticker("keys", self.step, beat)

    def faults(self) -> tuple[HardwareError, ...]:
        """Why keys cannot be read, or which learnt devices are not there."""
        if (fault := self._keys.fault()) is not None:
            return (fault,)
        there = self._keys.devices()
        wanted = dict.fromkeys(key.device for key in self._learnt)
        return tuple(KeyboardMissing(f"{device} is not there.") for device in wanted if device not in there)

    def step(self) -> float:
        """Take in what has happened; returns the seconds until the next turn."""
        for event in self._keys.poll(POLL_S):
            if isinstance(event, Unplugged):
                self._let_go(event.device)
            else:
                self._moved(event)
        return 0.0

    def stop(self) -> None:
        """Have the thread end soon; may be called twice."""
        self._keys.close()

    def close(self) -> None:
        """Stop reading keys; may be called twice."""
        self._ticker.close()
        self._keys.close()

    def _moved(self, event: KeyEvent) -> None:
        """Two keys may stand for one button: it is down as long as one of them is."""
        name = self._learnt.get(event.key)
        if name is None:
            return
        down = self._down.setdefault(name, set())
        before = bool(down)
        (down.add if event.down else down.discard)(event.key)
        if before != bool(down):
            (self._buttons.close_contact if down else self._buttons.open_contact)(name)

    def _let_go(self, device: str) -> None:
        for name, down in self._down.items():
            held = {key for key in down if key.device == device}
            down -= held
            if held and not down:
                self._buttons.forget_contact(name)
        _log.warning("keys: %s has gone", device)
