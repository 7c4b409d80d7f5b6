# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes operators that torch-mlir converts wrongly, or not at all, as others that say the same."""
import itertools

import numpy as np
import onnx
from onnx import helper, inliner, numpy_helper

from . import arithmetic, casts, graphs, operators, positions, sampling, spectra, training
from .build import Builder, Nodes, Rules, changed, naming, same_pads, windows

# Loops of more iterations are not unrolled.
MAX_ITERATIONS = 256

# torch-mlir has conversions of older definitions, with other values in special cases.
_BY_FUNCTION = {"CenterCropPad", "AffineGrid", "DynamicQuantizeLinear"}


def rewrite(proto: onnx.ModelProto) -> bool:
    """Applies all rules to the main graph of a model with inferred shapes; whether one did."""
    view = graphs.View(proto.graph)
    nodes: list[onnx.NodeProto] = []
    is_changed = False
    for node in proto.graph.node:
        with naming(node):
            new = _replaced(node, view)
        graphs.mark_origins(new or [], node)
        nodes.extend([node] if new is None else new)
        is_changed |= new is not None
    if is_changed:
        del proto.graph.node[:]
        proto.graph.node.extend(nodes)
    return is_changed


def _replaced(node: onnx.NodeProto, view: graphs.View) -> Nodes:
    """What the first rule that applies makes of a node."""
    for rules in _DOMAINS.get(node.domain, ()):
        rule = rules.get(node.op_type)
        new = rule(node, view, Builder(node, view)) if rule else None
        if new is not None:
            return new
    return None


def expand_functions(proto: onnx.ModelProto) -> onnx.ModelProto:
    """Inlines the definitions of operators in _BY_FUNCTION, where ONNX defines them so."""
    present = {node.op_type for node in proto.graph.node} & _BY_FUNCTION
    return inlined(proto, present) if present else proto


def inlined(proto: onnx.ModelProto, ops: set[str]) -> onnx.ModelProto:
    """The model with the definitions of operators in their place, where there are any."""
    try:
        expanded = inliner.inline_selected_functions(proto, [("", op) for op in sorted(ops)],
                                                     inline_schema_functions=True)
    except Exception:  # of the C++ code, for nodes that leave out an input
        expanded = _with_local_functions(proto, ops)
    if expanded is not proto:
        graphs.name_nodes(expanded.graph)
    return expanded


# The domain of functions that are made of definitions, until they are inlined.
_DEFINITIONS = "gaudi.definitions"


def _with_local_functions(proto: onnx.ModelProto, ops: set[str]) -> onnx.ModelProto:
    """The same by way of functions of the model, whose inputs may be left out."""
    new = onnx.ModelProto()
    new.CopyFrom(proto)
    view = graphs.View(proto.graph)
    for node in new.graph.node:
        if node.op_type in ops and node.domain in ("", "ai.onnx"):
            function = _definition(node, view, proto)
            if function is None:
                continue
            function.domain, function.name = _DEFINITIONS, f"{node.op_type}_{len(new.functions)}"
            node.domain, node.op_type = _DEFINITIONS, function.name
            new.functions.append(function)
    if not new.functions:
        return proto
    new.opset_import.append(helper.make_opsetid(_DEFINITIONS, 1))
    try:
        return inliner.inline_local_functions(new)
    except Exception:  # of the C++ code
        return proto


def _definition(node: onnx.NodeProto, view: graphs.View,
                proto: onnx.ModelProto) -> onnx.FunctionProto | None:
    """What defines an operator with these inputs. Gives the node the attributes that it leaves
    out."""
    version = next(entry.version for entry in proto.opset_import
                   if entry.domain in ("", "ai.onnx"))
    function = onnx.FunctionProto()
    try:
        schema = onnx.defs.get_schema(node.op_type, version, "")
        types = [view.type_of(name).type if name else onnx.TypeProto() for name in node.input]
        bodies = schema.context_dependent_function_opset_versions
        function.ParseFromString(schema.get_context_dependent_function_with_opset_version(
            max(bodies), node.SerializeToString(), [one.SerializeToString() for one in types]))
    except Exception:  # no such definition, or types that are not known
        return None
    given = {entry.name for entry in node.attribute}
    node.attribute.extend(one.default_value for name, one in schema.attributes.items()
                          if name not in given and one.default_value.name)
    return function


