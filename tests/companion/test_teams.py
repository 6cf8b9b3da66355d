"""Teams: who sits with whom, who comes late or goes home, and that partners win and lose in words."""

from companion.rules.counting import Reveal
from companion.rules.events import Joined, Left, Revealed, RolledOff
from companion.rules.game import apply
from companion.rules.position import Game, Phase
from companion.rules.presets import CLASSIC
from tests.companion.at_table import after, said
from tests.new_games import new_game

FOUR = ("Ana", "Beto", "Carla", "Dino")
WIN = CLASSIC.with_house({"teams": "share_win", "starting_dice": 2})
LOSS = CLASSIC.with_house({"teams": "share_loss", "starting_dice": 2})


def teams(game: Game) -> list[int]:
    return [player.team for player in game.players]


def shown(**hands: tuple[int, ...]) -> Revealed:
    return Revealed(Reveal(tuple(hands.items())))


def test_they_are_announced_once_the_roll_has_seated_everybody():
    game = new_game(WIN, FOUR)
    assert teams(game) == [0, 0, 0, 0]
    rolled = apply(game, RolledOff((tuple(zip(FOUR, (1, 6, 4, 3), strict=True)),)))
    assert [(p.name, p.team) for p in rolled.players] == [("Beto", 1), ("Carla", 2), ("Dino", 1), ("Ana", 2)]


def test_who_comes_late_joins_the_smallest_team():
    hands = shown(Ana=(3, 3), Beto=(2, 2), Carla=(2, 2))
    assert said(WIN, FOUR[:3], Joined("Dino"), "1x3, dudo", hands, "next").player("Dino").team == 2


def test_the_game_is_over_when_the_others_have_gone_home():
    game = said(WIN, FOUR, Left("Beto"), Left("Dino"))
    assert (game.phase, game.winners) == (Phase.OVER, ("Ana", "Carla"))


def test_partners_lose_and_win_together():
    game = said(LOSS, FOUR, "1x3, dudo", shown(**dict.fromkeys(FOUR, (2, 2))), "next")
    assert [p.dice for p in game.players] == [1, 2, 1, 2]
    last = after(game, "1x3, dudo", shown(Ana=(2,), Beto=(2, 2), Carla=(2,), Dino=(2, 2)))
    assert last.verdict
    assert last.winners == ("Beto", "Dino")
