"""The folder of pictures as a camera."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware import errors
from hardware.cameras.folder import FolderCamera


def grey(folder: Path, name: str, level: int) -> Path:
    path = folder / name
    cv2.imwrite(str(path), np.full((30, 40, 3), level, dtype=np.uint8))
    return path


def levels(camera: FolderCamera, count: int) -> list[int]:
    return [int(camera.capture().image_bgr[0, 0, 0]) for _ in range(count)]


def test_pictures_come_in_order_of_their_names(tmp_path, clock):
    for name, level in (("b.png", 2), ("c.PNG", 3), ("a.png", 1)):
        grey(tmp_path, name, level)
    (tmp_path / "notes.txt").write_text("no picture")
    assert levels(FolderCamera(tmp_path, clock), 5) == [1, 2, 3, 1, 2]


def test_a_picture_dropped_in_is_seen_and_one_taken_away_is_skipped(tmp_path, clock):
    grey(tmp_path, "a.png", 1)
    second = grey(tmp_path, "b.png", 2)
    camera = FolderCamera(tmp_path, clock)
    assert levels(camera, 1) == [1]
    second.unlink()
    grey(tmp_path, "c.png", 3)
    assert levels(camera, 2) == [3, 1]


def test_the_preview_shows_the_last_still_and_does_not_move_on(tmp_path, clock):
    grey(tmp_path, "a.png", 1)
    grey(tmp_path, "b.png", 2)
    camera = FolderCamera(tmp_path, clock)
    assert [int(camera.preview().image_bgr[0, 0, 0]) for _ in range(2)] == [1, 1]
    assert levels(camera, 1) == [1]
    assert int(camera.preview().image_bgr[0, 0, 0]) == 1
    assert levels(camera, 1) == [2]


@pytest.mark.parametrize("content", [b"", b"not a picture", b"\xff\xd8\xff\xe0 torn"])
def test_an_unreadable_file_is_named_and_the_next_is_read(tmp_path, clock, content):
    (tmp_path / "a.jpg").write_bytes(content)
    grey(tmp_path, "b.png", 2)
    camera = FolderCamera(tmp_path, clock)
    with pytest.raises(errors.PictureUnreadable, match=r"a\.jpg"):
        camera.capture()
    assert isinstance(camera.fault, errors.PictureUnreadable)
    assert levels(camera, 1) == [2]
    assert camera.fault is None


def test_a_huge_file_is_refused_unread(tmp_path, clock):
    with (tmp_path / "a.jpg").open("wb") as file:
        file.truncate(90_000_000)
    with pytest.raises(errors.PictureUnreadable, match="larger than 80 MB"):
        FolderCamera(tmp_path, clock).capture()


@pytest.mark.parametrize(("make", "words"), [(True, "has no pictures"), (False, "There is no folder")])
def test_a_folder_without_pictures(tmp_path, clock, make, words):
    folder = tmp_path / "pictures"
    if make:
        folder.mkdir()
    with pytest.raises(errors.CameraMissing, match=words):
        FolderCamera(folder, clock).preview()
