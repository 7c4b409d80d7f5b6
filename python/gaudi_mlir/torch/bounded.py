# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Computes on whole bounded tensors what else would wait for a size that depends on values.

`first(whole, count)` cuts a result of the device. Ops that treat its rows one by one do the same of
the whole, whose other rows nobody reads, and sums leave these out. So the cut moves behind them, to
the results of the graph or away, and one recipe serves each count.
"""
import dataclasses
import math
import operator
from collections.abc import Callable

import torch
from torch.fx import Graph, GraphModule, Node

from . import draws, partition, sizes

aten = torch.ops.aten


@dataclasses.dataclass(frozen=True)
class _Cut:
    """The first `count` of `size` rows of `whole` along `dim`."""
    whole: Node
    count: Node
    dim: int
    size: "int | torch.SymInt"


_Cuts = dict[Node, _Cut]


def move_cuts(gm: GraphModule) -> None:
    """Moves the cuts of a graph behind what can be computed before."""
    _merge_equal(gm.graph)  # masks that are computed twice select as many
    mover = _Mover(gm.graph)
    for node in list(gm.graph.nodes):
        if partition.is_op(node):
            mover.visit(node)
    for node in gm.graph.find_nodes(op="call_function", target=aten._assert_scalar.default):
        if mover.is_known(node.args[0]):
            gm.graph.erase_node(node)
    gm.graph.eliminate_dead_code()


def _merge_equal(graph: Graph) -> None:
    """Leaves one of the nodes that compute the same; what draws never does. Two results of the
    graph stay apart: the caller may change one of them."""
    known: dict[tuple, Node] = {}
    for node in list(graph.nodes):
        if not partition.is_op(node) or not isinstance(node.target, torch._ops.OpOverload) or \
                partition.mutates(node) or draws.seeded(node):
            continue
        key = node.target, repr(node.args), repr(node.kwargs)
        other = known.setdefault(key, node)
        if other is not node and not (partition.is_result(node) and partition.is_result(other)):
            node.replace_all_uses_with(other)
            graph.erase_node(node)


class _Mover:
    """Visits the nodes of a graph in their order."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._cuts: _Cuts = {}
        self._lengths: _Cuts = {}  # nodes that are the number of rows of a cut

    def visit(self, node: Node) -> None:
        if node.target is sizes.first:
            whole, count, dim = (*node.args, 0)[:3]
            self._cuts[node] = _Cut(whole, count, dim, whole.meta["val"].shape[dim])
            return
        if node.target is aten.sym_size.int:
            cut = self._cuts.get(node.args[0])
            if cut and cut.dim == node.args[1]:
                self._lengths[node] = cut
            return
        given = [self._cuts.get(each) or self._lengths.get(each) for each in node.all_input_nodes]
        given = [each for each in given if each]
        if not given or not isinstance(node.target, torch._ops.OpOverload) or \
                partition.mutates(node) or draws.seeded(node) or \
                not isinstance(node.meta.get("val"), torch.Tensor) or \
                any(each.count is not given[0].count or not _is_same(each.size, given[0].size)
                    for each in given):
            return
        with self._graph.inserting_before(node):
            result = self._before_cut(node, given[0])
        if result:
            node.replace_all_uses_with(result)
            self._graph.erase_node(node)

    def is_known(self, condition) -> bool:
        """Whether it says of a count what its bounds say."""
        if not isinstance(condition, Node) or \
                condition.target not in (operator.ge, operator.le, operator.eq):
            return False
        length, limit = condition.args
        if length not in self._lengths:
            return False
        if condition.target is operator.eq:
            return limit in self._lengths and \
                self._lengths[limit].count is self._lengths[length].count
        if condition.target is operator.ge:
            return limit == 0
        most = self._lengths[length].size
        return isinstance(limit, int) and isinstance(most, int) and most <= limit

    def _before_cut(self, node: Node, cut: _Cut) -> Node | None:
        """A node that computes the same of whole tensors; None if there is none."""
        cuts = self._cuts
        numbers = [each for each in node.all_input_nodes
                   if not isinstance(each.meta.get("val"), torch.Tensor)]
        if numbers:
            return self._of_lengths(node, cut) if set(numbers) <= set(self._lengths) else None
        if node.target in _SUMS:
            total = self._sum(node, cuts[node.args[0]])
            if total:
                return total
        if node.target is aten.mm.default and _is_contracted(node, cuts):
            left, right = (self._without_rest(node, cuts[each], 0) for each in node.args)
            return self._call(node, node.target, (left, right))
        args, kwargs = torch.fx.map_arg((node.args, node.kwargs), self._whole)
        if node.target in _INDICES:
            # An index that does not count may be outside of what it is read from.
            place = _INDICES[node.target]
            index = node.args[place]
            if index in cuts:
                safe = self._without_rest(node, cuts[index], 0)
                args = (*args[:place], safe, *args[place + 1:])
        if node.target in _NEW:
            return self._call(node, node.target, args, kwargs)
        if node.target is aten.index_put.default and _is_put(node, cuts):
            whole = self._graph.call_function(node.target, args, kwargs)
            whole.meta = dict(node.meta)  # PyTorch's own rule asks for the values that are read
            return whole
        dim = _kept(node, cuts)
        return None if dim is None else self._cut(node, node.target, args, kwargs, cut, dim)

    def _whole(self, node: Node) -> Node:
        return self._cuts[node].whole if node in self._cuts else node

    def _cut(self, node: Node, target, args: tuple, kwargs: dict, cut: _Cut, dim: int) -> Node:
        """What `node` is, of a whole that is computed in its place."""
        whole = self._call(node, target, args, kwargs)
        result = self._graph.call_function(sizes.first, (whole, cut.count, dim))
        result.meta = dict(node.meta)
        self._cuts[result] = dataclasses.replace(cut, whole=whole, dim=dim)
        return result

    def _call(self, of: Node, target, args: tuple, kwargs: dict | None = None) -> Node:
        """A node that computes a part of what the node `of` does."""
        def like(operand: Node):
            value = operand.meta["val"]  # each may be of a mode of its own
            return torch.empty_strided(value.shape, value.stride(), dtype=value.dtype) \
                if isinstance(value, torch.Tensor) else value

        result = self._graph.call_function(target, args, kwargs)
        with of.meta["val"].fake_mode:
            values = torch.fx.map_arg((result.args, result.kwargs), like)
            result.meta = {**of.meta, "val": target(*values[0], **values[1])}
        return result

    # --- sums ------------------------------------------------------------------------------------

    def _size(self, node: Node, cut: _Cut) -> "int | Node":
        return cut.size if isinstance(cut.size, int) else \
            self._call(node, aten.sym_size.int, (cut.whole, cut.dim))

    def _without_rest(self, node: Node, cut: _Cut, number: float) -> Node:
        """The whole with `number` in the rows that do not count."""
        rank = cut.whole.meta["val"].dim()
        place = self._call(node, aten.arange.default, (self._size(node, cut),))
        counts = self._call(node, aten.lt.Tensor, (place, cut.count))
        counts = self._call(node, aten.view.default, (counts, [-1] + [1] * (rank - 1 - cut.dim)))
        return self._call(node, aten.where.ScalarOther, (counts, cut.whole, number))

    def _sum(self, node: Node, cut: _Cut) -> Node | None:
        """A sum or mean over the rows that count; None if it is not over them."""
        value = node.args[0].meta["val"]
        rank, dtype = value.dim(), node.meta["val"].dtype
        dims = (*node.args, None)[1]
        dims = [each % rank for each in dims] if dims else list(range(rank))
        keeps = len(node.args) > 2 and node.args[2]
        others = [value.shape[dim] for dim in dims if dim != cut.dim]
        is_mean = node.target in _MEANS
        if cut.dim not in dims or (is_mean and not all(isinstance(each, int) for each in others)):
            return None
        rows = self._without_rest(node, cut, 0)
        if not is_mean:
            return self._call(node, aten.sum.dim_IntList, (rows, dims, keeps), {"dtype": dtype})
        # A mean is rounded once.
        total = self._call(node, aten.sum.dim_IntList, (rows, dims, keeps),
                           {"dtype": torch.promote_types(dtype, torch.float32)})
        number = self._call(node, aten.mul.Scalar, (cut.count, math.prod(others)))
        total = self._call(node, aten.div.Tensor, (total, number))
        return self._call(node, aten._to_copy.default, (total,), {"dtype": dtype})

    # --- numbers of rows -------------------------------------------------------------------------

    def _of_lengths(self, node: Node, cut: _Cut) -> Node | None:
        """What takes the number of rows as a size takes the bound; arithmetic takes the count."""
        if node.target in _BY_NUMBER:
            value, length = node.args
            operand = value.meta["val"] if isinstance(value, Node) else None
            if length not in self._lengths or not isinstance(operand, torch.Tensor) or \
                    operand.dtype != torch.float32:
                return None  # narrow floats would round the count
            args = self._whole(value), cut.count
            target = _BY_NUMBER[node.target]
            if value not in self._cuts:
                return self._call(node, target, args)
            return self._cut(node, target, args, {}, cut, self._cuts[value].dim)
        place = _SIZED.get(node.target)
        if place is None or any(each in self._lengths for each in node.kwargs.values()):
            return None
        shape = node.args[place]
        dims = [dim for dim, size in enumerate(shape) if size in self._lengths]
        if len(dims) != 1 or (place and not _fits(node, shape, dims[0], self._cuts)):
            return None
        args = torch.fx.map_arg(node.args, self._whole)
        shape = [self._size(node, cut) if dim == dims[0] else size
                 for dim, size in enumerate(shape)]
        args = (*args[:place], shape, *args[place + 1:])
        return self._cut(node, node.target, args, node.kwargs, cut, dims[0])


