"""What is written about photographs never takes the place of one, and what cannot be written is told."""

import cv2
import numpy as np
import pytest

from vision.picture.writing import LONGEST_PX, Names, PictureTooLong, WritingError, make_folder, write

JPEG = (".jpg",)
TWO = ("-1.jpg", "-2.jpg")


@pytest.mark.parametrize(
    ("photos", "asked", "given", "reason"),
    [
        (["a/x.jpg"], [("out", "x", JPEG)], ["x"], "elsewhere the name stays"),
        (["a/x.jpg"], [("a", "x", JPEG)], ["x-seen"], "the photograph's own folder"),
        (["a/x.png"], [("a", "x", JPEG)], ["x-seen"], "an x.jpg that was not read may lie there"),
        (["a/x.jpg"], [("a/../a", "x", JPEG)], ["x-seen"], "the same folder in other words"),
        (["a/x.jpg", "b/x.jpg"], [("out", "x", JPEG)] * 2, ["x", "x-2"], "equal names"),
        (["a/x.jpg"] * 3, [("out", "x", JPEG)] * 3, ["x", "x-2", "x-3"], "one photograph three times"),
        (["a/x.jpg", "b/X.jpg"], [("out", "x", JPEG), ("out", "X", JPEG)], ["x", "X-2"], "small and large"),
        (["a/x.jpg", "b/x.jpg"], [("out", "x", JPEG), ("more", "x", JPEG)], ["x", "x"], "two folders"),
        (["a/x.jpg", "a/x-seen.jpg"], [("a", "x", JPEG)], ["x-seen-2"], "what was written before is read"),
        (["a/x.jpg", "link.jpg"], [(".", "x", JPEG)], ["x-seen"], "a link beside it"),
        (["link.jpg"], [("a", "x", JPEG)], ["x-seen"], "a link that leads into the folder"),
        (["hard.jpg"], [("a", "x", JPEG)], ["x-2"], "another name of the very file"),
        (["b/x.jpg"], [("out", "x", TWO), ("out", "x-1", JPEG)], ["x", "x-1-2"], "two, then a like name"),
        (["b/x.jpg"], [("out", "x-2", JPEG), ("out", "x", TWO)], ["x-2", "x-2"], "any of the endings"),
        (["none.jpg"], [("out", "none", JPEG)], ["none"], "a photograph that is not there"),
    ],
)
def test_names_are_free(photos, asked, given, reason, tmp_path):
    for name in ("a/x.jpg", "a/x.png", "a/x-seen.jpg", "b/x.jpg", "b/X.jpg", "out/other.jpg"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "link.jpg").symlink_to(tmp_path / "a" / "x.jpg")
    (tmp_path / "hard.jpg").hardlink_to(tmp_path / "a" / "x.jpg")
    names = Names([tmp_path / photo for photo in photos])
    assert [names.claim(tmp_path / folder, stem, ends) for folder, stem, ends in asked] == given, reason


@pytest.mark.parametrize(
    ("place", "words", "reason"),
    [
        ("none/x.jpg", "No such file", "no folder"),
        ("file/x.jpg", "Not a directory", "a file in place of the folder"),
        ("folder", "Is a directory", "a folder in place of the picture"),
        ("/proc/x.jpg", "cannot be written", "a folder of the kernel's"),
    ],
)
def test_what_cannot_be_written_is_reported_with_the_hint(place, words, reason, tmp_path):
    (tmp_path / "file").touch()
    (tmp_path / "folder").mkdir()
    with pytest.raises(WritingError, match=f"{words}.*: name another folder, or make room.$") as error:
        write(tmp_path / place, np.zeros((4, 4, 3), np.uint8))
    assert str(error.value).startswith(str(tmp_path / place)), reason


def test_a_picture_too_long_for_a_jpeg_is_reported(tmp_path):
    write(tmp_path / "fits.jpg", np.zeros((1, LONGEST_PX, 3), np.uint8))
    assert cv2.imread(str(tmp_path / "fits.jpg")).shape == (1, LONGEST_PX, 3)
    with pytest.raises(PictureTooLong, match="65501 x 1 pixels, more than a JPEG holds: cut it"):
        write(tmp_path / "long.jpg", np.zeros((1, LONGEST_PX + 1, 3), np.uint8))


def test_a_folder_that_cannot_be_made_is_reported(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(WritingError, match=r"file cannot be made .*: name another folder"):
        make_folder(tmp_path / "file")
    make_folder(tmp_path / "new" / "one")
    assert (tmp_path / "new" / "one").is_dir()
