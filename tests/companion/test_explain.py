"""Verdicts in sentences, in every language: `tests/data/rules/verdicts.toml` has them side by side."""

import tomllib
from pathlib import Path

import pytest

from companion.rules.bids import Bid
from companion.rules.calls import BidCall, Calza, Dudo, DudoPass, Pass
from companion.rules.counting import Reveal
from companion.rules.events import Called
from companion.rules.explain import explain
from companion.rules.game import apply
from companion.rules.judge import judge
from companion.rules.players import Player, RoundKind, dice_in_play, teamed
from companion.rules.position import Game, Phase, Round
from companion.rules.presets import preset
from companion.texts import languages

FILE = Path(__file__).parents[1] / "data" / "rules" / "verdicts.toml"
VERDICTS = tomllib.loads(FILE.read_text(encoding="utf-8"))["verdict"]
NAMES = ("Ana", "Beto", "Carla", "Dino")
CALLS = {"dudo": Dudo, "calza": Calza, "pass": Pass, "dudo_pass": DudoPass}
NO_BREAK = str.maketrans("\u202f\xa0", "  ")


def challenged(row) -> Game:
    """The game of a row, up to the challenge."""
    rules = preset(row["preset"]).with_house(row.get("house", {}))
    dice = row.get("dice", [rules.starting_dice] * 3)
    lives = row.get("lives", [rules.lives or 0] * len(dice))
    seats = zip(NAMES, dice, lives, strict=False)
    players = tuple(
        Player(name, dice=number, lives=left, palifico_used=name == row.get("used"))
        for name, number, left in seats
    )
    begun = Round(3, RoundKind.NORMAL, "Ana", "Ana", dice_in_play(players))
    game = Game(rules, teamed(rules, players), begun, Phase.BIDDING)
    for word in row["calls"].split():
        by = game.round.turn
        game = apply(game, Called(CALLS[word](by) if word in CALLS else BidCall(by, Bid.parse(word))))
    return game


@pytest.mark.parametrize("row", VERDICTS, ids=[row["en"] for row in VERDICTS])
def test_a_verdict_in_words(row):
    heap = tuple(map(int, row.get("heap", "")))
    verdict = judge(challenged(row), Reveal((), heap, (), row.get("unknown", 0), row.get("count")))
    for language in languages():
        assert explain(verdict, language).translate(NO_BREAK) == row[language]
