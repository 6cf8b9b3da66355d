"""What the page uses of a running box, gathered from its opened parts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from companion.app.advice import coaching
from companion.app.camera_parts import CameraParts
from companion.app.condition import Condition
from companion.app.evidence_store import EvidenceStore
from companion.app.metrics import Metrics
from companion.app.page_table import PageTable
from companion.app.presses import Presses
from companion.app.runtime import Runtime
from companion.app.table_parts import TableParts
from companion.app.wifi_joining import WifiJoining
from companion.app.workshop import Workshop
from companion.club_json import ClubNow
from companion.health_json import OutletHealthJson
from companion.settings import Settings
from companion.table.access_record import FILE, AccessRecord
from companion.table.cups import KnownDice, known_dice
from companion.table.parsing import parse
from companion.table.table import Table
from web.deps import Demonstrated, WebDeps


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


def page_deps(
    runtime: Runtime, table_parts: TableParts, camera_parts: CameraParts, parts: PageParts
) -> WebDeps:
    """Everything the page uses of this box."""
    of_settings = _with_settings(_of_table(runtime, table_parts, camera_parts), runtime.settings)
    deps = _with_pictures(of_settings, table_parts.store, camera_parts)
    journal, table, settings = table_parts.kept.journal, table_parts.table, runtime.settings
    condition = Condition(
        journal, table, runtime.heartbeats, camera_parts.camera, camera_parts.capture, parts.outlets
    )
    metrics = Metrics(condition.now, table, settings)
    joining = WifiJoining()
    return replace(
        deps,
        workshop=parts.workshop,
        health=condition.now,
        metrics=metrics.text if settings.web.metrics else None,
        club=parts.club,
        press=parts.press,
        gestures=lambda: parts.presses.gestures,
        https=parts.https,
        wifi_joining=joining if joining.can and parts.demonstration is None else None,
        demonstrate=parts.demonstrate,
        demonstration=parts.demonstration,
    )


def _of_table(runtime: Runtime, table_parts: TableParts, camera_parts: CameraParts) -> WebDeps:
    table, kept = table_parts.table, table_parts.kept
    return WebDeps(
        table=PageTable(table, kept.groups.remember, camera_parts.kind.facts),
        parse=parse,
        groups=kept.groups,
        access=AccessRecord(runtime.settings.data_folder / FILE),
        cup=lambda seat, phone: _known(table, seat, phone),
        odds=lambda seat, phone, typed: coaching(table.snapshot(), seat, phone, typed),
        archive=kept.archive,
        forget_game=kept.forgetting(table).forget,
        now_s=runtime.clock.now_s,
        turn_left_s=table_parts.turns.left_s,
        secret=kept.secret,
    )


def _with_pictures(deps: WebDeps, store: EvidenceStore, camera_parts: CameraParts) -> WebDeps:
    return replace(
        deps,
        pictures=store.picture,
        preview=lambda: None if camera_parts.cup_reader.is_secret else camera_parts.preview.jpeg(),
        take_picture=camera_parts.phone_pictures.take,
        lay_picture=camera_parts.phone_pictures.lay,
        read_preview=camera_parts.viewfinder.read,
        read_cup=camera_parts.cup_reader.read,
    )


def _with_settings(deps: WebDeps, settings: Settings) -> WebDeps:
    web, table = settings.web, settings.table
    return replace(
        deps,
        port=web.port,
        language=table.language,
        preset=table.preset,
        hosts=tuple(web.hosts.replace(",", " ").split()),
        local_leads=web.local_leads,
        open_scoreboard=web.open_scoreboard,
        wifi=web.network,
    )


def _known(table: Table, seat: str, phone: str) -> KnownDice:
    """The dice that the phone in a seat may know of those rolled in phones."""
    now = table.snapshot()
    return known_dice(now.state, now.ledger, seat, phone)
