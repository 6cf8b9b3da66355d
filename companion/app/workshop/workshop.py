"""The workshop: the camera calibrated and every part tried out while the box is at work, led by a page.

While a phone shows the page of the parts, presses of the box go to the test instead of the game. While it
shows the page of the camera, the light ring is lit as in a reveal. Both end soon after the phone is gone.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from companion.app.camera.camera_parts import CameraParts
from companion.app.camera.preview import Preview
from companion.app.reading.decoder import encoded
from companion.app.reading.lessons import Lessons
from companion.app.system.box_parts import BoxParts
from companion.app.system.wishes import SwitchOff
from companion.app.table_parts import Runtime, TableParts
from companion.app.workshop.parts_trial import AWAY_S, Data, KeyTeaching, Lease, PartsTrial, plain, reasoned
from companion.errors import BadCommand, PartFault, StorageError
from companion.reveal.observations import Observation, SeenDie
from companion.reveal.owners import Colour, alike, learn_colours, of_one_colour
from companion.rules.players import Player, playing
from companion.side_files import SideFile
from companion.table import commands as cmd
from companion.table.state import TableState
from companion.table.table import Table
from hardware.buttons.keys import FILE as KEYS
from hardware.calibration.advice import HIGH_PX, LOW_PX, MAX_TILT_DEG, Advice, on_light
from hardware.calibration.calibrator import FILE as CALIBRATION
from hardware.calibration.calibrator import Calibration, Calibrator, written
from hardware.lamps.pin_lights import PinLights
from hardware.optics.focus import quality
from hardware.ports import Press
from vision.arrays import Image
from vision.contract import ReadingJson

if TYPE_CHECKING:
    from hardware.cameras.choose import BoxCamera

STEPS = ("focus", "dice", "empty")


class Teaching:
    """State and steps of the page on emblem faces, which are shown, tried and forgotten."""

    def __init__(
        self,
        lessons: Lessons,
        picture: Callable[[], Image],
        read: Callable[[Image], ReadingJson],
        show: Callable[[str, bytes], None],
    ) -> None:
        """`picture` takes one now, `read` gives the object of `dudo read --json` of it, `show` keeps a JPEG
        under a name for the page."""
        self._lessons, self._picture, self._read, self._show_jpeg = lessons, picture, read, show
        self._numbers = itertools.count(1)
        self._shown: Data | None = None
        self._seen: list[Data] | None = None

    def now(self) -> Data:
        """Every taught face with its showings, what was shown last, and what was seen when it was tried."""
        faces = [{"face": face, "times": times} for face, times in sorted(self._lessons.faces.items())]
        return {"faces": faces, "shown": self._shown, "seen": self._seen}

    def do(self, what: str, face: int | None) -> None:
        """`show` a face, `recognise` what lies there, or `forget` a face (None: all).

        Raises BadCommand, PartFault, StorageError."""
        match what:
            case "show" if face is not None:
                self._show(face)
            case "recognise":
                self._recognise()
            case "forget":
                self._lessons.forget(face)
                self._shown = self._seen = None
            case _:
                raise BadCommand("bad_face", face=face)

    def _show(self, face: int) -> None:
        name = f"taught-{next(self._numbers)}"
        self._show_jpeg(name, encoded(self._lessons.show(self._picture(), face)))
        self._shown, self._seen = {"face": face, "picture": name}, None

    def _recognise(self) -> None:
        dice = self._read(self._picture())["dice"]
        self._seen = [
            {"face": die["face"], "taught": "taught" in die["why"], "certain": die["certain"]} for die in dice
        ]


class Colouring:
    """State and steps of the page on the colours of players' dice, which are kept until the next game."""

    def __init__(
        self,
        table: Table,
        picture: Callable[[], Image],
        read: Callable[[Image], ReadingJson],
        laid_out: Callable[[str], AbstractContextManager[None]],
    ) -> None:
        """`picture` takes one now, `read` gives the object of `dudo read --json`. Within `laid_out` a
        simulated table shows the dice of one player alone."""
        self._table, self._picture, self._read, self._laid_out = table, picture, read, laid_out
        self._game: str | None = None
        self._shown: dict[str, tuple[SeenDie, ...]] = {}
        self._found: tuple[Colour, ...] = ()

    def now(self) -> Data:
        """Who has dice on the table, how many of each were shown, and whether colours identify their
        owner."""
        state = self._state()
        return {
            "players": [
                {"name": p.name, "colour": p.colour, "shown": len(self._shown.get(p.name, ()))}
                for p in _with_dice(state)
            ],
            "learnt": [colour.player for colour in state.colours if colour.name],
            "alike": list(alike(state.colours or self._found)),
        }

    def do(self, what: str, name: str | None) -> None:
        """`colour`: the dice that lie there are those of `name`; `mixed`: colours identify nobody.

        Raises BadCommand, PartFault, StorageError.
        """
        state = self._state()
        if what == "mixed":
            self._table.do(cmd.ForgetColours())
            self._shown, self._found = {}, ()
            return
        player = next((p for p in _with_dice(state) if p.name == name), None)
        if player is None:
            raise BadCommand("unknown_player", player=name)
        self._shown[player.name] = _of_one(self._dice(player.name), player)
        self._learn({p.name for p in _with_dice(state)})

    def _state(self) -> TableState:
        """The table as it is; what was shown in another game is forgotten."""
        now = self._table.snapshot()
        if now.game_id != self._game:
            self._game, self._shown, self._found = now.game_id, {}, ()
        return now.state

    def _dice(self, player: str) -> tuple[SeenDie, ...]:
        """The dice that surely lie there, with their colours."""
        with self._laid_out(player):
            image = self._picture()
        observation = Observation.from_json(self._read(image))
        return tuple(die for die in observation.dice if die.certain and die.rgb)

    def _learn(self, names: set[str]) -> None:
        """Hand the colours to the table once everybody was shown: a colour not yet known could be taken for
        another's."""
        if len(names) < 2 or not names <= self._shown.keys():
            return
        self._found = learn_colours({name: self._shown[name] for name in self._shown if name in names})
        named = self._found if any(colour.name for colour in self._found) else ()
        if named or self._state().colours:
            self._table.do(cmd.LearnColours(named))


