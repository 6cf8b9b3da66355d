"""Runs .setup/bootstrap against a pretended machine: its Python, pip and apt only note what was asked."""

import os
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
TOOLS = ("sh", "dirname", "cat", "cksum", "rm", "cp", "mkdir", "touch", "grep", "chmod", "pwd")

# Each stand-in acts by files lying beside it, so that a test can break the machine in one way.
PYTHON = """#!/bin/sh
calls=$MACHINE/calls
case "$*" in
    *version_info*) [ ! -e "$MACHINE/old-python" ] ;;
    *'import venv'*) [ -e "$MACHINE/has-venv" ] ;;
    *find_spec*) [ ! -e "$MACHINE/parts-missing" ] ;;
    *import_module*) [ ! -e "$MACHINE/parts-missing" ] ;;
    '-m venv'*)
        rm -f "$MACHINE/parts-missing"
        echo "venv $*" >>"$calls"
        mkdir -p .venv/bin && cp "$0" .venv/bin/python && cp "$0" .venv/bin/dudo
        case "$*" in *system-site*) system=true ;; *) system=false ;; esac
        echo "include-system-site-packages = $system" >.venv/pyvenv.cfg ;;
    *'pip install'*) echo "pip $*" >>"$calls"; [ ! -e "$MACHINE/offline" ] ;;
esac
"""
APT = """#!/bin/sh
echo "apt $*" >>"$MACHINE/calls"
case "$*" in *install*) touch "$MACHINE/has-venv"; [ ! -e "$MACHINE/apt-fails" ] ;; esac
"""
ID = """#!/bin/sh
if [ -e "$MACHINE/root" ]; then echo 0; else echo 1000; fi
"""


@dataclass
class Machine:
    """A machine with nothing but a shell, and a copy of the project's bootstrap."""

    path: Path
    bin: Path = field(init=False)
    project: Path = field(init=False)

    def __post_init__(self) -> None:
        self.bin, self.project = self.path / "bin", self.path / "project"
        self.bin.mkdir()
        for tool in TOOLS:
            (self.bin / tool).symlink_to(shutil.which(tool) or pytest.fail(f"no {tool} here"))
        for name, text in {"python3": PYTHON, "apt-get": APT, "id": ID}.items():
            (self.bin / name).write_text(text)
            (self.bin / name).chmod(0o755)
        shutil.copytree(ROOT / ".setup", self.project / ".setup")
        shutil.copy(ROOT / "pyproject.toml", self.project)

    def has(self, *marks: str) -> None:
        for mark in marks:
            (self.path / mark).touch()

    def has_no(self, mark: str) -> None:
        (self.path / mark).unlink()

    def has_picamera2(self) -> None:
        (self.path / "dist-packages" / "picamera2").mkdir(parents=True)

    def start(self, layer: str = "run") -> subprocess.CompletedProcess[str]:
        environment = {
            "PATH": str(self.bin),
            "MACHINE": str(self.path),
            "SYSTEM_PYTHON": str(self.bin / "python3"),
            "SYSTEM_PACKAGES": str(self.path / "dist-packages"),
        }
        script = self.project / ".setup" / "bootstrap"
        return subprocess.run([script, layer], env=environment, capture_output=True, text=True, timeout=20)

    def calls(self) -> list[str]:
        """What was asked of Python, pip and apt since the last look."""
        note = self.path / "calls"
        lines = note.read_text().splitlines() if note.exists() else []
        note.unlink(missing_ok=True)
        return lines


@pytest.fixture
def machine(tmp_path):
    return Machine(tmp_path)


@pytest.fixture
def ready_machine(machine):
    machine.has("has-venv")
    assert machine.start().returncode == 0
    machine.calls()
    return machine


def locks_installed(calls: list[str]) -> list[str]:
    return [Path(line.split()[-1]).stem for line in calls if "--requirement" in line]


@pytest.mark.parametrize(
    ("broken", "sentence"),
    [
        ("no-venv", "sudo apt-get install python3-venv ca-certificates"),
        ("old-python", "sudo apt-get install python3.11-venv ca-certificates"),
    ],
)
def test_without_root_one_sentence_says_what_to_install(machine, broken, sentence):
    machine.has(broken)
    done = machine.start()
    assert done.returncode == 1
    (line,) = [line for line in done.stderr.splitlines() if "missing" in line]
    assert sentence in line
    assert not [line for line in machine.calls() if line.startswith(("apt", "pip"))]


def test_without_any_python_the_sentence_is_the_same(machine):
    (machine.bin / "python3").unlink()
    done = machine.start()
    assert done.returncode == 1
    assert "sudo apt-get install python3-venv" in done.stderr


def test_root_gets_what_is_missing_from_apt(machine):
    machine.has("root")
    assert machine.start().returncode == 0
    assert machine.calls()[1] == "apt install -y --no-install-recommends python3-venv ca-certificates"


