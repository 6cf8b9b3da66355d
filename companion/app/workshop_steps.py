"""Steps of the workshop: their errors with reasons that the pages know, their advice as plain data."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from companion.errors import PartFault
from hardware.calibration.advice import Advice
from hardware.errors import HardwareError
from vision.learned.net import ModelMissing

Data = dict[str, object]

T = TypeVar("T")


def reasoned(step: Callable[[], T]) -> T:
    """The result of a step; raises PartFault for an error of a part or of the reader."""
    try:
        return step()
    except HardwareError as error:
        raise PartFault(error.reason) from error
    except ModelMissing as error:
        raise PartFault("reader_broken") from error


def plain(advice: Advice) -> Data:
    """The advice with its key and values."""
    return {"key": advice.key, "values": dict(advice.values)}
