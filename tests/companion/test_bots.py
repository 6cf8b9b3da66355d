"""Bots and simulated dice: always a legal call, and a game that ends."""

from random import Random

import pytest

from companion.demo.bots import choose
from companion.demo.simulated import on_table, rolled
from companion.rules.events import Called, NextRound, Revealed
from companion.rules.game import Phase, apply, new_game
from companion.rules.judge import Reveal
from companion.rules.ruleset import PRESETS


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_bots_play_every_preset_to_its_end(preset):
    rng = Random(preset)
    game = new_game(PRESETS[preset], ("Ana", "Beto", "Cleo", "Dora"), "Ana")
    for _ in range(2000):
        if game.phase is Phase.OVER:
            break
        hands = rolled("game", game)
        if game.phase is Phase.BIDDING:
            game = apply(game, Called(choose(game, hands[game.round.turn], rng)))
        elif game.phase is Phase.REVEAL:
            game = apply(game, Revealed(Reveal(hands=tuple(hands.items()))))
        else:
            game = apply(game, NextRound())
    assert game.winner in {"Ana", "Beto", "Cleo", "Dora"}


def test_the_dice_of_a_round_stay_the_same_and_change_with_the_round():
    game = new_game(PRESETS["modern"], (("Ana", "red"), ("Beto", "blue")), "Ana")
    assert rolled("g", game) == rolled("g", game)
    assert rolled("g", game) != rolled("h", game)


def test_the_camera_sees_dice_only_while_the_cups_are_lifted():
    game = new_game(PRESETS["modern"], (("Ana", "red"), ("Beto", "blue")), "Ana")
    assert on_table("g", game) == ()
    assert on_table("g", None) == ()
    rng = Random(1)
    while game.phase is Phase.BIDDING:
        game = apply(game, Called(choose(game, rolled("g", game)[game.round.turn], rng)))
    seen = on_table("g", game)
    assert [colour for _, colour in seen] == ["red"] * 5 + ["blue"] * 5
    assert tuple(face for face, _ in seen[:5]) == rolled("g", game)["Ana"]
