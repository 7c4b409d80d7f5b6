# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graphs of torch.fx on a card: what gaudi_mlir.torch compiles, launched on tensors of "hpu"."""
import torch

from gaudi_mlir.torch.compiler import GraphCompiler
from gaudi_mlir.torch.launch import TensorSpec

from . import _C
from .dynamo.compile_backend import graphs

aten = torch.ops.aten


class Launch:
    """Calls a recipe with a list of tensors. Those of the host must have one element."""

    def __init__(self, recipe, inputs: list[TensorSpec], outputs: list[TensorSpec],
                 numbers: list[int], name: str) -> None:
        self.recipe, self.inputs, self.outputs = recipe, inputs, outputs
        self.count = [0]
        self._strides = [each.strides for each in inputs]
        self._shapes = [torch.Size(each.shape) for each in inputs]
        self._numbers = numbers
        self._pairs = [index for index, each in enumerate(inputs) if each.is_complex]
        self._complex = [index for index, each in enumerate(outputs) if each.is_complex]
        self.program = _C.Program(recipe._core.handle, name,
                                  [row_major(each) for each in outputs])
        self._permuted = [None if each.is_dense() else each for each in outputs]

    def __call__(self, args):
        self.count[0] += 1
        args = list(args)
        for index in self._numbers:
            args[index] = args[index].float()
        for index in self._pairs:
            args[index] = torch.view_as_real(args[index].resolve_conj().resolve_neg())
        for index, each in enumerate(args):
            if not each.is_contiguous():
                args[index] = each.contiguous()
        outputs = self.program.launch(args)
        for index, spec in enumerate(self._permuted):
            if spec is not None:  # as eager PyTorch would have it in memory
                made = torch.empty_strided(spec.shape, spec.strides, dtype=spec.dtype,
                                           device=outputs[index].device)
                outputs[index] = made.copy_(outputs[index])
        for index in self._complex:
            outputs[index] = torch.view_as_complex(outputs[index])
        return outputs


def row_major(spec: TensorSpec) -> tuple[list[int], list[int], torch.dtype]:
    """What a launch writes for a result: its sizes, strides, and type."""
    strides, step = [], 1
    for size in reversed(spec.shape):
        strides.insert(0, step)
        step *= max(size, 1)
    return list(spec.shape), strides, spec.dtype


def kind() -> str:
    """ "gaudi2": of the card of this thread."""
    return _C.kind(-1)


class CardCompiler(GraphCompiler):
    """Compiles a graph for tensors of a card; what the compiler does not take is called with them,
    which is eager mode."""

    def compile(self):
        _drop_statistics(self.gm.graph)
        before = graphs.called(self.gm.graph)
        function = super().compile()
        if self.record.kind != "eager":
            graphs.compiled(self.gm.graph, [nodes for color, nodes in self.order
                                            if frozenset(nodes) in self._launches],
                            self.reasons, before)
        return function

    def make_launch(self, recipe, inputs, outputs, numbers):
        return Launch(recipe, inputs, outputs, numbers, self.record.name)

    def random_state(self):
        return [torch.tensor(_C.draw_key(-1)), torch.tensor(0)]


def _drop_statistics(graph: torch.fx.Graph) -> None:
    """Of a batch norm with given statistics PyTorch says that accelerators return them, and the
    CPU nothing, as the compiler does. No gradient reads what is returned."""
    for node in graph.find_nodes(op="call_function",
                                 target=aten._native_batch_norm_legit_no_training.default):
        result = node.meta["val"][0]
        nothing = [result.new_empty(0) for _ in range(2)]
        node.meta["val"] = (result, *nothing)
        for user in list(node.users):
            which = user.args[1]
            if which > 0:
                user.replace_all_uses_with(node.args[2 + which])  # the given mean, or variance
                graph.erase_node(user)
