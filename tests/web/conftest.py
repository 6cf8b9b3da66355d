"""A table, a client of its page, a real server, and a real browser where there is one."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from waitress.server import create_server

from tests.web.tables import BoxedTable, deps_for
from web import create_app


@pytest.fixture
def table(tmp_path: Path) -> Iterator[BoxedTable]:
    boxed = BoxedTable(tmp_path)
    yield boxed
    boxed.journal.close()


@pytest.fixture
def client(table: BoxedTable) -> FlaskClient:
    return create_app(deps_for(table)).test_client()


@pytest.fixture
def address(table: BoxedTable) -> Iterator[str]:
    """The page of `table` served for real; listening phones wait half a second at most."""
    app = create_app(deps_for(table, poll_s=0.5, pictures=lambda _: PICTURE, preview=lambda: PICTURE))
    server = create_server(app, host="127.0.0.1", port=0, threads=24)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.effective_port}"
    server.close()
    thread.join(timeout=5)


@pytest.fixture(scope="session")
def playwright() -> Iterator[Any]:
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with sync_api.sync_playwright() as running:
        yield running


@pytest.fixture(scope="session")
def browser(playwright: Any) -> Iterator[Any]:
    """Chromium of the system; the tests that need it are skipped where it is absent."""
    found = os.environ.get("DUDO_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if not found:
        pytest.skip("no Chromium here; set DUDO_CHROMIUM to one")
    running = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
    yield running
    running.close()


def _picture() -> bytes:
    """A small grey JPEG for every picture of these tests."""
    import cv2
    import numpy as np

    return bytes(cv2.imencode(".jpg", np.full((96, 128, 3), 90, np.uint8))[1].tobytes())


PICTURE = _picture()
