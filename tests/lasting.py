"""What tests make once and keep."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def lasting() -> Iterator[None]:
    """Nobody looks through what is made within for garbage: among nine thousand tests, or the syntax trees of
    all modules, that took a quarter of the time of others."""
    gc.disable()
    yield
    gc.freeze()
    gc.enable()
