"""The shipped model and the way from its maps to detections."""

import math
from pathlib import Path

import numpy as np
import pytest

from hardware.cameras.simulated_dice import laid
from vision.learned import net
from vision.learned.maps import Detection, decode, merged
from vision.learned.runtimes import Ncnn, OpenCv

pytestmark = pytest.mark.slow

REFERENCE = Path(__file__).parent / "net_reference.npz"


@pytest.fixture(scope="module", params=(Ncnn, OpenCv), ids=lambda kind: kind.name)
def model(request):
    if request.param is Ncnn:
        pytest.importorskip("ncnn", reason="this machine has no ncnn")
    return net.Net(request.param(net.MODEL))


def test_it_answers_as_the_training_framework_did(model):
    with np.load(REFERENCE) as wanted:
        maps = model.run(wanted["image"], "faces", "features")
        np.testing.assert_allclose(maps["faces"], wanted["faces"], atol=2e-3)
        np.testing.assert_allclose(maps["features"], wanted["features"], atol=2e-2, rtol=2e-3)


def test_a_map_is_the_same_without_those_that_come_after_it(model):
    with np.load(REFERENCE) as wanted:
        image = wanted["image"]
    whole, first = model.run(image, "faces", "features"), model.run(image, "faces")
    assert list(first) == ["faces"]
    np.testing.assert_array_equal(first["faces"], whole["faces"])


def test_a_net_that_has_let_go_answers_as_before(model):
    with np.load(REFERENCE) as wanted:
        image = wanted["image"]
    before = model.faces(image)
    model.let_go()
    np.testing.assert_array_equal(model.faces(image), before)


def test_dice_of_an_easy_scene_are_seen_with_their_faces():
    picture = laid([(face, "ivory") for face in range(1, 7)], 3, width_px=960, height_px=720)
    seen = [s for s in net.detections(picture.image_bgr) if s.score > 0.4]
    for die in picture.dice:
        nearest = min(seen, key=lambda s: np.hypot(s.x_px - die.x_px, s.y_px - die.y_px))
        assert np.hypot(nearest.x_px - die.x_px, nearest.y_px - die.y_px) < 0.2 * die.size_px
        assert nearest.face == die.face
        assert nearest.size_px == pytest.approx(die.size_px, rel=0.2)


def test_a_very_large_die_is_seen_in_a_very_small_picture():
    picture = laid([(face, "ivory") for face in range(1, 7)], 3, width_px=960, height_px=720)
    die = picture.dice[0]
    half = round(1.4 * die.size_px)
    x, y = round(die.x_px), round(die.y_px)
    near = picture.image_bgr[max(0, y - half) : y + half, max(0, x - half) : x + half]
    best = max(net.on_levels(near, net.LEVELS_PX[:1])[0], key=lambda s: s.evidence)
    assert best.face == die.face
    assert best.size_px == pytest.approx(die.size_px, rel=0.2)


@pytest.mark.parametrize(
    ("longest_px", "size_px", "level_px", "reason"),
    [
        (1600, 2 * net.FACE_PX, 800, "half as large"),
        (1600, 50.0, 960, "a finer level shows them 26 px wide, and this one wider"),
        (1600, net.SMALL_FACE_PX, 1600, "small dice in a large picture: as large as it is"),
        (1600, 4.0, 1600, "no picture is enlarged without bounds"),
        (640, 4.0, 960, "nor a small one"),
        (4608, 4.0, 1920, "nor does a large one take for ever"),
    ],
)
def test_a_size_is_seen_best_on_one_level(longest_px, size_px, level_px, reason):
    assert net.best_level_px(np.zeros((480, longest_px, 3), np.uint8), size_px) == level_px, reason


@pytest.mark.parametrize("shape", [(16, 16), (17, 33), (1, 1)])
def test_pictures_are_filled_up_to_whole_cells(shape):
    filled = net.padded(np.full((*shape, 3), 7, np.uint8))
    assert filled.shape[0] % net.MULTIPLE == filled.shape[1] % net.MULTIPLE == 0
    assert (filled == 7).all()


