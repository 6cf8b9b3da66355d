"""The batches that the nets are trained on: pictures and their truth, varied together; needs torch."""

import numpy as np
import pytest

from lab.training.pictures import crops
from lab.training.pictures.crops import SIDE_PX, Crop, Mark

torch = pytest.importorskip("torch", reason="needs the extra [train]")

from lab.training.nets import feed, patches, targets, variation  # noqa: E402
from lab.training.nets.classifier_fit import PlaceFeed  # noqa: E402

pytestmark = pytest.mark.slow


def generator(seed: int = 1) -> object:
    return torch.Generator().manual_seed(seed)


def one_crop(x: float = 45, y: float = 92, face: int = 5) -> crops.CropSet:
    image = np.zeros((SIDE_PX, SIDE_PX, 3), np.uint8)
    image[int(y) - 3 : int(y) + 4, int(x) - 3 : int(x) + 4] = 255
    return crops.pack([Crop(image, (Mark(x, y, 30, 10, face),), np.array([[x, y, 3]], np.float32))])


@pytest.mark.parametrize("move", range(8))
def test_targets_turn_with_their_pictures(move):
    one = one_crop()
    number, moves = torch.zeros(1, dtype=torch.long), torch.tensor([move])
    truth = targets.truth_of(one).batch(number, moves)
    picture = variation.turned(torch.from_numpy(one.images), moves)[0, :, :, 0]
    row, col = divmod(int(truth.heatmap.argmax()), SIDE_PX // 8)
    x, y = targets.moved(torch.tensor([[45.0, 92.0]]), moves)[0].tolist()
    assert (row, col) == (int(y // 8), int(x // 8))
    there = torch.nonzero(picture == 255).float().mean(0).tolist()
    assert there == pytest.approx([y, x], abs=1), "the picture and its marks move alike"
    assert truth.face.unique().tolist() == [5]


def test_marks_of_several_sets_stay_with_their_crops():
    tables = [targets.truth_of(one_crop(44 + 16 * n, 60, n)) for n in (1, 2, 3)]
    joined = targets.joined(tables)
    for number, face in enumerate((1, 2, 3)):
        truth = joined.batch(torch.tensor([number]), torch.zeros(1, dtype=torch.long))
        assert set(truth.face.tolist()) == {face}
        assert int(truth.heatmap.argmax()) % (SIDE_PX // 8) == (44 + 16 * face) // 8


def test_a_crop_without_dice_asks_for_nothing_but_an_empty_map():
    empty = crops.pack([Crop(np.zeros((SIDE_PX, SIDE_PX, 3), np.uint8), (), None)])
    truth = targets.truth_of(empty).batch(torch.zeros(1, dtype=torch.long), torch.zeros(1, dtype=torch.long))
    assert float(truth.heatmap.max()) == 0
    assert len(truth.at) == 0
    assert float(truth.pips_weight.max()) == 0, "its pips are not known"


@pytest.mark.parametrize("seed", range(8))
def test_a_shadow_darkens_a_part_and_leaves_a_part(seed, monkeypatch):
    monkeypatch.setattr(variation, "SHADED", 1.0)
    left = variation._shaded(torch.ones(4, 3, 64, 64), generator(seed))
    assert float(left.amax((1, 2, 3)).min()) > 0.97
    assert 0.1 < float(left.min()) < 0.8


def test_varied_pictures_stay_pictures():
    images = torch.randint(0, 256, (16, 64, 64, 3), dtype=torch.uint8)
    seen = variation.varied(images, torch.arange(16) % 8, generator())
    assert seen.shape == (16, 3, 64, 64)
    assert seen.is_contiguous(memory_format=torch.channels_last)
    assert 0 <= float(seen.min()) < float(seen.max()) <= 1


def test_a_seed_varies_pictures_alike_whatever_else_is_drawn():
    images, moves = torch.randint(0, 256, (16, 64, 64, 3), dtype=torch.uint8), torch.arange(16) % 8
    one = variation.varied(images, moves, generator())
    torch.rand(1)
    assert torch.equal(one, variation.varied(images, moves, generator()))


def test_patches_show_their_place_in_the_middle(monkeypatch):
    monkeypatch.setattr(variation, "SHADED", 0.0)
    image = np.zeros((1, SIDE_PX, SIDE_PX, 3), np.uint8)
    image[0, 40:60, 90:110] = 255
    rows = torch.tensor([[0.0, 100, 50, 20, 5]] * 20, dtype=torch.float64)
    seen = patches.patches(torch.from_numpy(image)[rows[:, 0].long()], rows, generator())
    assert seen.shape == (20, 3, 64, 64)
    for patch in seen * 255:
        middle, corner = patch[:, 28:36, 28:36].mean(), patch[:, :6, :6].mean()
        assert abs(float(middle - corner)) > 20, "the face is told from what is round it"


def test_each_kind_of_crops_has_its_share_and_new_files_join(tmp_path):
    crops.save(tmp_path / "painted-000.npz", crops.pack([*_plain(1, 30)]))
    found = feed.CropFeed(tmp_path, {"painted-*.npz": 0.75, "scened-*.npz": 0.25}, 8, [1], room=4)
    assert found.files == (tmp_path / "painted-000.npz",)
    crops.save(tmp_path / "scened-000.npz", crops.pack([*_plain(2, 5)]))
    found.refresh()
    assert len(found.files) == 2
    faces = torch.cat([found.batch()[1].face.unique() for _ in range(60)])
    drawn = torch.cat([found.batch()[1].face for _ in range(60)])
    assert set(faces.tolist()) == {1, 2}
    assert 0.6 < float((drawn == 1).float().mean()) < 0.9, "not by the number of crops, 30 to 5"


def _plain(face: int, count: int) -> list[Crop]:
    image = np.zeros((SIDE_PX, SIDE_PX, 3), np.uint8)
    return [Crop(image, (Mark(80, 80, 30, 10, face),), None)] * count


@pytest.mark.parametrize(
    "empty",
    [lambda at: feed.CropFeed(at, {"painted-*.npz": 1.0}, 8, [1]), lambda at: PlaceFeed(at, [1])],
    ids=["detector", "crop classifier"],
)
def test_no_crops_are_reported(empty, tmp_path):
    with pytest.raises(FileNotFoundError, match="paint some first"):
        empty(tmp_path)
