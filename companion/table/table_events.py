"""Everything the journal keeps of a game: what the rules know (`rules.events`) and what the table adds.

The table adds the looks and corrections of a reveal, who rolls in the phone, and a challenge whose bid or
caller is still to be named. All are folded by `companion.table.state`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from companion.errors import BadCommand
from companion.reveal import corrections
from companion.reveal.claims import Kind
from companion.reveal.corrections import Correction
from companion.reveal.observations import Observation
from companion.reveal.owners import Colour
from companion.rules import events
from companion.rules.events import SCHEMA, Event


@dataclass(frozen=True, slots=True)
class Asked:
    """Somebody pressed for dudo or calza; the table must still learn who, or on which bid."""

    kind: Kind


@dataclass(frozen=True, slots=True)
class Observed:
    """An observation at a place of the reveal."""

    observation: Observation
    place: str


@dataclass(frozen=True, slots=True)
class Corrected:
    """A person's correction of a die of the reveal."""

    correction: Correction


@dataclass(frozen=True, slots=True)
class Cups:
    """The players who have no dice on the table: the box rolls for them, shown on their phone alone."""

    players: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ColoursLearnt:
    """The colours of everybody's dice under this table's light; none: they identify nobody."""

    colours: tuple[Colour, ...]


@dataclass(frozen=True, slots=True)
class RollTied:
    """The roll for seats or starter is still open: (name, face) of every roll so far; some roll again."""

    rolls: tuple[tuple[tuple[str, int], ...], ...]


@dataclass(frozen=True, slots=True)
class Rolled:
    """A player's dice in the phone for this round."""

    player: str
    faces: tuple[int, ...]


TableEvent = Event | Asked | Observed | Corrected | Cups | ColoursLearnt | RollTied | Rolled
"""An event of a game's history."""


def to_json(event: TableEvent) -> dict[str, Any]:
    """The event as plain data."""
    match event:
        case Asked(kind):
            body: dict[str, Any] = {"event": "asked", "kind": kind.value}
        case Observed(observation, place):
            body = {
                "event": "looked",
                "place": place,
                "picture": observation.picture,
                "look": observation.to_json(),
            }
        case Corrected(correction):
            body = {"event": "corrected", "correction": corrections.to_json(correction)}
        case Cups(players):
            body = {"event": "cups", "players": list(players)}
        case ColoursLearnt(colours):
            body = {"event": "colours_learnt", "colours": [asdict(colour) for colour in colours]}
        case RollTied(rolls):
            body = {"event": "roll_tied", "rolls": [dict(round_) for round_ in rolls]}
        case Rolled(player, faces):
            body = {"event": "rolled", "player": player, "faces": list(faces)}
        case _:
            return events.to_json(event)
    return {"v": SCHEMA, **body}


def from_json(data: Mapping[str, Any]) -> TableEvent:
    """The event that `to_json` wrote; raises BadCommand."""
    reader = _READERS.get(data.get("event", ""))
    if reader is None:
        return events.from_json(data)
    if type(data.get("v")) is not int or data["v"] > SCHEMA:
        raise BadCommand("event_newer", version=data.get("v"), known=SCHEMA)
    try:
        event: TableEvent = reader(data)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadCommand("event_unreadable", cause=repr(error)) from error
    return event


def _colour(data: Mapping[str, Any]) -> Colour:
    lightness, a, b = map(float, data["lab"])
    return Colour(str(data["player"]), str(data["name"]), (lightness, a, b))


_READERS: Mapping[str, Any] = {
    "asked": lambda d: Asked(Kind(d["kind"])),
    "looked": lambda d: Observed(Observation.from_json(d["look"], d["picture"]), str(d["place"])),
    "corrected": lambda d: Corrected(corrections.from_json(d["correction"])),
    "cups": lambda d: Cups(tuple(map(str, d["players"]))),
    "colours_learnt": lambda d: ColoursLearnt(tuple(map(_colour, d["colours"]))),
    "roll_tied": lambda d: RollTied(
        tuple(tuple((str(n), int(f)) for n, f in rolls.items()) for rolls in d["rolls"])
    ),
    "rolled": lambda d: Rolled(str(d["player"]), tuple(map(int, d["faces"]))),
}
