"""The exposure lock: when automatic exposure and white balance have settled, and their fixed values. Pure.

Automatics react to a hand in the picture, and lamps on mains flicker at twice the mains frequency. So the
automatics settle first. Fixed values then replace them, with an exposure time of whole flicker periods.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

Metadata = Mapping[str, float]
Controls = dict[str, object]

SWITCHES = frozenset({"AeEnable", "AwbEnable"})
VALUES = frozenset({"ExposureTime", "AnalogueGain", "ColourGains"})
"""The controls of an exposure lock: the automatics switched off, and the values that hold instead."""

_REPEATED = ("ExposureTime", "AnalogueGain", "LensPosition", "ColourGainRed", "ColourGainBlue")
"""Numbers that a frame's metadata repeat, as `flattened` names them."""

SETTLED_FRAMES = 5
_SETTLED = 0.03
_OBEYS = 0.05
_PERIOD_SLACK = 0.01  # sensors round to whole lines
_LENS_TOLERANCE_DIOPTRES = 0.1


def settled(frames: Sequence[Metadata]) -> bool:
    """Whether the last frames' exposure and colour gains stay within 3 % of one another."""
    last = frames[-SETTLED_FRAMES:]
    if len(last) < SETTLED_FRAMES:
        return False
    series = [[_light(frame) for frame in last]]
    series += [[frame.get(gain, 1.0) for frame in last] for gain in ("ColourGainRed", "ColourGainBlue")]
    return all(max(values) <= min(values) * (1 + _SETTLED) for values in series)


def _light(frame: Metadata) -> float:
    """Exposure time multiplied by gain: what the automatics balance."""
    return frame.get("ExposureTime", 1.0) * frame.get("AnalogueGain", 1.0)


def without_flicker(exposure_us: float, gain: float, mains_hz: float | None) -> tuple[int, float]:
    """Exposure time in microseconds and gain for the same light, the time a multiple of half a mains period.

    A time shorter than half a period can't be one and is kept: in such bright light it is daylight or a lamp
    without flicker. The gain never falls below 1. Without `mains_hz` no lamp flickers and all is kept.
    """
    if mains_hz is None:
        return round(exposure_us), gain
    half_period_us = 1e6 / (2 * mains_hz)
    periods = int(exposure_us / half_period_us + _PERIOD_SLACK)
    if periods == 0:
        return round(exposure_us), gain
    if gain * exposure_us / (periods * half_period_us) < 1 - _PERIOD_SLACK:
        return round(exposure_us), gain
    fitted_us = periods * half_period_us
    return round(fitted_us), max(1.0, gain * exposure_us / fitted_us)


def locked(metadata: Metadata, mains_hz: float | None) -> Controls:
    """The controls that keep exposure and colours as they are in a settled frame."""
    controls: Controls = {}
    if "ExposureTime" in metadata:
        exposure_us, gain = without_flicker(
            metadata["ExposureTime"], metadata.get("AnalogueGain", 1.0), mains_hz
        )
        controls |= {"AeEnable": False, "ExposureTime": exposure_us, "AnalogueGain": gain}
    if "ColourGainRed" in metadata and "ColourGainBlue" in metadata:
        gains = (metadata["ColourGainRed"], metadata["ColourGainBlue"])
        controls |= {"AwbEnable": False, "ColourGains": gains}
    return controls


def by_hand(metadata: Metadata) -> bool:
    """Whether a frame's metadata mark its exposure time as manual. Older versions give no such value.

    Source: libcamera, control_ids_core.yaml: ExposureTimeMode 1 is manual; before 0.5 it was AeEnable.
    """
    return metadata.get("ExposureTimeMode") == 1 or metadata.get("AeEnable") == 0


def against_flicker(mains_hz: float | None) -> Controls:
    """The controls by which the automatics themselves keep to whole half periods of the mains.

    Source: libcamera, control_ids_core.yaml: AeFlickerMode 0 is off and 1 manual, AeFlickerPeriod is that of
    the light in microseconds, half a period of the mains.
    """
    if mains_hz is None:
        return {"AeFlickerMode": 0}
    return {"AeFlickerMode": 1, "AeFlickerPeriod": round(1e6 / (2 * mains_hz))}


def disobeyed(asked: Mapping[str, object], got: Metadata) -> tuple[str, ...]:
    """The controls whose value in a frame's metadata is not the one asked for; empty when all took effect."""
    wrong = []
    for name, wanted in flattened(asked).items():
        tolerance = _LENS_TOLERANCE_DIOPTRES if name == "LensPosition" else abs(wanted) * _OBEYS
        if name in _REPEATED and name in got and abs(got[name] - wanted) > tolerance:
            wrong.append(name)
    return tuple(wrong)


def flattened(metadata: Mapping[str, object]) -> dict[str, float]:
    """Controls or metadata of a camera as plain numbers; the pair of colour gains becomes two."""
    flat = {name: float(value) for name, value in metadata.items() if isinstance(value, int | float)}
    gains = metadata.get("ColourGains")
    if isinstance(gains, tuple | list) and len(gains) == 2:
        flat |= {"ColourGainRed": float(gains[0]), "ColourGainBlue": float(gains[1])}
    return flat
