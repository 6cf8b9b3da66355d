"""The features of dice in general belong to the net that is shipped."""

import numpy as np
import pytest

from lab.training.weights import features
from vision import fits
from vision.learned import MODEL

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def measured():
    return features.measured(MODEL, scenes=10)


@pytest.mark.parametrize("name", ["mean", "spread"])
def test_the_shipped_rows_are_those_of_the_shipped_net(name, measured):
    """Another net has its features in another order."""
    shipped = np.array(fits.weights("features")[name])
    alike = np.corrcoef(shipped, np.array(measured[name]))[0, 1]
    others = [np.corrcoef(shipped, np.roll(measured[name], by))[0, 1] for by in range(1, len(shipped))]
    assert alike > max(others) + 0.3


def test_a_model_that_is_not_there_is_named(capsys):
    with pytest.raises(SystemExit, match="2"):
        features.main(["--model", "none.onnx"])
    assert "there is no model none.onnx: train one, or leave --model away" in capsys.readouterr().err
