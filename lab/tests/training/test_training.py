"""Crops and their truth; what needs torch is left out where it is not installed."""

import json
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from lab.scenes import render, throw
from lab.training import stages
from lab.training.__main__ import main
from lab.training.nets import places
from lab.training.pictures import crops, pool, scened
from lab.training.pictures.crops import IGNORED, OTHER, SIDE_PX, Crop, Mark
from lab.training.pictures.cutting import Label, cut, square
from lab.training.pictures.painted import paint
from lab.training.recipe import Recipe
from vision.learned import net
from vision.learned.classifier import CLASSIFIER_MODEL
from vision.learned.maps import Detection

pytestmark = pytest.mark.slow


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


@pytest.mark.parametrize("seed", range(6))
def test_a_painted_face_has_its_number_of_pips(seed):
    crop = paint(rng(seed))
    assert crop.image_bgr.shape == (SIDE_PX, SIDE_PX, 3)
    assert crop.pips is not None
    assert len(crop.pips) == sum(m.face for m in crop.marks if m.face > 0)


def test_a_seed_paints_the_same_crop():
    one, other = paint(rng(4)), paint(rng(4))
    assert one.marks == other.marks
    np.testing.assert_array_equal(one.image_bgr, other.image_bgr)


@pytest.mark.parametrize("seed", range(6))
def test_painted_pips_lie_in_painted_faces(seed):
    crop = paint(rng(seed))
    assert crop.pips is not None
    for x, y, _ in crop.pips:
        assert min(np.hypot(m.x_px - x, m.y_px - y) / m.size_px for m in crop.marks) < 0.65


def spot_picture() -> tuple[np.ndarray[tuple[int, ...], np.dtype[np.uint8]], Label]:
    """A white square with a dark middle on black, and its label."""
    image = np.zeros((400, 600, 3), np.uint8)
    image[130:190, 270:330] = 255
    image[155:165, 295:305] = 60
    return image, Label((300.0, 160.0), square(300, 160, 60), 3, True, 40.0)


@pytest.mark.parametrize("seed", range(6))
def test_marks_follow_the_picture_into_the_crop(seed):
    image, label = spot_picture()
    crop = cut(rng(seed), image, (label,), np.array([[300.0, 160.0, 5.0]]))
    assert crop.pips is not None
    for mark in crop.marks:
        assert crop.pips[0, :2] == pytest.approx((mark.x_px, mark.y_px), abs=0.5)
        if 25 < mark.x_px < SIDE_PX - 25 and 25 < mark.y_px < SIDE_PX - 25 and mark.size_px > 24:
            around = crop.image_bgr[
                int(mark.y_px) - 6 : int(mark.y_px) + 7, int(mark.x_px) - 6 : int(mark.x_px) + 7
            ]
            assert around.mean() > crop.image_bgr.mean()


def test_hidden_dice_of_scenes_are_left_out_and_half_hidden_ones_judged_by_nobody():
    picture = render(throw(2, (1, 2, 3), difficulty="easy"), 320, 240)
    crop = scened.crop(rng(), picture)
    assert {m.face for m in crop.marks} <= {IGNORED, OTHER, 1, 2, 3}


def a_photo(folder: Path) -> pool.Photo:
    image = np.full((100, 200, 3), 90, np.uint8)
    cv2.imwrite(str(folder / "a.png"), image)
    dice = [{"x": 0.5, "y": 0.5, "size": 0.2, "face": 4, "box": [0.25, 0.5]}]
    (folder / "labels.json").write_text(json.dumps({"a.png": {"dice": dice}}))
    (photo,) = pool.photos(folder)
    return photo


def test_labels_of_photographs_are_read_in_pixels(tmp_path):
    (label,) = a_photo(tmp_path).labels
    assert label.centre_px == (100.0, 50.0)
    assert label.size_px == pytest.approx(40)
    assert label.reach_px == 25.0


def seen(x: float, face: int, score: float = 0.9) -> Detection:
    faces = tuple(0.9 if n == face else 0.01 for n in range(7))
    return Detection(x, 52.0, 36.0, 0.0, score, faces)


