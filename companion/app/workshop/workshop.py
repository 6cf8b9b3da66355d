"""The workshop: the camera calibrated and every part tried out while the box is at work, led by a page.

While a phone shows the page of the parts, presses of the box go to the test instead of the game. While it
shows the page of the camera, the light ring is lit as in a reveal. Both end soon after the phone is gone.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.app.camera.preview import Preview
from companion.app.system.wishes import SwitchOff
from companion.app.workshop.parts_trial import Data, KeyTeaching, Lease, PartsTrial, plain, reasoned
from companion.app.workshop.teaching import Colouring, Teaching
from companion.errors import BadCommand, PartFault, StorageError
from companion.side_files import SideFile
from hardware.calibration.advice import MAX_TILT_DEG, Advice, on_light
from hardware.calibration.calibrator import Calibration, Calibrator, written
from hardware.diagnostics.selftest import Bench
from hardware.lamps.pin_lights import RING_AT_WORK
from hardware.optics.focus import quality
from hardware.optics.plan import HIGH_PX, LOW_PX
from hardware.ports import Lights, Press

if TYPE_CHECKING:
    from hardware.cameras.choose import BoxCamera
from companion.app.camera.camera_parts import CameraParts
from companion.app.system.box_parts import BoxParts
from companion.app.table_parts import Runtime, TableParts
from hardware.buttons.keys import FILE as KEYS
from hardware.calibration import calibrator

AWAY_S = 6.0
"""A page asks every second; one that has not asked for so long is gone."""

STEPS = ("focus", "dice", "empty")


@dataclass(frozen=True, slots=True)
class WorkshopParts:
    """The parts of the box that the workshop uses.

    `kept` is the calibration that stands in `file`, or None. `know` gets a newly kept one. `at_work`: a
    reveal needs the camera.
    """

    camera: BoxCamera
    lights: Lights
    bench: Bench
    calibrator: Calibrator
    file: SideFile
    kept: Calibration | None
    simulated: bool
    at_work: Callable[[], bool]
    know: Callable[[Calibration], None]
    switch_off: SwitchOff
    keys: KeyTeaching


class Workshop:
    """State and steps of the workshop's pages. Safe for many threads; steps of the calibration take turns."""

    def __init__(
        self, parts: WorkshopParts, preview: Preview, teaching: Teaching, colouring: Colouring
    ) -> None:
        self._parts, self._preview = parts, preview
        self._teaching, self._colouring = teaching, colouring
        self._calibrator = parts.calibrator
        self._busy = threading.Lock()
        self._advice: dict[str, tuple[Advice, ...]] = {}
        self._kept = parts.kept
        self._best = 0.0
        self._camera_open = Lease(AWAY_S, lambda: parts.lights.ring(0.0))
        self._trial = PartsTrial(
            parts.bench, parts.keys, parts.at_work, simulated=parts.simulated, away_s=AWAY_S
        )

    def close(self) -> None:
        """All as usual; may be called twice."""
        self._camera_open.close()
        self._trial.close()

    # ---- the camera ----------------------------------------------------------------------------------

    def camera(self) -> Data:
        """Data of the camera page: the light and sharpness of this moment, and the result of the last
        step."""
        if not self._parts.at_work():
            self._light_ring()
        fault = self._parts.camera.fault
        return {
            "camera": self._parts.camera.name,
            "fault": {"reason": fault.reason, "values": {}} if fault else None,
            "live": self._live(),
            "steps": {step: [plain(one) for one in self._advice.get(step, ())] for step in STEPS},
            "tried": list(self._advice),
            "found": self._found(),
            "good_px": [LOW_PX, HIGH_PX],
            "can_focus": self._parts.camera.can_focus(),
            "kept": self._kept == self._calibrator.found,
            "can_switch_off": self._parts.switch_off.can,
        }

    def calibrate(self, step: str) -> None:
        """Do one step, or keep what all of them found. Raises BadCommand, PartFault, StorageError."""
        if self._parts.at_work():
            raise BadCommand("camera_at_work")
        with self._busy:
            if step == "keep":
                self._keep()
            else:
                steps = {
                    "focus": self._calibrator.focus,
                    "dice": self._calibrator.dice,
                    "empty": self._calibrator.empty,
                }
                self._advice[step] = reasoned(steps[step])

    def switch_off(self) -> None:
        """Switch the machine off. Raises BadCommand, PartFault."""
        self._parts.switch_off.off("the page")

    def _keep(self) -> None:
        try:
            self._parts.file.write(written(self._calibrator.found))
        except StorageError as error:
            raise PartFault("calibration_unwritable", cause=error.values["cause"]) from error
        self._kept = self._calibrator.found
        self._parts.know(self._kept)

    def _light_ring(self) -> None:
        if not self._camera_open.runs:
            self._parts.lights.ring(RING_AT_WORK)
        self._camera_open.renew()

    def _live(self) -> Data | None:
        """Light and sharpness of the newest small picture; `sharp` is relative to the sharpest so far."""
        image = self._preview.image()
        if image is None:
            return None
        seen = quality(image)
        self._best = max(self._best, seen.sharpness)
        sharp = seen.sharpness / self._best if self._best else 0.0
        advice = [plain(one) for one in on_light(seen) if one.key != "blurred" or sharp > 0.9]
        return {"sharp": sharp, "brightness": seen.brightness, "advice": advice}

    def _found(self) -> Data:
        found = self._calibrator.found
        return {
            "level": found.tilt_deg is not None and found.tilt_deg < MAX_TILT_DEG,
            "die_px": found.die_px,
            "tilt_deg": found.tilt_deg,
            "lens_position": found.lens_position,
            "empty": found.empty is not None,
        }

    # ---- emblems -------------------------------------------------------------------------------------

    def taught(self) -> Data:
        """Data of the emblem page."""
        if not self._parts.at_work():
            self._light_ring()
        return self._teaching.now()

    def teach(self, what: str, face: int | None = None) -> None:
        """Show a face, try what was taught, or forget it. Raises BadCommand, PartFault, StorageError."""
        if self._parts.at_work():
            raise BadCommand("camera_at_work")
        with self._busy:
            reasoned(lambda: self._teaching.do(what, face))

    # ---- whose dice have which colour ----------------------------------------------------------------

    def colours(self) -> Data:
        """Data of the colour page."""
        if not self._parts.at_work():
            self._light_ring()
        return self._colouring.now()

    def teach_colours(self, what: str, player: str | None = None) -> None:
        """Learn a player's colour from the dice that lie there, or that colours identify nobody.

        Raises BadCommand, PartFault, StorageError.
        """
        if self._parts.at_work():
            raise BadCommand("camera_at_work")
        with self._busy:
            reasoned(lambda: self._colouring.do(what, player))

    # ---- buttons, lamps, sound -----------------------------------------------------------------------

    @property
    def testing(self) -> bool:
        """Whether presses go to the test."""
        return self._trial.runs

    def heard(self, press: Press) -> None:
        """A press of the box while parts are tried out."""
        self._trial.heard(press)

    def parts(self) -> Data:
        """Data of the parts page: the lamps, and every press since it was opened."""
        return self._trial.now()

    def teach_key(self, what: str, button: str | None = None) -> None:
        """Do one of KEYS, as `PartsTrial.teach_key`. Raises BadCommand, PartFault."""
        self._trial.teach_key(what, button)

    def try_part(self, what: str, part: str | None = None) -> None:
        """Try a part, as `PartsTrial.try_part`. Raises BadCommand, PartFault."""
        self._trial.try_part(what, part)


