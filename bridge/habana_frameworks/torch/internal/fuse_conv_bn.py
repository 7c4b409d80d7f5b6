# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Convolutions that have the batch norms after them in their weights, for inference."""
import copy
from typing import Any

import torch
from torch import fx
from torch.nn.utils import fusion

fuse_conv_bn_eval = fusion.fuse_conv_bn_eval
fuse_conv_bn_weights = fusion.fuse_conv_bn_weights

_PAIRS = {torch.nn.Conv1d: torch.nn.BatchNorm1d, torch.nn.Conv2d: torch.nn.BatchNorm2d,
          torch.nn.Conv3d: torch.nn.BatchNorm3d}


def check_for_inference_mode(model: torch.nn.Module) -> bool:
    """Whether no part of it is trained."""
    return not any(each.training for each in model.modules())


def check_for_model_device(model: torch.nn.Module) -> bool:
    """Whether all parameters are on a card."""
    return all(each.device.type == "hpu" for each in model.parameters())


def replace_node_module(node: fx.Node, modules: dict[str, Any], new_module: torch.nn.Module):
    """The module that a node of a graph calls becomes `new_module`, also in `modules`."""
    owner, _, name = str(node.target).rpartition(".")
    modules[str(node.target)] = new_module
    setattr(modules[owner], name, new_module)


def _pair(node: fx.Node, modules: dict[str, Any]):
    """The convolution and the norm, if a node is a norm of nothing but a convolution."""
    before = node.args[0] if node.op == "call_module" and node.args else None
    if not isinstance(before, fx.Node) or before.op != "call_module" or len(before.users) > 1:
        return None
    conv, norm = modules[str(before.target)], modules[str(node.target)]
    if _PAIRS.get(type(conv)) is not type(norm) or norm.running_mean is None:
        return None
    return before, conv, norm


def fuse(model: torch.nn.Module) -> torch.nn.Module:
    """A copy of a model in inference mode, traced by torch.fx, in which a convolution and the batch
    norm that alone takes its result are one convolution."""
    if not check_for_inference_mode(model):
        raise ValueError("fuse() takes a model in inference mode; call model.eval() first")
    graph = fx.symbolic_trace(copy.deepcopy(model))
    modules = dict(graph.named_modules())
    calls: dict[str, int] = {}
    for node in graph.graph.nodes:
        if node.op == "call_module":
            calls[str(node.target)] = calls.get(str(node.target), 0) + 1
    for node in list(graph.graph.nodes):
        pair = _pair(node, modules)
        if pair is None or calls[str(pair[0].target)] > 1:
            continue
        before, conv, norm = pair
        replace_node_module(before, modules, fuse_conv_bn_eval(conv, norm))
        node.replace_all_uses_with(before)
        graph.graph.erase_node(node)
    graph.delete_all_unused_submodules()
    graph.recompile()
    return graph
