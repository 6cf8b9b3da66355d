"""What kind of box this is: what of it is simulated, whose dice lie on the table, and who takes pictures."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from companion.app.camera.preview import taken
from companion.app.page.page_table import BoxFacts
from companion.app.system.box_parts import BoxParts
from hardware.cameras.phones import PhonesCamera
from hardware.ports import Clock
from vision.arrays import Image

if TYPE_CHECKING:
    from hardware.cameras.choose import BoxCamera
from pathlib import Path

from companion.errors import BadCommand, StorageError
from companion.rules.game import Game, Phase


@dataclass(frozen=True, slots=True)
class BoxKind:
    """Asked anew each time: people may change whose dice lie there. `demonstration`: nobody plays here."""

    camera: BoxCamera
    parts: BoxParts
    real_dice: RealDice
    clock: Clock
    demonstration: bool
    _phones: PhonesCamera = field(init=False)

    def __post_init__(self) -> None:
        phones = self.camera if isinstance(self.camera, PhonesCamera) else PhonesCamera(self.clock)
        object.__setattr__(self, "_phones", phones)

    @property
    def by_phones(self) -> bool:
        """Whether the box has no camera of its own to look with."""
        return isinstance(self.camera, PhonesCamera) or self.real_dice.instead

    @property
    def all_simulated(self) -> bool:
        """Whether nothing here is real: no part, no dice."""
        return self.parts.simulated and self.camera.name == "simulated table" and not self.real_dice.on

    @property
    def may_choose_dice(self) -> bool:
        """Whether people choose between simulated dice and their own."""
        return self.real_dice.choice and self.parts.simulated and not self.demonstration

    def may_show(self) -> bool:
        """Whether simulated players may play: never at a table of people, nor with anything real."""
        return self.demonstration and self.all_simulated

    def facts(self) -> BoxFacts:
        """The facts that the page shows of this box."""
        return BoxFacts(
            simulated=self.parts.simulated,
            camera=PhonesCamera.name if self.by_phones else self.camera.name,
            buttons=tuple(self.parts.buttons.names),
            all_simulated=self.all_simulated,
            demo=self.demonstration,
            pictures=self.real_dice.on,
            real_dice=self.real_dice.on if self.may_choose_dice else None,
        )

    def taken(self) -> Image:
        """A picture for the pages that teach, never of simulated dice beside real ones, (height, width, 3)
        uint8; raises PartFault."""
        return taken(self._phones if self.by_phones else self.camera)

    def lay(self, image_bgr: Image) -> None:
        """Let a phone's picture, (height, width, 3) uint8, be what those pages see for a while."""
        self._phones.show(image_bgr)


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
