"""What stays of a verdict: its picture, what was read, what was corrected; also after it was taken back."""

import pytest

from companion.app.companion import Companion
from companion.reveal.corrections import ByHand, SetFace
from companion.rules.game import Phase
from companion.table import commands as cmd
from tests.companion.evidence_file import VerdictEvidence, verdicts
from tests.whole.at_box import eventually, in_reveal, wait_until
from tests.whole.conftest import at_work

pytestmark = pytest.mark.slow


def test_the_evidence_of_a_verdict_is_kept_and_follows_an_undo(tmp_path, empty_table):
    with at_work(tmp_path / "data", empty_table) as companion:
        in_reveal(companion)
        wait_until(companion, lambda now: bool(now.state.reveal.steps))
        companion.table.do(cmd.Correct(ByHand(2)))
        eventually(lambda: bool(kept(companion)))
        first = kept(companion)
        assert [(e.round, e.body["lo"]) for e in first] == [(1, 2)]
        assert companion.kept.evidence.picture(first[0].pictures[0])[:2] == b"\xff\xd8"
        companion.table.do(cmd.Undo())
        companion.table.do(cmd.Correct(ByHand(3)))
        companion.table.do(cmd.Confirm())
        eventually(lambda: kept(companion)[0].body["lo"] == 3)


@pytest.mark.parametrize(("keep", "examples"), [(True, 1), (False, 0)])
def test_corrected_pictures_are_examples_unless_somebody_minds(tmp_path, monkeypatch, keep, examples):
    """Ana's five dice all show a two; a person calls one a three; of the fours bid there is still none."""
    monkeypatch.setattr("companion.demo.simulated.rolled", lambda *_: {"Ana": (2,) * 5, "Bea": (2,) * 5})
    with at_work(tmp_path / "data", "simulated", keep_examples=keep) as companion:
        in_reveal(companion)
        wait_until(companion, lambda now: now.state.game.phase is Phase.VERDICT)
        companion.table.do(cmd.Undo())
        companion.table.do(cmd.Correct(SetFace("all.1", 3)))
        companion.table.do(cmd.Confirm())
        eventually(lambda: bool(kept(companion)) and bool(kept(companion)[0].body["corrections"]))
        assert len(companion.kept.evidence.examples()) == examples


def kept(companion: Companion) -> tuple[VerdictEvidence, ...]:
    return verdicts(companion.kept.evidence, companion.table.snapshot().game_id or "")
