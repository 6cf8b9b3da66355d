"""The ledger, which no undo changes: it survives a restart, and games of earlier versions have none."""

from collections import Counter
from contextlib import closing
from hashlib import sha256
from itertools import count, islice

import pytest

from companion.rules.presets import PRESETS
from companion.storage.journal import Journal
from companion.table import commands as cmd
from companion.table.casting import commitment, dice_of
from companion.table.cups import Why, known_dice
from companion.table.ledger import EMPTY, Held, Kind, Ledger, Sat, seats_held
from companion.table.table import Table
from companion.table.wire.game import SeedJson
from tests.companion.at_table import begin, play, rolled, say
from tests.new_games import new_game

LEDGER = ("sealed", "thrown", "sat", "held", "noted")


@pytest.mark.parametrize(
    ("seats", "held", "found", "why"),
    [
        ((("Ana", "a"),), (), (("Ana", "a"),), "Bea has no phone"),
        (
            (("Ana", "a"), ("Bea", "b")),
            (("Ana", "c"),),
            (("Bea", "b"),),
            "another phone held Ana's before",
        ),
        ((("Ana", "a"), ("Bea", "b")), (("Bea", "a"),), (), "Ana's phone held Bea's seat before"),
        ((), (), (), "nobody has a phone"),
    ],
)
def test_a_round_holds_one_seat_for_each_phone_that_sits(seats, held, found, why):
    ledger = Ledger("sealed", seats=tuple(Sat(*one) for one in seats), held=(Held(1, held),))
    game = new_game(PRESETS["modern"], ("Ana", "Bea"), "Ana")
    assert seats_held(ledger, game) == ((Held(1, found),) if found else ()), why


def test_a_phone_is_written_down_as_journals_always_had_it():
    assert Ledger("seal").mark("phone") == "f6b2fd7ad1c0d627f32c576b"


@pytest.fixture
def earlier(tmp_path):
    """A game with dice in phones that a version without a ledger began."""
    with closing(Journal(tmp_path / "new.sqlite")) as new, closing(Journal(tmp_path / "old.sqlite")) as old:
        begin(Table(new), "Ana Bea", cups="Ana Bea")
        bodies = [record.body for record in new.records(new.current() or "")]
        old.create(*(body for body in bodies if body["event"] not in LEDGER))
        yield Table(old)


def test_a_game_of_an_earlier_version_goes_on_with_its_dice(earlier):
    now = earlier.snapshot()
    assert now.ledger == EMPTY
    shown = known_dice(now.state, now.ledger, "Ana", "any phone")
    assert (shown.why, shown.hands) == (Why.OWN, (("Ana", dict(now.state.rolled)["Ana"]),))
    earlier.seat({"Bea": "the phone of Bea"})
    anew = play(earlier, "Ana 2x3, Bea dudo, undo")
    assert anew.state.rolled != now.state.rolled
    assert [note.kind for note in anew.ledger.notes] == [Kind.TAKEN_BACK]
    assert [len(anew.ledger.lasting(number)) for number in (1, 2, 3)] == [1, 1, 0], "and the next round"


def test_and_its_next_round_is_one_of_this_version(earlier):
    earlier.seat({"Bea": "the phone of Bea"})
    now = play(earlier, "Ana 2x3, Bea dudo, next")
    assert known_dice(now.state, now.ledger, "Bea", "the phone of Bea").why is Why.OWN
    assert known_dice(now.state, now.ledger, "Bea", "another phone").why is Why.NEWCOMER


def with_phone(journal: Journal) -> Table:
    """Ana and Bea roll in phones; that of Bea is known."""
    table = Table(journal)
    table.seat({"Bea": "the phone of Bea"})
    begin(table, "Ana Bea", cups="Ana Bea")
    return table


def test_who_sits_by_the_journal_holds_the_next_round_too(journal):
    """The box starts again, and the next round begins before the phones have come back."""
    table = with_phone(journal)
    play(table, "Ana 2x3, Bea dudo")
    now = Table(journal).do(cmd.NextRound())
    assert known_dice(now.state, now.ledger, "Bea", "the phone of Bea").why is Why.OWN


def test_a_seat_is_taken_by_another_phone_alone(journal):
    table = with_phone(journal)
    for phone in ("another phone", "", "the phone of Bea"):
        table.seat({"Bea": phone})
    assert [note.kind for note in table.snapshot().ledger.notes] == [Kind.SEAT_TAKEN]


