"""Holds the house to docs/explanation/architecture.md: who may import whom, and how large things may grow."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.syntax import BLOCKS, below, imported, parsed, statements
from tests.tools import tool

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("companion", "vision", "hardware", "web")
EVERY = (*ROOMS, "lab")
TESTS = ("tests", "lab/tests")

#: What a room may import besides itself and the standard library. Werkzeug is the part of Flask
#: that its own documentation sends one to for responses and exceptions.
MAY_IMPORT = {
    "companion": {"segno", "msgspec"},
    "vision": {"numpy", "cv2", "ncnn"},
    "hardware": {"gpiozero", "picamera2", "libcamera", "evdev", "spidev", "numpy"},
    "web": {"flask", "itsdangerous", "werkzeug", "jinja2", "waitress", "segno", "msgspec", "companion"},
    "lab": {*ROOMS, "tests", "numpy", "cv2", "torch", "onnx", "manifold3d", "bpy", "bmesh", "mathutils"},
}
#: What single modules or folders may import beyond their room's share.
MAY_ALSO_IMPORT = {
    "companion/outside/": {"paho", "hardware"},
    "companion/app/": {*ROOMS, "numpy", "cv2", "cryptography"},
    "lab/bench/": {"psutil"},
    "lab/bots/": {"numba", "msgspec", "open_spiel", "pyspiel"},
    "lab/reached.py": {"hypothesis", "pytest"},
    "lab/soak/": {"psutil", "pytest"},
    "lab/take_screens.py": {"playwright"},
    "vision/picture/photos.py": {"pi_heif"},
    "hardware/cameras/usb": {"cv2"},
    "hardware/cameras/folder.py": {"cv2"},
    "hardware/cameras/simulated_dice.py": {"cv2"},
}
#: What knows every room, and who may import it: the wiring, and measuring programs, which no wheel has.
SHUT = {"companion.app": ("companion/cli/", "companion/app/", "tests/", "lab/"), "lab": ("lab/",)}
#: Which folders of vision a folder of it may import: the nets and the count stay independent.
FLOORS = {
    "vision/picture/": set(),
    "vision/checks/": {"picture"},
    "vision/counting/": {"picture"},
    "vision/learned/": {"picture"},
    "vision/agreement/": {"picture", "checks", "counting", "learned", "groups"},
}
#: What every folder of vision may import.
SHARED = {"arrays", "errors", "fits", "values"}
#: Importing these touches devices, is impossible off a Raspberry Pi, or they are extras that may be missing.
ONLY_INSIDE_FUNCTIONS = {
    *("gpiozero", "picamera2", "libcamera", "evdev", "spidev", "paho", "cryptography", "pi_heif", "ncnn"),
    *("bpy", "bmesh", "mathutils"),
}

MODULE_LINES, FUNCTION_LINES = 400, 50
FILES = {"pyproject.toml", "README.md", "CHANGELOG.md", "LICENSE", "NOTICE", "Makefile"}
ROOT_ENTRIES = {*FILES, "docs", "tests", *EVERY}


@dataclass(frozen=True, slots=True)
class Import:
    """One imported top-level package, and whether importing the module already runs the import."""

    package: str
    line: int
    at_import: bool


def imports_of(source: str, room: str) -> list[Import]:
    return list(_walk(parsed(source).body, room, at_import=True))


def _walk(nodes: list[ast.stmt], room: str, *, at_import: bool) -> Iterator[Import]:
    for node in nodes:
        for package in _packages(node, room):
            yield Import(package, node.lineno, at_import)
        runs = at_import and not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        for field, value in ast.iter_fields(node):
            if field in BLOCKS and isinstance(value, list):
                runs_here = runs and not (field == "body" and _is_for_the_type_checker(node))
                yield from _walk(value, room, at_import=runs_here)


def _packages(node: ast.stmt, room: str) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name.partition(".")[0] for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        return [room if node.level else (node.module or "").partition(".")[0]]
    return []


def _is_for_the_type_checker(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)


def wrong_imports(path: str, source: str) -> list[str]:
    """What in a module, given by its path below the root, goes against the arrows."""
    room = path.partition("/")[0]
    allowed = {room, *sys.stdlib_module_names, "_typeshed", *MAY_IMPORT[room]}
    for place, more in MAY_ALSO_IMPORT.items():
        allowed |= more if path.startswith(place) else set()
    return [
        f"{path}:{found.line} imports {found.package}"
        for found in imports_of(source, room)
        if found.package not in allowed or (found.at_import and found.package in ONLY_INSIDE_FUNCTIONS)
    ]


def wrong_floors(path: str, source: str) -> list[str]:
    """Imports of a folder of vision that is not below the module's own."""
    floor = next((floor for floor in FLOORS if path.startswith(floor)), None)
    if floor is None:
        return []
    below = {floor.split("/")[1], *FLOORS[floor], *SHARED}
    reached = {name.split(".")[1] for name in imported(source) if name.startswith("vision.")}
    return sorted(reached - below)


