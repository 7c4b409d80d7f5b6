# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graphs of torch.fx on a card: what gaudi_mlir.torch compiles, launched on tensors of "hpu"."""
import dataclasses

import torch
from torch.utils._pytree import tree_any, tree_map

from gaudi_mlir.torch import fallback, flags, partition
from gaudi_mlir.torch.compiler import GraphCompiler
from gaudi_mlir.torch.launch import TensorSpec, order_of

from . import _C, _graph_dumps, _observer
from ._device import STORED
from .dynamo.compile_backend import graphs, shared_layer

aten = torch.ops.aten


class Launch:
    """Calls a recipe with a list of tensors. Those of the host must have one element."""

    def __init__(self, recipe, inputs: list[TensorSpec], outputs: list[TensorSpec],
                 name: str) -> None:
        self.recipe, self.inputs, self.outputs = recipe, inputs, outputs
        self.count = [0]
        self.program = _C.Program(recipe._core.handle, name, [_result(each) for each in outputs])
        _observer.know_launch(self)

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
        self._doubles = None
        # What was traced with tensors of the host has no other device.
        is_of_card = self.record.kind not in ("eager", "lazy")
        if is_of_card:
            if tree_any(_is_stored, [node.meta.get("val") for node in self.gm.graph.nodes]):
                self._doubles = _Doubles(self.gm.graph)
            _widen_norms(self.gm.graph)
        _drop_statistics(self.gm.graph)
        given = graphs.Given(self.gm, self.random, self.record.kind) if is_of_card else None
        self._of_host = set() if not is_of_card else \
            {node for node in self.gm.graph.nodes if partition.is_op(node) and
             (_is_kept_out(node) or _is_elsewhere(node, self.card))}
        function = super().compile()
        if given:
            given.compiled([nodes for color, nodes in self.order
                            if frozenset(nodes) in self._launches], self.reasons)
        return self._doubles.restored(function) if self._doubles else function

    @staticmethod
    def permit(node, reason):
        """The op runs by itself, on the card if eager mode can; else that says so."""
        reason = f"{reason}; {fallback.call_text(node)}"
        if not flags.enabled("PT_HPU_USE_EAGER_FALLBACK", True):
            raise RuntimeError(
                f"{fallback.op_name(node.target)} (node {node.name}) cannot be compiled: {reason}. "
                "It would run by itself, which PT_HPU_USE_EAGER_FALLBACK=0 forbids; unset that, or "
                "write the model without the op")
        return reason

    @staticmethod
    def executed(calls):
        """Eager mode counts those that run on the CPU."""

    def _to_host(self, node, reason):
        super()._to_host(node, reason)
        self.record.op_by_op[fallback.op_name(node.target)] = self.reasons[node]

    def arrange(self, graph, results):
        """A launch writes elements in the order in which the tensor has them in memory."""
        end = next(iter(graph.find_nodes(op="output")))
        given = list(end.args[0])
        for place, (node, spec) in enumerate(zip(given, results)):
            source = node.meta.get("source", node)
            if self._doubles and source in self._doubles.results and not any(
                    self.colors.get(user) == partition.HOST for user in source.users):
                results[place] = dataclasses.replace(spec, dtype=torch.float64)
            if spec.is_dense() or spec.is_complex:
                continue
            order = order_of(spec.strides)
            with graph.inserting_before(end):
                given[place] = graph.call_function(aten.permute.default, (node, order))
            value = node.meta["val"]
            given[place].meta = {"val": value.new_empty([value.shape[dim] for dim in order])}
        end.args = (tuple(given),)

    def is_of_host(self, node):
        # A view of other bits costs nothing.
        return node in self._of_host or node.target is aten.view.dtype

    def make_launch(self, recipe, inputs, outputs, numbers):
        return Launch(recipe, inputs, outputs, self.record.name)

    def checked(self, launch, gm):
        """PT_SBS looks at launches of all modes (_sidebyside.py)."""
        launch.graph = gm
        if _graph_dumps.is_wanted(self.record.kind):
            _graph_dumps.write(self.record.name, gm.graph, launch.compiled)
        return launch

    def random_state(self):
        return [_C.draw_key(self.card), torch.tensor(0)]


def _card_of(graph: torch.fx.Graph) -> int:
    """Of the first tensor that says it; -1: that of the thread."""
    for node in graph.nodes:
        value = node.meta.get("val")
        if isinstance(value, torch.Tensor) and value.device.type == "hpu" and \
                value.device.index is not None:
            return value.device.index
    return -1


def _is_stored(value) -> bool:
    """Whether it is a tensor of the card that has other numbers than its type says."""
    return isinstance(value, torch.Tensor) and value.dtype in STORED and value.device.type == "hpu"


def _as_stored(value):
    return value.new_empty_strided(value.shape, value.stride(), dtype=STORED[value.dtype]) \
        if _is_stored(value) else value


