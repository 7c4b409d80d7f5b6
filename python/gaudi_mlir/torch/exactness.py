# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rewrites of nodes whose numbers torch-mlir would change: small integers and NaNs. For programs
with dynamic sizes only (lower.py)."""
import contextlib
import operator
from collections.abc import Callable

import torch
from torch._subclasses.fake_tensor import FakeTensor
from torch.fx import Graph, Node

aten = torch.ops.aten
prims = torch.ops.prims

_SMALL = (torch.int8, torch.uint8)

# Ops that only move elements, and those that take small integers as they are.
_MOVES = {
    "_int_mm", "_to_copy", "_unsafe_view", "alias", "as_strided", "broadcast_in_dim", "cat",
    "clone", "constant_pad_nd", "convert_element_type", "copy", "detach", "embedding", "empty_like",
    "expand", "flip", "full_like", "gather", "index", "index_select", "lift_fresh_copy",
    "new_empty", "new_full", "new_ones", "new_zeros", "ones_like", "permute", "repeat", "reshape",
    "roll",
    "select", "select_scatter", "slice", "slice_scatter", "split", "split_with_sizes", "squeeze",
    "stack", "t", "transpose", "unbind", "unfold", "unsqueeze", "view", "where", "zeros_like",
}


class _Builder:
    """Adds nodes before `node`, with the values that its ops have."""

    def __init__(self, node: Node) -> None:
        self.graph, self.node = node.graph, node
        values = [each for each in (*map(self.value, node.all_input_nodes), node.meta.get("val"))
                  if isinstance(each, FakeTensor)]
        self.mode = values[0].fake_mode if values else contextlib.nullcontext()

    @staticmethod
    def value(node: Node):
        if "val" in node.meta or node.op != "get_attr":
            return node.meta.get("val")
        return getattr(node.graph.owning_module, node.target)

    def __call__(self, op, *args, **kwargs) -> Node:
        with self.graph.inserting_before(self.node):
            result = self.graph.call_function(op, args, kwargs)
        result.meta = {key: each for key, each in self.node.meta.items()
                       if key not in ("val", "tensor_meta")}
        result.meta["val"] = self.evaluate(op, args, kwargs)
        return result

    def evaluate(self, op, args, kwargs):
        def operand(node: Node):
            value = self.value(node)
            real = isinstance(value, torch.Tensor) and not isinstance(value, FakeTensor)
            if real and not isinstance(self.mode, contextlib.nullcontext):
                return self.mode.from_tensor(value)
            return value
        with self.mode:
            return op(*torch.fx.map_arg(args, operand), **torch.fx.map_arg(kwargs, operand))

    def cast(self, operand: Node, dtype: torch.dtype) -> Node:
        if self.value(operand).dtype == dtype:
            return operand
        return self(aten._to_copy.default, operand, dtype=dtype)


def _is_small(value) -> bool:
    return isinstance(value, torch.Tensor) and value.dtype in _SMALL


def _truth(build: _Builder, node: Node) -> Node | None:
    """torch-mlir takes the bits of numbers as truth values."""
    if build.value(node.args[0]).dtype == torch.bool:
        return None
    truth = build(aten.ne.Scalar, node.args[0], 0)
    return build(node.target, truth, *node.args[1:], **node.kwargs)


def _to_byte(build: _Builder, node: Node) -> Node | None:
    """torch-mlir converts a float to a byte with sign."""
    dtype = node.args[1] if len(node.args) > 1 else node.kwargs.get("dtype")
    if dtype != torch.uint8 or not build.value(node.args[0]).dtype.is_floating_point:
        return None
    return build.cast(build.cast(node.args[0], torch.int32), torch.uint8)


def _copy(build: _Builder, node: Node) -> Node | None:
    """The same for values that are copied into a tensor."""
    into, source = node.args[:2]
    if build.value(into).dtype != torch.uint8 or \
            not build.value(source).dtype.is_floating_point:
        return None
    return build(node.target, into, build.cast(source, torch.int32), *node.args[2:])


def _is_same(build: _Builder, node: Node) -> Node | None:
    """x == x is folded to true."""
    if node.args[0] is not node.args[1] or not build.value(node.args[0]).dtype.is_floating_point:
        return None
    return build(aten.logical_not.default, build(aten.ne.Tensor, *node.args))


def _limit(build: _Builder, x: Node, bound, beats: str) -> Node:
    """`bound` where it beats x: x also if it is NaN, since comparisons with NaN are false."""
    if not isinstance(bound, Node):
        if bound != bound:
            return build(aten.full_like.default, x, bound)
        wins = build(getattr(aten, beats).Scalar, x, float(bound))
        return build(aten.where.ScalarSelf, wins, float(bound), x)
    wins = build(getattr(aten, beats).Tensor, x, bound)
    wins = build(aten.logical_or.default, wins, build(aten.ne.Tensor, bound, bound))
    return build(aten.where.self, wins, bound, x)


def _clamp(build: _Builder, node: Node, low=None, high=None) -> Node | None:
    value = node.meta["val"]
    numbers = [each for each in (low, high) if isinstance(each, Node)
               and not isinstance(build.value(each), torch.Tensor)]
    if numbers or not value.dtype.is_floating_point:
        return None
    x = build.cast(node.args[0], value.dtype)
    for bound, beats in ((low, "lt"), (high, "gt")):
        if isinstance(bound, Node):
            bound = build.cast(bound, value.dtype)
        if bound is not None:
            x = _limit(build, x, bound, beats)
    return x


def _hardtanh(build: _Builder, node: Node, low=-1, high=1) -> Node | None:
    return _clamp(build, node, low, high)


def _maximum(build: _Builder, node: Node) -> Node | None:
    return _clamp(build, node, low=node.args[1])


def _minimum(build: _Builder, node: Node) -> Node | None:
    return _clamp(build, node, high=node.args[1])


def _bounds(rewrite: Callable, names: tuple[str, ...] = ()) -> Callable:
    """A rewrite that gets its bounds by position or by name."""
    def apply(build: _Builder, node: Node) -> Node | None:
        limits = {**dict(zip(names, node.args[1:])), **node.kwargs}
        renamed = {"min": "low", "max": "high", "min_val": "low", "max_val": "high"}
        return rewrite(build, node, **{renamed[name]: each for name, each in limits.items()})
    return apply


def _max_pool(build: _Builder, node: Node) -> None:
    """An image without a batch as a batch of one, which the route linalg takes."""
    x = node.args[0]
    if build.value(x).dim() != 3 or not _has_only_parts(node):
        return
    batch = build(aten.unsqueeze.default, x, 0)
    pool = build(node.target, batch, *node.args[1:], **node.kwargs)
    _replace_parts(build, node, pool, lambda part, _: build(aten.squeeze.dim, part, 0))


def _has_only_parts(node: Node) -> bool:
    return all(user.target is operator.getitem for user in node.users)


def _replace_parts(build: _Builder, node: Node, new: Node, finish: Callable) -> None:
    for user in list(node.users):
        part = finish(build(operator.getitem, new, user.args[1]), user)
        user.replace_all_uses_with(part)
        node.graph.erase_node(user)
    node.graph.erase_node(node)


_REWRITES = {
    **dict.fromkeys((aten._to_copy.default, prims.convert_element_type.default), _to_byte),
    aten.copy.default: _copy,
    **dict.fromkeys((aten.any.default, aten.any.dim, aten.any.dims, aten.all.default,
                     aten.all.dim, aten.all.dims), _truth),
    aten.eq.Tensor: _is_same,
    aten.clamp.default: _bounds(_clamp, ("min", "max")),
    aten.clamp.Tensor: _bounds(_clamp, ("min", "max")),
    aten.clamp_min.default: _bounds(_clamp, ("min",)),
    aten.clamp_min.Tensor: _bounds(_clamp, ("min",)),
    aten.clamp_max.default: _bounds(_clamp, ("max",)),
    aten.clamp_max.Tensor: _bounds(_clamp, ("max",)),
    aten.hardtanh.default: _bounds(_hardtanh, ("min_val", "max_val")),
    aten.maximum.default: _maximum,
    aten.minimum.default: _minimum,
}


def _narrow(build: _Builder, node: Node, result: Node) -> Node:
    return build.cast(result, node.meta["val"].dtype)


def _widen(build: _Builder, node: Node) -> None:
    """Computes with small integers in int32, of which the result wraps to what they give. With
    scalars torch-mlir crashes, and it takes bytes without sign for signed ones."""
    def wide(each):
        if isinstance(each, Node):
            return build.cast(each, torch.int32) if _is_small(build.value(each)) else each
        return torch.int32 if each in _SMALL else each

    args = torch.fx.node.map_aggregate(node.args, wide)
    kwargs = torch.fx.node.map_aggregate(node.kwargs, wide)
    result = build(node.target, *args, **kwargs)
    if isinstance(node.meta["val"], torch.Tensor):
        node.replace_all_uses_with(_narrow(build, node, result))
        node.graph.erase_node(node)
    else:
        _replace_parts(build, node, result, lambda part, old: _narrow(build, old, part))


def _joins_types(node: Node, values: list) -> bool:
    """Whether an op that moves elements converts some of them, and has small integers."""
    result = node.meta.get("val")
    if node.target._opname not in ("cat", "stack", "where") or not isinstance(result, torch.Tensor):
        return False
    moved = [value for value in values[node.target._opname == "where":]
             if isinstance(value, torch.Tensor)]
    return any(map(_is_small, [*moved, result])) and \
        any(value.dtype != result.dtype for value in moved)


def _must_widen(node: Node) -> bool:
    op = node.target
    if not isinstance(op, torch._ops.OpOverload) or op.namespace not in ("aten", "prims"):
        return False
    if op._schema.is_mutable:
        return False
    values = [_Builder.value(operand) for operand in node.all_input_nodes]
    if op._opname in _MOVES and not _joins_types(node, values):
        return False
    if not values:  # torch-mlir crashes on ranges of small integers
        return op._opname == "arange" and _is_small(node.meta.get("val"))
    if not any(map(_is_small, values)):
        return False
    return isinstance(node.meta.get("val"), torch.Tensor) or _has_only_parts(node)


def rewrite(graph: Graph) -> None:
    """Rewrites all such nodes of a graph."""
    for node in list(graph.nodes):
        if node.op != "call_function":
            continue
        if node.target in _REWRITES:
            build = _Builder(node)
            result = _REWRITES[node.target](build, node)
            if result is not None:
                node.replace_all_uses_with(_narrow(build, node, result))
                graph.erase_node(node)
        elif node.target is aten.max_pool2d_with_indices.default:
            _max_pool(_Builder(node), node)
    for node in list(graph.nodes):
        if node.op == "call_function" and _must_widen(node):
            _widen(_Builder(node), node)
