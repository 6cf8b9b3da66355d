"""Parts of dice whose rest lies under something: the shipped model, what follows from it, how it learns."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.learned.parts import SIZE, TABLE, die_at, level, told_of, with_a_hand
from tests.vision.pictures import Image
from vision.learned import covered, net
from vision.learned.net import Level
from vision.read import read
from vision.scenes import DieTruth, Picture, render, throw
from vision.training.nets import covered_cells
from vision.training.nets.covered_cells import NOTHING, PART, UNJUDGED, Window
from vision.training.pictures import covering, crops
from vision.training.pictures.painted import paint
from vision.values import Die, Doubt

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("model", [covered.MODEL_COVERED, covered.MODEL_CUT], ids=lambda model: model.stem)
def test_opencv_answers_as_the_training_framework_did(model: Path) -> None:
    with np.load(Path(__file__).with_name(f"{model.stem}_reference.npz")) as wanted:
        (odds,) = net.load(model).answers(wanted["features"], ("odds",))
        np.testing.assert_allclose(odds, wanted["odds"], atol=2e-3)


@pytest.mark.parametrize("way_deg", [0, 90, 180, 270])
def test_a_die_half_under_a_hand_is_never_left_out_for_certain(way_deg: float) -> None:
    picture = render(throw(21, (3, 4, 5, 6), difficulty="easy", style="box"), 960, 720)
    assert read(picture.image_bgr).certain
    for die in picture.truth:
        reading = read(with_a_hand(picture, die, way_deg))
        seen = [d for d in reading.dice if np.hypot(d.x_px - die.x_px, d.y_px - die.y_px) < die.size_px / 2]
        assert not reading.certain or [d.face for d in seen] == [die.face]


def beyond(picture: Picture, die: DieTruth, side: str) -> tuple[Image, tuple[float, float]]:
    """The picture without what lies on one side of a die's middle, and where that middle is at its border."""
    x, y, image = round(die.x_px), round(die.y_px), picture.image_bgr
    parts: dict[str, tuple[Image, tuple[float, float]]] = {
        "left": (image[:, x:], (0, y)),
        "right": (image[:, :x], (x, y)),
        "top": (image[y:], (x, 0)),
        "bottom": (image[:y], (x, y)),
    }
    part, middle = parts[side]
    return np.ascontiguousarray(part), middle


@pytest.mark.parametrize("side", ["left", "right", "top", "bottom"])
def test_a_die_cut_through_by_the_border_is_told(side: str) -> None:
    picture = render(throw(21, (3, 4, 5, 6), difficulty="easy", style="box"), 960, 720)
    for die in picture.truth:
        image, (x, y) = beyond(picture, die, side)
        reading = read(image)
        places = [(d.x_px, d.y_px) for d in (*reading.doubts, *reading.dice) if d.x_px and d.y_px]
        assert any(np.hypot(px - x, py - y) < die.size_px for px, py in places), die.face


def test_what_the_border_cuts_is_not_counted_and_makes_the_picture_alone_uncertain() -> None:
    picture = render(throw(21, (3, 4, 5, 6), difficulty="easy", style="box"), 960, 720)
    image, _ = beyond(picture, next(die for die in picture.truth if die.face == 3), "left")
    reading = read(image, expect=3)
    assert sorted(die.face for die in reading.dice) == [4, 5, 6]
    assert all(die.certain for die in reading.dice), "they lie there in full view"
    assert [doubt.key for doubt in reading.doubts] == ["cut_off"]
    assert not reading.certain, "a die was left unread, though as many as expected were read"


@pytest.mark.usefixtures("odds_are_features")
@pytest.mark.parametrize(
    ("cells", "dice", "told", "places", "reason"),
    [
        ([(10, 20)], [die_at(60, 60)], [], [(164, 84)], "a part away from the die that was read"),
        ([(7, 9)], [die_at(60, 60)], [], [], "beside the middle of a die: its own side"),
        ([(10, 20)], [die_at(60, 60)], [Doubt("die_like", 160, 90, SIZE)], [], "that place was told before"),
        ([(10, 20)], [die_at(60, 60)], [Doubt("glare")], [(164, 84)], "what was told is about no place"),
        ([(10, 20), (11, 21)], [die_at(60, 60)], [], [(164, 84)], "two cells of one part"),
        ([(10, 20), (15, 12)], [die_at(60, 60)], [], [(100, 124), (164, 84)], "two parts"),
        ([], [die_at(60, 60)], [], [], "nothing"),
    ],
)
def test_parts_are_places_to_look_at(
    cells: list[tuple[int, int]],
    dice: list[Die],
    told: list[Doubt],
    places: list[tuple[int, int]],
    reason: str,
) -> None:
    doubts = told_of([level(cells)], dice, told)
    assert sorted((d.x_px, d.y_px) for d in doubts) == places, reason
    assert all((d.key, d.size_px) == ("die_like", SIZE) for d in doubts)