def _auto_pad(node: onnx.NodeProto, view: graphs.View, build: Builder) -> Nodes:
    """Explicit pads for SAME_UPPER and SAME_LOWER."""
    mode = graphs.attribute(node, "auto_pad", b"NOTSET")
    if mode == b"NOTSET":
        return None
    shape = view.shape(node.input[0])
    kernel = graphs.attribute(node, "kernel_shape")
    if kernel is None and len(node.input) > 1 and view.shape(node.input[1]):
        kernel = view.shape(node.input[1])[2:]
    rank = len(kernel or [])
    strides, dilations, _ = windows(node, rank)
    if mode == b"VALID":
        pads = [0] * (2 * rank)
    elif shape is None or kernel is None or None in shape[2:]:
        return None
    else:
        pads = same_pads(shape[2:], kernel, strides, dilations, mode == b"SAME_LOWER")
    return [changed(node, auto_pad=None, pads=pads)]


def _if(node: onnx.NodeProto, view: graphs.View, build: Builder) -> Nodes:
    """Both branches and a choice between their results."""
    branches = [graphs.attribute(node, key) for key in ("then_branch", "else_branch")]
    ends = [[view.fresh(f"{node.name}/{branch.name}/{index}") for index in range(len(node.output))]
            for branch in branches]
    for branch, outputs in zip(branches, ends):
        build.nodes.extend(graphs.inlined(node.name, branch, [], outputs, view))
    condition = build.reshape(node.input[0], [])
    for one, other, output in zip(*ends, node.output):
        if output:
            build.nodes.append(helper.make_node("Where", [condition, one, other], [output],
                                               name=f"{node.name}/{output}{graphs.OF_BRANCHES}"))
    return build.nodes


def _loop(node: onnx.NodeProto, view: graphs.View, build: Builder) -> Nodes:
    """A loop with a constant number of iterations, unrolled."""
    body = graphs.attribute(node, "body")
    count = view.array(node.input[0]) if node.input[0] else None
    starts = node.input[1] == "" or bool(np.all(view.array(node.input[1])) if
                                         view.array(node.input[1]) is not None else False)
    if count is None or not starts or not _always_true(body) or count.size != 1 \
            or int(count.reshape(-1)[0]) > MAX_ITERATIONS:
        return None
    carried = list(node.input[2:])
    total = max(0, int(count.reshape(-1)[0]))
    scans: list[list[str]] = [[] for _ in body.output[1 + len(carried):]]
    if total == 0 and scans:
        return None
    condition = build.constant(True, np.bool_)
    for iteration in range(total):
        number = build.constant(iteration)
        ends = [view.fresh(f"{node.name}/{iteration}/{value.name}") for value in body.output]
        build.nodes.extend(graphs.inlined(f"{node.name}/{iteration}", body,
                                         [number, condition, *carried], ends, view))
        carried = ends[1:1 + len(carried)]
        for scan, value in zip(scans, ends[1 + len(carried):]):
            scan.append(build.add("Unsqueeze", value, build.constant([0])))
    return build.nodes + _ends(node, carried, scans, [0] * len(scans))


def _always_true(body: onnx.GraphProto) -> bool:
    """Whether the condition that a loop's body computes is that it was given, or true."""
    name = body.output[0].name
    makers = {output: inner for inner in body.node for output in inner.output}
    values = {tensor.name: numpy_helper.to_array(tensor) for tensor in body.initializer}
    while name in makers and makers[name].op_type in ("Identity", "Cast"):
        name = makers[name].input[0]
    if name in makers and makers[name].op_type == "Constant":
        tensor = graphs.attribute(makers[name], "value")
        return tensor is not None and bool(np.all(numpy_helper.to_array(tensor)))
    return name == body.input[1].name or name in values and bool(np.all(values[name]))


