"""The demonstration and its simulated dice."""

import re
from functools import reduce
from pathlib import Path
from types import SimpleNamespace

import pytest

from companion.demo.players import Demo, Pace, on_table, rolled
from companion.reveal.state import ALL
from companion.rules.events import Started
from companion.rules.presets import PRESETS
from companion.storage.journal import Journal
from companion.table import commands as cmd
from companion.table.state import TableState, step
from companion.table.table import Table
from companion.table.table_events import Cups, Observed
from tests.companion.at_table import events
from tests.companion.at_table import said as said_at
from tests.companion.reveal_table import row
from tests.new_games import new_game


def test_the_dice_of_a_round_stay_the_same_and_change_with_the_round():
    game = new_game(PRESETS["modern"], (("Ana", "red"), ("Beto", "blue")), "Ana")
    assert rolled("g", game) == rolled("g", game)
    assert rolled("g", game) != rolled("h", game)


def played(*events):
    started = Started(PRESETS["modern"], (("Ana", "red"), ("Beto", "blue")), "Ana")
    return reduce(step, (started, *events), TableState())


def test_the_camera_sees_dice_only_while_the_cups_are_lifted():
    assert on_table("g", TableState()) == ()
    assert on_table("g", played(*events("Ana 3x4"))) == ()
    state = played(*events("Ana 3x4, Beto dudo"))
    seen = on_table("g", state)
    assert [colour for _, colour in seen] == ["red"] * 5 + ["blue"] * 5
    assert tuple(face for face, _ in seen[:5]) == rolled("g", state.game)["Ana"]


def test_who_plays_in_the_phone_has_no_dice_on_the_table():
    state = played(Cups(("Ana",)), *events("Ana 3x4, Beto dudo"))
    assert [colour for _, colour in on_table("g", state)] == ["blue"] * 5


def test_in_the_roll_the_box_stands_over_one_die_after_the_other():
    state = step(TableState(), Started(PRESETS["modern"], (("Ana", "red"), ("Beto", "blue"))))
    assert [colour for _, colour in on_table("g", state, frames=1)] == ["red"]
    state = step(state, Observed(row((5,)), "Ana"))
    assert [colour for _, colour in on_table("g", state, frames=1)] == ["blue"]


class Listener:
    """Stands for the table: keeps what it was asked, and nothing else."""

    def __init__(self):
        self.asked = []

    def do(self, command):
        self.asked.append(command)


@pytest.mark.parametrize(("by", "pressed", "said"), [("on_turn", ["dudo"], 0), ("anybody", [], 1)])
def test_where_anybody_may_doubt_the_demonstration_says_who_did(by, pressed, said):
    """The button alone would have the box ask who pressed it, for ever."""
    rules = PRESETS["classic"].with_house({"dudo_by": by, "calza": "off"})
    game = said_at(rules, ("Ana", "Beto", "Cleo"), "15x6")
    table, presses = Listener(), []
    demo = Demo(table, presses.append, tuple, seed=1)
    demo._bid(SimpleNamespace(game_id="g"), game)
    assert (presses, len(table.asked)) == (pressed, said)


class Seen:
    """A table whose camera reads the dice that lie there in no time."""

    def __init__(self, table):
        self.table = table

    def __getattr__(self, name):
        return getattr(self.table, name)

    def do(self, command):
        now = self.table.snapshot()
        if isinstance(command, cmd.TakePicture):
            faces = [face for face, _ in on_table(now.game_id, now.state)]
            command = cmd.AddObservation(row(faces), ALL)
        return self.table.do(command)


READING_S = 4.0
"""So long a slow box takes to see the cups lifted and to read twenty dice."""


@pytest.mark.parametrize("seed", range(8))
def test_whoever_watches_sees_a_verdict_within_fifteen_seconds(tmp_path, seed):
    table, shown_s = Seen(Table(Journal(tmp_path))), 0.0
    demo = Demo(table, lambda button: table.do(cmd.Press(button)), tuple, seed=seed)
    while True:
        pause_s = demo.turn()
        if table.snapshot().state.is_judged:
            break
        shown_s += pause_s
    assert shown_s + READING_S <= 15


def test_a_verdict_of_the_demonstration_stays_until_it_is_counted_and_read():
    script = Path("web/static/cues.js").read_text()
    times_ms = [re.search(rf"{name}_MS = (\d+);", script)[1] for name in ("COUNT", "BREATH", "DECIDE")]
    counted_s = sum(map(int, times_ms)) / 1000
    assert min(Pace().verdict_s, Pace().over_s) >= counted_s + 4
