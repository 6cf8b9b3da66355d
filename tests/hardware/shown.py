"""What lamps and buzzer do at a moment, read back from their pins where they have one."""

from dataclasses import dataclass

from hardware.lamps import patterns
from hardware.lamps.patterns import Rgb
from hardware.lamps.pin_lights import PinLights
from hardware.ports import LampView


@dataclass(frozen=True, slots=True)
class Shown:
    """Colour and levels from 0 to 1; `pattern` is the status light's in words."""

    view: LampView
    rgb: Rgb
    seats: tuple[float, ...]
    ring: float
    pattern: str


def shown(lights: PinLights) -> Shown:
    lights.refresh()
    meant = {"status light": lights._rgb(), "light ring": lights._ring()}
    meant |= {f"lamp of seat {n}": level for n, level in enumerate(lights._levels(), start=1)}
    is_so = {
        part: lights._devices.there[part].value if part in lights._devices.there else meant[part]
        for part in meant
    }
    status, ring, *seats = is_so.values()
    words = patterns.status_signal(lights._view.state, lights._view.fault).pattern.words
    return Shown(lights._view, status, tuple(seats), ring, words)


def playing(lights: PinLights) -> bool:
    lights.refresh()
    there = lights._devices.there
    return bool(there["buzzer"].value) if "buzzer" in there else lights._sounding()[0]