@pytest.mark.usefixtures("odds_are_features")
@pytest.mark.parametrize(
    ("cell", "key", "reason"),
    [
        ((10, 0), "cut_off", "at the left border"),
        ((10, 1), "cut_off", "so near it that the border must cut what lies there"),
        ((10, 2), "die_like", "a whole die would fit there: something lies on it"),
        ((19, 10), "cut_off", "at the lower border"),
        ((10, 29), "cut_off", "at the right border"),
    ],
)
def test_what_the_border_cuts_is_told_by_that_name(cell: tuple[int, int], key: str, reason: str) -> None:
    doubts = told_of([level([cell])], [die_at(120, 80)], [])
    assert [d.key for d in doubts] == [key], reason


@pytest.mark.usefixtures("odds_are_features")
@pytest.mark.parametrize(
    ("odds", "sizes", "reason"),
    [
        (3.5, [net.FACE_PX, 2 * net.FACE_PX], "clear parts, of the size that is seen best on each level"),
        (2.5, [], "without a die that tells the size more is asked"),
    ],
)
def test_where_no_die_was_read_every_level_is_judged(odds: float, sizes: list[float], reason: str) -> None:
    doubts = told_of([level([(10, 20)], odds=odds), level([(10, 10)], 0.5, odds)], [], [])
    assert [d.size_px for d in doubts] == sizes, reason


