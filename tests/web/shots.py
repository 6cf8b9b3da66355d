"""Pictures for a page in tests."""

from collections.abc import Callable

from companion.errors import BadCommand
from companion.reveal.viewfinder import Viewed

JPEG = b"\xff\xd8 a picture \xff\xd9"


class Shots:
    """Pictures by their name, and one that is live: the same for everything, where nothing else is said. None
    is taken: all dice are simulated."""

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

    def take(self, data: bytes, name: str, reveal: int, place: str | None = None) -> str:
        raise BadCommand("dice_simulated")

    def view(self, data: bytes, name: str, reveal: int, place: str | None) -> Viewed | None:
        raise BadCommand("dice_simulated")

    def lay(self, data: bytes) -> None:
        raise BadCommand("no_phone_picture")
