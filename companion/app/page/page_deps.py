"""What the page uses of a running box, gathered from its opened parts.

That is the table with what the box shows beside it, pictures, buttons, dice in phones, and the coach's
advice. To the club the broker is listened to only while the page is open.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from companion.addresses import own_addresses, reached_at
from companion.app.camera.camera_parts import CameraParts
from companion.app.page.outside import Metrics
from companion.app.reading.evidence_store import EvidenceStore
from companion.app.system.box_parts import Presses
from companion.app.system.health import Condition
from companion.app.system.wishes import PageSettings, Room, WifiJoining
from companion.app.table_parts import Runtime, TableParts
from companion.app.workshop.parts_trial import Lease
from companion.app.workshop.workshop import Workshop
from companion.outside.club import Club, ClubLink, club_json
from companion.settings import Mqtt, Settings
from companion.table.folder import FILE, AccessRecord
from companion.table.wire.state import ClubJson, ClubNow, OutletHealthJson
from web.deps import Demonstrated, Pictures, WebDeps, WebSettings
from web.game_copies import Copies
from web.page_table import PageTable


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
        table=PageTable(table, kept.groups.remember, camera_parts.kind.shown),
        settings=_settings(settings, kept.secret, https),
        groups=kept.groups,
        access=AccessRecord(runtime.files.file(FILE)),
        pictures=_pictures(table_parts.store, camera_parts),
        gestures=lambda: presses.gestures,
        press=press,
        read_cup=camera_parts.cup_reader.read,
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


def _pictures(store: EvidenceStore, camera: CameraParts) -> Pictures:
    """Pictures kept, of the box's camera and of phones."""
    phones = camera.phone_pictures
    return Pictures(
        kept=store.picture,
        preview=lambda: None if camera.cup_reader.is_secret else camera.preview.jpeg(),
        take=phones.take,
        lay=phones.lay,
        view=phones.preview,
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
