"""How many examples the random tests draw: a part of them in `make test`, many in `make thorough`."""

import os

THOROUGH = bool(os.environ.get("DUDO_THOROUGH"))


def draws(usual: int, thorough: int) -> int:
    """The number of examples to draw. Tests that ask for it are marked `thorough`."""
    return thorough if THOROUGH else usual
