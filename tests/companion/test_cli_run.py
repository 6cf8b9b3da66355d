"""`dudo run` and `dudo demo`: the page that opens, the address for phones, a restart in its place."""

import argparse
import subprocess
import sys
import webbrowser

import pytest

from companion.__main__ import main
from companion.addresses import invitation, reached_at
from companion.cli import demo, run
from companion.cli.options import asked_for
from companion.cli.run import windowed_browser
from companion.settings import Settings


@pytest.mark.parametrize(
    ("found", "terminal", "opens", "why"),
    [
        (webbrowser.BackgroundBrowser("xdg-open"), True, True, "a person at a desktop"),
        (webbrowser.BaseBrowser("windows-default"), True, True, "the system's own, elsewhere than on Linux"),
        (webbrowser.BackgroundBrowser("xdg-open"), False, False, "a service has no terminal"),
        (webbrowser.GenericBrowser("w3m"), True, False, "it would take the terminal"),
        (None, True, False, "there is none"),
    ],
)
def test_the_page_opens_for_a_person_at_a_desktop(found, terminal, opens, why, monkeypatch):
    def get() -> webbrowser.BaseBrowser:
        if found is None:
            raise webbrowser.Error
        return found

    monkeypatch.setattr(webbrowser, "get", get)
    assert (windowed_browser(terminal=terminal) is not None) is opens, why


@pytest.mark.parametrize(("words", "kept"), [([], False), (["--data", "/dice"], True)])
def test_a_demo_has_nothing_real_and_forgets_its_games(words, kept, monkeypatch):
    served: list[tuple[Settings, argparse.Namespace]] = []
    monkeypatch.setattr(demo, "serve", lambda settings, args, shows: served.append((settings, args)) or 0)
    assert main(["demo", "--port", "8123", *words]) == 0
    ((given, args),) = served
    settings = asked_for(given, args)
    assert (settings.camera.use, settings.box.pins, settings.web.port) == ("simulated", "mock", 8123)
    assert (settings.data.folder == "/dice") is kept
    assert (args.no_browser, args.verbose) == (False, False)


@pytest.mark.slow
@pytest.mark.parametrize("words", ["wiring", "rules --json"])
def test_whoever_reads_the_first_line_only_hears_no_complaint(words):
    """As with `dudo wiring | head -1`."""
    command = [sys.executable, "-m", "companion", *words.split()]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


@pytest.mark.parametrize(
    ("given", "more"), [(["-m", "companion", "run"], ["--no-browser"]), (["dudo", "run", "--no-browser"], [])]
)
def test_a_restart_is_the_same_command_in_the_same_process(given, more, monkeypatch):
    begun: list[tuple[str, list[str]]] = []
    monkeypatch.setattr(run.os, "execv", lambda *words: begun.append(words))
    monkeypatch.setattr(run.sys, "orig_argv", ["python", *given])
    run._begin_anew()
    assert begun == [(sys.executable, [sys.executable, *given, *more])]


OWN = ("192.168.1.20", "10.0.0.7")


@pytest.mark.parametrize(
    ("host", "addresses", "link", "why"),
    [
        ("0.0.0.0", OWN, "http://192.168.1.20:8000/", "it listens everywhere: the likeliest network"),
        ("::", OWN, "http://192.168.1.20:8000/", "everywhere in the newer form"),
        ("10.0.0.7", OWN, "http://10.0.0.7:8000/", "it listens in one network alone"),
        ("127.0.0.1", OWN, "", "the page stays on this machine"),
        ("localhost", OWN, "", "the same by name"),
        ("0.0.0.0", (), "", "the machine is in no network"),
    ],
)
def test_phones_get_the_address_that_reaches_them(host, addresses, link, why):
    text = invitation(reached_at(host, addresses), 8000, drawn=False)
    assert text.removeprefix("Phones in the same network: ") == link, why


def test_over_https_the_warning_is_foretold():
    link, warned = invitation(OWN, 8000, drawn=False, https=True).splitlines()
    assert link.endswith(" https://192.168.1.20:8000/")
    assert "warns once" in warned


def test_a_terminal_is_shown_the_code_too():
    first, *code = invitation(OWN, 8000, drawn=True).splitlines()
    assert first.endswith("http://192.168.1.20:8000/")
    assert len(code) > 12
    assert len({len(line.replace("\x1b[7m", "").replace("\x1b[0m", "")) for line in code}) == 1
