"""The live view of a phone's camera: real Chromium, and a film of drawn dice where the camera is."""

import re
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.app.companion import Companion
from companion.rules.position import Phase
from tests.phones import Phones, borrowed
from tests.web.hands import expect, until
from tests.web.test_sent_pictures import _address
from tests.whole.at_box import PEOPLE, say
from tests.whole.conftest import at_work
from tests.whole.pictures import ROUNDS, drawn, drawn_to, encoded
from tests.whole.players import settle
from tests.whole.test_phone_camera_browser import take
from tests.whole.test_phone_pictures import revealed

pytestmark = pytest.mark.browser

FRAMES = 3
DARK = np.full((960, 1280, 3), 3, np.uint8)


HELD = """
window.held = [];
const ask = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
navigator.mediaDevices.getUserMedia = async (wanted) => {
  const stream = await ask(wanted);
  window.held.push(...stream.getTracks());
  return stream;
};
"""
"""Remembers every camera that a page has opened."""


class Film:
    """What the fake camera shows, from the next time on that it is opened."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.show(DARK)

    def show(self, *pictures: np.ndarray) -> None:
        """The pictures one after the other, again and again."""
        frames = [encoded(picture) for picture in pictures]
        self.file.write_bytes(b"".join(frames * FRAMES))


@pytest.fixture
def film(tmp_path):
    return Film(tmp_path / "film.mjpeg")


@pytest.fixture
def lend(playwright, chromium_path, film):
    """Phones of browsers whose camera shows the film and is given or denied, one of each a test: it may hold
    the file open. The headless shell asks nobody, and knows only what it was started with."""
    camera = (
        "use-fake-device-for-media-stream",
        f"use-file-for-fake-video-capture={film.file}",
        "no-sandbox",
    )
    with ExitStack() as started:

        @cache
        def lend_of(answer: str) -> Any:
            args = [f"--{one}" for one in (*camera, f"use-fake-ui-for-media-stream{answer}")]
            browser = playwright.chromium.launch(executable_path=chromium_path, args=args)
            started.callback(browser.close)
            return started.enter_context(borrowed(Phones(browser), playwright.devices["Pixel 7"]))

        yield lend_of


@pytest.fixture
def filmed(lend):
    """Opens the page on one more phone whose camera shows the film; fails when a page reports an error."""

    def opened(companion: Companion, path: str = "/", allowed: bool = True, at: str = "", **more: Any) -> Any:
        page = lend("" if allowed else "=deny")("about:", "blank", new=True, **more)
        page.context.add_init_script(HELD)
        page.goto((at or f"http://127.0.0.1:{companion.port}") + path)
        return page

    return opened


def ready(page: Any) -> None:
    """Its script hears taps on the button of the camera."""
    page.wait_for_selector("#camera-script[data-ready]", state="attached")


def given_back(page: Any) -> None:
    """The view is closed, and no camera is held."""
    page.wait_for_selector("#viewfinder", state="detached")
    until(page, "window.held.every((track) => track.readyState === 'ended')")


def test_pictures_take_themselves_until_the_verdict(tmp_path, film, filmed):
    with at_work(tmp_path / "data", "phones") as companion:
        page = filmed(companion)
        say(companion, "new_game", players=PEOPLE, starter="Ana", house={"starting_dice": 2})
        faces, (quantity, face), count = ROUNDS[0]
        film.show(drawn(faces, 1))
        say(companion, "bid", by="Ana", quantity=quantity, face=face)
        say(companion, "dudo", by="Bea")
        ready(page)
        page.click(".big[data-picture]")
        settle(page, companion, drawn_to(tmp_path / "dice.png", faces, 1))
        given_back(page)
        page.wait_for_selector(".on-verdict")
        verdict = companion.table.snapshot().state.game.verdict
        assert verdict.count_lo <= count <= verdict.count_hi
        assert verdict.loser == "Ana"


AWAY = """
Object.defineProperty(document, "hidden", { configurable: true, get: () => true });
document.dispatchEvent(new Event("visibilitychange"));
Object.defineProperty(document, "hidden", { configurable: true, get: () => false });
"""
"""Another program comes to the front, and goes."""


def opened(page: Any) -> None:
    """The live view shows what the camera sees."""
    page.click("[data-picture] >> nth=0")
    page.wait_for_selector("#viewfinder .go:enabled")


def test_it_counts_tells_what_hinders_and_gives_the_camera_back(tmp_path, film, filmed):
    with at_work(tmp_path / "data", "phones") as companion:
        revealed(companion)
        page = filmed(companion, locale="de-DE")
        ready(page)
        before = companion.table.snapshot()
        opened(page)
        page.wait_for_selector("#viewfinder :text('0 von 6 gesehen')")
        page.wait_for_selector("#viewfinder :text('Zu dunkel')")
        page.click("#viewfinder .go")
        page.wait_for_selector("#viewfinder [role=alert]:has-text('Würfel')")
        page.keyboard.press("Escape")
        given_back(page)
        film.show(drawn((2, 2, 3, 3, 4), 1))
        opened(page)
        page.wait_for_selector("#viewfinder :text('5 von 6 gesehen')")
        expect(page, "#viewfinder circle").to_have_count(5)
        assert companion.table.snapshot().state == before.state, "a preview changes nothing"
        page.evaluate(AWAY)
        given_back(page)
        opened(page)
        page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide'))")
        given_back(page)
        opened(page)
        companion.camera_parts.phone_pictures.take(
            encoded(drawn((2, 2, 3, 3, 4, 4), 1)), "Bea", before.reveal
        )
        given_back(page)
        page.wait_for_selector(".on-verdict")


def test_the_button_takes_the_picture_at_once(tmp_path, film, filmed):
    film.show(drawn((2, 2, 3, 3, 4), 1))
    with at_work(tmp_path / "data", "phones") as companion:
        page = filmed(companion, "/teach")
        opened(page)
        expect(page, "#viewfinder [data-part=hint]", "the page says what to show").to_have_text("")
        page.click("#viewfinder .go")
        page.wait_for_selector("#toast:has-text('The picture is there.')")
        given_back(page)
        revealed(companion)
        page.goto(f"http://127.0.0.1:{companion.port}/")
        ready(page)
        opened(page)
        page.click("#viewfinder .go")
        given_back(page)
        page.wait_for_selector("#question, .on-verdict")


def test_without_a_camera_the_file_input_stays(tmp_path, filmed, film):
    picture = tmp_path / "dice.png"
    drawn_to(picture, (2, 2, 3, 3, 4, 4), 1)
    film.show(cv2.resize(DARK, (640, 480)))  # a camera whose pictures are too small
    with at_work(tmp_path / "data", "phones") as companion:
        revealed(companion)
        page = filmed(companion)
        for phone, why in ((page, "No camera"), (filmed(companion, allowed=False), "may not use the camera")):
            ready(phone)
            with phone.expect_file_chooser():
                phone.click(".big[data-picture]")
            phone.wait_for_selector(f"#toast:has-text('{why}')")
        take(page, picture, ".big[data-picture]")
        page.wait_for_selector(".on-verdict")
        assert companion.table.snapshot().state.game.phase is Phase.VERDICT


def test_over_https_a_phone_in_the_network_has_the_live_view(tmp_path, film, filmed):
    """It scans a code, is sent on from http, goes past the warning, and its picture is judged."""
    pytest.importorskip("cryptography", reason="the extra https is not installed")
    film.show(drawn((2, 2, 3, 3, 4, 4), 1))
    with at_work(tmp_path / "data", "phones", host="0.0.0.0", https=True) as companion:
        host = filmed(companion, "/join")
        code = re.search(r"\b[A-Z0-9]{6}\b", host.inner_text("main"))
        assert code
        expect(host, "main").to_contain_text("warn")
        revealed(companion)
        host.goto(f"http://127.0.0.1:{companion.port}/")
        ana = filmed(
            companion, f"/j/{code[0]}", at=f"http://{_address()}:{companion.port}", ignore_https_errors=True
        )
        assert ana.url.startswith(f"https://{_address()}:{companion.port}/")
        assert all(cookie["secure"] for cookie in ana.context.cookies() if cookie["name"] == "phone")
        ana.goto(f"https://{_address()}:{companion.port}/")
        opened(ana)
        ana.wait_for_selector("#viewfinder", state="detached")
        host.wait_for_selector(".on-verdict")
        assert companion.table.snapshot().state.game.verdict.loser == "Ana"
