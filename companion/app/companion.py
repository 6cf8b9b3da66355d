"""The running box: every room put together around one table."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import ExitStack
from types import TracebackType
from typing import cast

from companion.app.advice import coaching
from companion.app.bot_players import BotPlayers
from companion.app.box_kind import BoxKind
from companion.app.box_parts import BoxParts
from companion.app.capture import Capture, CaptureParts
from companion.app.club_page import ClubPage
from companion.app.colouring import Colouring
from companion.app.condition import Condition
from companion.app.cup_reader import CupParts, CupReader
from companion.app.demonstration import Borrowed, Demonstration, Shows
from companion.app.demonstration_table import DemonstrationTable
from companion.app.evidence_store import EvidenceStore
from companion.app.health import Health, Minder
from companion.app.https import Https, open_https
from companion.app.keeper import Keeper
from companion.app.kept_data import KeptData
from companion.app.key_teaching import KeyTeaching
from companion.app.lamps import Signals
from companion.app.lessons import FILE as LESSONS
from companion.app.lessons import Lessons
from companion.app.log import EventLog
from companion.app.metrics import Metrics
from companion.app.outside import Outside, broker_of
from companion.app.page_table import PageTable
from companion.app.part_faults import PartFaults
from companion.app.phone_pictures import PhonePictures, PicturePorts
from companion.app.pictures import Preview
from companion.app.presses import Presses
from companion.app.reader_process import ReaderProcess
from companion.app.readings import PictureReader
from companion.app.real_dice import FILE as REAL_DICE
from companion.app.real_dice import RealDice
from companion.app.scene import SimulatedScene
from companion.app.switch_off import SwitchOff
from companion.app.teaching import Teaching
from companion.app.turn_timer import TurnTimer
from companion.app.viewfinder import Viewfinder
from companion.app.wifi_joining import WifiJoining
from companion.app.workshop import Workshop, WorkshopParts
from companion.ending import Ending
from companion.health_json import OutletHealthJson
from companion.heartbeats import QUICK_S, SLOW_S, Heartbeats
from companion.loop import Loop
from companion.settings import Settings
from companion.table.access_record import AccessRecord
from companion.table.cups import KnownDice, known_dice
from companion.table.parsing import parse
from companion.table.subscriber import Subscriber
from companion.table.table import Snapshot, Table
from hardware.buttons.keys import FILE as KEYS
from hardware.calibration import calibrator
from hardware.cameras.choose import open_camera
from hardware.cameras.simulated import SimulatedCamera
from hardware.clock import SystemClock
from hardware.ports import Clock
from web.app import create_app
from web.deps import Demonstrated, WebDeps
from web.server import open_server

__all__ = ["Companion", "Shows"]

_log = logging.getLogger(__name__)

ANSWER_S = 5.0
"""So long a thread of the page may take to come to a question."""

KEEPER_S = 600.0
"""So long the thread that keeps the journal may be silent: it copies a large one to a slow card."""


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
        self._ending = ending = Ending()
        with ExitStack() as opening:
            opening.callback(ending.close)
            self._open_table(ending)
            self._open_box(ending)
            self._open_camera(ending)
            self._open_outside(ending)
            self._open_page(ending)
            ending.add(self.demonstration)
            if shows:
                self.demonstration.start(shows.pace)
            opening.pop_all()

    def __enter__(self) -> Companion:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def stop(self) -> None:
        """Ask every part to stop, and wait for none; may be called twice."""
        self._ending.stop()

    def close(self) -> None:
        """Have every part stop at once, then give everything back, last opened first; may be called twice."""
        self._ending.close()

    def _open_table(self, ending: Ending) -> None:
        settings = self.settings
        self.kept = KeptData(settings)
        ending.on_close(self.kept.close)
        self.frames = 1 if settings.camera.use.startswith("folder") else 2  # a folder shows another each time
        each, bound = settings.camera.looks == "each", settings.table.doubt
        journal, archive = self.kept.journal, self.kept.archive
        self.table = Table(journal, each=each, frames=self.frames, bound=bound, now_s=self.clock.now_s)
        self._follow(ending, "log", EventLog().follow)
        keep = settings.data.keep_examples
        self.store = EvidenceStore(self.table, self.kept.evidence, settings.data_folder, keep_examples=keep)
        self._follow(ending, "evidence", self.store.follow)
        self.turns = TurnTimer(self.table, self.clock.now_s, self.heartbeats.expect("turn clock", QUICK_S))
        ending.add(self.turns)
        keeper = Keeper(self.table, journal, archive, self.heartbeats.expect("keeper", KEEPER_S))
        ending.add(keeper)
        beat = self.heartbeats.expect("bots", SLOW_S)
        ending.add(Loop("bots", BotPlayers(self.table, self.clock.now_s).turn, beat))

    def _follow(self, ending: Ending, name: str, on_change: Callable[[Snapshot], None]) -> None:
        """Have a thread of its own tell of every change of the table."""
        subscriber = Subscriber(name, self.table, on_change, self.heartbeats.expect(name, QUICK_S))
        ending.add(subscriber)

    def _open_box(self, ending: Ending) -> None:
        self.parts = BoxParts(self.settings, self.clock, self.heartbeats)
        ending.on_close(self.parts.close)
        self.signals = Signals(self.parts.lights, self.parts.sound)
        self._follow(ending, "lamps", self.signals.show)

    def _open_camera(self, ending: Ending) -> None:
        self.scene = SimulatedScene(self.table, self.frames, self.reader)
        self.calibration = calibrator.load(self.settings.data_folder / calibrator.FILE)
        options = calibrator.pi_options(self.calibration, mains_hz=self.settings.camera.flicker_hz)
        use = self.settings.camera.use
        self.camera = open_camera(use, clock=self.clock, draw=self.scene.draw, pi_options=options)
        ending.add(self.camera)
        _log.info("camera: %s", self.camera.why)
        simulated = isinstance(self.camera, SimulatedCamera)
        self.real_dice = RealDice(self.settings.data_folder / REAL_DICE, simulated=simulated)
        self.kind = BoxKind(
            self.camera, self.parts, self.real_dice, self.clock, demonstration=self.shows is not None
        )
        ending.add(self.reader)
        self.lessons = Lessons(self.settings.data_folder / LESSONS, self.reader)
        self.phone_pictures = PhonePictures(self._picture_ports())
        self.viewfinder = Viewfinder(self._picture_ports(), self.phone_pictures.turn, self.clock.now_s)
        self.capture = Capture(self._capture_parts(), self.calibration)
        ending.add(self.capture)  # before the reader's end, which is no fault then
        kept, parts = self.kept, self.parts.with_faults()
        self.faults = PartFaults(kept.folder, kept.journal, kept.reserve, self.capture, self.camera, parts)
        health = Health(self.table, self.faults.now, self.heartbeats.expect("health", SLOW_S))
        ending.add(health)
        minder = Minder(self.table, self.heartbeats, self.heartbeats.expect("minder", SLOW_S))
        ending.add(minder)
        self._preview = Preview(self.camera, self.heartbeats.expect("live view", SLOW_S))
        ending.add(self._preview)
        self.switch_off = SwitchOff({}) if self.shows else SwitchOff()
        self.cup_reader = CupReader(self.table, self._cup_parts())
        self.workshop = self._workshop()
        ending.on_close(self.workshop.close)
        names, fingers = tuple(self.parts.buttons.names), self.parts.fingers
        self.presses = Presses(self.table, names, fingers, self.workshop, self.switch_off)
        self.parts.buttons.listen(self.presses.heard)
        self.demonstration = Demonstration(self.table, self.press, self.scene.lying, self.kind.may_show)

    def _open_outside(self, ending: Ending) -> None:
        """A demonstration publishes nothing."""
        self.outside: Outside | None = None
        self.club: ClubPage | None = None
        if self.shows is None:
            self.outside = Outside(self.settings, self.table, self.kept.archive, self.kept.secret)
            ending.add(self.outside)
            if self.settings.mqtt.host:
                self.club = ClubPage(broker_of(self.settings), self.settings.mqtt.prefix)
                ending.on_close(self.club.close)

    def _demonstrated(self) -> Demonstrated | None:
        """Facts that the page of a demonstration shows."""
        return Demonstrated(self.shows.home, self._visit) if self.shows else None

    def _visit(self) -> None:
        self.visited_s = self.clock.now_s()

    def _shown(self, settings: Settings) -> Companion:
        """The companion of a demonstration beside this one; it has pictures read by the same reader."""
        return Companion(
            settings,
            clock=self.clock,
            reader=cast(PictureReader, Borrowed(self.reader)),
            shows=Shows(self.port, https=self.https),
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
            has_camera=lambda: not self.kind.by_phones,
        )

    def _picture_ports(self) -> PicturePorts:
        return PicturePorts(
            table=self.table,
            reader=self.reader,
            store=self.store,
            lessons=self.lessons,
            way=self.settings.camera.reader,
            real=lambda: self.real_dice.on,
            lay=self.kind.lay,
        )

    def _cup_parts(self) -> CupParts:
        return CupParts(
            picture=self.kind.taken,
            read=lambda image: self.reader.read(image, self.settings.camera.reader, self.lessons.taught),
            laid_out=self.scene.laid_out,
            light=self.parts.lights.ring,
            by_phones=lambda: self.kind.by_phones,
            agree=self.frames,
        )

    def _workshop(self) -> Workshop:
        """The workshop, with what its pages teach the box."""
        parts = WorkshopParts(
            camera=self.camera,
            lights=self.parts.lights,
            bench=self.parts.bench(self.camera),
            calibrator=calibrator.Calibrator(self.camera, self.reader.dice, self.calibration),
            path=self.settings.data_folder / calibrator.FILE,
            kept=self.calibration,
            simulated=self.parts.simulated,
            at_work=lambda: self.capture.at_work,
            know=self.capture.know,
            switch_off=self.switch_off,
            keys=KeyTeaching(self.parts.keys, self.settings.data_folder / KEYS),
        )
        way = self.settings.camera.reader
        teaching = Teaching(
            self.lessons,
            self.cup_reader.open_picture,
            lambda image: self.reader.read(image, way, self.lessons.taught),
            self.store.show,
        )
        colouring = Colouring(
            self.table,
            self.kind.taken,
            lambda image: self.reader.read(image, way),
            self.scene.laid_out,
        )
        return Workshop(parts, self._preview, teaching, colouring)

    def _open_page(self, ending: Ending) -> None:
        web = self.settings.web
        self.https = self.shows.https if self.shows else self._open_https(ending)
        tls = self.https.context if self.https else None
        self.server = open_server(create_app(self._page_deps()), web.host, web.port, tls=tls)
        ending.add(self.server)
        beat = self.heartbeats.expect("demonstration", SLOW_S)
        self.demonstration_table = DemonstrationTable(
            self._shown, self.settings, self.table.snapshot, self.clock.now_s, beat
        )
        ending.add(self.demonstration_table)

    def _open_https(self, ending: Ending) -> Https | None:
        if not self.settings.web.https:
            return None
        opened = open_https(self.settings, self.heartbeats.expect("certificate", SLOW_S))
        if opened is None:
            self.heartbeats.forget("certificate")
        else:
            ending.add(opened)
        return opened

    def _page_deps(self) -> WebDeps:
        """What the page uses of this box."""
        condition = Condition(
            self.kept.journal, self.table, self.heartbeats, self.camera, self.capture, self._outlet_health
        )
        metrics = Metrics(condition.now, self.table, self.settings)
        return WebDeps(
            table=PageTable(self.table, self.kept.groups.remember, self.kind.facts),
            parse=parse,
            groups=self.kept.groups,
            access=AccessRecord(self.settings.data_folder / "admission"),
            pictures=self.store.picture,
            preview=lambda: None if self.cup_reader.is_secret else self._preview.jpeg(),
            workshop=self.workshop,
            health=condition.now,
            club=self.club.now if self.club else None,
            metrics=metrics.text if self.settings.web.metrics else None,
            take_picture=self.phone_pictures.take,
            lay_picture=self.phone_pictures.lay,
            read_preview=self.viewfinder.read,
            read_cup=self.cup_reader.read,
            press=self.press,
            cup=self._cup,
            odds=lambda seat, phone, typed: coaching(self.table.snapshot(), seat, phone, typed),
            gestures=lambda: self.presses.gestures,
            archive=self.kept.archive,
            forget_game=self.kept.forgetting(self.table).forget,
            now_s=self.clock.now_s,
            turn_left_s=self.turns.left_s,
            secret=self.kept.secret,
            port=self.settings.web.port,
            https=self.https is not None,
            language=self.settings.table.language,
            preset=self.settings.table.preset,
            hosts=tuple(self.settings.web.hosts.replace(",", " ").split()),
            local_leads=self.settings.web.local_leads,
            open_scoreboard=self.settings.web.open_scoreboard,
            wifi=self.settings.web.network,
            wifi_joining=self._wifi_joining(),
            demonstrate=None if self.shows else lambda: self.demonstration_table.open(),
            demonstration=self._demonstrated(),
        )

    def _wifi_joining(self) -> WifiJoining | None:
        joining = WifiJoining()
        return joining if joining.can and self.shows is None else None

    def _outlet_health(self) -> dict[str, OutletHealthJson]:
        return self.outside.health() if self.outside else {}

    def _cup(self, seat: str, phone: str) -> KnownDice:
        """The dice that the phone in a seat may know of those rolled in phones."""
        now = self.table.snapshot()
        return known_dice(now.state, now.ledger, seat, phone)

    @property
    def port(self) -> int:
        """Where the page really is; the settings may leave the choice to the system with 0."""
        return int(self.server.port)

    @property
    def scheme(self) -> str:
        """How phones open the page."""
        return "http" if self.https is None else "https"

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
        if button == REAL_DICE and self.kind.may_choose_dice:
            self.real_dice.turn(self.table.snapshot().state.game)
            self.table.refresh()
        else:
            self.presses.press(button, held)
