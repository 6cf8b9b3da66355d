"""Bots in seats: they think, speak by the same commands, and stand in nobody's way."""

import pytest

from companion.app.bot_players import BotPlayers, Thinking, next_call
from companion.bots.seat import Level
from companion.errors import BadCommand
from companion.storage.journal import Journal
from companion.table import commands as cmd
from companion.table.commands import Author, By
from companion.table.cups import known_dice
from companion.table.groups import Groups
from companion.table.parsing import parse
from companion.table.table import Table
from companion.table.view import view
from tests.clocks import FakeClock
from tests.companion.at_table import fair, in_play, play, say
from tests.refusals import refused
from tests.unkept import Unkept

THINKING = Thinking(2.0, 3.0, 12.0)


def seats(*bots: str, people: tuple[str, ...] = ("Ana",)) -> list[dict[str, object]]:
    return [{"name": name, "phone_cup": True} for name in people] + [
        {"name": f"Robo {n}", "bot": level} for n, level in enumerate(bots)
    ]


def begun(
    journal: Journal,
    *bots: str,
    people=("Ana",),
    starter: str = "Ana",
    preset: str = "modern",
    **house: object,
) -> Table:
    table = Table(journal, frames=1, roll=fair())
    players = seats(*bots, people=people)
    say(table, "new_game", players=players, preset=preset, starter=starter, house=house)
    return table


class Bots(BotPlayers):
    """Those who play at a table, whose turns come when a test says so."""

    def __init__(self, table: Table, thinking: Thinking = THINKING) -> None:
        self.clock = FakeClock(100.0)
        super().__init__(table, self.clock.now_s, thinking)

    def turn_after(self, seconds: float) -> None:
        self.clock.advance(seconds)
        self.turn()


def bids(table: Table) -> int:
    return len(in_play(table).round.bids)


@pytest.mark.parametrize(
    ("gone", "by", "reason"),
    [
        (False, None, "not_your_turn"),
        (False, "Robo 0", "press_means_nothing"),
        (True, None, "press_means_nothing"),
    ],
)
def test_a_press_is_never_a_bots(journal, gone, by, reason):
    table = begun(journal, "medium", "medium", people=("Ana", "Beto"))
    play(table, "Ana 1x2, Beto 2x2")
    if gone:
        play(table, "Ana leaves, Beto leaves, Robo 0 1x2")
    with refused(reason):
        table.do(cmd.Press("dudo", by))


def test_a_bot_waits_for_its_turn_and_takes_a_while(journal):
    table = begun(journal, "medium")
    bots = Bots(table)
    bots.turn_after(60)
    assert bids(table) == 0, "it is Ana's turn"
    play(table, "Ana 1x2")
    bots.turn()
    assert bids(table) == 1, "it thinks"
    bots.turn_after(THINKING.least_s + THINKING.more_s)
    assert bids(table) == 2 or in_play(table).challenge


def test_the_box_rolls_for_a_bot_and_no_phone_sees_its_dice(journal):
    table = begun(journal, "medium")
    now = table.snapshot()
    assert [len(faces) for _, faces in now.state.rolled] == [5, 5]
    assert known_dice(now.state, now.ledger, "Robo 0", "any phone").hands == ()
    listed = [(p["name"], p["bot"], p["phone_cup"]) for p in view(now)["game"]["players"]]
    assert listed == [("Ana", None, True), ("Robo 0", "medium", True)]


def test_after_an_undo_people_have_time_for_one_more(journal):
    table = begun(journal, "medium", starter="Robo 0")
    bots = Bots(table)
    bots.turn()
    bots.turn_after(5)
    assert bids(table) == 1
    first = table.snapshot().state.game
    table.do(cmd.Undo())
    bots.turn()
    bots.turn_after(11)
    assert bids(table) == 0
    bots.turn_after(1)
    assert table.snapshot().state.game == first, "the same dice, the same call"


@pytest.mark.parametrize("who", ["everybody", "caller", "host"])
def test_anybody_takes_back_what_a_bot_has_said(journal, who):
    table = begun(journal, "medium", starter="Robo 0", undo=who)
    bots = Bots(table)
    bots.turn()
    bots.turn_after(5)
    assert bids(table) == 1
    table.do(cmd.Undo(), author=Author(By.PLAYER, "Ana"))
    assert bids(table) == 0


