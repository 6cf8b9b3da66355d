"""What every test may ask for, which tests this machine cannot run, and options that run the rules
against files of positions, whole games and reference numbers from elsewhere."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from werkzeug.routing import Rule

from tests.effort import THOROUGH, draws
from tests.lasting import lasting
from tests.phones import Phones, borrowed
from tests.ports import held_port
from tests.scratch import use_memory
from tests.spreading import spread
from tests.templates import MemoryCache

NO_BROWSER = (
    "no Chromium to drive: run 'sudo apt-get install --no-install-recommends "
    "chromium-headless-shell fonts-dejavu-core libatomic1'"
)
CHROMIUMS = ("chromium-headless-shell", "chromium", "google-chrome")

# Speed is `make bench`'s business: a busy machine must not fail a property. What fails once fails again, so
# the examples are the same each time; `make thorough` draws new ones, and more of them.
settings.register_profile(
    "suite",
    max_examples=draws(50, 200),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=not THOROUGH,
    print_blob=True,
)
settings.load_profile("suite")
use_memory()


def find_chromium() -> str | None:
    """Path of what starts a Chromium that can be driven, if there is one. Ubuntu's snap stub is not."""
    return str(Path(__file__).with_name("chromium")) if any(map(shutil.which, CHROMIUMS)) else None


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """Path of the Chromium for tests marked `browser`."""
    return find_chromium() or pytest.skip(NO_BROWSER)


@pytest.fixture(scope="session")
def playwright() -> Iterator[Any]:
    """What drives browsers; one for all tests, for two cannot run side by side."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with sync_api.sync_playwright() as running:
        yield running


@pytest.fixture(scope="session")
def browser(playwright: Any, chromium_path: str) -> Iterator[Any]:
    """The system's Chromium, headless."""
    running = playwright.chromium.launch(executable_path=chromium_path, args=["--no-sandbox"])
    yield running
    running.close()


@pytest.fixture(scope="session", autouse=True)
def compiled_templates() -> Iterator[None]:
    """Compile the templates of pages once: a page of its own takes a test 0.01 CPU seconds, not 0.08."""
    with pytest.MonkeyPatch.context() as patch:
        kept = MemoryCache()
        patch.setattr("web.app.CompiledTemplates", lambda *_: kept)
        yield


@pytest.fixture(scope="session", autouse=True)
def compiled_routes() -> Iterator[None]:
    """Compile each route once: of the 0.017 CPU seconds of a page of its own this takes 0.013."""
    kept: dict[tuple[str, str, bool], Any] = {}
    compiled = Rule._compile_builder

    def once(rule: Rule, append_unknown: bool = True) -> Any:
        key = rule.rule, repr(rule.defaults), append_unknown
        if key not in kept:
            kept[key] = compiled(rule, append_unknown)
        return kept[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Rule, "_compile_builder", once)
        yield


@pytest.fixture(scope="session", autouse=True)
def small_reserve() -> Iterator[None]:
    """Boxes set little room aside: 8 MB of each of the hundred that tests start would fill the memory."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("companion.table.folder.BYTES", 80_000)
        yield


@pytest.fixture(scope="session")
def phones(browser: Any) -> Iterator[Phones]:
    """The phones that tests borrow."""
    kept = Phones(browser)
    yield kept
    kept.close()


@pytest.fixture
def phone_at(playwright: Any, phones: Phones) -> Iterator[Any]:
    """Opens the page of an address on one more phone."""
    with borrowed(phones, playwright.devices["Pixel 7"]) as opened:
        yield opened


@pytest.fixture
def free_port() -> Iterator[int]:
    """A free port, which only this test knows."""
    with held_port() as port:
        yield port


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    workers = getattr(config, "workerinput", {}).get("workercount", 1)
    if workers > 1:
        items[:] = spread(items, workers, _is_slow, lambda item: str(item.path))
    no_browser = find_chromium() is None
    for item in items:
        if no_browser and item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.skip(reason=NO_BROWSER))
        if sys.platform != "linux" and (linux := item.get_closest_marker("linux")):
            item.add_marker(pytest.mark.skip(reason=f"Linux alone: {linux.kwargs['reason']}"))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    with lasting():
        return (yield)


def _is_slow(item: pytest.Item) -> bool:
    return any(item.get_closest_marker(name) for name in ("slow", "browser"))


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("rules of Dudo")
    group.addoption("--cases", metavar="FILE", help="single positions with the expected answer")
    group.addoption("--games", metavar="FILE", help="whole games with the state after every step")
    group.addoption("--reference", metavar="FILE", help="probabilities, numbers of next bids, perft counts")
