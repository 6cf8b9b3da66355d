"""The table: one entry for commands, a refusal changes nothing, a restart and an undo restore everything."""

import threading
from contextlib import nullcontext
from dataclasses import replace

import pytest

from companion.app import table_parts
from companion.app.table_parts import Subscriber
from companion.errors import CompanionError, StaleCommand
from companion.reveal.corrections import Add, AllApart, AsRead, ByHand, SetFace, Several, Strike, TakenFor
from companion.reveal.state import ALL, WHOLE
from companion.rules.calls import Dudo
from companion.rules.position import Phase
from companion.rules.presets import PRESETS
from companion.table import commands as cmd
from companion.table.table import Fault, Table
from companion.table.view import view
from tests.companion.at_table import begin, bid, new_game, observation, play, say, see
from tests.refusals import refused


@pytest.fixture
def challenged(table):
    """Beto doubts three fours of Ana; each has three dice."""
    begin(table, "Ana Beto", "Ana 3x4, Beto dudo", starting_dice=3)
    return table


def test_a_verdict_taken_back_waits_for_a_person(challenged):
    see(challenged, 4, 4, 4, 2, 2, 6)
    back = challenged.do(cmd.Undo())
    assert (back.state.game.phase, back.held) == (Phase.REVEAL, True)
    assert see(challenged, 4, 4, 4, 2, 2, 6).state.game.phase is Phase.REVEAL
    corrected = challenged.do(cmd.Correct(SetFace("all.1", 3)))
    assert (corrected.state.game.phase, corrected.held) == (Phase.REVEAL, True)
    assert challenged.do(cmd.Confirm()).state.game.verdict.loser == "Ana"


def test_nothing_waits_for_a_person_once_the_game_is_put_away(challenged):
    see(challenged, 4, 4, 4, 2, 2)
    assert play(challenged, "undo").held
    assert not play(challenged, "abandon, away").held


def test_undo_goes_back_step_by_step_past_the_end_of_a_round(table):
    begin(table, "Ana Beto", starting_dice=3)
    states = [play(table, script).state.game for script in ("", "Ana 3x4", "Beto dudo")]
    states.append(see(table, 4, 4, 4, 2, 2, 6).state.game)
    states.append(play(table, "next").state.game)
    play(table, "Beto 2x5")
    undone = [table.do(cmd.Undo()).state.game for _ in states]
    assert undone == states[::-1]
    with refused("nothing_to_undo"):
        table.do(cmd.Undo())


def test_everything_is_back_after_a_restart(journal, challenged):
    see(challenged, 4, 4, 4, 2, 2, 6, doubtful=(2,))
    challenged.do(cmd.Correct(SetFace("all.6", 1)))
    before = challenged.snapshot()
    after = Table(journal).snapshot()
    assert after.state == before.state
    assert after.version > before.version
    assert (before.resumed, after.resumed) == (False, True)
    assert not Table(journal).do(cmd.TakeNotice()).resumed
    table_again = Table(journal)
    assert not table_again.do(cmd.Undo()).resumed
    assert Table(journal).snapshot().held


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        pytest.param(bid("Beto", "2x3"), "not_your_turn", id="out of turn"),
        pytest.param(bid("Ana", "99x3"), "exceeds_dice", id="too many dice"),
        pytest.param(bid("Zoe", "2x3"), "unknown_player", id="a stranger"),
        pytest.param(cmd.Say(Dudo("Ana")), "no_bid", id="nothing to doubt"),
        pytest.param(cmd.NextRound(), "wrong_phase", id="no verdict yet"),
        pytest.param(cmd.Confirm(), "no_reveal", id="no reveal to confirm"),
        pytest.param(cmd.Correct(ByHand(3)), "no_reveal", id="nothing to correct"),
        pytest.param(cmd.AddObservation(observation(3), ALL), "no_reveal", id="nothing to look at"),
        pytest.param(cmd.TakePicture(), "no_reveal", id="no look wanted"),
        pytest.param(cmd.Press("ok"), "press_means_nothing", id="ok while bidding"),
        pytest.param(cmd.PlayAgain(), "game_not_over", id="again too early"),
        pytest.param(new_game("Ana Beto"), "game_going_on", id="a second game"),
        pytest.param(cmd.Undo(), "nothing_to_undo", id="nothing to undo"),
    ],
)
def test_a_refused_command_changes_nothing(journal, table, command, reason):
    begin(table, "Ana Beto")
    before, records = table.snapshot(), journal.games()
    with refused(reason):
        table.do(command)
    assert table.snapshot() == before
    assert journal.games() == records


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        pytest.param(new_game("Ana"), "too_few_players", id="one player"),
        pytest.param(new_game("Ana Ana"), "names_not_distinct", id="twins"),
        pytest.param(new_game("steve StevE"), "names_not_distinct", id="one person twice"),
        pytest.param(new_game("Ana hand"), "names_not_distinct", id="a word of ours"),
        pytest.param(
            cmd.NewGame(PRESETS["modern"], (("A", ""), ("A", ""))), "names_not_distinct", id="by lot"
        ),
        pytest.param(cmd.NewGame(PRESETS["modern"], ()), "too_few_players", id="nobody"),
        pytest.param(cmd.Press("dudo"), "no_game", id="a button"),
        pytest.param(cmd.PlayAgain(), "no_game", id="again"),
        pytest.param(bid("Ana", "1x2"), "no_game", id="a bid"),
    ],
)
def test_an_empty_table_refuses_with_the_reason(table, command, reason):
    with refused(reason):
        table.do(command)
    assert table.snapshot().game_id is None


