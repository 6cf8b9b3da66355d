"""The roll for seats and starter: by camera, by hand or in the phone, with ties, and colours learnt by it."""

from dataclasses import replace

import pytest

from companion.reveal.corrections import ByHand, Hand, SameDie, SetFace, Strike, TwoDice
from companion.reveal.observations import Observation, SeenDie
from companion.reveal.owners import learn_colours
from companion.reveal.questions import Ask
from companion.rules.bids import Bid
from companion.rules.calls import Dudo
from companion.rules.position import Phase
from companion.table import commands as cmd
from companion.table.snapshot import seat_words
from companion.table.state import assessment
from companion.table.table import Table
from companion.table.view import view
from tests.companion.at_table import begin, in_play, observation, play
from tests.refusals import refused

COLOURS = {"Ana": "red", "Beto": "blue", "Cleo": "ivory"}
RGB = {"red": (160, 40, 40), "blue": (60, 90, 150), "ivory": (232, 224, 196), "white": (236, 238, 234)}


def rolling(table, cups="", **house):
    return begin(table, " ".join(COLOURS), rules="classic", cups=cups, roll_off=True, **house)


def die(face, colour="ivory", x=0.5, certain=True):
    return SeenDie(face, x, 0.5, 0.1, 0.9, certain, colour, (), (), 10.0 * face, RGB[colour])


def show(table, player, *dice, frames=2):
    """Frames of a player's place; each player's die lies a little elsewhere."""
    x = 0.2 * (1 + list(COLOURS).index(player))
    dice = tuple(d if isinstance(d, SeenDie) else die(d, COLOURS[player], x) for d in dice)
    for _ in range(frames):
        table.do(cmd.AddObservation(Observation(1000, 1000, dice, all(d.certain for d in dice)), player))
    return table.snapshot()


def test_every_player_shows_one_die_and_the_highest_starts(table):
    assert rolling(table).state.game.phase is Phase.ROLLOFF
    for player, face in (("Ana", 3), ("Beto", 6)):
        assert show(table, player, face).state.game.phase is Phase.ROLLOFF
    done = show(table, "Cleo", 4).state
    assert (done.game.phase, done.game.round.starter) == (Phase.BIDDING, "Beto")
    assert (done.reveal, done.rolls) == (None, ())


def test_page_and_lamps_lead_from_one_to_the_next(table):
    rolling(table)
    led = []
    for player in COLOURS:
        led.append((assessment(table.snapshot().state).next_place, seat_words(table.snapshot().state)))
        if player != "Cleo":
            show(table, player, 2)
    assert led == [
        ("Ana", ("starts", "in", "in")),
        ("Beto", ("in", "starts", "in")),
        ("Cleo", ("in", "in", "starts")),
    ]


@pytest.mark.parametrize(
    ("why", "order", "first", "second", "seats", "starter"),
    [
        ("those tied for the first word", "starter_only", (5, 5, 2), {"Ana": 1, "Beto": 4}, "ABC", "Beto"),
        ("those tied for a seat", "all", (2, 5, 2), {"Ana": 1, "Cleo": 4}, "BCA", "Beto"),
        ("everybody", "all", (2, 2, 2), {"Ana": 1, "Beto": 2, "Cleo": 4}, "CBA", "Cleo"),
    ],
)
@pytest.mark.parametrize("by", ["camera", "hand", "phone form"])
def test_those_who_tie_roll_again(journal, table, by, why, order, first, second, seats, starter):
    rolling(table, order=order)
    tell = {"camera": show, "hand": _by_hand}.get(by)
    if tell:
        for player, face in zip(COLOURS, first, strict=True):
            tell(table, player, face)
    else:
        table.do(cmd.RollOff((dict(zip(COLOURS, first, strict=True)),)))
    tied = table.snapshot().state
    assert tied.game.phase is Phase.ROLLOFF, why
    assert [player for player, _ in tied.reveal.by_player] == list(second), why
    assert Table(journal).snapshot().state == tied, "a restart finds the tie"
    for player, face in second.items() if tell else ():
        tell(table, player, face)
    if not tell:
        table.do(cmd.RollOff((*map(dict, tied.rolls), second)))
    game = table.snapshot().state.game
    assert (game.round.starter, "".join(p.name[0] for p in game.players)) == (starter, seats), why


def _by_hand(table, player, *faces):
    table.do(cmd.Correct(Hand(player, faces)))


def test_camera_and_hand_go_together(table):
    rolling(table)
    show(table, "Ana", 3)
    _by_hand(table, "Beto", 2)
    assert assessment(table.snapshot().state).next_place == "Cleo"
    assert show(table, "Cleo", 4).state.game.round.starter == "Cleo"


