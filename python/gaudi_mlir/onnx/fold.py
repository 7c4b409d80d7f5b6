# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Evaluates what a graph computes from constants and from shapes that are known."""
import numpy as np
import onnx
from onnx import helper, numpy_helper, shape_inference
from onnx.reference import ReferenceEvaluator

from . import build, graphs, operators, refusals, rewrite

# Results with more elements are left to the compiler; of fills already those with more than these.
MAX_ELEMENTS = 1 << 16
MAX_FILL = 1024
MAX_ROUNDS = 20

_RANDOM = {"RandomNormal", "RandomUniform", "RandomNormalLike", "RandomUniformLike", "Bernoulli",
           "Multinomial", "Dropout"}
# What the compiler does as well, or what needs the bodies of other graphs.
_LEFT = {"If", "Loop", "Scan", "SequenceMap", "Optional", "QuantizeLinear", "DequantizeLinear",
         "DynamicQuantizeLinear"}
# What ONNX's evaluator computes otherwise than ONNX defines it, in some of its versions and for
# some attributes, or what has rules that are to see it.
_MISREAD = {"LSTM", "GRU", "RNN", "MaxPool", "AveragePool", "LpPool", "GlobalMaxPool",
            "GlobalAveragePool", "GlobalLpPool", "LRN", "GridSample", "BatchNormalization",
            "InstanceNormalization", "GroupNormalization", "LayerNormalization",
            "RMSNormalization", "LpNormalization", "Conv", "ConvTranspose", "Attention",
            "RotaryEmbedding"}
# What has any number of elements, by a value that it reads.
_GROWING = {"Pad", "Resize", "Upsample", "OneHot", "CenterCropPad", "Col2Im", "MaxUnpool"}
_FILLS = {"ConstantOfShape", "Expand", "Tile", "Range", "EyeLike"}


def simplify(proto: onnx.ModelProto) -> onnx.ModelProto:
    """The model with inferred shapes, without nodes whose results are known, and with operators
    that torch-mlir converts well."""
    proto = rewrite.expand_functions(proto)
    for _ in range(MAX_ROUNDS):
        proto = infer(proto)
        while operators.round_down(proto.graph):
            proto = infer(proto)
        folded = _Round(proto).run()
        # Conditions and sizes of loops may be constants only after folding.
        if not folded and not rewrite.rewrite(proto):
            break
    graphs.drop_unused(proto.graph)
    refusals.refuse(proto.graph)
    return proto


