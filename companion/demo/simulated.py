"""The dice of a game without dice: rolled anew for each round, seen only where a person would see them."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from companion.rules.dice import FACES
from companion.rules.position import Game, Phase, playing

Hands = Mapping[str, tuple[int, ...]]


def rolled(game_id: str, game: Game) -> Hands:
    """Everybody's dice in the round on the table. A pure function of the game and the round, so that an undo
    or a restart finds the same dice under the cups."""
    rng = Random(f"{game_id}/{game.round.number}")
    return {p.name: tuple(rng.choices(FACES, k=p.dice)) for p in playing(game.players)}


def on_table(game_id: str, game: Game | None) -> tuple[tuple[int, str], ...]:
    """(face, colour) of every die the camera can see: those of the reveal, while the cups are lifted."""
    if game is None or game.phase is not Phase.REVEAL:
        return ()
    colours = {p.name: p.colour for p in game.players}
    return tuple((face, colours[name]) for name, hand in rolled(game_id, game).items() for face in hand)
