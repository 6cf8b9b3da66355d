"""The pages of the workshop: in every language, for those who may, clean for machines, in both themes."""

import html
import re
from collections.abc import Mapping
from typing import Any

import pytest

from companion.rules.presets import PRESETS
from companion.table.commands import NewGame
from companion.texts import catalogue, languages
from tests.web.axe import complaints_of_both_themes
from tests.web.party import FAR
from tests.web.tables import bidding, deps_for
from web.app import create_app
from web.pages.phone_camera import PHONES
from web.payloads import WORK

pytestmark = pytest.mark.usefixtures("over_sockets")

PAGES = ("calibrate", "teach", "colours", "hardware-test")
UNKNOWN = re.compile(r"web\.[a-z_.]+")
VALUES = {"pixels": 30, "low": 40, "high": 120, "percent": 50, "degrees": 9, "n": 2}


KEY = {"device": "Presenter <b>", "code": "KEY_PAGEDOWN"}
KEYS, CONTACTS = (
    [*dict.fromkeys(key.split(".")[1] for key in catalogue("en") if key.startswith(f"{part}."))]
    for part in ("advice", "contacts")
)
"""All advice, and how contacts are rated."""
KEYS_LEARNT: dict[str, Any] = {
    "buttons": [{"name": "dudo", "keys": [KEY, KEY]}, {"name": "seat1", "keys": []}],
    "awaited": "",
    "result": {"what": "learnt", "button": "dudo", **KEY},
    "can_undo": True,
    "no_keyboard": False,
}