@pytest.mark.parametrize(("seconds", "waits_s"), [(0, 2.0), (2, 1.0), (60, 2.0)])
def test_where_a_clock_runs_a_bot_thinks_half_of_it_at_most(journal, seconds, waits_s):
    table = begun(journal, "medium", starter="Robo 0", turn_seconds=seconds)
    bots = Bots(table, Thinking(2.0, 0.0, 12.0))
    bots.turn()
    bots.turn_after(waits_s - 0.01)
    assert bids(table) == 0
    bots.turn_after(0.01)
    assert bids(table) == 1


def test_a_restart_goes_on_with_the_same_bots(journal):
    table = begun(journal, "strong", "easy", starter="Robo 0")
    before = next_call(table.snapshot())
    again = Table(journal, frames=1, roll=fair(9))
    assert again.snapshot().state.bots == (("Robo 0", Level.STRONG), ("Robo 1", Level.EASY))
    assert next_call(again.snapshot()) == before is not None


def test_while_a_call_is_to_be_named_bots_are_silent(journal):
    table = begun(journal, "medium", starter="Robo 0")
    table.do(cmd.Press("dudo"))
    assert table.snapshot().state.asked
    assert next_call(table.snapshot()) is None
    assert next_call(Table(journal).snapshot()) is None


def test_a_person_who_is_quicker_is_not_answered_for(journal):
    table = begun(journal, "medium")
    bots = Bots(table)
    play(table, "Ana 1x2")
    bots.turn()
    table.do(cmd.Undo())
    bots.turn_after(60)
    assert bids(table) == 0


def test_without_bots_nothing_is_done(journal):
    table = Table(journal)
    assert Bots(table).turn() == 1.0


def test_a_refused_call_is_not_repeated(journal, monkeypatch):
    table = begun(journal, "medium", starter="Robo 0")
    asked = []

    def refuse(command: object, based_on: int, author: Author) -> None:
        asked.append(command)
        raise BadCommand("wrong_phase")

    bots = Bots(table)
    bots.turn()
    monkeypatch.setattr(table, "do", refuse)
    for _ in range(3):
        bots.turn_after(60)
    assert len(asked) == 1


def test_bots_are_renamed_play_again_and_are_no_people_of_a_group(journal):
    table = begun(journal, "medium")
    table.do(cmd.Rename("Robo 0", "Rita"))
    assert table.snapshot().state.bots == (("Rita", Level.MEDIUM),)
    play(table, "abandon, again")
    assert table.snapshot().state.bots == (("Rita", Level.MEDIUM),)
    groups = Groups(Unkept())
    groups.remember(parse({"type": "new_game", "players": seats("easy", people=("Ana", "Bea"))}))
    groups.remember(parse({"type": "new_game", "players": seats("easy", "easy", people=())}))
    assert [[player.name for player in group.players] for group in groups.all()] == [["Ana", "Bea"]]


def judged(table: Table) -> None:
    """A round that comes to its verdict, and the next one."""
    play(table, "Ana 6x6, dudo, next")


def test_a_bot_that_comes_late_plays_from_the_next_round_until_it_goes(journal):
    table = begun(journal, people=("Ana", "Bea"))
    say(table, "join", player="Pip", bot="easy", after="Bea")
    waiting = view(table.snapshot())["game"]["waiting"]
    assert [(one["name"], one["phone_cup"], one["bot"]) for one in waiting] == [("Pip", True, "easy")]
    judged(table)
    assert Table(journal, frames=1, roll=fair()).snapshot().state == table.snapshot().state
    assert "Pip" in dict(table.snapshot().state.rolled)
    while in_play(table).round.turn != "Pip":
        play(table, f"{bids(table) + 1}x2")
    assert next_call(table.snapshot()) is not None
    play(table, "Pip leaves")
    assert next_call(table.snapshot()) is None
    say(table, "join", player="Pip", phone_cup=True)
    assert dict(table.snapshot().state.bots) == {}, "a person may come by the same name"


def test_undo_takes_a_bot_that_came_late_away_again(journal):
    table = begun(journal, people=("Ana", "Bea"))
    before = table.snapshot().state
    say(table, "join", player="Pip", bot="strong")
    table.do(cmd.Rename("Pip", "Rita"))
    assert table.snapshot().state.bots == (("Rita", Level.STRONG),)
    table.do(cmd.Undo())
    assert table.snapshot().state == before


def test_an_unknown_level_is_refused():
    with pytest.raises(BadCommand):
        parse({"type": "new_game", "players": seats("divine")})
