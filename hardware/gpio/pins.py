"""The pin factory, chosen by name: real pins through lgpio, or gpiozero's mock pins.

gpiozero's own search for a library is not used: on a Pi 5 it can choose one that does not work there. `auto`
depends on the machine; `Pins.why` is the reason for the choice.
"""

from __future__ import annotations

import logging
import os
import platform
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from hardware.clock import BackOff, SkippingClock
from hardware.errors import HardwareError, NoPermission, PinError, PinsMissing, PinTaken, WrongChoice
from hardware.ports import Clock

_log = logging.getLogger(__name__)

MODEL_FILE = Path("/proc/device-tree/model")
CHOICES = ("auto", "real", "mock")
KEPT_STATES = 100
"""The newest changes that a mock pin remembers, enough for tests and diagnostics."""


Device: TypeAlias = Any
"""A device, a pin or a factory of gpiozero, which has no types."""


@dataclass(frozen=True, slots=True)
class Pins:
    """An opened pin factory, its clock, and why it was chosen.

    `clock` stamps the edges. With mock pins it can skip ahead, so that a simulated press takes no time.
    """

    kind: str
    why: str
    factory: Device
    clock: Clock

    @property
    def simulated(self) -> bool:
        return self.kind == "mock"

    def device(self, kind: str, *numbers: int, **more: object) -> Device:
        """A device of gpiozero on these pins. Raises whatever gpiozero and what lies below it raise."""
        import gpiozero

        return getattr(gpiozero, kind)(*numbers, pin_factory=self.factory, **more)

    def close(self) -> None:
        """Give every pin back; may be called twice."""
        self.factory.close()


def pi_model(model_file: Path = MODEL_FILE) -> str:
    """The model, such as "Raspberry Pi 4 Model B Rev 1.4"; "" on any other machine."""
    try:
        model = model_file.read_text(encoding="utf-8", errors="replace").strip("\0\n ")
    except OSError:
        return ""
    return model if "Raspberry Pi" in model else ""


def choose_pins(choice: str, model: str) -> tuple[str, str]:
    """Which kind of pins `choice` means on the machine `model`, and why; raises WrongChoice."""
    if choice not in CHOICES:
        raise WrongChoice(f"There are no pins called “{choice}”.", f"Use one of {', '.join(CHOICES)}.")
    if choice != "auto":
        return choice, f"{choice} pins, because the settings ask for them"
    if model:
        return "real", f"real pins, because this is a {model}"
    return "mock", f"simulated pins, because this {platform.machine() or 'machine'} is no Raspberry Pi"


def open_pins(choice: str, clock: Clock, model_file: Path = MODEL_FILE, *, persistent: bool = False) -> Pins:
    """The pins named by `choice`: "auto", "real" or "mock".

    With `persistent`, real pins that can't be opened are a fault of every part on them instead of an error
    here, and are tried again. Raises WrongChoice, PinsMissing, PinTaken or NoPermission; "real" never gives
    mock pins.
    """
    kind, why = choose_pins(choice, pi_model(model_file))
    if kind == "real":
        return Pins(kind, why, PersistentFactory() if persistent else _real_factory(), clock)
    return Pins(kind, why, _mock_factory(), SkippingClock(clock))


def _real_factory() -> Device:
    """gpiozero's lgpio factory; the chip is never named, because its number moved between kernels."""
    _let_lgpio_make_its_pipe()
    try:
        from gpiozero.pins.lgpio import LGPIOFactory

        return LGPIOFactory()
    except ImportError as error:
        raise PinsMissing(f"The library lgpio can't be imported ({error}).") from error
    except Exception as error:
        raise explain("the header", error) from error


def _let_lgpio_make_its_pipe() -> None:
    """lgpio makes a named pipe in the working folder, which a service may not write; LG_WD moves it."""
    runtime = os.environ.get("RUNTIME_DIRECTORY", "").split(":")[0]
    if runtime:
        os.environ.setdefault("LG_WD", runtime)


def _mock_factory() -> Device:
    """gpiozero's mock factory of a Raspberry Pi 4 with PWM on every pin, and with pins that forget."""
    from gpiozero.pins.mock import MockFactory, MockPWMPin

    class ForgettingPin(MockPWMPin):  # type: ignore[misc]  # gpiozero has no types
        """gpiozero's keeps every change for ever, and a box without pins may blink for months."""

        states: Sequence[Device]

        def clear_states(self) -> None:
            super().clear_states()
            self.states = deque(self.states, maxlen=KEPT_STATES)

    return MockFactory(revision="a02082", pin_class=ForgettingPin)


class PersistentFactory:
    """Proxy of the real factory: each use tries to open it, and raises the reason while that fails.

    So every part has its own fault, and works as soon as the pins do.
    """

    def __init__(self) -> None:
        self._opened: Device = None

    def __getattr__(self, name: str) -> Device:
        if self._opened is None:
            self._opened = _real_factory()
        return getattr(self._opened, name)

    def close(self) -> None:
        """Give back what was opened; may be called twice."""
        if self._opened is not None:
            self._opened.close()


def explain(part: str, error: Exception) -> HardwareError:
    """Our error for what gpiozero or lgpio raised while opening `part`."""
    if isinstance(error, HardwareError):
        return error.afresh()
    text = f"{error}" or type(error).__name__
    low = text.lower()
    if isinstance(error, PermissionError) or "permission" in low or "can not open gpiochip" in low:
        return NoPermission(f"This user may not use the pins ({part}: {text}).")
    if "busy" in low or "in use" in low or "already" in low:
        return PinTaken(f"The pin of {part} is taken ({text}).")
    if isinstance(error, FileNotFoundError) or "no such" in low or "unable to" in low:
        return PinsMissing(f"There are no pins to drive ({text}).")
    return PinError(f"{part.capitalize()} can't be used ({text}).")


EVERY_S = 10.0
"""From one attempt to open what could not be opened to the next."""


class Devices:
    """What one part of the box has on pins, by name, as `makers` open it. What cannot be opened is a fault
    and is tried again later."""

    def __init__(
        self,
        makers: Mapping[str, Callable[[], Device]],
        clock: Clock,
        why: Callable[[str, Exception], HardwareError],
    ) -> None:
        """Open everything that can be; `why` makes our error of a device's name and of what was raised."""
        self.there: dict[str, Device] = {}
        self._makers, self._why = makers, why
        self._back_off = BackOff(clock, first_s=EVERY_S, longest_s=EVERY_S)
        self._faults: dict[str, HardwareError] = {}
        self.open()

    def open(self) -> None:
        """Try to open what is not; a fault is logged when it is news."""
        for name, make in self._makers.items():
            if name in self.there:
                continue
            try:
                self.there[name] = make()
                self._faults.pop(name, None)
            except Exception as error:
                known, self._faults[name] = {*map(str, self.faults())}, self._why(name, error)
                if str(self._faults[name]) not in known:
                    _log.warning("%s", self._faults[name])
        if self._faults:
            self._back_off.failed()

    def open_when_due(self) -> None:
        """Try again what could not be opened, once in a while."""
        if self._faults and not self._back_off.pause_s():
            self.open()

    def faults(self) -> tuple[HardwareError, ...]:
        """Why something could not be opened."""
        return tuple(self._faults.values())

    def pause_s(self) -> float | None:
        """Seconds until the next attempt; None where all are open."""
        return self._back_off.pause_s() if self._faults else None

    def close(self) -> None:
        """Give all of it back; may be called twice."""
        while self.there:
            self.there.popitem()[1].close()
