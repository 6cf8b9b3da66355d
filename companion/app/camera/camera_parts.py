"""The camera of the box, and what takes, reads and shows its pictures."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from companion.app.camera.box_kind import FILE as REAL_DICE
from companion.app.camera.box_kind import BoxKind, RealDice
from companion.app.camera.capture import Capture, CaptureParts
from companion.app.camera.cup_reader import CupParts, CupReader
from companion.app.camera.phone_pictures import PhonePictures, PicturePorts
from companion.app.camera.preview import Preview
from companion.app.camera.viewfinder import Viewfinder
from companion.app.reading.lessons import FILE as LESSONS
from companion.app.reading.lessons import Lessons
from companion.app.reading.readings import PictureReader
from companion.app.runtime import Runtime
from companion.app.scene import SimulatedScene
from companion.app.system.box_parts import BoxParts
from companion.app.table_parts import TableParts
from companion.heartbeats import SLOW_S
from hardware.calibration import calibrator
from hardware.cameras.choose import open_camera
from hardware.cameras.simulated import SimulatedCamera

if TYPE_CHECKING:
    from hardware.cameras.choose import BoxCamera

_log = logging.getLogger(__name__)


class CameraParts:
    """The opened camera with its reader. `box` has the lamps that light the dice."""

    def __init__(
        self,
        runtime: Runtime,
        table_parts: TableParts,
        box: BoxParts,
        reader: PictureReader,
        *,
        demonstration: bool,
    ) -> None:
        """Open the camera and begin to take pictures for reveals; raises a HardwareError."""
        self._runtime, self._at_table, self._box, self.reader = runtime, table_parts, box, reader
        settings, ending = runtime.settings, runtime.ending
        self.scene = SimulatedScene(table_parts.table, table_parts.frames)
        self.calibration = runtime.files.file(calibrator.FILE).read(calibrator.parsed, None)
        self.camera = self._opened()
        simulated = isinstance(self.camera, SimulatedCamera)
        self.real_dice = RealDice(settings.data_folder / REAL_DICE, simulated=simulated)
        self.kind = BoxKind(self.camera, box, self.real_dice, runtime.clock, demonstration=demonstration)
        ending.add(reader)
        self.lessons = Lessons(runtime.files.file(LESSONS), reader)
        self.phone_pictures = PhonePictures(self._picture_ports())
        self.viewfinder = Viewfinder(self._picture_ports(), self.phone_pictures.turn, runtime.clock.now_s)
        self.capture = Capture(self._capture_parts(), self.calibration)
        ending.add(self.capture)  # before the reader's end, which is no fault then
        self.preview = Preview(self.camera, runtime.heartbeats.expect("live view", SLOW_S))
        ending.add(self.preview)
        self.cup_reader = CupReader(table_parts.table, self._cup_parts())

    def _opened(self) -> BoxCamera:
        """The camera of the settings, used as calibrated; it ends with the box."""
        settings, clock = self._runtime.settings.camera, self._runtime.clock
        options = calibrator.pi_options(self.calibration, mains_hz=settings.flicker_hz)
        camera = open_camera(settings.use, clock=clock, draw=self.scene.draw, pi_options=options)
        self._runtime.ending.add(camera)
        _log.info("camera: %s", camera.why)
        return camera

    def _capture_parts(self) -> CaptureParts:
        return CaptureParts(
            table=self._at_table.table,
            camera=self.camera,
            reader=self.reader,
            clock=self._runtime.clock,
            store=self._at_table.store,
            lessons=self.lessons,
            settings=self._runtime.settings.camera,
            heartbeats=self._runtime.heartbeats,
            frames=self._at_table.frames,
            has_camera=lambda: not self.kind.by_phones,
        )

    def _picture_ports(self) -> PicturePorts:
        return PicturePorts(
            table=self._at_table.table,
            reader=self.reader,
            store=self._at_table.store,
            lessons=self.lessons,
            way=self._runtime.settings.camera.reader,
            real=lambda: self.real_dice.on,
            lay=self.kind.lay,
        )

    def _cup_parts(self) -> CupParts:
        way = self._runtime.settings.camera.reader
        return CupParts(
            picture=self.kind.taken,
            read=lambda image: self.reader.read(image, way, self.lessons.taught),
            laid_out=self.scene.laid_out,
            light=self._box.lights.ring,
            by_phones=lambda: self.kind.by_phones,
            agree=self._at_table.frames,
        )