def _scan(node: onnx.NodeProto, view: graphs.View, build: Builder) -> Nodes:
    """A scan over a dimension of a known size, unrolled."""
    body = graphs.attribute(node, "body")
    scanned = graphs.attribute(node, "num_scan_inputs")
    states = list(node.input[:len(node.input) - scanned])
    sequences = node.input[len(states):]
    in_axes = graphs.attribute(node, "scan_input_axes", [0] * scanned)
    backward = graphs.attribute(node, "scan_input_directions", [0] * scanned)
    outputs = len(body.output) - len(states)
    out_axes = graphs.attribute(node, "scan_output_axes", [0] * outputs)
    reversed_outputs = graphs.attribute(node, "scan_output_directions", [0] * outputs)
    shapes = [view.shape(name) for name in sequences]
    if any(shape is None for shape in shapes):
        return None
    lengths = {shape[axis] for shape, axis in zip(shapes, in_axes)}
    if len(lengths) != 1 or None in lengths or max(lengths) > MAX_ITERATIONS or max(lengths) == 0:
        return None
    total = lengths.pop()
    scans: list[list[str]] = [[] for _ in range(outputs)]
    for iteration in range(total):
        places = [build.constant(total - 1 - iteration if back else iteration) for back in backward]
        elements = [build.add("Gather", name, place, axis=axis)
                    for name, place, axis in zip(sequences, places, in_axes)]
        ends = [view.fresh(f"{node.name}/{iteration}/{value.name}") for value in body.output]
        build.nodes.extend(graphs.inlined(f"{node.name}/{iteration}", body, [*states, *elements],
                                         ends, view))
        states = ends[:len(states)]
        for scan, value, axis in zip(scans, ends[len(states):], out_axes):
            scan.append(build.add("Unsqueeze", value, build.constant([axis])))
    for scan, back in zip(scans, reversed_outputs):
        if back:
            scan.reverse()
    return build.nodes + _ends(node, states, scans, out_axes)


def _ends(node: onnx.NodeProto, states: list[str], scans: list[list[str]],
          axes: list[int]) -> list[onnx.NodeProto]:
    """What a loop returns: its states, and the elements of each scan together."""
    nodes = []
    for value, output in zip(states, node.output):
        if output:
            nodes.append(helper.make_node("Identity", [value], [output],
                                          name=f"{node.name}/{output}"))
    for values, output, axis in zip(scans, itertools.islice(node.output, len(states), None), axes):
        if output:
            nodes.append(helper.make_node("Concat", values, [output], axis=axis,
                                          name=f"{node.name}/{output}"))
    return nodes


def _recurrent(node: onnx.NodeProto, view: graphs.View, build: Builder) -> Nodes:
    """Two layers, of which the second reads the sequence backwards, for one of two directions."""
    direction = graphs.attribute(node, "direction", b"forward")
    inputs = [*node.input, *[""] * (8 - len(node.input))]
    of_both = direction == b"bidirectional" and node.op_type == "LSTM"  # torch-mlir has it
    others = ("layout", "activation_alpha", "activation_beta")
    if direction == b"forward" or of_both or inputs[4] or any(graphs.attribute(node, key)
                                                              for key in others):
        return None

    def halves(name: str) -> list[str]:
        names = [view.fresh(f"{node.name}/Split") for _ in range(2)]
        build.nodes.append(helper.make_node("Split", [name], names, name=names[0], axis=0))
        return names

    def reversed_in_time(name: str) -> str:
        return build.slice(name, 0, -1, np.iinfo(np.int64).min, -1)

    both = direction == b"bidirectional"
    activations = graphs.attribute(node, "activations", [])
    # Weights and states have the directions in their first dimension.
    split = {index: halves(name) if both else [name]
             for index, name in enumerate(inputs) if name and index != 0}
    results = []
    for number, backward in enumerate([False, True] if both else [True]):
        part = len(activations) // (2 if both else 1)
        new = changed(node, direction=None,
                            activations=activations[number * part:(number + 1) * part] or None)
        new.name = f"{node.name}/{'backward' if backward else 'forward'}"
        new.input[:] = [reversed_in_time(name) if backward and index == 0
                        else split[index][number] if index in split else name
                        for index, name in enumerate(inputs)]
        new.output[:] = [view.fresh(f"{new.name}/{index}") for index in range(len(node.output))]
        build.nodes.append(new)
        ends = list(new.output)
        if backward:
            ends[0] = reversed_in_time(ends[0])
        results.append(ends)
    # The whole sequence has directions in dimension 1, states in dimension 0.
    for index, output in enumerate(node.output):
        if output:
            build.nodes.append(helper.make_node(
                "Concat", [ends[index] for ends in results], [output], axis=0 if index else 1,
                name=f"{node.name}/{output}"))
    return build.nodes


_RULES: Rules = {
    "Conv": _auto_pad, "ConvInteger": _auto_pad, "QLinearConv": _auto_pad,
    "MaxPool": _auto_pad, "AveragePool": _auto_pad, "LpPool": _auto_pad,
    "If": _if, "Loop": _loop, "Scan": _scan, "LSTM": _recurrent, "GRU": _recurrent,
    "RNN": _recurrent,
}

_STANDARD = (_RULES, casts.RULES, operators.RULES, arithmetic.RULES, positions.RULES,
             sampling.RULES, spectra.RULES)
_DOMAINS = {"": _STANDARD, "ai.onnx": _STANDARD, training.DOMAIN: (training.RULES,)}
