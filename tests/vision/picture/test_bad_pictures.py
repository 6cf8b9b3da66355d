"""Every odd or broken file gives a reading or one clear sentence, on the command line too."""

import json
import struct
from collections.abc import Iterator

import cv2
import numpy as np
import pytest

from companion.__main__ import main
from tests.vision.picture.test_photos import hollow_png, jpeg, png, turned_by_exif
from tests.vision.pictures import Drawn, Image, all_faces, draw
from vision.picture.photos import decode
from vision.read import read

pytestmark = pytest.mark.slow

PICTURE = draw(all_faces())
FIVE = draw([Drawn(5, 80, 60, 60)], size=(160, 120))


def encoded(form: str, image: Image = PICTURE, *options: int) -> bytes:
    return bytes(cv2.imencode(form, image, list(options))[1])


def bits_of(blocks: Image) -> Iterator[str]:
    """Baseline Huffman code of flat 8 x 8 blocks: the step of each channel's mean, then an end of block."""
    before = np.zeros(blocks.shape[-1], int)
    for block in blocks.reshape(-1, blocks.shape[-1]):
        for step in 8 * (block.astype(int) - 128) - before:
            size = int(abs(step)).bit_length()
            low = step if step > 0 else step + (1 << size) - 1
            yield f"{size:04b}" + (f"{low:0{size}b}" if size else "") + "0"
        before = 8 * (block.astype(int) - 128)


