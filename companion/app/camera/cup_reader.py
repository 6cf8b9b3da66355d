"""Reads the real dice of a bot, whose cup stands under the camera. They are published to nobody.

Pictures in a row must be read alike, for certain, and have as many dice as the bot. No picture is kept.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from companion.errors import BadCommand
from companion.reveal.observations import Observation
from companion.table.cups import looking_bots
from companion.table.table import Table

if TYPE_CHECKING:
    from vision.arrays import Image
    from vision.contract import ReadingJson

TRIES = 4
"""So many pictures are taken at most."""


class CupReader:
    """Looks at one cup at a time."""

    def __init__(
        self,
        table: Table,
        picture: Callable[[], Image],
        read: Callable[[Image], ReadingJson],
        *,
        laid_out: Callable[[str], AbstractContextManager[None]],
        light: Callable[[bool], None],
        by_phones: Callable[[], bool],
        agree: int,
    ) -> None:
        """`picture` takes one now, and `read` is its reading as by `dudo read --json`.

        Within `laid_out` a simulated table shows the dice of one player alone. `light` turns the ring on or
        off. `by_phones`: the box has no camera of its own. So many pictures in a row must `agree`.
        """
        self._table, self._picture, self._read = table, picture, read
        self._laid_out, self._light, self._by_phones, self._agree = laid_out, light, by_phones, agree
        self._busy = threading.Lock()

    @property
    def is_secret(self) -> bool:
        """Whether the camera may see dice at which the box alone may look."""
        return bool(looking_bots(self._table.snapshot().state))

    def open_picture(self) -> Image:
        """A picture for a page that shows it; raises PartFault, and BadCommand while dice are secret."""
        if self.is_secret:
            raise BadCommand("camera_at_work")
        return self._picture()

    def read(self, player: str) -> None:
        """Read the dice of the bot and keep them for it alone; raises BadCommand, PartFault, StorageError."""
        if self._by_phones():
            raise BadCommand("bot_by_phones", player=player)
        dice = looking_bots(self._table.snapshot().state).get(player)
        if dice is None:
            raise BadCommand("bot_no_look", player=player)
        if not self._busy.acquire(blocking=False):
            raise BadCommand("camera_at_work")
        try:
            self._light(True)
            with self._laid_out(player):
                faces = self._faces(player, dice)
        finally:
            self._light(False)
            self._busy.release()
        self._table.keep_dice(player, faces)

    def _faces(self, player: str, dice: int) -> tuple[int, ...]:
        alike: list[tuple[int, ...]] = []
        fault = BadCommand("bot_dice_unclear", player=player)
        for _ in range(TRIES):
            seen = Observation.from_json(self._read(self._picture()))
            faces = tuple(sorted(die.face for die in seen.dice))
            certain = seen.certain and all(die.certain for die in seen.dice) and len(faces) == dice
            alike = [*(one for one in alike if one == faces), faces] if certain else []
            if len(alike) >= self._agree:
                return faces
            if len(faces) != dice:
                fault = BadCommand("bot_dice_count", player=player, seen=len(faces), dice=dice)
        raise fault
