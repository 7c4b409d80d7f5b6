# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gradients that PyTorch computes by a formula in which rounding takes what the values had."""
import torch
from torch.fx import GraphModule, Node

from .control_flow import call

aten = torch.ops.aten

# Elements of a dimension for which all pairs are computed, and pairs in all: memory grows with the
# square.
_MOST_ELEMENTS, _MOST_PAIRS = 512, 1 << 24


def rewrite(gm: GraphModule) -> None:
    """Computes the gradient of y = logcumsumexp(x), g[i] exp(x[j] - y[i]) summed over i >= j, from
    the distances x - y. PyTorch's is exp(x + logcumsumexp(log(g) - y)), summed from the end: of a
    y of 10,000 the rounding of log(g) - y alone is 0.0005, and so is that of the result."""
    for node in list(gm.graph.nodes):
        found = _log_sums(node)
        if found is not None:
            node.replace_all_uses_with(_sums(gm, node, *found))
            gm.graph.erase_node(node)


def _operands(node, target: torch._ops.OpOverload) -> tuple:
    """Its operands if it is such an op, whose result one other op reads; else two that are none."""
    if isinstance(node, Node) and node.target is target and len(node.users) == 1 and \
            not node.kwargs and len(node.args) == 2:
        return node.args
    return None, None


def _log_sums(node: Node) -> tuple[Node, Node, Node, int] | None:
    """log(g), x, y and the dimension, of the formula above."""
    if node.target is not aten.exp.default:
        return None
    back, x = _operands(node.args[0], aten.add.Tensor)
    sums, dims = _operands(back, aten.flip.default)
    ahead, dim = _operands(sums, aten.logcumsumexp.default)
    away, other_dims = _operands(ahead, aten.flip.default)
    logs, y = _operands(away, aten.sub.Tensor)
    if not all(isinstance(each, Node) for each in (logs, x, y)):
        return None
    shapes = [each.meta["val"].shape for each in (logs, x, y)]
    # The y of narrow floats is rounded more than anything behind it.
    if shapes != 3 * shapes[:1] or not shapes[0] or node.meta["val"].dtype != torch.float32:
        return None
    places = {each % len(shapes[0]) for each in (dim, *dims, *other_dims)}
    if len(places) != 1 or shapes[0][dim] > _MOST_ELEMENTS or \
            shapes[0].numel() * shapes[0][dim] > _MOST_PAIRS:
        return None
    return logs, x, y, dim


def _sums(gm: GraphModule, node: Node, logs: Node, x: Node, y: Node, dim: int) -> Node:
    def op(target: torch._ops.OpOverload, *args) -> Node:
        return call(gm.graph, target, args, node)

    with gm.graph.inserting_before(node):
        logs, x, y = (op(aten.transpose.int, each, dim, -1) for each in (logs, x, y))
        away = op(aten.sub.Tensor, op(aten.unsqueeze.default, x, -1),
                  op(aten.unsqueeze.default, y, -2))
        shares = op(aten.exp.default,
                    op(aten.add.Tensor, away, op(aten.unsqueeze.default, logs, -2)))
        sums = op(aten.sum.dim_IntList, op(aten.triu.default, shares), [-1])
        return op(aten.transpose.int, sums, dim, -1)
