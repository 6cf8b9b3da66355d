"""Who sits where: the table alone has it, so whatever happens at the table, a phone is the same person."""

from collections.abc import Callable

import pytest

from companion.storage.journal import Journal
from companion.table import commands as cmd
from companion.table.cups import Why, known_dice
from companion.table.table import Table
from tests.companion.at_table import begin, play

PHONES = {"Ana": "a", "Bea": "b"}


@pytest.fixture
def table(journal: Journal) -> Table:
    """Ana and Bea roll in their phones a and b; nobody else has come."""
    made = Table(journal)
    begin(made, "Ana Bea", cups="Ana Bea")
    made.seat(PHONES)
    return made


def again(table: Table, people: str, **more: str) -> None:
    """Another game after this one was stopped."""
    table.do(cmd.Abandon())
    table.do(cmd.PutAway())
    begin(table, people, cups=people, **more)


def with_bot(table: Table) -> None:
    """Bea has gone home, and a bot plays for her."""
    table.do(cmd.Leave("Bea"))
    table.do(cmd.Join("Bea", bot="easy"))


def without(table: Table) -> None:
    """Dora came, with a phone, and it is taken back."""
    table.do(cmd.Join("Dora"))
    table.seat({"Dora": "d"})
    table.do(cmd.Undo())


def renamed_to_one_before(table: Table) -> None:
    """Bea's phone is still there, and Ana takes her name."""
    again(table, "Ana Zoe")
    table.do(cmd.Rename("Ana", "Bea"))


@pytest.mark.parametrize(
    ("happens", "seats", "sat_for", "why"),
    [
        (lambda table: None, ("Ana", "Bea"), ("Bea",), "as they sat down"),
        (lambda table: table.do(cmd.Rename("Bea", "Zoe")), ("Ana", "Zoe"), ("Zoe",), "the phone keeps it"),
        (lambda table: table.seat({"Ana": "b"}), (None, "Ana"), ("Ana", "Bea"), "a phone has one seat"),
        (lambda table: table.seat({"Bea": ""}), ("Ana", None), ("Bea",), "who gets up is the same person"),
        (lambda table: table.do(cmd.Leave("Bea")), ("Ana", None), ("Bea",), "who goes home, too"),
        (lambda table: play(table, "Ana 2x3, Bea dudo, next"), ("Ana", "Bea"), ("Bea",), "a round later"),
        (with_bot, ("Ana", None), (), "no phone has a bot's seat"),
        (without, ("Ana", "Bea"), ("Bea",), "of another nothing stays"),
        (lambda table: again(table, "bea ANA"), ("ANA", "bea"), ("bea",), "spelt otherwise in the next game"),
        (lambda table: again(table, "Ana Zoe"), ("Ana", None), (), "of an earlier game"),
        (renamed_to_one_before, ("Bea", None), (), "nor with a name that somebody takes over"),
        (lambda table: table.do(cmd.Abandon()), ("Ana", "Bea"), ("Bea",), "the game is over"),
    ],
)
def test_who_sits_where(
    table: Table,
    happens: Callable[[Table], object],
    seats: tuple[str | None, ...],
    sat_for: tuple[str, ...],
    why: str,
) -> None:
    happens(table)
    now = table.snapshot()
    assert (tuple(now.seat_of(phone) for phone in "ab"), now.sitting.sat_for("b")) == (seats, sat_for), why


@pytest.mark.parametrize(
    ("happens", "seat"),
    [
        (lambda table: None, "Bea"),
        (lambda table: table.do(cmd.Rename("Bea", "Zoe")), "Zoe"),
        (lambda table: again(table, "bea ANA"), "bea"),
    ],
)
def test_whoever_has_the_seat_as_the_dice_are_thrown_knows_them(
    table: Table, happens: Callable[[Table], object], seat: str
) -> None:
    happens(table)
    now = table.snapshot()
    assert now.seat_of("b") == seat
    assert known_dice(now.state, now.ledger, seat, "b").why is Why.OWN


@pytest.mark.parametrize(
    ("happens", "why"),
    [
        (lambda table: table.do(cmd.CorrectRound(1, 0)), "of an earlier round, with those since"),
        (lambda table: table.do(cmd.CorrectRound(1, 0, keep_dice=True)), "without them"),
        (lambda table: table.do(cmd.Rename("Bea", "Bee")), "and a name is put right"),
        (lambda table: play(table, "2x3, undo"), "a bid is taken back"),
    ],
)
def test_whoever_sat_down_since_the_dice_were_thrown_knows_none_by_a_correction(
    table: Table, happens: Callable[[Table], object], why: str
) -> None:
    table.seat({"Bea": ""})
    play(table, "Ana 2x3, Bea dudo, next")
    table.seat({"Bea": "c"})
    happens(table)
    now = table.snapshot()
    assert known_dice(now.state, now.ledger, now.seat_of("c"), "c").why is Why.NEWCOMER, why


def test_a_seat_of_a_player_who_is_not_in_the_game_is_kept_for_the_next(table: Table) -> None:
    again(table, "Ana Zoe")
    again(table, "Ana Bea")
    assert table.snapshot().seat_of("b") == "Bea"
