"""Ten phones that misbehave at once, and a lawful one whose verdict comes as at a quiet table."""

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from statistics import median

import pytest

from companion.app.companion import Companion
from companion.app.reading.reader_process import ReaderProcess
from companion.table import commands as cmd
from companion.table.parsing import parse
from hardware.clock import SystemClock
from tests.effort import draws
from tests.whole.conftest import at_work
from tests.whole.pictures import drawn, encoded
from tests.whole.test_phone_pictures import FACES, cookie_of, revealed, send, shown

pytestmark = [pytest.mark.slow, pytest.mark.thorough]

ROUNDS = draws(3, 5)
MAX_RATIO = 10.0
"""At a quiet table a verdict takes a Raspberry Pi some tenths of a second: so it comes within two."""

OTHERS_S = 2.0
MAX_TRIES = 200


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


def verdict_s(box: Companion, data: bytes, others_first_s: float = 0.0) -> float:
    """So long after a phone has sent its picture everybody sees the verdict; it sends again where it is asked
    to. The pictures of others come first."""
    revealed(box)
    cookie = cookie_of(box)
    box.clock.wait_s(others_first_s)
    began_s = time.perf_counter()
    for _ in range(MAX_TRIES):
        answer = send(box, data, cookie=cookie)
        if "place" in answer:
            break
        assert answer["reason"] in ("pictures_busy", "picture_too_soon"), answer
    took_s = time.perf_counter() - began_s
    assert shown(box)["verdict"]["loser"] == "Ana"
    box.table.do(parse({"type": "abandon"}))
    box.table.do(cmd.PutAway())
    return took_s


def test_ten_misbehaving_phones_hold_no_verdict_up(tmp_path):
    data, reader = encoded(drawn(FACES, 1)), ReaderProcess(SystemClock())
    with closing(reader), at_work(tmp_path / "data", "phones", picture_reader=reader) as box:
        reader.get_ready("both")
        verdict_s(box, data)  # the decoder starts
        loaded = reader._worker.pid
        quiet = [verdict_s(box, data) for _ in range(ROUNDS)]
        with misbehaving(box.port):
            among_ten_s = median(verdict_s(box, data, OTHERS_S) for _ in range(ROUNDS))
            assert box.alive(), "the watchdog is fed"
        quiet += [verdict_s(box, data) for _ in range(ROUNDS)]  # other work on this machine comes and goes
        assert reader._worker.pid == loaded, "no reading was ended"
    quiet_s = median(quiet)
    print(f"quiet {quiet_s:.3f} s, among ten {among_ten_s:.3f} s: {among_ten_s / quiet_s:.1f} times as long")
    assert among_ten_s < MAX_RATIO * quiet_s