def test_a_stale_command_is_refused_but_observations_make_nothing_stale(table, challenged):
    asked = see(table, 4, 4, 4, 2, 2, 6, doubtful=(2,), frames=1).version
    see(table, 4, 4, 4, 2, 2, 6, doubtful=(2,), frames=1)
    table.do(cmd.Correct(SetFace("all.6", 6)), based_on=asked)
    with pytest.raises(StaleCommand):
        table.do(cmd.Undo(), based_on=asked)


ANA, BETO = ("Ana", "Ana"), ("Beto", "Beto")
BOTH, BOX, NEXT = (WHOLE, "Ana"), (ALL, None), ("place 2", None)
TAKEN, EMPTY, MOVED = (ALL, "Ana"), (ALL, None, 0, 0, 0), (ALL, None, 0.1, 0.2, 0.6)
"""A picture of a place, by the phone of a player or by the camera of the box, and how far down dice lie."""


@pytest.mark.parametrize(
    ("first", "then", "answer", "stale", "why"),
    [
        ([ANA], [BETO], SetFace("Ana.3", 5), False, "her dice lie there as they did"),
        ([ANA], [ANA], SetFace("Ana.3", 5), True, "her next picture shows others"),
        ([BOTH], [BETO, BOTH], SetFace("phone.3", 5), True, "numbers begin anew"),
        ([ANA, BETO], [BETO], Several((SetFace("Ana.3", 5), Strike("Beto.3"))), True, "one of two has gone"),
        ([ANA], [ANA], TakenFor("Ana"), True, "the newest picture is another one"),
        ([ANA], [BETO], TakenFor("Ana"), False, "of hers it is still the newest"),
        ([ANA, BETO], [BETO], AllApart(), True, "said of pictures that all have seen"),
        ([BOX], [NEXT], AllApart(), True, "a place more"),
        ([BOX], [BOX], AllApart(), False, "one more frame"),
        ([BOX], [BOX], AsRead(ALL), False, "of the same dice"),
        ([BOX], [EMPTY], AsRead(ALL), False, "the box was lifted"),
        ([BOX], [TAKEN], AsRead(ALL), True, "a phone's picture takes the place of the camera's"),
        ([BOX], [MOVED], AsRead(ALL), True, "the dice moved beyond recognition"),
        ([ANA], [ANA], Add(5, player="Ana"), True, "it may show the missing die"),
        ([ANA], [BETO], Add(5, player="Ana"), False, "it is missing still"),
        ([ANA], [ANA], ByHand(3), False, "counted on the table"),
        ([ANA, BETO], [BETO], cmd.Confirm(), True, "a verdict on dice that nobody has seen"),
    ],
)
def test_an_answer_is_about_the_dice_that_were_asked_about(challenged, first, then, answer, stale, why):
    def pictured(taken):
        for place, phone, *down in taken:
            seen = replace(observation(4, 2, 2, doubtful=(2,)), phone=phone)
            if down:
                dice = (replace(die, y=y) for die, y in zip(seen.dice, down, strict=True) if y)
                seen = replace(seen, dice=tuple(dice))
            challenged.do(cmd.AddObservation(seen, place))
        return challenged.snapshot().version

    asked = pictured(first)
    pictured(then)
    with refused("table_moved_on", why=why) if stale else nullcontext():
        challenged.do(answer if isinstance(answer, cmd.Confirm) else cmd.Correct(answer), based_on=asked)


