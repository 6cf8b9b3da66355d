"""Traced pictures: meshes, shots and labels; the tracer itself where bpy is installed."""

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from importlib.util import find_spec

import cv2
import numpy as np
import pytest

from lab.scenes.makes import plain_make
from lab.scenes.pips import layout, normal_of, turn_to_top
from lab.scenes.polyhedra import normals_of
from lab.scenes.space import as_turn, eye
from lab.scenes.truth import truth_of
from lab.scenes.values import DieTruth, Lens, Lying
from lab.training import crop_files, observed
from lab.training.crop_files import CropFile
from lab.training.pictures.crops import IGNORED, load
from lab.training.pictures.pool import photos, refined
from lab.training.recipe import Recipe
from lab.training.traced.__main__ import main
from lab.training.traced.extras import any_cable, any_phone
from lab.training.traced.finish import shot
from lab.training.traced.labels import entry, gather, row
from lab.training.traced.meshes import MAX_DEPTH, corners_of, die_mesh
from vision.learned.maps import Detection

WHITE = plain_make("white", 16.0)
MESH = die_mesh(WHITE)


def volume_mm3(vertices: np.ndarray, quads: np.ndarray) -> float:
    """By the divergence theorem; positive where faces wind outwards."""
    a, b, c, d = (vertices[quads[:, k]] for k in range(4))
    return float(
        (np.einsum("ij,ij->i", a, np.cross(b, c)) + np.einsum("ij,ij->i", a, np.cross(c, d))).sum() / 6
    )


def test_a_die_is_closed_and_winds_outwards():
    edges = Counter(
        (int(a), int(b)) for quad in MESH.quads for a, b in zip(quad, np.roll(quad, -1), strict=True)
    )
    assert set(edges.values()) == {1}, "each edge once in each direction"
    assert all((b, a) in edges for a, b in edges), "no open edge"
    assert 0.85 * 16**3 < volume_mm3(MESH.vertices_mm, MESH.quads) < 16**3


def test_a_die_is_as_wide_as_its_make():
    assert np.ptp(MESH.vertices_mm, axis=0) == pytest.approx([16, 16, 16])


@pytest.mark.parametrize("face", range(1, 7))
def test_pips_are_drilled_where_the_layout_has_them(face):
    inside = MESH.vertices_mm[(MESH.face == face) & (MESH.rim < 0)]
    depth = 8 - inside @ normal_of(face, WHITE.left_handed)
    assert 0 < depth.max() <= 8 * MAX_DEPTH + 1e-9
    area = np.pi * (layout(face, WHITE)[:, 2] ** 2).sum()
    cell = (2 * (1 - WHITE.corner) / 56) ** 2
    assert len(inside) * cell == pytest.approx(area, rel=0.12)


@pytest.mark.parametrize(("kind", "corners"), [("d4", 4), ("d8", 6), ("d12", 20), ("d20", 12)])
def test_polyhedra_have_their_corners(kind, corners):
    assert len(corners_of(np.asarray(normals_of(kind)))) == corners


def test_a_shot_is_the_same_each_time_and_another_for_each_number():
    assert shot(3, 5, 320, 240) == shot(3, 5, 320, 240)
    assert shot(3, 5, 320, 240) != shot(3, 6, 320, 240)


@pytest.mark.parametrize("number", range(12))
def test_shots_keep_to_their_bounds(number):
    made = shot(11, number, 960, 720)
    assert len(made.finishes) == len(made.scene.dice) <= 20
    assert made.scene.lens.tilt_deg <= 40
    assert made.scene.lens.distortion == 0
    assert not any(die.make.marks for die in made.scene.dice)
    for finish in made.finishes:
        shares = (finish.roughness, finish.coat, finish.scatter, finish.transmit, finish.wear)
        assert all(0 <= share <= 1 for share in shares)


@pytest.mark.parametrize("number", range(12))
def test_cables_and_phones_touch_no_die(number):
    rng, scene = np.random.default_rng(number), shot(11, number, 960, 720).scene
    cables = [found.points_mm for _ in range(20) if (found := any_cable(rng, scene))]
    phones = [(found.centre_mm,) for _ in range(20) if (found := any_phone(rng, scene))]
    for points, radius in [*((c, 1.5) for c in cables), *((p, 80.0) for p in phones)]:
        for die in scene.dice:
            away = np.linalg.norm(np.array(points)[:, :2] - die.centre_mm[:2], axis=1)
            assert away.min() > die.make.side_mm / 2 + radius


#: 90 degrees across 800 px: a focal length of 400 px. The top face is 200 mm away and has 2 px/mm.
ABOVE = eye(Lens((0.0, 0.0), 216.0, 0.0, 0.0, 0.0, 90.0, 0.0), 800, 600)


def seen(x_mm: float = 0.0, share: float = 1.0, cocked: bool = False, contrast: float = 90.0) -> DieTruth:
    die = Lying(3, WHITE, (x_mm, 0.0, 8.0), as_turn(turn_to_top(3, WHITE, 0.0)), cocked)
    return replace(truth_of(die, ABOVE, share), contrast=contrast)


