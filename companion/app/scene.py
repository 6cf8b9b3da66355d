"""What lies on the simulated table: the dice really rolled in the simulated game."""

from __future__ import annotations

import threading
import zlib
from collections.abc import Iterator
from contextlib import contextmanager

from companion.demo.players import Lying
from companion.demo.simulated import laid_out, on_table
from companion.table.table import Table
from hardware.cameras.simulated_dice import laid
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
"""The dice laid for a player's colour; without a colour they are ivory."""


class SimulatedScene:
    """Pictures of the dice really rolled in the simulated game; the same one until other dice lie there."""

    def __init__(self, table: Table, frames: int) -> None:
        """`frames` pictures of one place are taken before the box is moved on."""
        self._table, self._frames = table, frames
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
            found = laid(dice, seed, width_px=SCENE_PX[0], height_px=SCENE_PX[1])
            image = self._image = found.image_bgr
            self._lying = tuple(
                Lying(die.face, die.x_px / SCENE_PX[0], die.y_px / SCENE_PX[1]) for die in found.dice
            )
            self._key = key
        return image
