"""Learns which key stands for which button: each button waits for the next key that goes down."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from hardware.buttons.keys import Key, KeyDevices, KeyEvent, Learnt
from hardware.ports import Clock

POLL_S = 0.25


class KeyLearning:
    """Keys for the buttons of a wiring; close it after use."""

    def __init__(
        self, keys: KeyDevices, buttons: tuple[str, ...], keep: Callable[[Learnt], None], clock: Clock
    ) -> None:
        self.buttons, self.learnt = buttons, dict[Key, str]()
        self._keys, self._keep, self._clock = keys, keep, clock

    @property
    def devices(self) -> tuple[str, ...]:
        """The names of the devices that are there."""
        return self._keys.devices()

    @property
    def fault(self) -> str:
        """Why no device can be read, as a sentence; "" where one can."""
        return str(self._keys.fault() or "")

    def learn(self, button: str, timeout_s: float) -> Key | None:
        """The next key that goes down, from now on this button's; None where none does, or it has one."""
        for key in self._pressed(self._clock.now_s() + timeout_s):
            if key in self.learnt:
                return None
            self.learnt[key] = button
            return key
        return None

    def keep(self) -> None:
        """Keep what was learnt in place of what was; raises what the keeping raises."""
        self._keep(self.learnt)

    def close(self) -> None:
        """Give the devices back; may be called twice."""
        self._keys.close()

    def _pressed(self, until_s: float) -> Iterator[Key]:
        while (pause_s := until_s - self._clock.now_s()) > 0:
            for event in self._keys.poll(min(POLL_S, pause_s)):
                if isinstance(event, KeyEvent) and event.down:
                    yield event.key
