"""What is printed never steers the terminal, whoever chose the words."""

import io
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.__main__ import main
from companion.terminal import Plain, one_line, without_steering


@pytest.mark.parametrize(
    ("text", "printed", "reason"),
    [
        ("Zoë 李 👩‍👧", "Zoë 李 👩‍👧", "names stay, joiners too"),
        ("a\x1b[31mb", "a\\x1b[31mb", "a colour"),
        ("\x9b31m", "\\x9b31m", "the same in one character"),
        ("a\rb\x08\x7f", "a\\rb\\x08\\x7f", "what writes over a line"),
        ("a\u202eb", "a\\u202eb", "what turns the direction"),
        ("a\u2068ب\u2069", "a\u2068ب\u2069", "isolates keep it: our own sentences have them"),
        ("a\u2028b", "a\\u2028b", "a line end of another kind"),
    ],
)
def test_control_characters_are_written_as_escapes(text, printed, reason):
    assert without_steering(text) == printed, reason


def test_a_name_stays_on_its_line():
    assert one_line("a\nb\tc") == "a\\nb\\tc"
    assert without_steering("a\nb\tc") == "a\nb\tc", "while a text has its lines"


@given(st.text(alphabet=st.characters(exclude_categories=("Cs",))))
def test_no_control_character_passes(text):
    written = io.StringIO()
    out = Plain(written)
    assert out.write(text) == len(text)
    left = {letter for letter in written.getvalue() if ord(letter) < 32 or 127 <= ord(letter) < 160}
    assert left <= {"\n", "\t"}


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (["rules", "\x1b[1m"], 2),
        (["odds", "\x1b[1m", "--dice", "4"], 2),
        (["run", "--camera", "\x1b[1m", "--pins", "mock"], 1),
        (["games", "--config", "\x1b[1m"], 1),
        (["games", "export", "\x1b[1m"], 2),
        (["games", "import", "\x1b[1m"], 1),
        (["wiring", "--config", "\x1b[1m"], 1),
        (["doctor", "--config", "\x1b[1m"], 1),
        (["judge", "--dice", "5", "--bid", "\x1b[1m", "x.jpg"], 2),
        (["read", "\x1b[1m"], 1),
    ],
    ids=lambda words: words[0] if isinstance(words, list) else "",
)
def test_every_command_complains_in_plain_text(words, status, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("DUDO_DATA_FOLDER", str(tmp_path))
    assert main(words) == status
    output = capsys.readouterr()
    assert "\\x1b[1m" in output.err
    assert "\x1b" not in output.out + output.err


def test_a_wrong_option_is_reported_in_plain_text(capsys):
    with pytest.raises(SystemExit):
        main(["read", "--\x1b[1m"])
    assert "\x1b" not in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a device that is always full")
@pytest.mark.parametrize("words", ["rules", "rules --json", "wiring"])
def test_a_full_disk_is_one_sentence(words):
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "companion", *words.split()]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == f"dudo {words.split()[0]}: No space left on device\n"
