"""The workshop: the camera calibrated and every part tried out while the box is at work, led by a page.

While a phone shows the page of the parts, presses of the box go to the test instead of the game. While it
shows the page of the camera, the light ring is lit as in a reveal. Both end soon after the phone is gone.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from companion.app.camera.camera_parts import CameraParts
from companion.app.camera.preview import Preview
from companion.app.system.box_parts import BoxParts
from companion.app.system.wishes import SwitchOff
from companion.app.table_parts import Runtime, TableParts
from companion.app.workshop.parts_trial import AWAY_S, Data, KeyTeaching, Lease, PartsTrial, plain, reasoned
from companion.app.workshop.teaching import Colouring, Teaching
from companion.errors import BadCommand, PartFault, StorageError
from companion.side_files import SideFile
from hardware.buttons.keys import FILE as KEYS
from hardware.calibration.advice import MAX_TILT_DEG, Advice, on_light
from hardware.calibration.calibrator import FILE as CALIBRATION
from hardware.calibration.calibrator import Calibration, Calibrator, written
from hardware.lamps.pin_lights import RING_AT_WORK
from hardware.optics.focus import quality
from hardware.optics.plan import HIGH_PX, LOW_PX
from hardware.ports import Lights, Press

if TYPE_CHECKING:
    from hardware.cameras.choose import BoxCamera

STEPS = ("focus", "dice", "empty")


class Workshop:
    """State and steps of the workshop's pages. Safe for many threads; steps of the calibration take turns."""

    def __init__(
        self,
        camera: BoxCamera,
        preview: Preview,
        lights: Lights,
        calibrator: Calibrator,
        kept: Calibration | None,
        file: SideFile,
        know: Callable[[Calibration], None],
        at_work: Callable[[], bool],
        trial: PartsTrial,
        teaching: Teaching,
        colouring: Colouring,
        switch_off: SwitchOff,
    ) -> None:
        """`kept` is the calibration that stands in `file`; `know` gets a newly kept one. `at_work`: a reveal
        needs the camera."""
        self._camera, self._preview, self._lights = camera, preview, lights
        self._calibrator, self._kept, self._file, self._know = calibrator, kept, file, know
        self._at_work, self._switch_off = at_work, switch_off
        self._trial, self._teaching, self._colouring = trial, teaching, colouring
        self._busy = threading.Lock()
        self._advice: dict[str, tuple[Advice, ...]] = {}
        self._best = 0.0
        self._camera_open = Lease(AWAY_S, lambda: lights.ring(0.0))

    def close(self) -> None:
        """All as usual; may be called twice."""
        self._camera_open.close()
        self._trial.close()

    # ---- the camera ----------------------------------------------------------------------------------

    def camera(self) -> Data:
        """Data of the camera page: the light and sharpness of this moment, and the result of the last
        step."""
        if not self._at_work():
            self._light_ring()
        fault = self._camera.fault
        return {
            "camera": self._camera.name,
            "fault": {"reason": fault.reason, "values": {}} if fault else None,
            "live": self._live(),
            "steps": {step: [plain(one) for one in self._advice.get(step, ())] for step in STEPS},
            "tried": list(self._advice),
            "found": self._found(),
            "good_px": [LOW_PX, HIGH_PX],
            "can_focus": self._camera.can_focus(),
            "kept": self._kept == self._calibrator.found,
            "can_switch_off": self._switch_off.can,
        }

    def calibrate(self, step: str) -> None:
        """Do one step, or keep what all of them found. Raises BadCommand, PartFault, StorageError."""
        if self._at_work():
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
        self._switch_off.off("the page")

    def _keep(self) -> None:
        try:
            self._file.write(written(self._calibrator.found))
        except StorageError as error:
            raise PartFault("calibration_unwritable", cause=error.values["cause"]) from error
        self._kept = self._calibrator.found
        self._know(self._kept)

    def _light_ring(self) -> None:
        if not self._camera_open.runs:
            self._lights.ring(RING_AT_WORK)
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
        if not self._at_work():
            self._light_ring()
        return self._teaching.now()

    def teach(self, what: str, face: int | None = None) -> None:
        """Show a face, try what was taught, or forget it. Raises BadCommand, PartFault, StorageError."""
        if self._at_work():
            raise BadCommand("camera_at_work")
        with self._busy:
            reasoned(lambda: self._teaching.do(what, face))

    # ---- whose dice have which colour ----------------------------------------------------------------

    def colours(self) -> Data:
        """Data of the colour page."""
        if not self._at_work():
            self._light_ring()
        return self._colouring.now()

    def teach_colours(self, what: str, player: str | None = None) -> None:
        """Learn a player's colour from the dice that lie there, or that colours identify nobody.

        Raises BadCommand, PartFault, StorageError.
        """
        if self._at_work():
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
    camera, reader, lessons = camera_parts.camera, camera_parts.reader, camera_parts.lessons
    way, capture, file = runtime.settings.camera.reader, camera_parts.capture, runtime.files.file

    def at_work() -> bool:
        return capture.at_work

    workshop = Workshop(
        camera,
        camera_parts.preview,
        box.lights,
        Calibrator(camera, reader.dice, camera_parts.calibration),
        camera_parts.calibration,
        file(CALIBRATION),
        capture.know,
        at_work,
        PartsTrial(box.bench(camera), KeyTeaching(box.keys, file(KEYS)), at_work, simulated=box.simulated),
        Teaching(
            lessons,
            camera_parts.cup_reader.open_picture,
            lambda image: reader.read(image, way, lessons.taught),
            table_parts.store.show,
        ),
        Colouring(
            table_parts.table,
            camera_parts.kind.taken,
            lambda image: reader.read(image, way),
            camera_parts.scene.laid_out,
        ),
        switch_off,
    )
    runtime.ending.on_close(workshop.close)
    return workshop
