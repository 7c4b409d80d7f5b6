# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graphs that are compiled when they are called: for each combination of sizes and of numbers that
are no operands, or with frozen parameters."""
import collections
import logging
from collections.abc import Callable

import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx import GraphModule, Node
from torch.fx.experimental.proxy_tensor import make_fx

from . import decompositions, operands, report
from .compiler import Target
from .tracing import LOCK, tracing

log = logging.getLogger("gaudi_mlir.torch")

# Combinations of sizes of one graph that stay compiled; beyond that, a warning says what helps.
MAX_COMBINATIONS = 32


def is_dynamic(gm: GraphModule) -> bool:
    """Whether a value of the graph has a size that is known only when it is called."""
    return any(map(is_symbolic, gm.graph.nodes))


def is_symbolic(node: Node) -> bool:
    return _symbolic(node.meta.get("val"))


def _symbolic(value) -> bool:
    if isinstance(value, (list, tuple)):
        return any(_symbolic(each) for each in value)
    if isinstance(value, torch.Tensor):
        return any(isinstance(size, torch.SymInt) for size in (*value.shape, *value.stride()))
    return isinstance(value, (torch.SymInt, torch.SymFloat, torch.SymBool))


def signature(args) -> tuple:
    """What a static recipe depends on: sizes and order in memory of tensors, and numbers."""
    return tuple((tuple(each.shape), each.stride()) if isinstance(each, torch.Tensor) else each
                 for each in args)


class Specialiser:
    """Compiles a graph once for each combination of sizes that it is called with."""

    def __init__(self, gm: GraphModule, target: Target, static: set[str],
                 record: report.Graph) -> None:
        self._operands = operands.find(gm)
        self._gm = gm = self._operands.graph if self._operands else gm
        self._target = target
        self._record = record
        if self._operands:
            record.operands += self._operands.inputs.values()
            record.constants.update(self._operands.constants)
        names = [node.name for node in gm.graph.nodes if node.op == "placeholder"]
        self._names = names
        self._static = [name in static for name in names]
        self._functions: collections.OrderedDict = collections.OrderedDict()

    def __call__(self, args):
        if self._operands and self._operands.inputs:
            args, numbers = self._operands.inputs_of(args)
            results = self._compiled(args)(args)
            return [numbers.get(place, each) for place, each in enumerate(results)] if numbers \
                else results
        return self._compiled(args)(args)

    def _compiled(self, args) -> Callable:
        key = signature(args)
        function = self._functions.get(key)
        if function is None:
            with LOCK:
                function = self._functions.get(key) or self._specialise(key, args)
        return function

    def _specialise(self, key: tuple, args):
        gm = specialise(self._gm, args)
        placeholders = [node for node in gm.graph.nodes if node.op == "placeholder"]
        static = {node.name for node, each in zip(placeholders, self._static) if each}
        record = self._record.variant(self._sizes(key))
        function = self._target.function(gm, static, record)
        self._functions[key] = function
        if len(self._functions) > MAX_COMBINATIONS:
            self._functions.popitem(last=False)
            report.warn_once(
                self._record.name,
                f"{self._record.name}: more than {MAX_COMBINATIONS} combinations of sizes; the "
                "oldest recipes are dropped. Pad inputs to a few sizes (buckets), or give the "
                "dimensions that never change to torch._dynamo.mark_static; "
                "torch._dynamo.mark_dynamic does not help, recipes are static")
        return function

    def _sizes(self, key: tuple) -> dict[str, object]:
        """The sizes that differ from call to call, by the names of the inputs."""
        placeholders = [node for node in self._gm.graph.nodes if node.op == "placeholder"]
        sizes = {node.name: list(value[0]) if isinstance(value, tuple) else value
                 for node, value in zip(placeholders, key)
                 if value is not None and _symbolic(node.meta.get("val"))}
        tensors = {name: value for name, value in sizes.items() if isinstance(value, list)}
        # A backward graph has an input per saved tensor: the gradients that come in tell enough.
        tangents = {name: value for name, value in tensors.items() if name.startswith("tangents")}
        return tangents or tensors or sizes


def _device_of(gm: GraphModule) -> torch.device:
    values = (node.meta.get("val") for node in gm.graph.nodes)
    return next((each.device for each in values if isinstance(each, torch.Tensor)),
                torch.device("cpu"))


def specialise(gm: GraphModule, args) -> GraphModule:
    """The graph for exactly these sizes and numbers, which are constants of it."""
    with torch.no_grad(), FakeTensorMode(allow_non_fake_inputs=True) as mode:
        fakes = [mode.from_tensor(each, static_shapes=True) if isinstance(each, torch.Tensor)
                 else each for each in args]
        # A number that is an operand is one of the device, whatever sizes it is given there.
        device = _device_of(gm)
        for place, node in enumerate(gm.graph.find_nodes(op="placeholder")):
            if isinstance(fakes[place], torch.Tensor) and node.meta.get("val") is None:
                fakes[place] = fakes[place].to(device)
        with tracing():
            result = make_fx(gm, decomposition_table=decompositions.table(), tracing_mode="real",
                             pre_dispatch=False)(*fakes)
    for node in result.graph.nodes:
        if node.op == "placeholder" and "val" not in node.meta:
            node.meta["val"] = None
    return result


class Frozen:
    """PT_HPU_COMPILE_GRAPH_FREEZE: parameters become constants of the recipe, which is compiled
    again if one of them has changed. Changes through `.data` leave no trace: they are not seen."""

    def __init__(self, gm: GraphModule, target: Target, static: set[str],
                 record: report.Graph) -> None:
        self._gm = gm
        self._target = target
        self._record = record
        self._where = [index for index, node in enumerate(
            node for node in gm.graph.nodes if node.op == "placeholder") if node.name in static]
        # What was compiled: the parameters, held so that no other gets their memory, their state
        # then, and the function.
        self._frozen: tuple[list[torch.Tensor], tuple, Callable] | None = None

    def __call__(self, args):
        frozen = self._frozen
        if frozen is None or frozen[1] != self._state(args):
            with LOCK:
                frozen = self._frozen
                if frozen is None or frozen[1] != self._state(args):
                    frozen = self._frozen = self._freeze(args)
        return frozen[2](args)

    def _state(self, args) -> tuple:
        return tuple((args[index].data_ptr(), args[index].stride(), _version(args[index]))
                     for index in self._where)

    def _freeze(self, args) -> tuple[list[torch.Tensor], tuple, Callable]:
        if self._frozen is not None:
            log.warning("%s: a frozen parameter has changed; compiled again", self._record.name)
        state = self._state(args)
        values = {index: args[index].detach() for index in self._where}
        record = self._record.variant({})
        function = self._target.function(freeze(self._gm, values), set(), record)
        return list(values.values()), state, function


def freeze(gm: GraphModule, values: dict[int, torch.Tensor]) -> GraphModule:
    """A copy of the graph in which these inputs are constants; it keeps its other inputs."""
    graph = torch.fx.Graph()
    copies: dict[Node, Node] = {}
    root = torch.nn.Module()
    index = 0
    for node in gm.graph.nodes:
        if node.op == "output":
            graph.output(torch.fx.map_arg(node.args[0], copies.__getitem__))
        elif node.op == "placeholder":
            copies[node] = graph.node_copy(node)
            if index in values:
                name = f"{node.name}_frozen_param"
                setattr(root, name, values[index].detach().cpu())
                copies[node] = graph.create_node("get_attr", name)
                copies[node].meta = dict(node.meta)
            index += 1
        else:
            if node.op == "get_attr":
                setattr(root, node.target, getattr(gm, node.target))
            copies[node] = graph.node_copy(node, copies.__getitem__)
    return GraphModule(root, graph)


def _version(tensor: torch.Tensor) -> int:
    """How often the tensor was changed; tensors of inference mode do not count."""
    return 0 if tensor.is_inference() else tensor._version
