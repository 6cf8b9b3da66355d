"""A game whose reveals are photographs of real dice, where labelled ones lie beside the project."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from companion.app.companion import Companion
from companion.demo.players import Lying, answer
from companion.rules.bids import Bid
from companion.rules.calls import BidCall, Dudo
from companion.rules.position import Phase
from companion.rules.verdict import Verdict
from companion.table import commands as cmd
from companion.table.parsing import parse
from companion.table.state import assessment
from tests.whole.conftest import at_work
from tests.whole.test_phone_pictures import send

PHOTOS = Path(__file__).parents[3] / "shared" / "photos" / "dev"
SETS = {6: "king", 5: "damian", 4: "wik", 3: "damian", 2: "wik"}
"""For each number of dice in play, the set whose photographs show as many."""

OBSERVED_S = 30.0

pytestmark = [
    pytest.mark.slow,
    pytest.mark.shared,
    pytest.mark.skipif(not PHOTOS.is_dir(), reason="no labelled photographs beside the project"),
]


def photograph(dice: int, which: int) -> tuple[Path, tuple[Lying, ...]]:
    """A photograph of so many dice, and what people saw in it."""
    folder = PHOTOS / SETS[dice]
    labels = json.loads((folder / "labels.json").read_text(encoding="utf-8"))
    fitting = [name for name, label in sorted(labels.items()) if _plain(label["dice"], dice)]
    name = fitting[which % len(fitting)]
    return folder / name, tuple(Lying(d["face"], d["x"], d["y"]) for d in labels[name]["dice"])


def _plain(dice: list[dict[str, Any]], number: int) -> bool:
    return len(dice) == number and not any(die.get("ignore") for die in dice)


NEW: dict[str, Any] = {"players": [{"name": "Ana"}, {"name": "Bea"}], "preset": "classic", "starter": "Ana"}
NEW |= {"type": "new_game", "house": {"starting_dice": 3}}


@pytest.mark.parametrize("which", range(3))
def test_a_game_is_played_with_photographs_of_real_dice(tmp_path, which):
    """Ana always bids one more than there are and Bea doubts her: every verdict must find against Ana."""
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    with at_work(tmp_path / "data", f"folder:{pictures}") as companion:
        companion.table.do(parse(NEW))
        for dice in (6, 5, 4):
            photo, lying = photograph(dice, which)
            for old in pictures.iterdir():
                old.unlink()
            shutil.copy(photo, pictures / photo.name)
            verdict = doubted(companion, lying)
            if verdict.winner is None:
                companion.table.do(cmd.NextRound())
        assert companion.table.snapshot().state.game.winner == "Bea"


@pytest.mark.parametrize("which", range(2))
def test_photographs_of_real_dice_are_pictures_of_phones(tmp_path, which):
    photo, lying = photograph(6, which)
    with at_work(tmp_path / "data", "phones") as box:
        box.table.do(parse(NEW))
        doubted(box, lying, photo.read_bytes())


def doubted(companion: Companion, lying: tuple[Lying, ...], sent: bytes = b"") -> Verdict:
    """Ana bids one more than there are, Bea doubts it, a phone may have `sent` a picture, the box judges."""
    count, bid = too_high(companion, lying)
    companion.table.do(cmd.Say(BidCall("Ana", bid)))
    companion.table.do(cmd.Say(Dudo("Bea")))
    assert not sent or send(companion, sent)["place"] == "phone"
    verdict = judged(companion, lying)
    assert verdict.count_lo <= count <= verdict.count_hi
    assert verdict.loser == "Ana"
    return verdict


def too_high(companion: Companion, lying: tuple[Lying, ...]) -> tuple[int, Bid]:
    """How many dice match the face of which there are fewest, and the bid of one more."""
    wild = companion.table.snapshot().state.game.wild
    counts = {f: sum(d.face == f or (wild and d.face == 1) for d in lying) for f in range(2, 7)}
    face = min(counts, key=counts.__getitem__)
    return counts[face], Bid(counts[face] + 1, face)


def judged(companion: Companion, lying: tuple[Lying, ...]) -> Verdict:
    """The verdict, questions answered by what people saw."""
    version = companion.table.snapshot().version
    for _ in range(60):
        now = companion.table.snapshot()
        if now.state.game.phase is not Phase.REVEAL:
            return now.state.game.verdict
        questions = assessment(now.state).questions if assessment(now.state).next_place is None else ()
        correction = answer(questions[0], now, lying) if questions else None
        if correction:
            companion.table.do(correction)
        else:
            version = companion.table.wait(version, OBSERVED_S).version
    raise AssertionError("no verdict after 60 looks and answers")
