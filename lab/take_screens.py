"""Takes the pictures of the page in docs/screens: python -m lab.take_screens

Every screen at the size of a phone, the main ones in both themes; the dice are those of the simulated table.
"""

import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from playwright.sync_api import sync_playwright

from companion.app.companion import Companion
from companion.reveal.observations import Observation, SeenDie
from companion.rules.presets import PRESETS
from companion.table.commands import AddObservation, NewGame
from hardware.cameras.simulated_dice import laid
from tests.conftest import find_chromium
from tests.vision.learned.emblem_dice import SIX, drawn
from tests.web.shots import Shots
from tests.web.tables import PEOPLE, WAYS, BoxedTable, deps_for, start
from tests.whole.conftest import at_work
from web.app import create_app
from web.server import open_server

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "screens"
SEED = 11
BRIGHT = ("setup", "round", "question", "verdict")
HIDDEN = ("cut", "by_player", "doubted_pass")  # a die was only said to lie at the border; much like others
PAGES = ("how-to-play", "history", "rules", "join", "statistics", "unreachable")
SHEETS = {
    "reveal": ("sheet", ".chip >> nth=2"),
    "round": ("menu", "#menu summary"),
    "verdict": ("call", '[data-sheet="call"]'),
}
FILM = ("setup", "opening", "round", "reveal", "question", "verdict", "over")
"""The screens of a round, one after the other, for the README."""
FRAME_MS = 1800
KNOWN = ((*PEOPLE, ("Doña Inés", "yellow")), (("Ana", "red"), ("Zoë", "white")), PEOPLE)
"""Who has played here before, the last ones last."""


class Drawn:
    """Draws the dice of a look, and tells where they lie. A browser keeps pictures: each has its own name."""

    def __init__(self) -> None:
        self.jpeg = b""
        self._named: dict[str, bytes] = {}

    def named(self, name: str) -> bytes | None:
        """The picture of that name; without marks, for the page draws its own."""
        return self._named.get(name.removesuffix("-plain"))

    def observation(
        self, faces: Mapping[str, Sequence[int]], unsure: Sequence[int] = (), **_: Any
    ) -> AddObservation:
        lying = tuple((face, colour) for colour, row in faces.items() for face in row)
        picture = laid(lying, SEED, width_px=1280, height_px=960)
        self.jpeg = bytes(cv2.imencode(".jpg", picture.image_bgr)[1])
        name = f"shot{len(self._named)}"
        self._named[name] = self.jpeg
        dice = [
            SeenDie(
                face,
                truth.x_px / 1280,
                truth.y_px / 960,
                truth.size_px / 1280,
                0.6 if number in unsure else 0.99,
                number not in unsure,
                colour,
                (3,) if number in unsure else (),
                ("low_confidence",) if number in unsure else (),
            )
            for number, ((face, colour), truth) in enumerate(zip(lying, picture.dice, strict=True))
        ]
        return AddObservation(Observation(1280, 960, tuple(dice), not unsure, (), name), "all")


@contextmanager
def served(table: BoxedTable, drawn: Drawn) -> Iterator[str]:
    app = create_app(deps_for(table, pictures=Shots(drawn.named, drawn.jpeg), poll_s=1.0))
    server = open_server(app, "127.0.0.1", 0)
    threading.Thread(target=server.run, daemon=True).start()
    yield f"http://127.0.0.1:{server.port}"
    server.close()


