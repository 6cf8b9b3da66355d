"""The exposure of the camera, locked for the reveals of a game, and what lies still under it.

What lay on the table through a round is remembered as it looked, so that none of it is asked about again. A
memory lasts as long as the box runs. An undo takes back what was learnt in the undone rounds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache, cached_property

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from companion.reveal.claims import Kind
from companion.reveal.merging import PlaceView, arrivals
from companion.reveal.observations import Observation
from companion.reveal.state import RevealState
from companion.reveal.still import Location, Said, needed, things, without
from companion.rules.position import Phase
from companion.table.table import Snapshot
from hardware.errors import HardwareError
from hardware.ports import Camera
from vision.arrays import Floats, Image
from vision.picture.unchanged import Patch, is_same_light, is_unchanged, light, patch_of

MAX_THINGS = 40
"""Things remembered, 3 kB each: the newest."""


class Round(Struct, frozen=True):
    """A round of a game."""

    game: str | None
    number: int


class StillThing(Struct, frozen=True):
    """A thing that is no die in play, as it looked in a round, and who says so: a person, or nobody."""

    patch: Patch
    said: Said
    round: Round


class StillThings:
    """The memory of one camera, for the thread that takes its pictures."""

    def __init__(self) -> None:
        self._things: tuple[StillThing, ...] = ()
        self._patches: dict[str, tuple[Patch, ...]] = {}
        self._newest: tuple[Patch, ...] = ()
        self._taken: Round | None = None
        self._empty: Image | None = None

    def know_empty(self, empty_grey: NDArray[np.uint8] | None) -> None:
        """The picture of the empty table, (height, width) uint8, or None."""
        known = None if empty_grey is None else cv2.cvtColor(empty_grey, cv2.COLOR_GRAY2BGR)
        self._empty = None if known is None else np.asarray(known, np.uint8)

    def without(self, observation: Observation, image_bgr: Image, now: Snapshot) -> Observation:
        """The observation of a picture (height, width, 3) uint8 without what lay there before."""
        game, reveal = now.state.game, now.state.reveal
        if game is None or game.phase is not Phase.REVEAL or reveal is None:
            return observation
        self._begin(Round(now.game_id, game.round.number), now.state.last_reveal)
        found = without(observation, _LiesStill(self._things, image_bgr, self._empty), needed(reveal))
        dice = arrivals(found)
        self._newest = tuple(patch_of(image_bgr, d.x, d.y * found.ratio, d.size) for d in dice)
        return found

    def placed(self, place: str) -> None:
        """The newest picture is one of that place."""
        self._patches = {**self._patches, place: self._newest}

    def _begin(self, here: Round, before: RevealState | None) -> None:
        """Learn from the round before, at the first picture of the next; forget what an undo takes back."""
        if here == self._taken:
            return
        self._things = tuple(thing for thing in self._things if not _undone(thing, here))
        if before is not None and self._taken == Round(here.game, here.number - 1):
            self._learn(before, self._taken)
        self._taken, self._patches = here, {}

    def _learn(self, reveal: RevealState, learnt_in: Round) -> None:
        if reveal.claim.kind is Kind.ROLL:
            return
        for view in reveal.places:
            for patch, said in _answered(view, self._patches.get(view.name, ())):
                others = tuple(t for t in self._things if not _same_place(t.patch, patch))
                learnt = () if said is Said.DIE else (StillThing(patch, said, learnt_in),)
                self._things = (*others, *learnt)[-MAX_THINGS:]


class _LiesStill:
    """What earlier rounds tell of a place in one picture; each patch is compared with it once."""

    def __init__(self, known: Iterable[StillThing], image_bgr: Image, empty: Image | None) -> None:
        self._known, self._image, self._empty = tuple(known), image_bgr, empty
        self._unchanged = cache(lambda patch: is_unchanged(patch, image_bgr))

    def __call__(self, location: Location) -> Said | None:
        here = (t for t in self._known if t.patch.covers(location.x, location.y, location.size))
        said = {thing.said for thing in here if self._unchanged(thing.patch)}
        if Said.NO_DIE not in said and self._was_empty(location):
            return Said.EMPTY
        return min(said, default=None)

    def _was_empty(self, location: Location) -> bool:
        """Whether the empty table looked like this, where it is known."""
        if self._empty is None:
            return False
        return is_unchanged(patch_of(self._empty, location.x, location.y, location.size), self._small)

    @cached_property
    def _small(self) -> Image:
        """The picture as grey and as small as that of the empty table."""
        assert self._empty is not None
        height, width = self._empty.shape[:2]
        small = cv2.resize(self._image, (width, height), interpolation=cv2.INTER_AREA)
        return np.asarray(cv2.cvtColor(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR), np.uint8)


def _undone(thing: StillThing, here: Round) -> bool:
    """Whether the table has gone back to the round in which the thing was learnt, or before it."""
    return thing.round.game == here.game and here.number <= thing.round.number


def _answered(view: PlaceView, patches: tuple[Patch, ...]) -> Iterator[tuple[Patch, Said]]:
    """The patches of a place's newest picture of which its round decided whether it is a die."""
    for location, said in things(view):
        near = min(patches, key=lambda patch: _apart(patch, location), default=None)
        if near is not None and _apart(near, location) < location.size / 4:
            yield near, said


def _apart(patch: Patch, location: Location) -> float:
    return max(abs(patch.x - location.x), abs(patch.y - location.y))


def _same_place(one: Patch, other: Patch) -> bool:
    return one.covers(other.x, other.y, other.size) and other.covers(one.x, one.y, one.size)


SETTLING_PREVIEWS = 10
"""So many frames the automatics have to settle, and so many unfit ones are no lamp that goes on just now."""


class ExposureLock:
    """Keeps exposure and colours from reveal to reveal of a game, as long as pictures bear them out: the
    ring goes on for each, and automatics would settle anew for a second. One thread uses it; any releases."""

    def __init__(self, camera: Camera) -> None:
        self._camera = camera
        self._kept: Floats | None = None
        self._newest: Floats | None = None
        self._unfit = 0

    def lock(self) -> None:
        """Keep exposure and colours as they were in the newest picture, where there is one: hands would move
        automatics. Raises HardwareError."""
        if self._kept is None and self._newest is not None:
            self._camera.lock_exposure()
            self._kept = self._newest

    def fits(self, image_bgr: Image) -> bool:
        """Whether a picture, (height, width, 3) uint8, was taken in the light of the lock. If not, that is
        released, and the next picture is of automatics that have settled. Raises HardwareError."""
        newest = light(image_bgr)
        if self._kept is None or is_same_light(self._kept, newest):
            self._newest = newest
            return True
        self.release()
        for _ in range(SETTLING_PREVIEWS):
            self._camera.preview()
        return False

    def heed(self, unfit: bool) -> None:
        """One more preview: what stays too dark or too bright is in other light than that of the lock."""
        self._unfit = self._unfit + 1 if unfit else 0
        if self._unfit >= SETTLING_PREVIEWS:
            self.release()

    def release(self) -> None:
        """Automatics again; a camera that fails here begins anew when it is used."""
        kept, self._kept, self._newest = self._kept, None, None
        if kept is not None:
            with suppress(HardwareError):
                self._camera.unlock_exposure()
