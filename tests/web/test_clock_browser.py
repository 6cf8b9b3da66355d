"""The clock of a turn in a real browser: counted down, over, shown as such, undone."""

import re

import pytest

from companion.app.table_parts import Subscriber, TurnTimer
from tests.clocks import FakeClock
from tests.web.conftest import PICTURE
from tests.web.hands import expect
from tests.web.tables import doubted, start

pytestmark = pytest.mark.browser


@pytest.fixture
def time(table):
    """The clock of the box, moved by hand; the phone's own goes on."""
    clock = FakeClock()
    timer = TurnTimer(table.table, clock.now_s)
    thread = Subscriber("turn clock", table.table, timer.follow, on_quiet=timer.follow)
    table.turn_left_s = timer.left_s
    yield clock
    thread.close()


def test_a_turn_ends_by_the_clock_and_comes_back_by_undo(phone, table, time):
    start(table, house={"turn_seconds": 90, "turn_over": "dudo"})
    page = phone()
    page.locator("#clock", has_text=re.compile(r"^1[78]\d s left$")).wait_for()
    page.click('[data-quantity="3"]')
    page.click('[data-face="4"]')
    page.locator("#clock", has_text=re.compile(r"^[89]\d s left$")).wait_for()
    time.advance(90)
    page.get_by_text("The time is up: Bea’s dudo.").wait_for()
    table.say("type_count", count=9)
    page.get_by_text("Bea’s time was up").first.wait_for()
    for shown in (".numbers", "#clock"):  # the count with its verdict, the clock's call
        page.click("#undo")
        page.wait_for_selector("#frame:not(.busy)")
        page.wait_for_selector(shown)
    assert table.snapshot().data["game"]["round"]["turn"] == "Bea"


def test_where_nothing_follows_the_page_says_that_it_is_over(phone, table, time):
    start(table, house={"turn_seconds": 10})
    page = phone()
    time.advance(100)
    page.reload()
    page.locator("#clock", has_text="Time is up").wait_for()
    assert table.snapshot().data["game"]["phase"] == "bidding"


def test_the_television_counts_each_turn_down(phone, table, time):
    start(table, house={"turn_seconds": 90, "turn_over": "dudo"})
    board = phone("/board")
    clock = board.locator("#clock", has_text=re.compile(r"^1[78]\d s left$"))
    clock.wait_for()
    before = clock.inner_text()
    board.locator("#clock", has_text=re.compile(rf"^(?!{before}).*s left$")).wait_for()
    table.say("bid", by="Ana", quantity=3, face=4)
    board.locator("#clock", has_text=re.compile(r"^[89]\d s left$")).wait_for()
    time.advance(90)
    board.get_by_text("Bea doubts Ana").first.wait_for()
    expect(board, "#clock").to_have_count(0)


def test_the_host_stops_the_clock_with_one_tap_and_every_screen_says_so(phone, table, time):
    start(table, house={"turn_seconds": 90, "turn_over": "dudo"})
    host, board = phone(viewport={"width": 360, "height": 640}), phone("/board")
    host.click(".timing button")
    for page in (host, board):
        page.wait_for_selector("#paused")
        expect(page, "#clock").to_have_count(0)
    time.advance(1000)
    expect(board, "#paused button").to_have_count(0)
    host.click("#paused button")
    host.locator("#clock", has_text=re.compile(r"^1[78]\d s left$")).wait_for()


def test_a_reading_that_takes_long_says_so_to_the_phone_that_took_the_picture(phone, table):
    table.camera = "phones"
    doubted(table)
    table.table.watch("reading")
    sender, other = phone(new=True), phone(new=True)
    sender.route("**/api/v1/pictures", lambda route: None)  # it is never answered
    for page in (sender, other):
        page.clock.install()
        page.goto(page.url)
    with sender.expect_file_chooser() as chosen:
        sender.click("[data-picture]")
    with sender.expect_request("**/api/v1/pictures"):
        chosen.value.set_files({"name": "dice.jpg", "mimeType": "image/jpeg", "buffer": PICTURE})
    for page in (sender, other):
        page.clock.run_for(25_000)
        expect(page, "body").not_to_contain_text("Take it again")
        page.clock.run_for(6_000)
        expect(page, "[data-sheet=count]").to_be_visible()
    expect(sender, "#toast").to_contain_text("Take it again, or count by hand.")
    expect(other, "body").not_to_contain_text("Take it again")
