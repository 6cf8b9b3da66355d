"""The files of the shipped nets."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from vision.learned import classifier, net

MODELS = (net.MODEL, classifier.CLASSIFIER_MODEL)


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.stem)
def test_a_model_is_the_one_recorded(model: Path) -> None:
    record, data = json.loads(model.with_suffix(".json").read_text()), model.read_bytes()
    assert (record["sha256"], record["bytes"]) == (hashlib.sha256(data).hexdigest(), len(data))


def test_all_models_together_stay_small() -> None:
    assert sum(model.stat().st_size for model in MODELS) < 2_000_000


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.stem)
def test_a_model_has_its_figures_recorded(model: Path) -> None:
    counts = json.loads(model.with_suffix(".json").read_text())["figures"]
    assert 0 < counts["right"] <= counts["found"] <= counts["dice"]
