"""The simulated table: the dice really rolled in the simulated game, drawn."""

from __future__ import annotations

import threading
import zlib
from collections.abc import Iterator
from contextlib import contextmanager

from companion.app.readings import PictureReader
from companion.demo.players import Lying
from companion.demo.simulated import laid_out, on_table
from companion.table.table import Table
from vision.arrays import Image

SCENE_PX = (1024, 768)

BODIES = {
    **{
        name: name
        for name in ("red", "blue", "green", "yellow", "white", "black", "orange", "purple", "pink")
    },
    "turquoise": "blue",
    "brown": "wood",
    "grey": "grey",
}
"""The dice drawn for a player's colour; without a colour they are ivory."""


class SimulatedScene:
    """Draws the dice really rolled in the simulated game; the same picture until other dice lie there."""

    def __init__(self, table: Table, frames: int, reader: PictureReader) -> None:
        """`frames` pictures of one place are taken before the box is moved on; `reader` draws, as in
        `companion.app.reader`."""
        self._table, self._frames, self._reader = table, frames, reader
        self._lock = threading.Lock()
        self._key: object = None
        self._image: Image | None = None
        self._lying: tuple[Lying, ...] = ()
        self._laid_out: str | None = None

    @contextmanager
    def laid_out(self, player: str) -> Iterator[None]:
        """All dice of `player` lie there alone for a while."""
        self._laid_out = player
        try:
            yield
        finally:
            self._laid_out = None

    def draw(self) -> Image:
        """The picture now, (height, width, 3) uint8, blue, green, red."""
        with self._lock:
            return self._drawn().copy()

    def lying(self) -> tuple[Lying, ...]:
        """Where the dice really lie."""
        with self._lock:
            self._drawn()
            return self._lying

    def _drawn(self) -> Image:
        now = self._table.snapshot()
        game = now.state.game
        shown = on_table(now.game_id or "", now.state, self._frames)
        if game and self._laid_out:
            shown = laid_out(now.game_id or "", game, self._laid_out)
        dice = tuple((face, BODIES.get(said, "ivory")) for face, said in shown)
        key = (now.game_id, game.round.number if game else 0, dice)
        image = self._image
        if image is None or key != self._key:
            seed = zlib.crc32(repr(key).encode())
            image, lying = self._reader.draw(dice, seed, SCENE_PX)
            self._image = image
            self._lying = tuple(Lying(face, x, y) for face, x, y in lying)
            self._key = key
        return image
