"""Evaluates what a graph computes from constants and from shapes that are known."""
from typing import Any

import numpy as np
import onnx
from onnx import helper, numpy_helper, shape_inference
from onnx.reference import ReferenceEvaluator

# Results with more elements are left to the compiler.
MAX_ELEMENTS = 1 << 16
MAX_ROUNDS = 20

_RANDOM = {"RandomNormal", "RandomUniform", "RandomNormalLike", "RandomUniformLike", "Bernoulli",
           "Multinomial", "Dropout"}
# The reference evaluates these one element at a time, or they need the bodies of other graphs.
_LEFT = {"Constant", "If", "Loop", "Scan", "SequenceMap", "Optional", "ConstantOfShape",
         "QuantizeLinear", "DequantizeLinear", "DynamicQuantizeLinear"}


def simplify(proto: onnx.ModelProto) -> onnx.ModelProto:
    """The model with inferred shapes and without nodes whose results are known."""
    for _ in range(MAX_ROUNDS):
        proto = _infer(proto)
        if not _Round(proto).run():
            break
    _drop_unused(proto.graph)
    return proto


def _infer(proto: onnx.ModelProto) -> onnx.ModelProto:
    for options in ({"data_prop": True}, {}):
        try:
            return shape_inference.infer_shapes(proto, **options)
        except Exception:  # an op that inference does not survive, such as of another domain
            continue
    return proto


class _Round:
    """One pass over the nodes of the main graph."""

    def __init__(self, proto: onnx.ModelProto) -> None:
        self.proto, self.graph = proto, proto.graph
        self.constants = {tensor.name: tensor for tensor in self.graph.initializer}
        self.arrays: dict[str, np.ndarray] = {}
        self.types = {value.name: value.type.tensor_type
                      for value in [*self.graph.value_info, *self.graph.input, *self.graph.output]
                      if value.type.HasField("tensor_type")}
        self.kept: list[onnx.NodeProto] = []
        self.changed = False

    def run(self) -> bool:
        """Whether the graph has changed."""
        for node in list(self.graph.node):
            branch = self._branch(node)
            if branch is not None:
                self.kept.extend(_inlined(node, branch, self._names()))
                self.changed = True
                continue
            results = self._results(node)
            if results is None:
                self.kept.append(node)
                continue
            self.changed = True
            for name, array in zip(node.output, results):
                if name:
                    tensor = numpy_helper.from_array(np.ascontiguousarray(array).reshape(
                        np.shape(array)), name)
                    self.constants[name] = tensor
                    self.graph.initializer.append(tensor)
        if self.changed:
            del self.graph.node[:]
            self.graph.node.extend(self.kept)
        return self.changed

    def _array(self, name: str) -> np.ndarray | None:
        if name not in self.arrays and name in self.constants:
            self.arrays[name] = numpy_helper.to_array(self.constants[name])
        return self.arrays.get(name)

    def _shape(self, name: str) -> list[int] | None:
        array = self._array(name)
        if array is not None:
            return list(array.shape)
        tensor_type = self.types.get(name)
        if tensor_type is None or not tensor_type.HasField("shape"):
            return None
        dims = tensor_type.shape.dim
        if not all(dim.HasField("dim_value") and dim.dim_value >= 0 for dim in dims):
            return None
        return [dim.dim_value for dim in dims]

    def _results(self, node: onnx.NodeProto) -> list[np.ndarray] | None:
        if node.domain not in ("", "ai.onnx"):
            return None
        attributes = {entry.name: helper.get_attribute_value(entry) for entry in node.attribute}
        if node.op_type in ("Shape", "Size"):
            shape = self._shape(node.input[0])
            if shape is None:
                return None
            if node.op_type == "Size":
                return [np.array(np.prod(shape, dtype=np.int64))]
            end = attributes.get("end", len(shape))
            return [np.array(shape[attributes.get("start", 0):end], np.int64)]
        if node.op_type == "Identity":
            array = self._array(node.input[0])
            return None if array is None else [array]
        return self._evaluate(node)

    def _evaluate(self, node: onnx.NodeProto) -> list[np.ndarray] | None:
        if node.op_type in _RANDOM | _LEFT or not node.input:
            return None
        feeds = {name: self._array(name) for name in node.input if name}
        if not all(array is not None and array.dtype != object for array in feeds.values()):
            return None
        sizes = [self._shape(name) for name in node.output if name]
        if any(shape is not None and np.prod(shape, dtype=np.float64) > MAX_ELEMENTS
               for shape in sizes) or node.op_type in ("Expand", "Tile", "Range") and None in sizes:
            return None
        graph = helper.make_graph(
            [node], "node", [onnx.ValueInfoProto(name=name) for name in feeds],
            [onnx.ValueInfoProto(name=name) for name in node.output if name])
        model = helper.make_model(graph, opset_imports=self.proto.opset_import,
                                  ir_version=self.proto.ir_version)
        try:
            with np.errstate(all="ignore"):
                found = iter(ReferenceEvaluator(model).run(None, feeds))
        except Exception:  # The evaluator raises what it likes; the compiler sees the node then.
            return None
        results = [next(found) if name else None for name in node.output]
        if not all(result is None or isinstance(result, (np.ndarray, np.generic))
                   for result in results):
            return None
        return [None if result is None else np.asarray(result) for result in results]

    def _branch(self, node: onnx.NodeProto) -> onnx.GraphProto | None:
        """The branch of an If whose condition is known."""
        if node.op_type != "If" or node.domain not in ("", "ai.onnx"):
            return None
        condition = self._array(node.input[0])
        if condition is None:
            return None
        wanted = "then_branch" if bool(condition.reshape(-1)[0]) else "else_branch"
        return next(entry.g for entry in node.attribute if entry.name == wanted)

    def _names(self) -> set[str]:
        names = {name for node in [*self.graph.node, *self.kept]
                 for name in [*node.input, *node.output]}
        return names | set(self.constants) | {value.name for value in self.graph.input}


