"""The choice of real dice at a box with the simulated table: kept so that no power cut takes it back."""

import os
from types import SimpleNamespace

import pytest

from companion.app.camera.camera_parts import REAL_DICE, RealDice
from companion.errors import BadCommand, StorageError
from tests.refusals import refused

BETWEEN, WITHIN = SimpleNamespace(goes_on=False), SimpleNamespace(goes_on=True)


@pytest.mark.parametrize(
    ("simulated", "kept", "begun", "on", "why"),
    [
        (True, None, False, False, "nobody chose"),
        (True, b"", False, True, "the file of an older version is empty"),
        (True, b"\0\xff", False, True, "whatever stands in it: simulated dice judge no real ones"),
        (True, None, True, True, "a game with real dice goes on"),
        (False, None, False, True, "a camera sees real dice"),
    ],
)
def test_whose_dice_lie_there_at_a_start(tmp_path, simulated, kept, begun, on, why):
    path = tmp_path / REAL_DICE
    if kept is not None:
        path.write_bytes(kept)
    dice = RealDice(path, simulated=simulated, begun=begun)
    assert (dice.on, dice.instead) == (on, on and simulated), why


@pytest.mark.linux(reason="a folder is synced")
def test_the_choice_is_on_the_card_before_it_counts(tmp_path, monkeypatch):
    path, synced = tmp_path / REAL_DICE, []
    dice = RealDice(path, simulated=True, begun=False)
    for name in ("fsync", "fdatasync"):
        monkeypatch.setattr(os, name, lambda number: synced.append(dice.on))
    dice.turn(BETWEEN)
    assert (dice.on, synced) == (True, [False, False]), "its bytes, and the folder that has its name"
    assert RealDice(path, simulated=True, begun=False).on
    dice.turn(BETWEEN)
    assert not RealDice(path, simulated=True, begun=False).on


def test_the_choice_is_taken_back_where_somebody_deleted_its_file(tmp_path):
    dice = RealDice(tmp_path / REAL_DICE, simulated=True, begun=True)
    dice.turn(BETWEEN)
    assert not dice.on


def test_nobody_chooses_within_a_game(tmp_path):
    dice = RealDice(tmp_path / REAL_DICE, simulated=True, begun=False)
    with refused("game_going_on", BadCommand):
        dice.turn(WITHIN)
    assert not dice.on


def test_what_cannot_be_kept_is_not_chosen(tmp_path):
    (tmp_path / "data").touch()
    dice = RealDice(tmp_path / "data" / REAL_DICE, simulated=True, begun=False)
    with refused("folder_forbidden", StorageError):
        dice.turn(BETWEEN)
    assert not dice.on