def test_everything_is_installed_by_hash_and_then_the_project_itself(machine):
    machine.has("has-venv")
    machine.start("test")
    *parts, project = [line for line in machine.calls() if line.startswith("pip")]
    assert locks_installed(parts) == ["vision", "run", "test"]
    assert all("--require-hashes" in line and "--only-binary :all:" in line for line in parts)
    assert project.endswith("--no-deps --no-build-isolation --editable .")


def test_root_gets_the_programs_of_the_tests_once(machine):
    machine.has("root", "has-venv")
    assert machine.start("test").returncode == 0
    (line,) = [line for line in machine.calls() if line.startswith("apt install")]
    assert {"mosquitto", "openssl", "shellcheck"} <= set(line.split())
    for name in ("mosquitto", "openssl", "shellcheck", "chromium-headless-shell"):
        (machine.bin / name).symlink_to(machine.bin / "id")
    assert machine.start("test").returncode == 0
    assert not [line for line in machine.calls() if line.startswith("apt")]


def test_without_root_the_tests_do_without_programs(machine):
    machine.has("has-venv")
    assert machine.start("test").returncode == 0
    assert not [line for line in machine.calls() if line.startswith("apt")]


def test_without_programs_from_apt_the_tests_still_start(machine):
    machine.has("root", "has-venv", "apt-fails")
    done = machine.start("test")
    assert done.returncode == 0
    assert "tests that need them will be skipped" in done.stderr


def test_the_second_start_asks_for_nothing(ready_machine):
    done = ready_machine.start()
    assert (done.returncode, done.stderr, ready_machine.calls()) == (0, "", [])


def test_what_the_tests_need_covers_what_running_needs(machine):
    machine.has("has-venv")
    machine.start("test")
    machine.calls()
    machine.start("run")
    assert machine.calls() == []


def test_a_changed_lock_is_installed_into_the_same_venv(ready_machine):
    with (ready_machine.project / ".setup/locks/run.txt").open("a") as lock:
        lock.write("# a newer one\n")
    assert ready_machine.start().returncode == 0
    calls = ready_machine.calls()
    assert locks_installed(calls) == ["vision", "run"]
    assert not [line for line in calls if line.startswith("venv")]


def test_a_moved_folder_is_detected(ready_machine):
    moved = ready_machine.path / "elsewhere"
    ready_machine.project.rename(moved)
    ready_machine.project = moved
    assert ready_machine.start().returncode == 0
    assert ready_machine.calls()[-1].endswith("--editable .")


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda venv: (venv / "unfinished").touch(), id="cut short"),
        pytest.param(lambda venv: (venv / "bin/python").unlink(), id="its Python has gone"),
        pytest.param(lambda venv: shutil.rmtree(venv), id="deleted"),
    ],
)
def test_a_broken_venv_is_made_anew(ready_machine, damage):
    venv = ready_machine.project / ".venv"
    damage(venv)
    (venv / "made-run").unlink(missing_ok=True)
    assert ready_machine.start().returncode == 0
    assert ready_machine.calls()[0].startswith("venv")
    assert not (venv / "unfinished").exists()


def test_parts_that_no_longer_load_are_made_anew(ready_machine):
    ready_machine.has("parts-missing")
    assert ready_machine.start().returncode == 0
    assert [line for line in ready_machine.calls() if line.startswith("venv")]


def test_offline_the_old_venv_stays_and_the_sentence_says_why(ready_machine):
    (ready_machine.project / ".setup/locks/run.txt").write_text("# a newer one\n")
    ready_machine.has("offline")
    done = ready_machine.start()
    assert done.returncode == 1
    assert "is this machine online?" in done.stderr
    ready_machine.calls()
    ready_machine.has_no("offline")
    assert ready_machine.start().returncode == 0
    assert not [line for line in ready_machine.calls() if line.startswith("venv")]


def test_beside_apts_picamera2_numpy_and_opencv_stay_apts(machine):
    machine.has("has-venv")
    machine.has_picamera2()
    assert machine.start("test").returncode == 0
    calls = machine.calls()
    assert "--system-site-packages" in calls[0]
    assert locks_installed(calls) == ["run", "test"]


def test_when_picamera2_arrives_later_the_venv_is_made_anew(ready_machine):
    ready_machine.has_picamera2()
    assert ready_machine.start().returncode == 0
    assert "--system-site-packages" in ready_machine.calls()[0]


def test_apts_picamera2_without_apts_opencv_is_said(machine):
    machine.has("has-venv", "parts-missing")
    machine.has_picamera2()
    done = machine.start()
    assert done.returncode == 1
    assert "sudo apt-get install python3-opencv" in done.stderr


@pytest.mark.parametrize("name", ["bootstrap"])
def test_the_script_is_executable_and_plain_sh(name):
    script = ROOT / ".setup" / name
    assert os.access(script, os.X_OK)
    subprocess.run(["sh", "-n", script], check=True)