class _Doubles:
    """A graph with doubles of the card becomes one of the floats that they are in its memory.
    `results`: the nodes that the graph gives as doubles."""

    def __init__(self, graph: torch.fx.Graph) -> None:
        end = next(iter(graph.find_nodes(op="output")))
        placeholders = graph.find_nodes(op="placeholder")
        self._given = [place for place, node in enumerate(placeholders)
                       if _is_stored(node.meta.get("val"))]
        # As they come: what a program gives it gets back.
        self._passed = {place: placeholders.index(node) for place, node in enumerate(end.args[0])
                        if isinstance(node, torch.fx.Node) and node.op == "placeholder"}
        made = [node if isinstance(node, torch.fx.Node) else None for node in end.args[0]]
        self._made = {place: node.meta["val"].dtype for place, node in enumerate(made)
                      if node is not None and _is_stored(node.meta.get("val"))}
        self.results = {made[place] for place in self._made.keys() - self._passed.keys()}
        for node in graph.nodes:
            if partition.is_op(node):
                _store(node)
        for node in graph.nodes:
            if "val" in node.meta:
                node.meta["val"] = tree_map(_as_stored, node.meta["val"])

    def restored(self, function):
        """The function of the graph as one of doubles."""
        def run(args):
            given = list(args)
            for place in self._given:
                given[place] = _floats_of(given[place])
            results = list(function(given))
            for place, dtype in self._made.items():
                results[place] = results[place].to(dtype)
            for place, index in self._passed.items():
                results[place] = args[index]
            return results
        return run


def _floats_of(tensor: torch.Tensor) -> torch.Tensor:
    """What a tensor of doubles is in memory."""
    if not _is_stored(tensor):
        return tensor
    with torch.no_grad():
        return torch.empty(0, dtype=STORED[tensor.dtype], device=tensor.device).set_(
            tensor.untyped_storage(), tensor.storage_offset(), tensor.shape, tensor.stride())


def _store(node: torch.fx.Node) -> None:
    """Makes an op of doubles one of floats, also where it meets the host, which has doubles."""
    if not isinstance(node.target, torch._ops.OpOverload):
        return
    types = [each.name for each in node.target._schema.arguments
             if "ScalarType" in str(each.real_type)]
    if tree_any(_is_stored, node.meta.get("val")):
        node.args, node.kwargs = tree_map(lambda each: STORED.get(each, each)
                                          if isinstance(each, torch.dtype) else each,
                                          (node.args, node.kwargs))
        value = node.meta["val"]
        reads_host = not any(_is_stored(each.meta.get("val")) for each in node.all_input_nodes)
        if types == ["dtype"] and isinstance(value, torch.Tensor) and reads_host:
            node.update_kwarg("dtype", STORED[value.dtype])  # it may be PyTorch's default
    elif node.target is aten._to_copy.default and node.kwargs.get("dtype") is None:
        node.update_kwarg("dtype", node.meta["val"].dtype)


def _is_kept_out(node: torch.fx.Node) -> bool:
    op = graphs.rng_op(node)
    return isinstance(op, torch._ops.OpOverload) and \
        op.overloadpacket.__name__ in shared_layer.hpu_fallback_op_list


def _is_elsewhere(node: torch.fx.Node, card: int) -> bool:
    """Whether an op gives tensors of the host or of another card, or reads one that is no single
    number. A number that is written in the graph may be part of a launch."""
    def elsewhere(nodes):
        return [value for each in nodes for value in partition.values(each)
                if isinstance(value, torch.Tensor) and
                (value.device.type == "cpu" or
                 value.device.type == "hpu" and value.device.index not in (None, card))]

    if graphs.rng_op(node) is not node.target:
        # In a launch the state of a generator is a tensor of the card.
        made = node.meta["val"]
        return any(isinstance(each, torch.Tensor) and each.device.type == "cpu"
                   for each in (made[1:] if isinstance(made, (list, tuple)) else [made]))
    given = elsewhere(node.all_input_nodes)
    return any(each.dim() for each in given) or any(
        each.dim() or node.all_input_nodes or partition.is_result(node)
        for each in elsewhere([node]))


def _widen_norms(graph: torch.fx.Graph) -> None:
    """Of a layer norm of narrow floats PyTorch says that accelerators return statistics in float32,
    the CPU in the type of the operand, as the compiler does."""
    def converted(node, dtype):
        if node is None or node.meta["val"].dtype == dtype:
            return node
        made = graph.call_function(aten._to_copy.default, (node,), {"dtype": dtype})
        made.meta = {"val": node.meta["val"].to(dtype)}
        return made

    for node in graph.find_nodes(op="call_function", target=aten.native_layer_norm.default):
        result, *statistics = node.meta["val"]
        if all(each.dtype == result.dtype for each in statistics):
            continue
        wide = statistics[0].dtype
        with graph.inserting_before(node):
            x, shape, weight, bias, eps = node.args
            node.args = (converted(x, wide), shape, converted(weight, wide),
                         converted(bias, wide), eps)
        node.meta["val"] = (result.to(wide), *statistics)
        for user in list(node.users):
            if user.args[1] == 0:
                user.meta["val"] = result.to(wide)
                with graph.inserting_after(user):
                    narrow = converted(user, result.dtype)
                user.replace_all_uses_with(narrow, delete_user_cb=lambda each: each is not narrow)


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
