"""A cache of rendered fragments: forty phones that wake at once and see the same cost one rendering."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable


class FragmentCache:
    """The fragments of one version of the table; a newer version drops them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._version = -1
        self._kept: dict[Hashable, str] = {}

    def get(self, version: int, key: Hashable, draw: Callable[[], str]) -> str:
        """The fragment for phones with this `key` at `version`: rendered by the first that asks, while others
        wait."""
        if version < self._version:
            return draw()  # a phone that was overtaken: what the others wait for stays
        with self._lock:
            if version > self._version:
                self._version, self._kept = version, {}
            elif version < self._version:
                return draw()
            if key not in self._kept:
                self._kept[key] = draw()
            return self._kept[key]
