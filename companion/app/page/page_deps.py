"""What the page uses of a running box, gathered from its opened parts.

That is the table with what the box shows beside it, pictures, buttons, dice in phones, and the coach's
advice. To the club the broker is listened to only while the page is open.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from companion.addresses import own_addresses, reached_at
from companion.app.camera.camera_parts import BoxFacts, CameraParts
from companion.app.page.copies import Copies
from companion.app.page.outside import Metrics
from companion.app.reading.evidence_store import EvidenceStore
from companion.app.system.box_parts import Presses, lamp_view
from companion.app.system.health import Condition
from companion.app.system.wishes import PageSettings, Room, WifiJoining
from companion.app.table_parts import Runtime, TableParts
from companion.app.workshop.parts_trial import Lease
from companion.app.workshop.workshop import Workshop
from companion.bots.coach import Coaching, advise
from companion.bots.odds import Odds
from companion.bots.seat import SeatView
from companion.outside.club import Club, ClubLink, club_json
from companion.reveal.viewfinder import Viewed
from companion.rules.position import Game, Phase
from companion.settings import Mqtt, Settings
from companion.table.commands import Author, Command, NewGame
from companion.table.cups import KnownDice, known_dice
from companion.table.folder import FILE, AccessRecord
from companion.table.ledger import Note
from companion.table.snapshot import seat_words, state_word
from companion.table.table import Snapshot, Table
from companion.table.view import rounds_view, view
from companion.table.wire.game import RoundsJson
from companion.table.wire.state import BoxJson, ClubJson, ClubNow, OutletHealthJson, StateJson
from hardware.lamps.patterns import status_signal
from web.deps import Demonstrated, WebDeps, WebSettings


@dataclass(frozen=True, slots=True)
class PagePictures:
    """Pictures kept, of the box's camera and of phones, for the page."""

    store: EvidenceStore
    camera: CameraParts

    def kept(self, picture_id: str) -> bytes | None:
        return self.store.picture(picture_id)

    def preview(self) -> bytes | None:
        return None if self.camera.cup_reader.is_secret else self.camera.preview.jpeg()

    def take(self, data: bytes, name: str, reveal: int, place: str | None = None) -> str:
        return self.camera.phone_pictures.take(data, name, reveal, place)

    def lay(self, data: bytes) -> None:
        self.camera.phone_pictures.lay(data)

    def view(self, data: bytes, name: str, reveal: int, place: str | None) -> Viewed | None:
        return self.camera.viewfinder.read(data, name, reveal, place)


@dataclass(frozen=True, slots=True)
class PageBox:
    """Buttons, real or simulated, for the page."""

    presses: Presses
    press: Callable[[str, bool], None]
    read_cup: Callable[[str], None]

    @property
    def gestures(self) -> int:
        return self.presses.gestures


@dataclass(frozen=True, slots=True)
class PageCups:
    """Dice rolled in phones, for the page."""

    table: Table

    def known(self, seat: str, phone: str) -> KnownDice:
        now = self.table.snapshot()
        return known_dice(now.state, now.ledger, seat, phone)

    def odds(self, seat: str | None, phone: str, typed: tuple[int, ...]) -> Coaching | None:
        return coaching(self.table.snapshot(), seat, phone, typed)


def page_deps(
    runtime: Runtime,
    table_parts: TableParts,
    camera_parts: CameraParts,
    *,
    page_settings: PageSettings | None,
    room: Room | None,
    workshop: Workshop,
    presses: Presses,
    press: Callable[[str, bool], None],
    outlets: Callable[[], dict[str, OutletHealthJson]],
    club: Callable[[], ClubNow] | None,
    https: bool,
    demonstrate: Callable[[], int] | None,
    demonstration: Demonstrated | None,
) -> WebDeps:
    """Everything the page uses of this box. `press` presses a button of the simulated box, `outlets` is the
    health of programs outside. In a `demonstration` the page changes nothing of the box and opens no other.
    """
    table, kept, settings = table_parts.table, table_parts.kept, runtime.settings
    condition = Condition(
        kept.journal, table, runtime.heartbeats, camera_parts.camera, camera_parts.capture, outlets
    )
    joining = WifiJoining()
    return WebDeps(
        table=PageTable(table, kept.groups.remember, camera_parts.kind.facts),
        settings=_settings(settings, kept.secret, https),
        groups=kept.groups,
        access=AccessRecord(runtime.files.file(FILE)),
        pictures=PagePictures(table_parts.store, camera_parts),
        box=PageBox(presses, press, camera_parts.cup_reader.read),
        cups=PageCups(table),
        archive=kept.archive,
        forget_game=kept.forgetting(table).forget,
        health=condition.now,
        metrics=Metrics(condition.now, table, settings).text if settings.web.metrics else None,
        club=club,
        now_s=runtime.clock.now_s,
        turn_left_s=table_parts.turns.left_s,
        workshop=workshop,
        page_settings=page_settings,
        room=room,
        copies=Copies(kept.journal, kept.archive) if demonstration is None else None,
        wifi_joining=joining if joining.can and demonstration is None else None,
        demonstrate=demonstrate,
        demonstration=demonstration,
    )


def _settings(settings: Settings, secret: str, https: bool) -> WebSettings:
    web, table = settings.web, settings.table
    return WebSettings(
        port=web.port,
        https=https,
        addresses=lambda: reached_at(web.host, own_addresses()),
        secret=secret,
        language=table.language,
        preset=table.preset,
        hosts=tuple(web.hosts.replace(",", " ").split()),
        local_leads=web.local_leads,
        open_scoreboard=web.open_scoreboard,
        wifi=web.network,
    )


