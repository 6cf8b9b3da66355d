"""Which part is on which pin, and what is wrong with an assignment. Pins are BCM numbers."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from hardware.errors import WiringFault
from hardware.gpio.header import GPIO_PINS

SHARED_BUTTONS = ("dudo", "calza", "ok")
SEAT_BUTTONS = tuple(f"seat{n}" for n in range(1, 13))
BUTTON_NAMES = SHARED_BUTTONS + SEAT_BUTTONS


@dataclass(frozen=True, slots=True)
class Wiring:
    """The pins of the box by BCM number; a part that is missing has none.

    `buttons` are pairs (name, pin), names of `BUTTON_NAMES` in any mix; a button connects its pin to ground.
    `status` are the pins of the red, green and blue leads. `seats` are the seat lamps in order of the table.
    `ring` and `buzzer` switch a transistor. With `common_anode` the status light is lit by a low pin.
    """

    buttons: tuple[tuple[str, int], ...] = (("dudo", 17), ("calza", 27), ("ok", 22))
    status: tuple[int, int, int] | None = (18, 19, 13)
    seats: tuple[int, ...] = (23, 24, 25, 16, 20, 21)
    ring: int | None = 12
    buzzer: int | None = 26
    common_anode: bool = False

    def parts(self) -> tuple[tuple[str, int], ...]:
        """Every part that has a pin, as (name, pin), always in the same order."""
        parts = [(f"button {name}", pin) for name, pin in self.buttons]
        if self.status is not None:
            parts += zip(("status red", "status green", "status blue"), self.status, strict=True)
        parts += [(f"lamp of seat {n}", pin) for n, pin in enumerate(self.seats, start=1)]
        parts += [("light ring", self.ring)] if self.ring is not None else []
        parts += [("buzzer", self.buzzer)] if self.buzzer is not None else []
        return tuple(parts)


def faults(wiring: Wiring) -> tuple[str, ...]:
    """Everything that makes this wiring impossible, one sentence each; empty when it works."""
    return (*_name_faults(wiring), *_conflicts(wiring), *_impossible(wiring))


def checked(wiring: Wiring) -> Wiring:
    """The same wiring; raises WiringFault with all faults when it can't work."""
    found = faults(wiring)
    if found:
        raise WiringFault(" ".join(found))
    return wiring


def notes(wiring: Wiring) -> tuple[str, ...]:
    """Remarks on pins that work but also serve an interface of the Pi, or glow until the program starts."""
    return (
        *(
            f"GPIO{pin} ({part}) is also {GPIO_PINS[pin].also}: leave that interface off."
            for part, pin in wiring.parts()
            if pin in GPIO_PINS and GPIO_PINS[pin].also
        ),
        *(
            f"GPIO{pin} ({part}) is on until the program starts; GPIO9 to GPIO27 are off."
            for part, pin in wiring.parts()
            if pin in GPIO_PINS and GPIO_PINS[pin].up_at_start and _glows(part, wiring)
        ),
    )


def _glows(part: str, wiring: Wiring) -> bool:
    """Whether a high pin switches a part on."""
    return not part.startswith("button") and not (part.startswith("status") and wiring.common_anode)


def _name_faults(wiring: Wiring) -> list[str]:
    names = Counter(name for name, _ in wiring.buttons)
    unknown = [name for name in names if name not in BUTTON_NAMES]
    twice = [name for name, count in names.items() if count > 1]
    return [
        *(f"There is no button called {name}; use dudo, calza, ok or seat1 to seat12." for name in unknown),
        *(f"The button {name} is given {names[name]} pins; give it one." for name in twice),
    ]


def _conflicts(wiring: Wiring) -> list[str]:
    users: dict[int, list[str]] = {}
    for part, pin in wiring.parts():
        users.setdefault(pin, []).append(part)
    return [
        f"GPIO{pin} is given to {' and '.join(parts)}; one pin can serve only one part."
        for pin, parts in sorted(users.items())
        if len(parts) > 1
    ]


def _impossible(wiring: Wiring) -> list[str]:
    return [reason for part, pin in wiring.parts() if (reason := _why_impossible(part, pin))]


def _why_impossible(part: str, pin: int) -> str:
    """Why `part` can't sit on `pin`, or "" when it can."""
    if pin not in GPIO_PINS:
        return f"GPIO{pin} ({part}) is not on the 40-pin header; GPIO2 to GPIO27 are."
    if GPIO_PINS[pin].reserved:
        return f"GPIO{pin} ({part}) is reserved: {GPIO_PINS[pin].reserved}."
    if GPIO_PINS[pin].pulled_up and not part.startswith("button"):
        return (
            f"GPIO{pin} ({part}) has a fixed resistor to 3.3 V and would glow at start; use it for a button."
        )
    return ""