class Workshop:
    """A box with everything to say at once; remembers what was asked of it."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str | None]] = []
        self.pictures = 0
        self.keys: dict[str, Any] = KEYS_LEARNT

    def now(self, page: str) -> Mapping[str, Any]:
        self.pictures += 1
        return dict(zip(PAGES, (self.camera, self.taught, self.colours, self.parts), strict=True))[page]()

    def do(self, page: str, step: str, part: str | None = None) -> None:
        assert step in WORK[page]
        self.asked.append((step, part))

    def camera(self) -> Mapping[str, Any]:
        advice = [{"key": key, "values": VALUES} for key in KEYS]
        return {
            "camera": "Pi camera",
            "fault": {"reason": "camera_silent", "values": {}},
            "live": {"sharp": 0.5, "brightness": 0.4, "advice": advice[:3]},
            "steps": {"focus": advice[3:5], "dice": advice[5:], "empty": advice[:1]},
            "tried": ["focus", "dice", "empty"],
            "found": {
                "die_px": 30.2,
                "tilt_deg": 9.0,
                "level": False,
                "lens_position": 2.5,
                "empty": True,
            },
            "good_px": [30, 120],
            "can_focus": True,
            "kept": False,
            "can_switch_off": True,
        }

    def taught(self) -> Mapping[str, Any]:
        return {
            "faces": [{"face": 1, "times": 1}, {"face": 6, "times": 3}],
            "shown": {"face": 6, "picture": "taught-4"},
            "seen": [{"face": 6, "taught": True, "certain": False}],
        }

    def colours(self) -> Mapping[str, Any]:
        players = [{"name": name, "colour": "red", "shown": n} for n, name in enumerate(("Ana", "Bea <b>"))]
        return {"players": players, "learnt": ["Ana"], "alike": ["Bea <b>"]}

    def parts(self) -> Mapping[str, Any]:
        buttons = [
            {
                "name": name,
                "pressed": contact != "no_contact",
                "down": contact == "noise",
                "contact": contact,
                "values": {"edges": 4, "ms": "3.0"},
                "edges": [{"down": True, "ms": 0}, {"down": False, "ms": 180}],
            }
            for name, contact in zip(("dudo", "calza", "ok", "seat1", "seat12"), CONTACTS, strict=True)
        ]
        return {
            "simulated": True,
            "lamps": ["status red", "status green", "status blue", "lamp of seat 3", "light ring"],
            "lit": "light ring",
            "buzzer": True,
            "buttons": buttons,
            "faults": [{"reason": "lamp_missing", "values": {}}],
            "picture": {
                "width": 1640, "height": 1232, "sharpness": 80, "brightness": 40, "glare": 1,
                "advice": [{"key": "glare", "values": {}}],
            },
            "keys": self.keys,
        }  # fmt: skip


@pytest.fixture
def box():
    return Workshop()


@pytest.fixture
def bench(table, box):
    return create_app(deps_for(table, workshop=box)).test_client()


@pytest.mark.parametrize("page", PAGES)
def test_each_page_is_drawn_in_every_language(bench, page):
    for language in languages():
        headers = {"Accept-Language": language}
        whole = bench.get(f"/{page}", headers=headers).get_data(as_text=True)
        part = bench.get(f"/workshop/{page}", headers=headers).get_data(as_text=True)
        assert f'lang="{language}"' in whole
        assert part.strip() in whole
        assert UNKNOWN.findall(whole) == []
        assert "…" not in html.unescape(part)


def test_where_phones_take_the_pictures_no_page_speaks_of_a_camera(bench, table):
    table.camera = PHONES
    for language in languages():
        headers = {"Accept-Language": language}
        pages = {name: bench.get(f"/{name}", headers=headers).get_data(as_text=True) for name in PAGES}
        steps = {name: set(re.findall(r'"do": "([a-z-]+)"', page)) for name, page in pages.items()}
        assert steps["calibrate"] == {"switch-off"}
        assert "picture" not in steps["hardware-test"]
        assert 'href="/colours"' in pages["calibrate"]
        assert 'href="/teach"' in pages["calibrate"]
        assert [page for page in pages.values() if 'id="preview"' in page] == []
        assert all(UNKNOWN.findall(page) == [] for page in pages.values())


@pytest.mark.parametrize(
    ("said", "done"), [((), True), (("moving_light",), True), (("moving_light", "nearer"), False)]
)
def test_a_height_is_good_whatever_the_camera_keeps(bench, box, monkeypatch, said, done):
    advice = [{"key": key, "values": VALUES} for key in said]
    now = box.camera()
    monkeypatch.setattr(box, "camera", lambda: {**now, "steps": {**now["steps"], "dice": advice}})
    part = bench.get("/workshop/calibrate").get_data(as_text=True)
    step = next(card for card in part.split("<section") if '"do": "dice"' in card)
    assert ("✓" in step) == done


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, "KEY_PAGEDOWN of Presenter <b> is DUDO from now on."),
        (
            {"result": {"what": "taken", "button": "calza", **KEY}},
            "already stands for CALZA. Forget it there",
        ),
        ({"result": {"what": "forgotten", "button": "seat1"}}, "Seat 1 has no key any more."),
        ({"result": {"what": "undone"}}, "All keys are as they were before."),
        ({"result": {"what": "unwritable", "cause": "disk full"}}, "The keys cannot be saved (disk full)."),
        ({"awaited": "ok"}, "Press the key for OK now."),
        ({"awaited": "ok", "no_keyboard": True}, "No keyboard or presenter is there yet"),
    ],
)
def test_what_came_of_a_key_is_a_sentence(bench, box, changes, words):
    box.keys = {**KEYS_LEARNT, **changes}
    part = bench.get("/workshop/hardware-test", headers={"Accept-Language": "en"}).get_data(as_text=True)
    assert words in re.sub(r"[\u2066-\u2069]", "", html.unescape(part))


@pytest.mark.parametrize(
    ("body", "asked"),
    [
        ({"do": "focus"}, ("focus", None)),
        ({"do": "keep"}, ("keep", None)),
        ({"do": "light", "part": "status red"}, ("light", "status red")),
        ({"do": "light", "part": None}, ("light", None)),
        ({"do": "show", "part": "6"}, ("show", "6")),
        ({"do": "colour", "part": "Ana"}, ("colour", "Ana")),
        ({"do": "mixed"}, ("mixed", None)),
        ({"do": "key", "part": "ok"}, ("key", "ok")),
        ({"do": "key-undo"}, ("key-undo", None)),
        ({"do": "switch-off"}, ("switch-off", None)),
    ],
)
def test_a_step_reaches_the_box(bench, box, body, asked):
    assert bench.post("/api/v1/workshop", json=body).status_code == 200
    assert box.asked == [asked]


@pytest.mark.parametrize(
    "body",
    [{}, {"do": "fly"}, {"do": ["focus"]}, {"do": "light", "part": 3}, {"do": "show", "part": ["6"]}],
)
def test_a_step_that_is_none_is_refused(bench, box, body):
    assert bench.post("/api/v1/workshop", json=body).status_code == 400
    assert box.asked == []


def test_only_who_leads_may_touch_the_box(bench, box, table):
    bidding(table)
    for page in PAGES:
        shown = bench.get(f"/{page}", environ_overrides=FAR).get_data(as_text=True)
        assert "Only the host can test the box." in shown
    for step in ("beep", "switch-off"):
        refused = bench.post("/api/v1/workshop", json={"do": step}, environ_overrides=FAR)
        assert (refused.status_code, refused.json["reason"]) == (403, "leader_only")
    assert (box.asked, box.pictures) == ([], 0)


def test_without_a_box_it_has_no_pages(client):
    for path in ("/calibrate", "/wifi", "/settings"):
        assert client.get(path).status_code == 404, path
    for path in ("/api/v1/workshop", "/wifi", "/settings"):
        assert client.post(path).status_code == 404, path
    assert "/calibrate" not in client.get("/").get_data(as_text=True)


@pytest.mark.browser
def test_machines_find_nothing_to_complain_of(phone_at, tmp_path):
    from tests.whole.conftest import at_work

    with at_work(tmp_path / "data", "simulated") as companion:
        companion.table.do(NewGame(PRESETS["classic"], (("Ana", "red"), ("Bea", "blue")), starter="Ana"))
        address, wrong = f"http://127.0.0.1:{companion.port}", {}
        page = phone_at(address, color_scheme="dark")
        for name in PAGES:
            page.goto(f"{address}/{name}")
            page.wait_for_selector("#work h1")
            wrong[name] = complaints_of_both_themes(page)
    assert wrong == {name: [] for name in PAGES}
