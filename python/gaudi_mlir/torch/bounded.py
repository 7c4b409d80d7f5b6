# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Computes on whole bounded tensors what else would wait for a size that depends on values.

`first(whole, count)` cuts a result of the device. Ops that treat its rows one by one do the same of
the whole, whose other rows nobody reads, and sums leave these out. So the cut moves behind them, to
the results of the graph or away, and one recipe serves each count.
"""
import dataclasses
import functools
import math
import operator
from collections.abc import Callable

import torch
from torch.fx import GraphModule, Node

from . import draws, partition, sizes

aten = torch.ops.aten


@dataclasses.dataclass(frozen=True)
class _Cut:
    """The first `count` of `size` rows of `whole` along `dim`."""
    whole: Node
    count: Node
    dim: int
    size: "int | torch.SymInt"


def move_cuts(gm: GraphModule) -> None:
    """Moves the cuts of a graph behind what can be computed before."""
    graph = gm.graph
    cuts: dict[Node, _Cut] = {}
    for node in list(graph.nodes):
        if node.target is sizes.first:
            whole, count, dim = (*node.args, 0)[:3]
            cuts[node] = _Cut(whole, count, dim, whole.meta["val"].shape[dim])
        elif partition.is_op(node) and any(each in cuts for each in node.all_input_nodes):
            _move(graph, node, cuts)
    for node in graph.find_nodes(op="call_function",
                                 target=aten._assert_scalar.default):
        if _is_known(node.args[0], cuts):
            graph.erase_node(node)
    graph.eliminate_dead_code()


def _move(graph: torch.fx.Graph, node: Node, cuts: dict[Node, _Cut]) -> None:
    given = [cuts[each] for each in node.all_input_nodes if each in cuts]
    if not isinstance(node.target, torch._ops.OpOverload) or partition.mutates(node) or \
            not isinstance(node.meta.get("val"), torch.Tensor) or \
            any(not isinstance(each.meta.get("val"), torch.Tensor)
                for each in node.all_input_nodes) or \
            any(each.count is not given[0].count or not _is_same(each.size, given[0].size)
                for each in given):
        return
    with graph.inserting_before(node):
        result = _before_cut(graph, node, cuts, given[0])
    if result:
        node.replace_all_uses_with(result)
        graph.erase_node(node)


def _before_cut(graph: torch.fx.Graph, node: Node, cuts: dict[Node, _Cut],
                cut: _Cut) -> Node | None:
    """A node that computes the same of whole tensors; None if there is none."""
    if node.target in _SUMS:
        total = _sum(graph, node, cuts[node.args[0]])
        if total:
            return total
    args, kwargs = torch.fx.map_arg((node.args, node.kwargs), lambda each: _whole(each, cuts))
    if node.target is aten.index_put.default and _is_put(node, cuts):
        whole = graph.call_function(node.target, args, kwargs)
        whole.meta = dict(node.meta)  # PyTorch's own rule asks for the values that are read
        return whole
    dim = _kept(node, cuts)
    if dim is None:
        return None
    whole = _call(graph, node, node.target, args, kwargs)
    result = graph.call_function(sizes.first, (whole, cut.count, dim))
    result.meta = dict(node.meta)
    cuts[result] = dataclasses.replace(cut, whole=whole, dim=dim)
    return result


def _call(graph: torch.fx.Graph, of: Node, target, args: tuple, kwargs: dict | None = None) -> Node:
    """A node that computes a part of what the node `of` does."""
    def like(operand: Node):
        value = operand.meta["val"]  # each may be of a mode of its own
        return torch.empty_strided(value.shape, value.stride(), dtype=value.dtype) \
            if isinstance(value, torch.Tensor) else value

    result = graph.call_function(target, args, kwargs)
    with of.meta["val"].fake_mode:
        values = torch.fx.map_arg((result.args, result.kwargs), like)
        result.meta = {**of.meta, "val": target(*values[0], **values[1])}
    return result


def _whole(node: Node, cuts: dict[Node, _Cut]) -> Node:
    return cuts[node].whole if node in cuts else node


def _is_same(a, b) -> bool:
    """Whether two sizes are known to be equal."""
    if isinstance(a, int) or isinstance(b, int):
        return isinstance(a, int) and isinstance(b, int) and a == b
    return a.node.expr == b.node.expr


def _is_known(condition, cuts: dict[Node, _Cut]) -> bool:
    """Whether it says of a count what its bounds say."""
    if not isinstance(condition, Node) or condition.target not in (operator.ge, operator.le):
        return False
    size, limit = condition.args
    if not isinstance(size, Node) or size.target is not aten.sym_size.int or \
            size.args[0] not in cuts or size.args[1] != cuts[size.args[0]].dim:
        return False
    if condition.target is operator.ge:
        return limit == 0
    most = cuts[size.args[0]].size
    return isinstance(limit, int) and isinstance(most, int) and most <= limit


# --- ops of rows -----------------------------------------------------------------------------------


def _kept(node: Node, cuts: dict[Node, _Cut]) -> int | None:
    """Where the rows of the operands are in the result, if each row of it is made of one of
    each of them."""
    rule = _ROWS.get(node.target)
    if rule:
        return rule(node, cuts)
    is_pointwise = torch.Tag.pointwise in node.target.tags or node.target in _COPIES
    return _aligned(node, cuts) if is_pointwise and not draws.seeded(node) else None


_COPIES = {aten._to_copy.default, aten.clone.default}


def _aligned(node: Node, cuts: dict[Node, _Cut]) -> int | None:
    """Of ops that broadcast: dimensions count from the last one on."""
    behind = {each.meta["val"].dim() - cuts[each].dim for each in node.all_input_nodes
              if each in cuts}
    if len(behind) != 1:
        return None
    place = behind.pop()
    for each in node.all_input_nodes:
        dim = each.meta["val"].dim() - place
        if each not in cuts and dim >= 0 and not _is_same(each.meta["val"].shape[dim], 1):
            return None
    return node.meta["val"].dim() - place


def _only_first(node: Node, cuts: dict[Node, _Cut]) -> _Cut | None:
    """The cut of the first operand, if no other is one."""
    others = [each for each in node.all_input_nodes if each is not node.args[0]]
    return None if any(each in cuts for each in others) else cuts.get(node.args[0])


def _by_dims(moved: Callable[..., int | None]):
    """A rule for ops of one tensor: moved(dim of the rows, rank, *arguments) is the new one."""
    def rule(node: Node, cuts: dict[Node, _Cut]) -> int | None:
        cut = _only_first(node, cuts)
        rank = node.args[0].meta["val"].dim()
        return cut and moved(cut.dim, rank, *node.args[1:], **node.kwargs)
    return rule


def _without(dim: int, rank: int, removed: int, *_) -> int | None:
    removed %= rank
    return None if removed == dim else dim - (removed < dim)


def _along_other(dim: int, rank: int, other: int = 0, *_, **__) -> int | None:
    return None if other % rank == dim else dim


def _unsqueezed(dim: int, rank: int, added: int) -> int:
    return dim + (added % (rank + 1) <= dim)


def _permuted(dim: int, rank: int, order) -> int:
    return [each % rank for each in order].index(dim)


def _transposed(dim: int, rank: int, a: int = 0, b: int = 1) -> int:
    a, b = a % rank, b % rank
    return {a: b, b: a}.get(dim, dim)


def _squeezed(node: Node, cuts: dict[Node, _Cut]) -> int | None:
    value = node.args[0].meta["val"]
    removed = node.args[1] % max(value.dim(), 1)
    if not _is_same(value.shape[removed], 1):
        return None
    return _by_dims(_without)(node, cuts)


def _gathered(node: Node, cuts: dict[Node, _Cut]) -> int | None:
    """gather: a table and the index, both cut along the same other dimension."""
    table, dim, index = node.args[:3]
    if table not in cuts or index not in cuts or cuts[table].dim != cuts[index].dim:
        return None
    return _along_other(cuts[table].dim, table.meta["val"].dim(), dim)


def _picked(node: Node, cuts: dict[Node, _Cut]) -> int | None:
    """index_select: the rows of the index."""
    table, dim, index = node.args[:3]
    return dim % table.meta["val"].dim() if table not in cuts and index in cuts else None


def _embedded(node: Node, cuts: dict[Node, _Cut]) -> int | None:
    table, index = node.args[:2]
    return cuts[index].dim if table not in cuts and index in cuts else None


def _is_put(node: Node, cuts: dict[Node, _Cut]) -> bool:
    """index_put by a mask, of as many values as it selects: those behind are for no element."""
    indices, values = node.args[1:3]
    masks = [each for each in indices if each is not None]
    if len(masks) != 1 or masks[0] in cuts or node.args[0] in cuts or values not in cuts:
        return False
    dim = cuts[values].dim
    return indices[dim:] == masks and _is_count(cuts[values].count, masks[0]) and \
        values.meta["val"].dim() == \
        node.args[0].meta["val"].dim() - masks[0].meta["val"].dim() + 1


def _is_count(count: Node, mask: Node) -> bool:
    """Whether a node is how many elements of the mask are not 0, as sizes.py has it."""
    for target in (aten.sum.default, aten._to_copy.default, aten.ne.Scalar):
        if count.target is not target:
            return False
        count = count.args[0]
    return count is mask or (count.target is aten.view.default and count.args[0] is mask)


def _multiplied(node: Node, cuts: dict[Node, _Cut]) -> int | None:
    """mm: the rows of the left matrix."""
    cut = _only_first(node, cuts)
    return 0 if cut and cut.dim == 0 else None


_ROWS = {
    aten.select.int: _by_dims(lambda dim, rank, at, index: _without(dim, rank, at)),
    aten.slice.Tensor: _by_dims(_along_other),
    aten.unsqueeze.default: _by_dims(_unsqueezed),
    aten.squeeze.dim: _squeezed,
    aten.permute.default: _by_dims(_permuted),
    aten.transpose.int: _by_dims(_transposed),
    aten.t.default: _by_dims(lambda dim, rank: rank - 1 - dim),
    aten._softmax.default: _by_dims(_along_other),
    aten._log_softmax.default: _by_dims(_along_other),
    aten.gather.default: _gathered,
    aten.index_select.default: _picked,
    aten.embedding.default: _embedded,
    aten.mm.default: _multiplied,
}


# --- sums ------------------------------------------------------------------------------------------

_MEANS = {aten.mean.default, aten.mean.dim}
_SUMS = {aten.sum.default, aten.sum.dim_IntList, *_MEANS}


def _sum(graph: torch.fx.Graph, node: Node, cut: _Cut) -> Node | None:
    """A sum or mean over the rows that count; None if it is not over them."""
    value = node.args[0].meta["val"]
    rank, result = value.dim(), node.meta["val"]
    dims = (*node.args, None)[1]
    dims = [each % rank for each in dims] if dims else list(range(rank))
    keeps = len(node.args) > 2 and node.args[2]
    others = [value.shape[dim] for dim in dims if dim != cut.dim]
    is_mean = node.target in _MEANS
    if cut.dim not in dims or (is_mean and not all(isinstance(each, int) for each in others)):
        return None
    call = functools.partial(_call, graph, node)
    size = cut.size if isinstance(cut.size, int) else \
        call(aten.sym_size.int, (cut.whole, cut.dim))
    counts = call(aten.lt.Tensor, (call(aten.arange.default, (size,)), cut.count))
    counts = call(aten.view.default, (counts, [-1] + [1] * (rank - 1 - cut.dim)))
    rows = cut.whole
    # A mean is rounded once.
    if is_mean:
        rows = call(aten._to_copy.default, (rows,), {"dtype": torch.promote_types(
            result.dtype, torch.float32)})
    rows = call(aten.where.ScalarOther, (counts, rows, 0))
    total = call(aten.sum.dim_IntList, (rows, dims, keeps),
                 {} if is_mean else {"dtype": result.dtype})
    if not is_mean:
        return total
    total = call(aten.div.Tensor, (total, call(aten.mul.Scalar, (cut.count, math.prod(others)))))
    return call(aten._to_copy.default, (total,), {"dtype": result.dtype})