def infer(proto: onnx.ModelProto) -> onnx.ModelProto:
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
        self.view = graphs.View(proto.graph)
        self.kept: list[onnx.NodeProto] = []
        self.changed = False

    def run(self) -> bool:
        """Whether the graph has changed."""
        for node in list(self.graph.node):
            with build.naming(node):
                branch, results = self._branch(node), self._results(node)
            if branch is not None:
                self.kept.extend(graphs.inlined(node.name, branch, [], list(node.output),
                                                self.view))
                self.changed = True
                continue
            if results is None:
                self.kept.append(node)
                continue
            self.changed = True
            for name, array in zip(node.output, results):
                if name:
                    tensor = numpy_helper.from_array(np.asarray(array, order="C"), name)
                    self.view.constants[name] = tensor
                    self.graph.initializer.append(tensor)
        if self.changed:
            del self.graph.node[:]
            self.graph.node.extend(self.kept)
        return self.changed

    def _results(self, node: onnx.NodeProto) -> list[np.ndarray] | None:
        if node.domain not in ("", "ai.onnx"):
            return None
        if node.op_type in ("Shape", "Size"):
            shape = self.view.shape(node.input[0])
            if shape is None:
                return None
            if node.op_type == "Shape":
                start, end = (graphs.attribute(node, key) for key in ("start", "end"))
                shape = shape[slice(start, end)]
                return None if None in shape else [np.array(shape, np.int64)]
            return None if None in shape else [np.array(np.prod(shape, dtype=np.int64))]
        empty = self._empty(node)
        if empty is not None:
            return empty
        if node.op_type == "Constant":
            array = self.view.array(node.output[0])
            return None if array is None or array.dtype == object else [array]
        if node.op_type == "GatherElements":
            return self._gather_elements(node)
        return self._evaluate(node)

    def _empty(self, node: onnx.NodeProto) -> list[np.ndarray] | None:
        """Results without elements, on which torch-mlir crashes."""
        results = []
        for name in node.output:
            shape, kind = self.view.shape(name), self.view.element_type(name)
            if not name or not kind or shape is None or None in shape or 0 not in shape:
                return None
            results.append(np.zeros(shape, helper.tensor_dtype_to_np_dtype(kind)))
        return results or None

    def _gather_elements(self, node: onnx.NodeProto) -> list[np.ndarray] | None:
        """ONNX's evaluator does not take indices that are smaller than the data."""
        data, indices = (self.view.array(name) for name in node.input)
        if data is None or indices is None or indices.size > MAX_ELEMENTS:
            return None
        axis = graphs.attribute(node, "axis", 0)
        size = data.shape[axis]
        if indices.size and not -size <= indices.min() <= indices.max() < size:
            return None
        places = list(np.indices(indices.shape))
        places[axis] = indices % size
        return [data[tuple(places)]]

    def _evaluate(self, node: onnx.NodeProto) -> list[np.ndarray] | None:
        if node.op_type in _RANDOM | _LEFT | _MISREAD or not node.input \
                or (node.op_type == "Resize" and not self._resizes_as_defined(node)):
            return None
        feeds = {name: self.view.array(name) for name in node.input if name}
        if not all(array is not None and array.dtype != object for array in feeds.values()):
            return None
        fills = node.op_type in _FILLS
        # Where broadcasting could give so many, the shapes are known in the next round.
        may_grow = fills or node.op_type in _GROWING or \
            np.prod([float(max(1, array.size)) for array in feeds.values()]) > 1 << 24
        for name in filter(None, node.output):
            shape = self.view.shape(name)
            if may_grow and (shape is None or None in shape):
                return None
            size = np.prod([size or 1 for size in shape or []], dtype=np.float64)
            if size > (MAX_FILL if fills else MAX_ELEMENTS):
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
        results = [None if result is None else np.asarray(result) for result in results]
        return results if self._are_as_inferred(node, results) else None

    def _resizes_as_defined(self, node: onnx.NodeProto) -> bool:
        """False where the evaluator places samples otherwise than ONNX says: a result of length 1
        of PyTorch's pixels, and corners that are aligned by a scale."""
        mode = build.text_of(node, "coordinate_transformation_mode", "half_pixel")
        before, after = (self.view.shape(name) for name in (node.input[0], node.output[0]))
        shrinks = before is None or after is None or any(
            size == 1 != old for old, size in zip(before, after))
        return not (mode == "pytorch_half_pixel" and shrinks
                    or mode == "align_corners" and not graphs.input_of(node, 3))

    def _are_as_inferred(self, node: onnx.NodeProto,
                         results: list[np.ndarray | None]) -> bool:
        """False if a result has another type or shape than ONNX infers."""
        for name, result in zip(node.output, results):
            if result is None:
                continue
            kind, shape = self.view.element_type(name), self.view.shape(name)
            if kind and helper.tensor_dtype_to_np_dtype(kind) != result.dtype:
                return False
            if shape is not None and (len(shape) != result.ndim or any(
                    known not in (None, size) for known, size in zip(shape, result.shape))):
                return False
        return True

    def _branch(self, node: onnx.NodeProto) -> onnx.GraphProto | None:
        """The branch of an If whose condition is known."""
        if node.op_type != "If" or node.domain not in ("", "ai.onnx"):
            return None
        condition = self.view.array(node.input[0])
        if condition is None:
            return None
        return graphs.attribute(
            node, "then_branch" if bool(condition.reshape(-1)[0]) else "else_branch")
