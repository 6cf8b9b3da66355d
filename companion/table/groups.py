"""The people who have played here: every group with its seats, dice and rules, to be chosen again.

A small file of its own beside the journal, replaced whole at every change, and begun anew where it is
damaged: nothing is lost by it but typing.
"""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Iterable
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import NotRequired, TypedDict

from companion.errors import BadCommand, StorageError
from companion.names import clean_name, name_key
from companion.rules.presets import preset
from companion.rules.ruleset import Value
from companion.side_files import SideFile
from companion.table.commands import NewGame

MAX_GROUPS = 12

_log = logging.getLogger(__name__)


class GroupPlayerJson(TypedDict):
    """A player of a group, in the form of a `new_game`."""

    name: str
    colour: str
    phone_cup: bool
    handicap: NotRequired[int]


class GroupJson(TypedDict):
    """People who played together, with the rules of their last game."""

    id: str
    name: str
    players: list[GroupPlayerJson]
    preset: str
    house: dict[str, Value]


@dataclass(frozen=True, slots=True)
class Group:
    """People who played together; `players` are (name, colour) clockwise, as in their last game.

    `cups` roll in their phone, `house` are the switches that differ from the preset. Without a `name` of its
    own a group is called by its people. `handicaps` are (name, number) of those who begin with so many dice
    fewer.
    """

    id: str
    players: tuple[tuple[str, str], ...]
    cups: tuple[str, ...] = ()
    preset: str = ""
    house: tuple[tuple[str, Value], ...] = ()
    name: str = ""
    handicaps: tuple[tuple[str, int], ...] = ()

    def to_json(self) -> GroupJson:
        """The group as plain data, its players in the form of a `new_game`."""
        players: list[GroupPlayerJson] = [
            {"name": n, "colour": c, "phone_cup": n in self.cups} for n, c in self.players
        ]
        for player in players:
            if fewer := dict(self.handicaps).get(player["name"]):
                player["handicap"] = fewer
        return {
            "id": self.id,
            "name": self.name,
            "players": players,
            "preset": self.preset,
            "house": dict(self.house),
        }

    @classmethod
    def from_json(cls, data: GroupJson) -> Group:
        """The group that `to_json` wrote."""
        players = tuple((str(p["name"]), str(p["colour"])) for p in data["players"])
        cups = tuple(str(p["name"]) for p in data["players"] if p["phone_cup"])
        house = tuple(dict(data["house"]).items())
        fewer = tuple((str(p["name"]), int(p["handicap"])) for p in data["players"] if p.get("handicap"))
        return cls(str(data["id"]), players, cups, str(data["preset"]), house, str(data["name"]), fewer)


class Groups:
    """All groups, the last to have played first; may be asked by many threads."""

    def __init__(self, file: SideFile | None = None) -> None:
        """Read the file; without one the groups are kept in memory alone."""
        self._file, self._lock = file, threading.Lock()
        self._all = file.read(_parsed, tuple[Group, ...]()) if file else ()

    def all(self) -> tuple[Group, ...]:
        """Every group, the last to have played first."""
        with self._lock:
            return self._all

    def remember(self, game: NewGame) -> None:
        """Note who begins to play. A folder that cannot be written keeps nobody from playing."""
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

    def forget_if_known(self, group_id: str) -> None:
        """Forget a group if there is one of this id; raises StorageError."""
        with self._lock:
            if any(one.id == group_id for one in self._all):
                self._keep(one for one in self._all if one.id != group_id)

    def _known(self, group_id: str) -> None:
        if all(one.id != group_id for one in self._all):
            raise BadCommand("unknown_group")

    def _keep(self, groups: Iterable[Group]) -> None:
        kept = tuple(groups)
        if self._file:
            self._file.write(json.dumps([one.to_json() for one in kept], ensure_ascii=False).encode())
        self._all = kept


def _group(game: NewGame) -> Group:
    """The people who begin `game`; bots are none of them."""
    usual = preset(game.ruleset.name).to_json()
    house = tuple((key, value) for key, value in game.ruleset.to_json().items() if usual[key] != value)
    bots = dict(game.bots)
    people = tuple(player for player in game.players if player[0] not in bots)
    cups = tuple(name for name in game.cups if name not in bots)
    fewer = tuple(one for one in game.handicaps if one[0] not in bots)
    mark = group_id(name for name, _ in people)
    return Group(mark, people, cups, game.ruleset.name, house, handicaps=fewer)


def group_id(names: Iterable[str]) -> str:
    """The id of a group: who they are makes it, not how they sit."""
    return sha256("\n".join(sorted(map(name_key, names))).encode()).hexdigest()[:12]


def _parsed(content: bytes) -> tuple[Group, ...]:
    return tuple(map(Group.from_json, json.loads(content)))
