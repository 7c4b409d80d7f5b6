# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graphs of torch.fx on a card: what gaudi_mlir.torch compiles, launched on tensors of "hpu"."""
import torch

from gaudi_mlir.torch import partition
from gaudi_mlir.torch.compiler import GraphCompiler
from gaudi_mlir.torch.launch import TensorSpec

from . import _C
from .dynamo.compile_backend import graphs

aten = torch.ops.aten


class Launch:
    """Calls a recipe with a list of tensors. Those of the host must have one element."""

    def __init__(self, recipe, inputs: list[TensorSpec], outputs: list[TensorSpec],
                 name: str) -> None:
        self.recipe, self.inputs, self.outputs = recipe, inputs, outputs
        self.count = [0]
        self.program = _C.Program(recipe._core.handle, name, [_result(each) for each in outputs])

    def __call__(self, args):
        self.count[0] += 1
        return self.program.launch(args)


def _result(spec: TensorSpec) -> tuple[list[int], list[int], torch.dtype]:
    """Sizes, strides and type of a tensor; a launch writes pairs where it has complex numbers."""
    if spec.is_complex:
        return (list(spec.shape[:-1]), [each // 2 for each in spec.strides[:-1]],
                spec.dtype.to_complex())
    return list(spec.shape), list(spec.strides), spec.dtype


def kind() -> str:
    """ "gaudi2": of the card of this thread."""
    return _C.kind(-1)


class CardCompiler(GraphCompiler):
    """Compiles a graph for tensors of a card; what the compiler does not take is called with them,
    which is eager mode."""

    def compile(self):
        self.card = _card_of(self.gm.graph)
        _drop_statistics(self.gm.graph)
        before = graphs.called(self.gm.graph)
        function = super().compile()
        if self.record.kind != "eager":
            graphs.compiled(self.gm.graph, [nodes for color, nodes in self.order
                                            if frozenset(nodes) in self._launches],
                            self.reasons, before)
        return function

    def host_reason(self, node):
        """What the graph computes elsewhere, on the host or another card, it computes there."""
        reason = super().host_reason(node)
        if reason is None and self.card >= 0 and (
                self._is_elsewhere(node) and not self._is_number(node) or
                any(self._is_elsewhere(each) and value.ndim for each in node.all_input_nodes
                    for value in partition.values(each) if isinstance(value, torch.Tensor))):
            return ""
        return reason

    def _is_elsewhere(self, node) -> bool:
        card = torch.device("hpu", self.card)
        return any(isinstance(value, torch.Tensor) and value.device != card
                   for value in partition.values(node))

    def _is_number(self, node) -> bool:
        """A constant of the host beside tensors of the card: a launch has it, too."""
        return not node.all_input_nodes and node.meta["val"].ndim == 0 and \
            not any(user.op == "output" or self._is_elsewhere(user) for user in node.users)

    def arrange(self, graph, results):
        """A launch writes elements in the order in which the tensor has them in memory."""
        end = next(iter(graph.find_nodes(op="output")))
        given = list(end.args[0])
        for place, (node, spec) in enumerate(zip(given, results)):
            if spec.is_dense() or spec.is_complex:
                continue
            order = sorted(range(len(spec.shape)), key=lambda dim: (-spec.strides[dim], dim))
            with graph.inserting_before(end):
                given[place] = graph.call_function(aten.permute.default, (node, order))
            value = node.meta["val"]
            given[place].meta = {"val": value.new_empty([value.shape[dim] for dim in order])}
        end.args = (tuple(given),)

    def make_launch(self, recipe, inputs, outputs, numbers):
        return Launch(recipe, inputs, outputs, self.record.name)

    def random_state(self):
        return [torch.tensor(_C.draw_key(self.card)), torch.tensor(0)]


def _card_of(graph: torch.fx.Graph) -> int:
    """Of the first tensor that says it; -1: that of the thread."""
    for node in graph.nodes:
        value = node.meta.get("val")
        if isinstance(value, torch.Tensor) and value.device.type == "hpu" and \
                value.device.index is not None:
            return value.device.index
    return -1


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
