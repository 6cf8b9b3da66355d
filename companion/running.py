"""The running box: every room put together around one table."""

from __future__ import annotations

import logging
import threading
import zlib
from collections.abc import Callable
from contextlib import ExitStack
from types import TracebackType
from typing import Any, TypeVar

import numpy as np

from companion import commands as cmd
from companion.commands import Command
from companion.demo import Demo, Lying, Pace
from companion.errors import BadCommand, CompanionError, StorageError
from companion.evidence import Evidence
from companion.examples import examples
from companion.folder import DataFolder
from companion.following import Follower
from companion.game import Phase
from companion.health import Health
from companion.journal import Journal
from companion.looking import Looking, LookPorts
from companion.looks import Look
from companion.reveal import ALL
from companion.settings import Settings
from companion.simulated import on_table
from companion.table import Fault, Snapshot, Table
from companion.tablestate import assessment
from companion.view import View, seat_words, view

T = TypeVar("T")

_log = logging.getLogger(__name__)

PREVIEW_KEPT_S = 0.2
JPEG_QUALITY = 82
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
"""The dice drawn for a player's colour; without a colour they are ivory."""

NEXT = "next"
"""The page's word for the next place of the plan."""


class Companion:
    """One box at work: use it as a context manager, `serve` answers phones until it is closed."""

    def __init__(self, settings: Settings, *, clock: Any = None) -> None:
        """Open everything; raises CompanionError or a HardwareError, and then nothing stays open."""
        from hardware.clock import SystemClock

        self.settings, self.clock = settings, clock or SystemClock()
        self._sounded = "idle"
        with ExitStack() as opening:
            self._open_table(opening)
            self._open_box(opening)
            self._open_camera(opening)
            self._open_page(opening)
            self._closing = opening.pop_all()

    def __enter__(self) -> Companion:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Give everything back, last opened first; may be called twice."""
        self._closing.close()

    def _open_table(self, opening: ExitStack) -> None:
        settings = self.settings
        folder = opening.enter_context(DataFolder(settings.data_folder))
        self.journal = Journal(folder.path / "games.sqlite")
        opening.callback(self.journal.close)
        limit = settings.data.evidence_mb * 1_000_000
        self.evidence = Evidence(folder.path / "evidence.sqlite", limit_bytes=limit)
        opening.callback(self.evidence.close)
        self.frames = 1 if settings.camera.use.startswith("folder") else 2  # a folder shows another each time
        self.table = Table(self.journal, each=settings.camera.looks == "each", frames=self.frames)
        opening.callback(Follower("evidence", self.table, Witness(self).follow).close)

    def _open_box(self, opening: ExitStack) -> None:
        from hardware.buttons import SimulatedBox, open_buttons
        from hardware.lights import open_lights
        from hardware.pins import open_pins
        from hardware.sound import open_sound
        from hardware.wiring_settings import wiring_from

        wiring = wiring_from(self.settings.pins)
        pins = open_pins(self.settings.box.pins, self.clock, persistent=True)
        opening.callback(pins.close)
        _log.info("pins: %s", pins.why)
        self.buttons = open_buttons(wiring, pins)
        opening.callback(self.buttons.close)
        self.lights = open_lights(wiring, pins, self.clock)
        opening.callback(self.lights.close)
        self.sound = open_sound(wiring, pins, self.clock)
        opening.callback(self.sound.close)
        self.fingers = SimulatedBox(self.buttons, wiring, pins) if pins.simulated else None
        self.buttons.listen(self._pressed)
        opening.callback(Follower("lamps", self.table, self._show_lamps).close)
        parts = (self.buttons, self.lights, self.sound)
        opening.callback(Health(self.table, lambda: [f for part in parts for f in part.faults()]).close)

    def _open_camera(self, opening: ExitStack) -> None:
        from hardware.calibration import FILE, load, pi_options
        from hardware.cameras.choose import open_camera

        self.scene = SimulatedScene(self.table)
        lens = pi_options(load(self.settings.data_folder / FILE))
        use = self.settings.camera.use
        self.camera = open_camera(use, clock=self.clock, draw=self.scene.draw, pi_options=lens)
        opening.callback(self.camera.close)
        _log.info("camera: %s", self.camera.why)
        self.eyes = Eyes(self)
        opening.callback(self.eyes.close)

    def _open_page(self, opening: ExitStack) -> None:
        from web.app import create_app
        from web.deps import WebDeps
        from web.server import open_server

        deps = WebDeps(
            table=Outlook(self),
            parse=cmd.parse,
            pictures=self.evidence.picture,
            preview=Preview(self.camera, self.clock).jpeg,
            press=self.press,
            port=self.settings.web.port,
        )
        self.server = open_server(create_app(deps), self.settings.web.host, self.settings.web.port)
        opening.callback(self.server.close)

    @property
    def port(self) -> int:
        """Where the page really is; the settings may leave the choice to the system with 0."""
        return int(self.server.port)

    def serve(self) -> None:
        """Answer phones until `close`."""
        self.server.run()

    def start_demo(self, pace: Pace | None = None) -> Demo:
        """Let simulated players play at the simulated table; raises BadCommand where the dice are real."""
        if self.fingers is None or self.camera.name != "simulated table":
            raise BadCommand("demo_needs_simulation")
        demo = Demo(self.table, self.press, self.scene.lying, pace=pace or Pace())
        self._closing.callback(demo.close)
        demo.start()
        return demo

    def greeting(self) -> str:
        """What the terminal says when the page can be opened."""
        return f"Dudo companion: http://localhost:{self.port}   camera: {self.camera.why}   Stop with Ctrl-C."

    def press(self, button: str, held: bool = False) -> None:
        """A finger on the simulated box; raises BadCommand where the box is real or has no such button."""
        if self.fingers is None or button not in self.buttons.names:
            raise BadCommand("no_such_button", button=button)
        self.fingers.press(button, held)

    def _pressed(self, press: Any) -> None:
        """A press of the box, from its own thread; a refusal is told on every page."""
        try:
            self.table.do(_meaning(press, self.table.snapshot()))
            self.table.report("button", None)
        except CompanionError as error:
            told = tuple((key, str(value)) for key, value in error.values.items())
            self.table.report("button", Fault(error.reason, told))

    def _show_lamps(self, now: Snapshot) -> None:
        from hardware.ports import BoxState, LampView, SeatLamp

        word = view(now).data["state"]
        seats = tuple(SeatLamp(said) for said in seat_words(now.state.game))
        fault = dict(now.faults).get("camera")
        self.lights.show(LampView(BoxState(word), seats, fault.reason if fault else ""))
        if word != self._sounded:
            self._sounded = word
            self.sound.play(BoxState(word))


class Eyes:
    """Camera and reader, at work while a reveal wants looks."""

    def __init__(self, companion: Companion) -> None:
        from vision.settle import Settler

        self._table, self._camera, self._clock = companion.table, companion.camera, companion.clock
        self._evidence, self._settings = companion.evidence, companion.settings
        self._settler, self._sight, self._wanted = Settler(), "", 0
        ports = LookPorts(
            capture=lambda: _reasoned(self._capture),
            preview=lambda: _reasoned(self._preview),
            place=self._place,
            on_look=self._looked,
            on_word=self._table.watch,
            on_trouble=self._trouble,
        )
        self._looking = Looking(ports, companion.clock, frames=companion.frames)
        self._thread = threading.Thread(target=self._looking.run, name="looking", daemon=True)
        self._thread.start()
        self._follower = Follower("reveals", self._table, self._follow)

    def close(self) -> None:
        """Stop looking; may be called twice."""
        self._follower.close()
        self._looking.close()
        self._thread.join()

    def _follow(self, now: Snapshot) -> None:
        """Open the eyes when a reveal begins or somebody asks for a look, close them when it is over."""
        if not _wants_looks(now):
            self._looking.end()
            self._sight = ""
            return
        reveal = f"{now.game_id}/{now.state.game.round.number if now.state.game else 0}/{now.held}"
        if now.wanted != self._wanted:
            self._wanted = now.wanted
            self._looking.look_now()
        elif reveal != self._sight and self._settings.camera.by_itself:
            self._looking.begin()
        self._sight = reveal

    def _preview(self) -> str:
        import cv2

        frame = self._camera.preview()
        grey = cv2.cvtColor(frame.image_bgr, cv2.COLOR_BGR2GRAY)
        self._settler = self._settler.feed(np.asarray(grey, np.uint8), frame.taken_s)
        return str(self._settler.word)

    def _capture(self) -> Look:
        """A picture read; it is kept as it was taken, for an example, and with what was seen in it."""
        from vision.annotate import annotate
        from vision.contract import to_json
        from vision.read import read

        image = self._camera.capture().image_bgr
        reading = read(image, reader=self._settings.camera.reader)
        picture = self._kept(encoded(annotate(image, reading)), image)
        return Look.from_json(to_json(reading, "", {"decode": 0.0, "read": 0.0}), picture)

    def _kept(self, jpeg: bytes, image: Any) -> str:
        """The name of the kept picture; a full disk costs the evidence, not the reveal."""
        clean = encoded(image) if self._settings.data.keep_examples else None
        try:
            name = self._evidence.keep(self._table.snapshot().game_id or "", jpeg, clean)
        except StorageError as error:
            self._table.report("evidence", Fault(error.reason))
            return ""
        self._table.report("evidence", None)
        return name

    def _place(self) -> str:
        """Where the box stands: where a person says, else at the next place of the plan."""
        now = self._table.snapshot()
        if now.place and now.place != NEXT:
            return now.place
        return (assessment(now.state).next_place if now.state.reveal else None) or ALL

    def _looked(self, place: str, look: Look) -> bool:
        """Hand the look to the table; says whether another one would help."""
        try:
            return _wants_looks(self._table.do(cmd.TakeLook(look, place)))
        except CompanionError:
            return False  # the reveal was over before the picture was read

    def _trouble(self, reason: str | None) -> None:
        self._table.report("camera", Fault(reason) if reason else None)


def _reasoned(look: Callable[[], T]) -> T:
    """What `look` gives; a fault nobody foresaw gets a reason too, so that the looker goes on."""
    try:
        return look()
    except Exception as error:
        if hasattr(error, "reason"):
            raise
        _log.exception("looking at the table failed")
        raise CompanionError("camera_fault") from error


class Witness:
    """Keeps what each verdict rests on, and what people corrected."""

    def __init__(self, companion: Companion) -> None:
        self._evidence, self._examples = companion.evidence, companion.settings.data.keep_examples
        self._kept: tuple[str | None, int] = (None, 0)

    def follow(self, now: Snapshot) -> None:
        """Keep the evidence of a verdict once it is there."""
        state, key = now.state, (now.game_id, len(now.state.played))
        if not now.game_id or not state.played or state.reveal is None or key == self._kept:
            return
        self._kept = key
        body = view(now).data["reveal"]
        if self._examples:
            self._evidence.keep_examples(examples(state.reveal))
        self._evidence.keep_verdict(now.game_id, state.played[-1].number, body, state.played[-1].pictures)


def _wants_looks(now: Snapshot) -> bool:
    game = now.state.game
    return game is not None and game.phase is Phase.REVEAL and not now.held


class Outlook:
    """The table as the page sees it: snapshots as data, with what the box shows beside them."""

    def __init__(self, companion: Companion) -> None:
        self._companion, self._table = companion, companion.table

    def snapshot(self) -> View:
        """The table now."""
        return self._with_box(self._table.snapshot())

    def wait(self, after: int, timeout_s: float) -> View:
        """The table once its version is above `after`, or when the time has passed."""
        return self._with_box(self._table.wait(after, timeout_s))

    def do(self, command: Command, based_on: int | None = None) -> View:
        """Carry out a command; raises what the table raises."""
        return self._with_box(self._table.do(command, based_on))

    def _with_box(self, snapshot: Snapshot) -> View:
        plain = view(snapshot)
        shown = self._companion.lights.shown()
        box = {
            "simulated": self._companion.fingers is not None,
            "state": plain.data["state"],
            "rgb": [round(255 * level) for level in shown.rgb],
            "colour": shown.colour,
            "rhythm": shown.rhythm,
            "seats": list(seat_words(snapshot.state.game)),
            "camera": self._companion.camera.name,
            "buttons": list(self._companion.buttons.names),
        }
        return View(plain.version, {**plain.data, "box": box})


class SimulatedScene:
    """Draws the dice really rolled in the simulated game; the same picture until other dice lie there."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._lock = threading.Lock()
        self._key: object = None
        self._image: Any = None
        self._lying: tuple[Lying, ...] = ()

    def draw(self) -> Any:
        """The picture now, (height, width, 3) uint8, blue, green, red."""
        with self._lock:
            self._drawn()
            return self._image.copy()

    def lying(self) -> tuple[Lying, ...]:
        """Where the dice really lie."""
        with self._lock:
            self._drawn()
            return self._lying

    def _drawn(self) -> None:
        from vision.scenes.render import render
        from vision.scenes.throw import table_scene

        now = self._table.snapshot()
        game = now.state.game
        dice = tuple((face, BODIES.get(said, "ivory")) for face, said in on_table(now.game_id or "", game))
        key = (now.game_id, game.round.number if game else 0, dice)
        if key != self._key:
            seed = zlib.crc32(repr(key).encode())
            picture = render(table_scene(dice, seed, width_px=SCENE_PX[0], height_px=SCENE_PX[1]))
            self._key, self._image = key, picture.image_bgr
            width, height = SCENE_PX
            self._lying = tuple(Lying(d.face, d.x_px / width, d.y_px / height) for d in picture.truth)


