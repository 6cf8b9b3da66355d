"""Names of files as they can be printed anywhere."""

from __future__ import annotations

import os


def shown(path: str | os.PathLike[str]) -> str:
    """The path as text: bytes of it that are no UTF-8 stand as \\xff, since no strict output takes them."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")
