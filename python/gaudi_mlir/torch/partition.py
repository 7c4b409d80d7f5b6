# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Divides an FX graph into what the device computes and what the CPU does.

Each node has a color: HOST, DEVICE, or a color of its own where the device's part must be cut.
A node's stage is one more than that of any operand of another color, and a segment is the nodes of
one color and stage: edges never go back, so segments run stage by stage.
"""
import operator

import torch
from torch.fx import Graph, GraphModule, Node
from torch.fx._lazy_graph_module import _LazyGraphModule

from . import draws, sizes

aten = torch.ops.aten

HOST = "host"
DEVICE = "device"

VIEWS = {
    aten.view.default, aten._unsafe_view.default, aten.reshape.default, aten.permute.default,
    aten.transpose.int, aten.t.default, aten.unsqueeze.default, aten.squeeze.default,
    aten.squeeze.dim, aten.squeeze.dims, aten.expand.default, aten.slice.Tensor, aten.select.int,
    aten.alias.default, aten.detach.default, aten.as_strided.default,
    torch.ops.prims.squeeze.default, operator.getitem,
}


def is_op(node: Node) -> bool:
    return node.op == "call_function"


def is_result(node: Node) -> bool:
    """Whether the node or a view of it is a result of the graph."""
    return any(user.op == "output" or (user.target in VIEWS and is_result(user))
               for user in node.users)


def values(node: Node) -> list:
    """The values of a node, one or several."""
    value = node.meta.get("val")
    return list(value) if isinstance(value, (list, tuple)) else [value]


def host_reason(node: Node, known: dict[Node, str | None] | None = None) -> str | None:
    """Why the node runs on the host whatever the compiler can do; "" if that is no fallback.
    `known` keeps it, for a graph that does not change: lists of tensors are asked for each item."""
    if known is None:
        return _host_reason(node, {})
    if node not in known:
        known[node] = _host_reason(node, known)
    return known[node]


def _host_reason(node: Node, known: dict[Node, str | None]) -> str | None:
    if isinstance(node.target, torch._ops.HigherOrderOperator):
        return "" if checks_errors(node) else "a higher-order op"
    if node.target is operator.getitem:
        parent = node.args[0]
        return None if is_op(parent) and host_reason(parent, known) is None else ""
    if not isinstance(node.target, torch._ops.OpOverload):
        return ""  # arithmetic of Python numbers
    if mutates(node):
        return ""  # updates of inputs, which end a graph
    if node.target in draws.RANDOM:
        return ""  # the generator of PyTorch draws, as without torch.compile
    if node.target in sizes.CUTS:
        return ""  # a view of what the device has computed
    if draws.seeded(node):
        return "its numbers are from a generator of its own, or it draws too many at once"
    tensors = [each for each in values(node) if isinstance(each, torch.Tensor)]
    if not tensors:
        return ""
    operands = [each for arg in node.all_input_nodes if arg.op != "get_attr"
                for each in values(arg) if isinstance(each, torch.Tensor)]
    if all(each.dtype == torch.float64 and each.ndim == 0 for each in tensors) and \
            all(each.ndim == 0 for each in operands):
        return ""  # a Python number as a tensor
    # A scalar of float64 is a number of the type of the tensors beside it, if that is a float. Of
    # scalars, integers and booleans beside it the common type is float64, which shows where the
    # result is none: in comparisons, and in conversions to integers.
    rounds = any(each.ndim and (each.is_floating_point() or each.is_complex())
                 for each in operands) or all(each.is_floating_point() for each in tensors)
    if any(each.dtype is torch.float64 for each in
           tensors + [each for each in operands if each.ndim or not rounds]):
        return "" if node.target in VIEWS else \
            "float64 stays on the CPU, since the device has float32 (convert the model and its " \
            "inputs: .float())"
    for each in tensors + operands:
        if each.dtype is torch.complex128:
            return "complex numbers of float64"
        if each.layout != torch.strided:
            return f"layout {each.layout}"
    return None


def checks_errors(node: Node) -> bool:
    """Whether the node only raises if linear algebra failed, by a number that the device gives;
    PyTorch keeps the order of such ops by a token."""
    return node.target is torch.ops.higher_order.with_effects and \
        node.args[1] is aten._linalg_check_errors.default


def stages(graph: Graph, colors: dict[Node, str]) -> dict[Node, tuple[int, str]]:
    """The segment of each op. What the host can do first it does before the device begins; what
    changes its operands comes last, since all others read the old values. Random ops keep their
    order, as they share a generator."""
    result: dict[Node, tuple[int, str]] = {}
    drawn = 0
    for node in graph.nodes:
        if not is_op(node):
            continue
        color = colors[node]
        stage = 0 if color == HOST else 1
        for operand in node.all_input_nodes:
            if operand in result:
                before, other = result[operand]
                stage = max(stage, before + (other != color))
        if color == HOST and draws.seeded(node):
            stage = drawn = max(stage, drawn)
        result[node] = (stage, color)
    last = max((stage for stage, _ in result.values()), default=0) + 1
    for node in result:
        if mutates(node):
            result[node] = (last, HOST)
    return result


def mutates(node: Node) -> bool:
    return isinstance(node.target, torch._ops.OpOverload) and node.target._schema.is_mutable


def keep_pairs(graph: Graph, colors: dict[Node, str]) -> None:
    """Parts of a tuple belong to the op that made it."""
    for node in graph.nodes:
        if is_op(node) and node.target is operator.getitem and node.args[0] in colors:
            colors[node] = colors[node.args[0]]


def move_views(graph: Graph, colors: dict[Node, str]) -> None:
    """Views that nothing on the device reads, or that the host can make of its own, cost nothing
    there, and constants that only the host reads little. Graphs without host ops keep theirs."""
    if not any(color == HOST for color in colors.values()):
        return
    for node in graph.nodes:
        if is_op(node) and node.target in VIEWS and node.target is not operator.getitem:
            sources = [each for each in node.all_input_nodes if is_op(each)]
            if all(colors[each] == HOST for each in sources) and \
                    all(colors.get(user, HOST) == HOST for user in node.users):
                colors[node] = HOST
    for node in reversed(graph.nodes):
        if is_op(node) and (node.target in VIEWS or not node.all_input_nodes) and \
                node.target is not operator.getitem:
            if node.users and all(colors.get(user) == HOST for user in node.users):
                colors[node] = HOST


def narrowed(value):
    """What the device gets of a value: numbers of Python are float64 in a graph, on it float32."""
    if isinstance(value, torch.Tensor) and value.dtype == torch.float64 and value.ndim == 0:
        with value.fake_mode if hasattr(value, "fake_mode") else torch.no_grad():
            return value.to(torch.float32)
    return value


def extract(gm: GraphModule, nodes: list[Node],
            outputs: list[Node]) -> tuple[GraphModule, list[Node]]:
    """A module that computes `outputs` by `nodes`, which its own have as meta["source"], and the
    nodes outside that it reads."""
    graph = Graph()
    inside = set(nodes)
    inputs: dict[Node, None] = {}
    for node in nodes:
        for operand in node.all_input_nodes:
            if operand not in inside and operand.op != "get_attr":
                inputs[operand] = None
    copies: dict[Node, Node] = {}
    for node in inputs:
        copies[node] = graph.placeholder(node.name)
        copies[node].meta = {**node.meta, "val": narrowed(node.meta["val"])}
    module = torch.nn.Module()

    def copied(node: Node) -> Node:
        if node not in copies:
            assert node.op == "get_attr"
            value = getattr(gm, node.target)
            setattr(module, node.target, value)
            copies[node] = graph.create_node("get_attr", node.target)
            copies[node].meta = {"val": value, **node.meta}
        return copies[node]

    for node in nodes:
        copies[node] = graph.node_copy(node, copied)
        copies[node].meta["source"] = node
    result = graph.output(tuple(copies[node] for node in outputs))
    result.meta = {}
    # Its code is only made if it is called, which takes as long as all of the above.
    return _LazyGraphModule(module, graph), list(inputs)
