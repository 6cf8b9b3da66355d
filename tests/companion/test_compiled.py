"""A start takes its compiled modules from one file, and each that is another by now from its own."""

import os
import subprocess
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest

from companion.app.compiled import in_one_file

NUMBERS = count()
SAID = "compiled and kept"


class Module:
    """A module in a folder of its own, and the file that keeps it."""

    def __init__(self, folder: Path) -> None:
        self.name, self.kept = f"kept_{next(NUMBERS)}", folder / "start.bin"
        self.source = folder / f"{self.name}.py"
        self.write(SAID)

    @property
    def compiled(self) -> Path:
        (found,) = self.source.parent.glob(f"__pycache__/{self.name}.*.pyc")
        return found

    def write(self, said: str) -> None:
        self.source.write_text(f"SAID = {said!r}")

    def start(self) -> str:
        """What it says, imported anew within the one file."""
        sys.modules.pop(self.name, None)
        with in_one_file(self.kept):
            return str(__import__(self.name).SAID)

    def unreadable(self) -> None:
        """Nobody can use the compiled file itself, which nothing shows but its content."""
        found = os.stat(self.compiled)
        self.compiled.write_bytes(b"")
        os.utime(self.compiled, ns=(found.st_atime_ns, found.st_mtime_ns))


@pytest.fixture
def module(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    made = Module(tmp_path)
    assert made.start() == SAID
    yield made
    sys.modules.pop(made.name, None)


def test_what_was_compiled_comes_from_the_one_file(module):
    module.source.with_name("another.py").write_text("")
    module.unreadable()
    before = module.compiled.read_bytes()
    assert module.start() == SAID
    assert module.compiled.read_bytes() == before == b"", "nothing was compiled again"


def change(module: Module) -> None:
    module.write("changed since")


def compile_anew(module: Module) -> None:
    change(module)
    subprocess.run([sys.executable, "-m", "compileall", "-q", module.source], check=True)


@pytest.mark.parametrize(
    ("happens", "said", "why"),
    [
        (change, "changed since", "the source is another"),
        (compile_anew, "changed since", "the compiled file is another"),
        (lambda module: module.compiled.unlink(), SAID, "the source is compiled again"),
        (lambda module: module.kept.unlink(), SAID, "each has its own file"),
        (lambda module: module.kept.write_bytes(b""), SAID, "a power cut leaves no content"),
        (lambda module: module.kept.write_bytes(b"\0" * 9000), SAID, "or none that is right"),
        (lambda module: module.kept.write_bytes(module.kept.read_bytes()[:-9]), SAID, "or half of it"),
    ],
)
def test_what_has_changed_comes_from_its_own_file(module, happens: Callable[[Module], None], said, why):
    happens(module)
    assert module.start() == said, why
    module.unreadable()
    assert module.start() == said, "and is kept from then on"


def test_nothing_is_kept_where_python_keeps_nothing(module, monkeypatch):
    module.kept.unlink()
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert module.start() == SAID
    assert not module.kept.exists()


def test_a_file_that_cannot_be_written_costs_nothing(module):
    module.kept.unlink()
    module.kept.mkdir()
    assert module.start() == SAID
    assert not list(module.kept.parent.glob("start.[0-9]*")), "nor leaves what it began to write"


def test_python_imports_as_before_afterwards(module):
    hooks = list(sys.path_hooks)
    module.start()
    assert sys.path_hooks == hooks


STARTED = """
import sys
from pathlib import Path
from companion.app.compiled import in_one_file
opened = []
sys.addaudithook(lambda event, args: opened.append(str(args[0])) if event == "open" else None)
with in_one_file(Path(sys.argv[1])):
    import companion.app.companion
print(*{name for name in opened if name.endswith(".pyc")}, sep="\\n")
"""


def test_the_second_start_opens_no_compiled_module(tmp_path):
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-c", STARTED, tmp_path / "start.bin"]
    first, second = (
        subprocess.run(command, capture_output=True, check=True, text=True, env=environment).stdout.split()
        for _ in range(2)
    )
    assert len(first) > 300
    assert second == []