class Preview:
    """The newest small picture as JPEG, taken at most every PREVIEW_KEPT_S, however many phones ask."""

    def __init__(self, camera: Any, clock: Any) -> None:
        self._camera, self._clock = camera, clock
        self._lock = threading.Lock()
        self._jpeg: bytes | None = None
        self._taken_s = float("-inf")

    def jpeg(self) -> bytes | None:
        """The picture, None while the camera gives none."""
        from hardware.errors import HardwareError

        with self._lock:
            if self._clock.now_s() - self._taken_s > PREVIEW_KEPT_S:
                try:
                    self._jpeg = encoded(self._camera.preview().image_bgr)
                except HardwareError:
                    self._jpeg = None
                self._taken_s = self._clock.now_s()
            return self._jpeg


def encoded(image_bgr: Any) -> bytes:
    """The picture as JPEG."""
    import cv2

    return bytes(cv2.imencode(".jpg", image_bgr, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1])


def _meaning(press: Any, now: Snapshot) -> Command:
    """What a press of the box asks of the table: a seat's button says who, holding OK takes back."""
    if press.button == "ok":
        return _ok(press.held, now)
    if press.button.startswith("seat"):
        players = now.state.game.players if now.state.game else ()
        seat = int(press.button.removeprefix("seat")) - 1
        if seat >= len(players):
            raise BadCommand("no_such_seat", seat=seat + 1)
        return cmd.Press("calza" if press.held else "dudo", players[seat].name)
    return cmd.Press(press.button)


def _ok(held: bool, now: Snapshot) -> Command:
    """OK goes on: the next round, the verdict, or one more look."""
    if held:
        return cmd.Undo()
    game = now.state.game
    if game and game.phase is Phase.REVEAL:
        return cmd.Confirm() if assessment(now.state).settled else cmd.WantLook()
    return cmd.PlayAgain() if game and game.phase is Phase.OVER else cmd.Press("ok")