@pytest.mark.parametrize(
    ("detection", "face", "x", "reason"),
    [
        (seen(108, 4), 4, 108.0, "the labelled face, a little beside the middle of the box"),
        (seen(108, 5), IGNORED, 100.0, "another face: perhaps a side face"),
        (seen(150, 4), IGNORED, 100.0, "outside the box"),
        (seen(108, 4, 0.1), 4, 108.0, "seen faintly: the hard ones teach most"),
        (seen(108, 4, 0.05), IGNORED, 100.0, "hardly seen"),
    ],
)
def test_labels_move_to_the_top_face(detection, face, x, reason, tmp_path):
    (label,) = pool.refined(a_photo(tmp_path), lambda _: [detection]).labels
    assert (label.face, label.centre_px[0]) == (face, x), reason


@pytest.mark.parametrize(
    ("detection", "face", "reason"),
    [
        (seen(108, 5), 4, "another face in the middle of the box: seen from above it can only be this one"),
        (seen(108, 5, 0.15), IGNORED, "too faint to tell the place"),
        (seen(118, 5), IGNORED, "away from the middle"),
    ],
)
def test_seen_from_above_misread_dice_are_learned_too(detection, face, reason, tmp_path):
    (label,) = pool.refined(a_photo(tmp_path), lambda _: [detection], from_above=True).labels
    assert label.face == face, reason


def test_grounds_hold_no_die(tmp_path):
    photo = a_photo(tmp_path)
    image = photo.image()
    image[20:80, 70:130] = 255
    patches = [pool.bare(rng(n), photo, image) for n in range(20)]
    assert any(p is not None for p in patches)
    assert all(p is None or p.max() == 90 for p in patches)


def some_crops(count: int, pips: bool) -> list[Crop]:
    image = np.zeros((SIDE_PX, SIDE_PX, 3), np.uint8)
    mark, spots = Mark(80, 80, 30, 10, 5), np.array([[80, 80, 3]], np.float32)
    return [Crop(image, (mark,), spots if pips else None) for _ in range(count)]


def test_sets_come_back_from_files(tmp_path):
    packed = crops.pack([*some_crops(2, True), *some_crops(3, False)])
    crops.save(tmp_path / "a.npz", packed)
    back = crops.load(tmp_path / "a.npz")
    assert len(back) == 5
    assert back.marks[:, 0].tolist() == [0, 1, 2, 3, 4]
    assert back.pips_known.tolist() == [True, True, False, False, False]
    assert [p.name for p in tmp_path.iterdir()] == ["a.npz"], "no half-written file is left"


def test_places_of_nothing_lie_on_no_face():
    painted = crops.pack(paint(rng(n)) for n in range(12))
    good, bad = places.places(painted, net.load(), rng())
    assert len(good) == sum(places.seen_whole(m[1:4]) for m in painted.marks if m[5] >= 0)
    assert set(good[:, 4]) <= set(range(7))
    assert set(bad[:, 4]) == {places.NOTHING}
    for crop, x, y, size, _ in bad:
        for mark in painted.marks[painted.marks[:, 0] == crop]:
            off, ratio = np.abs(mark[1:3] - (x, y)).max() / max(mark[3], size), size / mark[3]
            assert off > 0.4 or not 0.58 < ratio < 1.72


@pytest.fixture
def gone_through(monkeypatch):
    """The stages that ran, on a machine without the extra [train]; none does anything."""
    ran: list[str] = []
    for name in stages.STAGES:
        monkeypatch.setitem(stages.STAGES, name, lambda _, name=name: ran.append(name))
    for package in ("torch", "onnx"):
        monkeypatch.setitem(sys.modules, package, None)
    return ran


@pytest.mark.parametrize("stage", ["all", "first", "fit", "export", "classifier"])
def test_what_is_not_installed_is_reported_before_anything_is_made(stage, gone_through, capsys):
    with pytest.raises(SystemExit) as end:
        main([stage])
    assert (end.value.code, gone_through) == (2, [])
    assert "no torch and no onnx here: install the extra [train]" in capsys.readouterr().err


@pytest.mark.parametrize("stage", ["crops", "photos", "figures"])
def test_other_stages_do_without_the_extra(stage, gone_through):
    assert main([stage]) == 0
    assert gone_through == [stage]


