"""Seconds of CPU that each part of the suite takes: `make test ARGS="-p tests.cpu_seconds"`.

On a busy machine they stay what they are, where the time of day does not. Processes that a test starts are
counted, as is the browser that many tests share; what ended unseen between two tests is not.
"""

import os
from collections import Counter
from collections.abc import Generator

import psutil
import pytest

SHOWN = 30
CPU = "cpu_s"

_spent: Counter[str] = Counter()


def spent_s() -> float:
    """CPU seconds of this process and all below it until now."""
    times = os.times()
    found = sum(times[:4])
    for child in psutil.Process().children(recursive=True):
        try:
            found += sum(child.cpu_times()[:4])
        except psutil.Error:
            continue
    return found


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None, None, None]:
    item.user_properties.append((CPU, -spent_s()))
    yield


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None, None, None]:
    yield
    item.user_properties.append((CPU, spent_s()))


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.when == "teardown":
        taken = sum(float(str(value)) for name, value in report.user_properties if name == CPU)
        _spent[report.nodeid.partition("::")[0]] += max(0.0, taken)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    parts: Counter[str] = Counter()
    for file, seconds in _spent.items():
        parts["/".join(file.split("/")[:2]).removesuffix(".py")] += seconds
    terminalreporter.section(f"{_spent.total():.0f} CPU seconds, by part and by file")
    for name, seconds in (*parts.most_common(), *_spent.most_common(SHOWN)):
        terminalreporter.write_line(f"{seconds:8.1f}  {name}")