_MEANS = {aten.mean.default, aten.mean.dim}
_SUMS = {aten.sum.default, aten.sum.dim_IntList, *_MEANS}
_BY_NUMBER = {aten.div.Scalar: aten.div.Tensor, aten.div.Tensor: aten.div.Tensor,
              aten.mul.Scalar: aten.mul.Tensor, aten.mul.Tensor: aten.mul.Tensor}
# Where their argument is that lists sizes.
_NEW = {aten.new_zeros.default: 1, aten.new_ones.default: 1, aten.new_full.default: 1}
_SIZED = {aten.full.default: 0, aten.zeros.default: 0, aten.ones.default: 0, **_NEW,
          aten.expand.default: 1, aten.view.default: 1}


def _is_same(a, b) -> bool:
    """Whether two sizes are known to be equal."""
    if isinstance(a, int) or isinstance(b, int):
        return isinstance(a, int) and isinstance(b, int) and a == b
    return a.node.expr == b.node.expr


def _fits(node: Node, shape, dim: int, cuts: _Cuts) -> bool:
    """Whether dimension `dim` of the result is that of the rows, or has none, in the operand."""
    value, cut = node.args[0].meta["val"], cuts.get(node.args[0])
    if node.target is aten.view.default:
        before = [*shape[:dim], *value.shape[:cut.dim]] if cut else [None]
        return all(isinstance(each, int) for each in before) and \
            math.prod(shape[:dim]) == math.prod(value.shape[:cut.dim]) and -1 not in shape
    if node.target is not aten.expand.default:
        return True  # one of _NEW: only the type of the operand counts
    own = dim - (len(shape) - value.dim())
    return own == cut.dim if cut else own < 0 or _is_same(value.shape[own], 1)


