"""The log: one line for each event, rotated, bounded, without secrets."""

import logging

import pytest

from companion.app.system import log
from companion.app.system.log import FILE, EventLog, lines, logged
from companion.rules.calls import Dudo
from companion.storage.journal import Journal
from companion.table import commands as cmd
from companion.table.table import Fault, Table
from tests.companion.at_table import bid, new_game, see

LOG = logging.getLogger("test")


def test_each_record_is_one_line_without_secrets(tmp_path, capsys):
    with logged(tmp_path, verbose=False):
        LOG.info("a game begins")
        LOG.warning("a phone from 192.168.1.17 brought secret=abc123")
        try:
            raise OSError("the card\nis full")
        except OSError:
            LOG.exception("cannot write")
    written = (tmp_path / FILE).read_text().splitlines()
    assert [line.split(" ", 3)[2] for line in written] == ["INFO", "WARNING", "ERROR"]
    assert "192.168" not in written[1]
    assert "abc123" not in written[1]
    assert "Traceback" in written[2]
    assert "is full" in written[2]
    assert capsys.readouterr().err.count("\n") == 2, "the terminal hears of warnings alone"


def test_it_never_grows_beyond_its_bound(tmp_path, monkeypatch):
    monkeypatch.setattr(log, "FILE_BYTES", 1000)
    with logged(tmp_path, verbose=False):
        for number in range(200):
            LOG.info("event %d", number)
    kept = sorted(tmp_path.iterdir())
    assert [path.name for path in kept] == [FILE, f"{FILE}.1", f"{FILE}.2"]
    assert sum(path.stat().st_size for path in kept) <= 3000
    assert "event 199" in (tmp_path / FILE).read_text()


def test_a_folder_that_cannot_be_written_costs_the_file_alone(tmp_path):
    (tmp_path / "file").touch()
    with logged(tmp_path / "file" / "folder", verbose=False):
        LOG.warning("all the same")


def test_a_round_in_lines(tmp_path):
    journal = Journal(tmp_path / "games")
    table, log = Table(journal), EventLog()
    before, found = None, list[str]()

    def happen(now) -> None:
        nonlocal before
        found.extend(f"{logging.getLevelName(level)} {line}" for level, line in lines(before, now))
        log.follow(now)
        before = now

    happen(table.snapshot())
    happen(table.do(new_game("Ana Beto", starting_dice=3)))
    happen(table.do(bid("Ana", "3x4")))
    happen(table.report("camera", Fault("camera_silent")))
    happen(table.do(cmd.Say(Dudo("Beto"))))
    happen(table.report("camera", None))
    happen(table.report("button", Fault("press_means_nothing")))
    happen(see(table, 4, 4, 4, 2, 2, 6))
    game = table.snapshot().game_id
    journal.close()
    assert found == [
        "INFO idle",
        f"INFO game {game}, round 1: bidding",
        "WARNING fault of camera: camera_silent",
        f"INFO game {game}, round 1: fault",
        "INFO camera works again",
        f"INFO game {game}, round 1: looking",
        f"INFO game {game}, round 1: stands, Beto loses",
    ]


@pytest.mark.linux(reason="only Linux has a device that is full")
def test_a_log_on_a_full_card_ends_like_any_other(tmp_path):
    (tmp_path / FILE).symlink_to("/dev/full")
    with logged(tmp_path, verbose=False):
        logging.getLogger("table").info("bidding")
