"""The workshop put together from the opened parts of a box."""

from __future__ import annotations

from companion.app.box_parts import BoxParts
from companion.app.camera_parts import CameraParts
from companion.app.colouring import Colouring
from companion.app.key_teaching import KeyTeaching
from companion.app.runtime import Runtime
from companion.app.switch_off import SwitchOff
from companion.app.table_parts import TableParts
from companion.app.teaching import Teaching
from companion.app.workshop import Workshop, WorkshopParts
from hardware.buttons.keys import FILE as KEYS
from hardware.calibration import calibrator


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
    folder = runtime.settings.data_folder
    return WorkshopParts(
        camera=camera_parts.camera,
        lights=box.lights,
        bench=box.bench(camera_parts.camera),
        calibrator=calibrator.Calibrator(
            camera_parts.camera, camera_parts.reader.dice, camera_parts.calibration
        ),
        path=folder / calibrator.FILE,
        kept=camera_parts.calibration,
        simulated=box.simulated,
        at_work=lambda: camera_parts.capture.at_work,
        know=camera_parts.capture.know,
        switch_off=switch_off,
        keys=KeyTeaching(box.keys, folder / KEYS),
    )
