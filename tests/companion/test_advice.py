"""What the page's odds know: what a phone may know, or what was typed, and advice once a hand is whole."""

import pytest

from companion.rules.bids import Bid
from companion.rules.position import Phase
from companion.storage.journal import Journal
from companion.table import commands as cmd
from companion.table.parsing import parse
from companion.table.table import Table
from tests.companion.at_table import play
from tests.companion.outside.tables import ChanceTable
from web.pages.dialogs import coaching


@pytest.fixture
def table(tmp_path):
    journal = Journal(tmp_path / "games")
    table = Table(journal, frames=1, roll=lambda number: (4,) * number)
    table.seat("Ana", "of Ana")
    players = [{"name": "Ana", "phone_cup": True}, {"name": "Bea"}, {"name": "Carlos"}]
    table.do(parse({"type": "new_game", "players": players, "preset": "classic", "starter": "Ana"}))
    yield table
    journal.close()


def asked(table: Table, seat: str | None, typed: tuple[int, ...] = (), phone: str = "phone"):
    found = coaching(table.snapshot(), seat, phone, typed)
    assert found is not None
    return found


def test_without_dice_there_are_odds_and_no_advice(table):
    found = asked(table, "Bea")
    assert found.advice is None
    assert 0 < found.odds.holds(Bid(5, 4)) < 1
    assert asked(table, "Bea", (4, 4)).advice is None, "two of five dice are known"


@pytest.mark.parametrize("seat", ["Ana", None])
def test_a_whole_hand_is_advised_for_the_seat_or_for_who_is_on_turn(table, seat):
    found = asked(table, seat, (4, 4, 4, 1, 1))
    assert found.odds.holds(Bid(5, 4)) == 1
    assert found.advice.calls[0].wins == 1


def test_a_phone_in_another_seat_learns_nothing_of_a_cup(table):
    mine, theirs = asked(table, "Ana", phone="of Ana"), asked(table, "Bea", phone="of Ana")
    assert mine.odds.holds(Bid(5, 4)) == 1
    assert theirs.odds.holds(Bid(5, 4)) < 1


def test_without_a_game_there_is_nothing_to_tell(table):
    table.do(cmd.Abandon())
    assert coaching(table.snapshot(), "Ana", "phone", (4,) * 5) is None
    table.do(cmd.PutAway())
    assert coaching(table.snapshot(), "Ana", "phone", ()) is None


def test_there_are_odds_as_long_as_the_dice_of_the_round_are_in_question(tmp_path):
    """At the verdict a player has fewer dice than are shown: nothing of it can be said of the next round."""
    found = []
    with ChanceTable(tmp_path / "table", people=("Ana", "Beto"), starting_dice=2) as chance:
        chance.table.seat("Ana", "of Ana")
        while not chance.winners:
            now = chance.act()
            found.append((now.state.game.phase, coaching(now, "Ana", "of Ana", ()) is not None))
    phases = {Phase.BIDDING: True, Phase.REVEAL: True, Phase.VERDICT: False, Phase.OVER: False}
    assert {phase: phases[phase] for phase, _ in found} == dict(found)
    assert {Phase.BIDDING, Phase.VERDICT, Phase.OVER} <= {phase for phase, _ in found}


def test_a_roll_for_seats_has_no_odds(table):
    play(table, "abandon, away")
    players = [{"name": "Ana", "phone_cup": True}, {"name": "Bea"}]
    table.do(parse({"type": "new_game", "players": players, "roll_off": True}))
    assert coaching(table.snapshot(), "Ana", "of Ana", ()) is None