@pytest.mark.usefixtures("odds_are_features")
@pytest.mark.parametrize(
    ("size", "looked_at", "told", "reason"),
    [
        (SIZE, [], 1, "the second level shows dice at the right size"),
        (70.0, [70.0], 1, "none does: one is looked at"),
        (4.0, [], 0, "dice are too small on any"),
    ],
)
def test_dice_are_judged_at_the_size_at_which_the_net_sees_best(
    size: float, looked_at: list[float], told: int, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = list[float]()

    def levels(_: object, side_px: float) -> tuple[Level, ...]:
        asked.append(side_px)
        return (level([(3, 6)], 34 / side_px),)

    monkeypatch.setattr(covered.net, "levels", levels)
    doubts = told_of([level([(4, 4)], 0.25), level([(10, 20)])], [die_at(220, 140, size)], [])
    assert (asked, len(doubts)) == (looked_at, told), reason


@pytest.mark.usefixtures("odds_are_features")
@pytest.mark.parametrize(
    ("cell", "odds", "clear", "faint", "reason"),
    [
        ((10, 20), 1.2, ["die_like"], ["die_like"], "clearly a part"),
        ((10, 20), -0.3, [], ["die_like"], "one if its colour says so"),
        ((10, 20), -1.0, [], [], "none"),
        ((10, 0), 2.0, ["cut_off"], ["cut_off"], "clearly cut by the border"),
        ((10, 0), 0.3, [], ["cut_off"], "so near the border more is asked"),
        ((10, 0), -0.5, [], [], "none there"),
    ],
)
def test_of_what_is_faint_the_colour_is_asked(
    cell: tuple[int, int], odds: float, clear: list[str], faint: list[str], reason: str
) -> None:
    dice = [die_at(120, 80)]
    looked = covered.looks(TABLE, [level([cell], odds=odds)], dice)
    assert [d.key for d in covered.parts(TABLE, looked, dice, [Doubt("glare")])] == clear, reason
    assert [d.key for d in covered.faint_parts(looked, dice)] == faint, reason
    assert covered.faint_parts(looked, []) == [], "without dice there is no colour to compare"


@pytest.mark.parametrize(
    ("covers", "cuts", "faint", "reason"),
    [
        (2.0, -1.0, ["cut_off"], "of most of a die it tells that it looks covered"),
        (0.5, -1.0, [], "it may be neither"),
        (-1.0, 0.5, ["cut_off"], "of less that it looks cut"),
    ],
)
def test_at_the_border_what_covers_and_what_cuts_go_together(
    covers: float, cuts: float, faint: list[str], reason: str
) -> None:
    none = np.full((20, 30), -9, np.float32)
    odds = none.copy(), none.copy()
    odds[0][10, 0], odds[1][10, 0] = covers, cuts
    looked, dice = (covered.Look(1.0, TABLE.shape[:2], *odds),), [die_at(120, 80)]
    assert [d.key for d in covered.faint_parts(looked, dice)] == faint, reason
    assert covered.parts(TABLE, looked, dice, []) == [], "not without the colour of a die"


def test_nothing_is_told_of_dice_too_small_to_be_judged() -> None:
    assert covered.looks(TABLE, [level([])], [die_at(60, 60, 4.0)]) == ()


@pytest.mark.parametrize("seed", range(12))
def test_a_cover_hides_a_part_of_its_die(seed: int) -> None:
    rng = np.random.default_rng(seed)
    image, donor = (np.full((crops.SIDE_PX, crops.SIDE_PX, 3), value, np.uint8) for value in (90, 200))
    laid, mask = covering.covered(rng, image, (80.0, 80.0, 40.0), donor)
    hidden = (mask[60:100, 60:100] > 0).mean()
    assert 0.1 < hidden < 0.9
    assert laid.shape == image.shape


def cells_of(
    dice: list[tuple[float, float, float]], covers: tuple[slice, slice], window: Window
) -> NDArray[np.int8]:
    mask = np.zeros((crops.SIDE_PX, crops.SIDE_PX), np.uint8)
    mask[covers] = 255
    return covered_cells.classes(np.array(dice, np.float32).reshape(-1, 3), mask, window)


NO_COVER = (slice(0, 0), slice(0, 0))


@pytest.mark.parametrize(
    ("dice", "covers", "cell", "shows", "reason"),
    [
        ([], NO_COVER, (10, 10), NOTHING, "bare ground"),
        ([], NO_COVER, (0, 10), UNJUDGED, "the crop's border"),
        ([(80, 80, 40)], NO_COVER, (10, 10), UNJUDGED, "a whole die: others read it"),
        ([(80, 80, 40)], (slice(0, 160), slice(80, 160)), (10, 8), PART, "what is left of a half-hidden die"),
        ([(80, 80, 40)], (slice(0, 160), slice(80, 160)), (10, 6), UNJUDGED, "the side of that die"),
        ([(80, 80, 40)], (slice(0, 160), slice(80, 160)), (10, 15), NOTHING, "the cover"),
        ([(80, 80, 40)], (slice(0, 160), slice(65, 160)), (10, 7), UNJUDGED, "too little is left of it"),
        ([(80, 80, 80)], (slice(0, 160), slice(80, 160)), (10, 7), UNJUDGED, "larger than what is taught"),
    ],
)  # fmt: skip
def test_cells_know_what_they_show(
    dice: list[tuple[float, float, float]],
    covers: tuple[slice, slice],
    cell: tuple[int, int],
    shows: int,
    reason: str,
) -> None:
    assert cells_of(dice, covers, Window(0, 0, 128, 128))[cell] == shows, reason


@pytest.mark.parametrize(
    ("die", "window", "cell", "shows", "reason"),
    [
        ((128, 80, 40), Window(0, 0, 128, 128), (10, 14), PART, "half of it is within the window"),
        ((36, 80, 40), Window(30, 20, 158, 148), (7, 1), PART, "less than half is beyond"),
        ((36, 80, 40), Window(30, 20, 158, 148), (7, 12), NOTHING, "away from it"),
        ((20, 80, 40), Window(30, 20, 158, 148), (7, 0), UNJUDGED, "a quarter is left"),
        ((130, 80, 60), Window(0, 0, 128, 128), (10, 14), UNJUDGED, "larger than what is taught"),
        ((60, 60, 40), Window(0, 0, 120, 128), (10, 15), UNJUDGED, "the rim that the first net pads"),
    ],
)
def test_a_die_cut_by_the_border_is_a_part(
    die: tuple[float, float, float], window: Window, cell: tuple[int, int], shows: int, reason: str
) -> None:
    assert cells_of([die], NO_COVER, window)[cell] == shows, reason


@pytest.mark.parametrize(("kind", "side"), [("covered", 20), ("cut", 16)])
def test_lessons_pair_features_with_cells(kind: str, side: int) -> None:
    painted = crops.pack(paint(np.random.default_rng(n)) for n in range(8))
    made = list(covered_cells.lessons(painted, net.load(), np.random.default_rng(3), kind))
    assert len(made) == covered_cells.TIMES * len(painted)
    assert {(each.features.shape, each.cells.shape) for each in made} == {((48, side, side), (side, side))}
    assert any((each.cells == PART).any() for each in made)
