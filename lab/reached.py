"""A plugin of pytest for `lab.mutants`: which functions does each test reach, and chosen tests alone.

With REACHED, a file, what each passing test reached in the folders REACHED_IN is written there; functions
that keep their answers forget them before each test. With CHOSEN, a file of tests, all others are left out,
and a failing example is not made shorter, which takes minutes where it is a sequence.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from hypothesis import Phase, settings

ROOT = str(Path(__file__).resolve().parent.parent) + "/"


class Recorder:
    """Which functions of these folders each test reached, by module and first line, and its seconds."""

    def __init__(self, folders: tuple[str, ...], file: Path) -> None:
        self.folders, self.file = folders, file
        self.now: set[tuple[str, int]] = set()
        self.tests: dict[str, dict[str, Any]] = {}
        self.is_room = cache(lambda path: path.startswith(self.folders))

    def trace(self, frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if self.is_room(code.co_filename):
            self.now.add((code.co_filename, code.co_firstlineno))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        for function in _keeping(self.folders):
            function.cache_clear()
        self.now = set()
        threading.settrace(self.trace)
        sys.settrace(self.trace)
        try:
            return (yield)
        finally:
            sys.settrace(None)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        test = self.tests.setdefault(report.nodeid, {"seconds": 0.0, "passed": True, "reached": []})
        test["seconds"] += report.duration
        test["passed"] &= report.passed
        if report.when == "teardown":
            test["reached"] = sorted((path.removeprefix(ROOT), line) for path, line in self.now)

    def pytest_sessionfinish(self) -> None:
        kept = {name: test for name, test in self.tests.items() if test["passed"] and test["reached"]}
        self.file.write_text(json.dumps(kept), encoding="utf-8")


def _keeping(folders: tuple[str, ...]) -> list[Any]:
    """Functions of these folders that keep their answers."""
    files = ((getattr(module, "__file__", None) or "", vars(module)) for module in (*sys.modules.values(),))
    inside = [names for file, names in files if file.startswith(folders)]
    return [one for names in inside for one in names.values() if hasattr(one, "cache_clear")]


def pytest_configure(config: pytest.Config) -> None:
    if file := os.environ.get("REACHED"):
        folders = tuple(ROOT + name for name in os.environ["REACHED_IN"].split())
        config.pluginmanager.register(Recorder(folders, Path(file)))
    if "CHOSEN" in os.environ:
        settings.register_profile("first", settings.default, phases=(Phase.explicit, Phase.generate))
        settings.load_profile("first")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if chosen := os.environ.get("CHOSEN"):
        names = {*Path(chosen).read_text(encoding="utf-8").splitlines()}
        items[:] = [item for item in items if item.nodeid in names]
