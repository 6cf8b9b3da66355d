"""A side file that keeps nothing, for parts whose files a test does not need."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from companion.storage.side_files import SideFile

T = TypeVar("T")


class Unkept(SideFile):
    """It is empty whenever it is read."""

    def __init__(self) -> None:
        super().__init__(Path("unkept"))

    def read(self, parse: Callable[[bytes], T], default: T) -> T:
        return default

    def write(self, content: bytes) -> None:
        pass
