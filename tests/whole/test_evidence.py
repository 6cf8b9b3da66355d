"""What stays of a verdict: its picture, and examples of what was corrected; also after it was taken back."""

import pytest

from companion.reveal.corrections import ByHand, SetFace
from companion.reveal.evidence import Evidence
from companion.rules.position import Phase
from companion.table import commands as cmd
from tests.companion.evidence_file import pictures_by_round
from tests.whole.at_box import eventually, in_reveal, wait_until
from tests.whole.conftest import at_work

pytestmark = pytest.mark.slow


@pytest.fixture
def verdicts(monkeypatch):
    """The rounds of verdicts whose evidence was kept, one by one."""
    kept, keep = list[int](), Evidence.keep_verdict

    def noted(evidence, game, number, pictures):
        keep(evidence, game, number, pictures)
        kept.append(number)

    monkeypatch.setattr(Evidence, "keep_verdict", noted)
    return kept


def test_the_evidence_of_a_verdict_is_kept_and_follows_an_undo(tmp_path, empty_table, verdicts):
    with at_work(tmp_path / "data", empty_table) as companion:
        evidence = companion.kept.evidence
        in_reveal(companion)
        wait_until(companion, lambda now: bool(now.state.reveal.steps))
        companion.table.do(cmd.Correct(ByHand(2)))
        eventually(lambda: verdicts == [1])
        first = pictures_by_round(evidence, companion.table.snapshot().game_id)
        assert evidence.picture(first[1][0])[:2] == b"\xff\xd8"
        companion.table.do(cmd.Undo())
        companion.table.do(cmd.Correct(ByHand(3)))
        companion.table.do(cmd.Confirm())
        eventually(lambda: verdicts == [1, 1])
        assert pictures_by_round(evidence, companion.table.snapshot().game_id) == first


@pytest.mark.parametrize(("keep", "examples"), [(True, 1), (False, 0)])
def test_corrected_pictures_are_examples_unless_somebody_minds(
    tmp_path, monkeypatch, keep, examples, verdicts
):
    """Ana's five dice all show a two; a person calls one a three; of the fours bid there is still none."""
    monkeypatch.setattr("companion.demo.players.rolled", lambda *_: {"Ana": (2,) * 5, "Bea": (2,) * 5})
    with at_work(tmp_path / "data", "simulated", keep_examples=keep) as companion:
        in_reveal(companion)
        wait_until(companion, lambda now: now.state.game.phase is Phase.VERDICT)
        eventually(lambda: verdicts == [1])
        companion.table.do(cmd.Undo())
        companion.table.do(cmd.Correct(SetFace("all.1", 3)))
        companion.table.do(cmd.Confirm())
        eventually(lambda: verdicts == [1, 1])
        assert len(companion.kept.evidence.examples()) == examples
