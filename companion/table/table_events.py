"""Everything the journal keeps of a game: what the rules know (`rules.events`) and what the table adds.

The table adds observations and corrections of a reveal, who rolls in the phone, and a challenge whose bid or
caller is still to be named. All are folded by `companion.table.state`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass

from msgspec import convert

from companion.bots.seat import Level
from companion.errors import BadCommand
from companion.json_types import Body, body, wholes
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
    """The players who have no dice on the table: the box rolls for them, shown on their phone alone. `bots`,
    (name, level), are those for whom the box plays, with dice on the table or without."""

    players: tuple[str, ...]
    bots: tuple[tuple[str, Level], ...] = ()


@dataclass(frozen=True, slots=True)
class BotSeated:
    """The box plays for `player`, who has just joined."""

    player: str
    level: Level


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


TableEvent = Event | Asked | Observed | Corrected | Cups | BotSeated | ColoursLearnt | RollTied | Rolled
"""An event of a game's history."""


def to_json(event: TableEvent) -> dict[str, object]:
    """The event as plain data."""
    match event:
        case Asked(kind):
            record: dict[str, object] = {"event": "asked", "kind": kind.value}
        case Observed(observation, place):
            record = {
                "event": "looked",
                "place": place,
                "picture": observation.picture,
                "look": observation.to_json(),
            }
        case Corrected(correction):
            record = {"event": "corrected", "correction": corrections.to_json(correction)}
        case Cups(players, bots):
            record = {"event": "cups", "players": list(players)} | ({"bots": dict(bots)} if bots else {})
        case BotSeated(player, level):
            record = {"event": "bot_seated", "player": player, "level": level.value}
        case ColoursLearnt(colours):
            record = {"event": "colours_learnt", "colours": [asdict(colour) for colour in colours]}
        case RollTied(rolls):
            record = {"event": "roll_tied", "rolls": [dict(round_) for round_ in rolls]}
        case Rolled(player, faces):
            record = {"event": "rolled", "player": player, "faces": list(faces)}
        case _:
            return events.to_json(event)
    return {"v": SCHEMA, **record}


def from_json(data: Body) -> TableEvent:
    """The event that `to_json` wrote; raises BadCommand."""
    reader = _READERS.get(str(data.get("event", "")))
    if reader is None:
        return events.from_json(data)
    version = data.get("v")
    if type(version) is not int or version > SCHEMA:
        raise BadCommand("event_newer", version=version, known=SCHEMA)
    try:
        return reader(data)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadCommand("event_unreadable", cause=repr(error)) from error


def _observed(data: Body) -> Observed:
    observation = Observation.from_json(body(data["look"]), str(data["picture"]))
    return Observed(observation, str(data["place"]))


def _roll(faces: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    return tuple(faces.items())


_READERS: Mapping[str, Callable[[Body], TableEvent]] = {
    "asked": lambda d: Asked(Kind(str(d["kind"]))),
    "looked": _observed,
    "corrected": lambda d: Corrected(corrections.from_json(body(d["correction"]))),
    "cups": lambda d: Cups(
        convert(d["players"], tuple[str, ...]), tuple(convert(d.get("bots", {}), dict[str, Level]).items())
    ),
    "bot_seated": lambda d: BotSeated(str(d["player"]), Level(str(d["level"]))),
    "colours_learnt": lambda d: ColoursLearnt(convert(d["colours"], tuple[Colour, ...])),
    "roll_tied": lambda d: RollTied(tuple(map(_roll, convert(d["rolls"], list[dict[str, int]])))),
    "rolled": lambda d: Rolled(str(d["player"]), wholes(d["faces"])),
}
