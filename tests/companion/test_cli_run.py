"""`dudo run` with words that no start can take: one sentence with the mend, nothing left open."""

import argparse
import subprocess
import sys
import webbrowser

import pytest

from companion.__main__ import main
from companion.cli import demo, run
from companion.cli.run import windowed_browser
from companion.settings import Settings


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        pytest.param(["--port", "70000"], "port: 70000 is not within 1 to 65535", id="no such port"),
        pytest.param(["--host", "300.1.1.1"], "choose another address", id="no such address"),
        pytest.param(["--host", "203.0.113.7"], "choose another address", id="another machine's address"),
        pytest.param(["--camera", "telescope"], "There is no camera called “telescope”", id="no such camera"),
        pytest.param(["--camera", "folder"], "A folder camera needs a folder", id="half a camera"),
        pytest.param(["--config", "/nowhere.toml"], "/nowhere.toml is not there", id="no such settings"),
    ],
)
def test_a_wrong_start_gets_one_sentence(words, sentence, tmp_path, capsys):
    plain = ["run", "--pins", "mock", "--camera", "simulated", "--data", str(tmp_path)]
    assert main([*plain, *words]) == 1
    errors = capsys.readouterr().err
    assert sentence in errors
    assert errors.count("\n") == 1


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
    ((settings, args),) = served
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
