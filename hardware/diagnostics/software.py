"""Which libraries are installed, their version and place. Imports nothing that touches a device."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import sys
from dataclasses import dataclass
from pathlib import Path

MODULES = {
    "numpy": "numpy",
    "cv2": "opencv-python-headless",
    "flask": "flask",
    "gpiozero": "gpiozero",
    "lgpio": "lgpio",
    "picamera2": "picamera2",
    "libcamera": "libcamera",
}


@dataclass(frozen=True, slots=True)
class Library:
    """One library: `version` is "" when unknown, `place` None when it is not installed."""

    name: str
    version: str
    place: Path | None

    @property
    def from_system(self) -> bool:
        """Whether the operating system's packages brought it."""
        return self.place is not None and self.place.is_relative_to("/usr/lib")


def libraries() -> tuple[Library, ...]:
    """Every library that matters."""
    return tuple(_library(module, package) for module, package in MODULES.items())


def _library(module: str, package: str) -> Library:
    spec = importlib.util.find_spec(module)
    if spec is None or spec.origin is None:
        return Library(module, "", None)
    return Library(module, _version(module, package), Path(spec.origin).parent)


def _version(module: str, package: str) -> str:
    for name in (package, module, "opencv-python", "opencv"):
        try:
            return importlib.metadata.version(name) if module == "cv2" or name in (package, module) else ""
        except importlib.metadata.PackageNotFoundError:
            continue
    return ""


def mixtures(found: tuple[Library, ...]) -> tuple[str, ...]:
    """Sentences on libraries of two origins that do not work together.

    The system's picamera2 is compiled against the system's numpy. Another numpy breaks it, often late.
    """
    by_name = {library.name: library for library in found}
    camera, numpy = by_name.get("picamera2"), by_name.get("numpy")
    if camera is None or numpy is None or not camera.from_system or numpy.from_system:
        return ()
    return (
        f"picamera2 comes from the system but numpy from {numpy.place}: remove numpy from the environment.",
    )


def python_words() -> str:
    """The Python that runs, and where."""
    return f"Python {sys.version.split()[0]} in {sys.prefix}"
