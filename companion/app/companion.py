"""The running box: every room put together around one table."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import replace
from ssl import SSLContext

from companion.addresses import link_to, own_addresses, reached_at
from companion.app.camera.camera_parts import CameraParts
from companion.app.demonstration import DemonstrationTable, Shows
from companion.app.outside import Outside, metrics
from companion.app.reading.reader_process import ReaderProcess
from companion.app.system.box_parts import BoxParts, Presses, Signals, fitting
from companion.app.system.health import FaultReporter, Health, HeartbeatMonitor, part_faults
from companion.app.system.https import FILE as CERTIFICATE
from companion.app.system.https import Https, names_of
from companion.app.table_parts import Runtime, TableParts
from companion.app.workshop.workshop import Workshop
from companion.demo.players import Demo
from companion.errors import BadCommand, Explained, NoHttps, PortBusy, StorageError
from companion.outside.club import ClubPage
from companion.settings import Settings, Web
from companion.settings_file import PAGE_FILE
from companion.storage.game_list import Loss
from companion.storage.side_files import SideFiles
from companion.table.folder import FILE as ACCESS
from companion.table.folder import AccessRecord
from companion.table.snapshot import Fault
from companion.threads import QUICK_S, Ending, Heartbeats
from companion.upkeep import PageSettings, Room, SwitchOff, WifiJoining
from hardware.clock import SystemClock
from hardware.ports import Clock
from web.api import games, pictures, setup
from web.api import table as table_api
from web.app import create_app
from web.deps import Demonstrated, Pictures, Routes, WebDeps
from web.game_copies import Copies
from web.page_table import PageTable
from web.pages import club, copies, demonstration, frame, settings_form, statistics, wifi, workshop
from web.server import PageServer, open_server
from web.sessions.phones import Phones

__all__ = ["Companion", "Shows"]

_log = logging.getLogger(__name__)

PUT_BACK = "put_back"
"""Left in the data folder by `.setup/pi/watch`: the version that did not start."""

RESTART_S = 1.0
"""So long a phone has to get the page that says the box restarts."""

ANSWER_S = 5.0
"""So long a thread of the page may take to come to a question."""


class Companion:
    """One box at work: use it as a context manager, `serve` answers phones until it is closed."""

    def __init__(
        self,
        settings: Settings,
        *,
        clock: Clock | None = None,
        reader: ReaderProcess | None = None,
        shows: Shows | None = None,
    ) -> None:
        """Open everything; raises CompanionError or a HardwareError, and then nothing stays open. `reader` is
        that of another, or a `companion.app.reading.reader.Reader`, and ends with its owner; else one in a
        process of its own is taken. With `shows` this is a demonstration: simulated players play, and people
        watch."""
        settings = fitting(settings)
        self.settings, self.clock, self.shows = settings, clock or SystemClock(), shows
        self.visited_s = self.clock.now_s()
        self.restarts = False
        self.heartbeats = Heartbeats()
        self._ending = ending = Ending()
        with ExitStack() as opening:
            opening.callback(ending.close)
            self.reader = reader or ReaderProcess(self.clock)
            if reader is None:
                ending.add(self.reader)
            runtime = Runtime(settings, self.clock, self.heartbeats, ending, SideFiles(settings.data_folder))
            self._open_parts(runtime, self.reader)
            self._open_controls(runtime)
            self._open_outside(ending)
            self._open_page(runtime)
            self._say_set_aside(runtime)
            if shows:
                self._play(shows, runtime)
            opening.pop_all()

    def _play(self, shows: Shows, runtime: Runtime) -> None:
        """Let simulated players play; raises BadCommand where anything is real."""
        if not self.camera_parts.kind.all_simulated:
            raise BadCommand("demo_needs_simulation")
        players = Demo(self.table, self.press, self.camera_parts.scene.lying, pace=shows.pace)
        runtime.every("players", players.turn)

    def _say_set_aside(self, runtime: Runtime) -> None:
        """What could not be read: until somebody has read of it, and of settings until they are mended."""
        losses = [Loss(file=file, cause=cause) for file, cause in runtime.files.aside.items()]
        with suppress(StorageError):  # the journal's own trouble is graver
            if losses:
                self.kept.journal.put_notes({}, *losses)
        self.table.report_losses()
        if version := runtime.files.file(PUT_BACK).read(lambda content: content.decode()[:20].strip(), ""):
            self.table.report("update", Fault("put_back", (("version", version),)))
        self._page_settings.set_aside(self.settings.faults)

    def _say_settings(self, aside: str) -> None:
        self.table.report("settings", Fault("settings_set_aside", (("faults", aside),)) if aside else None)

    def __enter__(self) -> Companion:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def stop(self) -> None:
        """Ask every part to stop, and wait for none; may be called twice."""
        self._ending.stop()

    def close(self) -> None:
        """Have every part stop at once, then give everything back, last opened first; may be called twice."""
        self._ending.close()

    def restart(self) -> None:
        """Stop in a moment, and have whoever serves the box open it anew: see `restarts`."""
        self.restarts = True
        _log.warning("the page has the box restart")
        later = threading.Timer(RESTART_S, self.stop)
        later.daemon = True
        later.start()

    def _open_parts(self, runtime: Runtime, reader: ReaderProcess) -> None:
        """The table, the parts on pins, the camera, and what watches over them."""
        demonstration = self.shows is not None
        self._table_parts = parts = TableParts(runtime)
        self.table, self.kept, self.store, self.frames = parts.table, parts.kept, parts.store, parts.frames
        self.parts = BoxParts(runtime)
        self.signals = Signals(self.parts.lights)
        runtime.follow(self.table, "lamps", self.signals.show)
        self.camera_parts = CameraParts(runtime, parts, self.parts, reader, demonstration=demonstration)
        self.camera, self.capture = self.camera_parts.camera, self.camera_parts.capture
        self._watch(runtime)

    def _watch(self, runtime: Runtime) -> None:
        """Report faults of parts and threads that are silent to the table."""
        kept, parts = self.kept, self.parts.faults

        def faults() -> list[Explained]:
            return part_faults(kept.journal, kept.reserve, self.capture, self.camera, parts)

        runtime.every("faults", FaultReporter(self.table, faults).turn)
        runtime.every("heartbeats", HeartbeatMonitor(self.table, self.heartbeats).turn)

    def _open_controls(self, runtime: Runtime) -> None:
        """What presses reach: the game, the workshop, the switch-off."""
        switch_off = SwitchOff({}) if self.shows else SwitchOff()
        self.workshop = Workshop(runtime, self._table_parts, self.parts, self.camera_parts, switch_off)
        self.presses = Presses(self.table, self.parts, self.workshop.trial.heard, switch_off)
        self.parts.buttons.listen(self.presses.heard)

    def _open_outside(self, ending: Ending) -> None:
        """A demonstration publishes nothing."""
        self.outside: Outside | None = None
        self.club: ClubPage | None = None
        if self.shows is None:
            self.outside = Outside(self.settings, self.table, self.kept.archive, self.kept.secret)
            ending.add(self.outside)
            if self.settings.mqtt.host:
                self.club = ClubPage(self.settings.mqtt)
                ending.on_close(self.club.close)

    def _visit(self) -> None:
        self.visited_s = self.clock.now_s()

    def _shown(self, settings: Settings) -> Companion:
        """The companion of a demonstration beside this one; it has pictures read by the same reader."""
        return Companion(
            settings, clock=self.clock, reader=self.reader, shows=Shows(self.port, https=self.https)
        )

    def _open_page(self, runtime: Runtime) -> None:
        """The page, and the demonstration that it opens; in one, the page changes nothing of the box."""
        ending, shows = runtime.ending, self.shows
        self.https = shows.https if shows else self._open_https(runtime)
        file = runtime.files.file(PAGE_FILE)
        self._page_settings = PageSettings(file, self.settings, self.restart, fitting, say=self._say_settings)
        self.server = self._served(self._page_deps(runtime), self.https.context if self.https else None)
        ending.add(self.server)
        self.demonstration_table = shown = DemonstrationTable(
            self._shown, self.settings, self.table.snapshot, self.clock.now_s
        )
        ending.add(shown)
        runtime.every("demonstration", shown.turn)

    def _page_deps(self, runtime: Runtime) -> WebDeps:
        """Everything the page uses of this box."""
        kept, shows, web = self.kept, self.shows, replace(self.settings.web, https=self.https is not None)
        known = Phones(
            PageTable(self.table, kept.groups.remember, self.camera_parts.kind.shown),
            AccessRecord(runtime.files.file(ACCESS)),
            lambda: self.presses.gestures,
            self.clock.now_s,
            kept.secret,
            local_leads=web.local_leads,
            demonstration=shows is not None,
        )
        return WebDeps(
            settings=replace(self.settings, web=web),
            phones=known,
            addresses=lambda: reached_at(web.host, own_addresses()),
            now_s=self.clock.now_s,
            demonstration=Demonstrated(shows.home, self._visit) if shows else None,
            parts=(*self._page_parts(known), *(() if shows else self._box_parts(known))),
        )

    def _page_parts(self, known: Phones) -> Iterator[Routes]:
        """What every page has, with what this box gives it."""
        kept, camera, web = self.kept, self.camera_parts, self.settings.web
        outlets = self.outside.health if self.outside else dict
        health = Health(kept.journal, self.table, self.heartbeats, self.camera, self.capture, outlets).now
        measured = (lambda: metrics(health(), self.table, self.settings)) if web.metrics else None
        shown = self._pictures()
        yield table_api.blueprint(self.press, camera.cup_reader.read, known)
        yield table_api.readings(health, measured, self._table_parts.turns.left_s)
        yield setup.blueprint(kept.groups, known)
        yield frame.blueprint(kept.archive, known)
        yield pictures.blueprint(shown, known, self.clock.now_s)
        yield statistics.blueprint(kept.archive, shown, known)
        yield games.blueprint(kept.archive, kept.forgetting(self.table).forget, known)
        yield club.blueprint(self.club.now if self.club else None)
        yield workshop.blueprint(self.workshop, known)

    def _box_parts(self, known: Phones) -> Iterator[Routes]:
        """What a demonstration has not: it changes nothing of the box and opens no other."""
        kept, joining = self.kept, WifiJoining()
        yield demonstration.blueprint(lambda: self.demonstration_table.open())
        yield copies.blueprint(Copies(kept.journal, kept.archive), known)
        yield settings_form.blueprint(self._page_settings, self._room(), known)
        if joining.can:
            yield wifi.blueprint(joining, known, self.settings.web.port)

    def _pictures(self) -> Pictures:
        camera = self.camera_parts
        phones = camera.phone_pictures
        return Pictures(
            kept=self.store.picture,
            preview=lambda: None if camera.cup_reader.is_secret else camera.preview.jpeg(),
            take=phones.take,
            lay=phones.lay,
            view=phones.preview,
        )

    def _room(self) -> Room:
        kept = self.kept
        return Room(kept.folder, kept.evidence, kept.reserve, lambda: self.table.snapshot().game_id)

    def _served(self, deps: WebDeps, tls: SSLContext | None) -> PageServer:
        """The page at the address of the settings, on every network where the machine has no such address;
        raises PortBusy where the port is taken, the one thing that ends a start."""
        app, web = create_app(deps), self.settings.web
        for host, port in ((web.host, web.port), (Web().host, web.port)):
            try:
                return open_server(app, host, port, tls=tls)
            except PortBusy as error:
                if error.reason == "port_busy":
                    raise
                fault = f"[web] host, port: {error}"
                self.settings = replace(self.settings, faults=(*self.settings.faults, fault))
        return open_server(app, Web().host, Web().port, tls=tls)

    def _open_https(self, runtime: Runtime) -> Https | None:
        """What serves the page over https, where that is wanted and can be."""
        if not self.settings.web.https:
            return None
        try:
            opened = Https(runtime.files.file(CERTIFICATE), lambda: names_of(self.settings))
        except NoHttps as error:
            _log.warning("the page is served by http: %s", error)
            values = tuple((key, str(value)) for key, value in error.values.items())
            self.table.report("https", Fault(error.reason, values))
            return None
        runtime.every("certificate", opened.turn)
        return opened

    @property
    def port(self) -> int:
        """Where the page really is; the settings may leave the choice to the system with 0."""
        return int(self.server.port)

    @property
    def link(self) -> str:
        """By which a browser of this machine opens the page."""
        return link_to("localhost", self.port, https=self.https is not None)

    def serve(self) -> None:
        """Answer phones until `close`."""
        beats = [self.heartbeats.expect(name, QUICK_S) for name in ("page", "waiting")]
        self.server.run(*beats)
        for name in ("page", "waiting"):
            self.heartbeats.forget(name)

    def alive(self) -> bool:
        """Whether every thread does its work, and the page's answer: the parts themselves are asked."""
        silent = self.heartbeats.overdue()
        if silent:
            _log.error("not alive: %s", ", ".join(silent))
        return not silent and self.server.answers(ANSWER_S)

    def greeting(self) -> str:
        """The line that the terminal prints when the page can be opened."""
        return f"Dudo companion: {self.link}   camera: {self.camera.why}   Stop with Ctrl-C."

    def press(self, button: str, held: bool = False) -> None:
        """Press a button of the simulated box, or two for TOGETHER; raises BadCommand as `Presses.press`."""
        self.presses.press(button, held)
