"""`dudo hardware-test`: lights each lamp, listens to each button, takes a picture."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from companion.cli.run import add_data_option, with_data
from companion.texts import translate

if TYPE_CHECKING:
    from companion.app.machine import LearntKeys, OneButton, OnePicture, OpenBench

Ask = Callable[[str], str]

_SHOWN_S = 0.7


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add what the command says of itself, and its options."""
    parser.description = (
        "Lights each lamp and asks whether it is lit, asks for each button and shows its raw "
        "edges, takes a picture and says how sharp and bright it is."
    )
    parser.add_argument("--config", type=Path, metavar="FILE", help="settings to use instead of the usual")
    add_data_option(parser)
    parser.add_argument("--wait", type=float, default=15.0, metavar="S", help="seconds for each button (15)")
    parser.add_argument("--no-questions", action="store_true", help="ask nothing; buttons are not waited for")
    parser.add_argument(
        "--learn-keys",
        action="store_true",
        help="learn which keys of keyboards, presenters or arcade encoders stand for the buttons",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Test every part; 1 when one failed or the box cannot be opened."""
    from companion.app import machine  # here: it knows every part of the box

    if args.learn_keys:
        return _learn(args)
    try:
        bench = machine.hardware_bench(with_data(args))
    except (ValueError, OSError, ImportError) as fault:
        print(f"dudo hardware-test: {fault}", file=sys.stderr)
        return 1
    ask = None if args.no_questions or not sys.stdin.isatty() else _ask
    try:
        failed = lead(bench, ask, args.wait)
    finally:
        bench.close()
    print(f"\nFailed: {', '.join(failed)}." if failed else "\nEverything works.")
    return 1 if failed else 0


def _learn(args: argparse.Namespace) -> int:
    from companion.app import machine  # here: it knows every part of the box

    try:
        learning = machine.key_learning(with_data(args))
    except ValueError as fault:
        print(f"dudo hardware-test: {fault}", file=sys.stderr)
        return 1
    try:
        return learn(learning, args.wait)
    finally:
        learning.close()


def learn(learning: LearntKeys, wait_s: float) -> int:
    """Have each button learn a key; 1 where none was pressed, and then what was learnt before stays."""
    if not learning.devices:
        print(f"dudo hardware-test: {learning.fault or 'no keyboard is plugged in.'}", file=sys.stderr)
        return 1
    print(f"Keyboards: {', '.join(learning.devices)}.")
    for button in learning.buttons:
        print(
            f"  Press the key for {button.upper()}; none within {wait_s:.0f} s leaves it without.", flush=True
        )
        key = learning.learn(button, wait_s)
        print(f"  {button}: {f'{key.code} of {key.device}' if key else 'no key of its own'}")
    if not learning.learnt:
        print("\nNo key was pressed: nothing is changed.")
        return 1
    learning.keep()
    print("\nKept. Start the companion again, and these keys are buttons.")
    return 0


def lead(bench: OpenBench, ask: Ask | None, wait_s: float) -> list[str]:
    """Test all parts and return the names of those that failed. Without `ask` nothing is asked."""
    print(f"Pins: {bench.pins.why}.")
    faults = bench.faults()
    for fault in faults:
        print(f"  {fault}")
    failed = [*_lamps(bench, ask), *_sound(bench, ask), *_buttons(bench, ask, wait_s), *_picture(bench)]
    return failed + (["parts that could not be opened"] if faults else [])


def _lamps(bench: OpenBench, ask: Ask | None) -> list[str]:
    failed = []
    for lamp in bench.lamps:
        bench.light(lamp)
        failed += _confirmed(bench, ask, lamp, "is it lit, and nothing else?")
    bench.light(None)
    return failed


def _sound(bench: OpenBench, ask: Ask | None) -> list[str]:
    if not bench.has_buzzer:
        return []
    bench.beep()
    return _confirmed(bench, ask, "buzzer", "did it sound?")


def _buttons(bench: OpenBench, ask: Ask | None, wait_s: float) -> list[str]:
    """Simulated buttons are pressed by the test itself; real ones only when somebody is there."""
    failed = []
    for button in bench.buttons:
        if bench.pins.simulated:
            bench.press(button)
        elif ask is None:
            continue
        else:
            print(f"  Press {button.upper()} now.")
        report = bench.await_press(button, 0.0 if bench.pins.simulated else wait_s)
        print(f"  button {button}: {'pressed' if report.pressed else 'NOT pressed'}, {_contact(report)}")
        failed += [] if report.pressed else [f"button {button}"]
    return failed


def _picture(bench: OpenBench) -> list[str]:
    from companion.app import machine  # here: it knows every part of the box

    why = getattr(bench.camera, "why", "none")
    print(f"Camera: {why}.")
    if bench.camera is not None and bench.camera.name == machine.PHONES:
        return []
    try:
        report = bench.picture()
    except (OSError, ValueError, ImportError) as fault:
        print(f"  {fault}")
        return ["camera"]
    print("  " + "\n  ".join((_measured(report), *map(machine.advice_words, report.advice))))
    return []


def _contact(report: OneButton) -> str:
    """The sentence on a button's contact."""
    edges, bounce = len(report.edges), f"{report.bounce_ms:.1f}"
    return translate("en", f"contacts.{report.contact}", edges=edges, ms=bounce)


def _measured(report: OnePicture) -> str:
    """Size, sharpness and brightness of a picture."""
    q = report.quality
    size = f"{report.width_px} x {report.height_px} pixels"
    return f"{size}, sharpness {q.sharpness:.0f}, brightness {q.brightness:.0%}, burnt out {q.glare:.1%}"


def _confirmed(bench: OpenBench, ask: Ask | None, part: str, question: str) -> list[str]:
    """Ask whether a part did what it should; the part's name when it did not."""
    if ask is None:
        time.sleep(0.0 if bench.pins.simulated else _SHOWN_S)
        print(f"  {part}: tried")
        return []
    answer = ask(f"  {part}: {question} [Y/n] ")
    return [part] if answer.strip().lower().startswith("n") else []


def _ask(question: str) -> str:
    try:
        return input(question)
    except EOFError:
        return ""
