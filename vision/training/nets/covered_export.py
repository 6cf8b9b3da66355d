"""The net that sees parts of dice as an ONNX file for every OpenCV from 4.6 on, and reference answers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper

from vision.training.nets.covered_cells import WHOLE
from vision.training.nets.covered_net import FEATURES, CoveredNet
from vision.training.nets.export import Graph, packed

CELLS = WHOLE.cells
"""Along a side of the features that the file names as its input; it takes any number."""


def graph(net: CoveredNet) -> onnx.ModelProto:
    """The net as an ONNX model with the output "odds", for features of any height and width."""
    g = Graph()
    x = g.block(g.block("features", "wide", net.layers[0]), "narrow", net.layers[1])
    g.conv(x, "odds", net.layers[2])
    features = helper.make_tensor_value_info("features", TensorProto.FLOAT, [1, FEATURES, CELLS, CELLS])
    odds = helper.make_tensor_value_info("odds", TensorProto.FLOAT, [1, 1, CELLS, CELLS])
    return packed(helper.make_graph(g.nodes, "covered", [features], [odds], g.weights))


def reference(net: CoveredNet, path: Path) -> None:
    """Record what the training framework itself answers for features like the first net's, for the tests."""
    rng = np.random.default_rng(43)
    features = np.maximum(rng.normal(0, 1, (1, FEATURES, CELLS, CELLS)), 0).astype(np.float32)
    with torch.no_grad():
        odds = net(torch.from_numpy(features)).numpy()
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(path, features=features, odds=odds)