def test_a_training_goes_on_from_the_shipped_model():
    torch = pytest.importorskip("torch", reason="needs the extra [train]")
    pytest.importorskip("onnx", reason="needs the extra [train]")
    from lab.training.nets.model import Net
    from lab.training.nets.start import started

    pictures = np.stack([paint(rng(n)).image_bgr for n in range(8)])
    batch = torch.from_numpy(pictures).permute(0, 3, 1, 2).float() / 255
    with torch.no_grad():
        answers = started(Net(), net.MODEL, batch).eval()(batch[:1])
    shipped = net.load().run(pictures[0], "faces", "features")
    for name, answer in (("faces", answers[0]), ("features", answers[2])):
        np.testing.assert_allclose(answer[0].numpy(), shipped[name], atol=1e-3)


def test_a_training_goes_on_from_the_shipped_crop_classifier():
    torch = pytest.importorskip("torch", reason="needs the extra [train]")
    pytest.importorskip("onnx", reason="needs the extra [train]")
    from lab.training.nets.classifier_net import ClassifierNet
    from lab.training.nets.start import started

    pictures = np.stack([paint(rng(n)).image_bgr[48:112, 48:112] for n in range(8)])
    blob = np.asarray(cv2.dnn.blobFromImages(list(pictures), 1 / 255), np.float32)
    shipped = [net.load(CLASSIFIER_MODEL).run(picture, "classes")["classes"] for picture in pictures]
    with torch.no_grad():
        batch = torch.from_numpy(blob)
        answer = started(ClassifierNet(), CLASSIFIER_MODEL, batch).eval()(batch)
    np.testing.assert_allclose(answer.numpy(), shipped, atol=1e-3)


def test_a_blend_lies_between_its_models():
    torch = pytest.importorskip("torch", reason="needs the extra [train]")
    pytest.importorskip("onnx", reason="needs the extra [train]")
    from lab.training.nets.start import blended

    one, other = {"w": torch.tensor([0.0, 4.0])}, {"w": torch.tensor([2.0, 4.0])}
    assert blended(one, other, 0.75)["w"].tolist() == [0.5, 4.0]


def test_a_crop_classifier_is_trained_and_gone_on_with(tmp_path, monkeypatch):
    torch = pytest.importorskip("torch", reason="needs the extra [train]")
    onnx = pytest.importorskip("onnx", reason="needs the extra [train]")
    from lab.training.nets import classifier_export, classifier_fit, fit
    from lab.training.nets.classifier_net import ClassifierNet
    from lab.training.nets.export import smoothed, write

    monkeypatch.setattr(fit, "REPORT_STEPS", 1)
    (tmp_path / "crops").mkdir()
    crops.save(tmp_path / "crops/painted-000.npz", crops.pack(paint(rng(n)) for n in range(12)))
    classifier_fit.find_places(tmp_path / "crops", net.MODEL)
    for steps in (2, 3):
        recipe = Recipe(tmp_path, None, tmp_path / "dice.onnx", tmp_path / "r.npz", classifier_steps=steps)
        plan = classifier_fit.plan(recipe)
        path = classifier_fit.fit_classifier(plan)
        assert torch.load(path, weights_only=True)["step"] == steps
    log = path.with_name("log.csv").read_text(encoding="utf-8").splitlines()
    assert [row.split(",")[0] for row in log] == ["step", "1", "2", "3"]
    trained, model = smoothed(ClassifierNet(), path), tmp_path / "classifier.onnx"
    write(classifier_export.graph(trained), model, {"steps": "3"})
    named = onnx.load(str(model))
    assert [(entry.key, entry.value) for entry in named.metadata_props] == [("steps", "3")]
    assert named.graph.name == "classifier"
    patches = np.random.default_rng(1).integers(0, 255, (3, 64, 64, 3), np.uint8)
    blob = np.asarray(cv2.dnn.blobFromImages(list(patches), 1 / 255), np.float32)
    odds = [net.load(model).run(patch, "classes")["classes"] for patch in patches]
    with torch.no_grad():
        np.testing.assert_allclose(odds, trained(torch.from_numpy(blob)).numpy(), atol=1e-4)
