"""How many examples the random tests draw: a part of them in `make test`, many in `make thorough`."""

import os
from typing import TypeVar

Drawn = TypeVar("Drawn")

THOROUGH = bool(os.environ.get("DUDO_THOROUGH"))


def draws(usual: Drawn, thorough: Drawn) -> Drawn:
    """How many examples to draw, or which. Tests that ask for it are marked `thorough`."""
    return thorough if THOROUGH else usual
