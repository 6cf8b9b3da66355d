#!/usr/bin/env python3
"""Writes the lock files from pyproject.toml, with the hashes of every platform's files.

For maintainers: `make lock` keeps what is locked and adds what is new, `make lock UPGRADE=1` takes
the newest of everything. Users never need this nor uv.
"""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCKS = ROOT / ".setup" / "locks"
SYSTEM_CAN_BRING = {"numpy", "opencv-python-headless"}  # on a Raspberry Pi these come from apt
EXTRAS = ("mqtt", "https", "heic", "keyboard")  # what the guides tell people to install beside it
HEADER = "# Made by `make lock` from pyproject.toml; do not edit.\n"


def layers() -> dict[str, list[str]]:
    """The requirements of each lock file; a later one agrees with those before it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    wanted = project["project"]["dependencies"]
    seeing = [line for line in wanted if name_of(line) in SYSTEM_CAN_BRING]
    return {
        "run": [line for line in wanted if line not in seeing] + project["build-system"]["requires"],
        "vision": seeing,
        "test": project["project"]["optional-dependencies"]["test"],
        **{name: project["project"]["optional-dependencies"][name] for name in ("docs", *EXTRAS)},
    }


def name_of(requirement: str) -> str:
    return re.split(r"[^\w.-]", requirement, maxsplit=1)[0].lower()


def lock(requirements: list[str], target: Path, agreeing_with: list[Path], leave_out: set[str]) -> None:
    """Resolves for every platform and Python from 3.11 on, whatever this machine is."""
    command = [sys.executable, "-m", "uv", "pip", "compile", "-", "--output-file", str(target)]
    command += ["--universal", "--python-version", "3.11", "--generate-hashes", "--no-config", "--quiet"]
    command += ["--no-header", "--no-annotate", "--no-emit-index-url", "--no-emit-find-links"]
    command += [part for path in agreeing_with for part in ("--constraints", str(path))]
    command += [part for name in sorted(leave_out) for part in ("--no-emit-package", name)]
    command += ["--upgrade"] if os.environ.get("UPGRADE") else []
    subprocess.run(command, input="\n".join(requirements), text=True, check=True)
    target.write_text(HEADER + target.read_text())


def main() -> None:
    LOCKS.mkdir(exist_ok=True)
    done: list[Path] = []
    for layer, requirements in layers().items():
        target = LOCKS / f"{layer}.txt"
        lock(requirements, target, done, set() if layer == "vision" else SYSTEM_CAN_BRING)
        done.append(target)


if __name__ == "__main__":
    main()
