"""Budgets of phones: whose picture is read next, who waits, and whose body goes."""

import threading
from contextlib import suppress
from dataclasses import dataclass

import pytest

from companion.budgets import LARGE_BYTES, READER_S, READER_SHARE, WAITING
from companion.errors import BadCommand
from web.connections import Bodies
from web.problems import Refused
from web.sent_pictures import Turns


class Line:
    """Phones whose pictures are read one at a time, each until it is let go."""

    def __init__(self, turns: Turns) -> None:
        self.turns = turns
        self.order: list[str] = []
        self.refused: dict[str, str] = {}
        self.threads: list[threading.Thread] = []
        self._let_go = threading.Semaphore(0)

    def bring(self, *phones: str) -> None:
        """Each has begun to wait, or its outcome is known, before the next comes."""
        for phone in phones:
            self.threads.append(threading.Thread(target=self._send, args=(phone,)))
            self.threads[-1].start()
            while not self._settled(phone):
                self.threads[-1].join(0.001)

    def _settled(self, phone: str) -> bool:
        waiting = list(self.turns._waiting)
        return phone in waiting or phone in self.order or phone in self.refused

    def _send(self, phone: str) -> None:
        try:
            with self.turns.turn(phone):
                self.order.append(phone)
                self._let_go.acquire(timeout=20)
        except Refused as error:
            self.refused[phone] = error.reason

    def end(self) -> None:
        for _ in self.threads:
            self._let_go.release()
        for thread in self.threads:
            thread.join(20)


def test_one_picture_is_read_and_four_wait():
    line = Line(Turns(lambda: 0.0))
    line.bring(*"abcdefg")
    line.end()
    assert WAITING == 4
    assert line.order == ["a", "b", "c", "d", "e"]
    assert line.refused == {"f": "pictures_busy", "g": "pictures_busy"}


def test_a_phone_has_one_picture_under_way():
    line = Line(Turns(lambda: 0.0))
    line.bring("a", "b")
    for phone in "ab":
        with pytest.raises(Refused, match="picture_under_way"), line.turns.turn(phone):
            pass
    line.end()
    assert (line.order, line.refused) == (["a", "b"], {})


def test_next_comes_the_phone_that_has_used_the_reader_least():
    """Also where all places are taken: then the one that has used it most gives its own."""
    turns = Turns(lambda: 0.0)
    for number, phone in enumerate("wxyz", start=1):
        turns._used.spend(phone, number)
    line = Line(turns)
    line.bring("first", *"zyxw", "new")
    line.end()
    assert (line.order, line.refused) == (["first", "new", "w", "x", "y"], {"z": "pictures_busy"})


def test_no_picture_waits_beyond_its_deadline():
    line = Line(Turns(lambda: 0.0, wait_s=0.0))
    line.bring("a", "b")
    line.end()
    assert (line.order, line.refused) == (["a"], {"b": "pictures_busy"})


@pytest.mark.parametrize("costly", [True, False], ids=["ended at its bounds", "read for long"])
def test_a_phone_that_has_kept_the_reader_busy_pauses(costly):
    now = [0.0]
    turns = Turns(lambda: now[0])
    with suppress(BadCommand), turns.turn("a"):
        now[0] += 1.0 if costly else READER_S + 1.0
        raise BadCommand("picture_costly" if costly else "picture_without_dice")
    with pytest.raises(Refused, match="picture_under_way"), turns.turn("a"):
        pass
    with turns.turn("b"):
        pass
    now[0] += 1.0 / READER_SHARE
    with turns.turn("a"):
        pass


@dataclass(eq=False)
class Arriving:
    """A larger body of a phone; it notes that its connection was closed."""

    payer: str
    body_bytes_received: int = 0
    completed: bool = False
    closed: bool = False

    def will_close(self) -> None:
        self.closed = True


def test_a_phone_that_begins_anew_gives_up_the_body_before():
    bodies, first, second, third = Bodies(), Arriving("a"), Arriving("a"), Arriving("a")
    assert bodies.begin(first)
    assert bodies.begin(second)
    assert (first.closed, second.closed) == (True, False)
    bodies.end(first)
    second.completed = True
    assert not bodies.begin(third), "it waits to be read"
    bodies.end(second)
    assert bodies.begin(third)


def test_the_largest_body_that_arrives_goes_where_all_are_too_large():
    bodies = Bodies()
    third = LARGE_BYTES // 3
    read, large, small = Arriving("a", third + 2, True), Arriving("b", third + 1), Arriving("c", third)
    for body in (read, large, small):
        assert bodies.begin(body)
    bodies.grown()
    assert (read.closed, large.closed, small.closed) == (False, True, False)
    bodies.grown()
    assert not small.closed