@pytest.mark.parametrize(
    ("damaged", "runtime", "reason"),
    [
        ([], "ncnn", "the quicker where both can"),
        ([".param"], "OpenCV", "no graph for the quicker"),
        ([".bin"], "OpenCV", "no weights for the quicker"),
        ([".onnx"], "ncnn", "the quicker does not need it"),
    ],
)
def test_a_model_is_run_by_the_quickest_that_can(damaged, runtime, reason, tmp_path):
    pytest.importorskip("ncnn", reason="this machine has no ncnn")
    for ending in (".param", ".bin", ".onnx"):
        data = net.MODEL.with_suffix(ending).read_bytes()
        (tmp_path / f"dice{ending}").write_bytes(data[: len(data) // 2] if ending in damaged else data)
    assert net.load(tmp_path / "dice.onnx").runtime.name == runtime, reason


def test_a_missing_model_is_reported_in_a_sentence(tmp_path):
    (tmp_path / "none.onnx").write_bytes(b"no model")
    with pytest.raises(net.ModelMissing, match="install the project again"):
        net.load(tmp_path / "none.onnx")


def maps(cells: list[tuple[int, int, int]]) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    """Maps of 10 by 10 cells with dice (row, column, face) of 40 px in the middles of their cells."""
    out = np.zeros((13, 10, 10), np.float32)
    out[0] = -9
    for row, col, face in cells:
        out[0, row, col] = 4
        out[1 + face, row, col] = 8
        out[10, row, col] = np.log(40 / 32)
    return out


def test_peaks_become_detections_in_pixels_of_the_picture():
    (detection,) = decode(maps([(2, 3, 5)]), (80, 80), zoom=2.0)
    assert (detection.x_px, detection.y_px) == (3.5 * 8 * 2, 2.5 * 8 * 2)
    assert detection.size_px == pytest.approx(80)
    assert detection.face == 5
    assert detection.score > 0.95


def test_detections_in_the_filled_border_are_dropped():
    assert decode(maps([(9, 9, 1)]), (70, 70), zoom=1.0) == []


def detection(x: float, score: float, size: float = 40.0, face: int = 3) -> Detection:
    faces = [0.0] * 7
    faces[face] = 1.0
    return Detection(x, 50.0, size, 0.0, score, tuple(faces))


@pytest.mark.parametrize(
    ("pair", "kept", "reason"),
    [
        ((detection(50, 0.9), detection(60, 0.5)), [0], "the same die, seen by two cells"),
        ((detection(50, 0.9), detection(90, 0.5)), [0, 1], "two dice that touch"),
        ((detection(50, 0.9), detection(75, 0.9, 20)), [0, 1], "a small die beside a large one"),
        ((detection(50, 0.9), detection(58, 0.8, 20)), [0], "a corner of the same die"),
        ((detection(50, 0.8, 160), detection(90, 0.7, 24, 1)), [0], "a pip of a clear large die"),
        ((detection(50, 0.7, 160), detection(90, 0.8, 24)), [1], "clear dice look like a large one"),
        ((detection(50, 0.4, 160), detection(90, 0.3, 24)), [0, 1], "a dim large one hides none"),
        ((detection(50, 0.4, 40), detection(62, 0.3, 34)), [0], "dim, but of about one size"),
    ],
)
def test_each_die_is_one_detection(pair, kept, reason):
    assert set(merged(pair)) == {pair[k] for k in kept}, reason


@pytest.mark.parametrize("size_px", [(1280, 544), (992, 736), (544, 1280), (1280, 992)], ids=str)
def test_a_picture_in_pieces_shows_the_dice_of_the_whole(size_px):
    picture = laid([(1 + k % 6, "ivory") for k in range(20)], 5, width_px=640, height_px=480).image_bgr
    image = np.tile(picture, (2, 2, 1))[: size_px[1], : size_px[0]]
    shape = (image.shape[0], image.shape[1])
    whole, pieces = (
        decode(maps, shape, 1.0)
        for maps in (net.load().run(image, "faces")["faces"], net.load().faces(image))
    )
    clear = [found for found in whole if found.clear]
    assert len(clear) > 20
    for one in clear:
        other = min(pieces, key=lambda found: math.hypot(one.x_px - found.x_px, one.y_px - found.y_px))
        assert math.hypot(one.x_px - other.x_px, one.y_px - other.y_px) < 1.5
        assert other.face == one.face
        assert other.score == pytest.approx(one.score, abs=0.1)