def test_a_player_who_is_renamed_keeps_the_phone(journal):
    table = with_phone(journal)
    table.do(cmd.Rename("Bea", "Zoe"))
    now = play(table, "Ana 2x3, Zoe dudo, next")
    assert known_dice(now.state, now.ledger, "Zoe", "the phone of Bea").why is Why.OWN


def test_a_corrected_verdict_that_leaves_more_dice_adds_to_the_throw(journal):
    """A verdict that cost a die is corrected: the four dice that were seen are among the five."""
    rolls = count(1)
    table = Table(journal, roll=lambda n: tuple(1 + next(rolls) % 6 for _ in range(n)))
    begin(table, "Ana Bea", cups="Ana Bea")
    loser = play(table, "Ana 1x6, Bea dudo").state.game.verdict.loser
    play(table, "next")
    before = rolled(table)[loser]
    play(table, "undo")
    say(table, "correct_call", by="Bea", call="dudo", bid={"quantity": 10, "face": 6})
    play(table, "next")
    after = rolled(table)[loser]
    assert (len(before), len(after), after[:4]) == (4, 5, before)


def test_a_phone_that_comes_back_to_its_seat_is_written_down_once(journal):
    table = with_phone(journal)
    written = len(journal.records(journal.current() or ""))
    for _ in range(3):
        table = Table(journal)
        table.seat({"Bea": "the phone of Bea"})
    assert len(journal.records(journal.current() or "")) == written


def test_who_ties_rolls_the_same_die_again_after_going_back(journal):
    dice = iter([1] * 64 + [3, 3, 4, 5] + [2] * 20)
    table = Table(journal, roll=lambda n: tuple(next(dice) for _ in range(n)))
    begun = begin(table, "Ana Bea", cups="Ana Bea", roll_off=True).state
    assert table.do(cmd.Undo()).state.rolled == (("Ana", (4,)), ("Bea", (5,)))
    assert table.do(cmd.Undo()).state.rolled == (("Ana", (3,)), ("Bea", (3,)))
    assert table.do(cmd.Confirm()).state == begun


def begun(journal: Journal, cups: str = "Ana Bea", **house: object) -> Table:
    table = Table(journal, frames=1)
    begin(table, "Ana Bea", cups=cups, **house)
    return table


def known(table: Table) -> SeedJson | None:
    now = table.snapshot()
    return commitment(now.state, now.ledger)


def seed_shown(table: Table) -> str | None:
    return known(table)["seed"]


def checked(seed: str, throw: str, player: str, dice: int) -> tuple[int, ...]:
    """The dice as the documentation has anybody work them out."""
    found: list[int] = []
    for block in count():
        found += [
            b % 6 + 1 for b in sha256(f"{seed}/{throw}/{player}/0/{block}".encode()).digest() if b < 252
        ]
        if len(found) >= dice:
            return tuple(found[:dice])
    raise AssertionError


def test_the_hash_comes_before_the_bids_and_the_seed_with_the_dice(journal):
    table = begun(journal)
    before = known(table)
    assert before["seed"] is None
    play(table, "Ana 2x3, Bea dudo")
    after = known(table)
    assert sha256(after["seed"].encode()).hexdigest() == before["hash"]
    for player, faces in table.snapshot().state.rolled:
        assert checked(after["seed"], "round 1 normal 0", player, 5) == faces
    assert commitment(Table(journal).snapshot().state, Table(journal).snapshot().ledger) == after


def test_each_round_and_each_new_throw_of_it_has_a_seed_of_its_own(journal):
    table = begun(journal)
    seen = [known(table)]
    play(table, "Ana 2x3, Bea dudo")
    table.do(cmd.Undo())
    seen.append(known(table))
    play(table, "Bea dudo, next")
    seen.append(known(table))
    assert len({found["hash"] for found in seen}) == 3
    assert {found["seed"] for found in seen} == {None}


def test_who_doubts_a_pass_does_not_learn_the_seed_of_the_other_dice(journal):
    table = begun(journal, passing=True)
    play(table, "Ana 2x3, Bea pass, Ana dudo_pass")
    assert seed_shown(table) is None


def test_where_the_box_rolls_for_nobody_there_is_none(journal):
    assert known(begun(journal, cups="")) is None
    assert known(Table(journal)) is None


def test_dice_of_a_seed_are_fair():
    """60 000 dice: chi-square with five degrees of freedom is below 20.5 in 999 cases of 1000."""
    thrown = Counter(islice(dice_of("seed", "round 1 normal 0", "Ana", 0), 60_000))
    assert sum((thrown[face] - 10_000) ** 2 / 10_000 for face in range(1, 7)) < 20.5
