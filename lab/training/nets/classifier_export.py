"""The crop classifier as an ONNX file for every OpenCV from 4.6 on, and reference answers for its tests."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper

from lab.training.nets.classifier_net import CLASSES, WIDTHS, ClassifierNet
from lab.training.nets.export import Graph, packed
from lab.training.pictures.crops import SIDE_PX as CROP_PX
from lab.training.pictures.painted import paint
from vision.learned.classifier import SIDE_PX


def graph(net: ClassifierNet) -> onnx.ModelProto:
    """The net as an ONNX model with outputs "classes" and "features", for any number of patches."""
    g = Graph()
    x = g.block("image", "stem", net.stem)
    x = g.block(x, "down0", net.down[0])
    x = g.residual(g.residual(x, "down1", net.down[1]), "down2", net.down[2])
    x = g.residual(g.block(x, "deep0", net.deep[0]), "deep1", net.deep[1])
    x = g.residual(g.block(x, "whole0", net.whole[0]), "whole1", net.whole[1])
    mean = g.add("GlobalAveragePool", [x], "mean")
    g.add("Flatten", [mean], "features", axis=1)
    g.add("Flatten", [g.conv(mean, "last", net.last)], "classes", axis=1)
    image = helper.make_tensor_value_info("image", TensorProto.FLOAT, ["n", 3, SIDE_PX, SIDE_PX])
    classes = helper.make_tensor_value_info("classes", TensorProto.FLOAT, ["n", CLASSES])
    features = helper.make_tensor_value_info("features", TensorProto.FLOAT, ["n", WIDTHS[-1]])
    return packed(helper.make_graph(g.nodes, "classifier", [image], [classes, features], g.weights))


def reference(net: ClassifierNet, path: Path, count: int = 6) -> None:
    """Record what the training framework itself answers for painted dice, for the tests of the file."""
    cut = slice((CROP_PX - SIDE_PX) // 2, (CROP_PX + SIDE_PX) // 2)
    patches = np.stack([paint(np.random.default_rng([37, n])).image_bgr[cut, cut] for n in range(count)])
    with torch.no_grad():
        features = net.features(torch.from_numpy(patches).permute(0, 3, 1, 2).float() / 255)
        answers = {"classes": net.last(features).flatten(1), "features": features.flatten(1)}
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(path, patches=patches, **{name: answer.numpy() for name, answer in answers.items()})
