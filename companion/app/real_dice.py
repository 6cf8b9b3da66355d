"""Whether real dice lie on the table of a box whose camera is simulated: then phones take the pictures."""

from __future__ import annotations

from pathlib import Path

from companion.errors import BadCommand, StorageError
from companion.rules.game import Game, Phase

FILE = "real_dice"


class RealDice:
    """The choice of a box with the simulated table, kept over restarts: a game with real dice goes on."""

    def __init__(self, path: Path, *, simulated: bool) -> None:
        """`simulated`: the camera is, so that there is something to choose."""
        self._path, self.choice = path, simulated
        self._on = path.exists() or not simulated

    @property
    def on(self) -> bool:
        """Whether the dice on the table are real, whatever the camera."""
        return self._on

    @property
    def instead(self) -> bool:
        """Whether phones take the place of the simulated table."""
        return self.choice and self._on

    def turn(self, game: Game | None) -> None:
        """Play with real dice from now on, or with simulated ones again; raises BadCommand within a `game`,
        and StorageError where it cannot be kept."""
        if game is not None and game.phase is not Phase.OVER:
            raise BadCommand("game_going_on")
        try:
            self._path.unlink() if self._on else self._path.touch()
        except FileNotFoundError:
            pass  # somebody deleted it: that is what was wanted
        except OSError as error:
            raise StorageError("folder_forbidden", path=self._path.parent) from error
        self._on = not self._on