def _with_dice(state: TableState) -> list[Player]:
    """The players whose dice lie on the table."""
    if state.game is None:
        return []
    return [p for p in playing(state.game.players) if p.name not in state.cups]


def _of_one(dice: tuple[SeenDie, ...], player: Player) -> tuple[SeenDie, ...]:
    """The dice, which can be one player's; raises BadCommand."""
    if not dice:
        raise BadCommand("no_dice_shown")
    if len(dice) > player.dice:
        raise BadCommand("too_many_shown", player=player.name)
    if not of_one_colour(dice):
        raise BadCommand("dice_differ")
    return dice


class Workshop:
    """State and steps of the workshop's pages. Safe for many threads; steps of the calibration take turns."""

    def __init__(
        self,
        camera: BoxCamera,
        preview: Preview,
        lights: PinLights,
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
        self._camera_open = Lease(AWAY_S, lambda: lights.ring(False))

    def close(self) -> None:
        """All as usual; may be called twice."""
        self._camera_open.close()
        self._trial.close()

    # ---- the camera ----------------------------------------------------------------------------------

    def camera(self) -> Data:
        """Data of the camera page: the light and sharpness of this moment, and the result of the last
        step."""
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
        self._do(self._keep if step == "keep" else lambda: self._calibrate(step))

    def _calibrate(self, step: str) -> None:
        made = self._calibrator
        self._advice[step] = {"focus": made.focus, "dice": made.dice, "empty": made.empty}[step]()

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
        """As in a reveal, where there is none."""
        if self._at_work():
            return
        if not self._camera_open.runs:
            self._lights.ring(True)
        self._camera_open.renew()

    def _do(self, step: Callable[[], None]) -> None:
        """One step after the other, and none while a reveal needs the camera."""
        if self._at_work():
            raise BadCommand("camera_at_work")
        with self._busy:
            reasoned(step)

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
        self._light_ring()
        return self._teaching.now()

    def teach(self, what: str, face: int | None = None) -> None:
        """Show a face, try what was taught, or forget it. Raises BadCommand, PartFault, StorageError."""
        self._do(lambda: self._teaching.do(what, face))

    # ---- whose dice have which colour ----------------------------------------------------------------

    def colours(self) -> Data:
        """Data of the colour page."""
        self._light_ring()
        return self._colouring.now()

    def teach_colours(self, what: str, player: str | None = None) -> None:
        """Learn a player's colour from the dice that lie there, or that colours identify nobody.

        Raises BadCommand, PartFault, StorageError.
        """
        self._do(lambda: self._colouring.do(what, player))

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
