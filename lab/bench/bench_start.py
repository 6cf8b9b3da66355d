"""How long a person waits before anything happens."""

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parent.parent.parent
TRIES = 5

COMMANDS = {
    "make run, before it starts": [str(ROOT / ".setup" / "bootstrap"), "run"],
    "dudo --help": [sys.executable, "-m", "companion", "--help"],
    "import of what reads dice": [sys.executable, "-c", "import vision.read"],
    "import of the pages": [sys.executable, "-c", "import web.app"],
}


def rows() -> Iterator[tuple[str, str]]:
    for what, command in COMMANDS.items():
        yield what, f"{median(seconds(command) for _ in range(TRIES)) * 1000:.0f} ms"


def seconds(command: list[str]) -> float:
    started_s = time.perf_counter()
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return time.perf_counter() - started_s