def _inlined(node: onnx.NodeProto, branch: onnx.GraphProto,
             taken: set[str]) -> list[onnx.NodeProto]:
    """The nodes of a branch in the place of its If."""
    renamed: dict[str, str] = {}

    def fresh(name: str) -> str:
        new, number = f"{node.name}/{name}", 0
        while new in taken:
            number += 1
            new = f"{node.name}/{name}_{number}"
        taken.add(new)
        return new

    nodes = []
    for tensor in branch.initializer:
        renamed[tensor.name] = fresh(tensor.name)
        nodes.append(helper.make_node("Constant", [], [renamed[tensor.name]], value=tensor,
                                      name=renamed[tensor.name]))
    for inner in branch.node:
        for name in inner.output:
            if name:
                renamed[name] = fresh(name)
    for inner in branch.node:
        copy = onnx.NodeProto()
        copy.CopyFrom(inner)
        _rename(copy, renamed)
        copy.output[:] = [renamed.get(name, name) for name in inner.output]
        nodes.append(copy)
    for inner, outer in zip(branch.output, node.output):
        if outer:
            nodes.append(helper.make_node("Identity", [renamed.get(inner.name, inner.name)],
                                          [outer], name=f"{node.name}/{outer}"))
    return nodes


def _rename(node: onnx.NodeProto, names: dict[str, str]) -> None:
    """Renames what a node and the graphs inside of it read."""
    node.input[:] = [names.get(name, name) for name in node.input]
    for attribute in node.attribute:
        if attribute.type == onnx.AttributeProto.GRAPH:
            own = {value.name for value in attribute.g.input}
            own |= {name for inner in attribute.g.node for name in inner.output}
            own |= {tensor.name for tensor in attribute.g.initializer}
            outer = {name: new for name, new in names.items() if name not in own}
            for inner in attribute.g.node:
                _rename(inner, outer)
            for value in attribute.g.output:
                value.name = outer.get(value.name, value.name)


def _reads(node: onnx.NodeProto) -> set[str]:
    names = {name for name in node.input if name}
    for attribute in node.attribute:
        graphs: list[Any] = [attribute.g] if attribute.type == onnx.AttributeProto.GRAPH else []
        for graph in graphs:
            for inner in graph.node:
                names |= _reads(inner)
            names |= {value.name for value in graph.output}
    return names


def _drop_unused(graph: onnx.GraphProto) -> None:
    """Removes nodes and constants whose results nobody reads."""
    needed = {value.name for value in graph.output}
    kept = []
    for node in reversed(graph.node):
        if needed & set(node.output):
            kept.append(node)
            needed |= _reads(node)
    del graph.node[:]
    graph.node.extend(reversed(kept))
    constants = [tensor for tensor in graph.initializer if tensor.name in needed]
    del graph.initializer[:]
    graph.initializer.extend(constants)
