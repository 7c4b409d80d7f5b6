# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What passes over an ONNX graph share: types, constants, fresh names, graphs inside nodes."""
from collections.abc import Sequence
from typing import Any

import numpy as np
import onnx
from onnx import helper, numpy_helper

from . import budget

# The end of the name of a choice between the results of two branches.
OF_BRANCHES = "/of_branches"
# Larger constants become weights, which passes do not read.
LARGE_ELEMENTS = 1024


def attribute(node: onnx.NodeProto, name: str, default: Any = None) -> Any:
    for entry in node.attribute:
        if entry.name == name:
            return helper.get_attribute_value(entry)
    return default


def input_of(node: onnx.NodeProto, index: int) -> str:
    """The name of an input; empty if it is left out."""
    return node.input[index] if index < len(node.input) else ""


def constant(name: str, array: np.ndarray) -> onnx.NodeProto:
    return helper.make_node("Constant", [], [name], value=numpy_helper.from_array(array), name=name)


def constant_value(node: onnx.NodeProto) -> onnx.TensorProto | None:
    """The value of a node that is a constant with numbers."""
    if node.op_type != "Constant" or node.domain not in ("", "ai.onnx"):
        return None
    for entry in node.attribute:
        value = helper.get_attribute_value(entry)
        if entry.name == "value":
            return value
        if entry.name == "sparse_value":
            return dense(value)
        for suffix, dtype in (("float", np.float32), ("int", np.int64)):
            if entry.name in (f"value_{suffix}", f"value_{suffix}s"):
                return numpy_helper.from_array(np.array(value, dtype))
    return None


def dense(sparse: onnx.SparseTensorProto) -> onnx.TensorProto:
    budget.check_dense(sparse)
    values = numpy_helper.to_array(sparse.values)
    indices = numpy_helper.to_array(sparse.indices)
    array = np.zeros(tuple(sparse.dims), values.dtype)
    if indices.ndim == 1:
        array.reshape(-1)[indices] = values
    else:
        array[tuple(indices.T)] = values
    return numpy_helper.from_array(array, sparse.values.name)


def name_nodes(graph: onnx.GraphProto, prefix: str = "") -> None:
    """Gives every node a name, which errors show."""
    for index, node in enumerate(graph.node):
        if not node.name:
            node.name = f"{prefix}{node.op_type}_{index}"
        for entry in node.attribute:
            if entry.type == onnx.AttributeProto.GRAPH:
                name_nodes(entry.g, f"{node.name}/{entry.name}/")


# The key of the metadata with the node of the model that a node comes from.
_ORIGIN = "gaudi.origin"


def mark_origins(nodes: Sequence[onnx.NodeProto], of: onnx.NodeProto | None = None) -> None:
    """Notes for nodes, and those of graphs inside them, that they come from the node `of`, or from
    themselves. What has an origin keeps it."""
    for node in nodes:
        if not any(entry.key == _ORIGIN for entry in node.metadata_props):
            op, name = origin(node if of is None else of)
            node.metadata_props.add(key=_ORIGIN, value=f"{op} {name}")
        for entry in node.attribute:
            if entry.type == onnx.AttributeProto.GRAPH:
                mark_origins(entry.g.node, of)


def origin(node: onnx.NodeProto) -> tuple[str, str]:
    """Operator and name of the node of the model that a node comes from."""
    for entry in node.metadata_props:
        if entry.key == _ORIGIN:
            op, _, name = entry.value.partition(" ")
            return op, name
    return node.op_type, node.name


