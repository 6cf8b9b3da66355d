"""How warm the processor is."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

ZONE = Path("/sys/class/thermal/thermal_zone0/temp")


def processor_celsius(zone: Path = ZONE) -> float | None:
    """The processor's temperature in degrees Celsius; None where there is no sensor.

    Source: the kernel's documentation of sysfs-class-thermal; the file holds thousandths of a degree.
    """
    with suppress(OSError, ValueError):
        return int(zone.read_text()) / 1000
    return None
