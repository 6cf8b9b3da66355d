"""Reveals whose pictures phones send: what is read, what is refused in words, and what all phones see."""

import json
import threading
from collections import Counter
from contextlib import nullcontext
from io import BytesIO
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import cv2
import numpy as np
import pytest
from werkzeug.datastructures import FileStorage
from werkzeug.test import encode_multipart

from companion.app.companion import Companion
from companion.errors import StaleCommand
from companion.rules.bids import Bid
from companion.rules.calls import BidCall, Dudo
from companion.rules.position import Phase
from companion.table import commands as cmd
from companion.table.parsing import parse
from companion.table.view import view
from tests.refusals import refused
from tests.vision.picture.test_photos import turned_by_exif
from tests.whole.at_box import let_pass, page, wait_until
from tests.whole.conftest import at_work
from tests.whole.pictures import drawn, encoded

pytestmark = pytest.mark.slow

MAX_TRIES = 200
FACES = (2, 2, 3, 3, 4, 4)
"""Of the first round: Ana bids too high, so that Bea's doubt finds against her."""


@pytest.fixture(scope="module")
def dice():
    return drawn(FACES, 1)


@pytest.fixture
def box(tmp_path):
    """A box without any camera, in the reveal of a bid of six fives."""
    with at_work(tmp_path / "data", "phones") as companion:
        revealed(companion)
        yield companion


def revealed(companion: Companion, quantity: int = 6) -> None:
    """A game of two with three dice each, and a bid of so many fives doubted."""
    new = {"type": "new_game", "players": [{"name": "Ana"}, {"name": "Bea"}], "preset": "classic"}
    companion.table.do(parse({**new, "starter": "Ana", "house": {"starting_dice": 3}}))
    companion.table.do(cmd.Say(BidCall("Ana", Bid(quantity, 5))))
    companion.table.do(cmd.Say(Dudo("Bea")))


def send(
    companion: Companion, data: bytes, reveal: int | None = None, place: str = "", cookie: str = ""
) -> dict[str, Any]:
    """What the box answers to a picture; {"reason"} where it refuses."""
    number = companion.table.snapshot().reveal if reveal is None else reveal
    fields = {"reveal": str(number), **({"place": place} if place else {})}
    mark, body = encode_multipart({**fields, "picture": FileStorage(BytesIO(data), "dice.jpg")})
    url = f"http://127.0.0.1:{companion.port}/api/v1/pictures"
    kind = {"Content-Type": f"multipart/form-data; boundary={mark}", "Cookie": cookie}
    try:
        with urlopen(Request(url, body, kind), timeout=60) as answer:
            return json.load(answer)
    except HTTPError as refused:
        with refused:
            return json.load(refused)


def send_later(companion: Companion, data: bytes, **more: Any) -> dict[str, Any]:
    """The answer to a picture a second later, once the server has given back the body of the one before."""
    let_pass(companion, 1.0)
    for _ in range(MAX_TRIES):
        answer = send(companion, data, **more)
        if answer.get("reason") != "pictures_busy":
            break
    return answer


def shown(companion: Companion) -> dict[str, Any]:
    return view(companion.table.snapshot())


@pytest.mark.parametrize("ending", [".jpg", ".png", ".webp"])
def test_one_picture_of_a_phone_is_the_whole_reveal(box, dice, ending):
    assert shown(box)["state"] == "looking"
    assert send(box, encoded(dice, ending))["place"] == "phone"
    state = shown(box)
    assert (state["state"], state["verdict"]["loser"], state["verdict"]["count_lo"]) == ("fails", "Ana", 0)
    assert [box.store.picture(name) is not None for name in state["verdict"]["pictures"]] == [True]


def test_a_picture_of_twelve_megapixels_held_upright_is_taken_as_it_is(box):
    large = cv2.resize(drawn(FACES, 1), (4000, 3000), interpolation=cv2.INTER_CUBIC)
    upright = turned_by_exif(encoded(cv2.rotate(large, cv2.ROTATE_90_COUNTERCLOCKWISE)), 6)
    assert send(box, upright)["place"] == "phone"
    state = shown(box)
    assert state["verdict"]["loser"] == "Ana"
    assert state["reveal"]["places"][-1]["height"] == 750


BOMB = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + (20_000).to_bytes(4, "big") + (10_000).to_bytes(4, "big")
BOMB += b"\x08\x02\0\0\0\0\0\0\0" + b"\0" * 40 + b"IEND\xaeB`\x82"

BAD = {
    "picture_empty": lambda: b"",
    "picture_not_one": lambda: b"<html>no picture</html>",
    "picture_heic": lambda: b"\0\0\0\x18ftypavif\0\0\0\0mif1avif" + b"\0" * 200,
    "picture_video": lambda: b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom" + b"\0" * 200,
    "picture_huge": lambda: BOMB,
    "picture_cut_off": lambda: encoded(drawn(FACES, 1))[:20_000],
    "picture_damaged": lambda: damaged(encoded(drawn(FACES, 1), ".png")),
    "picture_without_dice": lambda: encoded(np.full((600, 800, 3), 90, np.uint8)),
    "picture_without_dice: a face": lambda: encoded(somebody()),
}


