"""A trained network, as it stands in its ONNX file, made ready to be trained on."""

from __future__ import annotations

from pathlib import Path

import onnx
import torch
from onnx import numpy_helper
from torch import nn


def resume(net: nn.Module, file: Path, examples: torch.Tensor) -> None:
    """Give ``net`` the weights of a file; ``examples``: enough input to tell what is usual.

    The file has each normalisation folded into the layer before it. They are parted again such that
    the network answers as before, with the examples' means and spreads in the place of those that
    it was trained with.
    """
    weights = _weights(file)
    layers = list(net.modules())
    norms: list[tuple[nn.Conv2d, nn.BatchNorm2d]] = []
    with torch.no_grad():
        for number, layer in enumerate(layers):
            if not isinstance(layer, nn.Conv2d | nn.Linear):
                continue
            weight, bias = next(weights)
            layer.weight.copy_(weight)
            if layer.bias is not None:
                layer.bias.copy_(bias)
                continue
            norm = layers[number + 1]
            assert isinstance(layer, nn.Conv2d)
            assert isinstance(norm, nn.BatchNorm2d)
            norm.weight.fill_(1.0)
            norm.bias.copy_(bias)
            norm.running_mean.zero_()  # type: ignore[union-attr]
            norm.running_var.fill_(1.0 - norm.eps)  # type: ignore[union-attr]
            norms.append((layer, norm))
        _part(net.eval(), norms, examples)


def _weights(file: Path):  # type: ignore[no-untyped-def]
    """Weight and bias of each layer, in the order of the layers."""
    graph = onnx.load(str(file)).graph
    arrays = {one.name: torch.tensor(numpy_helper.to_array(one)) for one in graph.initializer}
    for node in graph.node:
        if node.op_type in ("Conv", "Gemm"):
            yield tuple(arrays[name] for name in node.input[1:])


def _part(
    net: nn.Module, norms: list[tuple[nn.Conv2d, nn.BatchNorm2d]], examples: torch.Tensor
) -> None:
    seen: dict[nn.Module, tuple[torch.Tensor, torch.Tensor]] = {}

    def note(layer: nn.Module, _: object, out: torch.Tensor) -> None:
        seen[layer] = out.mean(dim=(0, 2, 3)), out.var(dim=(0, 2, 3))

    hooks = [layer.register_forward_hook(note) for layer, _ in norms]
    net(examples)
    for hook in hooks:
        hook.remove()
    for layer, norm in norms:
        mean, variance = seen[layer]
        norm.running_mean.copy_(mean)  # type: ignore[union-attr]
        norm.running_var.copy_(variance)  # type: ignore[union-attr]
        norm.weight.copy_((variance + norm.eps).sqrt())
        norm.bias += mean
