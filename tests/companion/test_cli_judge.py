"""`dudo judge`: bids on a photograph, judged as the table judges them."""

import json

import cv2
import pytest

from companion.__main__ import main
from companion.cli.judge import judged
from companion.reveal.claims import Kind
from companion.rules.bids import Bid
from hardware.cameras.simulated_dice import laid
from tests.companion.reveal_table import row


@pytest.fixture(scope="module")
def photo(tmp_path_factory):
    """Three, four, five and six, seen from above."""
    path = tmp_path_factory.mktemp("table") / "table.png"
    cv2.imwrite(str(path), laid([(face, "ivory") for face in (3, 4, 5, 6)], 21).image_bgr)
    return str(path)


def test_claims_are_printed_as_the_contract_says(photo, capsys):
    assert main(["judge", "--json", "--dice", "4", "--bid", "1x3", "--bid", "2x3", photo]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert (printed["file"], printed["dice_expected"], printed["certain"]) == (photo, 4, True)
    common = {"settled": True, "lo": 1, "hi": 1, "questions": 0}
    assert printed["claims"] == [
        {"bid": "1x3", "holds": True, **common},
        {"bid": "2x3", "holds": False, **common},
    ]


@pytest.mark.parametrize(
    ("call", "dice", "sentence", "reason"),
    [
        ("dudo", 4, "1 three: the bid holds, 1 of them", "there is one"),
        ("calza", 4, "1 three: exactly right, 1 of them", "there is exactly one"),
        ("calza", 6, "1 three: open, 1 to 3 of them. A die is missing. What does it show?", "two unseen"),
    ],
)
def test_people_read_sentences(call, dice, sentence, reason, photo, capsys):
    assert main(["judge", "--dice", str(dice), "--bid", "1x3", "--call", call, photo]) == 0
    assert capsys.readouterr().out.splitlines()[1].strip() == sentence, reason


def test_a_photograph_that_cannot_be_read_is_reported_in_json_after_the_others(photo, tmp_path, capsys):
    (tmp_path / "no.jpg").write_text("no picture")
    words = ["judge", "--json", "--dice", "4", "--bid", "1x3", str(tmp_path / "no.jpg"), photo]
    assert main(words) == 1
    broken, whole = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert set(broken) == {"file", "error"}
    assert whole["claims"][0]["settled"]


@pytest.mark.parametrize(
    ("bid", "wild", "call", "holds", "reason"),
    [
        ("3x5", True, Kind.DUDO, True, "two fives and an ace"),
        ("3x5", False, Kind.DUDO, False, "the ace does not count"),
        ("3x5", True, Kind.CALZA, True, "exactly three"),
        ("3x5", False, Kind.CALZA, False, "only two"),
        ("3x5z", True, Kind.DUDO, False, "a bid without wilds counts no ace"),
        ("2x5z", True, Kind.CALZA, True, "exactly two"),
        ("2x1", True, Kind.DUDO, False, "an ace is no ace twice"),
    ],
)
def test_aces_count_where_they_are_wild(bid, wild, call, holds, reason):
    claim = judged(row([5, 5, 1, 2]), Bid.parse(bid), 4, call, wild=wild)
    assert claim.holds is holds, reason
