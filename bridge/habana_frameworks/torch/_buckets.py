# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PT_HPU_ENABLE_REFINE_DYNAMIC_SHAPES: recipes of graphs with dynamic sizes for ranges of sizes.

A launch copies what differs in size into tensors of the bucket, says the sizes, and takes the real
part of the results.
"""
import itertools

import torch
from torch.fx import GraphModule, Node

from gaudi_mlir.torch import buckets, dynamic, flags, report

from . import _C, _cards


def function(gm: GraphModule, target, static: set[str], record: report.Graph):
    """A graph of dynamic sizes as a function of a list of its inputs."""
    if not flags.enabled("PT_HPU_ENABLE_REFINE_DYNAMIC_SHAPES") or \
            flags.enabled("PT_HPU_FORCE_STATIC_COMPILE"):
        return dynamic.Specialiser(gm, target, static, record)
    return _Buckets(gm, target, static, record)


class _Program(buckets.Program):
    def __init__(self, gm: GraphModule) -> None:
        self._card = _cards._card_of(gm.graph)
        super().__init__(gm)

    def _prepare(self, graph: torch.fx.Graph) -> None:
        _cards._widen_norms(graph)
        _cards._drop_statistics(graph)

    def _why_outside(self, node: Node) -> str | None:
        if _cards._is_kept_out(node):
            return "hpu_fallback_op_list names it"
        return super()._why_outside(node)

    def _is_on_device(self, value: torch.Tensor, is_input: bool) -> bool:
        if is_input and value.device.type == "cpu" and value.dim() == 0:
            return True
        return value.device.type == "hpu" and (value.device.index in (None, self._card) or
                                               self._card < 0)


class _Bucket(buckets.Bucket):
    def _make_launch(self, static: set[str], record: report.Graph) -> None:
        self._core = self._recipe._core
        self._inputs = [self._largest(node) for _, node in self._program.inputs]
        self._outputs = [self._largest(node) for node, _ in self._program.orders]
        results = [(list(shape), _row_major(shape), node.meta["val"].dtype)
                   for shape, (node, _) in zip(self._outputs, self._program.orders)]
        alone = self._core.variant(0)  # its handle is valid while it lives
        self._launch = _C.Program(alone.handle, record.name, results)

    def _launch_at(self, values, sizes: tuple[int, ...]):
        program = self._program
        extents = dict(self._core.extents(0, list(sizes)))
        slots: list = []
        given = iter(zip(program.inputs, self._inputs))
        for slot in itertools.count():
            if slot in extents:
                slots.append((None, torch.tensor(extents[slot], dtype=torch.int32), None))
                continue
            following = next(given, None)
            if following is None:
                break
            (place, node), padded = following
            real = self._shape(node.meta["val"].shape, values)
            slots.append((place, None if real == padded else padded, real))
        cuts = []
        for padded, (node, order) in zip(self._outputs, program.orders):
            real = self._shape(node.meta["val"].shape, values)
            back = [order.index(dim) for dim in range(len(order))]
            cuts.append((None if real == padded else _box(real),
                         None if order == back == list(range(len(order))) else back))
        return lambda args: self._run(args, slots, cuts)

    def _run(self, args, slots, cuts) -> list[torch.Tensor]:
        inputs = []
        for place, padded, real in slots:
            if place is None:
                inputs.append(padded)
                continue
            given = args[place]
            if padded is not None:
                whole = given.new_empty(padded)
                whole[_box(real)].copy_(given)
                given = whole
            inputs.append(given)
        self.count[0] += 1
        made = []
        for value, (box, back) in zip(self._launch.launch(inputs), cuts):
            if box is not None:
                value = value[box].clone(memory_format=torch.contiguous_format)
            made.append(value if back is None else value.permute(back))
        return made


class _Buckets(buckets.Buckets):
    program_type, bucket_type = _Program, _Bucket


def _box(sizes) -> tuple[slice, ...]:
    return tuple(slice(0, size) for size in sizes)


def _row_major(shape) -> list[int]:
    strides, step = [], 1
    for size in reversed(shape):
        strides.insert(0, step)
        step *= max(size, 1)
    return strides
