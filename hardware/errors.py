"""Errors of the box's parts, one class for each cause.

Each error has a `reason` (a key for the catalogue of texts), a sentence for the person, and a hint. None of
them ends a game: dice and calls can always be entered by hand.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self


class HardwareError(Exception):
    """Root of all hardware errors. Every cause has its own `reason`; `hint` is what helps."""

    reason = "hardware_fault"
    hint = "Run `dudo doctor` to see what the box found."

    def __init__(self, sentence: str, hint: str | None = None) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.values: Mapping[str, object] = {}
        if hint is not None:
            self.hint = hint

    def __str__(self) -> str:
        return f"{self.sentence} {self.hint}".strip()

    def afresh(self) -> Self:
        """The same fault without the traceback, which would keep pictures alive while it is remembered."""
        return type(self)(self.sentence, self.hint)


class CameraError(HardwareError):
    """Something about the camera."""

    reason = "camera_fault"


class CameraMissing(CameraError, OSError):
    """No such camera, or it was unplugged."""

    reason = "camera_missing"
    hint = "Check the ribbon or the USB plug; the box tries again by itself."


class CameraBusy(CameraError, OSError):
    """Another program holds the camera."""

    reason = "camera_busy"
    hint = "Close the other program; the box tries again by itself."


class CameraSilent(CameraError, TimeoutError):
    """The camera is there but no picture came in time."""

    reason = "camera_silent"
    hint = "Reseat its ribbon or USB plug and check the power supply; the box reopens the camera by itself."


class CameraNoMemory(CameraError, OSError):
    """The camera is there, but the memory for its pictures (CMA on a Pi) is used up or in pieces."""

    reason = "camera_no_memory"
    hint = "Restart the box; if it comes again, give the camera more memory: docs/guide/troubleshoot.md."


class CameraNotStarting(CameraError):
    """The camera is there and nobody else holds it, but it does not start."""

    reason = "camera_not_starting"
    hint = "The log says what its software wrote; the box tries again by itself."


class CameraSoftwareMissing(CameraError, ImportError):
    """The library that drives this kind of camera can't be imported."""

    reason = "camera_software_missing"


class PictureUnreadable(CameraError, ValueError):
    """A file of a folder camera, or a frame, is no picture that can be used."""

    reason = "picture_unreadable"
    hint = "Take it again, or leave the file out; the next picture is used."


class NoPhonePicture(CameraError):
    """Phones are the camera, and none of them has taken a picture."""

    reason = "no_phone_picture"
    hint = "Take one with a phone at the table."


class PinError(HardwareError):
    """Something about the pins of the header."""

    reason = "pin_fault"


class PinTaken(PinError, OSError):
    """Another program or overlay holds the pin."""

    reason = "pin_taken"
    hint = "Stop the other program or choose another pin; `dudo wiring` shows which are free."


class PinsMissing(PinError, OSError):
    """This machine has no pins that can be driven, or not the library for them."""

    reason = "pins_missing"
    hint = 'On a Raspberry Pi: sudo apt install python3-lgpio; elsewhere set pins = "mock".'


class WiringFault(PinError, ValueError):
    """The pin assignment can't work; the sentence names every fault."""

    reason = "wiring_fault"
    hint = "Change the pins in the settings; `dudo wiring` shows what they say."


class LampMissing(PinError, OSError):
    """A lamp or the light ring can't be driven."""

    reason = "lamp_missing"
    hint = "Check its pin with `dudo wiring` and its wire; the page says what the lamp would."


class ButtonStuck(HardwareError):
    """A button has been down for so long that nobody can be pressing it."""

    reason = "button_stuck"
    hint = "Free the button or check its wire; until then use the page."


class KeyboardMissing(HardwareError, OSError):
    """A keyboard, presenter or arcade encoder whose keys were learnt is not plugged in."""

    reason = "keyboard_missing"
    hint = "Plug it in or switch it on, the box finds it by itself; until then use the page."


class KeysSoftwareMissing(HardwareError, ImportError):
    """The library that reads keyboards can't be imported."""

    reason = "keys_software_missing"
    hint = "Install it: sudo apt install python3-evdev, or the extra keyboard."


class UnderVoltage(HardwareError):
    """The power supply gives too little."""

    reason = "under_voltage"
    hint = "Use the Raspberry Pi's own power supply and a short, thick cable."


class NoPermission(HardwareError, PermissionError):
    """The part is there but this user may not use it."""

    reason = "no_permission"
    hint = "Add the user to the groups gpio and video: sudo usermod -aG gpio,video $USER, then log in again."


class WrongChoice(HardwareError, ValueError):
    """A part was asked for by a name that is none of the known ones."""

    reason = "wrong_choice"
    hint = "See docs/guide/build.md for the names that can be chosen."


class WorkerError(HardwareError):
    """Something about a worker process; it has been killed, and the next call starts another."""

    reason = "worker_fault"
    hint = "It is started again by itself."


class WorkerHung(WorkerError, TimeoutError):
    """No answer came in time."""

    reason = "worker_hung"


class WorkerEnded(WorkerError):
    """The process ended by itself, or `kill` or `close` ended it."""

    reason = "worker_ended"


class WorkerResting(WorkerError):
    """It failed too often; the next attempt is not due yet."""

    reason = "worker_resting"
