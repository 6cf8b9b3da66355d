"""The real dice of a bot are read with certainty or not at all, and nobody else sees them."""

import json
from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest

from companion.app.bot_players import next_call
from companion.app.camera.camera_parts import CupReader
from companion.errors import BadCommand
from companion.rules.position import Phase
from companion.storage.journal import Journal
from companion.table import commands as cmd
from companion.table.cups import known_dice, seat_view
from companion.table.resuming import without_secrets
from companion.table.table import Table
from companion.table.view import view
from tests.companion.at_table import play, say
from tests.companion.reveal_table import row
from tests.refusals import refused

OWN = (2, 4, 4, 6, 1)
PICTURE = np.zeros((4, 4, 3), np.uint8)


def begun(journal: Journal, starter: str = "Pip", **more: Any) -> Table:
    table = Table(journal, frames=1, **more)
    bots = [{"name": "Pip", "bot": "medium", "real_dice": True}, {"name": "Dot", "bot": "easy"}]
    say(table, "new_game", players=[{"name": "Ana"}, *bots], starter=starter)
    return table


def reading(faces: Sequence[int], certain: bool = True) -> Any:
    """What `dudo read` finds: these dice, the last of them uncertain where it is so."""
    known = {"y": 0.5, "size": 0.05, "angle": 0.0, "confidence": 0.99, "colour": "red", "pips": []}
    dice = [
        {**known, "face": face, "x": 0.1 * n, "certain": certain or n < len(faces) - 1}
        for n, face in enumerate(faces, 1)
    ]
    return {"width": 640, "height": 480, "dice": dice, "certain": certain, "doubts": [], "counts": {}}


def cup(table: Table, *readings: Any, by_phones: bool = False) -> CupReader:
    """A look at these readings, the last one again and again."""
    left = list(readings)
    return CupReader(
        table,
        lambda: PICTURE,
        lambda _: left.pop(0) if len(left) > 1 else left[0],
        laid_out=lambda _: nullcontext(),
        light=lambda _: None,
        by_phones=lambda: by_phones,
        agree=2,
    )


def own(table: Table, name: str = "Pip") -> Any:
    now = table.snapshot()
    return dict(seat_view(now.state, now.ledger, name).hands).get(name)


def unread(table: Table) -> list[str]:
    players = view(table.snapshot())["game"]["players"]
    return [player["name"] for player in players if player["to_look_at"]]


def test_a_bot_is_silent_until_the_box_has_looked_at_its_dice(journal):
    table = begun(journal)
    assert unread(table) == ["Pip"], "the box rolls for Dot"
    assert next_call(table.snapshot()) is None
    cup(table, reading(OWN)).read("Pip")
    assert unread(table) == []
    assert own(table) == tuple(sorted(OWN))
    call, again = next_call(table.snapshot()), Table(journal, frames=1)
    assert next_call(again.snapshot()) == call is not None, "a restart knows them"


@pytest.mark.parametrize(
    ("readings", "reason", "why"),
    [
        ([reading(OWN, certain=False)], "bot_dice_unclear", "one die is not certain"),
        ([reading(OWN[:4])], "bot_dice_count", "a die is missing"),
        ([reading((*OWN, 3))], "bot_dice_count", "a die too many"),
        ([reading(())], "bot_dice_count", "no dice"),
        ([reading(OWN), reading((1,) * 5)] * 2, "bot_dice_unclear", "every picture is read otherwise"),
    ],
)
def test_the_box_never_guesses(journal, readings, reason, why):
    table = begun(journal)
    with refused(reason, BadCommand, why=why):
        cup(table, *readings).read("Pip")
    assert unread(table) == ["Pip"]


def test_one_bad_picture_does_no_harm(journal):
    table = begun(journal)
    cup(table, reading(OWN, certain=False), reading(OWN)).read("Pip")
    assert own(table) == tuple(sorted(OWN))


@pytest.mark.parametrize("name", ["Ana", "Dot", "Nobody"])
def test_nobody_else_is_looked_at(journal, name):
    """A person's cup is a person's, and the box rolls for Dot."""
    with refused("bot_no_look", BadCommand):
        cup(begun(journal), reading(OWN)).read(name)


def test_without_a_camera_on_the_box_somebody_else_would_see_them(journal):
    with refused("bot_by_phones", BadCommand):
        cup(begun(journal), reading(OWN), by_phones=True).read("Pip")


def test_no_picture_that_a_page_shows_is_taken_while_dice_are_secret(journal):
    table = begun(journal, starter="Ana")
    reader = cup(table, reading(OWN))
    with pytest.raises(BadCommand):
        reader.open_picture()
    play(table, "Ana 1x2, Pip dudo")
    assert reader.open_picture() is PICTURE, "the cups are lifted"


def test_the_reveal_counts_the_dice_on_the_table_and_those_alone(journal):
    table = begun(journal, starter="Ana", roll=lambda n: (1, 4, 2, 3, 5)[:n])  # three would be enough
    cup(table, reading(OWN)).read("Pip")
    play(table, "Ana 3x4, Pip dudo")
    reveal = view(table.snapshot())["reveal"]
    assert reveal["expected"] == 15
    rolled = dict(table.snapshot().state.rolled)
    assert list(rolled) == ["Dot"]
    table.do(cmd.AddObservation(row((3,) * 10), "all"))
    game = table.snapshot().state.game
    assert game.verdict is not None
    assert game.verdict.count_lo == sum(face in (1, 4) for face in rolled["Dot"]), "the look is no evidence"


def test_each_round_is_read_anew_and_the_newest_one_counts(journal):
    table = begun(journal, starter="Ana")
    cup(table, reading(OWN)).read("Pip")
    cup(table, reading((3, 3, 3, 5, 5))).read("Pip")
    assert own(table) == (3, 3, 3, 5, 5)
    table.do(cmd.Rename("Pip", "Rita"))
    assert own(table, "Rita") == (3, 3, 3, 5, 5)
    play(table, "Ana 1x2, undo")
    assert unread(table) == []
    play(table, "Ana 1x2, Rita dudo, 3, next")
    game = table.snapshot().state.game
    assert game.phase is Phase.BIDDING
    assert unread(table) == ["Rita"]


def test_no_phone_knows_them(journal):
    table = begun(journal)
    cup(table, reading(OWN)).read("Pip")
    now = table.snapshot()
    for seat in ("Ana", "Pip", "Dot", None):
        assert known_dice(now.state, now.ledger, seat, "any phone").hands == ()
    assert now.game_id is not None
    written = [json.loads(line).get("body", {}) for line in without_secrets(journal.export(now.game_id))]
    assert [one["faces"] for one in written if one.get("event") == "thrown"] == [[], []], "no export has them"
