"""People come, go, are renamed and get dice back: announced to all, undoable, back after a restart."""

from contextlib import nullcontext
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from companion.errors import CompanionError, IllegalCall
from companion.storage.journal import Journal
from companion.table import commands as cmd
from companion.table.commands import Author, By
from companion.table.parsing import parse
from companion.table.snapshot import seat_words
from companion.table.table import Table
from companion.table.view import view

NAMES = ("Ana", "Bea", "Carlos")


@pytest.fixture
def table(journal):
    return Table(journal, frames=1, roll=lambda n: (6,) * n)


def say(table: Table, kind: str, **more: object) -> None:
    table.do(parse({"type": kind, **more}))


def begin(
    table: Table, *, cups: tuple[str, ...] = (), names: tuple[str, ...] = NAMES, **more: object
) -> None:
    people = [{"name": name, "phone_cup": name in cups} for name in names]
    say(table, "new_game", players=people, **{"preset": "modern", "starter": names[0], **more})


def judge(table: Table, count: int = 5) -> None:
    """Ana bids five threes, Bea doubts, so many are counted."""
    say(table, "bid", by="Ana", quantity=5, face=3)
    say(table, "dudo", by="Bea")
    say(table, "type_count", count=count)


def rolled(table: Table) -> dict[str, tuple[int, ...]]:
    return dict(table.snapshot().state.rolled)


def players(table: Table) -> list[str]:
    game = table.snapshot().state.game
    assert game
    return [player.name for player in game.players if not player.out]


def test_who_rolls_in_the_phone_and_comes_late_gets_dice_with_the_next_round(table):
    begin(table)
    say(table, "join", player="Dora", colour="yellow", after="Ana", phone_cup=True)
    assert (players(table), rolled(table)) == (list(NAMES), {})
    judge(table)
    say(table, "next_round")
    assert (players(table), rolled(table)) == (["Ana", "Dora", "Bea", "Carlos"], {"Dora": (6,) * 4})


@pytest.mark.parametrize(
    ("phone_cup", "cups", "why"),
    [
        (True, ("Ana", "Dora"), "who comes rolls in the phone, too"),
        (False, ("Ana",), "with dice of the table"),
    ],
)
def test_who_comes_changes_nobodys_cup(table, phone_cup, cups, why):
    begin(table, cups=("Ana",))
    say(table, "join", player="Dora", phone_cup=phone_cup)
    assert table.snapshot().state.cups == cups, why


def test_colours_that_were_learnt_are_forgotten_as_unknown_dice_come(table):
    begin(table)
    learnt = tuple(cmd.Colour(name, name[0], (50.0, 9.0 * n, 0.0)) for n, name in enumerate(NAMES))
    table.do(cmd.LearnColours(learnt))
    say(table, "join", player="Dora", colour="yellow")
    judge(table)
    assert table.snapshot().state.colours
    say(table, "next_round")
    assert table.snapshot().state.colours == ()


def test_who_goes_takes_the_dice_in_the_phone_along_and_undo_brings_them_back(table):
    begin(table, cups=("Ana", "Bea"))
    before = table.snapshot().state
    say(table, "leave", player="Ana")
    assert set(rolled(table)) == {"Bea"}
    say(table, "undo")
    assert table.snapshot().state == before


def test_a_palifico_round_that_loses_its_starter_is_thrown_anew(table, journal):
    dice = Random(1)
    table = Table(journal, frames=1, roll=lambda n: tuple(dice.choices(range(1, 7), k=n)))
    begin(table, cups=NAMES, house={"starting_dice": 2})
    judge(table)
    say(table, "next_round")
    before = rolled(table)
    say(table, "leave", player="Bea")
    assert set(rolled(table)) == {"Ana", "Carlos"}
    assert rolled(table) != {name: before[name] for name in ("Ana", "Carlos")}


@pytest.mark.parametrize(
    ("house", "chosen", "quantity", "reason"),
    [
        pytest.param({}, None, 1, "visibility_first", id="no choice yet"),
        pytest.param({}, None, 9, "exceeds_dice", id="a bid that could never be"),
        pytest.param({}, "usual", 1, None, id="chosen"),
        pytest.param({"palifico_view": "usual"}, None, 1, None, id="nothing to choose"),
    ],
)
def test_a_palifico_is_opened_once_its_starter_has_chosen(table, house, chosen, quantity, reason):
    begin(table, house={"starting_dice": 2, **house})
    judge(table)
    say(table, "next_round")
    if chosen:
        say(table, "choose_visibility", by="Bea", visibility=chosen)
    refused = pytest.raises(IllegalCall, match="Bea" if reason == "visibility_first" else None)
    with refused if reason else nullcontext() as caught:
        say(table, "bid", by="Bea", quantity=quantity, face=3)
    assert (caught.value.reason if caught else None) == reason


def test_a_die_handed_back_is_rolled_to_the_others(table):
    begin(table, cups=("Ana",))
    say(table, "hand_back", player="Ana", count=3)
    assert rolled(table) == {"Ana": (6, 6, 6)}
    say(table, "undo")
    assert rolled(table) == {"Ana": (6,) * 5}


