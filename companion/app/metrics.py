"""The metrics of the running box as text."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import version

from companion.app.outside import table_name
from companion.health_json import HealthJson
from companion.outside import metrics
from companion.outside.outline import outline
from companion.settings import Settings
from companion.table.table import Table
from companion.table.view import view


class Metrics:
    """Asked for by Prometheus, which wants numbers every few seconds."""

    def __init__(self, health: Callable[[], HealthJson], table: Table, settings: Settings) -> None:
        self._health, self._table, self._name = health, table, table_name(settings)

    def text(self) -> str:
        """All metrics now."""
        outlined = outline(view(self._table.snapshot()).data, self._name, "en")
        return metrics.text(self._health(), outlined, version("dudo-companion"))