def test_the_quad_is_that_of_a_cube_projected_by_hand():
    found = row(seen(50.0), 800, 600)
    assert found["centre_px"] == [399.5 + 100, 299.5]
    assert sorted(map(tuple, found["corners_px"])) == [
        (483.5, 283.5),
        (483.5, 315.5),
        (515.5, 283.5),
        (515.5, 315.5),
    ]
    assert (found["size"], found["face"], found["truncated"]) == (32 / 800, 3, False)


@pytest.mark.parametrize(
    ("x_mm", "share", "cocked", "contrast", "rows", "ignored", "why"),
    [
        (0, 1.0, False, 90, 1, False, "a whole die is judged"),
        (0, 0.5, False, 90, 1, True, "half hidden nobody judges it"),
        (0, 0.1, False, 90, 0, False, "hidden it is no die"),
        (0, 1.0, True, 90, 1, True, "leaning it is left open"),
        (196, 1.0, False, 90, 1, True, "cut by the border as well"),
        (0, 1.0, False, 7, 1, True, "and with pips that a person cannot read"),
    ],
)
def test_what_is_judged(x_mm, share, cocked, contrast, rows, ignored, why):
    found = entry([seen(x_mm, share, cocked, contrast)], 800, 600)["dice"]
    assert len(found) == rows, why
    assert any(die.get("ignore", False) for die in found) == ignored, why


def test_the_pool_reads_the_labels_and_keeps_their_corners(tmp_path):
    cv2.imwrite(str(tmp_path / "traced-1-00000.jpg"), np.zeros((600, 800, 3), np.uint8))
    truth = [seen(), seen(60.0, 0.5)]
    (tmp_path / "traced-1-00000.json").write_text(json.dumps(entry(truth, 800, 600)))
    assert gather(tmp_path) == 1
    (photo,) = photos(tmp_path)
    assert refined(photo, lambda image: []) == photo, "no net moves what is exact"
    assert [label.face for label in photo.labels] == [3, IGNORED]
    assert photo.labels[0].turned
    assert photo.labels[0].size_px == pytest.approx(32)


@pytest.fixture
def recipe(tmp_path):
    """Of one traced picture, with a die in its middle."""
    cv2.imwrite(str(tmp_path / "traced-1-00000.jpg"), np.full((600, 800, 3), 90, np.uint8))
    (tmp_path / "traced-1-00000.json").write_text(json.dumps(entry([seen()], 800, 600)))
    gather(tmp_path)
    return Recipe(
        tmp_path / "work", None, tmp_path / "dice.onnx", tmp_path / "reference.npz", traced=tmp_path
    )


def write(recipe: Recipe, files: Iterable[CropFile]) -> None:
    crop_files.write(recipe.crops, files, jobs=1)


def test_the_training_cuts_crops_of_a_folder_of_traced_pictures(recipe):
    write(recipe, crop_files.traced(recipe))
    crops = load(recipe.crops / "traced-000.npz")
    assert len(crops) == crop_files.TRACED_CROPS
    assert set(crops.marks[:, 5]) == {3}
    assert not np.isnan(crops.marks[:, 4]).any(), "their turn is known"


@pytest.mark.parametrize(
    ("x_px", "score", "crops", "why"),
    [
        (400.0, 0.9, 0, "the die itself"),
        (410.0, 0.9, 0, "still on the die"),
        (600.0, 0.9, 1, "nothing lies there"),
        (600.0, 0.1, 0, "hardly seen: no mistake"),
    ],
)
def test_the_training_mines_false_positives_in_traced_pictures(x_px, score, crops, why, recipe, monkeypatch):
    found = Detection(x_px, 300.0, 32.0, 0.0, score, (0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0))
    monkeypatch.setattr(observed, "see", lambda image, model: [found])
    write(recipe, crop_files.mined(replace(recipe, mined=0)))
    made = [len(load(path)) for path in recipe.crops.glob("mined-traced-*.npz")]
    assert sum(made) == crops, why


def test_without_traced_pictures_none_are_cut(recipe):
    without = replace(recipe, traced=None, mined=0)
    write(without, [*crop_files.traced(without), *crop_files.mined(without)])
    assert not recipe.crops.exists()


def test_a_wider_bevel_takes_more_of_the_die():
    wide = die_mesh(replace(WHITE, corner=0.4))
    assert volume_mm3(wide.vertices_mm, wide.quads) < volume_mm3(MESH.vertices_mm, MESH.quads)


@pytest.mark.skipif(find_spec("bpy") is not None, reason="bpy is installed")
def test_without_blender_a_sentence_names_the_extra(capsys, tmp_path):
    with pytest.raises(SystemExit) as ended:
        main(["--out", str(tmp_path)])
    assert ended.value.code == 2
    assert "install the extra [render]" in capsys.readouterr().err


@pytest.mark.slow
def test_a_traced_picture_shows_its_dice_where_the_truth_has_them(tmp_path):
    pytest.importorskip("bpy", reason="Blender is the extra [render]")
    command = ["--pictures", "1", "--width", "160", "--height", "120", "--samples", "1", "--threads", "1"]
    assert main([*command, "--out", str(tmp_path)]) == 0
    first = (tmp_path / "traced-1-00000.jpg").read_bytes()
    assert main([*command, "--out", str(tmp_path)]) == 0
    assert (tmp_path / "traced-1-00000.jpg").read_bytes() == first, "what is there is left alone"
