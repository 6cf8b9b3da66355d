"""Dice that lie on other dice: the shipped model, what it is shown, what follows from it, how it learns."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.pictures import Image
from vision.learned import net, perched
from vision.learned.perched import LAPS, RAYS, STEPS
from vision.read import read
from vision.scenes import LEVELS, Picture, render, throw
from vision.training.pictures import crops, flat, heaps
from vision.training.pictures import perched as piles
from vision.training.pictures.crops import IGNORED, Crop, Mark
from vision.training.pictures.painted import paint
from vision.training.pictures.perched import ALONE, PERCHED
from vision.values import Die, Doubt

STACKED = replace(LEVELS["easy"], stacked=1.0, tilt_deg=6.0)
SIDE = 60
PLACE = (150.5, 150.5, SIDE)
SEEDS = range(7_510_000, 7_510_018)
"""Of tables that nothing was trained on, nor chosen by."""
ABOUT = 1.7
"""So many sides from the upper die's middle the lower one's is seen, from the side too."""
IN_VIEW = (0.12, 0.9)
"""Share of the lower die's top."""


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


@pytest.mark.parametrize("model", [perched.MODEL_PERCHED, perched.MODEL_FLAT], ids=lambda m: m.stem)
def test_opencv_answers_as_the_training_framework_did(model: Path) -> None:
    with np.load(Path(__file__).with_name(f"{model.stem}_reference.npz")) as wanted:
        (odds,) = net.load(model).answers(wanted["surroundings"], ("odds",))
        np.testing.assert_allclose(odds, wanted["odds"], atol=2e-3)


def a_square(turn_deg: float = 0.0) -> Image:
    """A white square of SIDE pixels in the middle of a green ground, turned."""
    image = np.full((301, 301, 3), (60, 120, 40), np.uint8)
    corners = cv2.boxPoints(((150.0, 150.0), (SIDE, SIDE), turn_deg))
    cv2.fillConvexPoly(image, np.asarray(corners * 16, np.int32), (240, 240, 240), cv2.LINE_AA, 4)
    return image


def test_a_plain_square_is_its_own_colour_within_and_the_grounds_without() -> None:
    body, ground, *_ = perched.surroundings(a_square(), [PLACE])[0]
    assert body.shape == (RAYS, STEPS)
    assert float(body[:, :2].max()) < 0.02, "a third of a side from the middle is the face"
    assert float(ground[:, -4:].max()) < 0.02, "more than a side from it is the ground"


