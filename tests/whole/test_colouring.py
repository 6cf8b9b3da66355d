"""The page on which everybody's dice are shown to the box, so that it tells by colour whose a die is."""

import json

import cv2
import pytest

from companion.app.companion import Companion
from companion.rules.calls import Dudo
from companion.rules.presets import PRESETS
from companion.table import commands as cmd
from hardware.cameras.simulated_dice import laid
from tests.companion.at_table import bid
from tests.whole.at_box import ask, in_reveal, step
from tests.whole.conftest import at_work

pytestmark = pytest.mark.slow

PEOPLE = (("Ana", "red"), ("Bea", "blue"), ("Carlos", "green"))
PAGE = "/workshop/colours"


def begin(companion: Companion, people: tuple[tuple[str, str], ...] = PEOPLE, **more: object) -> None:
    companion.table.do(cmd.NewGame(PRESETS["classic"], people, starter=people[0][0], **more))


def shown(companion: Companion, *names: str) -> list[tuple[int, str]]:
    return [step(companion, "colour", part=name) for name in names]


def learnt(companion: Companion) -> list[str]:
    return [colour.player for colour in companion.table.snapshot().state.colours if colour.name]


def reasons(answers: list[tuple[int, str]]) -> list[str]:
    return [json.loads(text)["reason"] for status, text in answers if status != 200]


def test_everybodys_dice_are_distinguished_once_all_were_shown(tmp_path):
    with at_work(tmp_path / "data", "simulated") as companion:
        assert "Start a game first" in ask(companion, PAGE)[1]
        begin(companion)
        assert ask(companion, PAGE)[1].count("not shown yet") == 3
        assert 'href="/colours"' in ask(companion, "/")[1]
        assert reasons(shown(companion, "Ana", "Bea")) == []
        assert learnt(companion) == [], "Carlos' dice could be taken for theirs"
        assert reasons(shown(companion, "Carlos")) == []
        assert learnt(companion) == ["Ana", "Bea", "Carlos"]
        assert "These dice are now known by their colour" in ask(companion, PAGE)[1]
        assert 'href="/colours"' not in ask(companion, "/")[1]
    with at_work(tmp_path / "data", "simulated") as again:
        assert learnt(again) == ["Ana", "Bea", "Carlos"], "kept over a restart"
        again.table.do(bid("Ana", "5x3"))
        again.table.do(cmd.Say(Dudo("Bea")))
        reveal = again.table.snapshot().state.reveal
        assert dict(reveal.by_player) == dict.fromkeys(("Ana", "Bea", "Carlos"), 5)
        assert set(dict(reveal.owner_by_colour).values()) == {"Ana", "Bea", "Carlos"}


def test_dice_that_are_alike_are_refused_and_mixed_ones_forgotten(tmp_path):
    with at_work(tmp_path / "data", "simulated") as companion:
        begin(companion, (("Ana", "red"), ("Bea", "red"), ("Carlos", "green")))
        shown(companion, "Ana", "Bea", "Carlos")
        assert learnt(companion) == ["Carlos"]
        page = ask(companion, PAGE)[1]
        assert "The dice of Ana, Bea look alike" in page
        assert step(companion, "mixed")[0] == 200
        assert learnt(companion) == []
        assert ask(companion, PAGE)[1].count("not shown yet") == 3


def test_dice_of_one_colour_all_round_are_reported_as_alike(tmp_path):
    with at_work(tmp_path / "data", "simulated") as companion:
        begin(companion, (("Ana", ""), ("Bea", "")))
        shown(companion, "Ana", "Bea")
        assert companion.table.snapshot().state.colours == ()
        assert "The dice of Ana, Bea look alike" in ask(companion, PAGE)[1]


def test_who_plays_in_the_phone_has_no_dice_to_show(tmp_path):
    with at_work(tmp_path / "data", "simulated") as companion:
        begin(companion, cups=("Bea",))
        assert ask(companion, PAGE)[1].count("not shown yet") == 2
        assert reasons(shown(companion, "Ana", "Bea", "Carlos")) == ["unknown_player"]
        assert learnt(companion) == ["Ana", "Carlos"]


def test_what_was_shown_in_another_game_is_forgotten(tmp_path):
    with at_work(tmp_path / "data", "simulated") as companion:
        begin(companion)
        shown(companion, "Ana", "Bea")
        companion.table.do(cmd.PutAway())
        begin(companion)
        shown(companion, "Carlos")
        assert learnt(companion) == []


@pytest.mark.parametrize(
    ("lying", "reason"),
    [
        ((), "no_dice_shown"),
        (((1, "red"), (2, "red"), (3, "red"), (4, "red"), (5, "red"), (6, "red")), "too_many_shown"),
        (((1, "red"), (2, "red"), (3, "green"), (4, "green")), "dice_differ"),
    ],
)
def test_only_one_players_dice_may_lie_there(tmp_path, lying, reason):
    picture = laid(lying, 5).image_bgr
    cv2.imwrite(str(tmp_path / "table.png"), picture)
    with at_work(tmp_path / "data", f"folder:{tmp_path}") as companion:
        begin(companion)
        assert reasons(shown(companion, "Ana")) == [reason]


def test_no_colour_is_learnt_while_dice_are_looked_at(tmp_path, empty_table):
    with at_work(tmp_path / "data", empty_table) as companion:
        in_reveal(companion)
        assert reasons(shown(companion, "Ana")) == ["camera_at_work"]
