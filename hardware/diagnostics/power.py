"""Under-voltage of the power supply, the first thing to rule out when faults look random; the temperature."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from hardware.errors import UnderVoltage

HWMON = Path("/sys/class/hwmon")
_SENSOR = "rpi_volt"


def under_voltage(hwmon: Path = HWMON) -> UnderVoltage | None:
    """The fault of a Pi whose supply fell below 4.63 V of late; None elsewhere and while all is well.

    Reads one small file, so it may be called every few seconds; `vcgencmd` would start a program each time.
    Source: the kernel's driver raspberrypi-hwmon, in0_lcrit_alarm.
    """
    for sensor in sorted(hwmon.glob("hwmon*")):
        if _text(sensor / "name") == _SENSOR and _text(sensor / "in0_lcrit_alarm") == "1":
            return UnderVoltage("The supply's voltage falls too low.")
    return None


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8").strip()
    except OSError:
        return ""


ZONE = Path("/sys/class/thermal/thermal_zone0/temp")


def processor_celsius(zone: Path = ZONE) -> float | None:
    """The processor's temperature in degrees Celsius; None where there is no sensor.

    Source: the kernel's documentation of sysfs-class-thermal; the file holds thousandths of a degree.
    """
    with suppress(OSError, ValueError):
        return int(zone.read_text(encoding="utf-8")) / 1000
    return None
