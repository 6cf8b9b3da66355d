"""Ten phones that misbehave at once, and a lawful one whose verdict comes as at a quiet table."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest

from companion.app.companion import Companion
from companion.app.reading.reader_process import ReaderProcess
from companion.table import commands as cmd
from companion.table.parsing import parse
from hardware.clock import SystemClock
from tests.effort import draws
from tests.whole.conftest import at_work
from tests.whole.misbehaving import KINDS, picture
from tests.whole.pictures import drawn, encoded
from tests.whole.test_phone_pictures import FACES, MAX_TRIES, cookie_of, revealed, send, shown
from vision.arrays import Image

pytestmark = [pytest.mark.slow, pytest.mark.thorough]

ROUNDS = draws(3, 5)
OTHERS_S = 1.0
"""Twice as long as one of them takes to send another."""

SENDING = sum(many for turn, _, many in KINDS if turn is picture)


class CountingReader(ReaderProcess):
    """Knows how many pictures were decoded, for whomever."""

    decoded = 0

    def _decoded(self, data: bytes, longest_px: int) -> Image:
        self.decoded += 1
        return super()._decoded(data, longest_px)


@contextmanager
def misbehaving(port: int) -> Iterator[None]:
    """As long as this lasts."""
    command = [sys.executable, "-m", "tests.whole.misbehaving", str(port)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as phones:
        try:
            assert phones.stdout
            assert phones.stdout.readline() == "10 phones misbehave\n"
            yield
            assert phones.poll() is None, "they gave up before the table did"
        finally:
            phones.kill()


def verdict(box: Companion, data: bytes) -> None:
    """A phone sends its picture until it is asked for no other, and everybody sees the verdict."""
    revealed(box)
    cookie = cookie_of(box)
    threading.Event().wait(OTHERS_S)  # the pictures of others come first
    before = box.reader.decoded
    for _ in range(MAX_TRIES):
        answer = send(box, data, cookie=cookie)
        if "place" in answer:
            break
        assert answer["reason"] in ("pictures_busy", "picture_too_soon"), answer
    assert shown(box)["verdict"]["loser"] == "Ana"
    assert box.reader.decoded - before <= 1 + SENDING, "of each other phone one picture at most comes first"
    box.table.do(parse({"type": "abandon"}))
    box.table.do(cmd.PutAway())


def test_ten_misbehaving_phones_hold_no_verdict_up(tmp_path):
    """Nothing is timed here: what a phone waits for is the work that is done before its own."""
    data, reader = encoded(drawn(FACES, 1)), CountingReader(SystemClock())
    with closing(reader), at_work(tmp_path / "data", "phones", picture_reader=reader) as box:
        reader.get_ready("both")
        loaded = reader._worker.pid
        with misbehaving(box.port):
            for _ in range(ROUNDS):
                verdict(box, data)
            assert box.alive(), "the watchdog is fed"
        assert reader._worker.pid == loaded, "no reading was ended"
