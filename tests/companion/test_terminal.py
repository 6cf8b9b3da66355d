"""What is printed never steers the terminal, whoever chose the words; a wrong use is one plain sentence."""

import io
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.__main__ import main
from companion.terminal import Plain, one_line, without_steering

ROOT = Path(__file__).resolve().parents[2]


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


BOX = ["--pins", "mock", "--camera", "simulated"]
BID = ["odds", "5x3", "--dice", "15"]


@pytest.mark.parametrize(
    ("words", "status", "sentence"),
    [
        (["rules", "\x1b[1m"], 2, "\\x1b[1m"),
        (["rules", "nonsense"], 2, "nonsense"),
        (["rules", "modern", "--house", "calza"], 2, "calza"),
        (["rules", "modern", "--house", "calza=maybe"], 2, "maybe"),
        (["rules", str(ROOT / "pyproject.toml")], 2, ""),
        (["odds", "\x1b[1m", "--dice", "4"], 2, "\\x1b[1m"),
        (["odds", "5y3", "--dice", "15"], 2, "5y3"),
        (["odds", "5x7", "--dice", "15"], 2, ""),
        (["odds", "0x3", "--dice", "15"], 2, ""),
        (["odds", "16x3", "--dice", "15"], 2, ""),
        ([*BID, "--own", "3,9"], 2, "3,9"),
        (["odds", "2x3", "--dice", "-1"], 2, "-1"),
        (["odds", "2x3", "--dice", "0", "--own", "3"], 2, ""),
        (["odds", "2x3", "--dice", "2", "--own", "3,3,3"], 2, "more than the 2"),
        ([*BID, "--rules", "nobodys"], 2, "nobodys"),
        ([*BID, "--house", "wild=sometimes"], 2, "sometimes"),
        (["odds", "5x3", "--dice", "1000000"], 2, ""),  # more than any table has, and than one would wait for
        (["judge", "--dice", "5", "--bid", "\x1b[1m", "x.jpg"], 2, "\\x1b[1m"),
        (["judge", "--dice", "4", "--bid", "3y5", "x.jpg"], 2, "is not a bid"),
        (["judge", "--dice", "4", "--bid", "3x7", "x.jpg"], 2, "faces from 1 to 6"),
        (["judge", "--dice", "4", "--bid", "0x5", "x.jpg"], 2, ""),
        (["judge", "--dice", "0", "--bid", "1x5", "x.jpg"], 2, "--dice cannot be 0"),
        (["judge", "--dice", "4", "--bid", "1x5", "x.jpg"], 1, "does not exist"),
        (["run", "--camera", "\x1b[1m", "--pins", "mock"], 1, "\\x1b[1m"),
        (["run", *BOX, "--port", "70000"], 1, "port: 70000 is not within 1 to 65535"),
        (["run", *BOX, "--host", "300.1.1.1"], 1, "choose another address"),  # there is no such one
        (["run", *BOX, "--host", "203.0.113.7"], 1, "choose another address"),  # another machine's
        (["run", *BOX, "--camera", "telescope"], 1, "There is no camera called “telescope”"),
        (["run", *BOX, "--camera", "folder"], 1, "A folder camera needs a folder"),
        (["run", *BOX, "--config", "/nowhere.toml"], 1, "/nowhere.toml is not there"),
        (["games", "--config", "\x1b[1m"], 1, "\\x1b[1m"),
        (["games", "export", "\x1b[1m"], 2, "\\x1b[1m"),
        (["games", "import", "\x1b[1m"], 1, "\\x1b[1m"),
        (["wiring", "--config", "\x1b[1m"], 1, "\\x1b[1m"),
        (["doctor", "--config", "\x1b[1m"], 1, "\\x1b[1m"),
        (["read", "\x1b[1m"], 1, "\\x1b[1m"),
    ],
)
def test_every_command_complains_in_one_plain_sentence(
    words, status, sentence, tmp_path, monkeypatch, capsys
):
    monkeypatch.setenv("DUDO_DATA_FOLDER", str(tmp_path))
    assert main(words) == status
    output = capsys.readouterr()
    assert output.err.startswith(f"dudo {words[0]}: ")
    assert sentence in output.err
    assert (output.err.count("\n"), output.out) == (1, "")
    assert "\x1b" not in output.err


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
