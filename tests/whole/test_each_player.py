"""The box set over one player's dice after the other: page and lamps lead round the table."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.app.companion import Companion
from companion.reveal.corrections import ByHand
from companion.rules.position import Phase
from companion.table import commands as cmd
from companion.table.snapshot import seat_words
from companion.table.state import assessment
from hardware.errors import CameraSilent
from tests.whole.at_box import say, wait_for, wait_until
from tests.whole.conftest import at_work

pytestmark = pytest.mark.slow

HANDS = {"Ana": (2, 2, 3, 6, 5), "Bea": (4, 4, 2, 5, 3), "Cleo": (4, 6, 6, 2, 3)}
"""Three fours, and no aces: with six bid the last hand decides."""


@contextmanager
def doubted(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Companion]:
    """Ana has bid six fours, Bea doubts it: by these rules the player on Bea's left shows first."""
    monkeypatch.setattr("companion.demo.players.rolled", lambda *_: HANDS)
    people = [
        {"name": name, "colour": colour}
        for name, colour in zip(HANDS, ("red", "blue", "yellow"), strict=True)
    ]
    with at_work(folder, "simulated", places="each") as companion:
        say(companion, "new_game", players=people, starter="Ana", preset="perudo")
        say(companion, "bid", by="Ana", quantity=6, face=4)
        companion.press("dudo")
        yield companion


def test_page_and_lamps_lead_and_the_verdict_rests_on_every_picture(tmp_path, monkeypatch):
    with doubted(tmp_path / "data", monkeypatch) as companion:
        led = []
        now = companion.table.snapshot()
        while now.state.game.phase is Phase.REVEAL:
            found = assessment(now.state)
            if found.next_place and found.next_place not in led:
                led.append(found.next_place)
                assert seat_words(now.state)[list(HANDS).index(found.next_place)] == "starts"
            if found.questions and not found.next_place:
                companion.table.do(cmd.Correct(ByHand(3)))
            now = companion.table.wait(now.version, 20)
        assert led == ["Cleo", "Ana", "Bea"]
        verdict = now.state.game.verdict
        assert verdict.loser == "Ana"
        assert verdict.count_lo <= 3 <= verdict.count_hi, "a die may be open where it changes nothing"
        assert len(now.state.played[-1].pictures) == 3


def test_a_camera_that_falls_silent_in_the_middle_is_reported_and_waited_for(tmp_path, monkeypatch):
    with doubted(tmp_path / "data", monkeypatch) as companion:
        wait_until(companion, lambda now: now.state.reveal.places[0].frames > 0)
        companion.camera.fault = CameraSilent("The camera gives no picture.")
        wait_for(companion, "camera_silent")
        kept = companion.table.snapshot().state.reveal.places[0].frames
        assert kept > 0
        companion.camera.fault = None
        wait_for(companion, None)
        wait_until(companion, lambda now: now.state.reveal.places[1].frames > 0)
        assert companion.table.snapshot().state.reveal.places[0].frames >= kept


def test_without_the_camera_the_rest_is_entered_by_hand(tmp_path, monkeypatch):
    with doubted(tmp_path / "data", monkeypatch) as companion:
        wait_until(companion, lambda now: now.state.reveal.places[0].frames > 0)
        companion.camera.fault = CameraSilent("The camera gives no picture.")
        wait_for(companion, "camera_silent")
        for player in ("Ana", "Bea"):
            faces = list(HANDS[player])
            say(companion, "hand", player=player, faces=faces)
        now = companion.table.snapshot()
        if now.state.game.phase is Phase.REVEAL:  # the first place was seen but once
            now = say(companion, "as_read", place="Cleo")
        assert now.state.game.verdict.loser == "Ana"
