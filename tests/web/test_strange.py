"""Strange names and many phones: nothing is turned around, nothing is lost, one of two at once goes on."""

import threading
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from typing import Any
from urllib.request import urlopen

import pytest

from companion.texts import languages
from tests.web.serving import served
from tests.web.tables import BoxedTable, bidding, deps_for, start
from web.app import create_app

pytestmark = pytest.mark.slow

PAGES = ("/", "/me", "/history", "/board", "/setup", "/rules")
STRANGE = (("يوسف", "red"), ("שרה!", "blue"), ("<b>Bob</b>", "green"), ("👩‍👩‍👧", "yellow"))
YUSUF, SARA = (name for name, _ in STRANGE[:2])
SPOKEN_OF = ("aria-label", "alt", "title", "data-say")


class Unfenced(HTMLParser):
    """Texts and labels in which a name from the right stands without a fence."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.found: list[str] = []
        self.bold: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("meta", "link", "img", "input", "br", "path", "use", "circle", "rect"):
            self.open.append(tag)
        self.found += [text for name, text in attrs if name in SPOKEN_OF and text and _loose(text, False)]

    def handle_endtag(self, tag: str) -> None:
        if tag in self.open:
            while self.open.pop() != tag:
                pass

    def handle_data(self, data: str) -> None:
        if not {"script", "style"} & set(self.open) and _loose(data, "bdi" in self.open):
            self.found.append(data.strip())
        if "Bob" in data and "b" in self.open:
            self.bold.append(data)


def _loose(text: str, fenced: bool) -> bool:
    """Whether a name stands among other words without a fence; alone it turns nothing around."""
    names = [name for name in (YUSUF, SARA) if name in text and text.strip() != name]
    return not fenced and any(f"\u2068{name}\u2069" not in text for name in names)


def way(table: BoxedTable) -> Iterator[Any]:
    """A game of strange people, moment by moment."""
    yield start(table, STRANGE, house={"starting_dice": 1, "palifico": "off"})
    yield table.say("bid", by=YUSUF, quantity=1, face=3)
    table.say("dudo", by=SARA)
    yield table.do(table.eye({"red": (2,), "blue": (2,)}))
    yield table.say("type_count", count=0)
    yield table.say("next_round")
    table.say("bid", by=SARA, quantity=1, face=3)
    table.say("dudo", by="<b>Bob</b>")
    yield table.say("type_count", count=0)
    table.say("next_round")
    table.say("bid", by="<b>Bob</b>", quantity=1, face=3)
    table.say("dudo", by="👩‍👩‍👧")
    yield table.say("type_count", count=0)


@pytest.mark.parametrize("language", languages())
def test_no_name_turns_a_sentence_around_or_becomes_markup(client, table, language):
    wrong: dict[str, Any] = {}
    for number, _ in enumerate(way(table)):
        for path in PAGES:
            page = Unfenced(client.get(path, headers={"Accept-Language": language}).text)
            if page.found or page.bold:
                wrong[f"{number} {path}"] = (page.found, page.bold)
    assert table.snapshot().data["game"]["winner"] == "👩‍👩‍👧"
    assert wrong == {}


# ---- several phones --------------------------------------------------------------------------------------


def at_once(count: int, act: Callable[[int], Any]) -> list[Any]:
    """What `count` phones get that all act at the same moment."""
    gate, got = threading.Barrier(count), [None] * count

    def one(number: int) -> None:
        gate.wait(30)
        got[number] = act(number)

    threads = [threading.Thread(target=one, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return got


def test_of_two_phones_at_once_one_goes_on_and_the_other_learns_why_not(page, seat, tmp_path):
    seat.boxed = table = BoxedTable(tmp_path)
    version = bidding(table).version
    command = {"type": "bid", "by": "Bea", "quantity": 6, "face": 3}
    body = {"command": command, "based_on": version}
    answers = at_once(8, lambda _: page.test_client().post("/api/v1/commands", json=body).status_code)
    assert sorted(answers) == [200, *[409] * 7]
    assert table.snapshot().data["game"]["round"]["bid"]["quantity"] == 6
    table.journal.close()


def test_of_forty_phones_one_gets_the_seat(table):
    page = create_app(deps_for(table))
    start(table)
    wish = {"seat": "Ana"}
    answers = at_once(40, lambda _: page.test_client().post("/api/v1/phone", json=wish).status_code)
    assert sorted(answers) == [200, *[409] * 39]


def test_forty_listening_phones_hear_of_a_change_while_others_act(table):
    """They hold no thread: one is enough for what others ask meanwhile."""
    version = bidding(table).version
    heard: list[int] = []

    def listen(address: str) -> None:
        with urlopen(f"{address}/fragment/table?after={version}", timeout=60) as answer:
            heard.append(int(answer.headers["X-Version"]))

    with served(create_app(deps_for(table, poll_s=60.0)), threads=1) as address:
        phones = [threading.Thread(target=listen, args=(address,)) for _ in range(40)]
        for phone in phones:
            phone.start()
        with urlopen(f"{address}/api/v1/state", timeout=60) as answer:
            assert answer.status == 200
        now = table.say("bid", by="Bea", quantity=6, face=3).version
        for phone in phones:
            phone.join(60)
    assert heard == [now] * 40
