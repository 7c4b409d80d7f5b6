# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ops that are no single launch: several, between which the host may read how many elements a
result has."""
from collections.abc import Callable

import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.proxy_tensor import make_fx
from torch.fx.experimental.symbolic_shapes import ShapeEnv

from gaudi_mlir.torch import bounded, dynamic, partition, pieces, report, sizes
from gaudi_mlir.torch.compiler import Target
from gaudi_mlir.torch.tracing import tracing

from ._cards import CardCompiler, kind

aten = torch.ops.aten


class Refused(Exception):
    """The device does not take an op of it."""


class _Compiler(CardCompiler):
    """Launches, and checks of what they compute, which the host makes. What the device does not
    take otherwise would be the op itself again."""

    def _to_host(self, node, reason):
        if node.target not in COMPOSED:
            raise Refused(reason)
        self.colors[node] = partition.HOST


def function(call, table: dict) -> Callable:
    """The op of the call as a function of its arguments; raises Refused."""
    call.run(FakeTensorMode(shape_env=ShapeEnv()))

    def computed(*tensors):
        tensors = [each.clone() for each in tensors]
        made = call.with_operands(tensors, stored=True)
        return (*call.new(call.parts(made)), *(tensors[number] for number in call.written))

    with FakeTensorMode(shape_env=ShapeEnv()):
        inputs = [torch.empty(each.sizes, dtype=each.stored) for each in call.operands]
        graph = make_fx(torch.func.functionalize(computed, remove="mutations_and_views"),
                        decomposition_table=table,
                        tracing_mode="fake")(*inputs)
    graph.graph.eliminate_dead_code()
    target = Target(kind(), compiler=_Compiler)
    name = call.op._schema.name

    def compiled(piece):
        record = report.Graph(name, "eager")
        if dynamic.is_dynamic(piece):
            return dynamic.Specialiser(piece, target, set(), record)
        return target.function(piece, set(), record)

    if pieces.is_divided(graph):
        bounded.move_cuts(graph)
    if any(sizes.depends_on_values(node) and not pieces.is_read(node)
           for node in graph.graph.nodes):
        raise Refused("the size of its result depends on values")
    launches = pieces.Divided(graph, compiled, _Compiler) if pieces.is_divided(graph) else \
        compiled(graph)
    return _Steps(call, launches).run


class _Steps:
    """The call's structure, and what computes its new tensors and what it writes."""

    def __init__(self, call, launches: Callable) -> None:
        self.launches = launches
        self.written = call.written
        self.places = [(argument, len(tensors)) for _, argument, tensors in call.places()]
        self.are_lists = [isinstance(each, (list, tuple)) for each in call.results]
        self.dtypes = [each.dtype for each in call.new(call.results)]

    def run(self, *args):
        tensors = [each for arg in args
                   for each in (arg if isinstance(arg, (list, tuple)) else [arg])
                   if isinstance(each, torch.Tensor)]
        with torch.no_grad(), tracing():
            made = self.launches([each.contiguous() for each in tensors])
            new = [value.to(dtype) for value, dtype in zip(made, self.dtypes)]
            for number, value in zip(self.written, made[len(self.dtypes):]):
                tensors[number].copy_(value)
        results, left = [], iter(new)
        for (argument, count), is_list in zip(self.places, self.are_lists):
            if argument is not None:
                results.append(args[argument])
            else:
                row = [next(left) for _ in range(count)]
                results.append(row if is_list else row[0])
        return results[0] if len(results) == 1 else tuple(results)


# --- ops that compose others, on tensors of the card --------------------------------------------


def _equal(a: torch.Tensor, b: torch.Tensor) -> bool:
    return a.shape == b.shape and bool(torch.eq(a, b).all())


def _check(value: torch.Tensor, words: str = "Expected Tensor with single nonzero value"):
    if not value:
        raise RuntimeError(words)
    return ()


def _strided(x: torch.Tensor, size, stride, offset=None) -> torch.Tensor:
    return x.as_strided(size, stride, offset).clone()


def _scattered(x: torch.Tensor, values, size, stride, offset=None) -> torch.Tensor:
    count = x.untyped_storage().nbytes() // x.element_size()
    whole = x.as_strided((count,), (1,), 0).clone()
    made = whole.as_strided(x.shape, x.stride(), x.storage_offset())
    made.as_strided(size, stride, offset).copy_(values)
    return made


def _counts(x: torch.Tensor, weights=None, minlength: int = 0) -> torch.Tensor:
    if x.numel() == 0:
        return x.new_zeros([minlength], dtype=torch.int64)
    _check((x >= 0).all(), "bincount only supports 1-d non-negative integral inputs.")
    index = x.long()
    if weights is None:
        weights = torch.ones_like(index)
    elif weights.dtype is not torch.float32:
        weights = weights.double()
    return weights.new_zeros([max(int(index.max()) + 1, minlength)]).scatter_add_(0, index, weights)


COMPOSED = {
    aten.bincount.default: _counts,
    # What is outside of the operand is read, too.
    aten.as_strided_copy.default: _strided,
    aten.as_strided_scatter.default: _scattered,
    aten.equal.default: _equal,
    aten._assert_async.default: _check,
    aten._assert_async.msg: _check,
}
