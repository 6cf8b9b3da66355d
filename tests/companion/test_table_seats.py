"""People come, go, are renamed and get dice back: announced to all, undoable, back after a restart."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from companion.errors import CompanionError, IllegalCall
from companion.storage.journal import Journal
from companion.table import commands as cmd
from companion.table.commands import Author, By
from companion.table.snapshot import seat_words
from companion.table.table import Table
from companion.table.view import view
from tests.companion.at_table import begin as begin_with
from tests.companion.at_table import dice, fair, in_play, play, rolled, say
from tests.refusals import refused

NAMES = ("Ana", "Bea", "Carlos")
LEARNT = tuple(cmd.Colour(name, name[0], (50.0, 9.0 * n, 0.0)) for n, name in enumerate(NAMES))
JUDGED = "Ana 5x3, Bea dudo, 5"
"""Ana bids five threes, Bea doubts, and so many are counted."""


@pytest.fixture
def table(journal):
    return Table(journal, frames=1, roll=lambda n: (6,) * n)


@pytest.fixture
def chance_table(journal):
    """A table whose dice in phones fall by chance."""
    return Table(journal, frames=1, roll=fair())


def begin(table: Table, script: str = "", names: str = "Ana Bea Carlos", **more: object) -> None:
    begin_with(table, names, script, **more)


def test_who_rolls_in_the_phone_and_comes_late_gets_dice_with_the_next_round(table):
    begin(table)
    say(table, "join", player="Dora", colour="yellow", after="Ana", phone_cup=True)
    assert (list(dice(table)), rolled(table)) == ([*NAMES], {})
    play(table, f"{JUDGED}, next")
    assert (list(dice(table)), rolled(table)) == (["Ana", "Dora", "Bea", "Carlos"], {"Dora": (6,) * 4})
    assert {one["began"] for one in view(table.snapshot())["game"]["players"]} == {5}, "nobody has a handicap"


@pytest.mark.parametrize(
    ("phone_cup", "cups", "why"),
    [
        (True, ("Ana", "Dora"), "who comes rolls in the phone, too"),
        (False, ("Ana",), "with dice of the table"),
    ],
)
def test_who_comes_changes_nobodys_cup(table, phone_cup, cups, why):
    begin(table, cups="Ana")
    say(table, "join", player="Dora", phone_cup=phone_cup)
    assert table.snapshot().state.cups == cups, why


def test_colours_that_were_learnt_are_forgotten_as_unknown_dice_come(table):
    begin(table)
    table.do(cmd.LearnColours(LEARNT))
    say(table, "join", player="Dora", colour="yellow")
    play(table, JUDGED)
    assert table.snapshot().state.colours
    play(table, "next")
    assert table.snapshot().state.colours == ()


def test_the_dice_of_who_is_out_are_nobodys(table):
    begin(table, starting_dice=1)
    table.do(cmd.LearnColours(LEARNT))
    play(table, "Ana 1x3, Bea dudo, 0, next, Bea 1x3, Carlos dudo")
    assert table.snapshot().state.reveal.owner_by_colour == (("B", "Bea"), ("C", "Carlos"))


def test_the_name_that_somebody_has_is_no_news(table):
    begin(table)
    before = table.snapshot()
    assert table.do(cmd.Rename("Ana", "Ana")) is before


@pytest.mark.parametrize("dora", [False, True])
def test_the_next_game_knows_the_same_dice_by_their_colours(journal, table, dora):
    begin(table)
    table.do(cmd.LearnColours(LEARNT))
    play(table, "abandon, Dora joins, again" if dora else "abandon, again")
    for state in (table.snapshot().state, Table(journal).snapshot().state):
        assert state.colours == (() if dora else LEARNT), "Dora's dice are unknown"
    assert table.snapshot().undoes is None


def test_who_goes_takes_the_dice_in_the_phone_along_and_undo_brings_them_back(chance_table):
    begin(chance_table, cups="Ana Bea")
    before = chance_table.snapshot().state
    play(chance_table, "Ana leaves")
    assert rolled(chance_table) == {"Bea": dict(before.rolled)["Bea"]}, "nobody else's dice change"
    play(chance_table, "undo")
    assert chance_table.snapshot().state == before


def test_a_palifico_round_that_loses_its_starter_is_thrown_anew(chance_table):
    begin(chance_table, f"{JUDGED}, next", cups="Ana Bea Carlos", starting_dice=2)
    before = rolled(chance_table)
    play(chance_table, "Bea leaves")
    assert set(rolled(chance_table)) == {"Ana", "Carlos"}
    assert rolled(chance_table) != {name: before[name] for name in ("Ana", "Carlos")}


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
    begin(table, f"{JUDGED}, next", starting_dice=2, **house)
    if chosen:
        say(table, "choose_visibility", by="Bea", visibility=chosen)
    named = {"player": "Bea"} if reason == "visibility_first" else {}
    with refused(reason, IllegalCall, **named):
        play(table, f"Bea {quantity}x3")


def test_a_roll_for_seats_begins_again_among_those_who_stay(table):
    begin(table, cups="Ana", roll_off=True)
    say(table, "hand", player="Bea", faces=[3])
    play(table, "Carlos leaves")
    state = table.snapshot().state
    assert [place.player for place in state.reveal.places] == ["Bea"]
    assert set(rolled(table)) == {"Ana"}


def test_playing_again_is_for_those_who_are_still_here(table):
    begin(table, cups="Bea")
    say(table, "join", player="Dora", colour="yellow", phone_cup=True)
    play(table, "Bea leaves, abandon, again")
    assert list(dice(table)) == ["Ana", "Carlos", "Dora"]
    assert set(rolled(table)) == {"Dora"}


def test_the_last_who_stays_wins_and_the_page_can_be_drawn(table):
    begin(table, f"{JUDGED}, Ana leaves, Bea leaves")
    data = view(table.snapshot())
    assert (data["state"], data["game"]["winner"], data["verdict"]) == ("over", "Carlos", None)


def test_a_verdict_is_not_judged_again_over_somebody_who_has_gone_since(table):
    begin(table, f"{JUDGED}, Carlos leaves")
    for kind, more in (
        ("correct_call", {"by": "Bea", "call": "dudo", "bid": {"quantity": 4, "face": 3}}),
        ("add_die", {"face": 3}),
    ):
        with refused("seats_changed", why=kind):
            say(table, kind, **more)


@pytest.mark.parametrize(
    ("since", "waiting"),
    [
        ("Dora joins", ["Dora"]),
        pytest.param("Dora joins, Emil joins, Dora leaves", ["Emil"], id="who waited has gone again"),
        pytest.param("Ana has 5", [], id="the dice that she has anyway"),
    ],
)
@pytest.mark.parametrize("kind", ["correct_call", "type_count"])
def test_what_leaves_all_in_their_seats_hinders_no_correction(table, since, waiting, kind):
    begin(table, JUDGED)
    for step in since.split(", "):
        if step == "Ana has 5":
            say(table, "hand_back", player="Ana", count=5)
        else:
            play(table, step)
    if kind == "correct_call":
        say(table, "correct_call", by="Bea", call="dudo", bid={"quantity": 6, "face": 3})
    else:
        say(table, "type_count", count=6)
    assert [one.name for one in in_play(table).waiting] == waiting
    assert [one.verdict.count_lo for one in table.snapshot().state.played][-1:] in ([], [6])


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
    begin(table, "Ana 5x3, Bea dudo", undo=house)
    with refused(reason):
        note = table.do(cmd.Undo(), author=Author(by, name)).announcement
        assert (note.kind, note.name, note.step.kind, note.step.player) == ("undone", name, "dudo", "Bea")


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
    words.append(seat_words(play(table, "Ana 5x3, Bea dudo, 4").state))
    play(table, "next, 3x3, 4x3, 5x3, Ana calza")
    assert view(table.snapshot())["reveal"]["bidder"] == "Carlos"
    words.append(seat_words(play(table, "5").state))
    assert words == [("starts", "in", "in"), ("loses", "in", "in"), ("gains", "in", "in")]


@pytest.mark.parametrize(
    ("script", "turn", "starts", "palifico", "why"),
    [
        ("Ana 2x3", "Bea", "Ana", "", "a round like any other"),
        (JUDGED, "", "Ana", "", "nobody has the word under a verdict"),
        (f"{JUDGED}, next", "Bea", "Bea", "Bea", "who came down to one die starts a palifico"),
    ],
)
def test_a_page_marks_whose_word_it_is_and_who_began(table, script, turn, starts, palifico, why):
    begin(table, script, starting_dice=2)
    players = view(table.snapshot())["game"]["players"]
    marks = {"turn": turn, "starts": starts, "palifico": palifico}
    assert {mark: " ".join(one["name"] for one in players if one[mark]) for mark in marks} == marks, why


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
    cups=st.sampled_from(["", "Bea", "Ana Bea Carlos"]),
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
        table = Table(journal, each=each, frames=1, roll=fair(5))
        begin(table, "", f"Ana {first} Carlos", cups=cups.replace("Bea", first), roll_off=roll_off)
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
    return bool(game) and name in [player.name for player in game.players]


def _try(table: Table, command: dict[str, object]) -> None:
    """Whoever is on turn says it, if the table allows it."""
    game = table.snapshot().state.game
    turn = game.round.turn if game else ""
    by = {"by": turn} if command["type"] in ("bid", "dudo", "calza", "pass", "choose_visibility") else {}
    try:
        say(table, str(command["type"]), **{k: v for k, v in {**command, **by}.items() if k != "type"})
    except CompanionError:
        return
