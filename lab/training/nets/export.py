"""The trained net as an ONNX file that every OpenCV from 4.6 on runs: norms folded, plain operators only."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from torch import nn

from lab.training.nets import ncnn_files
from lab.training.nets.model import CHANNELS, FEATURES, Net
from lab.training.nets.start import AnyNet, blended, weights_of, with_weights
from vision.learned.maps import STRIDE

OPSET = 11
SHAPE = (1, 3, 160, 160)
"""Shape written into the file; being fully convolutional, the net takes any multiple of 32."""


class Graph:
    """Nodes and weights gathered in the order of computing."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.weights: list[onnx.TensorProto] = []

    def add(self, kind: str, inputs: list[str], output: str, **attributes: Any) -> str:
        """One operator; returns the name of its output."""
        self.nodes.append(helper.make_node(kind, inputs, [output], name=output, **attributes))
        return output

    def weight(self, name: str, value: NDArray[np.float32]) -> str:
        """One constant; returns its name."""
        self.weights.append(numpy_helper.from_array(np.ascontiguousarray(value, np.float32), name))
        return name

    def conv(self, source: str, name: str, layer: nn.Module, norm: nn.Module | None = None) -> str:
        """A convolution, its batch norm folded in."""
        weight, bias = _folded(layer, norm)
        names = [source, self.weight(f"{name}.w", weight), self.weight(f"{name}.b", bias)]
        pads = [*layer.padding, *layer.padding]
        spread = {"kernel_shape": list(layer.kernel_size), "strides": list(layer.stride), "pads": pads}
        kind = "ConvTranspose" if isinstance(layer, nn.ConvTranspose2d) else "Conv"
        return self.add(kind, names, name, **spread)

    def block(self, source: str, name: str, block: nn.Sequential) -> str:
        """Convolution, norm and ReLU as `model.conv` makes them."""
        return self.relu(self.conv(source, name, block[0], block[1]))

    def relu(self, source: str) -> str:
        """The larger of zero and the value."""
        return self.add("Relu", [source], f"{source}.relu")

    def residual(self, source: str, name: str, block: nn.Module) -> str:
        """Two convolutions beside a short cut."""
        inner = self.block(source, f"{name}.1", block.first)
        inner = self.conv(inner, f"{name}.2", block.second[0], block.second[1])
        return self.relu(self.add("Add", [source, inner], f"{name}.sum"))


def _folded(layer: nn.Module, norm: nn.Module | None) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    weight = layer.weight.detach().double()
    bias = (
        layer.bias.detach().double() if layer.bias is not None else torch.zeros(layer.out_channels).double()
    )
    if norm is not None:
        gain = norm.weight.detach().double() / torch.sqrt(norm.running_var.double() + norm.eps)
        weight = weight * gain[:, None, None, None]
        bias = (bias - norm.running_mean.double()) * gain + norm.bias.detach().double()
    return weight.float().numpy(), bias.float().numpy()


def graph(net: Net) -> onnx.ModelProto:
    """The net as an ONNX model with outputs "faces" and "features"; its map of pips is for training alone."""
    g, x = Graph(), "image"
    for n, block in enumerate(net.stem):
        x = g.block(x, f"stem{n}", block)
    x = g.block(x, "body0", net.body[0])
    body = g.residual(g.residual(x, "body1", net.body[1]), "body2", net.body[2])
    wide = g.residual(g.block(body, "wide0", net.wide[0]), "wide1", net.wide[1])
    deep = g.residual(g.block(wide, "deep0", net.deep[0]), "deep1", net.deep[1])
    deep = g.conv(g.residual(deep, "deep2", net.deep[2]), "rise", net.rise)
    wide = g.block(g.relu(g.add("Add", [wide, deep], "risen")), "meet", net.meet)
    mixed = g.relu(g.add("Add", [body, g.conv(wide, "climb", net.climb)], "mixed"))
    features = g.add("Relu", [g.conv(mixed, "join", net.join[0], net.join[1])], "features")
    g.conv(g.block(features, "head0", net.head[0]), "faces", net.head[1])
    return _model(g)


def _model(g: Graph) -> onnx.ModelProto:
    _, _, high, wide = SHAPE
    outputs = [("faces", CHANNELS), ("features", FEATURES)]
    values = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, depth, high // STRIDE, wide // STRIDE])
        for name, depth in outputs
    ]
    image = helper.make_tensor_value_info("image", TensorProto.FLOAT, list(SHAPE))
    drawn = helper.make_graph(g.nodes, "dice", [image], values, g.weights)
    return packed(drawn)


def packed(drawn: onnx.GraphProto) -> onnx.ModelProto:
    """The graph as a model of the format that OpenCV reads from 4.6 on."""
    opsets = [helper.make_opsetid("", OPSET)]
    model = helper.make_model(drawn, opset_imports=opsets, producer_name="dudo-companion")
    model.ir_version = 6
    onnx.checker.check_model(model)
    return model


BLEND = 0.6
"""Share of the trained net in one that went on from another model; the rest is that model's."""


def write(model: onnx.ModelProto, path: Path, facts: Mapping[str, str]) -> str:
    """Write a model with `facts` as its metadata, and its files for ncnn. Returns the SHA-256 of it."""
    helper.set_model_props(model, dict(facts))
    data = model.SerializeToString()
    path.write_bytes(data)
    ncnn_files.write(path)
    return hashlib.sha256(data).hexdigest()


def smoothed(net: AnyNet, checkpoint: Path) -> AnyNet:
    """The net, any of ours, with the running mean of a checkpoint's weights, ready to infer."""
    net.load_state_dict(torch.load(checkpoint, map_location="cpu", weights_only=True)["smooth"])
    net.eval()
    return net


def finished(
    net: AnyNet, drawn: Callable[[AnyNet], onnx.ModelProto], checkpoint: Path, start: Path | None
) -> AnyNet:
    """The net with a checkpoint's weights, averaged with the model that it went on from, if there is one.

    `drawn` makes the net's graph, which names its weights.
    """
    smoothed(net, checkpoint)
    if start is not None:
        trained, before = weights_of(drawn(net)), weights_of(onnx.load(str(start)))
        with_weights(net, blended(trained, before, BLEND))
    return net


def reference(net: Net, path: Path, image_bgr: NDArray[np.uint8]) -> None:
    """Record what the training framework itself answers for a picture, for the tests of the exported file."""
    batch = torch.from_numpy(np.ascontiguousarray(image_bgr)).permute(2, 0, 1)[None].float() / 255
    with torch.no_grad():
        faces, pips, features = (t[0].numpy() for t in net(batch))
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(path, image=image_bgr, faces=faces, pips=pips, features=features.astype(np.float16))
