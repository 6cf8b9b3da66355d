"""The files of crops: the same from any number of processes."""

import json
from collections.abc import Iterable
from dataclasses import replace
from fnmatch import fnmatch
from functools import partial

import cv2
import numpy as np
import pytest

from lab.training import crop_files, observed, stages
from lab.training.crop_files import CropFile
from lab.training.pictures.crops import load
from lab.training.recipe import SETS, Recipe, small
from lab.training.workers import shared
from vision.learned.maps import Detection

pytestmark = pytest.mark.slow


@pytest.fixture
def recipe(tmp_path):
    """Little of everything, without photographs."""
    whole = Recipe(tmp_path / "work", None, tmp_path / "dice.onnx", tmp_path / "reference.npz")
    return replace(small(whole), per_file=4, bare=2)


@pytest.fixture
def pool(recipe, tmp_path):
    """Two photographs of each set, with a die in the middle of each."""
    for name in SETS:
        (tmp_path / "photos" / name).mkdir(parents=True)
        for file in ("a.png", "b.png"):
            cv2.imwrite(str(tmp_path / "photos" / name / file), np.full((200, 300, 3), 90, np.uint8))
        die = {"x": 0.5, "y": 0.5, "size": 0.1, "face": 4, "box": [0.15, 0.2]}
        labels = {file: {"dice": [die]} for file in ("a.png", "b.png")}
        (tmp_path / "photos" / name / "labels.json").write_text(json.dumps(labels))
    return replace(recipe, photos=tmp_path / "photos", mined=0)


def contents(recipe: Recipe, files: Iterable[CropFile], folder: str, jobs: int) -> dict[str, bytes]:
    crop_files.write(recipe.work / folder, files, jobs)
    return {path.name: load(path).images.tobytes() for path in (recipe.work / folder).iterdir()}


def test_two_processes_make_what_one_makes(recipe):
    one = contents(recipe, crop_files.drawn(recipe), "one", jobs=1)
    assert {*one} == {f"{kind}-000.npz" for kind in ("scened", "painted", "close", "bare")} | {"bare-001.npz"}
    assert one == contents(recipe, crop_files.drawn(recipe), "two", jobs=2)


def test_the_order_in_which_files_are_made_changes_nothing(recipe):
    files = [*crop_files.painted(recipe), *crop_files.grounds(recipe)]
    assert contents(recipe, files, "one", jobs=1) == contents(recipe, files[::-1], "two", jobs=1)


def test_a_file_that_is_there_is_not_made_again(recipe):
    files = [*crop_files.grounds(recipe)]
    crop_files.write(recipe.crops, files, jobs=1)
    before = [path.stat().st_mtime_ns for path in sorted(recipe.crops.iterdir())]
    crop_files.write(recipe.crops, files, jobs=1)
    assert [path.stat().st_mtime_ns for path in sorted(recipe.crops.iterdir())] == before


def test_no_two_files_share_a_seed_or_a_name(pool, monkeypatch):
    monkeypatch.setattr(observed, "see", lambda image, model: [])
    many = replace(pool, painted=12, scened=12, backed=12, bare=12, mined=12)
    files = [*crop_files.drawn(many), *crop_files.mined(many), *crop_files.photographed(many)]
    assert len({file.seed for file in files}) == len(files)
    assert len({(file.kind, file.number) for file in files}) == len(files)


def test_each_set_of_photographs_has_files_of_its_own(pool, monkeypatch):
    faces = (0.0, 0.0, 0.0, 0.0, 0.9, 0.0, 0.0)
    die = Detection(152.0, 100.0, 30.0, 0.0, 0.9, faces)
    thing = Detection(40.0, 40.0, 30.0, 0.0, 0.9, faces)
    monkeypatch.setattr(observed, "see", lambda image, model: [die, thing])
    made = contents(pool, crop_files.photographed(pool), "one", jobs=1)
    for name in SETS:
        kinds = {path.partition("-0")[0] for path in made if name in path}
        assert kinds == {f"photos-{name}", f"mined-{name}"}
        (mined,) = (pool.work / "one").glob(f"mined-{name}-*.npz")
        assert len(load(mined)) == 2, "one thing in each photo, aimed at; the die is none"


def test_every_share_of_a_batch_is_of_files_that_are_made(pool, monkeypatch):
    monkeypatch.setattr(observed, "see", lambda image, model: [])
    both = replace(pool, mined=1, traced=pool.photos / "pxl" if pool.photos else None)
    files = [*crop_files.drawn(both), *crop_files.mined(both), *crop_files.photographed(both)]
    names = [f"{file.kind}-{file.number:03d}.npz" for file in files]
    for pattern in {*stages.MIX, *stages.FIRST_MIX}:
        assert [name for name in names if fnmatch(name, pattern)], pattern
    for name in names:
        found = [pattern for pattern in stages.MIX if fnmatch(name, pattern)]
        assert len(found) == (not name.startswith("bare")), "bare grounds are for the crop classifier"


def test_what_a_process_raises_is_raised():
    with pytest.raises(ValueError, match="invalid literal"):
        shared(int, ["1", "x"], jobs=2)


def test_results_come_in_the_order_of_the_items():
    assert shared(partial(pow, 2), range(12), jobs=2) == [2**n for n in range(12)]
