"""What looks at the dice: threads that die, readings that hang, late pictures, hasty presses."""

import logging
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from companion.app.reading import reader_process
from companion.app.reading.reader_process import ReaderProcess
from companion.errors import CompanionError
from companion.rules.calls import Dudo
from companion.rules.position import Phase
from companion.storage.journal import Journal
from companion.table import commands as cmd
from companion.table.table import Table
from hardware.clock import SystemClock
from lab.soak.scenario import Row, Scenario, turns
from tests.clocks import FakeClock
from tests.companion.at_table import bid, new_game, see
from tests.companion.capture_table import Box, Lying, watching
from tests.companion.test_reader_process import HERE

PARTS = ("reveal", "preview", "capture", "place", "on_observation", "on_word")
FOURS = tuple(Lying(4, x, 30) for x in (20, 40, 60, 80, 100, 50))
FIVES = tuple(Lying(5, die.x_px, 60) for die in FOURS)


def scenarios() -> tuple[Scenario, ...]:
    return (
        Scenario("threads that look at the dice and die", dying),
        Scenario("readings that hang or end their process", hanging),
        Scenario("pictures that come too late for their reveal", late),
        Scenario("OK pressed in the moment in which something comes", hasty, share=0.3),
    )


@contextmanager
def _box_in_reveal() -> Iterator[Box]:
    """Eyes at work over six dice of two players, three fives doubted; the faults are not logged."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
            patch.setattr("companion.threads.AFTER_FAULT_S", 0.0)
            with watching(Path(folder), patch) as box:
                yield box
    finally:
        logging.disable(before)


def _doubt(box: Box) -> None:
    box.table.do(new_game("Ana Beto", starting_dice=3))
    box.table.do(bid("Ana", "3x5"))
    box.table.do(cmd.Say(Dudo("Beto")))


def dying(budget_s: float, rng: Random) -> Row:
    """An exit, want of memory or anything else at any point of a look: the verdict comes all the same."""
    row = Row(0)
    for _ in turns(budget_s):
        with _box_in_reveal() as box:
            failures = _fail_at_times(box, rng)
            box.felt.dice = rng.choice((FOURS, FIVES))
            _doubt(box)
            right = "Ana" if box.felt.dice is FOURS else "Beto"
            row += _verdict(box, right, failures)
    return row.saying("Wrong is a round that did not come to its verdict, or not to the right one.")


def _fail_at_times(box: Box, rng: Random) -> list[str]:
    """From now on parts of the capture loop fail at times, at most a dozen; returns where."""
    loop, failed = box.capture._loop, list[str]()
    errors = (SystemExit, MemoryError, RuntimeError, KeyboardInterrupt)

    def failing(part: str, work: Callable[..., Any]) -> Callable[..., Any]:
        def perhaps(*given: Any) -> Any:
            if len(failed) < 12 and rng.random() < 0.3:
                failed.append(part)
                raise rng.choice(errors)
            return work(*given)

        return perhaps

    ports = loop._ports
    loop._ports = replace(ports, **{part: failing(part, getattr(ports, part)) for part in PARTS})
    return failed


def _verdict(box: Box, loser: str, failures: list[str]) -> Row:
    """Whether the round comes to its verdict, and to the right one."""
    try:
        now = box.wait_until(lambda now: now.state.game.phase is not Phase.REVEAL)
    except AssertionError:  # it stands still
        return Row(max(1, len(failures)), wrong=1)
    wrong = now.state.game.verdict.loser != loser
    return Row(max(1, len(failures)), detected=max(1, len(failures)), wrong=int(wrong))


def hanging(budget_s: float, rng: Random) -> Row:
    """A reading that hangs, in Python or below it, or a process that dies: the next reading works."""
    image, row = np.full((30, 40, 3), 90, np.uint8), Row(0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("hardware.clock.BackOff.pause_s", lambda self: 0.0)
        patch.setattr(reader_process, "READING_S", 0.3)
        reader = ReaderProcess(SystemClock(), HERE)
        try:
            for _ in turns(budget_s):
                reported = False
                try:
                    reader.read(image, rng.choice(("hang", "hang in foreign code", "die")))
                except CompanionError as error:
                    reported = error.reason == "reading_failed"
                patch.setattr(reader_process, "READING_S", 30.0)
                back = reader.read(image, "both")["dice"] == []
                patch.setattr(reader_process, "READING_S", 0.3)
                row += Row(1, detected=int(reported), wrong=int(not back))
        finally:
            reader.close()
    return row.saying("The process was ended and begun anew each time.")


def late(budget_s: float, rng: Random) -> Row:
    """While a picture is read its call is taken back and made again over other dice, at any moment."""
    row = Row(0)
    for _ in turns(budget_s):
        with _box_in_reveal() as box:
            box.felt.dice = FOURS
            _overtake(box, _again_over_fives(box, rng))
            _doubt(box)
            now = box.wait_until(
                lambda now: now.state.game.phase is not Phase.REVEAL and len(now.state.played) > 0
            )
            seen = {die.face for step in now.state.reveal.steps for die in step.observation.dice}
            row += Row(1, detected=1, wrong=int(seen != {5}))
    return row.saying("No picture counted for another reveal than the one it was taken for.")


def _overtake(box: Box, happen: Callable[[], None]) -> None:
    """From now on `happen` is called when a picture has been read and not yet been handed to the table."""
    loop = box.capture._loop
    ports = loop._ports

    def capture() -> Any:
        observation = ports.capture()
        happen()
        return observation

    loop._ports = replace(ports, capture=capture)


def _again_over_fives(box: Box, rng: Random) -> Callable[[], None]:
    """What people do while the first or second picture is read, once."""
    left = [rng.choice((1, 2))]

    def again() -> None:
        left[0] -= 1
        if left[0] == 0:
            box.table.do(cmd.Undo())
            box.felt.dice = FIVES
            box.table.do(cmd.Say(Dudo("Beto")))

    return again


def hasty(budget_s: float, rng: Random) -> Row:
    """OK just before, at and just after a verdict: nobody's verdict goes by unseen."""
    row = Row(0)
    with tempfile.TemporaryDirectory() as folder:
        journal, clock = Journal(Path(folder) / "games"), FakeClock(100.0)
        for _ in turns(budget_s):
            table = Table(journal, now_s=clock.now_s)
            if table.snapshot().game_id:
                table.do(cmd.PutAway())
            table.do(new_game("Ana Beto", starting_dice=3))
            table.do(bid("Ana", "3x4"))
            table.do(cmd.Say(Dudo("Beto")))
            see(table, 4, 4, 4, 2, 2, 6)
            row += _pressed(table, clock, rng)
        journal.close()
    return row.saying("Every verdict stood for half a second at least.")


def _pressed(table: Table, clock: FakeClock, rng: Random) -> Row:
    """Presses of OK at random moments until one leaves the verdict."""
    shown_s, presses = clock.now_s(), 0
    while table.snapshot().state.game.phase is Phase.VERDICT:
        clock.advance(rng.uniform(0.0, 0.2))
        with suppress(CompanionError):
            table.do(cmd.Press("ok"))
        presses += 1
    return Row(presses, detected=presses, wrong=int(clock.now_s() - shown_s < 0.5))