def reaches_into_what_is_shut(path: str, source: str) -> list[str]:
    """Imports of what knows every room, by a module that is not of those who may."""
    shut = tuple(f"{name}." for name, inside in SHUT.items() if not path.startswith(inside))
    return sorted(name for name in imported(source) if f"{name}.".startswith(shut))


def too_long(path: str, source: str) -> list[str]:
    lines = source.count("\n")
    found = [f"{path} has {lines} lines"] if lines > MODULE_LINES else []
    for node in statements(source):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            if length > FUNCTION_LINES:
                found.append(f"{path}:{node.lineno} {node.name} has {length} lines")
    return found


def works_at_import(path: str, source: str) -> list[str]:
    """Statements that do something when the module is merely imported."""
    busy = (ast.For, ast.While, ast.With)
    return [
        f"{path}:{node.lineno} works at import: {ast.unparse(node).splitlines()[0]}"
        for node in parsed(source).body
        if isinstance(node, busy) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call))
    ]


#: Modules that import inside functions on purpose: what a command needs that others should not wait for, what
#: may be missing or broken on the machine, and what an older tree may lack. Training is not at play.
LATE_IMPORTS = {
    "companion/__main__.py": 1,
    "companion/errors.py": 1,
    "companion/app/machine.py": 1,
    "companion/bots/deciding.py": 1,
    "companion/cli/doctor.py": 1,
    "companion/cli/games.py": 1,
    "companion/cli/judge.py": 1,
    "companion/cli/options.py": 1,
    "companion/cli/read.py": 1,
    "companion/cli/rules.py": 1,
    "companion/cli/run.py": 2,
    "companion/cli/wiring.py": 1,
    "hardware/cameras/choose.py": 1,
    "lab/bench/measures.py": 4,
}
LATE = {*ONLY_INSIDE_FUNCTIONS, "torch", "onnx", "segno"}
#: What brings numpy and OpenCV in: with the first picture, which an evening on phones has not.
LATE |= {"comparing", "decoder", "simulated_dice", "pixels", "camera_pages", "tried_picture"}


def late_imports(path: str, source: str) -> list[str]:
    """Imports inside functions beyond those that a module may have."""
    if "/training/" in path:
        return []
    functions = [node for node in statements(source) if isinstance(node, ast.FunctionDef)]
    inside = [node for function in functions for node in below(function)]
    imports = [node for node in inside if isinstance(node, ast.Import | ast.ImportFrom)]
    late = [node for node in imports if not LATE & {*ast.unparse(node).replace(".", " ").split()}]
    return [ast.unparse(node) for node in late] if len(late) > LATE_IMPORTS.get(path, 0) else []


def modules(*folders: str) -> list[str]:
    """Those of the lab without its tests, unless they are asked for."""
    paths = (path for folder in folders for path in (ROOT / folder).rglob("*.py"))
    names = {path.relative_to(ROOT).as_posix() for path in paths}
    return sorted(name for name in names if "lab/tests" in folders or not name.startswith("lab/tests/"))


@pytest.mark.parametrize(
    ("rule", "folders"),
    [
        pytest.param(wrong_imports, EVERY, id="a module imports only what its room may"),
        pytest.param(wrong_floors, FLOORS, id="the nets and the count know nothing of each other"),
        pytest.param(reaches_into_what_is_shut, (*EVERY, *TESTS), id="what knows every room is shut"),
        pytest.param(works_at_import, EVERY, id="importing a module does no work"),
        pytest.param(too_long, (*EVERY, *TESTS), id="modules and functions stay small"),
        pytest.param(late_imports, EVERY, id="imports stand at the top"),
    ],
)
def test_every_module_keeps_the_rule(rule, folders):
    """One test for each rule and not for each module: two thousand tests cost more than their checks."""
    paths = modules(*folders)
    assert len(paths) > 20
    found = [(path, fault) for path in paths for fault in rule(path, (ROOT / path).read_text("utf-8"))]
    assert found == []


