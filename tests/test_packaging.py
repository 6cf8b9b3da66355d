"""Holds the lock files to pyproject.toml, the wheel to the rooms, and the docs to both."""

import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections import defaultdict
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
LOCKS = ROOT / ".setup" / "locks"
ROOMS = ("companion", "vision", "hardware", "web")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
NOTICES = ("LICENSE", "NOTICE")

PLATFORMS = {
    f"{python}-{machine}": {
        "python_version": python,
        "python_full_version": f"{python}.2",
        "platform_machine": machine,
        "sys_platform": "linux",
        "platform_python_implementation": "CPython",
    }
    for python in ("3.11", "3.12", "3.13")
    for machine in ("x86_64", "aarch64")
}
"""Where the companion must run: everything a marker in a lock file may ask about."""


@cache
def locked(*layers: str) -> tuple[Requirement, ...]:
    """Every pinned requirement of the layers, markers included, without its hashes."""
    text = "".join((LOCKS / f"{layer}.txt").read_text() for layer in layers)
    lines = re.sub(r"#.*|\\\n|\s+--hash=\S+", "", text).splitlines()
    return tuple(Requirement(line) for line in lines if line.strip())


@cache
def versions(platform: str, *layers: str) -> dict[str, set[str]]:
    """The versions of each package that pip would see on a platform: one, when all is well."""
    found = defaultdict[str, set[str]](set)
    for entry in locked(*layers):
        if entry.marker is None or entry.marker.evaluate(PLATFORMS[platform]):
            found[canonicalize_name(entry.name)].add(str(entry.specifier).removeprefix("=="))
    return found


RUN_WANTS = [*PROJECT["project"]["dependencies"], *PROJECT["build-system"]["requires"]]
TEST_WANTS = PROJECT["project"]["optional-dependencies"]["test"]
DOCS_WANTS = PROJECT["project"]["optional-dependencies"]["docs"]
LAYERS = ("run", "vision", "test", "docs")


@pytest.mark.parametrize("platform", PLATFORMS)
@pytest.mark.parametrize(
    ("wanted", "layers"),
    [
        *((wanted, ("run", "vision")) for wanted in RUN_WANTS),
        *((wanted, ("test",)) for wanted in TEST_WANTS),
        *((wanted, ("docs",)) for wanted in DOCS_WANTS),
    ],
)
def test_each_dependency_is_locked_to_one_version_in_its_range(wanted, layers, platform):
    requirement = Requirement(wanted)
    (version,) = versions(platform, *layers)[canonicalize_name(requirement.name)]
    assert version in requirement.specifier


@pytest.mark.parametrize("platform", PLATFORMS)
def test_layers_agree_on_what_they_share(platform):
    assert {name: of for name, of in versions(platform, *LAYERS).items() if len(of) > 1} == {}


@pytest.mark.parametrize("path", sorted(LOCKS.glob("*.txt")), ids=lambda path: path.stem)
def test_a_lock_pins_by_version_and_hash_and_names_no_place(path):
    text = path.read_text()
    entries = re.findall(r"^[a-z0-9].*", text.replace("\\\n", ""), re.MULTILINE)
    assert len(entries) == len(locked(path.stem)) > 0
    assert [entry for entry in entries if "==" not in entry or "--hash=sha256:" not in entry] == []
    assert re.findall(r"://|--(?!hash=)\S+|\bfile:", text) == []


def test_the_layer_for_a_raspberry_pi_leaves_numpy_and_opencv_to_apt():
    assert {entry.name for entry in locked("vision")} == {"numpy", "opencv-python-headless"}
    from_pypi = {entry.name for entry in locked("run", "test", "docs")}
    assert from_pypi & {"numpy", "opencv-python", "opencv-python-headless", "picamera2"} == set()


