"""What goes wrong at a real table: each fault gets its word, loses nothing, and the game goes on by hand."""

import pytest

from companion.app.companion import Companion
from companion.errors import FolderBusy, PortBusy
from companion.rules.position import Phase
from companion.settings import Web
from companion.table.view import view
from tests.simulated import simulated
from tests.whole.at_box import finish_by_hand, in_reveal, wait_for, wait_until
from tests.whole.conftest import at_work
from vision.learned.net import ModelMissing

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        pytest.param(None, "camera_missing", id="no picture at all"),
        pytest.param(b"", "picture_unreadable", id="an empty file"),
        pytest.param(b"not a picture", "picture_unreadable", id="another kind of file"),
    ],
)
def test_a_picture_that_cannot_be_read_is_reported_and_the_round_ends_by_hand(tmp_path, content, reason):
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    if content is not None:
        (pictures / "a.jpg").write_bytes(content)
    with at_work(tmp_path / "data", f"folder:{pictures}") as companion:
        in_reveal(companion)
        wait_for(companion, reason)
        finish_by_hand(companion)


def test_a_model_that_is_gone_is_reported_and_the_round_ends_by_hand(tmp_path, monkeypatch):
    def without_a_model(*_: object, **__: object) -> None:
        raise ModelMissing("the model dice.onnx can't be used")

    monkeypatch.setattr("vision.read.read", without_a_model)
    with at_work(tmp_path / "data", "simulated") as companion:
        in_reveal(companion)
        wait_for(companion, "reader_broken")
        assert view(companion.table.snapshot())["state"] == "fault"
        finish_by_hand(companion)


def test_an_empty_picture_judges_nothing(tmp_path, empty_table):
    with at_work(tmp_path / "data", empty_table) as companion:
        in_reveal(companion)
        wait_until(companion, lambda now: bool(now.state.reveal.steps))
        assert companion.table.snapshot().state.game.phase is Phase.REVEAL
        finish_by_hand(companion)


def test_a_refused_press_is_reported_on_the_page_and_forgotten_with_the_next(tmp_path):
    with at_work(tmp_path / "data", "simulated") as companion:
        companion.press("dudo")
        assert dict(companion.table.snapshot().faults)["button"].reason == "no_game"
        in_reveal(companion)
        assert "button" not in dict(companion.table.snapshot().faults)


def test_a_second_start_is_refused_and_harms_nothing(tmp_path, empty_table):
    with at_work(tmp_path / "data", empty_table) as companion:
        in_reveal(companion)
        with pytest.raises(FolderBusy, match="Another companion"):
            Companion(simulated(tmp_path / "data"))
        with pytest.raises(PortBusy, match="Something else is already using"):
            Companion(simulated(tmp_path / "other", web=Web(host="127.0.0.1", port=companion.port)))
        finish_by_hand(companion)