def test_who_plays_in_the_phone_rolls_there_alone(table):
    rolling(table, cups="Beto")
    assert table.snapshot().state.rolled == (("Beto", (6,)),)
    assert [place.name for place in table.snapshot().state.reveal.places] == ["Ana", "Cleo"]
    show(table, "Ana", 3)
    done = show(table, "Cleo", 4).state
    assert done.game.round.starter == "Beto"
    assert done.rolled == (("Beto", (6,) * 5),), "and then has a cup full of dice"


def test_a_roll_in_phones_alone_needs_nobody_to_go_on(journal):
    """Ana and Beto tie; both rolls stay in the ledger, so that a step back finds the same dice."""
    faces = iter((*(6,) * 64, 6, 6, 2, 3, 5, *(4,) * 15))
    table = Table(journal, roll=lambda n: tuple(next(faces) for _ in range(n)))
    now = rolling(table, cups=" ".join(COLOURS), order="starter_only")
    assert (now.state.game.phase, now.state.game.round.starter) == (Phase.BIDDING, "Beto")
    assert view(now)["game"]["seat_roll"]["rolls"] == [
        {"Ana": 6, "Beto": 6, "Cleo": 2},
        {"Ana": 3, "Beto": 5},
    ]
    assert [now.ledger.row("roll 1", name) for name in COLOURS] == [(3,), (5,), ()]
    assert now.ledger.row("roll 0", "Cleo") == (2,)
    assert table.do(cmd.Undo()).state.game.phase is Phase.ROLLOFF
    assert table.do(cmd.Press("ok")).state == now.state


@pytest.mark.parametrize(
    ("why", "dice", "asked", "answer"),
    [
        ("a doubtful die", (die(5, certain=False),), Ask.FACE, SetFace("Ana.1", 5)),
        ("a die too many", (die(5), die(2, x=0.8)), Ask.EXTRA, Strike("Ana.2")),
        ("something else beside it", (die(5), die(2, x=0.8, certain=False)), Ask.FACE, Strike("Ana.2")),
        ("no die at all", (), Ask.MISSING, Hand("Ana", (5,))),
    ],
)
def test_what_is_not_clear_is_asked(table, why, dice, asked, answer):
    rolling(table)
    show(table, "Ana", *dice)
    show(table, "Beto", 2)
    now = show(table, "Cleo", 3)
    assert now.state.game.phase is Phase.ROLLOFF, why
    assert assessment(now.state).questions[0].ask is asked, why
    assert table.do(cmd.Correct(answer)).state.game.round.starter == "Ana", why


@pytest.mark.parametrize(
    ("why", "answer", "starter"),
    [
        ("the box stood still", SameDie("Ana.1", "Beto.1"), None),
        ("two dice", TwoDice("Ana.1", "Beto.1"), "Ana"),
    ],
)
def test_the_same_die_twice_in_one_spot_is_asked_about(table, why, answer, starter):
    rolling(table, order="starter_only")
    show(table, "Ana", die(5))
    show(table, "Beto", die(5))
    now = show(table, "Cleo", die(2, x=0.8))
    assert assessment(now.state).questions[0].ask is Ask.SAME
    after = table.do(cmd.Correct(answer)).state
    if starter is None:
        assert (after.game.phase, assessment(after).questions[0].player) == (Phase.ROLLOFF, "Beto")
    else:
        assert [player for player, _ in after.reveal.by_player] == ["Ana", "Beto"], "they tie"


def test_undo_takes_the_roll_back_and_waits_for_a_person(table):
    rolling(table)
    for player, face in (("Ana", 3), ("Beto", 6), ("Cleo", 4)):
        show(table, player, face)
    back = table.do(cmd.Undo())
    assert (back.state.game.phase, back.held) == (Phase.ROLLOFF, True)
    table.do(cmd.Correct(SetFace("Beto.1", 1)))
    assert table.do(cmd.Confirm()).state.game.round.starter == "Cleo"


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        (cmd.Confirm(), "reveal_unsettled"),
        (cmd.Correct(ByHand(3)), "no_reveal"),
        (cmd.RollOff(({"Ana": 3},)), "rolloff_wrong_players"),
    ],
)
def test_an_open_roll_cannot_be_confirmed_or_counted(table, command, reason):
    rolling(table)
    show(table, "Ana", 3)
    with refused(reason):
        table.do(command)


# ---- colours ---------------------------------------------------------------------------------------------


def rolled_with(table, colours):
    begin(table, " ".join(colours), rules="classic", roll_off=True)
    for number, (player, colour) in enumerate(colours.items()):
        shown = die(6 - number, colour, 0.2 * (number + 1))
        for _ in range(2):
            table.do(cmd.AddObservation(Observation(1000, 1000, (shown,), True), player))
    return table.snapshot().state


