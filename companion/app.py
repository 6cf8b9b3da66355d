"""The wiring: the one module that knows every room."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any


def read_photos(
    photos: Sequence[Path],
    *,
    expect: int | None = None,
    reader: str = "both",
    annotate_to: Path | None = None,
    stages_to: Path | None = None,
) -> Iterator[dict[str, Any]]:
    """One object of the `dudo read --json` contract per photograph, in order; {"file", "error"} where it
    cannot be read. Writes annotated and stage pictures into the folders named."""
    import cv2

    cv2.setNumThreads(1)  # small pictures read faster on one thread, and the rest of the box keeps its cores
    for photo in photos:
        yield _read_photo(photo, expect, reader, annotate_to, stages_to)


def _read_photo(
    photo: Path, expect: int | None, reader: str, annotate_to: Path | None, stages_to: Path | None
) -> dict[str, Any]:
    """The object of one photograph."""
    import cv2

    from vision.annotate import annotate
    from vision.contract import to_json
    from vision.photos import PhotoError, load
    from vision.read import read

    start = time.perf_counter()
    try:
        image = load(photo)
    except PhotoError as error:
        return {"file": str(photo), "error": str(error)}
    loaded = time.perf_counter()
    reading = read(image, expect=expect, reader=reader)
    done = time.perf_counter()
    if annotate_to:
        cv2.imwrite(str(annotate_to / f"{photo.stem}.jpg"), annotate(image, reading))
    if stages_to:
        from vision.stages import write_stages

        write_stages(image, stages_to, photo.stem)
    return to_json(reading, str(photo), {"decode": 1000 * (loaded - start), "read": 1000 * (done - loaded)})


def render_scenes(
    folder: Path,
    count: int,
    *,
    seed: int = 0,
    difficulty: str = "normal",
    style: str = "any",
    dice: tuple[int, int] | None = None,
    size_px: tuple[int, int] = (1280, 960),
) -> Iterator[str]:
    """Write drawn, labelled pictures into a folder; yields each picture's name. Raises ValueError with a
    sentence for what cannot be drawn."""
    import cv2

    from vision.scenes.folder import write

    cv2.setNumThreads(1)
    yield from write(
        folder,
        count,
        seed=seed,
        difficulty=difficulty,
        style=style,
        dice=dice,
        width_px=size_px[0],
        height_px=size_px[1],
    )
