"""Whatever the table accepts is read back from its text and its JSON as it was, and the box starts again."""

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import CompanionError
from companion.reveal.corrections import Add, ByHand, Hand
from companion.rules.bids import Bid
from companion.rules.calls import BidCall, Calza, ChooseVisibility, Dudo, DudoPass, Pass
from companion.rules.presets import PRESETS
from companion.rules.records import written
from companion.storage.journal import Journal
from companion.table import commands as cmd
from companion.table.kept_game import replay
from companion.table.table import Table
from companion.table.table_events import from_json
from tests.companion.at_table import begin, in_play, play
from tests.companion.playing import rulesets, seats
from tests.refusals import refused

pytestmark = pytest.mark.slow

QUANTITIES = st.integers(1, 12) | st.sampled_from([0, 99, 100, 999, 1000, 1001, 10**9, 10**40])
BIDS = st.builds(Bid, QUANTITIES, st.integers(0, 7))
UNLIMITED = PRESETS["modern"].with_house({"max_quantity": "unlimited"})


def commands(names: tuple[str, ...]) -> st.SearchStrategy[cmd.Command]:
    """Anything that may be said or corrected, by anybody, sensible or not."""
    by = st.sampled_from((*names, "Nobody"))
    called = st.one_of(
        st.builds(BidCall, by, BIDS),
        st.builds(Dudo, by),
        st.builds(Dudo, by, BIDS, by),
        st.builds(Calza, by),
        st.builds(Calza, by, BIDS, by),
        st.builds(Pass, by),
        st.builds(DudoPass, by),
        st.builds(ChooseVisibility, by, st.sampled_from(["open", "closed"])),
    )
    corrected = st.builds(ByHand, QUANTITIES) | st.builds(Add, st.integers(1, 6))
    corrected |= st.builds(Hand, by, st.lists(st.integers(1, 6), max_size=5).map(tuple))
    plain = st.sampled_from([cmd.Confirm(), cmd.NextRound(), cmd.Undo(), cmd.Abandon(), cmd.ForgetColours()])
    recalled = called.filter(lambda call: isinstance(call, Dudo | Calza)).map(cmd.CorrectCall)
    return st.one_of(called.map(cmd.Say), called.map(cmd.Say), corrected.map(cmd.Correct), recalled, plain)


@contextmanager
def opened(path: Path) -> Iterator[Table]:
    with closing(Journal(path)) as journal:
        yield Table(journal, frames=1)


@given(rules=rulesets() | st.just(UNLIMITED), data=st.data())
@settings(max_examples=60, deadline=None)
def test_what_the_table_accepts_is_read_back_as_it_was(rules, data):
    names = data.draw(seats(rules))
    cups = tuple(name for name in names if data.draw(st.booleans()))
    with TemporaryDirectory() as folder:
        path = Path(folder) / "games"
        with opened(path) as table:
            table.do(cmd.NewGame(rules, tuple((name, "") for name in names), names[0], cups))
            for command in data.draw(st.lists(commands(names), max_size=25)):
                with suppress(CompanionError):
                    table.do(command)
            now = table.snapshot()
        with closing(Journal(path)) as journal:
            game = replay([record.body for record in journal.records(journal.current() or "")])
        assert [from_json(json.loads(json.dumps(written(one)))) for one in game.history] == [*game.history]
        with opened(path) as again:
            assert again.snapshot().state == now.state
            assert again.snapshot().ledger == now.ledger


@pytest.fixture
def unlimited(table):
    begin(table, "Ana Bea", rules=UNLIMITED)
    return table


@pytest.mark.parametrize(
    ("quantity", "reason"), [(21, None), *((n, "exceeds_most") for n in (22, 1000, 10**30))]
)
def test_an_unlimited_bid_goes_up_to_what_the_order_of_bids_may_ask_for(unlimited, quantity, reason):
    with refused(reason):
        standing = unlimited.do(cmd.Say(BidCall("Ana", Bid(quantity, 3)))).state.game.round.standing
        assert str(standing.bid) == "21x3"


@pytest.mark.parametrize("quantity", [22, 999, 1000, 10**9])
def test_a_game_in_which_an_earlier_version_took_such_a_bid_goes_on(unlimited, journal, quantity):
    game_id = unlimited.snapshot().game_id
    body = {"v": 1, "event": "called", "call": "bid", "by": "Ana", "bid": f"{quantity}x3"}
    journal.append(game_id, len(journal.records(game_id)) + 1, body)
    again = Table(journal, frames=1)
    assert in_play(again).round.standing == BidCall("Ana", Bid(quantity, 3))
    assert play(again, "Bea dudo").state.reveal is not None
