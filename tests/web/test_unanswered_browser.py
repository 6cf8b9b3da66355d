"""Requests that nobody ever answers: each has a deadline, after which the page says so and works again."""

import re
from pathlib import Path
from typing import Any

import pytest

import web.app
from tests.web.hands import bid, expect, hand_on
from tests.web.serving import served
from tests.web.shots import Shots
from tests.web.tables import BoxedTable, bidding, deps_for, looking
from tests.web.test_workshop_pages import Workshop
from web.app import create_app

pytestmark = [pytest.mark.browser, pytest.mark.slow]

STATIC = Path(web.__file__).parent / "static"
LIMIT_MS = 8_000
STEP_MS = 60_000
UNSENT = "Not sent: no answer."


class Void:
    """Takes what a page asks of a path, and answers none of it until the test lets it."""

    def __init__(self, page: Any, path: str) -> None:
        self.page, self.path = page, path
        self.taken: list[Any] = []
        page.route(path, lambda route: self.taken.append(route))

    def wait(self, number: int = 1) -> None:
        """Until so many requests are lost."""
        hand_on(self.page, lambda: len(self.taken) >= number)

    def end(self) -> None:
        self.page.unroute(self.path)


@pytest.fixture
def address(table):
    more: dict[str, Any] = {"pictures": Shots(live=b""), "forget_game": table.forget, "workshop": Workshop()}
    more["turn_left_s"] = lambda: 30.0
    with served(create_app(deps_for(table, poll_s=0.5, **more))) as address:
        yield address


@pytest.fixture
def timed(phone):
    """Opens a page whose clock the test moves."""

    def open_(path: str = "/") -> Any:
        page = phone("/join", new=True)
        page.clock.install()
        page.goto(page.url.replace("/join", path))
        return page

    return open_


def late(page: Any, limit_ms: int = LIMIT_MS) -> None:
    page.clock.run_for(limit_ms + 100)


def sent(void: Void) -> list[Any]:
    return [route.request.post_data_json for route in void.taken]


def by_the_clock(table: BoxedTable) -> None:
    people = [{"name": name} for name in ("Ana", "Bea")]
    table.say("new_game", players=people, preset="perudo", house={"turn_seconds": 60}, starter="Ana")


def test_a_command_without_an_answer_frees_the_page_and_is_sent_again(timed, table):
    version = bidding(table).version
    page = timed()
    void = Void(page, "**/api/v1/commands")
    bid(page, 6, 3)
    void.wait()
    late(page)
    page.wait_for_selector(f"#toast:has-text('{UNSENT}')")
    page.wait_for_selector("#frame:not(.busy)")
    void.end()
    bid(page, 6, 3)
    page.wait_for_selector('.bid.huge[aria-label="6 threes"]')
    assert [one["based_on"] for one in sent(void)] == [version]
    page.wait_for_selector("#badge", state="hidden")


def test_a_command_that_was_carried_out_unheard_is_not_carried_out_twice(timed, table):
    """The page has not heard of it yet: what is tapped again names the version from before."""
    table.say("new_game", players=[{"name": n} for n in ("Ana", "Bea")], preset="perudo", starter="Ana")
    page = timed()
    news, void = Void(page, "**/fragment/**"), Void(page, "**/api/v1/commands")
    news.wait()
    bid(page, 6, 3)
    void.wait()
    table.say("bid", by="Ana", quantity=6, face=3)  # it had arrived; its answer was lost
    late(page)
    page.wait_for_selector("#frame:not(.busy)")
    void.end()
    with page.expect_response("**/api/v1/commands") as answer:
        bid(page, 6, 3)
    assert answer.value.status == 409
    expect(page, "#toast").to_contain_text("moved on")
    news.end()
    page.wait_for_selector('.bid.huge[aria-label="6 threes"]')


