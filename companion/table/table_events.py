"""Everything the journal keeps of a game: what the rules know (`rules.events`) and what the table adds.

The table adds observations and corrections of a reveal, who rolls in the phone, and a challenge whose bid or
caller is still to be named. All are folded by `companion.table.state`.
"""

from __future__ import annotations

from typing import get_args

from msgspec import field

from companion.bots.seat import Level
from companion.json_types import Body
from companion.reveal.claims import Kind
from companion.reveal.corrections import Correction
from companion.reveal.observations import Observation
from companion.reveal.owners import Colour
from companion.rules.events import Event
from companion.rules.records import Kept, read
from companion.table.ledger import Entry


class Asked(Kept, tag="asked", frozen=True):
    """Somebody pressed for dudo or calza; the table must still learn who, or on which bid."""

    kind: Kind


class Observed(Kept, tag="looked", frozen=True):
    """An observation at a place of the reveal."""

    observation: Observation = field(name="look")
    place: str


class Corrected(Kept, tag="corrected", frozen=True):
    """A person's correction of a die of the reveal."""

    correction: Correction


class Cups(Kept, tag="cups", frozen=True):
    """The players who have no dice on the table: the box rolls for them, shown on their phone alone. `bots`,
    (name, level), are those for whom the box plays, with dice on the table or without."""

    players: tuple[str, ...]
    bots: tuple[tuple[str, Level], ...] = ()


class BotSeated(Kept, tag="bot_seated", frozen=True):
    """The box plays for `player`, who has just joined."""

    player: str
    level: Level


class ColoursLearnt(Kept, tag="colours_learnt", frozen=True):
    """The colours of everybody's dice under this table's light; none: they identify nobody."""

    colours: tuple[Colour, ...]


class RollTied(Kept, tag="roll_tied", frozen=True):
    """The roll for seats or starter is still open: (name, face) of every roll so far; some roll again."""

    rolls: tuple[tuple[tuple[str, int], ...], ...]


class Rolled(Kept, tag="rolled", frozen=True):
    """A player's dice in the phone for this round."""

    player: str
    faces: tuple[int, ...]


class Amended(Kept, tag="amended", frozen=True):
    """In an earlier round `count` dice matched. The rounds since were played as they were, and all keep the
    dice they have."""

    round: int
    count: int


TableEvent = (
    Event | Asked | Observed | Corrected | Cups | BotSeated | ColoursLearnt | RollTied | Rolled | Amended
)
"""An event of a game's history."""


class Undone(Kept, tag="undone", frozen=True):
    """The first `keep` events of the history stay, the others are taken back."""

    keep: int


TableRecord = TableEvent | Entry | Undone
"""Whatever the journal keeps of a game."""


_BY_TAG = {str(kind.__struct_config__.tag): kind for kind in get_args(TableRecord)}


def from_json(data: Body) -> TableRecord:
    """The record that any version wrote; raises BadCommand, BadRuleset."""
    kind = _BY_TAG.get(str(data.get("event")), TableRecord)  # for a union msgspec would look at every kind
    found: TableRecord = read(data, kind)
    return found
