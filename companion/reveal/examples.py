"""Corrected dice as labelled pictures: what the reader got wrong on this table.

An `Example` labels every die of one picture: a picture with unlabelled dice would teach a net wrongly.
They are exported as a folder of JPEGs with a `labels.json`. A die has x and y (centre over width and
height), size (top face over width), face, colour, and `ignore` if nobody could read it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Protocol

from msgspec import convert

from companion.errors import StorageError
from companion.json_types import Body
from companion.reveal.corrections import Add
from companion.reveal.merging import PlaceView
from companion.reveal.owners import plain
from companion.reveal.revealed import RevealedDie, revealed
from companion.reveal.state import RevealState
from companion.reveal.tracks import Track


@dataclass(frozen=True, slots=True)
class Label:
    """One die of an example; `read` is what the reader had said where a person said otherwise."""

    x: float
    y: float
    size: float
    face: int
    colour: str
    ignore: bool = False
    read: int | None = None


@dataclass(frozen=True, slots=True)
class Example:
    """A picture with all its dice. `struck` are places where the reader saw a die that was none."""

    picture: str
    dice: tuple[Label, ...]
    struck: tuple[tuple[float, float], ...] = ()

    def to_json(self) -> dict[str, object]:
        """The example as plain data."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Body) -> Example:
        """The example that `to_json` wrote."""
        return convert(data, cls)


class ExampleStore(Protocol):
    """Where examples and their pictures are kept."""

    def examples(self) -> Iterable[tuple[Example, bytes]]: ...


def examples(state: RevealState) -> tuple[Example, ...]:
    """An example for the newest picture of every place in which a person changed something.

    There is none where a person added a die without saying where it lies: a picture may show it unlabelled.
    """
    if any(isinstance(step, Add) and None in (step.place, step.x, step.y) for step in state.steps):
        return ()
    dice = {die.id: die for die in revealed(state)}
    corrected = (view for view in state.places if view.picture and any(map(_corrected, view.tracks)))
    return tuple(_example(view, dice) for view in corrected)


def _corrected(track: Track) -> bool:
    """Whether a person said something else than the reader."""
    return track.struck or (track.answer is not None and track.answer != track.face)


def _example(view: PlaceView, dice: Mapping[str, RevealedDie]) -> Example:
    shown = [(track, dice[track.id]) for track in view.tracks if _inside(dice[track.id])]
    labels = tuple(_label(track, die) for track, die in shown if not track.struck)
    return Example(view.picture, labels, tuple(_spot(die) for track, die in shown if track.struck))


def _inside(die: RevealedDie) -> bool:
    return all(0 <= at <= 1 for at in _spot(die))


def _spot(die: RevealedDie) -> tuple[float, float]:
    return round(die.x or 0.0, 5), round(die.y or 0.0, 5)


def _label(track: Track, die: RevealedDie) -> Label:
    read = track.face if _corrected(track) else None
    return Label(*_spot(die), round(die.size, 5), die.face, plain(die.colour), not die.certain, read)


def export_examples(store: ExampleStore, directory: Path) -> int:
    """Write every example and `labels.json` into `directory`; returns how many there were.

    Raises StorageError when the folder cannot be written.
    """
    labels = {}
    try:
        directory.mkdir(parents=True, exist_ok=True)
        for example, jpeg in store.examples():
            name = f"{example.picture}.jpg"
            (directory / name).write_bytes(jpeg)
            labels[name] = {"dice": [_entry(label) for label in example.dice]}
        (directory / "labels.json").write_text(json.dumps(labels, indent=1), encoding="utf-8")
    except OSError as error:
        if isinstance(error, StorageError):
            raise
        raise StorageError("folder_forbidden", path=directory) from error
    return len(labels)


def _entry(label: Label) -> dict[str, object]:
    """A die in `labels.json`."""
    entry: dict[str, object] = {"x": label.x, "y": label.y, "size": label.size, "face": label.face}
    if label.colour:
        entry["colour"] = label.colour
    if label.ignore:
        entry["ignore"] = True
    return entry