class View:
    """The values of a graph by their names."""

    def __init__(self, graph: onnx.GraphProto) -> None:
        self.made = budget.Made()
        self.constants = {tensor.name: tensor for tensor in graph.initializer}
        for node in graph.node:
            value = constant_value(node)
            if value is not None:
                self.constants[node.output[0]] = value
        self._arrays: dict[str, np.ndarray] = {}
        self._types = {value.name: value.type.tensor_type
                       for value in [*graph.value_info, *graph.input, *graph.output]
                       if value.type.HasField("tensor_type")}
        self._taken = {name for node in graph.node for name in [*node.input, *node.output]}
        self._taken |= set(self.constants) | {value.name for value in graph.input}

    def array(self, name: str) -> np.ndarray | None:
        """The value of a constant."""
        if name not in self._arrays and name in self.constants:
            self._arrays[name] = numpy_helper.to_array(self.constants[name])
        return self._arrays.get(name)

    def shape(self, name: str) -> list[int | None] | None:
        """The sizes of a value, None for one that is not known."""
        array = self.array(name)
        if array is not None:
            return list(array.shape)
        tensor_type = self._types.get(name)
        if tensor_type is None or not tensor_type.HasField("shape"):
            return None
        return [dim.dim_value if dim.HasField("dim_value") and dim.dim_value >= 0 else None
                for dim in tensor_type.shape.dim]

    def sizes(self, name: str) -> list[int | str] | None:
        """The shape with names where sizes are dynamic; a size without one is no other's."""
        shape = self.shape(name)
        tensor_type = self._types.get(name)
        if shape is None or tensor_type is None:
            return shape
        return [size if size is not None else dim.dim_param or f"of {name}"
                for size, dim in zip(shape, tensor_type.shape.dim)]

    def element_type(self, name: str) -> int | None:
        if name in self.constants:
            return self.constants[name].data_type
        return self._types[name].elem_type if name in self._types else None

    def type_of(self, name: str) -> onnx.ValueInfoProto | None:
        """A declaration of a value; None if its type is not known."""
        kind = self.element_type(name)
        if not kind or self.shape(name) is None:
            return None
        return helper.make_tensor_value_info(name, kind, self.shape(name))

    def fresh(self, name: str) -> str:
        """A name that no value has, like `name`."""
        new, number = name, 0
        while new in self._taken:
            number += 1
            new = f"{name}_{number}"
        self._taken.add(new)
        return new


def inlined(prefix: str, graph: onnx.GraphProto, inputs: Sequence[str], outputs: Sequence[str],
            view: View) -> list[onnx.NodeProto]:
    """The nodes of a graph inside a node, with other names: of what it is given (`inputs`), of
    what it returns (`outputs`), and of all values between."""
    view.made.charge(graph, prefix)
    renamed = {value.name: name for value, name in zip(graph.input, inputs)}
    nodes = []
    for tensor in graph.initializer:
        if tensor.name not in renamed:
            renamed[tensor.name] = view.fresh(f"{prefix}/{tensor.name}")
            nodes.append(helper.make_node("Constant", [], [renamed[tensor.name]], value=tensor,
                                          name=renamed[tensor.name]))
    for inner in graph.node:
        for name in inner.output:
            if name:
                renamed[name] = view.fresh(f"{prefix}/{name}")
    for inner in graph.node:
        copy = onnx.NodeProto()
        copy.CopyFrom(inner)
        copy.name = f"{prefix}/{inner.name}"
        _rename(copy, renamed)
        copy.output[:] = [renamed.get(name, name) for name in inner.output]
        nodes.append(copy)
    for value, name in zip(graph.output, outputs):
        if name:
            nodes.append(helper.make_node("Identity", [renamed.get(value.name, value.name)], [name],
                                          name=name))
    return nodes


def _rename(node: onnx.NodeProto, names: dict[str, str]) -> None:
    """Renames what a node and the graphs inside it read."""
    node.input[:] = [names.get(name, name) for name in node.input]
    for entry in node.attribute:
        if entry.type != onnx.AttributeProto.GRAPH:
            continue
        own = {value.name for value in entry.g.input}
        own |= {name for inner in entry.g.node for name in inner.output}
        own |= {tensor.name for tensor in entry.g.initializer}
        outer = {name: new for name, new in names.items() if name not in own}
        for inner in entry.g.node:
            _rename(inner, outer)
        for value in entry.g.output:
            value.name = outer.get(value.name, value.name)