def test_a_roll_for_seats_begins_again_among_those_who_stay(table):
    begin(table, cups=("Ana",), roll_off=True, starter=None)
    say(table, "hand", player="Bea", faces=[3])
    say(table, "leave", player="Carlos")
    state = table.snapshot().state
    assert state.reveal
    assert [place.player for place in state.reveal.places] == ["Bea"]
    assert set(rolled(table)) == {"Ana"}


def test_playing_again_is_for_those_who_are_still_here(table):
    begin(table, cups=("Bea",))
    say(table, "join", player="Dora", colour="yellow", phone_cup=True)
    say(table, "leave", player="Bea")
    say(table, "abandon")
    say(table, "play_again")
    assert players(table) == ["Ana", "Carlos", "Dora"]
    assert set(rolled(table)) == {"Dora"}


def test_the_last_who_stays_wins_and_the_page_can_be_drawn(table):
    begin(table)
    judge(table)
    say(table, "leave", player="Ana")
    say(table, "leave", player="Bea")
    data = view(table.snapshot())
    assert (data["state"], data["game"]["winner"], data["verdict"]) == ("over", "Carlos", None)


def test_a_verdict_is_not_judged_again_over_somebody_who_has_gone_since(table):
    begin(table)
    judge(table)
    say(table, "leave", player="Carlos")
    for kind, more in (
        ("correct_call", {"by": "Bea", "call": "dudo", "bid": {"quantity": 4, "face": 3}}),
        ("add_die", {"face": 3}),
    ):
        with pytest.raises(CompanionError) as refused:
            say(table, kind, **more)
        assert refused.value.reason == "seats_changed", kind


def test_who_comes_while_dice_are_counted_hinders_no_correction(table):
    begin(table)
    judge(table)
    say(table, "join", player="Dora")
    say(table, "correct_call", by="Bea", call="dudo", bid={"quantity": 6, "face": 3})
    game = table.snapshot().state.game
    assert game
    assert [one.name for one in game.waiting] == ["Dora"]


@pytest.mark.parametrize(
    ("house", "by", "name", "reason"),
    [
        ("everybody", By.PLAYER, "Carlos", None),
        ("host", By.PLAYER, "Bea", "undo_host"),
        ("host", By.HOST, "", None),
        ("host", By.BOX, "", None),
        ("caller", By.PLAYER, "Carlos", "undo_caller"),
        ("caller", By.PLAYER, "Bea", None),
        ("caller", By.HOST, "Ana", None),
    ],
)
def test_who_may_take_a_call_back_is_the_tables_choice(table, house, by, name, reason):
    begin(table, house={"undo": house})
    say(table, "bid", by="Ana", quantity=5, face=3)
    say(table, "dudo", by="Bea")
    if reason is None:
        announced = table.do(cmd.Undo(), author=Author(by, name)).announcement
        assert announced
        assert (announced.kind, announced.name, announced.step.kind, announced.step.player) == (
            "undone",
            name,
            "dudo",
            "Bea",
        )
        return
    with pytest.raises(CompanionError) as refused:
        table.do(cmd.Undo(), author=Author(by, name))
    assert refused.value.reason == reason


def test_a_step_that_is_nobodys_is_taken_back_by_anybody_at_the_table(table):
    begin(table, house={"undo": "caller"})
    judge(table)
    assert table.do(cmd.Undo(), author=Author(By.PLAYER, "Carlos")).state.game


def test_all_learn_who_came_and_went(table):
    begin(table)
    announced = []
    host = Author(By.HOST, "Bea")
    for command, author in (
        (cmd.Join("Dora"), Author(By.PLAYER, "Dora")),
        (cmd.HandBack("Ana", 4), host),
        (cmd.Rename("Dora", "Doris"), Author(By.PLAYER, "Dora")),
        (cmd.Leave("Ana"), host),
    ):
        now = table.do(command, author=author)
        note = now.announcement
        announced.append((note.kind, note.player, note.name, note.to, note.count))
        assert now.announced == now.version
    assert announced == [
        ("joined", "Dora", "Dora", "", 0),
        ("handed_back", "Ana", "Bea", "", 4),
        ("renamed", "Dora", "Dora", "Doris", 0),
        ("left", "Ana", "Bea", "", 0),
    ]


def test_lamps_and_screens_say_whose_word_it_is_who_lost_and_who_gained(table):
    begin(table)
    words = [seat_words(table.snapshot().state)]
    judge(table, 4)
    words.append(seat_words(table.snapshot().state))
    table.do(cmd.NextRound())
    for name, quantity in zip(NAMES, (3, 4, 5), strict=True):
        say(table, "bid", by=name, quantity=quantity, face=3)
    say(table, "calza", by="Ana")
    assert view(table.snapshot())["reveal"]["bidder"] == "Carlos"
    say(table, "type_count", count=5)
    words.append(seat_words(table.snapshot().state))
    assert words == [("starts", "in", "in"), ("loses", "in", "in"), ("gains", "in", "in")]


