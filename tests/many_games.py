"""Whole games between bots, whose dice are read as they lie."""

from random import Random

from companion.bots.deciding import decide_on_turn
from companion.bots.seat import Level
from companion.reveal.observations import Observation, SeenDie
from companion.rules.players import playing
from companion.rules.position import Game, Phase
from companion.rules.presets import PRESETS
from companion.table import commands as cmd
from companion.table.table import Table

PEOPLE = (("Ana", "red"), ("Bea", "blue"), ("Carlos", "green"), ("Dora", "yellow"))


def observation(game: Game, hands: dict[str, tuple[int, ...]]) -> Observation:
    """All dice in rows, each read for certain."""
    colours = {player.name: player.colour for player in game.players}
    lying = [(face, colours[name]) for name, hand in hands.items() for face in hand]
    dice = [
        SeenDie(face, 0.05 + 0.15 * (n % 6), 0.1 + 0.18 * (n // 6), 0.06, 0.99, True, colour, (), (), 0.0)
        for n, (face, colour) in enumerate(lying)
    ]
    return Observation(1280, 960, tuple(dice), True, (), "shot")


def play(table: Table, random: Random) -> None:
    """One whole game between bots, every reveal read in one look."""
    table.do(cmd.NewGame(PRESETS["modern"], PEOPLE, starter="Ana"))
    while (game := table.snapshot().state.game) and game.phase is not Phase.OVER:
        hands = {p.name: tuple(random.choices((1, 2, 3, 4, 5, 6), k=p.dice)) for p in playing(game.players)}
        while (game := table.snapshot().state.game) and game.phase is Phase.BIDDING:
            table.do(cmd.Say(decide_on_turn(game, hands, Level.EASY, random)))
        assert game is not None
        table.do(cmd.AddObservation(observation(game, hands), "all"))
        if (game := table.snapshot().state.game) and game.phase is Phase.VERDICT:
            table.do(cmd.NextRound())
    table.do(cmd.PutAway())
