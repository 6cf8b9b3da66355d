"""The camera of the box, and what takes, reads and shows its pictures; what kind of box that makes it; and
what lies on the simulated table."""

from __future__ import annotations

import logging
import threading
import zlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from companion.app.camera.capture import Capture
from companion.app.camera.phone_pictures import PhonePictures
from companion.app.camera.preview import Preview, reasoned
from companion.app.reading.lessons import FILE as LESSONS
from companion.app.reading.lessons import Lessons
from companion.app.reading.reader_process import ReaderProcess
from companion.app.system.box_parts import BoxParts, lamp_view
from companion.app.table_parts import Runtime, TableParts
from companion.demo.players import Lying, laid_out, on_table
from companion.errors import BadCommand
from companion.reveal.observations import Observation
from companion.table.cups import looking_bots
from companion.table.snapshot import seat_words, state_word
from companion.table.state import TableState
from companion.table.table import REAL_DICE, Snapshot, Table
from companion.table.wire.state import BoxJson
from hardware.calibration import calibration
from hardware.cameras.choose import open_camera
from hardware.cameras.deviceless import PhonesCamera, SimulatedCamera
from hardware.lamps.patterns import status_signal
from hardware.ports import Camera

if TYPE_CHECKING:
    from vision.arrays import Image
    from vision.contract import ReadingJson

_log = logging.getLogger(__name__)


class CameraParts:
    """The opened camera with its reader. `box` has the lamps that light the dice."""

    def __init__(
        self,
        runtime: Runtime,
        table_parts: TableParts,
        box: BoxParts,
        reader: ReaderProcess,
        *,
        demonstration: bool,
    ) -> None:
        """Open the camera and begin to take pictures for reveals; raises a HardwareError."""
        self._runtime, self._at_table, self._box, self.reader = runtime, table_parts, box, reader
        settings = runtime.settings
        self.scene = SimulatedScene(table_parts.table, table_parts.frames)
        self.calibration = runtime.files.file(calibration.FILE).read(calibration.parsed, None)
        self.camera = self._opened()
        if isinstance(self.camera, SimulatedCamera) and not demonstration:
            self._offer_real_dice(settings.data_folder / REAL_DICE)
        phones = self.camera if isinstance(self.camera, PhonesCamera) else PhonesCamera(runtime.clock)
        self.kind = BoxKind(self.camera, phones, box, table_parts.table, demonstration)
        self.lessons = Lessons(runtime.files.file(LESSONS), reader)
        self.phone_pictures = self._phone_pictures()
        self.capture = self._capture()  # ends before the reader, whose end is no fault then
        self.preview = Preview(self.camera)
        self.cup_reader = self._cup_reader()

    def _offer_real_dice(self, old: Path) -> None:
        """Offer them as they were chosen last; in an older version by the file `old`."""
        table, chosen = self._at_table.table, old.exists()
        begun = self._box.simulated and _plays_with_cups(table.snapshot().state)
        table.offer_real_dice(begun or chosen)
        if chosen:
            with suppress(OSError):  # where nothing can be written, it counts at the next start, too
                self._at_table.kept.journal.put_notes({REAL_DICE: True})
                old.unlink()

    def _opened(self) -> Camera:
        """The camera of the settings, used as calibrated; it ends with the box."""
        settings, clock = self._runtime.settings, self._runtime.clock
        options = calibration.camera_options(self.calibration, mains_hz=settings.camera.flicker_hz)
        camera = open_camera(settings.camera.use, clock=clock, draw=self.scene.draw, options=options)
        self._runtime.ending.add(camera)
        _log.info("camera: %s", camera.why)
        return camera

    def _capture(self) -> Capture:
        """What takes pictures for reveals, at once; it ends with the box."""
        capture = Capture(
            self._at_table.table,
            self.camera,
            self.reader,
            self._at_table.store,
            self.lessons,
            clock=self._runtime.clock,
            settings=self._runtime.settings.camera,
            heartbeats=self._runtime.heartbeats,
            calibration=self.calibration,
            frames=self._at_table.frames,
            has_camera=lambda: not self.kind.by_phones,
            same_light=lambda: self.kind.same_light,
        )
        self._runtime.ending.add(capture)
        return capture

    def _phone_pictures(self) -> PhonePictures:
        return PhonePictures(
            self._at_table.table,
            self.reader,
            self._at_table.store,
            self.lessons,
            way=self._runtime.settings.camera.reader,
            real=lambda: self.kind.real_dice,
            show=self.kind.lay,
            now_s=self._runtime.clock.now_s,
        )

    def _cup_reader(self) -> CupReader:
        way = self._runtime.settings.camera.reader
        return CupReader(
            self._at_table.table,
            self.kind.taken,
            lambda image: self.reader.read(image, way, self.lessons.taught),
            laid_out=self.scene.laid_out,
            light=self._box.lights.ring,
            by_phones=lambda: self.kind.by_phones,
            agree=self._at_table.frames,
        )


