"""What can go wrong with pictures and models: each error has a reason, one sentence and a hint."""

from __future__ import annotations

from collections.abc import Mapping


class VisionError(Exception):
    """The root: the text is one sentence for the person, `hint` says what helps, `reason` is a key for the
    catalogue of texts."""

    reason = "reader_broken"
    hint = "install the project again"

    @property
    def values(self) -> Mapping[str, object]:
        """What the catalogue's sentence may mention: nothing."""
        return {}
