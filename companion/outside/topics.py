"""The MQTT topics of a table. Pure; docs/reference/outside.md lists them."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from dataclasses import dataclass

from companion.errors import SettingsError

STATUS, STATE, EVENING, EVENTS = "status", "state", "evening", "events"
ONLINE, OFFLINE = "online", "offline"

_LONGEST_PREFIX = 100
_ID_LETTERS = 6


@dataclass(frozen=True, slots=True)
class Topics:
    """The topics of one table: `<prefix>/<key>/<what>`.

    `key` has the name in plain letters, and an id of the box: two boxes of one name never mix.
    """

    prefix: str
    key: str

    def of(self, what: str) -> str:
        """The topic of STATUS, STATE, EVENING or EVENTS."""
        return f"{self.prefix}/{self.key}/{what}"

    @property
    def node(self) -> str:
        """The table's id for Home Assistant: letters, digits, - and _ alone."""
        return f"dudo_{self.key}"


def topics(prefix: str, table: str, secret: str) -> Topics:
    """The topics of the table called `table` on the box with this secret, from which nobody can tell it.

    Raises SettingsError for a prefix that no topic may begin with.
    """
    if fault := prefix_fault(prefix):
        raise SettingsError((f"[mqtt] prefix: {fault}",))
    box = hashlib.sha256(f"dudo table {secret}".encode()).hexdigest()[:_ID_LETTERS]
    return Topics(prefix, "-".join(filter(None, (plain(table), box))))


def prefix_fault(prefix: str) -> str | None:
    """What is wrong with a prefix of topics (MQTT 3.1.1, 4.7), None where nothing is."""
    if not prefix or prefix[0] in "/$" or prefix[-1] == "/" or len(prefix) > _LONGEST_PREFIX:
        return f"{prefix!r} is empty, too long, or begins or ends with / or $"
    if set(prefix) & set("+#") or not prefix.isprintable():
        return f"{prefix!r} has a sign that no topic may have"
    return None


def plain(name: str) -> str:
    """A name in lower-case letters a to z, digits and single dashes; "" where nothing of it is left."""
    letters = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", letters).strip("-")[:40]
