"""The running box: every room put together around one table."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import ExitStack
from types import TracebackType
from typing import cast

from companion.app.capture import Capture, CaptureParts
from companion.app.colouring import Colouring
from companion.app.condition import Condition
from companion.app.demonstration import Borrowed, Demonstration, Shows
from companion.app.demonstration_table import DemonstrationTable
from companion.app.evidence_store import EvidenceStore
from companion.app.forgetting import Forgetting
from companion.app.health import Health, Minder
from companion.app.keeper import Keeper
from companion.app.lamps import Signals
from companion.app.lessons import FILE as LESSONS
from companion.app.lessons import Lessons
from companion.app.log import EventLog
from companion.app.page_table import BoxFacts, PageTable
from companion.app.part_faults import PartFaults
from companion.app.phone_pictures import PhonePictures, PicturePorts
from companion.app.pictures import Preview, taken
from companion.app.presses import Presses
from companion.app.reader_process import ReaderProcess
from companion.app.readings import PictureReader
from companion.app.real_dice import FILE as REAL_DICE
from companion.app.real_dice import RealDice
from companion.app.scene import SimulatedScene
from companion.app.teaching import Teaching
from companion.app.workshop import Workshop, WorkshopParts
from companion.heartbeats import Heartbeats
from companion.reveal.evidence import Evidence
from companion.settings import Settings
from companion.statistics.archive import SUMS, Archive
from companion.table.access_record import AccessRecord
from companion.table.cups import KnownDice, known_dice
from companion.table.folder import DataFolder
from companion.table.groups import Groups
from companion.table.journal import Journal
from companion.table.opening import open_journal
from companion.table.parsing import parse
from companion.table.reserve import Reserve
from companion.table.subscriber import Subscriber
from companion.table.table import Snapshot, Table
from hardware.buttons.pin_buttons import open_buttons
from hardware.buttons.simulated import SimulatedBox
from hardware.calibration import calibrator
from hardware.cameras.choose import open_camera
from hardware.cameras.phones import PhonesCamera
from hardware.cameras.simulated import SimulatedCamera
from hardware.clock import SystemClock
from hardware.diagnostics.selftest import Bench
from hardware.gpio.pins import open_pins
from hardware.gpio.wiring_settings import wiring_from
from hardware.lamps.pin_lights import open_lights
from hardware.ports import Clock
from hardware.sound.buzzer import open_sound
from vision.arrays import Image
from web.app import create_app
from web.deps import Demonstrated, WebDeps
from web.server import open_server

__all__ = ["Companion", "Shows"]

_log = logging.getLogger(__name__)

ANSWER_S = 5.0
"""So long a thread of the page may take to come to a question."""

SUMS_TIMEOUT_S = 0.5
"""So long a page waits for sums of games that nobody has asked for yet."""

KEEPER_S = 600.0
"""So long the thread that keeps the journal may be silent: it copies a large one to a slow card."""

QUICK_S, SLOW_S = 30.0, 60.0
"""So long a thread may be silent that follows the table or serves the page, and one that asks the parts."""


class Companion:
    """One box at work: use it as a context manager, `serve` answers phones until it is closed."""

    def __init__(
        self,
        settings: Settings,
        *,
        clock: Clock | None = None,
        reader: PictureReader | None = None,
        shows: Shows | None = None,
    ) -> None:
        """Open everything; raises CompanionError or a HardwareError, and then nothing stays open. `reader` is
        a `companion.app.reader.Reader`; else one in a process of its own is taken. With `shows` this is a
        demonstration: simulated players play, and people watch."""
        self.settings, self.clock, self.shows = settings, clock or SystemClock(), shows
        self.visited_s = self.clock.now_s()
        self.heartbeats = Heartbeats()
        self.reader = reader or ReaderProcess(self.clock)
        with ExitStack() as opening:
            self._open_table(opening)
            self._open_box(opening)
            self._open_camera(opening)
            self._open_page(opening)
            opening.callback(self.demonstration.stop)
            if shows:
                self.demonstration.start(shows.pace)
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
        self.reserve = Reserve(settings.data_folder / "reserve")
        self.reserve.ease_start()
        folder = opening.enter_context(DataFolder(settings.data_folder))
        self.secret = folder.secret()
        self.groups = Groups(folder.path / "groups.json")
        self.journal = open_journal(folder.path / "games.sqlite", more_room=self.reserve.give_up)
        opening.callback(self.journal.close)
        limit = settings.data.evidence_mb * 1_000_000
        self.evidence = Evidence(folder.path / "evidence.sqlite", limit_bytes=limit)
        opening.callback(self.evidence.close)
        self.frames = 1 if settings.camera.use.startswith("folder") else 2  # a folder shows another each time
        each = settings.camera.looks == "each"
        bound = settings.table.doubt
        self.table = Table(self.journal, each=each, frames=self.frames, bound=bound, now_s=self.clock.now_s)
        opening.callback(self._subscriber("log", EventLog().follow).close)
        keep = settings.data.keep_examples
        self.store = EvidenceStore(self.table, self.evidence, settings.data_folder, keep_examples=keep)
        opening.callback(self._subscriber("evidence", self.store.follow).close)
        self.archive = self._archive(opening)
        beat = self.heartbeats.expect("keeper", KEEPER_S)
        opening.callback(Keeper(self.table, self.journal, self.archive, beat).close)

    def _subscriber(self, name: str, on_change: Callable[[Snapshot], None]) -> Subscriber:
        return Subscriber(name, self.table, on_change, self.heartbeats.expect(name, QUICK_S))

    def _open_box(self, opening: ExitStack) -> None:
        self.wiring = wiring = wiring_from(self.settings.pins)
        self.pins = pins = open_pins(self.settings.box.pins, self.clock, persistent=True)
        opening.callback(pins.close)
        _log.info("pins: %s", pins.why)
        self.buttons = open_buttons(wiring, pins, beat=self.heartbeats.expect("buttons", QUICK_S))
        opening.callback(self.buttons.close)
        self.lights = open_lights(wiring, pins, self.clock, self.heartbeats.expect("lights", QUICK_S))
        opening.callback(self.lights.close)
        self.sound = open_sound(wiring, pins, self.clock, self.heartbeats.expect("sound", QUICK_S))
        opening.callback(self.sound.close)
        self.fingers = SimulatedBox(self.buttons, wiring, pins) if pins.simulated else None
        self.signals = Signals(self.lights, self.sound)
        opening.callback(self._subscriber("lamps", self.signals.show).close)

    def _open_camera(self, opening: ExitStack) -> None:
        self.scene = SimulatedScene(self.table, self.frames, self.reader)
        self.calibration = calibrator.load(self.settings.data_folder / calibrator.FILE)
        options = calibrator.pi_options(self.calibration, mains_hz=self.settings.camera.flicker_hz)
        use = self.settings.camera.use
        self.camera = open_camera(use, clock=self.clock, draw=self.scene.draw, pi_options=options)
        opening.callback(self.camera.close)
        _log.info("camera: %s", self.camera.why)
        simulated = isinstance(self.camera, SimulatedCamera)
        self.real_dice = RealDice(self.settings.data_folder / REAL_DICE, simulated=simulated)
        opening.callback(self.reader.close)
        self.lessons = Lessons(self.settings.data_folder / LESSONS, self.reader)
        self.phone_pictures = PhonePictures(self._picture_ports())
        self.capture = Capture(self._capture_parts(), self.calibration)
        opening.callback(self.capture.close)
        opening.callback(self.reader.close)  # a capture may be waiting for it
        opening.callback(self.capture.stop)  # first, so that the reader's end is no fault
        parts = (self.buttons, self.lights, self.sound)
        self.faults = PartFaults(
            self.settings.data_folder, self.journal, self.reserve, self.capture, self.camera, parts
        )
        opening.callback(Health(self.table, self.faults.now, self.heartbeats.expect("health", SLOW_S)).close)
        opening.callback(Minder(self.table, self.heartbeats, self.heartbeats.expect("minder", SLOW_S)).close)
        self._preview = Preview(self.camera, self.heartbeats.expect("live view", SLOW_S))
        opening.callback(self._preview.close)
        self.workshop = self._workshop()
        opening.callback(self.workshop.close)
        self.presses = Presses(self.table, tuple(self.buttons.names), self.fingers, self.workshop)
        self.buttons.listen(self.presses.heard)
        self.demonstration = Demonstration(self.table, self.press, self.scene.lying, self._may_show)

    def _all_simulated(self) -> bool:
        """Whether nothing here is real: no part, no dice."""
        return self.fingers is not None and self.camera.name == "simulated table" and not self.real_dice.on

    def _may_show(self) -> bool:
        """Whether simulated players may play: never at a table of people, nor with anything real."""
        return self.shows is not None and self._all_simulated()

    def _demonstrated(self) -> Demonstrated | None:
        """What the page of a demonstration is told."""
        return Demonstrated(self.shows.home, self._visit) if self.shows else None

    def _visit(self) -> None:
        self.visited_s = self.clock.now_s()

    def _shown(self, settings: Settings) -> Companion:
        """The companion of a demonstration beside this one; it has pictures read by the same reader."""
        return Companion(
            settings,
            clock=self.clock,
            reader=cast(PictureReader, Borrowed(self.reader)),
            shows=Shows(self.port),
        )

    def _capture_parts(self) -> CaptureParts:
        return CaptureParts(
            table=self.table,
            camera=self.camera,
            reader=self.reader,
            clock=self.clock,
            store=self.store,
            lessons=self.lessons,
            settings=self.settings.camera,
            heartbeats=self.heartbeats,
            frames=self.frames,
            looks=lambda: not self._by_phones,
        )

    @property
    def _by_phones(self) -> bool:
        """Whether the box has no camera of its own to look with."""
        return isinstance(self.camera, PhonesCamera) or self.real_dice.instead

    def _picture_ports(self) -> PicturePorts:
        return PicturePorts(
            table=self.table,
            reader=self.reader,
            store=self.store,
            lessons=self.lessons,
            way=self.settings.camera.reader,
            real=lambda: self.real_dice.on,
        )

    def _taken(self) -> Image:
        """A picture for the pages that teach, never of simulated dice beside real ones; raises PartFault."""
        return taken(PhonesCamera(self.clock) if self.real_dice.instead else self.camera)

    def _workshop(self) -> Workshop:
        """The workshop, with what its pages teach the box."""
        parts = WorkshopParts(
            camera=self.camera,
            lights=self.lights,
            bench=Bench(self.wiring, self.pins, self.lights, self.sound, self.buttons, self.camera),
            calibrator=calibrator.Calibrator(self.camera, self.reader.dice, self.calibration),
            path=self.settings.data_folder / calibrator.FILE,
            kept=self.calibration,
            simulated=self.fingers is not None,
            at_work=lambda: self.capture.at_work,
            know=self.capture.know,
        )
        way = self.settings.camera.reader
        teaching = Teaching(
            self.lessons,
            self._taken,
            lambda image: self.reader.read(image, way, self.lessons.taught),
            self.store.show,
        )
        colouring = Colouring(
            self.table,
            self._taken,
            lambda image: self.reader.read(image, way),
            self.scene.laid_out,
        )
        return Workshop(parts, self._preview, teaching, colouring)

    def _open_page(self, opening: ExitStack) -> None:
        condition = Condition(self.journal, self.table, self.heartbeats, self.camera, self.capture)
        deps = WebDeps(
            table=PageTable(self.table, self.groups.remember, self._facts),
            parse=parse,
            groups=self.groups,
            access=AccessRecord(self.settings.data_folder / "admission"),
            pictures=self.store.picture,
            preview=self._preview.jpeg,
            workshop=self.workshop,
            health=condition.now,
            take_picture=self.phone_pictures.take,
            press=self.press,
            cup=self._cup,
            gestures=lambda: self.presses.gestures,
            archive=self.archive,
            forget_game=self._forgetting().forget,
            now_s=self.clock.now_s,
            secret=self.secret,
            port=self.settings.web.port,
            language=self.settings.table.language,
            preset=self.settings.table.preset,
            hosts=tuple(self.settings.web.hosts.replace(",", " ").split()),
            local_leads=self.settings.web.local_leads,
            open_scoreboard=self.settings.web.open_scoreboard,
            demonstrate=None if self.shows else lambda: self.demonstration_table.open(),
            demonstration=self._demonstrated(),
        )
        self.server = open_server(create_app(deps), self.settings.web.host, self.settings.web.port)
        opening.callback(self.server.close)
        beat = self.heartbeats.expect("demonstration", SLOW_S)
        self.demonstration_table = DemonstrationTable(
            self._shown, self.settings, self.table.snapshot, self.clock.now_s, beat
        )
        opening.callback(self.demonstration_table.close)

    def _archive(self, opening: ExitStack) -> Archive:
        """All kept games, read by a connection of their own beside the table's."""
        folder = self.settings.data_folder
        journal = Journal(folder / "games.sqlite", checked=True)
        opening.callback(journal.close)
        archive = Archive(journal, folder / SUMS, timeout_s=SUMS_TIMEOUT_S)
        opening.callback(archive.close)
        return archive

    def _forgetting(self) -> Forgetting:
        places = (self.archive, self.evidence, self.groups)
        return Forgetting(self.table.forget, *places, on_table=lambda: self.table.snapshot().game_id)

    def _cup(self, seat: str, phone: str) -> KnownDice:
        """The dice that the phone in a seat may know of those rolled in phones."""
        now = self.table.snapshot()
        return known_dice(now.state, now.ledger, seat, phone)

    def _facts(self) -> BoxFacts:
        return BoxFacts(
            simulated=self.fingers is not None,
            camera=PhonesCamera.name if self._by_phones else self.camera.name,
            buttons=tuple(self.buttons.names),
            all_simulated=self._all_simulated(),
            demo=self.shows is not None,
            pictures=self.real_dice.on,
            real_dice=self.real_dice.on if self._may_choose_dice else None,
        )

    @property
    def port(self) -> int:
        """Where the page really is; the settings may leave the choice to the system with 0."""
        return int(self.server.port)

    def serve(self) -> None:
        """Answer phones until `close`."""
        self.server.run(self.heartbeats.expect("page", QUICK_S))
        self.heartbeats.forget("page")

    def alive(self) -> bool:
        """Whether every thread does its work, and the page's answer: the parts themselves are asked."""
        silent = self.heartbeats.overdue()
        if silent:
            _log.error("not alive: %s", ", ".join(silent))
        return not silent and self.server.answers(ANSWER_S)

    def greeting(self) -> str:
        """The line that the terminal prints when the page can be opened."""
        return f"Dudo companion: http://localhost:{self.port}   camera: {self.camera.why}   Stop with Ctrl-C."

    def press(self, button: str, held: bool = False) -> None:
        """Press a button of the simulated box, TOGETHER or "real_dice"; raises BadCommand as
        `Presses.press`."""
        if button == REAL_DICE and self._may_choose_dice:
            self.real_dice.turn(self.table.snapshot().state.game)
            self.table.refresh()
        else:
            self.presses.press(button, held)

    @property
    def _may_choose_dice(self) -> bool:
        """Whether people choose between simulated dice and their own."""
        return self.real_dice.choice and self.fingers is not None and self.shows is None
