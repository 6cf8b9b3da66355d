"""Pictures for a page in tests."""

from __future__ import annotations

from collections.abc import Callable

from web.deps import NoPictures

JPEG = b"\xff\xd8 a picture \xff\xd9"


class Shots(NoPictures):
    """Pictures by their name, and one that is live: the same for everything, where nothing else is said."""

    def __init__(
        self,
        kept: Callable[[str], bytes | None] = lambda name: JPEG if name.startswith("shot") else None,
        live: bytes = JPEG,
    ) -> None:
        self._kept, self._live = kept, live

    def kept(self, picture_id: str) -> bytes | None:
        return self._kept(picture_id)

    def preview(self) -> bytes | None:
        return self._live
