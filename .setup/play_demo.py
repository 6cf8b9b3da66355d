#!/usr/bin/env python3
"""Starts `dudo demo` and follows its API until a round was judged; the program is the first argument."""

import json
import signal
import socket
import subprocess
import sys
import time
from urllib.error import URLError
from urllib.request import urlopen

PATIENCE_S = 180


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def judged(address: str) -> bool:
    """Whether the table has a verdict behind it; false while nobody answers yet."""
    try:
        with urlopen(f"{address}/api/v1/state", timeout=10) as answer:
            game = json.load(answer)["game"]
            return bool(game and game["last_round"])
    except (URLError, ConnectionError, TimeoutError):
        return False


def main(program: str) -> int:
    port = free_port()
    demo = subprocess.Popen([program, "demo", "--host", "127.0.0.1", "--port", str(port)])
    try:
        end = time.monotonic() + PATIENCE_S
        while not judged(f"http://127.0.0.1:{port}"):
            if demo.poll() is not None or time.monotonic() > end:
                return 1
            time.sleep(0.5)
        demo.send_signal(signal.SIGTERM)
        return demo.wait(30)
    finally:
        demo.kill()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