def cmyk_jpeg(blocks: Image) -> bytes:
    """A JPEG of cyan, magenta, yellow and black as print shops make them, one flat block for each pixel."""

    def segment(marker: int, body: bytes) -> bytes:
        return struct.pack(">BBH", 0xFF, marker, len(body) + 2) + body

    inks = np.dstack([blocks[..., ::-1], np.full(blocks.shape[:2], 255, np.uint8)])  # stored inverted
    code = "".join(bits_of(inks))
    code += "1" * (-len(code) % 8)
    scan = int(code, 2).to_bytes(len(code) // 8, "big").replace(b"\xff", b"\xff\x00")
    high, wide = (8 * side for side in blocks.shape[:2])
    parts = "".join(f"{k:02x}1100" for k in range(1, 5))
    return b"".join(
        [
            b"\xff\xd8",
            segment(0xEE, b"Adobe\x00\x64\x00\x00\x00\x00\x00"),
            segment(0xDB, bytes([0] + [1] * 64)),
            segment(0xC0, struct.pack(">BHHB", 8, high, wide, 4) + bytes.fromhex(parts)),
            segment(0xC4, bytes([0x00, 0, 0, 0, 12, *[0] * 12, *range(12)])),
            segment(0xC4, bytes([0x10, 1, *[0] * 15, 0])),
            segment(0xDA, bytes.fromhex("040100020003000400003f00")),
            scan,
            b"\xff\xd9",
        ]
    )


def torn(picture: Image) -> Image:
    """A frame of which the lower half was never delivered."""
    return np.concatenate([picture[:240], np.full_like(picture[240:], 128)])


def cut_scan(data: bytes) -> bytes:
    """A frame whose data stop half way, with the end put back on by the driver."""
    return data[: len(data) // 2] + b"\xff\xd9"


ODD = [
    ("grey JPEG", lambda: encoded(".jpg", cv2.cvtColor(PICTURE, cv2.COLOR_BGR2GRAY)), 6),
    ("progressive JPEG", lambda: encoded(".jpg", PICTURE, cv2.IMWRITE_JPEG_PROGRESSIVE, 1), 6),
    ("CMYK JPEG", lambda: cmyk_jpeg(FIVE), 1),
    ("JPEG lying on its side", lambda: turned_by_exif(jpeg(), 6), 6),
    ("JPEG mirrored by its EXIF", lambda: turned_by_exif(jpeg(), 5), 6),
    ("16-bit PNG", lambda: png(PICTURE.astype(np.uint16) * 257), 6),
    ("RGBA PNG", lambda: png(np.dstack([PICTURE, np.full(PICTURE.shape[:2], 200, np.uint8)])), 6),
    ("WebP", lambda: encoded(".webp", PICTURE, cv2.IMWRITE_WEBP_QUALITY, 90), 6),
    ("lossless WebP", lambda: encoded(".webp", PICTURE, cv2.IMWRITE_WEBP_QUALITY, 101), 6),
    ("grey PNG", lambda: png(cv2.cvtColor(PICTURE, cv2.COLOR_BGR2GRAY)), 6),
    ("1 x 1", lambda: png(PICTURE[:1, :1]), 0),
    ("a column", lambda: png(PICTURE[:, :3]), 0),
    ("100 megapixels", lambda: encoded(".jpg", np.full((10_000, 10_000), 90, np.uint8)), 0),
    ("a long thin strip", lambda: png(np.full((50, 9000, 3), 90, np.uint8)), 0),
]
TORN = [
    ("half a frame", lambda: jpeg(torn(PICTURE))),
    ("half a scan", lambda: cut_scan(jpeg())),
]
BROKEN = [
    ("empty", lambda: b"", "is empty"),
    ("text named .jpg", lambda: b"the dice lay so nicely\n" * 9, "is not a picture"),
    ("half a JPEG", lambda: jpeg()[: len(jpeg()) // 2], "is cut off"),
    (
        "half a progressive JPEG",
        lambda: encoded(".jpg", PICTURE, cv2.IMWRITE_JPEG_PROGRESSIVE, 1)[:9000],
        "is cut off",
    ),
    ("half a PNG", lambda: png()[: len(png()) // 2], "is cut off"),
    ("half a WebP", lambda: encoded(".webp")[:20_000], "is a damaged picture"),
    ("a JPEG's first bytes", lambda: b"\xff\xd8\xff", "is cut off"),
    (
        "a JPEG of junk",
        lambda: b"\xff\xd8\xff\xda\x00\x02" + b"junk" * 40 + b"\xff\xd9",
        "is a damaged picture",
    ),
    ("a PNG of junk", lambda: hollow_png(3000, 2)[:28] + b"IEND", "is a damaged picture"),
    ("only a WebP's first bytes", lambda: b"RIFF\x00\x00\x00\x00WEBPVP8 ", "is cut off"),
    ("100 megapixels that cannot be shrunk", lambda: hollow_png(10_000, 10_000), "has 10000 x 10000 pixels"),
    ("BMP", lambda: encoded(".bmp"), "is not a picture"),
]


@pytest.mark.parametrize(("reason", "data", "dice"), ODD, ids=[o[0] for o in ODD])
def test_odd_pictures_are_read(reason, data, dice, tmp_path, capfd):
    (tmp_path / "table.jpg").write_bytes(data())
    assert main(["read", "--json", "--reader", "pips", str(tmp_path / "table.jpg")]) == 0
    said = capfd.readouterr()
    assert len(json.loads(said.out)["dice"]) == dice
    assert said.err == ""


@pytest.mark.parametrize(("reason", "data", "sentence"), BROKEN, ids=[b[0] for b in BROKEN])
def test_broken_files_are_reported_in_one_sentence(reason, data, sentence, tmp_path, capfd):
    path = tmp_path / "table.jpg"
    path.write_bytes(data())
    assert main(["read", str(path)]) == 1
    said = capfd.readouterr()
    assert said.out == ""
    assert said.err.startswith(f"dudo read: {path} {sentence}")
    assert said.err.count("\n") == 1
    assert said.err.endswith(".\n")


@pytest.mark.usefixtures("detected_once")
@pytest.mark.parametrize("reader", ["pips", "net", "both"])
@pytest.mark.parametrize(("reason", "data"), TORN, ids=[t[0] for t in TORN])
def test_torn_frames_are_never_certain(reason, data, reader):
    assert not read(decode(data()), reader=reader).certain


def test_the_others_are_read_when_one_cannot_be(tmp_path, capsys):
    paths = [tmp_path / name for name in ("a.jpg", "b.jpg", "c.jpg")]
    for path, data in zip(paths, (jpeg(), b"", jpeg()), strict=True):
        path.write_bytes(data)
    assert main(["read", "--json", "--reader", "pips", *map(str, paths)]) == 1
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["file"] for row in rows] == list(map(str, paths))
    assert ["error" in row for row in rows] == [False, True, False]
