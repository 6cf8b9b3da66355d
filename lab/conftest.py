"""The lab's tests run as the suite's do: its profile of Hypothesis, its folders in memory, its order."""

from tests.conftest import pytest_collection_modifyitems
from tests.vision.conftest import once

__all__ = ["once", "pytest_collection_modifyitems"]
