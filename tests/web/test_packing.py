"""Text is sent packed to whoever takes it, and a fragment is drawn once for all who see the same."""

import gzip
import re
from pathlib import Path

import pytest

from tests.web.tables import bidding, verdict

STATIC = Path(__file__).resolve().parents[2] / "web" / "static"
GZIP = {"Accept-Encoding": "gzip, deflate, br"}


@pytest.mark.parametrize(
    "path", ["/", "/fragment/table", "/api/v1/state", "/api/openapi.json", "/worker.js", "/join/code.svg"]
)
def test_text_is_packed_and_unpacks_to_the_same(client, table, path):
    bidding(table)
    link = {"link": "http://10.0.0.7:8000/"} if path.endswith(".svg") else {}
    plain = client.get(path, query_string=link)
    packed = client.get(path, query_string=link, headers=GZIP)
    assert "Content-Encoding" not in plain.headers
    assert packed.headers["Content-Encoding"] == "gzip"
    assert int(packed.headers["Content-Length"]) == len(packed.data)
    assert gzip.decompress(packed.data) == plain.data
    assert "Accept-Encoding" in packed.headers["Vary"]


def test_static_files_are_packed_and_still_known_again(client):
    part = re.findall(r'href="(/static/app\.css[^"]+)"', client.get("/").text)[0]
    with client.get(part) as plain, client.get(part, headers=GZIP) as packed:
        assert gzip.decompress(packed.data) == plain.data
        assert len(packed.data) < len(plain.data) / 3
        known = {**GZIP, "If-None-Match": packed.headers["ETag"]}
    with client.get(part, headers=known) as again:
        assert (again.status_code, again.data) == (304, b"")


@pytest.mark.parametrize("path", ["/pictures/shot1.jpg", "/preview.jpg", "/fragment/nowhere"])
def test_what_gains_nothing_is_left_alone(client, table, path):
    verdict(table)
    assert "Content-Encoding" not in client.get(path, headers=GZIP).headers


def test_a_head_is_answered_without_a_body(client):
    answer = client.head("/unreachable", headers=GZIP)
    assert (answer.status_code, answer.data) == (200, b"")


def test_scripts_travel_without_indentation_and_comments(client):
    page = client.get("/").text
    for part in re.findall(r'="(/static/app\.(?:js|css)[^"]+)"', page):
        with client.get(part) as sent:
            lines = sent.text.splitlines()
            assert [line for line in lines if line != line.strip() or line[:2] in ("", "//", "/*")] == []
            assert int(sent.headers["Content-Length"]) == len(sent.data)


@pytest.mark.parametrize("script", sorted(STATIC.glob("*.js")), ids=lambda path: path.name)
def test_no_text_of_a_script_goes_over_several_lines(script):
    """Else the lines of that text would lose their indentation."""
    if script.name != "idiomorph.min.js":
        lines = script.read_text(encoding="utf-8").splitlines()
        assert [line for line in lines if line.count("`") % 2] == []