class BoxKind(Struct, frozen=True):
    """Asked anew each time: people may change whose dice lie there. `phones` is the camera that phones
    are; `demonstration`: nobody plays here."""

    camera: Camera
    phones: PhonesCamera
    parts: BoxParts
    table: Table
    demonstration: bool

    @property
    def real_dice(self) -> bool:
        """Whether the dice on the table are real, whatever the camera."""
        return not isinstance(self.camera, SimulatedCamera) or bool(self.table.snapshot().real_dice)

    @property
    def by_phones(self) -> bool:
        """Whether the box has no camera of its own to look with."""
        return isinstance(self.camera, PhonesCamera) or bool(self.table.snapshot().real_dice)

    @property
    def same_light(self) -> bool:
        """Whether real dice lie in the same light before a reveal as in it: no ring of the box goes on."""
        ring = not self.parts.simulated and "light ring" in self.parts.lights.parts()
        return not ring and not isinstance(self.camera, SimulatedCamera)

    @property
    def all_simulated(self) -> bool:
        """Whether nothing here is real: no part, no dice."""
        return self.parts.simulated and not self.real_dice

    def shown(self, snapshot: Snapshot) -> BoxJson:
        """The state of the box, which the page shows beside the table of the snapshot."""
        lamps = lamp_view(snapshot)
        light = status_signal(lamps.state, lamps.fault)
        return {
            "simulated": self.parts.simulated,
            "state": state_word(snapshot),
            "rgb": [round(255 * level) for level in light.rgb],
            "colour": light.colour,
            "pattern": light.pattern.words,
            "seats": list(seat_words(snapshot.state)),
            "camera": PhonesCamera.name if self.by_phones else self.camera.name,
            "buttons": list(self.parts.buttons.names),
            "all_simulated": self.all_simulated,
            "demo": self.demonstration,
            "pictures": self.real_dice,
            "real_dice": snapshot.real_dice if self.parts.simulated else None,
        }

    def taken(self) -> Image:
        """A picture for the pages that teach, never of simulated dice beside real ones, (height, width, 3)
        uint8; raises PartFault."""
        camera = self.phones if self.by_phones else self.camera
        return reasoned(camera.capture).image_bgr

    def lay(self, image_bgr: Image) -> None:
        """Let a phone's picture, (height, width, 3) uint8, be what those pages see for a while."""
        self.phones.show(image_bgr)


def _plays_with_cups(state: TableState) -> bool:
    """Whether people of a game that goes on have dice on the table. Where nothing is real, nobody has."""
    simulated = {*state.cups, *dict(state.bots)}
    players = state.game.inside if state.game and state.goes_on else ()
    return any(player.name not in simulated for player in players)


SCENE_PX = (1024, 768)

BODIES = {
    **{
        name: name
        for name in ("red", "blue", "green", "yellow", "white", "black", "orange", "purple", "pink")
    },
    "turquoise": "blue",
    "brown": "wood",
    "grey": "grey",
}
"""The dice laid for a player's colour; without a colour they are ivory."""


