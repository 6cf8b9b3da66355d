"""Who starts is rolled for under the camera: every die is shown on OK, those who tie show theirs again."""

from types import SimpleNamespace

import pytest

from companion.app.companion import Companion
from companion.demo.players import rolled, rolled_off
from companion.reveal.assessing import Assessment
from companion.reveal.corrections import Correction, Hand, SetFace, Strike, TwoDice
from companion.reveal.questions import Ask
from companion.rules.position import Phase
from companion.rules.rolloff import roll_off
from companion.table import commands as cmd
from companion.table.parsing import parse
from companion.table.state import assessment
from companion.table.table import Snapshot
from tests.whole.at_box import wait_until
from tests.whole.conftest import at_work

pytestmark = pytest.mark.slow

PEOPLE = (("Ana", "red"), ("Beto", "blue"), ("Cleo", "yellow"))
MAX_PRESSES = 40


@pytest.mark.parametrize(
    ("why", "name", "tied"),
    [("nobody ties", 1, False), ("two tie for a place", 12, True), ("all tie", 17, True)],
)
def test_the_roll_for_the_first_word_is_read_by_the_camera(tmp_path, monkeypatch, why, name, tied):
    monkeypatch.setattr(
        "companion.storage.journal.secrets", SimpleNamespace(token_hex=lambda _: f"{name:012x}")
    )
    with at_work(tmp_path / "data", "simulated") as companion:
        players = [{"name": name, "colour": colour} for name, colour in PEOPLE]
        companion.table.do(parse({"type": "new_game", "players": players, "roll_off": True}))
        rolls = shown_to_the_box(companion)
        assert (len(rolls) > 1) is tied, why
        state = companion.table.snapshot().state
        truth = roll_off([name for name, _ in PEOPLE], rolls, state.game.ruleset.order)
        assert state.game.round.starter == truth.starter
        assert [colour.player for colour in state.colours] == [name for name, _ in PEOPLE]
        assert any(colour.name for colour in state.colours)  # a burnt-out picture may make two alike
        monkeypatch.setattr("companion.table.deciding.is_seen_enough", lambda *_: False)
        nobody_gets_another_s_dice(companion)


def nobody_gets_another_s_dice(companion: Companion) -> None:
    """In the first reveal every die is given to its true owner, or to nobody."""
    first = companion.table.snapshot().state.game.round.turn
    companion.table.do(parse({"type": "bid", "by": first, "quantity": 5, "face": 4}))
    companion.press("dudo")
    wait_until(companion, lambda now: now.state.reveal.places[0].frames > 0)
    now, lying = companion.table.snapshot(), companion.camera_parts.scene.lying()
    whose = [name for name, hand in rolled(now.game_id, now.state.game).items() for _ in hand]
    for die in assessment(now.state).dice:
        near = min(range(len(lying)), key=lambda k: abs(complex(lying[k].x - die.x, lying[k].y - die.y)))
        assert die.owner in (None, whose[near])


def shown_to_the_box(companion: Companion) -> list[dict[str, int]]:
    """Press OK for every die, answer what is asked by what was rolled; returns the rolls."""
    table, rolls = companion.table, []
    for _ in range(MAX_PRESSES):
        now = table.snapshot()
        if now.state.game.phase is not Phase.ROLLOFF:
            return rolls
        if len(rolls) == len(now.state.rolls):
            rolls.append({n: hand[0] for n, hand in rolled_off(now.game_id, now.state).items()})
        found = assessment(now.state)
        if found.next_place:
            companion.press("ok")
            wait_until(
                companion,
                lambda later, now=now, place=found.next_place: (
                    _roll(later) != _roll(now) or _looked_at(later, place, companion.frames)
                ),
            )
        else:
            table.do(cmd.Correct(_answer(found, rolls[-1])))
    raise AssertionError("the roll does not end")


def _answer(found: Assessment, rolled_now: dict[str, int]) -> Correction:
    """What somebody says who sees the one die of the player that the first question is about."""
    question = found.questions[0]
    player, die = question.player or "", question.die
    if die is None:
        return Hand(player, (rolled_now[player],))
    if question.ask is Ask.SAME:
        return TwoDice(die, question.other or "")
    mine = [d for d in found.dice if d.owner == player and d.certain and d.counted]
    wrong = [d.id for d in mine if d.face != rolled_now[player]]
    if question.ask is Ask.EXTRA or mine:
        return Strike(wrong[0] if wrong and question.ask is Ask.EXTRA else die)
    return SetFace(die, rolled_now[player])


def _roll(now: Snapshot) -> tuple[Phase, int]:
    """Which roll is going on: with the last die of one the next begins, for which nobody has shown a die."""
    return now.state.game.phase, len(now.state.rolls)


def _looked_at(now: object, place: str, frames: int) -> bool:
    reveal = now.state.reveal
    return reveal is None or not any(v.name == place and v.frames < frames for v in reveal.places)
