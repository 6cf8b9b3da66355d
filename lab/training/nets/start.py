"""A net to train that answers as an exported model does: what was learned once need not be learned again.

The file has the batch norms folded into the convolutions. Each norm is put back so that it changes nothing
for the statistics that it meets on `pictures`, and training goes on from there.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn

from lab.training.nets.classifier_net import ClassifierNet
from lab.training.nets.model import Net

AnyNet = TypeVar("AnyNet", Net, ClassifierNet)
Layers = Iterator[tuple[str, nn.Module, nn.Module | None]]
Weights = dict[str, Tensor]


def started(net: AnyNet, model: Path, pictures: Tensor) -> AnyNet:
    """`net` with the weights of the ONNX file `model`.

    `pictures` (n, 3, h, w), BGR from 0 to 1, give its norms' statistics. Raises KeyError where the file is
    not of this net.
    """
    _settle(with_weights(net, weights_of(onnx.load(str(model)))), pictures)
    return net


def with_weights(net: AnyNet, weights: Weights) -> AnyNet:
    """`net` with these weights, its norms changing nothing but by the bias."""
    for name, layer, norm in _layers(net):
        layer.weight.data.copy_(weights[f"{name}.w"])
        if norm is None:
            layer.bias.data.copy_(weights[f"{name}.b"])
        else:
            _plain(norm, weights[f"{name}.b"])
    return net


def weights_of(model: onnx.ModelProto) -> Weights:
    """The weights of an exported model by name."""
    return {t.name: torch.from_numpy(numpy_helper.to_array(t).copy()) for t in model.graph.initializer}


def blended(one: Weights, other: Weights, share: float) -> Weights:
    """`share` of one model and the rest of the other: two of one lineage average to a better one.

    After Wortsman and others, "Model soups", 2022.
    """
    return {name: torch.lerp(other[name], weight, share) for name, weight in one.items()}


def _layers(net: Net | ClassifierNet) -> Layers:
    """Every convolution with the name that the exported graph gives it, and its norm."""
    return _of_classifier(net) if isinstance(net, ClassifierNet) else _of_detector(net)


def _of_classifier(net: ClassifierNet) -> Layers:
    blocks = [("stem", net.stem), ("down0", net.down[0]), ("deep0", net.deep[0]), ("whole0", net.whole[0])]
    for part, number in (("down", 1), ("down", 2), ("deep", 1), ("whole", 1)):
        blocks += _of_residual(f"{part}{number}", getattr(net, part)[number])
    yield from ((name, block[0], block[1]) for name, block in blocks)
    yield "last", net.last, None


def _of_detector(net: Net) -> Layers:
    blocks = [*((f"stem{n}", block) for n, block in enumerate(net.stem)), ("body0", net.body[0])]
    blocks += [("wide0", net.wide[0]), ("deep0", net.deep[0])]
    for part, number in (("body", 1), ("body", 2), ("wide", 1), ("deep", 1), ("deep", 2)):
        blocks += _of_residual(f"{part}{number}", getattr(net, part)[number])
    blocks += [("meet", net.meet), ("join", net.join), ("head0", net.head[0])]
    yield from ((name, block[0], block[1]) for name, block in blocks)
    plain = {"rise": net.rise, "climb": net.climb, "faces": net.head[1]}
    yield from ((name, layer, None) for name, layer in plain.items())


def _of_residual(name: str, residual: nn.Module) -> list[tuple[str, nn.Module]]:
    return [(f"{name}.1", residual.first), (f"{name}.2", residual.second)]


def _plain(norm: nn.Module, bias: Tensor) -> None:
    """A norm that only adds the bias."""
    norm.running_mean.zero_()
    norm.running_var.fill_(1 - norm.eps)
    norm.weight.data.fill_(1.0)
    norm.bias.data.copy_(bias)


@torch.no_grad()  # type: ignore[untyped-decorator]
def _settle(net: nn.Module, pictures: Tensor) -> None:
    """Give each norm the mean and variance it meets, and the gain and bias that undo them."""
    met: dict[nn.Module, tuple[Tensor, Tensor]] = {}

    def meet(norm: nn.Module, inputs: tuple[Tensor, ...], _: Any) -> None:
        met[norm] = (inputs[0].mean((0, 2, 3)), inputs[0].var((0, 2, 3)))

    hooks = [m.register_forward_hook(meet) for m in net.modules() if isinstance(m, nn.BatchNorm2d)]
    net.eval()
    net(pictures)
    for hook in hooks:
        hook.remove()
    for norm, (mean, variance) in met.items():
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(variance)
        norm.weight.data.copy_(torch.sqrt(variance + norm.eps))
        norm.bias.data.add_(mean)
    net.train()