class SimulatedScene:
    """Pictures of the dice really rolled in the simulated game; the same one until other dice lie there."""

    def __init__(self, table: Table, frames: int) -> None:
        """`frames` pictures of one place are taken before the box is moved on."""
        self._table, self._frames = table, frames
        self._lock = threading.Lock()
        self._key: object = None
        self._image: Image | None = None
        self._lying: tuple[Lying, ...] = ()
        self._laid_out: str | None = None

    @contextmanager
    def laid_out(self, player: str) -> Iterator[None]:
        """All dice of `player` lie there alone for a while."""
        self._laid_out = player
        try:
            yield
        finally:
            self._laid_out = None

    def draw(self) -> Image:
        """The picture now, (height, width, 3) uint8, blue, green, red."""
        with self._lock:
            return self._drawn().copy()

    def lying(self) -> tuple[Lying, ...]:
        """Where the dice really lie."""
        with self._lock:
            self._drawn()
            return self._lying

    def _drawn(self) -> Image:
        now = self._table.snapshot()
        game = now.state.game
        shown = on_table(now.game_id or "", now.state, self._frames)
        if game and self._laid_out:
            shown = laid_out(now.game_id or "", game, self._laid_out)
        dice = tuple((face, BODIES.get(said, "ivory")) for face, said in shown)
        key = (now.game_id, game.round.number if game else 0, dice)
        image = self._image
        if image is None or key != self._key:
            from hardware.cameras.simulated_dice import laid

            seed = zlib.crc32(repr(key).encode())
            found = laid(dice, seed, width_px=SCENE_PX[0], height_px=SCENE_PX[1])
            image = self._image = found.image_bgr
            self._lying = tuple(
                Lying(die.face, die.x_px / SCENE_PX[0], die.y_px / SCENE_PX[1]) for die in found.dice
            )
            self._key = key
        return image


TRIES = 4
"""So many pictures are taken at most."""


class CupReader:
    """Looks at one cup at a time."""

    def __init__(
        self,
        table: Table,
        picture: Callable[[], Image],
        read: Callable[[Image], ReadingJson],
        *,
        laid_out: Callable[[str], AbstractContextManager[None]],
        light: Callable[[bool], None],
        by_phones: Callable[[], bool],
        agree: int,
    ) -> None:
        """`picture` takes one now, and `read` is its reading as by `dudo read --json`.

        Within `laid_out` a simulated table shows the dice of one player alone. `light` turns the ring on or
        off. `by_phones`: the box has no camera of its own. So many pictures in a row must `agree`.
        """
        self._table, self._picture, self._read = table, picture, read
        self._laid_out, self._light, self._by_phones, self._agree = laid_out, light, by_phones, agree
        self._busy = threading.Lock()

    @property
    def is_secret(self) -> bool:
        """Whether the camera may see dice at which the box alone may look."""
        return bool(looking_bots(self._table.snapshot().state))

    def open_picture(self) -> Image:
        """A picture for a page that shows it; raises PartFault, and BadCommand while dice are secret."""
        if self.is_secret:
            raise BadCommand("camera_at_work")
        return self._picture()

    def read(self, player: str) -> None:
        """Read the dice of the bot and keep them for it alone; raises BadCommand, PartFault, StorageError."""
        if self._by_phones():
            raise BadCommand("bot_by_phones", player=player)
        dice = looking_bots(self._table.snapshot().state).get(player)
        if dice is None:
            raise BadCommand("bot_no_look", player=player)
        if not self._busy.acquire(blocking=False):
            raise BadCommand("camera_at_work")
        try:
            self._light(True)
            with self._laid_out(player):
                faces = self._faces(player, dice)
        finally:
            self._light(False)
            self._busy.release()
        self._table.keep_dice(player, faces)

    def _faces(self, player: str, dice: int) -> tuple[int, ...]:
        alike: list[tuple[int, ...]] = []
        fault = BadCommand("bot_dice_unclear", player=player)
        for _ in range(TRIES):
            seen = Observation.from_json(self._read(self._picture()))
            faces = tuple(sorted(die.face for die in seen.dice))
            certain = seen.certain and all(die.certain for die in seen.dice) and len(faces) == dice
            alike = [*(one for one in alike if one == faces), faces] if certain else []
            if len(alike) >= self._agree:
                return faces
            if len(faces) != dice:
                fault = BadCommand("bot_dice_count", player=player, seen=len(faces), dice=dice)
        raise fault