def somebody() -> np.ndarray:
    """A face as a phone turned the wrong way takes it: pale, with two dark spots and more."""
    image = np.full((960, 1280, 3), 70, np.uint8)
    cv2.ellipse(image, (640, 480), (230, 320), 0, 0, 360, (150, 180, 225), -1, cv2.LINE_AA)
    for x in (545, 735):
        cv2.ellipse(image, (x, 400), (48, 26), 0, 0, 360, (240, 240, 240), -1, cv2.LINE_AA)
        cv2.circle(image, (x, 400), 20, (60, 40, 30), -1, cv2.LINE_AA)
    cv2.ellipse(image, (640, 630), (90, 30), 0, 0, 180, (80, 80, 170), -1, cv2.LINE_AA)
    return cv2.GaussianBlur(image, (0, 0), 2)


def damaged(png: bytes) -> bytes:
    """Whole by its ends, and nothing in between."""
    return png[:60] + b"\0" * 500 + png[-12:]


def test_what_is_no_picture_of_dice_gets_a_sentence_and_the_game_goes_on(box, dice):
    before = shown(box)["reveal"]
    for kind, content in BAD.items():
        answer = send_later(box, content())
        assert answer["reason"] == kind.partition(":")[0]
        assert answer["title"].endswith(".")
        assert shown(box)["reveal"] == before, kind
    assert send_later(box, encoded(dice))["place"] == "phone"
    assert shown(box)["verdict"]


def test_a_picture_of_an_earlier_reveal_is_refused(box, dice):
    old = box.table.snapshot().reveal
    box.table.do(parse({"type": "type_count", "count": 0}))
    box.table.do(cmd.NextRound())
    box.table.do(cmd.Say(BidCall("Ana", Bid(5, 5))))
    box.table.do(cmd.Say(Dudo("Bea")))
    assert send(box, encoded(dice), old)["reason"] == "picture_too_late"
    assert shown(box)["reveal"]["seen"] == 0


def test_a_picture_begun_before_a_restart_is_refused_with_the_reason_and_taken_again(tmp_path, dice):
    with at_work(tmp_path / "data", "phones") as before:
        revealed(before)
        old = before.table.snapshot().reveal
    with at_work(tmp_path / "data", "phones") as after:
        answer = send(after, encoded(dice), old)
        assert (answer["reason"], "the box has restarted" in answer["title"]) == ("picture_too_late", True)
        assert send_later(after, encoded(dice))["place"] == "phone"
        assert shown(after)["verdict"]["loser"] == "Ana"


def test_a_verdict_taken_back_is_given_anew_by_the_picture_taken_again(box, dice):
    send(box, encoded(drawn((5, 5, 5, 5, 5, 5), 2)))
    assert shown(box)["verdict"]["loser"] == "Bea"
    old = box.table.snapshot()
    assert old.reveal == 0
    assert box.table.do(cmd.Undo()).capturing == 0, "no camera of its own settles it"
    assert send(box, encoded(dice), old.reveal)["reason"] == "picture_too_late"
    assert send_later(box, encoded(dice), place="phone")["place"] == "phone"
    assert shown(box)["verdict"]["loser"] == "Ana"


def cookie_of(companion: Companion) -> str:
    """That of one more phone."""
    with urlopen(f"http://127.0.0.1:{companion.port}/") as page:
        return str(page.headers["Set-Cookie"]).partition(";")[0]


def test_ten_phones_that_send_at_once_get_an_answer_each(box, dice):
    """One is read, some that waited come too late, and for the others there was no place to wait."""
    answers: list[dict[str, Any]] = []
    number, data = box.table.snapshot().reveal, encoded(dice)
    cookies = [cookie_of(box) for _ in range(10)]
    phones = [
        threading.Thread(target=lambda own=own: answers.append(send(box, data, number, cookie=own)))
        for own in cookies
    ]
    for phone in phones:
        phone.start()
    for phone in phones:
        phone.join(60)
    outcomes = Counter(answer.get("reason", "taken") for answer in answers)
    assert outcomes["taken"] == 1
    assert outcomes["picture_too_late"] + outcomes["pictures_busy"] == 9
    assert shown(box)["verdict"]["loser"] == "Ana"


def test_every_player_shows_the_own_dice(tmp_path, dice):
    """Dice alike in two cups are two dice, and the picture of one cup is not that of another."""
    with at_work(tmp_path / "data", "phones") as box:
        revealed(box, quantity=1)
        assert [player for player, _ in shown(box)["reveal"]["cups"]] == ["Bea", "Ana"], "the caller first"
        first = encoded(drawn((2, 3, 4), 3))
        for data, player, answer in (
            (first, "Cleo", "unknown_place"),
            (first, "Ana", "Ana"),
            (first, "Ana", "Ana"),
            (first, "Bea", "picture_again"),
            (encoded(drawn((2, 3, 4), 4)), "Bea", "Bea"),
        ):
            assert shown(box)["reveal"]["questions"] == []
            said = send_later(box, data, place=player)
            assert said.get("reason", said.get("place")) == answer
        pictures = [step.place for step in box.table.snapshot().state.reveal.steps]
        assert pictures.count("Ana") == 1, "the same bytes sent twice are one picture"
        assert shown(box)["verdict"]["loser"] == "Ana"


