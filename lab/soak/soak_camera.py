"""A camera that hangs, dies or sends garbage, on stand-ins for the libraries below it."""

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

from lab.soak.scenario import Row, Scenario
from tests.hardware.camera_kills import WAYS, Make, kill_over_and_over, unheard
from tests.hardware.child_cameras import pi, usb


def scenarios() -> tuple[Scenario, ...]:
    return (
        Scenario("a Pi camera that hangs, dies or sends garbage", _killing(pi)),
        Scenario("a USB camera that hangs, dies or sends garbage", _killing(usb)),
    )


def _killing(make: Make) -> Callable[[float, Random], Row]:
    def run(budget_s: float, dice: Random) -> Row:
        until_s, ways = time.monotonic() + budget_s, dice.sample(WAYS, len(WAYS))
        with unheard(), tempfile.TemporaryDirectory() as folder:
            counts = kill_over_and_over(
                make, Path(folder), ways, lambda times: times == 0 or time.monotonic() < until_s
            )
        left = counts.descriptors + counts.children + counts.shared_names
        remark = (
            f"Pictures again after {counts.median_s:.1f} s at the median, {counts.longest_s:.1f} s at most; "
            f"{left} descriptors, processes and shared memories left; {counts.memory_mb:+.0f} MB."
        )
        return Row(counts.tried, detected=counts.back, wrong=counts.tried - counts.back + left, remark=remark)

    return run
