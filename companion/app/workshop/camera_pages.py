"""The workshop's pages that need the camera: calibrating it, and teaching colours and emblem faces.
Imported once one is wanted."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import TypeAlias

from companion.app.camera.camera_parts import CameraParts
from companion.app.camera.preview import Preview
from companion.app.reading.lessons import Lessons
from companion.app.table_parts import Runtime, TableParts
from companion.app.workshop.parts_trial import Data
from companion.app.workshop.tried_picture import plain
from companion.errors import BadCommand, PartFault, StorageError
from companion.reveal.observations import Observation, SeenDie
from companion.reveal.owners import Colour, alike, learn_colours, of_one_colour
from companion.rules.dice import FACES
from companion.rules.players import Player
from companion.storage.side_files import SideFile
from companion.table import commands as cmd
from companion.table.state import TableState
from companion.table.table import Table
from companion.upkeep import SwitchOff
from hardware.calibration.advice import HIGH_PX, LOW_PX, MAX_TILT_DEG, Advice, on_light
from hardware.calibration.calibration import FILE as CALIBRATION
from hardware.calibration.calibration import Calibration, written
from hardware.calibration.calibrator import Calibrator
from hardware.optics.focus import quality
from hardware.ports import Camera
from vision.arrays import Image
from vision.contract import ReadingJson

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

    def do(self, step: str, part: str | None) -> None:
        """`show` the face `part`, `recognise` what lies there, or `forget` a face (None: all).

        Raises BadCommand, PartFault, StorageError."""
        face = next((face for face in FACES if part == str(face)), None)
        if face is None and (part is not None or step == "show"):
            raise BadCommand("bad_face", face=part)
        match step:
            case "show" if face is not None:
                self._show(face)
            case "recognise":
                self._recognise()
            case "forget":
                self._lessons.forget(face)
                self._shown = self._seen = None

    def _show(self, face: int) -> None:
        name = f"taught-{next(self._numbers)}"
        self._show_jpeg(name, self._lessons.show(self._picture(), face))
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

    def do(self, step: str, part: str | None) -> None:
        """`colour`: the dice that lie there are those of the player `part`; `mixed`: colours identify nobody.

        Raises BadCommand, PartFault, StorageError.
        """
        state = self._state()
        if step == "mixed":
            self._table.do(cmd.ForgetColours())
            self._shown, self._found = {}, ()
            return
        player = next((p for p in _with_dice(state) if p.name == part), None)
        if player is None:
            raise BadCommand("unknown_player", player=part)
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
    return [p for p in state.game.inside if p.name not in state.cups]


def _of_one(dice: tuple[SeenDie, ...], player: Player) -> tuple[SeenDie, ...]:
    """The dice, which can be one player's; raises BadCommand."""
    if not dice:
        raise BadCommand("no_dice_shown")
    if len(dice) > player.dice:
        raise BadCommand("too_many_shown", player=player.name)
    if not of_one_colour(dice):
        raise BadCommand("dice_differ")
    return dice


class Calibrating:
    """State and steps of the page on the camera."""

    def __init__(
        self,
        camera: Camera,
        preview: Preview,
        calibrator: Calibrator,
        kept: Calibration | None,
        file: SideFile,
        know: Callable[[Calibration], None],
        switch_off: SwitchOff,
    ) -> None:
        """`kept` is the calibration that stands in `file`; `know` gets a newly kept one."""
        self._camera, self._preview, self._switch_off = camera, preview, switch_off
        self._calibrator, self._kept, self._file, self._know = calibrator, kept, file, know
        self._advice: dict[str, tuple[Advice, ...]] = {}
        self._best = 0.0

    def now(self) -> Data:
        """The light and sharpness of this moment, and the result of the last step."""
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

    def do(self, step: str, _: str | None = None) -> None:
        """Do one of STEPS, or `keep` what all of them found. Raises PartFault."""
        if step == "keep":
            self._keep()
            return
        made = self._calibrator
        self._advice[step] = {"focus": made.focus, "dice": made.dice, "empty": made.empty}[step]()

    def _keep(self) -> None:
        try:
            self._file.write(written(self._calibrator.found))
        except StorageError as error:
            raise PartFault("calibration_unwritable", cause=error.values["cause"]) from error
        self._kept = self._calibrator.found
        self._know(self._kept)

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


Pages: TypeAlias = Mapping[str, Calibrating | Teaching | Colouring]


def camera_pages(
    runtime: Runtime, table_parts: TableParts, camera: CameraParts, switch_off: SwitchOff
) -> Pages:
    """The pages by their names, with what they teach the box."""
    reader, lessons, way = camera.reader, camera.lessons, runtime.settings.camera.reader
    return {
        "calibrate": Calibrating(
            camera.camera,
            camera.preview,
            Calibrator(camera.camera, reader.dice, camera.calibration),
            camera.calibration,
            runtime.files.file(CALIBRATION),
            camera.capture.know,
            switch_off,
        ),
        "teach": Teaching(
            lessons,
            camera.cup_reader.open_picture,
            lambda image: reader.read(image, way, lessons.taught),
            table_parts.store.show,
        ),
        "colours": Colouring(
            table_parts.table,
            camera.kind.taken,
            lambda image: reader.read(image, way),
            camera.scene.laid_out,
        ),
    }
