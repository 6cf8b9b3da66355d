"""The people who have played here: every group with its seats, dice and rules, to be chosen again.

A small file of its own beside the journal, replaced whole at every change, and begun anew where it is
damaged: nothing is lost by it but typing.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterable
from hashlib import sha256

from msgspec import Struct, json
from msgspec.structs import replace

from companion.errors import BadCommand, StorageError
from companion.names import clean_name, name_key
from companion.rules.presets import preset
from companion.rules.ruleset import Value
from companion.storage.side_files import SideFile
from companion.table.commands import NewGame

MAX_GROUPS = 12

_log = logging.getLogger(__name__)


class GroupPlayer(Struct, frozen=True, omit_defaults=True):
    """A player of a group, in the form of a `new_game`."""

    name: str
    colour: str
    phone_cup: bool
    handicap: int = 0


class Group(Struct, frozen=True):
    """People who played together, with the rules of their last game; `players` sat clockwise as in it.

    `house` are the switches that differ from the preset. Without a `name` of its own a group is called by its
    people.
    """

    id: str
    name: str
    players: tuple[GroupPlayer, ...]
    preset: str
    house: dict[str, Value]


class Groups:
    """All groups, the last to have played first; may be asked by many threads."""

    def __init__(self, file: SideFile) -> None:
        self._file, self._lock = file, threading.Lock()
        self._all = file.read(_parsed, tuple[Group, ...]())

    def all(self) -> tuple[Group, ...]:
        """Every group, the last to have played first."""
        with self._lock:
            return self._all

    def remember(self, game: NewGame) -> None:
        """Note who plays here. A folder that cannot be written keeps nobody from playing."""
        with self._lock:
            fresh = _group(game)
            if not fresh.players:
                return
            known = next((one for one in self._all if one.id == fresh.id), fresh)
            others = tuple(one for one in self._all if one.id != fresh.id)
            try:
                self._keep((replace(fresh, name=known.name), *others)[:MAX_GROUPS])
            except StorageError as error:
                _log.warning("%s", error)

    def rename(self, group_id: str, name: str) -> None:
        """Call a group by a name of its own, with "" by its people; raises BadCommand, StorageError."""
        called = clean_name(name) if name.strip() else ""
        with self._lock:
            self._known(group_id)
            self._keep(replace(one, name=called) if one.id == group_id else one for one in self._all)

    def forget(self, group_id: str) -> None:
        """Forget a group until it plays again; its games stay. Raises BadCommand, StorageError."""
        with self._lock:
            self._known(group_id)
            self._keep(one for one in self._all if one.id != group_id)

    def _known(self, group_id: str) -> None:
        if all(one.id != group_id for one in self._all):
            raise BadCommand("unknown_group")

    def _keep(self, groups: Iterable[Group]) -> None:
        kept = tuple(groups)
        if kept != self._all:
            self._file.write(json.encode(kept))
        self._all = kept


def _group(game: NewGame) -> Group:
    """The people who begin `game`; bots are none of them."""
    usual = preset(game.ruleset.name).to_json()
    house = {key: value for key, value in game.ruleset.to_json().items() if usual[key] != value}
    bots, fewer = dict(game.bots), dict(game.handicaps)
    people = tuple(
        GroupPlayer(name, colour, name in game.cups, fewer.get(name, 0))
        for name, colour in game.players
        if name not in bots
    )
    return Group(group_id(one.name for one in people), "", people, game.ruleset.name, house)


def group_id(names: Iterable[str]) -> str:
    """The id of a group: who they are makes it, not how they sit."""
    return sha256("\n".join(sorted(map(name_key, names))).encode()).hexdigest()[:12]


def _parsed(content: bytes) -> tuple[Group, ...]:
    return json.decode(content, type=tuple[Group, ...])
