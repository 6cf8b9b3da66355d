"""Keys without devices: pressed, plugged in and pulled out by the program."""

import threading
from collections import deque

from hardware.buttons.keys import Key, KeyEvent, Unplugged
from hardware.errors import HardwareError


class SimulatedKeys:
    """Devices that are there by name alone."""

    def __init__(self, *devices: str) -> None:
        self._devices = list(devices)
        self._events: deque[KeyEvent | Unplugged] = deque()
        self._changed = threading.Condition()
        self._closed = False

    def devices(self) -> tuple[str, ...]:
        """The names of the devices that are there."""
        return tuple(self._devices)

    def fault(self) -> HardwareError | None:
        """Nothing is ever in the way."""
        return None

    def poll(self, timeout_s: float) -> tuple[KeyEvent | Unplugged, ...]:
        """What has happened, waiting for it up to `timeout_s`."""
        with self._changed:
            self._changed.wait_for(lambda: self._events or self._closed, timeout_s)
            found = tuple(self._events)
            self._events.clear()
            return found

    def close(self) -> None:
        """Have nobody wait any more; may be called twice."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def move(self, device: str, code: str, down: bool) -> None:
        """A key goes down or up; one of a device that is not there does nothing."""
        if device in self._devices:
            self._happen(KeyEvent(Key(device, code), down))

    def plug(self, device: str) -> None:
        """Plug a device in."""
        if device not in self._devices:
            self._devices.append(device)

    def unplug(self, device: str) -> None:
        """Pull a device out, whatever is down on it."""
        if device in self._devices:
            self._devices.remove(device)
            self._happen(Unplugged(device))

    def _happen(self, event: KeyEvent | Unplugged) -> None:
        with self._changed:
            self._events.append(event)
            self._changed.notify_all()
