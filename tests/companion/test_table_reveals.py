"""Every kind of challenge comes to its verdict by looks: passes, lives, cups in the phone, early verdicts."""

from dataclasses import replace

import pytest
from msgspec import structs

from companion.app.system.box_parts import lamp_view
from companion.errors import StaleCommand
from companion.reveal.assessing import assess
from companion.reveal.corrections import Hand
from companion.reveal.state import ALL
from companion.rules.calls import Calza, Dudo
from companion.rules.judge import settling
from companion.rules.position import Phase
from companion.rules.presets import PRESETS
from companion.table import commands as cmd
from companion.table.commands import BOX, Author, By
from companion.table.state import assessment
from companion.table.table import Table
from companion.table.view import view
from tests.companion.at_table import begin, command, new_game, observation, play, see
from tests.refusals import refused


@pytest.fixture
def table(journal):
    return Table(journal, roll=lambda n: (5,) * n)


def test_another_player_s_dice_beside_a_called_pass_are_one_too_many(table):
    begin(table, "Ana Beto Cleo", "Ana 3x4, Beto pass, Cleo dudo_pass")
    now = see(table, 2, 2, 2, 5, 5, 6)
    assert now.state.game.phase is Phase.REVEAL
    assert [(p.key, p.number) for p in assessment(now.state).problems] == [("too_many", 1)]


def test_cups_in_the_phone_and_dice_under_the_camera_count_together(table):
    begin(table, "Ana Beto Cleo", "Ana 8x5, Beto dudo", cups="Cleo")
    assert any(isinstance(step, Hand) for step in table.snapshot().state.reveal.steps)
    game = see(table, 5, 5, 1, 2, 2, 6, 3, 3, 4, 4).state.game
    assert (game.verdict.count_lo, game.verdict.loser) == (8, "Beto")


EIGHT = replace(PRESETS["modern"], starting_dice=8, palifico="off")
"""Sixteen dice of two; `table` rolls fives in phones, so eight match of each cup there."""


@pytest.mark.parametrize(
    ("why", "cups", "said", "settled"),
    [
        ("every cup is in a phone", "Ana Beto", "3x5 dudo", True),
        ("no cup is in a phone", "", "3x5 dudo", False),
        ("a phone's eight are enough, whatever lies in the cup", "Ana", "8x5 dudo", True),
        ("one more is looked for in the cup", "Ana", "9x5 dudo", False),
        ("too few are left in the cup", "Ana", "9x4 dudo", True),
        ("the cup alone might hold eight", "Ana", "8x4 dudo", False),
        ("a bot's eight are enough", "Beto", "8x5 bot dudo", True),
        ("beside a bot one more is looked for", "Beto", "9x5 bot dudo", False),
        ("a calza of fewer than a phone has is missed", "Ana", "7x5 calza", True),
        ("a calza of just these may yet be missed", "Ana", "8x5 calza", False),
        ("a calza of more than there can be is missed", "Ana", "9x4 calza", True),
    ],
)
def test_only_a_die_that_can_change_it_holds_the_verdict_up(table, why, cups, said, settled):
    bid, *by_bot, challenge = said.split()
    bots = (("Beto", "easy"),) if by_bot else ()
    table.do(structs.replace(new_game("Ana Beto", rules=EIGHT, cups=cups), bots=bots))
    play(table, f"Ana {bid}")
    now = table.do(command(f"Beto {challenge}"), author=Author(By.BOT, "Beto") if bots else BOX)
    assert now.state.game.phase is (Phase.VERDICT if settled else Phase.REVEAL), why
    assert (now.reveal == 0) is settled, why


def mixed(table: Table, said: str = "8x5") -> None:
    """Ana rolls eight fives in the phone, Beto has eight dice under the cup, and doubts."""
    begin(table, "Ana Beto", f"Ana {said}, Beto dudo", rules=EIGHT, cups="Ana")


CUP = (1, 2, 2, 3, 3, 4, 4, 6)
"""Beto's dice: one counts with the fives."""


@pytest.mark.parametrize(
    ("why", "said", "then", "phase", "loser"),
    [
        ("the cup is lifted, and nobody confirms", "9x5", "see", Phase.VERDICT, "Beto"),
        ("a count by hand is said once", "9x5", "5", Phase.VERDICT, "Ana"),
        ("its call goes with the verdict", "8x5", "undo", Phase.BIDDING, None),
        ("and the same call comes to it again", "8x5", "undo, Beto dudo", Phase.VERDICT, "Beto"),
        ("a verdict by the camera goes alone", "9x5", "see, undo", Phase.REVEAL, None),
        ("and waits for a person from then on", "9x5", "see, undo, see", Phase.REVEAL, None),
        ("who confirms it", "9x5", "see, undo, confirm", Phase.VERDICT, "Beto"),
        ("a correction is judged at once", "8x5", "5", Phase.VERDICT, "Ana"),
        ("and goes alone", "8x5", "5, undo", Phase.VERDICT, "Beto"),
        ("another call that only the cup decides is looked at", "8x5", "calza", Phase.REVEAL, None),
        ("and judged once it was seen", "8x5", "calza, see", Phase.VERDICT, "Beto"),
    ],
)
def test_a_verdict_of_a_phone_and_a_cup_is_undone_and_corrected(table, why, said, then, phase, loser):
    mixed(table, said)
    for what in then.split(", "):
        if what == "see":
            now = see(table, *CUP)
        else:
            now = table.do(cmd.CorrectCall(Calza("Beto"))) if what == "calza" else play(table, what)
    assert (now.state.game.phase, getattr(now.state.game.verdict, "loser", None)) == (phase, loser), why


