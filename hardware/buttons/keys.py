"""Keys of keyboards, presenters and arcade encoders that stand for buttons of the box: the file of what was
learnt, and how they press the buttons, beside their pins.

Devices are read by the Linux input system, USB and Bluetooth alike (python-evdev, an extra).
"""

from __future__ import annotations

import json
import logging
import os
import select
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from hardware.buttons.pin_buttons import PinButtons
from hardware.errors import HardwareError, KeyboardMissing, KeysSoftwareMissing, NoPermission
from hardware.gpio.wiring import BUTTON_NAMES
from hardware.ports import Clock

if TYPE_CHECKING:
    from evdev import InputDevice

FILE = "keys.json"
"""The file of learnt keys in a data folder."""


@dataclass(frozen=True, slots=True)
class Key:
    """A key of a device: the device's name, and the key's as Linux calls it, such as KEY_ENTER."""

    device: str
    code: str


@dataclass(frozen=True, slots=True)
class KeyEvent:
    """A key went down or up."""

    key: Key
    down: bool


@dataclass(frozen=True, slots=True)
class Unplugged:
    """A device has gone; keys that were down on it will never come up."""

    device: str


Learnt = Mapping[Key, str]
"""The button that each key stands for."""


def parsed(content: bytes) -> Learnt:
    """What was learnt, of the file's content. Raises ValueError and whatever else damage brings about."""
    written = json.loads(content)
    found = {Key(str(one["device"]), str(one["code"])): str(one["button"]) for one in written["keys"]}
    unknown = set(found.values()) - set(BUTTON_NAMES)
    if unknown:
        raise ValueError(f"no such buttons: {', '.join(sorted(unknown))}")
    return found


def written(learnt: Learnt) -> bytes:
    """The content of the file with what was learnt."""
    keys = [{"device": key.device, "code": key.code, "button": button} for key, button in learnt.items()]
    return json.dumps({"keys": keys}, indent=1, ensure_ascii=False).encode()


_log = logging.getLogger(__name__)

POLL_S = 0.25
"""How long one wait for keys lasts."""

OnKey = Callable[[Key], None]


class KeyButtons:
    """A key that goes down closes the contact of its button. So holds, gestures and locks are the same.

    Devices are opened by `open_keys` only while a key is learnt or awaited: whoever has none is spared them.
    A device that is pulled out lets go of its buttons without a press, and is a fault until it is back.
    """

    def __init__(self, open_keys: Callable[[], EvdevKeys], buttons: PinButtons, learnt: Learnt) -> None:
        self.wake: Callable[[], None] = lambda: None
        """Has whoever calls `step` call it now."""
        self._open_keys, self._buttons = open_keys, buttons
        self._lock = threading.RLock()
        self._learnt = self._known(learnt)
        self._awaited: OnKey | None = None
        self._keys: EvdevKeys | None = None
        self._closed = False
        self._down: dict[str, set[Key]] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """The buttons that a key may stand for."""
        return self._buttons.names

    @property
    def learnt(self) -> Learnt:
        """The button that each key stands for."""
        return self._learnt

    def learn(self, learnt: Learnt) -> None:
        """Have these keys stand for buttons from now on, and no others. What is down is let go."""
        with self._lock:
            for name, down in self._down.items():
                if down:
                    self._buttons.forget_contact(name)
            self._down = {}
            self._learnt = self._known(learnt)
        self.wake()

    def await_key(self, on_key: OnKey | None) -> None:
        """Hand the next key that goes down to `on_key` instead of pressing anything; None: no longer."""
        with self._lock:
            self._awaited = on_key
        self.wake()

    def devices(self) -> tuple[str, ...] | None:
        """The names of the devices that are there; None while none is wanted."""
        keys = self._keys
        return keys.devices() if keys is not None else None

    def faults(self) -> tuple[HardwareError, ...]:
        """Why keys cannot be read, or which learnt devices are not there."""
        keys = self._keys
        if keys is None:
            return ()
        if (fault := keys.fault()) is not None:
            return (fault,)
        there = keys.devices()
        wanted = dict.fromkeys(key.device for key in self._learnt)
        return tuple(KeyboardMissing(f"{device} is not there.") for device in wanted if device not in there)

    def step(self) -> float | None:
        """Take in what has happened; returns the seconds until the next turn, None while no key is wanted."""
        keys = self._wanted()
        if keys is None:
            return None
        for event in keys.poll(POLL_S):
            if isinstance(event, Unplugged):
                self._let_go(event.device)
            else:
                self._moved(event)
        return 0.0 if keys.devices() else POLL_S

    def close(self) -> None:
        """Stop reading keys; may be called twice."""
        with self._lock:
            self._closed = True
            keys, self._keys = self._keys, None
        if keys is not None:
            keys.close()

    def _known(self, learnt: Learnt) -> dict[Key, str]:
        return {key: name for key, name in learnt.items() if name in self._buttons.names}

    def _wanted(self) -> EvdevKeys | None:
        """The devices, opened or given back as keys are wanted or not."""
        with self._lock:
            wanted = not self._closed and bool(self._learnt or self._awaited)
            if wanted and self._keys is None:
                self._keys = self._open_keys()
            keys = self._keys
            if not wanted:
                self._keys = None
        if not wanted and keys is not None:
            keys.close()
        return keys if wanted else None

    def _moved(self, event: KeyEvent) -> None:
        """Two keys may stand for one button: it is down as long as one of them is."""
        with self._lock:
            if event.down and self._awaited is not None:
                awaited, self._awaited = self._awaited, None
            else:
                self._press(event)
                return
        awaited(event.key)

    def _press(self, event: KeyEvent) -> None:
        name = self._learnt.get(event.key)
        if name is None:
            return
        down = self._down.setdefault(name, set())
        before = bool(down)
        (down.add if event.down else down.discard)(event.key)
        if before != bool(down):
            self._buttons.touch(name, bool(down))

    def _let_go(self, device: str) -> None:
        with self._lock:
            for name, down in self._down.items():
                held = {key for key in down if key.device == device}
                down -= held
                if held and not down:
                    self._buttons.forget_contact(name)
        _log.warning("keys: %s has gone", device)


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
        there = list(self._open.values())  # in one go: others ask while one is plugged in
        return tuple(dict.fromkeys(str(device.name) for device in there))

    def fault(self) -> HardwareError | None:
        """Why no device can be read at all."""
        return None if self._open else self._fault

    def poll(self, timeout_s: float) -> tuple[KeyEvent | Unplugged, ...]:
        """What has happened on any device, waiting for it up to `timeout_s` where there is one."""
        if self._clock.now_s() >= self._scan_s:
            self._find()
        if not self._open:
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
