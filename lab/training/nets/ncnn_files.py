"""The files of a net for ncnn, made of its ONNX file: the graph as .param, the weights as .bin.

`python -m lab.training.nets.ncnn_files vision/models/dice.onnx vision/models/classifier.onnx`

A ReLU after a convolution of its own is a part of it. What several layers take is split, once for each.
"""

from __future__ import annotations

import struct
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import helper, numpy_helper

MAGIC = 7767517
FULL_PRECISION = struct.pack("I", 0)
FEW_MAPS = 16
"""A convolution that halves so few large maps is computed directly. Else ncnn lays out nine times as many
numbers first (`use_sgemm_convolution`): 16 MB for 16 maps of a picture of 608 x 720 px, and no time saved."""
DIRECTLY = {31: 1 << 5}
MANY_MAPS = 112
"""A convolution that gives so many maps gets small ones: Winograd's way saves no time there, and keeps four
to seven times the weights."""
AS_WRITTEN = {31: 1 << 6}
CONVOLUTIONS = {"Conv": "Convolution", "ConvTranspose": "Deconvolution"}
SIMPLE = {
    "Relu": ("ReLU", ""),
    "Add": ("BinaryOp", "0=0"),
    "Flatten": ("Flatten", ""),
    "GlobalAveragePool": ("Pooling", "0=1 4=1"),
}


@dataclass(slots=True)
class _Files:
    """The two files while they grow."""

    takers: Counter[str]
    """How many layers take each map, and whether it is an answer as well."""
    layers: list[str] = field(default_factory=list)
    maps: int = 0
    weights: bytes = b""
    _left: dict[str, list[str]] = field(default_factory=dict)

    def layer(self, kind: str, taken: Sequence[str], given: str, facts: str) -> None:
        """Add a layer; its map is split where several take it, the last part under its own name."""
        takers = self.takers[given]
        parts = [*(f"{given}.{n}" for n in range(1, takers)), given]
        whole = f"{given}.0" if takers > 1 else given
        self._add(kind, [self._left[name].pop(0) for name in taken], [whole], facts)
        if takers > 1:
            self._add("Split", [whole], parts, "")
        self._left[given] = parts

    def _add(self, kind: str, taken: Sequence[str], given: Sequence[str], facts: str) -> None:
        name = f"{kind}.{given[0]}"
        words = [kind, name, str(len(taken)), str(len(given)), *taken, *given, facts]
        self.layers.append(" ".join(filter(None, words)))
        self.maps += len(given)

    def graph(self) -> str:
        """The text of .param."""
        return "\n".join([str(MAGIC), f"{len(self.layers)} {self.maps}", *self.layers, ""])


def files(model: onnx.ModelProto) -> tuple[str, bytes]:
    """The contents of .param and .bin; raises KeyError for an operator that none of our nets has."""
    weights = {one.name: numpy_helper.to_array(one) for one in model.graph.initializer}
    answers = [one.name for one in model.graph.output]
    taken = Counter(name for node in model.graph.node for name in node.input if name not in weights)
    made = _Files(taken + Counter(answers))
    merged = dict(_merged(model.graph.node, made.takers))
    pooled = {node.output[0] for node in model.graph.node if node.op_type == "GlobalAveragePool"}
    made.layer("Input", [], model.graph.input[0].name, "")
    for node in model.graph.node:
        given, inputs = node.output[0], [name for name in node.input if name not in weights]
        if node.op_type in CONVOLUTIONS:
            kernels = _added(made, node, weights)
            flat = inputs[0] in pooled
            facts = f"0={len(kernels)} 1=1 2={kernels.size}" if flat else _convolution(node, kernels)
            kind = "InnerProduct" if flat else CONVOLUTIONS[node.op_type]
            made.layer(kind, inputs, merged.get(given, given), f"{facts} 9={int(given in merged)}")
        elif given not in merged.values():
            kind, facts = SIMPLE[node.op_type]
            made.layer(kind, inputs, given, facts)
    return made.graph(), made.weights


def _merged(nodes: Sequence[onnx.NodeProto], takers: Counter[str]) -> Iterator[tuple[str, str]]:
    """The maps of convolutions that nothing but a ReLU takes, each with that one's map."""
    made_by = {node.output[0]: node.op_type for node in nodes}
    for node in nodes:
        source = node.input[0]
        if node.op_type == "Relu" and made_by[source] in CONVOLUTIONS and takers[source] == 1:
            yield source, node.output[0]


def _added(
    made: _Files, node: onnx.NodeProto, weights: Mapping[str, NDArray[np.float32]]
) -> NDArray[np.float32]:
    """The kernels (out, in, height, width) of a convolution, after they and its bias were added to .bin."""
    kernels, bias = (weights[name] for name in node.input[1:])
    if node.op_type == "ConvTranspose":
        kernels = kernels.transpose(1, 0, 2, 3)
    made.weights += FULL_PRECISION + np.ascontiguousarray(kernels, np.float32).tobytes()
    made.weights += bias.astype(np.float32).tobytes()
    return kernels


def _convolution(node: onnx.NodeProto, kernels: NDArray[np.float32]) -> str:
    """The numbers of a convolution, as ncnn knows them."""
    of = {one.name: helper.get_attribute_value(one) for one in node.attribute}
    depth, taken, high, wide = kernels.shape
    numbers = {0: depth, 1: wide, 11: high, 3: of["strides"][1], 13: of["strides"][0], 4: of["pads"][1]}
    numbers |= {14: of["pads"][0], 5: 1, 6: kernels.size}
    if node.op_type == "Conv" and taken <= FEW_MAPS and of["strides"] == [2, 2]:
        numbers |= DIRECTLY
    if node.op_type == "Conv" and depth >= MANY_MAPS and of["strides"] == [1, 1]:
        numbers |= AS_WRITTEN
    return " ".join(f"{key}={number}" for key, number in numbers.items())


def write(path: Path) -> None:
    """Write the files beside an ONNX file."""
    graph, weights = files(onnx.load(str(path)))
    path.with_suffix(".param").write_text(graph)
    path.with_suffix(".bin").write_bytes(weights)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        write(Path(name))
