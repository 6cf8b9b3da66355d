"""Loading photographs: every kind of bad input gives a picture or one clear sentence."""

import os
import struct
import zlib
from concurrent.futures import ThreadPoolExecutor

import cv2
import numpy as np
import pytest

from tests.vision.pictures import Image, all_faces, draw
from vision.picture import photos
from vision.picture.photos import PhotoError, decode, load

PICTURE = draw(all_faces())


def jpeg(image: Image = PICTURE) -> bytes:
    return bytes(cv2.imencode(".jpg", image)[1])


def png(image: Image = PICTURE) -> bytes:
    return bytes(cv2.imencode(".png", image)[1])


def turned_by_exif(data: bytes, orientation: int) -> bytes:
    """The JPEG with an EXIF segment that holds nothing but the orientation."""
    tiff = (
        b"II*\x00\x08\x00\x00\x00\x01\x00" + struct.pack("<HHIHH", 0x0112, 3, 1, orientation, 0) + b"\x00" * 4
    )
    body = b"Exif\x00\x00" + tiff
    return data[:2] + b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body + data[2:]


def hollow_png(width: int, height: int) -> bytes:
    """A PNG of black pixels, tiny as a file and large in memory."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = zlib.compress(bytes((width + 1) * height), 1)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def spoiled(data: bytes) -> bytes:
    """A few bytes in the middle are others."""
    middle = len(data) // 2
    return data[:middle] + b"\x00\xff\xd4\x55" * 8 + data[middle + 32 :]


def outcome(data: bytes) -> str:
    try:
        return f"{decode(data).shape}"
    except PhotoError as error:
        return str(error)


@pytest.mark.parametrize(
    ("data", "sentence", "reason"),
    [
        (spoiled(png()), "damaged", "libpng writes of a wrong sum"),
        (spoiled(jpeg()), "(480, 640, 3)", "libjpeg writes of odd data, and shows what it can"),
        (b"\xff\xd8" + b"\xff\xda\x00\x02" + b"junk" * 40 + b"\xff\xd9", "damaged", "libjpeg gives up"),
    ],
)
def test_decoders_write_nothing_of_their_own(data, sentence, reason, capfd):
    with ThreadPoolExecutor(4) as workers:
        assert all(sentence in text for text in workers.map(outcome, [data] * 8))
    os.write(photos.STDERR, b"heard")
    assert capfd.readouterr() == ("", "heard"), reason


def test_a_picture_is_read_where_no_error_can_be_written(monkeypatch):
    monkeypatch.setattr(photos, "STDERR", 1_000_000)
    assert decode(png()).shape == PICTURE.shape


@pytest.mark.parametrize(
    ("orientation", "turn"),
    [(1, None), (3, cv2.ROTATE_180), (6, cv2.ROTATE_90_CLOCKWISE), (8, cv2.ROTATE_90_COUNTERCLOCKWISE)],
)
def test_exif_orientation_is_applied(orientation, turn):
    upright = decode(jpeg())
    expected = upright if turn is None else cv2.rotate(upright, turn)
    assert np.abs(decode(turned_by_exif(jpeg(), orientation)).astype(int) - expected).mean() < 2


def test_huge_pictures_are_shrunk_while_decoding():
    image = decode(hollow_png(7000, 7000))
    assert image.shape[0] * image.shape[1] <= photos.MAX_PIXELS


def test_a_huge_jpeg_is_shrunk_by_what_it_needs():
    data = bytes(cv2.imencode(".jpg", np.full((9000, 12000), 90, np.uint8))[1])
    assert decode(data).shape == (2250, 3000, 3)


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda folder: folder / "none.jpg", "does not exist"),
        (lambda folder: folder, "folder"),
    ],
)
def test_files_that_cannot_be_opened(make, sentence, tmp_path):
    with pytest.raises(PhotoError, match=sentence):
        load(make(tmp_path))


def test_a_file_too_large_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(photos, "MAX_BYTES", 10)
    (tmp_path / "a.png").write_bytes(png())
    with pytest.raises(PhotoError, match="smaller"):
        load(tmp_path / "a.png")
