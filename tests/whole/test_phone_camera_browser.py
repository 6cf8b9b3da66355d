"""Reveals by pictures that a phone takes: real Chromium, and files where the camera is."""

from pathlib import Path
from typing import Any

import cv2
import pytest

from companion.app import companion as box
from companion.app.companion import Companion
from companion.rules.presets import PRESETS
from companion.table.commands import NewGame
from companion.table.view import reveal_view
from hardware.cameras.simulated_dice import laid
from tests.vision.learned.emblem_dice import SIX
from tests.vision.learned.emblem_dice import drawn as emblem_drawn
from tests.web.hands import expect, post, way_in
from tests.whole.at_box import let_pass
from tests.whole.conftest import at_work
from tests.whole.pictures import drawn_to
from tests.whole.players import bid, press, settle, sit_down
from tests.whole.test_phone_pictures import BAD, revealed
from vision.picture.headers import Header, header_of

pytestmark = pytest.mark.browser

PICTURE_MS = 75_000
"""As long as the page itself waits for a picture to be read: others may keep the machine busy."""


@pytest.fixture(autouse=True)
def in_a_network(monkeypatch):
    """A page that only this machine can open shows no code."""
    monkeypatch.setattr(box, "reached_at", lambda host, own: ("192.168.1.20",))


def let_in(host: Any, page: Any, companion: Companion, seat: str) -> None:
    """A phone scans the code and sits down."""
    page.goto(f"http://127.0.0.1:{companion.port}{way_in(host)}")
    post(page, "/api/v1/phone", {"seat": seat})
    page.goto(f"http://127.0.0.1:{companion.port}/")


def _is_answer(response: Any) -> bool:
    """The box's answer to a picture; one that came too soon is sent again by the page."""
    return response.url.endswith("/api/v1/pictures") and "retry-after" not in response.headers


def take(page: Any, picture: Path, button: str = "[data-picture]", taken: bool = True) -> None:
    """Tap the button; the phone's camera gives that file, which the box takes or refuses once it was read."""
    with page.expect_file_chooser() as chosen:
        page.click(button)
    with page.expect_response(_is_answer, timeout=PICTURE_MS) as answer:
        chosen.value.set_files(picture)
    assert answer.value.ok == taken, answer.value.text()


def test_what_went_wrong_is_reported_and_taken_again(tmp_path, phone):
    good, bad, other = tmp_path / "good.png", tmp_path / "bad.heic", tmp_path / "other.png"
    drawn_to(good, (2, 2, 3, 3, 4, 4), 1)
    drawn_to(other, (2, 3), 2)
    bad.write_bytes(BAD["picture_heic"]())
    with at_work(tmp_path / "data", "phones") as companion:
        revealed(companion, 1)
        host, bea = phone(companion), phone(companion)
        let_in(host, bea, companion, "Bea")
        take(bea, bad, taken=False)
        bea.wait_for_selector("#toast:has-text('HEIC')")
        let_pass(companion, 1.0)
        take(bea, other)
        host.wait_for_selector(".cups li:has-text('Bea') .die >> nth=1")
        let_pass(companion, 1.0)
        take(bea, good, "figcaption [data-picture]")
        host.wait_for_selector(".on-verdict")
        assert companion.table.snapshot().state.game.verdict.loser == "Ana"


def test_a_large_picture_is_made_smaller_on_the_phone(tmp_path, phone, monkeypatch):
    file = tmp_path / "large.jpg"
    drawn_to(file, (2, 2, 3, 3, 4, 4), 1)
    cv2.imwrite(str(file), cv2.resize(cv2.imread(str(file)), (4000, 3000)))
    sent: list[Header | None] = []
    monkeypatch.setattr(
        "companion.app.camera.phone_pictures.check_picture", lambda data: sent.append(header_of(data))
    )
    with at_work(tmp_path / "data", "phones") as companion:
        revealed(companion)
        host = phone(companion)
        host.wait_for_selector(".big[data-picture]")
        expect(host, ".bar [data-picture], .tally", "one button, nothing counted yet").to_have_count(1)
        take(host, file)
        host.wait_for_selector(".on-verdict, #question")
    assert [(one.width, one.height) for one in sent] == [(1920, 1440)]


def test_every_player_takes_the_own_dice(tmp_path, phone):
    first, second = tmp_path / "first.png", tmp_path / "second.png"
    drawn_to(first, (2, 2, 3), 5)
    drawn_to(second, (3, 4, 4), 6)
    with at_work(tmp_path / "data", "phones") as companion:
        revealed(companion, 1)
        host, ana = phone(companion), phone(companion)
        let_in(host, ana, companion, "Ana")
        expect(ana, ".big[data-picture]").to_contain_text("3")
        take(ana, first, ".big[data-picture]")
        ana.click('[data-command*="taken_for"]')
        ana.wait_for_selector("figcaption:has-text('Ana’s phone')")
        ana.click('[data-command*="taken_for"]')
        ana.wait_for_selector("figcaption:has-text('Picture Ana')")
        ana.wait_for_selector(".bar [data-picture]:has-text('Bea')")
        take(host, second, ".big[data-picture]:has-text('Bea')")
        host.wait_for_selector(".on-verdict")
        assert companion.table.snapshot().state.game.verdict.loser == "Ana"


def test_real_dice_are_chosen_at_set_up_of_a_laptop(tmp_path, phone):
    picture = tmp_path / "dice.png"
    lying = drawn_to(picture, (2, 2, 3, 3, 4, 4), 1)
    with at_work(tmp_path / "data", "simulated") as companion:
        host = phone(companion)
        host.click('[data-command*="real_dice"]')
        host.wait_for_selector("#real-dice:has-text('phones take the pictures')")
        sit_down(host, ("Ana", "Bea"), starting_dice="3")
        bid(host, 6, 5)
        press(host, "dudo")
        host.wait_for_selector(".big[data-picture]")
        assert reveal_view(companion.table.snapshot())["seen"] == 0
        take(host, picture)
        settle(host, companion, lying)
        assert companion.table.snapshot().state.game.verdict.loser == "Ana"
        expect(host, "#simulated-dice").to_have_count(0)


def test_colours_and_an_emblem_are_learnt_from_pictures_of_a_phone(tmp_path, phone):
    people = (("Ana", "red"), ("Bea", "blue"))
    with at_work(tmp_path / "data", "phones") as companion:
        companion.table.do(NewGame(PRESETS["classic"], people, starter="Ana"))
        page = phone(companion, "/colours")
        for number, (name, colour) in enumerate(people):
            file = tmp_path / f"{name}.png"
            dice = [(face, colour) for face in (1, 2, 3, 4, 5)]
            cv2.imwrite(str(file), laid(dice, number, width_px=960, height_px=720).image_bgr)
            lay(companion, page, file)
            page.click(f".whose:has-text('{name}')")
            page.wait_for_selector(f".whose:has-text('{name}'):has-text('dice learned')")
        page.wait_for_selector("#work :text('These dice are now known by their colour: Ana, Bea.')")
        page.goto(f"http://127.0.0.1:{companion.port}/teach")
        emblem = tmp_path / "emblem.png"
        cv2.imwrite(str(emblem), emblem_drawn((SIX,), 0).image_bgr)
        lay(companion, page, emblem)
        page.click("[data-do*='\"show\"'] >> nth=5")
        page.wait_for_selector("#work :text('Learned: six.')")


def lay(companion: Companion, page: Any, file: Path) -> None:
    """A picture for the page that teaches; a phone sends one a second."""
    let_pass(companion, 1.0)
    take(page, file)
    page.wait_for_selector("#toast:has-text('The picture is there.')")