def test_a_turned_die_is_the_same_along_other_rays() -> None:
    straight, turned = (perched.surroundings(a_square(turn), [PLACE])[0] for turn in (0.0, 30.0))
    rolled = np.roll(straight, RAYS * 30 // 360, axis=1)
    assert float(np.abs(turned - rolled).mean()) < 0.03


def test_light_matters_little() -> None:
    bright = perched.surroundings(a_square(), [PLACE])[0]
    dim = perched.surroundings(np.asarray(a_square() * 0.6, np.uint8), [PLACE])[0]
    assert float(np.abs(bright[:2] - dim[:2]).mean()) < 0.1


def test_the_laps_go_all_the_way_round_and_begin_again() -> None:
    assert set(LAPS) == set(range(RAYS))
    assert (LAPS[:6] == LAPS[RAYS : RAYS + 6]).all()


def die_at(x: float) -> Die:
    return Die(3, x, 20, 40, 0, 0.99, True, "red")


def say(monkeypatch: pytest.MonkeyPatch, first: float, again: float) -> None:
    """Let the net say such odds of dice beyond the first hundred pixels, and again when it looks more."""
    monkeypatch.setattr(perched, "odds", lambda _, places: [first if x > 100 else -9.0 for x, *_ in places])
    monkeypatch.setattr(perched, "odds_again", lambda *_: again)


@pytest.mark.parametrize(
    ("first", "again", "told", "reason"),
    [
        (3.0, 2.6, 1, "one of the two lies on another, however it is looked at"),
        (3.0, 2.4, 0, "looked at again it does so no more"),
        (1.1, 2.6, 1, "looked at again it does so the more"),
        (0.9, 9.0, 0, "neither does, so neither is looked at again"),
    ],
)
def test_what_is_told(
    first: float, again: float, told: int, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    say(monkeypatch, first, again)
    doubts = perched.on_others(np.zeros((40, 300, 3), np.uint8), [die_at(50), die_at(200)])
    assert doubts == [Doubt("on_another", 200, 20, 40)][:told], reason


def test_mirrored_surroundings_are_those_of_the_mirrored_picture() -> None:
    picture = stack(SEEDS[0])
    die = picture.truth[-1]
    width = picture.image_bgr.shape[1]
    plain = perched.surroundings(picture.image_bgr, [(die.x_px, die.y_px, die.size_px)])
    flipped = np.ascontiguousarray(picture.image_bgr[:, ::-1])
    wanted = perched.surroundings(flipped, [(width - die.x_px, die.y_px, die.size_px)])
    # rays run from 0 degrees on in both: mirrored, the last of them comes where half a turn less one ray was
    turned = np.roll(perched.mirrored(plain), RAYS // 2 + 1, axis=2)
    assert np.corrcoef(turned.ravel(), wanted.ravel())[0, 1] > 0.9


@pytest.mark.parametrize(
    ("reader", "expect", "doubts", "reason"),
    [
        ("both", None, {"on_another"}, "nobody knows how many there are"),
        ("both", 5, {"on_another", "count"}, "one is missing, and that is where"),
        ("both", 4, set(), "all are read: none can lie beneath"),
        ("pips", None, set(), "the pips way does without nets"),
    ],
)
def test_a_die_on_another_is_a_doubt_where_one_may_be_missing(
    reader: str, expect: int | None, doubts: set[str], reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    picture = render(throw(21, (3, 4, 5, 6), difficulty="easy", style="box"), 960, 720)
    say(monkeypatch, 3.0, 3.0)
    reading = read(picture.image_bgr, expect=expect, reader=reader)
    assert {doubt.key for doubt in reading.doubts} == doubts, reason
    assert reading.certain is not bool(doubts), reason


def told(picture: Picture, number: int) -> bool:
    """Whether one of the dice is said to lie on another."""
    die = picture.truth[number]
    seen = Die(die.face, die.x_px, die.y_px, die.size_px, 0.0, 0.99, True, "white")
    return bool(perched.on_others(picture.image_bgr, [seen]))


def stack(seed: int) -> Picture:
    """A drawn table whose last die lies on the first."""
    return render(throw(seed, count=(3, 6), level=STACKED), 1000, 750)


def test_the_net_tells_dice_on_dice_from_others() -> None:
    drawn = (stack(seed) for seed in SEEDS)
    pictures = [picture for picture in drawn if IN_VIEW[0] <= picture.truth[0].visible < IN_VIEW[1]]
    assert len(pictures) >= 10
    uppers = [told(picture, -1) for picture in pictures]
    others = [told(picture, k) for picture in pictures for k in range(1, len(picture.truth) - 1)]
    assert np.mean(uppers) >= 0.5, uppers
    assert np.mean(others) <= 0.05, others


@pytest.mark.parametrize("seed", range(4))
def test_painted_piles_carry_some_dice_and_leave_those_beneath_to_nobody(seed: int) -> None:
    crop = piles.pile(rng(seed))
    on_others = [mark for mark in crop.marks if mark.face == PERCHED]
    assert {mark.face for mark in crop.marks} <= {ALONE, PERCHED, IGNORED}
    for mark in on_others:
        about = [m for m in crop.marks if m is not mark and far(m, mark) < ABOUT * mark.size_px]
        assert any(m.face == IGNORED for m in about), "a die lies under it, which is judged by nobody"


def far(one: Mark, other: Mark) -> float:
    return float(np.hypot(one.x_px - other.x_px, one.y_px - other.y_px))


def a_crop() -> Crop:
    image = np.full((crops.SIDE_PX, crops.SIDE_PX, 3), 90, np.uint8)
    return Crop(image, (Mark(80, 80, 30, float("nan"), 4),), None)


@pytest.mark.parametrize("seed", range(8))
def test_what_is_laid_into_a_photograph_lies_on_its_die_or_beside(seed: int) -> None:
    low, *laid = piles.laid(rng(seed), a_crop(), 14.0).marks
    for mark in laid:
        beside = far(low, mark) > mark.size_px
        assert mark.face == ALONE if beside else mark.face in (PERCHED, IGNORED)
        assert beside or low.face == IGNORED, "nobody judges what is covered"


def test_nothing_is_laid_where_no_die_is_large_enough() -> None:
    small = Crop(a_crop().image_bgr, (Mark(80, 80, 9, 0.0, 4),), None)
    assert [mark.face for mark in piles.laid(rng(), small, 14.0).marks] == [ALONE]


def test_drawn_piles_have_their_upper_die_in_every_second_crop() -> None:
    made = [crop for seed in (1, 2, 5) for crop in heaps.scene_piles(rng(seed), seed, 4)]
    assert any(mark.face == PERCHED for crop in made for mark in crop.marks)


def test_where_the_border_leaves_a_die_out_nobody_judges_the_upper_one() -> None:
    scene = next(s for s in (throw(seed, count=(3, 3), level=STACKED) for seed in SEEDS) if heaps._lifted(s))
    picture = render(scene, 320, 240)
    lacking = Picture(picture.image_bgr, picture.truth[1:])
    assert [label.face for label in heaps._labels(scene, lacking)][-1] == IGNORED


def test_prints_are_told_from_dice() -> None:
    """Of drawn crops with seeds that nothing was trained on, nor chosen by."""
    made = [crop for seed in range(6_200_000, 6_200_018) for crop in flat.flat_scenes(rng(seed), seed, 3)]
    said = [
        (m.face, perched.flat_odds(c.image_bgr, [(m.x_px, m.y_px, m.size_px)])[0])
        for c in made
        for m in c.marks
        if m.face != IGNORED and whole(m)
    ]
    prints, dice = ([odds > 0 for face, odds in said if face == kind] for kind in (flat.FLAT, ALONE))
    assert len(prints) >= 8
    assert len(dice) >= 8
    assert np.mean(prints) > 0.75 > 0.25 > np.mean(dice)


def whole(mark: Mark) -> bool:
    """Whether a mark is of a die as large as those learned from, well within its crop."""
    within = all(0.6 * mark.size_px < v < crops.SIDE_PX - 0.6 * mark.size_px for v in (mark.x_px, mark.y_px))
    return within and 18 < mark.size_px < 60


@pytest.mark.parametrize("kind", ["perched", "flat"])
def test_it_is_trained_and_gone_on_with(kind: str, tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="needs the extra [train]")
    pytest.importorskip("onnx", reason="needs the extra [train]")
    from vision.training.nets import perched_export, perched_fit
    from vision.training.nets.export import smoothed, write
    from vision.training.nets.perched_net import PerchedNet

    crops.save(tmp_path / "painted-000.npz", crops.pack(piles.pile(rng(n)) for n in range(12)))
    crops.save(tmp_path / "printed-000.npz", crops.pack(flat.printed(rng(n)) for n in range(4)))
    perched_fit.find_dice(tmp_path)
    for steps in (2, 3):
        path = perched_fit.fit_perched(perched_fit.plan(tmp_path, tmp_path / "run", steps, 1, 1), kind)
        assert torch.load(path, weights_only=True)["step"] == steps
    trained, model = smoothed(PerchedNet(), path), tmp_path / "perched.onnx"
    write(trained, perched_export.graph(trained), model, {})
    shown = perched.surroundings(paint(rng(3)).image_bgr, [(80, 80, 30)])[:, :, LAPS]
    (odds,) = net.load(model).answers(shown, ("odds",))
    with torch.no_grad():
        np.testing.assert_allclose(odds, trained(torch.from_numpy(shown)).numpy(), atol=1e-4)
