"""`dudo run` with words that no start can take: one sentence with the mend, nothing left open."""

import subprocess
import sys
from pathlib import Path

import pytest

from companion.__main__ import main


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
def test_a_wrong_start_gets_one_sentence(
    words: list[str], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plain = ["run", "--pins", "mock", "--camera", "simulated", "--data", str(tmp_path)]
    assert main([*plain, *words]) == 1
    errors = capsys.readouterr().err
    assert sentence in errors
    assert errors.count("\n") == 1


@pytest.mark.slow
@pytest.mark.parametrize("words", ["wiring", "rules --json"])
def test_whoever_reads_the_first_line_only_hears_no_complaint(words: str) -> None:
    """As with `dudo wiring | head -1`."""
    command = [sys.executable, "-m", "companion", *words.split()]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0