def test_a_verdict_of_dice_in_phones_is_taken_back_with_its_call(table):
    """Nobody could correct anything in between. The call may be noted otherwise, and another one follows."""
    begin(table, "Ana Beto", "Ana 3x5, Beto dudo", cups="Ana Beto")
    recalled = table.do(cmd.CorrectCall(Calza("Beto"))).state.game
    assert (recalled.phase, recalled.verdict.call) == (Phase.VERDICT, Calza("Beto"))
    before = table.do(cmd.Undo()).state.game
    assert (before.phase, [str(said.bid) for said in before.round.bids]) == (Phase.BIDDING, ["3x5"])
    assert table.do(cmd.Say(Dudo("Beto"))).state.game.phase is Phase.VERDICT


@pytest.mark.parametrize(
    ("why", "quantity", "doubtful", "early", "expected"),
    [
        ("enough already", 3, (5, 6), "enough", (4, 6)),
        ("cannot be any more", 7, (5, 6), "short", (4, 6)),
        ("all known", 3, (), "", (4, 4)),
    ],
)
def test_an_early_verdict_says_why_the_rest_does_not_matter(table, why, quantity, doubtful, early, expected):
    begin(table, "Ana Beto", f"Ana {quantity}x4, Beto dudo")
    now = see(table, 4, 4, 1, 4, 2, 6, 3, 3, 5, 5, doubtful=doubtful)
    shown = view(now)["reveal"]
    assert (shown["early"], (shown["lo"], shown["hi"])) == (early, expected), why
    assert now.state.game.phase is Phase.VERDICT


@pytest.mark.parametrize(
    ("why", "call", "dice", "expected"),
    [
        ("nobody has looked yet", "dudo", (), ("change", 10)),
        ("too few so far, and enough are unseen", "dudo", (4, 2, 3, 3, 6, 6, 5, 5), ("change", 2)),
        ("there already, if all belong", "dudo", (4, 4, 4, 2, 3, 3, 6, 6), ("stranger", 2)),
        ("exact so far", "calza", (4, 4, 4, 2, 3, 3, 6, 6, 5), ("change", 1)),
        ("more than said, if all belong", "calza", (4, 4, 4, 4, 3, 3, 6), ("stranger", 3)),
    ],
)
def test_a_reveal_that_unseen_dice_hold_open_says_so(table, why, call, dice, expected):
    begin(table, "Ana Beto", f"Ana 3x4, Beto {call}")
    now = see(table, *dice) if dice else table.snapshot()
    shown = view(now)["reveal"]
    assert (shown["open"], shown["unseen"]) == expected, why


def doubted(table):
    begin(table, "Ana Beto", starting_dice=3)
    return play(table, "Ana 3x4, Beto dudo").reveal


def test_each_reveal_has_a_number_of_its_own(table):
    first = doubted(table)
    table.do(cmd.Undo())
    assert table.snapshot().reveal == 0
    again = table.do(cmd.Say(Dudo("Beto"))).reveal
    assert 0 < first < again
    assert table.do(cmd.TakePicture()).reveal == again
    see(table, 4, 4, 4, 2, 2, 6)
    assert table.snapshot().reveal == 0
    back = table.do(cmd.Undo())
    assert (back.reveal > again, back.capturing) == (True, 0), "a verdict taken back waits for a person"
    asked = table.do(cmd.TakePicture())
    assert asked.reveal == asked.capturing == back.reveal


@pytest.mark.parametrize("restarted", [False, True], ids=["", "a box started anew"])
@pytest.mark.parametrize("taken_back", [True, False], ids=["the same call again", "the next round"])
def test_an_observation_of_an_older_reveal_is_refused(journal, table, taken_back, restarted):
    older = doubted(table)
    if taken_back:
        play(table, "undo, Beto dudo")
    else:
        see(table, 4, 4, 4, 2, 2, 6)
        play(table, "next, Beto 1x4, Ana dudo")
    if restarted:
        table = Table(journal)
    late = cmd.AddObservation(observation(4, 4, 4, 2, 2, 6), ALL, older)
    before = table.snapshot()
    with refused("look_too_late", StaleCommand):
        table.do(late)
    assert table.snapshot() is before
    assert table.do(structs.replace(late, reveal=before.reveal)).state.reveal.steps


def test_pictures_asked_for_in_one_reveal_are_not_asked_for_in_the_next(table):
    doubted(table)
    assert table.do(cmd.TakePicture("all")).wanted == 1
    now = play(table, "undo, Beto dudo")
    assert (now.wanted, now.place) == (0, None)


def test_however_many_ask_a_reveal_is_assessed_once(table, monkeypatch):
    made = []
    monkeypatch.setattr("companion.table.state.assess", lambda *a, **kw: made.append(a) or assess(*a, **kw))
    doubted(table)
    made.clear()
    now = see(table, 4, 4)
    assert len(made) == len(now.state.reveal.steps), "once for each look"
    for _ in range(2):
        view(now)
        lamp_view(now)
    assert assessment(now.state) == assess(made[-1][0], settled=settling(now.state.game))
    assert len(made) == len(now.state.reveal.steps)
