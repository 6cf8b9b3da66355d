"""What lies about a die: what the nets that look round it are shown, what they answer, how they learn."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.pictures import Image
from vision.agreement import relief
from vision.learned import net, perched, surroundings
from vision.learned.surroundings import LAPS, RAYS, STEPS, about, mirrored
from vision.scenes import render, throw
from vision.training.pictures import crops, flat
from vision.training.pictures import perched as piles
from vision.training.pictures.painted import paint

SIDE = 60
PLACE = (150.5, 150.5, SIDE)


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


@pytest.mark.parametrize("model", [perched.MODEL_PERCHED, relief.MODEL_FLAT], ids=lambda m: m.stem)
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
    body, ground, *_ = about(a_square(), [PLACE])[0]
    assert body.shape == (RAYS, STEPS)
    assert float(body[:, :2].max()) < 0.02, "a third of a side from the middle is the face"
    assert float(ground[:, -4:].max()) < 0.02, "more than a side from it is the ground"


def test_a_turned_die_is_the_same_along_other_rays() -> None:
    straight, turned = (about(a_square(turn), [PLACE])[0] for turn in (0.0, 30.0))
    rolled = np.roll(straight, RAYS * 30 // 360, axis=1)
    assert float(np.abs(turned - rolled).mean()) < 0.03


def test_light_matters_little() -> None:
    bright = about(a_square(), [PLACE])[0]
    dim = about(np.asarray(a_square() * 0.6, np.uint8), [PLACE])[0]
    assert float(np.abs(bright[:2] - dim[:2]).mean()) < 0.1


class Asked:
    """A net that says how much lighter than the ground the face is, and counts how often it was asked."""

    def __init__(self) -> None:
        self.times = 0

    def answers(self, seen: Image, _: object) -> list[Image]:
        self.times += 1
        return [np.array([[seen[0, 2, :, 0].mean()]])]


def test_looked_at_again_the_mean_of_a_tone_counts_and_of_tones_the_least() -> None:
    asked, image = Asked(), a_square()
    each = [surroundings.odds_again(image, PLACE, asked, (tone,)) for tone in (0.5, 1.0, 2.0)]
    assert asked.times == 3 * 2 * len(surroundings.SIZES), "in each size, mirrored or not"
    assert len({round(one, 3) for one in each}) == 3, "a tone changes how light things are"
    assert surroundings.odds_again(image, PLACE, asked, (0.5, 1.0, 2.0)) == pytest.approx(min(each))
    assert surroundings.odds_again(image, PLACE, asked) == pytest.approx(each[1]), "as it is"


def test_the_laps_go_all_the_way_round_and_begin_again() -> None:
    assert set(LAPS) == set(range(RAYS))
    assert (LAPS[:6] == LAPS[RAYS : RAYS + 6]).all()


def test_mirrored_surroundings_are_those_of_the_mirrored_picture() -> None:
    picture = render(throw(7_510_000, count=(3, 6), difficulty="easy"), 1000, 750)
    die = picture.truth[-1]
    width = picture.image_bgr.shape[1]
    plain = about(picture.image_bgr, [(die.x_px, die.y_px, die.size_px)])
    flipped = np.ascontiguousarray(picture.image_bgr[:, ::-1])
    wanted = about(flipped, [(width - die.x_px, die.y_px, die.size_px)])
    # rays run from 0 degrees on in both: mirrored, the last of them comes where half a turn less one ray was
    turned = np.roll(mirrored(plain), RAYS // 2 + 1, axis=2)
    assert np.corrcoef(turned.ravel(), wanted.ravel())[0, 1] > 0.9


@pytest.mark.parametrize("kind", ["perched", "flat"])
def test_it_is_trained_and_gone_on_with(kind: str, tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="needs the extra [train]")
    pytest.importorskip("onnx", reason="needs the extra [train]")
    from vision.training.nets import round_export, round_fit
    from vision.training.nets.export import smoothed, write
    from vision.training.nets.round_net import RoundNet

    crops.save(tmp_path / "painted-000.npz", crops.pack(piles.pile(rng(n)) for n in range(12)))
    crops.save(tmp_path / "printed-000.npz", crops.pack(flat.printed(rng(n)) for n in range(4)))
    round_fit.find_dice(tmp_path)
    for steps in (2, 3):
        path = round_fit.fit_round(round_fit.plan(tmp_path, tmp_path / "run", steps, 1, 1), kind)
        assert torch.load(path, weights_only=True)["step"] == steps
    trained, model = smoothed(RoundNet(), path), tmp_path / "perched.onnx"
    write(trained, round_export.graph(trained), model, {})
    shown = about(paint(rng(3)).image_bgr, [(80, 80, 30)])[:, :, LAPS]
    (odds,) = net.load(model).answers(shown, ("odds",))
    with torch.no_grad():
        np.testing.assert_allclose(odds, trained(torch.from_numpy(shown)).numpy(), atol=1e-4)