def open_workshop(
    runtime: Runtime, table_parts: TableParts, box: BoxParts, camera_parts: CameraParts, switch_off: SwitchOff
) -> Workshop:
    """The workshop, with what its pages teach the box. It ends with the box."""
    parts = _parts(runtime, box, camera_parts, switch_off)
    way, read = runtime.settings.camera.reader, camera_parts.reader.read
    teaching = Teaching(
        camera_parts.lessons,
        camera_parts.cup_reader.open_picture,
        lambda image: read(image, way, camera_parts.lessons.taught),
        table_parts.store.show,
    )
    laid_out = camera_parts.scene.laid_out
    colouring = Colouring(
        table_parts.table, camera_parts.kind.taken, lambda image: read(image, way), laid_out
    )
    workshop = Workshop(parts, camera_parts.preview, teaching, colouring)
    runtime.ending.on_close(workshop.close)
    return workshop


def _parts(
    runtime: Runtime, box: BoxParts, camera_parts: CameraParts, switch_off: SwitchOff
) -> WorkshopParts:
    return WorkshopParts(
        camera=camera_parts.camera,
        lights=box.lights,
        bench=box.bench(camera_parts.camera),
        calibrator=calibrator.Calibrator(
            camera_parts.camera, camera_parts.reader.dice, camera_parts.calibration
        ),
        file=runtime.files.file(calibrator.FILE),
        kept=camera_parts.calibration,
        simulated=box.simulated,
        at_work=lambda: camera_parts.capture.at_work,
        know=camera_parts.capture.know,
        switch_off=switch_off,
        keys=KeyTeaching(box.keys, runtime.files.file(KEYS)),
    )
