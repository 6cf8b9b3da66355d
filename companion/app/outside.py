"""Tells programs outside the box of the table, where the settings name any: by MQTT and by a webhook.

Its metrics are given as text.
"""

from __future__ import annotations

import logging
import platform
from importlib.metadata import version

from companion.app.table_parts import Subscriber
from companion.outside.connection import MqttLink
from companion.outside.outline import outline, text
from companion.outside.reporter import Reporter
from companion.outside.topics import Topics, discovery, topics
from companion.outside.webhook import Webhook
from companion.settings import Settings
from companion.statistics.archive import Archive
from companion.table.table import Table
from companion.table.view import view
from companion.table.wire.state import HealthJson, OutletHealthJson
from companion.threads import Ending, Heartbeats

_log = logging.getLogger(__name__)

Outlet = MqttLink | Webhook

SILENT_S = 120.0
"""So long a thread may be silent that talks to a broker: names are asked for, and TLS may be slow."""


def table_name(settings: Settings) -> str:
    """The name under which others know this table."""
    return " ".join(settings.mqtt.table.split())[:60] or platform.node() or "dudo"


class Outside:
    """Everything that leaves the box by itself. Off where the settings name neither broker nor webhook.

    Its threads have heartbeats of their own: the health page reports one that hangs, and is no reason to
    start the box anew.
    """

    def __init__(self, settings: Settings, table: Table, archive: Archive, secret: str) -> None:
        self._heartbeats, self._ending = Heartbeats(), Ending()
        named = table_name(settings)
        wanted = topics(settings.mqtt.prefix, named, secret)
        self._outlets = self._open(settings, wanted, named)
        if self._outlets:
            beat, language = self._heartbeats.expect("reporter", SILENT_S), settings.table.language
            puts = [outlet.put for outlet in self._outlets]
            reporter = Reporter(puts, archive, wanted, named, language)
            self._ending.add(Subscriber("reporter", table, reporter.report, beat, reporter.report_evening))

    def _open(self, settings: Settings, wanted: Topics, named: str) -> tuple[Outlet, ...]:
        outlets: list[Outlet] = []
        prefix, language = settings.mqtt.discovery, settings.table.language
        greetings = discovery(wanted, named, prefix, language, version("dudo-companion")) if prefix else ()
        if settings.mqtt.host:
            beat = self._heartbeats.expect("mqtt", SILENT_S)
            outlets.append(MqttLink(settings.mqtt, wanted, greetings, beat))
        if settings.webhook.url:
            beat = self._heartbeats.expect("webhook", SILENT_S)
            outlets.append(Webhook(settings.webhook.url, settings.webhook.secret_file, beat))
        for outlet in outlets:
            self._ending.add(outlet)
            _log.info("the table is reported by %s", outlet.name)
        return tuple(outlets)

    def stop(self) -> None:
        """Begin to tell nobody any more; may be called twice."""
        self._ending.stop()

    def close(self) -> None:
        """Tell nobody any more; may be called twice."""
        self._ending.close()

    def health(self) -> dict[str, OutletHealthJson]:
        """How each outlet is, by its name."""
        silent = self._heartbeats.overdue()
        return {outlet.name: _health(outlet, silent) for outlet in self._outlets}


def _health(outlet: Outlet, silent: tuple[str, ...]) -> OutletHealthJson:
    waiting, dropped = outlet.outbox.counts()
    hangs = outlet.name in silent or "reporter" in silent
    fault = "outside_hangs" if hangs else outlet.fault.reason if outlet.fault else None
    return {"connected": outlet.connected, "waiting": waiting, "dropped": dropped, "fault": fault}


def metrics(health: HealthJson, table: Table, settings: Settings) -> str:
    """All metrics now, as Prometheus asks for them every few seconds."""
    outlined = outline(view(table.snapshot()), table_name(settings), "en")
    return text(health, outlined, version("dudo-companion"))
