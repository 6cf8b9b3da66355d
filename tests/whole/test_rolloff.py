"""Who starts is rolled for under the camera: every die is shown on OK, those who tie show theirs again."""

from __future__ import annotations

from pathlib import Path

from companion.box.companion import Companion
from companion.demo.simulated import rolled_off
from companion.rules.game import Phase
from companion.rules.rolloff import roll_off
from companion.table import commands as cmd
from companion.table.state import assessment
from tests.whole.conftest import at_work
from tests.whole.test_faults import wait_until

PEOPLE = (("Ana", "red"), ("Beto", "blue"), ("Cleo", "yellow"))
MOST_PRESSES = 40


def test_the_roll_for_the_first_word_is_read_by_the_camera(tmp_path: Path) -> None:
    with at_work(tmp_path / "data", "simulated") as companion:
        players = [{"name": name, "colour": colour} for name, colour in PEOPLE]
        companion.table.do(cmd.parse({"type": "new_game", "players": players, "roll_off": True}))
        rolls = shown_to_the_box(companion)
        state = companion.table.snapshot().state
        truth = roll_off([name for name, _ in PEOPLE], rolls, state.game.ruleset.order)
        assert state.game.round.starter == truth.starter
        assert [colour.player for colour in state.colours] == [name for name, _ in PEOPLE]
        assert all(colour.name for colour in state.colours)


def shown_to_the_box(companion: Companion) -> list[dict[str, int]]:
    """Press OK for every die, answer what is asked by what was rolled; returns the rolls."""
    table, rolls = companion.table, []
    for _ in range(MOST_PRESSES):
        now = table.snapshot()
        if now.state.game.phase is not Phase.ROLLOFF:
            return rolls
        if len(rolls) == len(now.state.rolls):
            rolls.append({n: hand[0] for n, hand in rolled_off(now.game_id, now.state).items()})
        found = assessment(now.state)
        if found.next_place:
            companion.press("ok")
            wait_until(
                companion, lambda later, place=found.next_place: _looked_at(later, place, companion.frames)
            )
        else:
            question = found.questions[0]
            table.do(cmd.parse({"type": "set_face", "die": question.die, "face": rolls[-1][question.player]}))
    raise AssertionError("the roll does not end")


def _looked_at(now: object, place: str, frames: int) -> bool:
    reveal = now.state.reveal
    return reveal is None or not any(v.name == place and v.frames < frames for v in reveal.places)