@pytest.mark.parametrize(
    ("button", "by", "preset", "expected"),
    [
        pytest.param("dudo", None, "modern", ("reveal", None), id="the player on turn doubts"),
        pytest.param("dudo", "Cleo", "modern", "not_your_turn", id="another seat may not"),
        pytest.param("calza", None, "modern", ("reveal", None), id="calza by the player on turn"),
        pytest.param("calza", None, "perudo", ("bidding", "calza"), id="several may: the table asks who"),
        pytest.param("calza", "Dora", "perudo", ("reveal", None), id="a seat's own button says who"),
        pytest.param("calza", None, "lives", "calza_disabled", id="no calza by these rules"),
    ],
)
def test_a_button_means_what_the_moment_allows(table, button, by, preset, expected):
    begin(table, "Ana Beto Cleo Dora", "Ana 3x4", rules=preset)
    try:
        state = table.do(cmd.Press(button, by)).state
        found = (state.game.phase.value, state.asked.value if state.asked else None)
    except CompanionError as error:
        found = error.reason
    assert found == expected


def test_the_box_draws_lots_again_among_those_who_tie(journal):
    rolls = iter([(3, 5, 5), (2, 6)])
    table = Table(journal, roll=lambda number: next(rolls))
    begun = table.do(cmd.NewGame(PRESETS["modern"], (("Ana", ""), ("Beto", ""), ("Cleo", "")))).state
    assert (begun.game.round.starter, [*rolls]) == ("Cleo", [])


def test_a_press_that_is_nobodys_is_refused_as_that_of_the_player_on_turn(table):
    begin(table, "Ana Beto Cleo", "Ana 3x4", rules="modern", calza_by="missing_a_die")
    with refused("calza_has_all", why="nobody else may claim it"):
        table.do(cmd.Press("calza"))


def test_a_challenge_without_tracked_bids_is_asked_for_its_bid(table):
    begin(table, "Ana Beto")
    assert table.do(cmd.Press("dudo")).state.asked.value == "dudo"
    bid = {"quantity": 3, "face": 4}
    state = say(table, "challenge", call="dudo", by="Beto", bid=bid, bidder="Ana").state
    assert (state.asked, state.game.phase) == (None, Phase.REVEAL)


def test_the_winner_starts_the_next_game_with_the_same_people(table):
    begin(table, "Ana Beto", "Ana 2x4, Beto dudo", starting_dice=1)
    over = see(table, 4, 2).state.game
    assert (over.phase, over.winner) == (Phase.OVER, "Beto")
    again = table.do(cmd.PlayAgain())
    assert (again.state.game.round.starter, again.state.game.phase) == ("Beto", Phase.BIDDING)


def test_listeners_wake_when_something_happens(table):
    seen = []
    before = table.snapshot().version
    listener = threading.Thread(target=lambda: seen.append(table.wait(before, 10)))
    listener.start()
    begin(table, "Ana Beto")
    listener.join(10)
    assert seen[0].state.game


def test_waiting_ends_with_the_time_given(table):
    assert table.wait(table.snapshot().version, 0.01) == table.snapshot()


