"""A net that looks round dice as an ONNX file for every OpenCV from 4.6 on, and reference answers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper

from vision.learned.surroundings import LAPS, STEPS
from vision.training.nets.export import Graph, packed
from vision.training.nets.round_net import LEFT, TRAITS, RoundNet


def graph(net: RoundNet) -> onnx.ModelProto:
    """The net as an ONNX model with the output "odds", for the surroundings of one die."""
    g, x = Graph(), "surroundings"
    for number, layer in enumerate(net.layers):
        x = g.block(x, f"layer{number}", layer)
    kernel = [LEFT[0], 1]
    pooled = [
        g.add(kind, [x], kind, kernel_shape=kernel, strides=kernel) for kind in ("MaxPool", "AveragePool")
    ]
    g.add("Flatten", [g.conv(g.add("Concat", pooled, "both", axis=1), "last", net.last)], "odds", axis=1)
    seen = helper.make_tensor_value_info("surroundings", TensorProto.FLOAT, [1, TRAITS, len(LAPS), STEPS])
    odds = helper.make_tensor_value_info("odds", TensorProto.FLOAT, [1, 1])
    return packed(helper.make_graph(g.nodes, "round", [seen], [odds], g.weights))


def reference(net: RoundNet, path: Path) -> None:
    """Record what the training framework itself answers for something like surroundings, for the tests."""
    rng = np.random.default_rng(47)
    seen = rng.normal(0.5, 0.5, (1, TRAITS, len(LAPS), STEPS)).astype(np.float32)
    with torch.no_grad():
        odds = net(torch.from_numpy(seen)).numpy()
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(path, surroundings=seen, odds=odds)
