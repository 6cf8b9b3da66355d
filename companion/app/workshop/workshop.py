"""The workshop: the camera calibrated and every part tried out while the box is at work, led by a page.

While a phone shows the page of the parts, presses of the box go to the test instead of the game. While it
shows the page of the camera, the light ring is lit as in a reveal. Both end soon after the phone is gone.
"""

from __future__ import annotations

import threading
from functools import cached_property
from typing import TYPE_CHECKING

from companion.app.camera.camera_parts import CameraParts
from companion.app.camera.preview import reasoned
from companion.app.system.box_parts import BoxParts
from companion.app.table_parts import Runtime, TableParts
from companion.app.workshop.parts_trial import AWAY_S, Data, KeyTeaching, PartsTrial
from companion.errors import BadCommand
from companion.threads import Lease
from companion.upkeep import SwitchOff
from hardware.buttons.keys import FILE as KEYS

if TYPE_CHECKING:
    from companion.app.workshop.camera_pages import Pages

CAMERA_PAGES = ("calibrate", "teach", "colours")
SWITCHING_OFF = "switch-off"


class Workshop:
    """The workshop's pages by their names. Safe for many threads; steps with the camera take turns."""

    def __init__(
        self,
        runtime: Runtime,
        table_parts: TableParts,
        box: BoxParts,
        camera_parts: CameraParts,
        switch_off: SwitchOff,
    ) -> None:
        """Any page but CAMERA_PAGES is the `trial` of parts. The workshop ends with the box."""
        self._parts = runtime, table_parts, camera_parts, switch_off
        self._capture, self._lights, self._switch_off = camera_parts.capture, box.lights, switch_off
        keys = KeyTeaching(box.keys, runtime.files.file(KEYS))
        self.trial = PartsTrial(box, camera_parts.camera, keys, self._at_work)
        self._busy = threading.Lock()
        self._camera_open = Lease(AWAY_S, lambda: self._lights.ring(False))
        runtime.ending.on_close(self.close)

    def _at_work(self) -> bool:
        """Whether a reveal needs the camera."""
        return self._capture.at_work

    @cached_property
    def _pages(self) -> Pages:
        """CAMERA_PAGES, made once one is opened."""
        from companion.app.workshop.camera_pages import camera_pages

        return camera_pages(*self._parts)

    def close(self) -> None:
        """All as usual; may be called twice."""
        self._camera_open.close()
        self.trial.close()

    def now(self, page: str) -> Data:
        """Data of a page at this moment."""
        if page not in CAMERA_PAGES:
            return self.trial.now()
        self._light_ring()
        return self._pages[page].now()

    def do(self, page: str, step: str, part: str | None = None) -> None:
        """Do a step of a page: none with the camera while a reveal needs it, one after the other else.

        Raises BadCommand, PartFault, StorageError."""
        if step == SWITCHING_OFF:
            self._switch_off.off("the page")
        elif page not in CAMERA_PAGES:
            self.trial.do(step, part)
        elif self._at_work():
            raise BadCommand("camera_at_work")
        else:
            with self._busy:
                reasoned(lambda: self._pages[page].do(step, part))

    def _light_ring(self) -> None:
        """As in a reveal, where there is none."""
        if self._at_work():
            return
        if not self._camera_open.runs:
            self._lights.ring(True)
        self._camera_open.renew()
