"""HEIC pictures: read where the extra is installed, a sentence where it is not or where they are damaged."""

import random
import struct
from pathlib import Path

import numpy as np
import pytest

from companion.app.camera.phone_pictures import check_picture
from companion.errors import BadCommand
from tests.vision.pictures import all_faces, draw
from vision.picture import headers
from vision.picture.headers import header_of
from vision.picture.photos import PhotoError, decode
from vision.read import read

FOLDER = Path(__file__).parent
SIX_DICE = (FOLDER / "six_dice.heic").read_bytes()
"""`draw(all_faces())`, encoded by libheif with quality 50."""

TURNED = (FOLDER / "turned.heic").read_bytes()
"""96 x 64 pixels, the left half blue and the right half red, to be turned a quarter clockwise."""


def with_brands(major: bytes, *more: bytes) -> bytes:
    """The beginning of a file in boxes."""
    box = b"ftyp" + major + b"\0\0\0\0" + b"".join(more)
    return struct.pack(">I", len(box) + 4) + box + b"\0" * 40


@pytest.mark.parametrize(
    ("data", "known", "reason"),
    [
        (SIX_DICE, True, "a whole picture"),
        (with_brands(b"heic"), True, "still, 8 bits"),
        (with_brands(b"heix"), True, "still, 10 bits"),
        (with_brands(b"mif1", b"miaf", b"heic"), True, "any still picture, coded by HEVC"),
        (with_brands(b"mif1", b"avif"), False, "any still picture, coded by AV1"),
        (with_brands(b"msf1", b"hevc"), False, "a sequence of pictures"),
        (with_brands(b"isom", b"mp42"), False, "a video"),
    ],
)
def test_the_kind_is_known_by_its_brands(data, known, reason):
    assert (header_of(data) is not None) == known, reason


def test_the_size_is_the_largest_that_is_named():
    tile = b"\0\0\0\x14ispe\0\0\0\0" + struct.pack(">II", 512, 512)
    whole = b"\0\0\0\x14ispe\0\0\0\0" + struct.pack(">II", 4032, 3024)
    named = [header_of(data) for data in (SIX_DICE, with_brands(b"heic") + tile + whole + tile)]
    assert [(header.width, header.height) for header in named] == [(640, 480), (4032, 3024)]


def test_one_that_is_too_large_is_refused_before_it_is_decoded():
    pytest.importorskip("pi_heif", reason="the extra heic is not installed")
    bomb = with_brands(b"heic") + b"\0\0\0\x14ispe\0\0\0\0" + struct.pack(">II", 20_000, 10_000)
    with pytest.raises(BadCommand, match="20000 x 10000 pixels"):
        check_picture(bomb)
    with pytest.raises(PhotoError, match="20000 x 10000 pixels"):
        decode(bomb)


def test_without_the_extra_it_is_one_sentence(monkeypatch):
    monkeypatch.setattr(headers.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(BadCommand, match="The picture is HEIC"):
        check_picture(SIX_DICE)
    with pytest.raises(PhotoError, match=r"dice\.heic is HEIC: use JPEG or PNG, or install the extra heic"):
        decode(SIX_DICE, "dice.heic")


def test_its_dice_are_read_as_of_any_picture():
    pytest.importorskip("pi_heif", reason="the extra heic is not installed")
    check_picture(SIX_DICE)
    faces = [die.face for die in read(decode(SIX_DICE)).dice]
    assert sorted(faces) == sorted(die.face for die in read(draw(all_faces())).dice)


def test_it_is_turned_and_made_smaller():
    pytest.importorskip("pi_heif", reason="the extra heic is not installed")
    picture = decode(TURNED)
    assert picture.shape == (96, 64, 3)
    assert np.abs(picture[10, 32].astype(int) - (255, 0, 0)).max() < 20
    assert np.abs(picture[-10, 32].astype(int) - (0, 0, 255)).max() < 20
    assert decode(TURNED, max_pixels=96 * 64 // 4).shape == (48, 32, 3)


def test_a_damaged_one_is_a_picture_or_one_sentence():
    pytest.importorskip("pi_heif", reason="the extra heic is not installed")
    draws = random.Random(5)
    sentences = 0
    for _ in range(200):
        data = bytearray(SIX_DICE[: draws.choice((len(SIX_DICE), draws.randrange(64, len(SIX_DICE))))])
        for _ in range(draws.randrange(4)):
            data[draws.randrange(8, min(len(data), 600))] = draws.randrange(256)
        try:
            assert decode(bytes(data)).shape[2] == 3
        except PhotoError:
            sentences += 1
    assert sentences > 50