@pytest.mark.parametrize(
    ("goes", "dice", "why"),
    [("Bea", 4, "it was her turn"), ("Ana", 4, "her bid stood"), ("Carlos", 5, "no round waited for him")],
)
def test_who_comes_back_has_lost_the_round_that_waited_for_him(table, goes, dice, why):
    begin(table)
    say(table, "bid", by="Ana", quantity=5, face=3)
    table.do(cmd.Leave(goes))
    table.do(cmd.Join(goes))
    game = table.snapshot().state.game
    assert game
    turn = game.round.turn
    say(table, "bid", by=turn, quantity=6, face=3)
    say(table, "calza", by=game.after(turn))
    say(table, "type_count", count=6)  # exact: nobody else loses a die
    now = table.do(cmd.NextRound()).state.game
    assert now
    assert now.player(goes).dice == dice, why


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("Zoe", "Ana", "unknown_player"),
        ("Ana", "Bea", "names_not_distinct"),
        ("Ana", "Dora", "names_not_distinct"),
        ("Ana", "beA", "names_not_distinct"),
        ("Ana", "DORA", "names_not_distinct"),
        ("Ana", "ALL", "names_not_distinct"),
        ("Ana", "all", "names_not_distinct"),
        ("Ana", "place 2", "names_not_distinct"),
    ],
)
def test_a_name_that_would_be_mistaken_is_refused(table, old, new, reason):
    begin(table)
    say(table, "join", player="Dora")
    with pytest.raises(CompanionError) as refused:
        say(table, "rename", player=old, to=new)
    assert refused.value.reason == reason


COMMANDS = st.sampled_from(
    [
        {"type": "bid", "quantity": 3, "face": 3},
        {"type": "bid", "quantity": 5, "face": 2},
        {"type": "dudo"},
        {"type": "calza"},
        {"type": "pass"},
        {"type": "type_count", "count": 3},
        {"type": "next_round"},
        {"type": "undo"},
        {"type": "undo"},
        {"type": "press", "button": "dudo"},
        {"type": "join", "player": "Dora", "after": "Bea", "phone_cup": True},
        {"type": "leave", "player": "Carlos"},
        {"type": "leave", "player": "Bea"},
        {"type": "hand_back", "player": "Ana", "count": 2},
        {"type": "choose_visibility", "visibility": "open"},
        {"type": "hand", "player": "Ana", "faces": [3, 3]},
        {"type": "correct_call", "by": "Bea", "call": "dudo", "bid": {"quantity": 2, "face": 3}},
        {"type": "abandon"},
        {"type": "play_again"},
    ]
)


@pytest.mark.slow
@given(
    played=st.lists(COMMANDS, max_size=25),
    at=st.integers(0, 25),
    each=st.booleans(),
    cups=st.sampled_from([(), ("Bea",), NAMES]),
    roll_off=st.booleans(),
)
@settings(max_examples=60)
def test_a_renamed_player_has_had_the_new_name_from_the_start(
    tmp_path_factory, played, at, each, cups, roll_off
):
    """A game in which Bea becomes Zoe somewhere is, in the end, the game that Zoe played; so is it after a
    restart."""
    folder = tmp_path_factory.mktemp("renamed")
    ends = []
    for first, renames in (("Bea", True), ("Zoe", False)):
        journal = Journal(folder / f"{first}.sqlite")
        table = Table(journal, each=each, frames=1, roll=_dice())
        names = tuple(first if name == "Bea" else name for name in NAMES)
        own_cups = tuple(first if name == "Bea" else name for name in cups)
        begin(table, names=names, cups=own_cups, roll_off=roll_off, starter=None if roll_off else "Ana")
        for number, command in enumerate(played):
            if renames and number == min(at, len(played) - 1):
                assume(_is_here(table, "Bea"))
                say(table, "rename", player="Bea", to="Zoe")
                first = "Zoe"
            _try(table, {k: first if v == "Bea" else v for k, v in command.items()})
        if renames and first == "Bea":
            assume(_is_here(table, "Bea"))
            say(table, "rename", player="Bea", to="Zoe")
        ends.append(table.snapshot())
        again = Table(journal, each=each, frames=1).snapshot()
        assert (again.state, again.ledger) == (table.snapshot().state, table.snapshot().ledger)
        journal.close()
    assert ends[0].state == ends[1].state
    assert ends[0].ledger.thrown == ends[1].ledger.thrown


def _is_here(table: Table, name: str) -> bool:
    """Who goes home before the first round, or does not play again, has no name to be changed."""
    game = table.snapshot().state.game
    return game is not None and name in [player.name for player in game.players]


def _dice() -> object:
    random = Random(5)
    return lambda n: tuple(random.choices(range(1, 7), k=n))


def _try(table: Table, command: dict[str, object]) -> None:
    """Whoever is on turn says it, if the table allows it."""
    game = table.snapshot().state.game
    turn = game.round.turn if game else ""
    by = {"by": turn} if command["type"] in ("bid", "dudo", "calza", "pass", "choose_visibility") else {}
    try:
        say(table, str(command["type"]), **{k: v for k, v in {**command, **by}.items() if k != "type"})
    except CompanionError:
        return
