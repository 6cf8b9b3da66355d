"""The roll for seats or starter as a reveal: the dice of everybody who rolls, by camera or by hand.

While it goes on the box learns whose dice have which colour, each die being looked at by itself.
"""

from __future__ import annotations

from companion.reveal import state as revealing
from companion.reveal.assessing import Assessment
from companion.reveal.claims import Claim, Kind
from companion.reveal.merging import PlaceView
from companion.reveal.observations import SeenDie
from companion.reveal.owners import learn_colours
from companion.reveal.state import RevealState
from companion.rules.position import Game
from companion.rules.rolloff import roll_off
from companion.table.table_events import ColoursLearnt

Rolls = tuple[tuple[tuple[str, int], ...], ...]
"""(name, face) of the first roll, then of each re-roll."""


def rolling(game: Game, rolls: Rolls) -> tuple[str, ...]:
    """Who rolls now: everybody, or those who tied; raises BadCommand for rolls that cannot be."""
    names = tuple(player.name for player in game.players)
    rules = game.ruleset
    result = roll_off(names, [dict(round_) for round_ in rolls], rules.order, rules.roll_off_dice)
    return tuple(name for group in result.reroll for name in group)


def begin_roll(game: Game, rolls: Rolls, cups: tuple[str, ...], frames: int = 1) -> RevealState:
    """The reveal of the dice rolled now: one place for each who has dice on the table."""
    names = rolling(game, rolls)
    plan = revealing.players_plan(name for name in names if name not in cups)
    each = game.ruleset.roll_off_dice
    by_player = dict.fromkeys(names, each)
    return revealing.begin(Claim(Kind.ROLL), each * len(names), by_player, None, plan, frames)


def faces_rolled(found: Assessment) -> tuple[tuple[str, int], ...]:
    """The sum of the faces that each rolled, once the roll is settled."""
    return tuple((player, sum(faces)) for player, faces in found.hands)


def colours_of(reveal: RevealState) -> ColoursLearnt | None:
    """The colours of everybody's dice, from the pictures of the roll; None when the pictures do not give
    them.

    Only pictures of one player's die count. Dice of one colour all round are no news either.
    """
    learnt = learn_colours({view.player: _known(view) for view in reveal.places if view.player})
    return ColoursLearnt(learnt) if len(learnt) > 1 and any(colour.name for colour in learnt) else None


def _known(view: PlaceView) -> list[SeenDie]:
    """The dice of a place as they were seen, those nobody is sure of left out."""
    tracks = [track for track in view.tracks if not track.struck]
    return [s.seen for track in tracks for s in track.sightings if s.seen and (s.certain or track.by_hand)]
