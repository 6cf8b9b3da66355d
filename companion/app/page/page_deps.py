"""What the page uses of a running box, gathered from its opened parts; the coach's advice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from companion.app.camera.camera_parts import CameraParts
from companion.app.page.outside import Metrics
from companion.app.page.page_table import PageTable
from companion.app.page.presses import Presses
from companion.app.reading.evidence_store import EvidenceStore
from companion.app.runtime import Runtime
from companion.app.system.condition import Condition
from companion.app.system.wifi_joining import WifiJoining
from companion.app.table_parts import TableParts
from companion.app.workshop.workshop import Workshop
from companion.bots.coach import Coaching, advise
from companion.bots.odds import Odds
from companion.bots.seat import SeatView
from companion.club_json import ClubNow
from companion.health_json import OutletHealthJson
from companion.reveal.viewfinder import Viewed
from companion.rules.position import Game, Phase
from companion.settings import Settings
from companion.table.access_record import FILE, AccessRecord
from companion.table.cups import KnownDice, known_dice
from companion.table.snapshot import Snapshot
from companion.table.table import Table
from web.deps import Demonstrated, WebDeps, WebSettings


@dataclass(frozen=True, slots=True)
class PageParts:
    """What the page uses besides table and camera.

    `press` presses the simulated box's button. `outlets` is the health of programs outside. `demonstrate`
    opens a demonstration; None in one. `demonstration` is there in one alone.
    """

    workshop: Workshop
    presses: Presses
    press: Callable[[str, bool], None]
    outlets: Callable[[], dict[str, OutletHealthJson]]
    club: Callable[[], ClubNow] | None
    https: bool
    demonstrate: Callable[[], int] | None
    demonstration: Demonstrated | None


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
    runtime: Runtime, table_parts: TableParts, camera_parts: CameraParts, parts: PageParts
) -> WebDeps:
    """Everything the page uses of this box."""
    table, kept, settings = table_parts.table, table_parts.kept, runtime.settings
    condition = Condition(
        kept.journal, table, runtime.heartbeats, camera_parts.camera, camera_parts.capture, parts.outlets
    )
    joining = WifiJoining()
    return WebDeps(
        table=PageTable(table, kept.groups.remember, camera_parts.kind.facts),
        settings=_settings(settings, kept.secret, parts.https),
        groups=kept.groups,
        access=AccessRecord(runtime.files.file(FILE)),
        pictures=PagePictures(table_parts.store, camera_parts),
        box=PageBox(parts.presses, parts.press, camera_parts.cup_reader.read),
        cups=PageCups(table),
        archive=kept.archive,
        forget_game=kept.forgetting(table).forget,
        health=condition.now,
        metrics=Metrics(condition.now, table, settings).text if settings.web.metrics else None,
        club=parts.club,
        now_s=runtime.clock.now_s,
        turn_left_s=table_parts.turns.left_s,
        workshop=parts.workshop,
        wifi_joining=joining if joining.can and parts.demonstration is None else None,
        demonstrate=parts.demonstrate,
        demonstration=parts.demonstration,
    )


def _settings(settings: Settings, secret: str, https: bool) -> WebSettings:
    web, table = settings.web, settings.table
    return WebSettings(
        port=web.port,
        https=https,
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
    known and bids are awaited; None before and after the round. Without a seat the player on turn is
    advised."""
    game = now.state.game
    if game is None or game.phase not in (Phase.BIDDING, Phase.REVEAL):
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
