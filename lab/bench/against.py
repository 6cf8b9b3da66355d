"""Whether anything became slower: `make bench ARGS="against [COMMIT]"`, the last release by default.

Both trees are measured in turn, three times, on one machine: other work falls on both alike. What takes
more than LARGEST times as long each time fails.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from lab.bench.__main__ import table
from tests.tools import tool

ROOT = Path(__file__).resolve().parents[2]
RUNS, LARGEST = 3, 1.15
Times = Mapping[str, float]


def compared(pairs: Iterable[tuple[Times, Times]]) -> dict[str, list[float]]:
    """How many times as long each measure takes now, for each pair of before and now; those of both alone."""
    ratios: dict[str, list[float]] = {}
    for before, now in pairs:
        for name in before.keys() & now.keys():
            ratios.setdefault(name, []).append(now[name] / before[name])
    return ratios


def slower(ratios: Mapping[str, Sequence[float]]) -> list[str]:
    """What is slower each time: one run alone may have been disturbed."""
    return sorted(name for name, each in ratios.items() if min(each) > LARGEST)


def reference() -> str:
    """The last release before this commit, or else the commit before it."""
    found = subprocess.run(
        [tool("git"), "describe", "--tags", "--abbrev=0", "HEAD^"], cwd=ROOT, capture_output=True, text=True
    )
    return found.stdout.strip() or "HEAD^"


def unpacked(commit: str, folder: Path) -> Path:
    """The tree of a commit in a folder; raises CalledProcessError for one that is not there."""
    data = subprocess.run(
        [tool("git"), "archive", commit], cwd=ROOT, stdout=subprocess.PIPE, check=True
    ).stdout
    subprocess.run([tool("tar"), "-x", "-C", str(folder)], input=data, check=True)
    return folder


def measured(tree: Path) -> Times:
    """The measures of a tree, in a process of its own."""
    program = Path(__file__).with_name("measures.py")
    done = subprocess.run(
        [sys.executable, "-P", str(program)],
        cwd=tree,
        env=os.environ | {"PYTHONPATH": str(tree)},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    times: Times = json.loads(done.stdout.splitlines()[-1])
    return times


def main(words: Sequence[str]) -> int:
    commit = words[0] if words else reference()
    with tempfile.TemporaryDirectory() as folder:
        before = unpacked(commit, Path(folder))
        ratios = compared((measured(before), measured(ROOT)) for _ in range(RUNS))
    print(f"Now over {commit}, {RUNS} times:")
    print("\n".join(table([(name, *(f"{one:.2f}" for one in each)) for name, each in ratios.items()])))
    worse = slower(ratios)
    print(f"Slower each time: {', '.join(worse)}." if worse else "Nothing is slower each time.")
    return int(bool(worse))
