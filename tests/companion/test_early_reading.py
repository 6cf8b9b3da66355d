"""Pictures read before they are asked for stand for what still lies there after the press, or for nothing."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.app.camera.comparing import MAX_READINGS, EarlyReading
from companion.app.reading.reader_process import Seen
from companion.table import commands as cmd
from companion.table.table import Snapshot
from hardware.errors import CameraSilent
from tests.companion.at_table import begin, play
from tests.companion.capture_table import Box, Felt, Lying, watching

FOUR = tuple(Lying(4, x, 30) for x in (20, 40, 60))


def shows(*faces: int, light: float = 1.0) -> np.ndarray:
    """A small table with a square of its own grey for each face."""
    image = np.full((48, 64, 3), 90, np.uint8)
    for number, face in enumerate(faces):
        image[10:20, 4 + 14 * number : 14 + 14 * number] = 100 + 20 * face
    return np.asarray(light * image, np.uint8)


PICTURE = st.tuples(st.lists(st.integers(1, 6), max_size=4), st.sampled_from((1.0, 0.8)))
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("lies"), PICTURE),
        st.tuples(st.just("preview"), st.booleans()),
        st.tuples(st.sampled_from(("call", "read", "calibrate", "press")), st.none()),
    ),
    max_size=40,
)


@given(STEPS)
def test_what_is_handed_out_is_the_reading_of_that_very_picture_and_only_once(steps):
    early, lies, width, state = EarlyReading(), ([], 1.0), 40.0, object()
    made: dict[int, tuple[object, float]] = {}
    given_out: list[int] = []
    given_up: set[int] = set()
    of_this_state = 0
    for step, value in steps:
        match step:
            case "lies":
                lies = value
            case "preview":
                early.heed(bool(value))
            case "call":
                state, of_this_state = object(), 0
            case "calibrate":
                width += 1
            case "read" if early.is_due(state):
                made[len(made)] = (lies, width)
                of_this_state += 1
                early.keep(Seen({}, len(made) - 1), shows(*lies[0], light=lies[1]), width)
            case "press":
                seen = early.take(shows(*lies[0], light=lies[1]), width)
                if seen is not None:
                    assert made[seen.number] == (lies, width)
                    assert seen.number not in given_out
                    given_out.append(seen.number)
        assert of_this_state <= MAX_READINGS
        given_up |= set(early.given_up())
        assert not given_up & set(given_out), "a picture that is shown is not forgotten"


def awaiting_ok(box: Box) -> None:
    """Three dice lie still in a reveal that takes its picture on OK."""
    box.felt.dice = FOUR
    called(box)
    box.let_pass(5.0)


def called(box: Box) -> None:
    begin(box.table, "Ana Beto", "Ana 3x5, Beto dudo", starting_dice=3)


def has_picture(now: Snapshot) -> bool:
    return now.state.reveal is not None and bool(now.state.reveal.steps)


def turned(felt: Felt) -> None:
    felt.dice = (Lying(5, 20, 30), *FOUR[1:])


def covered(felt: Felt) -> None:
    felt.dice = ()


def dimmed(felt: Felt) -> None:
    felt.light = 0.8


@pytest.mark.parametrize(
    ("why", "change", "read_anew", "faces"),
    [
        ("what lies there as it lay is not read again", lambda felt: None, False, [4, 4, 4]),
        ("a die turned in the moment of the press is seen", turned, True, [5, 4, 4]),
        ("and so are dice that are covered", covered, True, []),
        ("in other light all is read anew, whatever is seen of it", dimmed, True, []),
    ],
)
def test_a_picture_on_ok_stands_on_what_lies_there_after_the_press(
    why, change, read_anew, faces, tmp_path, monkeypatch
):
    with watching(tmp_path, monkeypatch, by_itself=False) as box:
        awaiting_ok(box)
        assert box.felt.done == ["capture", "read"], "read once, however long nobody presses"
        change(box.felt)
        box.table.do(cmd.TakePicture())
        now = box.wait_until(has_picture)
        assert now.state.reveal is not None
        assert [die.face for die in now.state.reveal.steps[0].observation.dice] == faces, why
        assert box.felt.done[2] == "capture", "a picture is taken after the press"
        assert (box.felt.done[3:4] == ["read"]) is read_anew, why


def test_the_second_picture_of_a_place_is_read_by_itself(tmp_path, monkeypatch):
    with watching(tmp_path, monkeypatch, by_itself=False) as box:
        awaiting_ok(box)
        box.table.do(cmd.TakePicture())
        now = box.wait_until(lambda now: has_picture(now) and now.state.reveal.places[0].frames > 1)
        assert box.felt.readings == len(now.state.reveal.steps)


@pytest.mark.parametrize(
    ("why", "same_light", "readings"),
    [
        ("a ring that goes on for the picture makes any earlier one worthless", False, 0),
        ("in the light of the room dice may lie open before the button is pressed", True, 1),
    ],
)
def test_a_call_is_awaited_once_somebody_has_bid(why, same_light, readings, tmp_path, monkeypatch):
    with watching(tmp_path, monkeypatch, same_light=same_light) as box:
        box.felt.dice = FOUR
        begin(box.table, "Ana Beto", starting_dice=3)
        box.let_pass(5.0)
        assert box.felt.captures == 0, "nobody has bid"
        play(box.table, "Ana 3x5")
        box.let_pass(60.0)
        assert box.felt.readings == readings, why
        assert not box.table.snapshot().preview, "no word is said of a view that nobody waits for"
        play(box.table, "Beto dudo")
        now = box.wait_until(has_picture)
        assert [die.face for die in now.state.reveal.steps[0].observation.dice] == [4, 4, 4]


def test_hands_above_the_table_all_evening_cost_a_few_readings_a_bid(tmp_path, monkeypatch):
    with watching(tmp_path, monkeypatch, same_light=True) as box:
        begin(box.table, "Ana Beto", "Ana 1x2", starting_dice=3)
        for number in range(2 * MAX_READINGS):
            box.felt.dice = (Lying(4, 20 + 10 * number, 30),)
            box.let_pass(8.0)
        assert box.felt.readings == MAX_READINGS


def test_a_camera_that_is_silent_before_anybody_wants_a_picture_is_no_fault_of_the_table(
    tmp_path, monkeypatch
):
    with watching(tmp_path, monkeypatch, same_light=True) as box:
        box.felt.trouble = CameraSilent("The camera gives no picture.")
        begin(box.table, "Ana Beto", "Ana 3x5", starting_dice=3)
        box.let_pass(10.0)
        assert not box.table.snapshot().faults
        box.felt.trouble = None
        box.felt.dice = FOUR
        play(box.table, "Beto dudo")
        box.wait_until(has_picture)