def reads(node: onnx.NodeProto) -> set[str]:
    """The values that a node and the graphs inside it read."""
    names = {name for name in node.input if name}
    for entry in node.attribute:
        if entry.type == onnx.AttributeProto.GRAPH:
            for inner in entry.g.node:
                names |= reads(inner)
            names |= {value.name for value in entry.g.output}
    return names


def drop_unused(graph: onnx.GraphProto) -> None:
    """Removes nodes and constants whose results nobody reads."""
    needed = {value.name for value in graph.output}
    kept = []
    for node in reversed(graph.node):
        if needed & set(node.output):
            kept.append(node)
            needed |= reads(node)
    del graph.node[:]
    graph.node.extend(reversed(kept))
    constants = [tensor for tensor in graph.initializer if tensor.name in needed]
    del graph.initializer[:]
    graph.initializer.extend(constants)


class Editor:
    """A graph whose nodes are replaced, with the values of its large constants (`weights`, which
    are inputs of the graph). `finish` writes the nodes back."""

    def __init__(self, graph: onnx.GraphProto, weights: dict[str, np.ndarray]) -> None:
        self.graph, self.weights = graph, weights
        self.view = View(graph)
        self.results = {value.name for value in graph.output}
        self.nodes = list(graph.node)
        self._slots = [[node] for node in self.nodes]
        self._makers: dict[str, tuple[onnx.NodeProto, int]] = {}
        self._readers: dict[str, list[onnx.NodeProto]] = {}
        for slot, node in enumerate(self.nodes):
            self._enter(node, slot)

    def array(self, name: str) -> np.ndarray | None:
        """The value of a constant, small or large."""
        return self.weights[name] if name in self.weights else self.view.array(name)

    def maker(self, name: str) -> onnx.NodeProto | None:
        return self._makers[name][0] if name in self._makers else None

    def readers_of(self, name: str) -> list[onnx.NodeProto]:
        return self._readers.get(name, [])

    def only_reader(self, name: str) -> onnx.NodeProto | None:
        """The node that reads a value, if it is one and the value is no result of the graph."""
        readers = self.readers_of(name)
        return readers[0] if len(readers) == 1 and name not in self.results else None

    def constant(self, name: str, array: np.ndarray) -> str:
        name = self.view.fresh(name)
        tensor = numpy_helper.from_array(array, name)
        self.view.constants[name] = tensor
        if array.size > LARGE_ELEMENTS:
            self.weights[name] = array
            self.graph.input.append(helper.make_tensor_value_info(name, tensor.data_type,
                                                                  array.shape))
        else:
            self.graph.initializer.append(tensor)
        return name

    def replace(self, old: Sequence[onnx.NodeProto], new: Sequence[onnx.NodeProto]) -> None:
        """Puts nodes in the place of the first of the old ones, and removes those."""
        place = self._makers[_first_result(old[0])][1]
        mark_origins(new, old[0])
        for node in old:
            slot = self._slots[self._makers[_first_result(node)][1]]
            slot[:] = [one for one in slot if one is not node]
            for name in reads(node):
                self._readers[name] = [one for one in self._readers[name] if one is not node]
        self._slots[place].extend(new)
        for node in new:
            self._enter(node, place)

    def forget_types(self, names: set[str]) -> None:
        """Drops the types of values that other nodes make now."""
        kept = [value for value in self.graph.value_info if value.name not in names]
        del self.graph.value_info[:]
        self.graph.value_info.extend(kept)

    def finish(self) -> None:
        nodes = [node for slot in self._slots for node in slot]
        del self.graph.node[:]
        self.graph.node.extend(nodes)

    def _enter(self, node: onnx.NodeProto, slot: int) -> None:
        for name in filter(None, node.output):
            self._makers[name] = (node, slot)
        for name in reads(node):
            self._readers.setdefault(name, []).append(node)


def _first_result(node: onnx.NodeProto) -> str:
    return next(filter(None, node.output))
