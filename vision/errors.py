"""What can go wrong with pictures and models: each error has a reason, one sentence and a hint."""

from __future__ import annotations

import os
from collections.abc import Mapping


class VisionError(Exception):
    """The root: the text is one sentence for the person, `hint` says what helps, `reason` is a key for the
    catalogue of texts."""

    reason = "reader_broken"
    hint = "install the project again"
    values: Mapping[str, object] = {}
    """What the catalogue's sentence may mention: nothing."""


def shown(path: str | os.PathLike[str]) -> str:
    """A path as text that can be printed anywhere: bytes of it that are no UTF-8 stand as \\xff, since no
    strict output takes them."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")