# --- ops of rows ---------------------------------------------------------------------------------


def _kept(node: Node, cuts: _Cuts) -> int | None:
    """Where the rows of the operands are in the result, if each row of it is made of one of
    each of them."""
    rule = _ROWS.get(node.target)
    if rule:
        return rule(node, cuts)
    is_pointwise = torch.Tag.pointwise in node.target.tags or node.target in _COPIES
    return _aligned(node, cuts) if is_pointwise else None


_COPIES = {aten._to_copy.default, aten.clone.default, aten.detach.default, aten.alias.default,
           aten.zeros_like.default, aten.ones_like.default, aten.full_like.default}


def _aligned(node: Node, cuts: _Cuts) -> int | None:
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


def _by_dims(moved: Callable[..., int | None]):
    """A rule for ops of one tensor: moved(dim of the rows, rank, *arguments) is the new one."""
    def rule(node: Node, cuts: _Cuts) -> int | None:
        rank = node.args[0].meta["val"].dim()
        return moved(cuts[node.args[0]].dim, rank, *node.args[1:], **node.kwargs)
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


def _squeezed(node: Node, cuts: _Cuts) -> int | None:
    value = node.args[0].meta["val"]
    removed = node.args[1] % max(value.dim(), 1)
    if not _is_same(value.shape[removed], 1):
        return None
    return _by_dims(_without)(node, cuts)


def _all_along_other(place: int):
    """A rule for ops along the dimension that argument `place` names, of tensors that are all cut
    along the same other one."""
    def rule(node: Node, cuts: _Cuts) -> int | None:
        if not all(each in cuts for each in node.all_input_nodes):
            return None
        dims = {cuts[each].dim for each in node.all_input_nodes}
        rank = node.args[0].meta["val"].dim()
        return _along_other(dims.pop(), rank, node.args[place]) if len(dims) == 1 else None
    return rule


def _picked(node: Node, cuts: _Cuts) -> int | None:
    """index_select: the rows of the index."""
    table, dim, index = node.args[:3]
    return dim % table.meta["val"].dim() if table not in cuts and index in cuts else None


def _embedded(node: Node, cuts: _Cuts) -> int | None:
    table, index = node.args[:2]
    return cuts[index].dim if table not in cuts and index in cuts else None


def _multiplied(node: Node, cuts: _Cuts) -> int | None:
    """mm: the rows of the left matrix, or the columns of the right one."""
    left, right = (cuts.get(each) for each in node.args)
    if left and right:
        return None
    return 0 if left and left.dim == 0 else 1 if right and right.dim == 1 else None


def _is_contracted(node: Node, cuts: _Cuts) -> bool:
    """mm: the rows are what the sums run over."""
    left, right = (cuts.get(each) for each in node.args)
    return bool(left and right) and left.dim == 1 and right.dim == 0


def _is_put(node: Node, cuts: _Cuts) -> bool:
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


# Where ops have their indices.
_INDICES = {
    aten.gather.default: 2, aten.scatter.src: 2, aten.scatter.value: 2,
    aten.index_select.default: 2, aten.embedding.default: 1,
    aten.embedding_dense_backward.default: 1,
}

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
    aten._softmax_backward_data.default: _all_along_other(2),
    aten._log_softmax_backward_data.default: _all_along_other(2),
    aten.gather.default: _all_along_other(1),
    aten.scatter.src: _all_along_other(1),
    aten.scatter.value: _all_along_other(1),
    aten.index_select.default: _picked,
    aten.embedding.default: _embedded,
    aten.mm.default: _multiplied,
}
