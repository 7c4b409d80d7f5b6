# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles one FX graph: the whole of it if possible, else what the device takes."""
import collections
import dataclasses
import logging
import operator
from collections.abc import Callable

import torch
from torch.fx import Graph, GraphModule, Node

from . import (control_flow, distributions, draws, fallback, gradients, partition, report, segment,
               sidebyside, writer)
from .launch import Launch, TensorSpec
from .partition import DEVICE, HOST

log = logging.getLogger("gaudi_mlir.torch")


class _Segment(torch.nn.Module):
    """A launch as a module, which is what a graph can call."""

    def __init__(self, launch) -> None:
        super().__init__()
        self.launch = launch

    def forward(self, *args):
        return self.launch(args)


class GraphCompiler:
    """Divides a graph, compiles the device's segments, and puts it together again."""

    def __init__(self, gm: GraphModule, device: str, static: set[str],
                 record: report.Graph, random: str = "device") -> None:
        self.gm = gm
        self.device = device
        self.static = static
        self.record = record
        self.random = random
        self.colors: dict[Node, str] = {}
        self.reasons: dict[Node, str] = {}
        self._launches: dict[frozenset, tuple[Launch, list[Node], list[Node]]] = {}
        self._cuts = 0

    def compile(self):
        """The graph as a function of a list of its inputs."""
        clean(self.gm.graph)
        control_flow.inline(self.gm, self.random)
        gradients.rewrite(self.gm)
        drawn = distributions.rewrite(self.gm, self.is_of_host) if self.random == "device" else []
        self.draws = bool(drawn)
        draws.free_operands(self.gm.graph)
        self.gm.graph.eliminate_dead_code()
        on_host = any(partition.is_op(node) and draws.draws_numbers(node)
                      for node in self.gm.graph.nodes)
        known: dict[Node, str | None] = {}
        self.record.draws_on = ["device"] * bool(drawn) + ["host"] * on_host
        for node in self.gm.graph.nodes:
            if partition.is_op(node):
                reason = control_flow.why_left(node)
                if reason is None:
                    reason = "" if self.is_of_host(node) else partition.host_reason(node, known)
                if reason is None:
                    reason = writer.why_unknown(node) or None
                self.colors[node] = DEVICE if reason is None else HOST
                if reason:
                    self._to_host(node, reason)
        while not self._compile_segments():
            pass
        function = self._assemble()
        if drawn:
            return lambda args: function([*args, *self.random_state()])
        return function

    def random_state(self) -> list[torch.Tensor]:
        """Seed and offset of a call."""
        return distributions.state()

    def is_of_host(self, node: Node) -> bool:
        """Whether the caller wants the node outside of launches."""
        return False

    def arrange(self, graph: Graph, results: list[TensorSpec]) -> None:
        """Changes what the graph of a segment gives to what a launch shall write."""

    def make_launch(self, recipe, inputs: list[TensorSpec], outputs: list[TensorSpec],
                    numbers: list[int]):
        """A recipe as a function of a list of tensors."""
        return Launch(recipe, inputs, outputs, numbers)

    # What becomes of ops that are in no launch: permits one, or raises, and returns the reason with
    # its place in the user's program; tells that some are executed.
    permit = staticmethod(fallback.require)
    executed = staticmethod(fallback.executed)

    def _to_host(self, node: Node, reason: str) -> None:
        self.colors[node] = HOST
        self.reasons[node] = self.permit(node, reason)

    def _segments(self) -> list[tuple[str, list[Node]]]:
        partition.keep_pairs(self.gm.graph, self.colors)
        partition.move_views(self.gm.graph, self.colors)
        stages = partition.stages(self.gm.graph, self.colors)
        groups: dict[tuple[int, str], list[Node]] = collections.defaultdict(list)
        for node, stage in stages.items():
            groups[stage].append(node)
        return [(color, groups[stage, color]) for stage, color in sorted(groups)]

    def _compile_segments(self) -> bool:
        """Compiles what is not compiled yet; false if the colors changed."""
        self.order = self._segments()
        for color, nodes in self.order:
            key = frozenset(nodes)
            if color == HOST or key in self._launches:
                continue
            outputs = [node for node in nodes if self._is_read_outside(node, key)]
            if not outputs:
                continue
            try:
                self._launches[key] = self._compile_segment(nodes, outputs)
            except segment.Refused as refused:
                self._blame(nodes, refused)
                return False
        return True

    @staticmethod
    def _is_read_outside(node: Node, inside: frozenset) -> bool:
        return isinstance(node.meta.get("val"), torch.Tensor) and \
            any(user not in inside for user in node.users)

    def _compile_segment(self, nodes: list[Node], outputs: list[Node]):
        gm, inputs = partition.extract(self.gm, nodes, outputs)
        placeholders = [node for node in gm.graph.nodes if node.op == "placeholder"]
        specs = [TensorSpec.of(node, node.name in self.static) for node in placeholders]
        results = [TensorSpec.of(node) for node in outputs]
        self.arrange(gm.graph, results)
        compiled = segment.compile_segment(
            gm, self.device, [spec.name for spec in specs], [spec.name for spec in results])
        numbers = [index for index, node in enumerate(inputs)
                   if node.meta["val"].dtype == torch.float64]
        launch = self.make_launch(compiled.recipe, specs, results, numbers)
        launch.compiled = compiled  # what reports only borrow
        self.record.add(compiled, launch, len(nodes))
        return self.checked(launch, gm), inputs, outputs

    def checked(self, launch, gm: GraphModule):
        """A launch of a graph, which may be compared with the CPU."""
        return sidebyside.Checked(launch, gm, self.record.name) if sidebyside.enabled() else launch

    def _blame(self, nodes: list[Node], refused: segment.Refused) -> None:
        """Places the ops that cannot be compiled on the CPU. If each can, it is their combination:
        then the segment is cut in half."""
        log.info("%s: segment of %d ops refused: %s", self.record.name, len(nodes), refused)
        ops = [node for node in nodes if node.target is not operator.getitem]
        named = {node.meta["source"]: reason for node, reason in refused.nodes.items()
                 if "source" in node.meta}
        if len(ops) == 1:
            named[ops[0]] = refused.message  # a second try may take as long
        changed = False
        for node in named or ops:
            if self.colors.get(node, HOST) == HOST:
                continue
            reason = segment.refusal(self.gm, node, self.device, named.get(node))
            if reason is not None:
                self._to_host(node, reason)
                changed = True
        if changed:
            return
        self._cuts += 1
        for node in ops[len(ops) // 2:]:
            self.colors[node] = f"{DEVICE}{self._cuts}"

    def _assemble(self):
        """The launch itself if that is all, else a module that calls launches and host ops."""
        launches = [self._launches[frozenset(nodes)] for color, nodes in self.order
                    if color != HOST and frozenset(nodes) in self._launches]
        host = [node for color, nodes in self.order if color == HOST for node in nodes]
        placeholders = [node for node in self.gm.graph.nodes if node.op == "placeholder"]
        results = next(node for node in self.gm.graph.nodes if node.op == "output").args[0]
        if len(launches) == 1 and not host:
            direct = _direct(launches[0], placeholders, results)
            if direct:
                return direct
        return self._module(placeholders, results)

    def _module(self, placeholders: list[Node], results):
        root = torch.nn.Module()
        graph = Graph()
        copies: dict[Node, Node] = {}
        for node in placeholders:
            copies[node] = graph.placeholder(node.name)

        def copied(node: Node) -> Node:
            if node not in copies:
                assert node.op == "get_attr"
                setattr(root, node.target, getattr(self.gm, node.target))
                copies[node] = graph.create_node("get_attr", node.target)
            return copies[node]

        for index, (color, nodes) in enumerate(self.order):
            if color == HOST:
                for node in nodes:
                    copies[node] = graph.node_copy(node, copied)
            elif frozenset(nodes) in self._launches:
                launch, inputs, outputs = self._launches[frozenset(nodes)]
                root.add_module(f"segment{index}", _Segment(launch))
                call = graph.call_module(f"segment{index}", tuple(copied(each) for each in inputs))
                for position, node in enumerate(outputs):
                    copies[node] = graph.call_function(operator.getitem, (call, position))
        graph.output(torch.fx.map_arg(tuple(results), copied))
        forward = GraphModule(root, graph).forward
        counted = collections.Counter(fallback.call(node) for node in self.reasons)

        def run(args):
            self.executed(counted)
            with torch.no_grad():
                return forward(*args)
        return run


@dataclasses.dataclass(frozen=True)
class Target:
    """What graphs are compiled for: a kind of card, where random numbers are drawn, and what makes
    functions of graphs."""
    device: str
    random: str = "device"
    compiler: type[GraphCompiler] = GraphCompiler
    dynamic: Callable | None = None
    """What makes functions of graphs with dynamic sizes, in place of dynamic.Specialiser."""

    def function(self, gm: GraphModule, static: set[str], record: report.Graph):
        """The graph as a function of a list of its inputs."""
        return self.compiler(gm, self.device, static, record, self.random).compile()


def _direct(compiled, placeholders: list[Node], results):
    """A function of the graph's inputs that only launches."""
    launch, inputs, outputs = compiled
    slots = [placeholders.index(node) for node in inputs]
    wanted = []
    for result in results:
        if result is None:
            wanted.append(None)
        elif isinstance(result, Node) and result in outputs:
            wanted.append(outputs.index(result))
        else:
            return None
    same = slots == list(range(len(placeholders)))
    if wanted == list(range(len(outputs))):
        return launch if same else lambda args: launch([args[slot] for slot in slots])

    def run(args):
        values = launch(args if same else [args[slot] for slot in slots])
        return [None if each is None else values[each] for each in wanted]
    return run


def clean(graph: Graph) -> None:
    """Removes what computes nothing: aliases, copies of literals, and checks of types, which are
    known by now."""
    aten = torch.ops.aten
    for node in list(graph.nodes):
        if node.target is aten._assert_tensor_metadata.default:
            graph.erase_node(node)
        if node.target in (aten.alias.default, aten.detach.default, aten.detach_.default,
                           aten.lift_fresh_copy.default):
            source = node.args[0]
            if isinstance(source, Node) and (partition.is_op(source) or
                                             not partition.is_result(node)):
                node.replace_all_uses_with(source)
                graph.erase_node(node)