@pytest.mark.parametrize(
    ("why", "colours", "learnt", "alike"),
    [
        ("different colours", COLOURS, COLOURS, ()),
        ("two of one colour", COLOURS | {"Beto": "red", "Cleo": "blue"}, {"Cleo": "blue"}, ("Ana", "Beto")),
        ("neighbours", {"Ana": "white", "Beto": "ivory", "Cleo": "red"}, {"Cleo": "red"}, ("Ana", "Beto")),
        ("dice of one colour are no news", dict.fromkeys(COLOURS, "ivory"), {}, ()),
    ],
)
def test_the_roll_teaches_whose_dice_have_which_colour(table, journal, why, colours, learnt, alike):
    state = rolled_with(table, colours)
    assert {c.player: c.name for c in state.colours if c.name} == learnt, why
    assert view(table.snapshot())["game"]["alike"] == list(alike), why
    assert Table(journal).snapshot().state == state


def test_readings_then_tell_whose_each_die_is_and_whose_are_too_many(table):
    rolled_with(table, {"Ana": "red", "Beto": "blue"})
    play(table, "Ana 5x6, Beto dudo")
    hands = {"red": (6, 6, 2, 3, 4, 5), "blue": (6, 1, 2, 2)}
    dice = [
        die(face, colour, 0.1 + 0.14 * k, True)
        for colour, faces in hands.items()
        for k, face in enumerate(faces)
    ]
    placed = tuple(replace(d, y=0.3 if d.colour == "red" else 0.7) for d in dice)
    for _ in range(2):
        table.do(cmd.AddObservation(Observation(1000, 1000, placed, True), "all"))
    found = assessment(table.snapshot().state)
    assert dict(found.hands) == {"Ana": hands["red"], "Beto": hands["blue"]}
    problems = [(p.key, p.player, p.number) for p in found.problems]
    assert problems == [("player_too_many", "Ana", 1), ("player_too_few", "Beto", 1)]
    assert not found.settled


def test_mixed_dice_are_a_tap_away_and_undone_by_another(table):
    rolled_with(table, {"Ana": "red", "Beto": "blue"})
    play(table, "Ana 5x6, Beto dudo")
    assert table.snapshot().state.reveal.by_player
    mixed = table.do(cmd.ForgetColours()).state
    assert (mixed.colours, mixed.reveal.by_player, mixed.reveal.owner_by_colour) == ((), (), ())
    back = table.do(cmd.Undo()).state
    assert [colour.name for colour in back.colours] == ["red", "blue"]
    table.do(cmd.ForgetColours())
    recalled = table.do(cmd.CorrectCall(Dudo("Beto", Bid(4, 6)))).state
    assert (recalled.colours, recalled.reveal.by_player) == ((), ()), "whatever was called"
    for _ in range(2):
        table.do(cmd.AddObservation(observation(6, 6, 1, 2, 3, 4, 5, 2, 3, 4), "all"))
    assert table.snapshot().state.game.phase is Phase.VERDICT


def test_colours_shown_between_the_reveals_are_kept_and_refused_in_one(journal, table):
    begin(table, " ".join(COLOURS), rules="classic")
    learnt = learn_colours({name: [die(3, colour)] for name, colour in COLOURS.items()})
    assert table.do(cmd.LearnColours(learnt)).state.colours == learnt
    assert Table(journal).snapshot().state.colours == learnt
    play(table, "Ana 3x4, Beto dudo")
    with refused("camera_at_work"):
        table.do(cmd.LearnColours(()))
    assert {owner for _, owner in table.snapshot().state.reveal.owner_by_colour} == set(COLOURS)


def test_a_roll_goes_on_when_the_dice_are_said_to_be_mixed(table):
    rolling(table)
    show(table, "Ana", 3)
    table.do(cmd.ForgetColours())
    show(table, "Beto", 6)
    assert show(table, "Cleo", 4).state.game.round.starter == "Beto"


def test_two_dice_each_are_shown_and_their_sum_counts(journal):
    """By hand, in a phone, and again for those who tie."""
    table = Table(journal, roll=lambda n: (3,) * n)
    begin(table, "Ana Beto Cleo", cups="Cleo", roll_off=True, roll_off_dice=2)
    _by_hand(table, "Ana", 2)
    _by_hand(table, "Beto", 6, 5)
    assert not assessment(table.snapshot().state).settled
    _by_hand(table, "Ana", 2, 4)
    state = table.snapshot().state
    assert state.rolls == ((("Ana", 6), ("Beto", 11), ("Cleo", 6)),)
    assert dict(state.reveal.by_player) == {"Ana": 2, "Cleo": 2}
    _by_hand(table, "Ana", 1, 1)
    assert [p.name for p in in_play(table).players] == ["Beto", "Cleo", "Ana"]
