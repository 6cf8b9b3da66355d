"""Programs outside get what a page shows and no more, and the game does not import them."""

import pytest

from tests.test_architecture import ROOT, imported, modules

#: What of the companion may import the code for programs outside.
KNOW_OUTSIDE = ("companion/app/", "companion/cli/", "companion/outside/")
#: What that code may import: never the journal, the ledger of dice, the reveal, or what is plugged in.
OUTSIDE_KNOWS = (
    *("companion.outside", "companion.statistics", "companion.texts", "companion.errors"),
    *("companion.json_types", "companion.threads", "companion.names", "companion.settings"),
    *("companion.table.wire", "companion.table.view", "companion.table.snapshot"),
    *("companion.rules.fields", "companion.rules.players", "companion.rules.position", "hardware.clock"),
)


def leaks_outside(path: str, source: str) -> list[str]:
    """Imports that let the game know of programs outside, or these of more than a page shows."""
    if path.startswith("companion/outside/"):
        ours = {name for name in imported(source) if name.startswith(("companion.", "hardware"))}
        return sorted(name for name in ours if not name.startswith(OUTSIDE_KNOWS))
    if path.startswith(KNOW_OUTSIDE):
        return []
    return sorted(name for name in imported(source) if f"{name}.".startswith("companion.outside."))


def test_programs_outside_get_what_a_page_shows_and_no_more():
    found = {
        path: leaks_outside(path, (ROOT / path).read_text(encoding="utf-8"))
        for path in modules("companion", "web")
    }
    assert {path: names for path, names in found.items() if names} == {}


@pytest.mark.parametrize(
    ("path", "source", "faults"),
    [
        ("companion/outside/a.py", "from companion.table.view import view", 0),
        ("companion/outside/a.py", "from companion.table.ledger import Ledger", 1),
        ("companion/outside/a.py", "from companion.reveal.state import RevealState", 1),
        ("companion/outside/a.py", "from hardware.clock import BackOff", 0),
        ("companion/outside/a.py", "from hardware.lights.show import Lights", 1),
        ("companion/table/a.py", "from companion.outside.connection import MqttLink", 1),
        ("companion/app/a.py", "from companion.outside.connection import MqttLink", 0),
    ],
)
def test_leaks_are_really_found(path, source, faults):
    assert len(leaks_outside(path, source)) == faults