def test_the_cup_of_who_is_renamed_while_it_is_read_is_not_taken_for_everybodys_dice(box, monkeypatch):
    box.table.do(cmd.CorrectCall(Dudo("Bea", Bid(1, 5))))
    pictures, number = box.camera_parts.phone_pictures, box.table.snapshot().reveal
    pictures.take(encoded(drawn((2, 3, 4), 3)), "Ana", number)
    read = pictures._read

    def meanwhile(sent: Any) -> Any:
        box.table.do(cmd.Rename("Bea", "Beatriz"))
        return read(sent)

    monkeypatch.setattr(pictures, "_read", meanwhile)
    with refused("table_moved_on", StaleCommand):
        pictures.take(encoded(drawn((2, 3, 6), 4)), "Bea", number)
    hands = dict(shown(box)["reveal"]["hands"])
    assert sorted(hands["Ana"]) == [2, 3, 4], "the cup that was read stays"
    monkeypatch.undo()
    assert pictures.take(encoded(drawn((2, 3, 6), 4)), "Beatriz", number) == "Beatriz"


@pytest.mark.parametrize(
    ("faces", "place", "why"),
    [
        ((2, 3, 6), None, "the cup of a seat that the phone has left"),
        ((2, 3, 3, 4, 6, 6), "phone", "everybody's dice, by their number"),
    ],
)
def test_a_phone_without_a_seat_replaces_no_cup_by_another(box, faces, place, why):
    """Regression: the picture of one cup passed for everybody's, and all had to show theirs once more."""
    box.table.do(cmd.CorrectCall(Dudo("Bea", Bid(1, 5))))
    pictures, number = box.camera_parts.phone_pictures, box.table.snapshot().reveal
    pictures.take(encoded(drawn((2, 3, 4), 3)), "Ana", number)
    with nullcontext() if place else refused("table_moved_on", StaleCommand):
        assert pictures.take(encoded(drawn(faces, 4)), "", number) == place, why
    assert [step.place for step in box.table.snapshot().state.reveal.steps][1:] == ([place] if place else [])


def test_a_game_with_real_dice_goes_on_with_phones_where_the_box_starts_without_a_camera(tmp_path):
    with at_work(tmp_path / "data", "phones") as box:
        revealed(box)
    with at_work(tmp_path / "data", "simulated") as box:
        assert box.camera_parts.kind.by_phones, "what is simulated would judge it"
        box.table.do(parse({"type": "abandon"}))
    with at_work(tmp_path / "data", "simulated") as box:
        assert box.camera_parts.kind.all_simulated


def test_a_verdict_on_simulated_dice_calls_them_simulated(tmp_path):
    with at_work(tmp_path / "data", "simulated") as box:
        revealed(box)
        wait_until(box, lambda now: now.state.game.phase is Phase.VERDICT)
        assert "simulated" in page(box).partition('id="simulated-dice"')[2].partition("</")[0]


def test_the_simulated_table_takes_no_pictures_until_real_dice_are_chosen(tmp_path, dice):
    with at_work(tmp_path / "data", "simulated") as box:
        box.table.do(cmd.RealDice(True))
        revealed(box)
        assert shown(box)["reveal"]["seen"] == 0
        assert send(box, encoded(dice))["place"] == "phone"
        assert shown(box)["verdict"]["loser"] == "Ana"
    with at_work(tmp_path / "data", "simulated") as box:
        assert box.camera_parts.kind.real_dice
        box.table.do(parse({"type": "abandon"}))
        box.table.do(cmd.PutAway())
        box.table.do(cmd.RealDice(False))
        revealed(box)
        assert send(box, encoded(dice))["reason"] in ("dice_simulated", "picture_too_late")


def test_real_dice_chosen_in_an_older_version_stay_chosen_until_they_are_no_more(tmp_path):
    """It left an empty file, which the journal takes over, within a game as well."""
    data = tmp_path / "data"
    with at_work(data, "simulated") as box:
        revealed(box)
    (data / "real_dice").touch()
    with at_work(data, "simulated") as box:
        assert box.camera_parts.kind.by_phones
        assert not (data / "real_dice").exists()
    with at_work(data, "simulated") as box:
        assert box.camera_parts.kind.by_phones, "the journal has it"
        box.table.do(parse({"type": "abandon"}))
        box.table.do(cmd.RealDice(False))
    with at_work(data, "simulated") as box:
        assert box.camera_parts.kind.all_simulated
