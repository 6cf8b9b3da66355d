"""What worker processes serve in tests: ordinary methods, and every way to go wrong."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # every process that a test starts would import it
    import numpy as np
    from numpy.typing import NDArray


HANGS = "it hangs"


class Reckoner:
    """Answers, fails, hangs and dies on request."""

    def __init__(self, start: int = 0) -> None:
        if start < 0:
            raise ValueError("below zero")
        self.total = start

    def add(self, number: int, times: int = 1) -> int:
        self.total += number * times
        return self.total

    def brighter(self, image: NDArray[np.uint8]) -> tuple[str, NDArray[np.uint8]]:
        return "brighter", image + 1

    def same(self, image: NDArray[np.uint8]) -> NDArray[np.uint8]:
        return image

    def picture(self, value: int) -> NDArray[np.uint8]:
        import numpy as np  # here: see above

        return np.full((1296, 2304, 3), value, np.uint8)

    def shout(self, words: str) -> None:
        os.write(1, words.encode())

    def imported(self, *names: str) -> tuple[str, ...]:
        return tuple(name for name in names if name in sys.modules)

    def fail(self) -> None:
        raise LookupError("not there")

    def fail_oddly(self) -> None:
        class Odd(Exception):
            pass

        raise Odd("one of a kind")

    def hang(self) -> None:
        print(HANGS, flush=True)
        time.sleep(1000)

    def hang_in_foreign_code(self) -> None:
        """Sleeps in C without letting go of the interpreter."""
        ctypes.PyDLL(None).sleep(1000)

    def die(self) -> None:
        print("the sky falls", flush=True)
        os.kill(os.getpid(), signal.SIGSEGV)

    def leave(self) -> None:
        os._exit(3)

    def chatter(self, lines: int) -> None:
        for number in range(lines):
            print("x" * 500, number, file=sys.stderr)

    def unpicklable(self) -> Any:
        return lambda: None

    def helper(self) -> int:
        """A process that a library starts and forgets."""
        return subprocess.Popen(["sleep", "1000"]).pid
