"""The dice of a game without dice: rolled anew for each round, seen only where a person would see them."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from companion.reveal.state import RevealState
from companion.rules.counting import is_rolled_again
from companion.rules.dice import FACES
from companion.rules.players import playing
from companion.rules.position import Game, Phase
from companion.rules.ruleset import Ruleset
from companion.table.state import REVEALING, TableState, rolling, showing

Hands = Mapping[str, tuple[int, ...]]


def rolled(game_id: str, game: Game) -> Hands:
    """Everybody's dice in the round on the table. A pure function of the game and the round, so that an undo
    or a restart finds the same dice under the cups."""
    rng = Random(f"{game_id}/{game.round.number}")
    return {p.name: _thrown(rng, p.dice, game.ruleset) for p in playing(game.players)}


def _thrown(rng: Random, dice: int, rules: Ruleset) -> tuple[int, ...]:
    hand = tuple(rng.choices(FACES, k=dice))
    return _thrown(rng, dice, rules) if is_rolled_again(hand, rules) else hand


def rolled_off(game_id: str, state: TableState) -> Hands:
    """The dice of everybody who rolls for seats or starter."""
    if state.game is None:
        return {}
    rng, dice = Random(f"{game_id}/roll/{len(state.rolls)}"), range(state.game.ruleset.roll_off_dice)
    return {name: tuple(rng.choice(FACES) for _ in dice) for name in rolling(state.game, state.rolls)}


def on_table(game_id: str, state: TableState, frames: int = 2) -> tuple[tuple[int, str], ...]:
    """(face, colour) of every die the camera can see: those of the reveal, while the cups are lifted.

    Where the box is set over one player's dice after the other, it is moved on after `frames` pictures.
    """
    game, reveal = state.game, state.reveal
    if game is None or reveal is None or game.phase not in REVEALING:
        return ()
    colours = {p.name: p.colour for p in game.players}
    hands = rolled(game_id, game) if game.phase is Phase.REVEAL else rolled_off(game_id, state)
    under = _under_the_box(reveal, frames) or {p.name for p in showing(game)} - set(state.cups)
    return tuple((face, colours[name]) for name, hand in hands.items() if name in under for face in hand)


def _under_the_box(reveal: RevealState, frames: int) -> set[str]:
    """The player whose dice the box stands over, nobody where it stands over all dice at once."""
    players = [(view.player, view.frames) for view in reveal.places if view.player]
    return {next((player for player, seen in players if seen < frames), players[-1][0])} if players else set()


def laid_out(game_id: str, game: Game, player: str) -> tuple[tuple[int, str], ...]:
    """(face, colour) of every die of one player, shown on purpose between the reveals."""
    colours = {p.name: p.colour for p in game.players}
    return tuple((face, colours[player]) for face in rolled(game_id, game).get(player, ()))