def test_what_the_box_refuses_for_a_moment_is_sent_again(timed, table):
    """The page retries it after the seconds of Retry-After, and shows nothing."""
    bidding(table)
    page = timed()
    void = Void(page, "**/api/v1/commands")
    bid(page, 6, 3)
    void.wait()
    with page.expect_event("requestfinished"):
        void.taken[0].fulfill(status=429, headers={"Retry-After": "1"}, json={"title": "Too soon."})
    expect(page, "#toast").to_be_hidden()
    page.clock.run_for(1_000)
    void.wait(2)
    assert len(sent(void)) == 2, "the same command once more"


@pytest.mark.parametrize(
    ("path", "prepare", "lost", "limit_ms", "tap", "then"),
    [
        pytest.param(
            "/", bidding, "**/sheet/**", LIMIT_MS, "[data-sheet]:visible", "#sheet[open]", id="a dialog"
        ),
        pytest.param("/", looking, "**/box/press", LIMIT_MS, "[data-press=ok]", "#toast", id="a press"),
        pytest.param(
            "/hardware-test",
            bidding,
            "**/api/v1/workshop",
            STEP_MS,
            "text=Sound the buzzer",
            "#frame:not(.busy)",
            id="a step of the workshop",
        ),
    ],
)
def test_what_is_tapped_without_an_answer_may_be_tapped_again(
    timed, table, path, prepare, lost, limit_ms, tap, then
):
    prepare(table)
    page = timed(path)
    if page.locator("#box:not([open])").count():
        page.click("#box > summary")
    void = Void(page, lost)
    page.evaluate("document.getElementById('box')?.setAttribute('open', '')")  # it is folded
    page.locator(tap).first.click()
    void.wait()
    late(page, limit_ms)
    page.wait_for_selector(f"#toast:has-text('{UNSENT}')")
    void.end()
    page.evaluate("document.getElementById('toast').hidden = true")
    with page.expect_response(lost):
        page.locator(tap).first.click()
    page.wait_for_selector(then, state="attached")


@pytest.mark.parametrize(
    ("path", "prepare", "lost", "limit_ms", "shown"),
    [
        pytest.param(
            "/setup", None, "**/sheet/house*", 12_000, "[data-switch]", id="the rules of the set-up"
        ),
        pytest.param("/setup", None, "**/static/house.js*", 12_000, "[data-switch]", id="what searches them"),
        pytest.param("/", by_the_clock, "**/api/v1/clock", 10_000, ".clock:not(:empty)", id="the clock"),
        pytest.param(
            "/",
            bidding,
            "**/static/listener.js*",
            28_000,
            '#live[data-version="{version}"]',
            id="the listener",
        ),
        pytest.param("/hardware-test", bidding, "**/workshop/*", 10_000, "#badge[hidden]", id="the workshop"),
    ],
)
def test_what_a_page_asks_by_itself_is_asked_again(timed, table, path, prepare, lost, limit_ms, shown):
    if prepare:
        prepare(table)
    page = timed(path)
    void = Void(page, lost)
    page.reload(wait_until="commit")
    void.wait()
    page.clock.run_for(limit_ms)
    void.wait(2)
    void.end()
    table.refresh()
    page.clock.run_for(limit_ms)
    page.wait_for_selector(shown.format(version=table.snapshot().version), state="attached")


def test_a_live_picture_that_never_comes_is_asked_for_again(timed, table):
    bidding(table)
    page = timed()
    void = Void(page, "**/preview.jpg*")
    table.say("dudo", by="Bea")
    page.wait_for_selector("#preview", state="attached")
    void.wait()
    asked = len(void.taken)
    page.clock.run_for(3_000)
    assert len(void.taken) == asked, "one at a time"
    page.clock.run_for(LIMIT_MS)
    void.wait(asked + 1)


def test_every_request_of_a_page_has_a_deadline():
    """New ones go through the one place that has it."""
    own = {"ask.js", "listener.js"}  # the listener's deadline is given with each question
    waits = re.compile(r"\bfetch\(|\bimport\(|new XMLHttpRequest|createElement\(\"script\"\)|preview\.src")
    found = {path.name for path in STATIC.glob("*.js") if waits.search(path.read_text())}
    assert found <= {*own, "idiomorph.min.js"}