def main() -> int:
    """Write every picture; 1 where there is no Chromium."""
    chromium = find_chromium()
    if not chromium:
        sys.stderr.write("take_screens: there is no Chromium here\n")
        return 1
    FOLDER.mkdir(parents=True, exist_ok=True)
    drawn = Drawn()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as running:
        table = BoxedTable(Path(folder))
        table.eye = drawn.observation  # type: ignore[assignment]
        browser = running.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        with served(table, drawn) as address:
            drawn.observation({"red": (3, 1, 5), "blue": (2, 6), "green": (4, 4)})
            small = {"viewport": {"width": 360, "height": 640}, "color_scheme": "dark"}
            _film(browser.new_context(**small, locale="en-GB", reduced_motion="reduce"), table, address)
            for theme in ("dark", "light"):
                phone = {**running.devices["Pixel 7"], "device_scale_factor": 1, "color_scheme": theme}
                _take(
                    browser.new_context(**phone, locale="en-GB", reduced_motion="reduce"),
                    table,
                    address,
                    theme,
                )
                _take_workshop(
                    browser.new_context(**phone, locale="en-GB", reduced_motion="reduce"),
                    Path(folder) / theme,
                    theme,
                )
        browser.close()
        table.journal.close()
    return 0


def _film(context: Any, table: BoxedTable, address: str) -> None:
    """The screens of FILM as one moving picture."""
    page, frames = context.new_page(), []
    for way in FILM:
        table.renew()
        WAYS[way](table)
        page.goto(address)
        page.wait_for_timeout(400)
        shot = np.frombuffer(page.screenshot(), np.uint8)
        frames.append(cv2.imdecode(shot, cv2.IMREAD_COLOR))
    film = cv2.Animation()
    film.frames, film.durations = frames, np.full(len(frames), FRAME_MS, np.int32)
    cv2.imwriteanimation(str(FOLDER / "round.webp"), film, [cv2.IMWRITE_WEBP_QUALITY, 80])


def _take(context: Any, table: BoxedTable, address: str, theme: str) -> None:
    page = context.new_page()
    for way, bring in WAYS.items():
        if way in HIDDEN or (theme == "light" and way not in BRIGHT):
            continue
        table.renew()
        if way == "setup":
            _played_before(table)
        bring(table)
        page.goto(address)
        _shoot(page, way, theme)
        if way in SHEETS:
            name, button = SHEETS[way]
            page.click(button)
            page.wait_for_timeout(300)
            _shoot(page, name, theme)
    table.renew()
    WAYS["verdict"](table)
    for name in PAGES if theme == "dark" else ():
        page.goto(f"{address}/{name}")
        _shoot(page, name, theme)
    if theme == "light":
        return
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(f"{address}/board")
    _shoot(page, "board", theme)


def _take_workshop(context: Any, folder: Path, theme: str) -> None:
    """The pages of a real box: an emblem shown to it twice and tried, and everybody's colours learnt."""
    page = context.new_page()
    folder.mkdir()
    cv2.imwrite(str(folder / "emblem.png"), drawn((SIX,), 0).image_bgr)
    with at_work(folder / "teach", f"folder:{folder}") as box:
        for work in ("show", "show", "recognise"):
            box.workshop.do("teach", work, str(SIX))
        _shoot_work(page, box, "teach", theme)
    with at_work(folder / "colours", "simulated") as box:
        people = tuple((name, colour) for name, colour in PEOPLE)
        box.table.do(NewGame(PRESETS["classic"], people, starter=people[0][0]))
        for name, _ in people:
            box.workshop.do("colours", "colour", name)
        _shoot_work(page, box, "colours", theme)


def _shoot_work(page: Any, box: Companion, name: str, theme: str) -> None:
    page.goto(f"http://127.0.0.1:{box.port}/{name}")
    page.wait_for_selector("#work .card")
    page.wait_for_timeout(1500)
    page.screenshot(path=FOLDER / f"{name}-{theme}.png", full_page=True)


def _played_before(table: BoxedTable) -> None:
    for people in KNOWN:
        start(table, people)
        table.renew()


def _shoot(page: Any, name: str, theme: str) -> None:
    page.wait_for_load_state("networkidle") if name == "join" else page.wait_for_timeout(250)
    page.screenshot(path=FOLDER / f"{name}-{theme}.png")


if __name__ == "__main__":
    sys.exit(main())