def test_no_module_is_a_drawer_for_odds_and_ends():
    drawers = ("utils.py", "util.py", "helpers.py", "misc.py", "common.py")
    assert [path for path in modules(*ROOMS) if path.rpartition("/")[2] in drawers] == []


def test_the_root_holds_only_what_belongs_there():
    if not (ROOT / ".git").exists():
        pytest.skip("what is tracked is known only in a git checkout")
    command = [tool("git"), "-c", "safe.directory=*", "ls-files"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    entries = {line.partition("/")[0] for line in listed.stdout.splitlines()}
    assert {entry for entry in entries if not entry.startswith(".")} - ROOT_ENTRIES == set()


INSIDE = "def f():\n    import "


@pytest.mark.parametrize(
    ("path", "source", "faults", "why"),
    [
        ("companion/rules/game.py", "import json, segno", 0, "these are companion's own"),
        ("companion/rules/game.py", "from companion.rules.bids import Bid", 0, "a room may import itself"),
        ("companion/rules/game.py", "from .bids import Bid", 0, "a relative import stays in the room"),
        ("companion/rules/game.py", "import numpy as np", 1, "the game knows no pixels"),
        ("companion/rules/game.py", "import flask", 1, "the game knows no HTTP"),
        ("companion/rules/game.py", INSIDE + "vision.read", 1, "hiding it in a function does not help"),
        ("companion/app/machine.py", "import vision.read, hardware, web", 0, "app wires all rooms"),
        ("companion/app/machine.py", "import gpiozero", 1, "not even app touches pins at import"),
        ("companion/cli/read.py", "from vision.read import read", 1, "commands go through app"),
        ("vision/read.py", "import cv2\nimport numpy.typing", 0, "vision sees with these"),
        ("vision/read.py", "from companion.reveal import state", 1, "vision knows no game"),
        ("vision/read.py", "import torch", 1, "the box has no torch"),
        ("lab/training/nets/fit.py", "import torch", 0, "only the lab has"),
        ("hardware/gpio.py", INSIDE + "gpiozero", 0, "pins are opened when asked for"),
        ("hardware/gpio.py", "import gpiozero", 1, "not when imported"),
        ("hardware/gpio.py", "try:\n    import gpiozero\nexcept ImportError:\n    pass", 1, "nor tried"),
        ("hardware/gpio.py", "class A:\n    import gpiozero", 1, "a class body runs at import"),
        ("hardware/gpio.py", "if TYPE_CHECKING:\n    import gpiozero", 0, "this never runs"),
        ("hardware/cameras/usb.py", "import cv2", 0, "the USB camera is OpenCV's"),
        ("hardware/cameras/still.py", "import cv2", 1, "other cameras are not"),
        ("web/api/a.py", "from flask import Flask\nimport companion.table.table", 0, "web shows the table"),
        ("web/api/a.py", "import hardware.ports", 1, "web never touches hardware"),
    ],
)
def test_the_arrows_are_really_checked(path, source, faults, why):
    assert len(wrong_imports(path, source)) == faults, why


@pytest.mark.parametrize(
    ("path", "source", "reached"),
    [
        ("vision/counting/count.py", "from vision.picture.working import Working", []),
        ("vision/counting/count.py", "from vision.arrays import Floats", []),
        ("vision/counting/count.py", "from vision.learned import net", ["learned"]),
        ("vision/learned/net.py", INSIDE + "vision.counting.count", ["counting"]),
        ("vision/picture/colour.py", "from vision import read", ["read"]),
        ("vision/agreement/agree.py", "from vision.learned import net", []),
        ("vision/read.py", "from vision.learned import net", []),
    ],
)
def test_floors_are_really_checked(path, source, reached):
    assert wrong_floors(path, source) == reached


@pytest.mark.parametrize(
    ("path", "source", "faults"),
    [
        ("companion/cli/run.py", "from companion.app.companion import Companion", 0),
        ("companion/table.py", "from companion.app.companion import Companion", 1),
        ("web/api/a.py", INSIDE + "companion.app", 1),
        ("web/app.py", "from companion import app", 1),
        ("web/app.py", "from companion.apples import pip", 0),
        ("vision/read.py", INSIDE + "lab.training", 1),
        ("tests/test_tools.py", "import lab.measure.tables", 1),
        ("lab/measure/tables.py", "import lab.tables, tests.effort, vision.read", 0),
    ],
)
def test_reaching_into_what_is_shut_is_really_found(path, source, faults):
    assert len(reaches_into_what_is_shut(path, source)) == faults


@pytest.mark.parametrize(
    ("source", "faults"),
    [
        ("def f():\n" + "    x = 1\n" * (FUNCTION_LINES - 1), 0),
        ("def f():\n" + "    x = 1\n" * FUNCTION_LINES, 1),
        ("x = 1\n" * MODULE_LINES, 0),
        ("x = 1\n" * (MODULE_LINES + 1), 1),
    ],
)
def test_sizes_are_really_checked(source, faults):
    assert len(too_long("vision/read.py", source)) == faults


@pytest.mark.parametrize(
    ("source", "faults"),
    [
        ('"""What this is."""\nX = tuple([1])\ndef f():\n    print()', 0),
        ("print()", 1),
        ("for x in ():\n    pass", 1),
    ],
)
def test_work_at_import_is_really_checked(source, faults):
    assert len(works_at_import("vision/read.py", source)) == faults


def circles(arrows: dict[str, set[str]]) -> list[list[str]]:
    """Every group of nodes from each of which an arrow path leads back to itself (Tarjan, 1972)."""
    order: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(node: str) -> None:
        order[node] = low[node] = len(order)
        stack.append(node)
        for target in sorted(arrows.get(node, ())):
            if target not in order:
                visit(target)
            if target in stack:
                low[node] = min(low[node], low[target])
        if low[node] == order[node]:
            group = stack[stack.index(node) :]
            del stack[stack.index(node) :]
            if len(group) > 1:
                found.append(sorted(group))

    for node in sorted(arrows):
        if node not in order:
            visit(node)
    return found


def module_arrows() -> dict[str, set[str]]:
    """What each module of the house imports of the others, inside functions too."""
    paths = [path for room in ROOMS for path in (ROOT / room).rglob("*.py")]
    sources = {_dotted(path): path.read_text(encoding="utf-8") for path in paths}

    def module(name: str) -> str:
        return name if name in sources else name.rpartition(".")[0]

    return {
        name: {module(target) for target in imported(source)} & sources.keys()
        for name, source in sources.items()
    }


def _dotted(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def folder_arrows(modules: dict[str, set[str]]) -> dict[str, set[str]]:
    """The same between the folders of a room; a room's own modules stand for themselves."""

    def folder(name: str) -> str:
        parts = name.split(".")
        return ".".join(parts[:2]) if (ROOT / Path(*parts[:2])).is_dir() else name

    arrows: dict[str, set[str]] = {}
    for name, targets in modules.items():
        arrows.setdefault(folder(name), set()).update({folder(t) for t in targets} - {folder(name)})
    return arrows


def test_no_files_import_one_another_in_a_circle():
    assert circles(module_arrows()) == []


def test_no_folders_import_one_another_in_a_circle():
    assert circles(folder_arrows(module_arrows())) == []


@pytest.mark.parametrize(
    ("arrows", "groups"),
    [
        ({"a": {"b"}, "b": {"c"}, "c": set()}, []),
        ({"a": {"b"}, "b": {"a"}}, [["a", "b"]]),
        ({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}, [["a", "b", "c"]]),
        ({"a": {"b"}, "b": {"a"}, "c": {"d"}, "d": {"c", "a"}}, [["a", "b"], ["c", "d"]]),
    ],
)
def test_circles_are_really_found(arrows, groups):
    assert sorted(circles(arrows)) == groups


def test_late_imports_are_really_found():
    assert late_imports("web/app.py", INSIDE + "json") == ["import json"]
    assert late_imports("hardware/gpio.py", INSIDE + "gpiozero") == []
