"""Dice in phones are as many as their players have, whatever was undone or corrected."""

import pytest

from tests.web.party import NAMES, send


@pytest.mark.parametrize("step", [{"type": "leave"}, {"type": "hand_back", "count": 3}], ids=str)
def test_who_goes_home_or_has_fewer_dice_has_all_of_them_again_once_undone(party, step):
    """Also after the round was thrown anew in between."""
    send(party.host, player="Bea", **step)
    send(party.host, type="bid", by="Ana", quantity=1, face=4)
    send(party.host, type="dudo", by=party.table.snapshot().data["game"]["round"]["turn"])
    for _ in ("the call", "the bid", "the step"):
        assert send(party.host, type="undo").status_code == 200
    assert [len(party.rolled(name)) for name in NAMES] == [5, 5, 5]


def test_dice_put_right_by_a_correction_stay_so_when_a_bid_is_undone(party):
    send(party.host, type="bid", by="Ana", quantity=3, face=3)
    send(party.host, type="calza", by="Bea")
    send(party.host, type="type_count", count=5)
    send(party.host, type="next_round")
    send(party.host, type="bid", by="Bea", quantity=1, face=4)
    assert len(party.rolled("Bea")) == 4
    assert send(party.host, type="correct_round", round=1, count=3).status_code == 200
    fell = party.rolled("Bea")
    assert send(party.host, type="undo").status_code == 200
    assert (party.rolled("Bea"), len(fell)) == (fell, 5)
