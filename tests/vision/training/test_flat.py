"""Crops of prints among dice: what is flat in them, what stands, what nobody judges, what the net tells."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.pictures import Drawn, draw
from vision.agreement import relief
from vision.learned import net
from vision.scenes import throw
from vision.training import parts
from vision.training.pictures import flat
from vision.training.pictures.crops import IGNORED, SIDE_PX, Crop, Mark
from vision.training.pictures.flat import FLAT
from vision.training.pictures.perched import ALONE

pytestmark = pytest.mark.slow

ROUND = 1.2
"""Sides beyond which a place is beside a die."""


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def far(one: Mark, other: Mark) -> float:
    return float(np.hypot(one.x_px - other.x_px, one.y_px - other.y_px))


@pytest.mark.parametrize("seed", range(6))
def test_painted_crops_hold_prints_and_standing_dice(seed: int) -> None:
    crop = flat.printed(rng(seed))
    assert crop.image_bgr.shape == (SIDE_PX, SIDE_PX, 3)
    assert {mark.face for mark in crop.marks} <= {ALONE, FLAT, IGNORED}


def test_half_of_the_painted_dice_are_prints() -> None:
    faces = [mark.face for seed in range(30) for mark in flat.printed(rng(seed)).marks]
    assert 0.4 < faces.count(FLAT) / (faces.count(FLAT) + faces.count(ALONE)) < 0.85


def a_photograph(turn_deg: float) -> Crop:
    """One drawn die that fills a third of a crop, turned."""
    drawn = draw([Drawn(5, 80, 80, 50, turn_deg)], (SIDE_PX, SIDE_PX), noise=0)
    return Crop(drawn, (Mark(80, 80, 50, float("nan"), 5),), None)


def bare() -> Crop:
    return Crop(np.full((SIDE_PX, SIDE_PX, 3), 90, np.uint8), (Mark(40, 40, 30, 0.0, 4),), None)


@pytest.mark.parametrize("seed", range(6))
def test_faces_of_photographs_are_laid_beside_the_dice_there(seed: int) -> None:
    standing, *laid = flat.pressed(rng(seed), bare(), a_photograph(20)).marks
    assert standing.face == ALONE, "what was there stays a die"
    assert all(mark.face == FLAT and far(mark, standing) > ROUND * standing.size_px for mark in laid)
    assert laid, "there was room for one"


def test_where_no_face_can_be_had_none_is_laid() -> None:
    assert [mark.face for mark in flat.pressed(rng(), bare(), bare()).marks[1:]] in ([], [FLAT] * 3)
    empty = Crop(bare().image_bgr, (), None)
    assert flat.pressed(rng(), bare(), empty).marks[1:] == ()


@pytest.mark.parametrize("turn_deg", [0.0, 20.0, 40.0, 70.0])
def test_a_face_is_cut_out_upright_and_without_what_lies_about_it(turn_deg: float) -> None:
    source = a_photograph(turn_deg)
    face = flat._face_of(rng(), source, source.marks[0])
    corners = face[[3, 3, -4, -4], [3, -4, 3, -4]]
    assert float(corners.mean()) > 180, "ivory, where the dark cloth would be if it were turned"


@pytest.mark.parametrize("seed", range(3))
def test_drawn_scenes_have_prints_where_their_marks_say(seed: int) -> None:
    crops = list(flat.flat_scenes(rng(seed), 6_100_000 + seed, 4))
    marks = [(crop, mark) for crop in crops for mark in crop.marks if mark.face == FLAT]
    assert len(crops) == 4
    for crop, mark in marks:
        inside = all(mark.size_px < v < SIDE_PX - mark.size_px for v in (mark.x_px, mark.y_px))
        if inside and mark.size_px > 20:
            at = cv2.getRectSubPix(crop.image_bgr, (int(mark.size_px),) * 2, (mark.x_px, mark.y_px))
            assert float(at.std()) > 2, "a face is printed there"


def test_prints_keep_away_from_dice_and_from_each_other() -> None:
    scene = throw(6_100_003, count=(3, 3), difficulty="easy")
    prints = [p for p in flat._flats(rng(), scene) if p.kind == "face"]
    places = [(p.centre_mm, p.size_mm[0] / 2) for p in prints]
    places += [(d.centre_mm[:2], d.make.side_mm / 2) for d in scene.dice]
    for k, (at, half) in enumerate(places[: len(prints)]):
        for other, reach in places[k + 1 :]:
            assert np.hypot(at[0] - other[0], at[1] - other[1]) > flat.APART * (half + reach)


def test_the_shipped_net_tells_prints_from_dice() -> None:
    """Of drawn crops with seeds that nothing was trained on, nor chosen by."""
    made = [crop for seed in range(6_200_000, 6_200_018) for crop in flat.flat_scenes(rng(seed), seed, 3)]
    told = parts.of_prints(made, net.load(relief.MODEL_FLAT))
    assert min(told.shown, told.others) >= 8
    assert told.told / told.shown > 0.75 > 0.25 > told.wrong / told.others