def test_a_fault_is_reported_once_and_cleared(table):
    first = table.report("camera", Fault("camera_silent"))
    assert table.report("camera", Fault("camera_silent")).version == first.version
    assert table.report("camera", None).faults == ()


@pytest.mark.parametrize(("part", "left"), [("button", 0), ("camera", 1)])
def test_a_press_that_was_refused_is_past_once_the_table_moves_on(table, part, left):
    """Regression: a dudo on a phone and on the box at once was reported on all pages until another press."""
    begin(table, "Ana Beto")
    table.report(part, Fault("press_means_nothing"))
    table.refresh()
    assert len(table.snapshot().faults) == 1, "nobody has called"
    assert len(table.do(bid("Ana", "1x3")).faults) == left


def test_quiet_turns_are_called_until_something_changes(table, monkeypatch):
    monkeypatch.setattr(table_parts, "WAIT_S", 0.001)
    calls, enough, changed = list[str](), threading.Event(), threading.Event()

    def on_change(_: object) -> None:
        calls.append("change")
        changed.set()

    def quiet(_: object) -> None:
        calls.append("quiet")
        if calls.count("quiet") == 2:
            enough.set()
            raise ValueError("a bad moment")

    following = Subscriber("test", table, on_change, on_quiet=quiet)
    assert enough.wait(10), "quiet turns follow the first snapshot"
    assert calls[0] == "change"
    changed.clear()
    table.refresh()
    assert changed.wait(10), "it goes on after a quiet turn that raised"
    following.close()


def test_nothing_is_called_while_it_is_stopped(table, monkeypatch):
    monkeypatch.setattr(table_parts, "WAIT_S", 600.0)
    quiet, begun = threading.Event(), threading.Event()
    following = Subscriber("test", table, lambda _: begun.set(), on_quiet=lambda _: quiet.set())
    assert begun.wait(10)
    following.close()
    assert not quiet.is_set()


def test_a_page_knows_the_shape_of_each_picture(challenged):
    wide = replace(observation(4, 4, 1, 2, 2, 6, doubtful=(2,)), height=750)
    now = challenged.do(cmd.AddObservation(wide, ALL))
    (place,), (shown,) = now.state.reveal.places, view(now)["reveal"]["places"]
    assert shown["height"] / shown["width"] == pytest.approx(place.height, abs=0.001)
    assert (view(now)["reveal"]["seen"], view(now)["reveal"]["missing"]) == (6, 0)


@pytest.mark.parametrize(
    ("happens", "why"),
    [
        (lambda table: table.seat({"Beto": "a phone"}), "a phone sits down"),
        (lambda table: table.keep_dice("Pip", (1, 2, 3, 4, 5)), "the box has looked at the dice of a bot"),
        (lambda table: table.watch("hand") or table.watch("hand"), "the camera sees a hand, published once"),
        (lambda table: table.report("camera", Fault("camera_silent")), "a part fails"),
        (lambda table: table.refresh(), "something beside the table has changed"),
        (lambda table: table.do(cmd.Pause(True)), "the clock stands still"),
        (lambda table: table.do(cmd.TakeNotice()), "a loss was read of"),
    ],
)
def test_what_is_no_step_of_the_game_makes_no_command_stale(table, happens, why):
    people = (("Ana", ""), ("Beto", ""), ("Pip", ""))
    begun = cmd.NewGame(PRESETS["modern"], people, "Ana", ("Ana", "Beto"), bots=(("Pip", "easy"),))
    version = table.do(begun).version
    happens(table)
    assert table.snapshot().version == version + 1, why
    table.do(bid("Ana", "2x3"), based_on=version)


def test_a_picture_that_is_asked_for_makes_no_command_stale(challenged):
    version = challenged.snapshot().version
    challenged.do(cmd.TakePicture())
    challenged.do(cmd.TakePicture(), based_on=version)


def test_a_step_can_be_taken_back_once_there_is_one(table):
    begin(table, "Ana Beto")
    assert (view(table.snapshot())["can_undo"], table.snapshot().undoes) == (False, None)
    play(table, "Ana 2x3")
    assert view(table.snapshot())["can_undo"]
