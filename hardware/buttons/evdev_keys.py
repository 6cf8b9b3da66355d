"""Keys of real devices, by the Linux input system: USB and Bluetooth alike (python-evdev, an extra)."""

from __future__ import annotations

import logging
import os
import select
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from hardware.buttons.keys import Key, KeyEvent, Unplugged
from hardware.errors import HardwareError, KeysSoftwareMissing, NoPermission
from hardware.ports import Clock

if TYPE_CHECKING:
    from evdev import InputDevice

_log = logging.getLogger(__name__)

SCAN_S = 3.0
"""So often devices are looked for that were plugged in since."""


class EvdevKeys:
    """Every device of /dev/input that has keys. None is grabbed: what else listens hears them as well."""

    def __init__(self, clock: Clock, folder: str = "/dev/input") -> None:
        self._clock, self._folder = clock, folder
        self._open: dict[str, InputDevice] = {}
        self._fault: HardwareError | None = None
        self._find()

    def devices(self) -> tuple[str, ...]:
        """The names of the devices that are there."""
        return tuple(dict.fromkeys(str(device.name) for device in self._open.values()))

    def fault(self) -> HardwareError | None:
        """Why no device can be read at all."""
        return None if self._open else self._fault

    def poll(self, timeout_s: float) -> tuple[KeyEvent | Unplugged, ...]:
        """What has happened on any device, waiting for it up to `timeout_s`."""
        if self._clock.now_s() >= self._scan_s:
            self._find()
        if not self._open:
            self._clock.wait_s(timeout_s)
            return ()
        try:
            ready, _, _ = select.select(list(self._open.values()), [], [], timeout_s)
        except (OSError, ValueError):  # one was closed under our hands
            ready = list(self._open.values())
        return tuple(event for device in ready for event in self._read(device))

    def close(self) -> None:
        """Give all devices back; may be called twice."""
        while self._open:
            _close(self._open.popitem()[1])

    def _read(self, device: InputDevice) -> Iterator[KeyEvent | Unplugged]:
        from evdev import ecodes

        try:
            for event in device.read():
                if event.type == ecodes.EV_KEY and event.value in (0, 1):  # 2 is a repetition
                    yield KeyEvent(Key(str(device.name), _named(event.code, ecodes.bytype)), event.value == 1)
        except BlockingIOError:
            return
        except OSError:
            self._open.pop(str(device.path), None)
            _close(device)
            yield Unplugged(str(device.name))

    def _find(self) -> None:
        """Open what is new. A device that may not be read is left out, and is a fault if none may."""
        self._scan_s = self._clock.now_s() + SCAN_S
        try:
            from evdev import InputDevice, ecodes, list_devices
        except ImportError as error:
            self._fault = KeysSoftwareMissing(f"The library evdev can't be imported ({error}).")
            return
        self._fault = None
        for path in map(str, list_devices(self._folder)):
            if path not in self._open:
                self._add(path, InputDevice, ecodes.EV_KEY)
        if not self._open and _forbidden(self._folder):
            self._fault = NoPermission(
                "This user may not read keyboards.", "Add the user to the group input."
            )

    def _add(self, path: str, opened: Callable[[str], InputDevice], keys: int) -> None:
        try:
            device = opened(path)
            if keys in device.capabilities():
                self._open[path] = device
                _log.info("keys: %s", device.name)
            else:
                device.close()
        except OSError as error:
            _log.info("keys: %s cannot be opened (%s)", path, error)


def _named(code: int, by_type: dict[int, dict[int, str | tuple[str, ...]]]) -> str:
    """The name of a code; where several mean the same the first."""
    name = by_type[1].get(code, f"KEY_{code}")
    return name if isinstance(name, str) else name[0]


def _forbidden(folder: str) -> bool:
    """Whether there are devices, none of which may be read."""
    paths = list(Path(folder).glob("event*"))
    return bool(paths) and not any(os.access(path, os.R_OK) for path in paths)


def _close(device: InputDevice) -> None:
    try:
        device.close()
    except OSError:
        _log.debug("%s was gone already", device.path)