@pytest.mark.parametrize("wanted", [*RUN_WANTS, *TEST_WANTS, *DOCS_WANTS])
def test_each_dependency_has_its_reason_in_the_docs(wanted):
    reasons = (ROOT / "docs" / "explanation" / "dependencies.md").read_text()
    assert re.search(rf"^\| `{re.escape(Requirement(wanted).name)}` \| \S", reasons, re.MULTILINE)


def test_the_command_line_can_be_loaded():
    (dudo,) = entry_points(group="console_scripts", name="dudo")
    assert callable(dudo.load())


def test_the_version_has_its_entry_in_the_changelog():
    version = re.escape(PROJECT["project"]["version"])
    changes = (ROOT / "CHANGELOG.md").read_text()
    assert re.search(rf"^## \[?{version}\b", changes, re.MULTILINE)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel made from a copy of the project, offline."""
    copy, out = tmp_path_factory.mktemp("copy"), tmp_path_factory.mktemp("wheel")
    for name in ("pyproject.toml", "README.md", *NOTICES):
        shutil.copy(ROOT / name, copy)
    for room in ROOMS:
        shutil.copytree(ROOT / room, copy / room, ignore=shutil.ignore_patterns("__pycache__"))
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*command, "--no-index", "--wheel-dir", out, copy], check=True, capture_output=True)
    (made,) = out.glob("*.whl")
    return made


@pytest.mark.slow
def test_the_wheel_holds_every_file_of_the_rooms(wheel):
    inside = set(zipfile.ZipFile(wheel).namelist())
    files = {
        path.relative_to(ROOT).as_posix()
        for room in ROOMS
        for path in (ROOT / room).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert files - inside == set()
    assert {f"{room}/py.typed" for room in ROOMS} <= inside


@pytest.mark.slow
def test_nothing_in_the_wheel_needs_tests_or_lab(wheel, tmp_path):
    """Every module of the wheel is imported where there is nothing else of the project."""
    zipfile.ZipFile(wheel).extractall(tmp_path)
    names = [
        ".".join(path.relative_to(tmp_path).with_suffix("").parts)
        for room in ROOMS
        for path in sorted((tmp_path / room).rglob("*.py"))
    ]
    code = "import importlib, sys\nfor name in sys.argv[1:]: importlib.import_module(name)\n"
    code += "import vision\nprint(vision.__path__[0])"
    done = subprocess.run(
        [sys.executable, "-c", code, *(name.removesuffix(".__init__") for name in names)],
        cwd=tmp_path,
        env={"PATH": "", "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == str(tmp_path / "vision")


@pytest.mark.slow
def test_the_wheel_holds_the_licence_and_the_notice(wheel):
    inside = zipfile.ZipFile(wheel).namelist()
    assert {Path(name).name for name in inside if ".dist-info/licenses/" in name} == set(NOTICES)


@pytest.mark.slow
def test_the_wheel_holds_nothing_else(wheel):
    tops = {name.partition("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
    assert {top for top in tops if not top.endswith(".dist-info")} == set(ROOMS)


NAMED = [
    (path, found)
    for path in (*(ROOT / "docs" / "guide").glob("*.md"), *(ROOT / "companion" / "texts").glob("*.toml"))
    for found in re.findall(r"pip install ([^`'\"\n]+)", path.read_text(encoding="utf-8"))
]


@pytest.mark.parametrize(("path", "words"), NAMED, ids=lambda one: getattr(one, "name", None))
def test_an_extra_that_docs_name_is_installed_by_hash(path, words):
    found = re.match(r"--require-hashes -r (\.setup/locks/(\w+)\.txt)", words)
    assert found, words
    lock = (ROOT / found[1]).read_text()
    extra = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"][found[2]]
    for requirement in extra:
        name = re.split(r"[^\w-]", requirement, maxsplit=1)[0]
        assert re.search(rf"^{name}==[^\n]*\\\n +--hash=sha256:", lock, re.MULTILINE), name


def test_docs_name_extras():
    assert {words.rpartition("/")[2] for _, words in NAMED} >= {"mqtt.txt", "https.txt", "heic.txt"}
