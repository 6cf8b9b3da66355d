"""The files of the shipped nets."""

from pathlib import Path

import pytest

from lab.training.recipe import SETS
from vision.learned import classifier, net

MODELS = (net.MODEL, classifier.CLASSIFIER_MODEL)
NOTICE = Path(__file__).parents[2] / "NOTICE"


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.stem)
def test_a_model_names_the_photographs_it_was_made_of(model):
    data, notice = model.read_bytes(), NOTICE.read_text(encoding="utf-8")
    assert b"made_of" in data
    for name in SETS:
        assert f"photographs: {name}".encode() in data
        assert f"`{name}`" in notice, "their licence asks for it"


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.stem)
def test_a_graph_has_the_name_of_its_file(model):
    onnx = pytest.importorskip("onnx", reason="needs the extra [train]")
    assert onnx.load(str(model)).graph.name == model.stem


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.stem)
def test_the_files_for_ncnn_are_made_of_the_model(model):
    onnx = pytest.importorskip("onnx", reason="needs the extra [train]")
    from lab.training.nets import ncnn_files

    graph, weights = ncnn_files.files(onnx.load(str(model)))
    assert (graph, weights) == (
        model.with_suffix(".param").read_text(),
        model.with_suffix(".bin").read_bytes(),
    )


def test_all_models_together_stay_small():
    assert sum(model.stat().st_size for model in MODELS) < 6_000_000