def coaching(now: Snapshot, seat: str | None, phone: str, typed: tuple[int, ...]) -> Coaching | None:
    """The odds of the round for the phone of that id in the seat `seat`, and advice once a whole hand is
    known and bids are awaited. None before and after the round, and while lost dice are hidden, of which they
    would tell. Without a seat the player on turn is advised."""
    game = now.state.game
    if game is None or game.phase not in (Phase.BIDDING, Phase.REVEAL) or game.shown is not game:
        return None
    known = known_dice(now.state, now.ledger, seat, phone).hands
    view = SeatView(game, _advised(game, seat), known)
    if not known and typed:
        view = SeatView(game, view.seat, ((view.seat, typed[: game.player(view.seat).dice]),))
    whole = bool(view.hands) and all(len(hand) == game.player(name).dice for name, hand in view.hands)
    advised = whole and game.phase is Phase.BIDDING
    # The draws go by what the seat knows alone, so that the same hand gets the same advice.
    return Coaching(Odds(view), advise(view, Random(repr(view))) if advised else None)


def _advised(game: Game, seat: str | None) -> str:
    inside = [player.name for player in game.inside]
    turn = game.round.turn if game.round.turn in inside else inside[0]
    return seat if seat in inside else turn


@dataclass(frozen=True, slots=True)
class PageView:
    """One numbered snapshot as a page reads it: the table, and the box beside it."""

    data: StateJson
    table: Snapshot

    @property
    def version(self) -> int:
        return self.table.version

    def rounds(self) -> RoundsJson:
        return rounds_view(self.table)


class PageTable:
    """The table as the page sees it: snapshots as data, with what the box shows beside them."""

    def __init__(
        self, table: Table, remember: Callable[[NewGame], None], facts: Callable[[], BoxFacts]
    ) -> None:
        """`remember` gets the players of a new game; `facts` gives the state of the box at this moment."""
        self._table, self._remember, self._facts = table, remember, facts
        self._lock = threading.Lock()
        self._shown: PageView | None = None

    def snapshot(self) -> PageView:
        """The table now."""
        return self._with_box(self._table.snapshot())

    def wait(self, after: int, timeout_s: float, ended: Callable[[], bool] = lambda: False) -> PageView:
        """The table once its version is above `after`, the time has passed, or the wait has ended."""
        return self._with_box(self._table.wait(after, timeout_s, ended))

    def wake(self) -> None:
        """Have everybody who waits ask whether the wait has ended."""
        self._table.wake()

    def do(self, command: Command, based_on: int | None, author: Author) -> PageView:
        """Carry out the command of `author` and remember who begins to play; raises what the table raises."""
        shown = self._with_box(self._table.do(command, based_on, author))
        if isinstance(command, NewGame):
            self._remember(command)
        return shown

    def seat(self, player: str, phone: str, freed: Note | None = None) -> None:
        """Note which phone sits in a seat, and who freed it."""
        self._table.seat(player, phone, freed)

    def refresh(self) -> None:
        """Wake every phone, because something beside the table has changed."""
        self._table.refresh()

    def _with_box(self, snapshot: Snapshot) -> PageView:
        """The snapshot as data, made once for all phones that listen: fifty of them wake at once."""
        known = self._shown
        if known and known.version == snapshot.version:
            return known
        with self._lock:
            known = self._shown
            if known and known.version == snapshot.version:
                return known
            shown = PageView({**view(snapshot), "box": self._box(snapshot)}, snapshot)
            if known is None or shown.version > known.version:
                self._shown = shown
            return shown

    def _box(self, snapshot: Snapshot) -> BoxJson:
        """The state of the box, which the page shows beside the table."""
        lamps, facts = lamp_view(snapshot), self._facts()
        light = status_signal(lamps.state, lamps.fault)
        return {
            "simulated": facts.simulated,
            "state": state_word(snapshot),
            "rgb": [round(255 * level) for level in light.rgb],
            "colour": light.colour,
            "rhythm": light.pattern.words,
            "seats": list(seat_words(snapshot.state)),
            "camera": facts.camera,
            "buttons": list(facts.buttons),
            "extras": [],
            "all_simulated": facts.all_simulated,
            "demo": facts.demo,
            "pictures": facts.pictures,
            "real_dice": facts.real_dice,
        }


AWAY_S = 60.0
"""A page asks every second or two; the broker is left once no page has asked for so long."""


class ClubPage:
    """What the broker's tables say of themselves. For any thread; `now` never waits for the network."""

    def __init__(self, broker: Mqtt) -> None:
        self._broker = broker
        self._lock = threading.Lock()
        self._link: ClubLink | None = None
        self._opened, self._drawn = 0, (-1, -1)
        self._club: ClubJson = club_json(Club())
        self._lease = Lease(AWAY_S, self._leave)

    @property
    def listens(self) -> bool:
        """Whether the broker is listened to."""
        return self._link is not None

    def now(self) -> ClubNow:
        """The club at this moment; the first call begins to listen, and knows nothing yet."""
        with self._lock:
            link = self._link
            if link is None:
                self._opened += 1
                link = self._link = ClubLink(self._broker)
            self._lease.renew()
            fault, connected, version = link.fault, link.connected, link.version
            if self._drawn != (self._opened, version):
                self._club, self._drawn = club_json(link.club), (self._opened, version)
        reason = fault.reason if fault else ""
        return ClubNow(f"{self._opened}-{version}-{connected:d}-{reason}", connected, reason, self._club)

    def close(self) -> None:
        """Leave the broker; may be called twice."""
        self._lease.close()

    def _leave(self) -> None:
        with self._lock:
            link, self._link = self._link, None
        if link is not None:
            link.close()
