"""A box of which nothing is real, in a folder of its own."""

from pathlib import Path
from typing import Any

from companion.settings import Box, Camera, Data, Settings, Web


def simulated(folder: Path, **sections: Any) -> Settings:
    """Settings with mock pins, the simulated table and a free port; `sections` of their own."""
    web, data = Web(host="127.0.0.1", port=0), Data(folder=str(folder))
    plain = {"web": web, "data": data, "box": Box(pins="mock"), "camera": Camera(use="simulated")}
    return Settings(**{**plain, **sections})
