# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes quantized operators as exact products of 8-bit integers and what scales their sums.

QLinearConv, QLinearMatMul and the quantized operators of ONNX Runtime become the operator on
floats between DequantizeLinear and QuantizeLinear first (contrib.py). A Conv, MatMul or Gemm
whose operands are dequantized from 8 bits is then a ConvInteger or a MatMulInteger, whose sums
are exact, times the product of the scales. Values between are signed.
"""
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import onnx
from onnx import TensorProto, helper

from . import build, contrib, forms, graphs

_EIGHT_BITS = {TensorProto.INT8: np.int8, TensorProto.UINT8: np.uint8}
# Operators that neither change nor combine elements; the first input has the elements.
_MOVES = {"Reshape", "Transpose", "Flatten", "Squeeze", "Unsqueeze", "Slice", "Identity"}
_OPS = {"QuantizeLinear", "DequantizeLinear", "MatMulInteger", "ConvInteger", "QLinearConv",
        "QLinearMatMul"}


def rewrite(proto: onnx.ModelProto, weights: dict[str, np.ndarray],
            infer: Callable[[onnx.ModelProto], onnx.ModelProto]) -> onnx.ModelProto:
    """The model with integer products; large constants that it makes go to `weights`. `infer`
    gives a model with the types of its values."""
    if not any(node.op_type in _OPS or contrib.is_quantized(node) for node in proto.graph.node):
        return proto
    for step in (contrib.to_float_forms, _move_integers, _make_signed, _make_constants_signed,
                 _multiply_integers, _to_convolutions, forms.pad_convolutions,
                 forms.write_out_channels):
        proto = infer(proto)
        edit = graphs.Editor(proto.graph, weights)
        step(edit)
        edit.finish()
        graphs.drop_unused(proto.graph)
    return infer(proto)


class _Scaled(NamedTuple):
    """Operands of a DequantizeLinear or QuantizeLinear whose scale and zero point are constants."""
    value: str
    scale: np.ndarray
    zero: np.ndarray  # of the shape of `scale`
    axis: int

    @property
    def is_per_tensor(self) -> bool:
        return self.scale.ndim == 0


def _scaled(edit: graphs.Editor, node: onnx.NodeProto | None, op: str) -> _Scaled | None:
    if node is None or node.op_type != op or node.domain not in ("", "ai.onnx") \
            or graphs.attribute(node, "block_size", 0):
        return None
    scale = edit.array(node.input[1])
    if scale is None or scale.dtype != np.float32 or scale.ndim > 1:
        return None
    zero_name = graphs.input_of(node, 2)
    kind = edit.view.element_type(node.input[0] if op == "DequantizeLinear" else node.output[0])
    zero = edit.array(zero_name) if zero_name else np.zeros(
        scale.shape, helper.tensor_dtype_to_np_dtype(kind or TensorProto.UINT8))
    if zero is None or zero.size != scale.size:
        return None
    if scale.size == 1:
        scale = scale.reshape(())
    return _Scaled(node.input[0], scale, zero.reshape(scale.shape),
                   graphs.attribute(node, "axis", 1))


def _is_same(one: _Scaled, other: _Scaled) -> bool:
    return one.is_per_tensor and other.is_per_tensor and one.scale == other.scale \
        and one.zero == other.zero and one.zero.dtype == other.zero.dtype


def _move_integers(edit: graphs.Editor) -> None:
    """Operators that only move or choose elements, on the integers: between a DequantizeLinear and
    a QuantizeLinear of the same scale, and look-ups in a dequantized table."""
    for node in edit.nodes:
        if node.op_type == "Gather":
            _gather_integers(edit, node)
        after = _scaled(edit, node, "QuantizeLinear")
        if after is None:
            continue
        moved = edit.maker(node.input[0])
        before = _scaled(edit, moved, "DequantizeLinear")
        if before is not None and _is_same(before, after):
            edit.replace([node], [helper.make_node("Identity", [before.value], [node.output[0]],
                                                   name=node.name)])
            continue
        if moved is None or moved.op_type not in _MOVES | {"MaxPool"} or len(moved.output) > 1 \
                or edit.only_reader(moved.output[0]) is not node:
            continue
        before = _scaled(edit, edit.maker(moved.input[0]), "DequantizeLinear")
        if before is None or not _is_same(before, after):
            continue
        new = onnx.NodeProto()
        new.CopyFrom(moved)
        new.input[0], new.output[0] = before.value, node.output[0]
        edit.replace([moved, node], [new])


def _gather_integers(edit: graphs.Editor, node: onnx.NodeProto) -> None:
    table = _scaled(edit, edit.maker(node.input[0]), "DequantizeLinear")
    if table is None or not table.is_per_tensor or edit.array(table.value) is None:
        return
    form = build.Replacement(edit, node)
    chosen = form.add("Gather", table.value, node.input[1], axis=graphs.attribute(node, "axis", 0))
    form.add("DequantizeLinear", chosen, *edit.maker(node.input[0]).input[1:])
    form.end()


def _make_signed(edit: graphs.Editor) -> None:
    """Quantized values between operators as signed integers, which is what products of torch-mlir
    have: 128 less, zero points too."""
    for group in _groups(edit):
        nodes = [(node, "QuantizeLinear") for name in group
                 if (node := edit.maker(name)) is not None and node.op_type == "QuantizeLinear"]
        nodes += [(node, "DequantizeLinear") for name in group for node in edit.readers_of(name)
                  if node.op_type == "DequantizeLinear"]
        parts = [_scaled(edit, node, op) for node, op in nodes]
        if any(part is None or part.zero.dtype != np.uint8 for part in parts):
            continue
        for (node, _), part in zip(nodes, parts):
            zero = (part.zero.astype(np.int32) - 128).astype(np.int8)
            name = edit.constant(f"{node.name}/zero", zero)
            node.input[:] = [node.input[0], node.input[1], name]
            kept = [entry for entry in node.attribute if entry.name != "output_dtype"]
            del node.attribute[:]
            node.attribute.extend(kept)
        edit.forget_types(group)


def _groups(edit: graphs.Editor) -> list[set[str]]:
    """Values that have one zero point: results of QuantizeLinear, and what is moved from them.
    Only those that nothing but a DequantizeLinear reads in the end."""
    groups = []
    for node in edit.nodes:
        if node.op_type != "QuantizeLinear":
            continue
        group, left, is_closed = set(), [node.output[0]], True
        while left:
            name = left.pop()
            group.add(name)
            is_closed = is_closed and name not in edit.results
            for reader in edit.readers_of(name):
                is_move = reader.op_type in _MOVES | {"MaxPool"} and reader.input[0] == name
                if is_move and len(reader.output) == 1:
                    left.append(reader.output[0])
                elif reader.op_type != "DequantizeLinear" or reader.input[0] != name:
                    is_closed = False
        if is_closed:
            groups.append(group)
    return groups


def _make_constants_signed(edit: graphs.Editor) -> None:
    """Constants of unsigned bytes as signed ones, 128 less, and zero points that are constants,
    too. Otherwise the model would subtract the 128 in each launch."""
    for name in [*edit.view.constants, *edit.weights]:
        array = edit.array(name)
        if array is None or array.dtype != np.uint8 or name in edit.results:
            continue
        places = [_zero_places(edit, node, name) for node in edit.readers_of(name)]
        if not places or None in places:
            continue
        signed = edit.constant(f"{name}/signed", _less_128(array))
        for node, zeros in zip(edit.readers_of(name), places):
            inputs = list(node.input) + [""] * 4
            for value, zero in zeros.items():
                old = edit.array(inputs[zero]) if inputs[zero] else \
                    np.zeros(_zero_shape(edit, node) or [], np.uint8)
                inputs[value] = signed
                inputs[zero] = edit.constant(f"{node.name}/zero", _less_128(old))
            while not inputs[-1]:
                inputs.pop()
            node.input[:] = inputs


def _less_128(array: np.ndarray) -> np.ndarray:
    return (array.astype(np.int32) - 128).astype(np.int8)


def _zero_shape(edit: graphs.Editor, node: onnx.NodeProto) -> list[int | None] | None:
    """The shape of the zero point of an operand that has none."""
    return edit.view.shape(node.input[1]) if node.op_type == "DequantizeLinear" else []


def _zero_places(edit: graphs.Editor, node: onnx.NodeProto,
                 name: str) -> dict[int, int] | None:
    """Where the operator reads the value, and where the zero point of that operand is; None if it
    reads the value otherwise, or if a zero point is not known."""
    after = {"DequantizeLinear": {0: 2}, "MatMulInteger": {0: 2, 1: 3},
             "ConvInteger": {0: 2, 1: 3}}.get(node.op_type, {})
    if node.domain not in ("", "ai.onnx"):
        return None
    places = {index: after.get(index, 0) for index, read in enumerate(node.input) if read == name}
    for zero in places.values():
        given = graphs.input_of(node, zero)
        shape = _zero_shape(edit, node)
        if zero == 0 or (given and edit.array(given) is None) or \
                (not given and (shape is None or None in shape)):
            return None
    return places or None


def _multiply_integers(edit: graphs.Editor) -> None:
    for node in edit.nodes:
        if node.domain not in ("", "ai.onnx"):
            continue
        if node.op_type in ("Conv", "MatMul", "Gemm"):
            _Product(edit, node).rewrite()
        elif node.op_type == "MatMulInteger":
            _refuse_row_zero_points(edit, node)
            _name_zero_points(edit, node)
            _constant_zero_points(edit, node)


def _refuse_row_zero_points(edit: graphs.Editor, node: onnx.NodeProto) -> None:
    """Zero points of the rows of A are a vector, which torch-mlir broadcasts along the columns."""
    zero = graphs.input_of(node, 2)
    shape = edit.view.shape(zero) if zero else None
    if shape is not None and len(shape) == 1 and shape != [1]:
        raise build.Unsupported(f"{build.named(node)} has a zero point for each row of A; give "
                                "it one for all rows, or subtract those of the rows from A first")


def _name_zero_points(edit: graphs.Editor, node: onnx.NodeProto) -> None:
    """Zero points of 0 for products of more than two matrices, which torch-mlir otherwise takes
    for products of signed integers."""
    kinds = [edit.view.element_type(name) for name in node.input[:2]]
    shapes = [edit.view.shape(name) for name in node.input[:2]]
    if TensorProto.UINT8 not in kinds or any(kind not in _EIGHT_BITS for kind in kinds) or \
            all(shape is not None and len(shape) == 2 for shape in shapes) or \
            any(graphs.input_of(node, index) for index in (2, 3)):
        return
    zeros = [edit.constant(f"{node.name}/zero", np.array(0, _EIGHT_BITS[kind])) for kind in kinds]
    node.input.extend(zeros)


class _Product(build.Replacement):
    """A product of two dequantized operands."""

    def rewrite(self) -> None:
        operands = self._operands()
        if operands is None:
            return
        rows, weight = operands
        sums = self._sums(rows, weight)
        bias = graphs.input_of(self.node, 2)
        scale = rows.scale * weight.scale
        if bias:
            integers = self._integer_bias(bias, scale)
            if integers:
                sums, bias = self.add("Add", sums, integers), ""
        others: list[onnx.NodeProto] = []
        end = None if bias else self._quantize_after(others)
        if end is not None:
            scale = scale / end.scale
        result = self.add("Cast", sums, to=TensorProto.FLOAT)
        result = self.add("Mul", result, self.constant("scale", self._per_channel(scale)))
        if bias:
            result = self.add("Add", result, self._shaped(bias))
        for node in others:
            if node.op_type == "Relu":
                result = self.add("Relu", result)
        if end is not None:
            one = self.constant("one", np.array(1, np.float32))
            result = self.add("QuantizeLinear", result, one, self.constant("zero", end.zero))
        self.end(*others)

    def _operands(self) -> tuple[_Scaled, _Scaled] | None:
        """What is multiplied, if it is dequantized from 8 bits and the sums have one scale per
        channel."""
        edit, node = self.edit, self.node
        pair = [_scaled(edit, edit.maker(name), "DequantizeLinear") for name in node.input[:2]]
        if any(one is None or one.zero.dtype not in (np.int8, np.uint8) for one in pair):
            return None
        rows, weight = pair
        rank = len(edit.view.shape(weight.value) or [])
        if not rows.is_per_tensor or not np.all(weight.zero == weight.zero.reshape(-1)[0]):
            return None
        if node.op_type == "Gemm":
            factors = [graphs.attribute(node, key, 1.0) for key in ("alpha", "beta")]
            if factors != [1.0, 1.0] or graphs.attribute(node, "transA", 0):
                return None
            channel = 0 if graphs.attribute(node, "transB", 0) else 1
        else:
            channel = 0 if node.op_type == "Conv" else rank - 1
        if not weight.is_per_tensor:
            if rank == 0 or weight.axis % rank != channel \
                    or (node.op_type == "MatMul" and rank != 2):
                return None
        return rows, weight

    def _sums(self, rows: _Scaled, weight: _Scaled) -> str:
        node, value = self.node, weight.value
        if node.op_type == "Gemm" and graphs.attribute(node, "transB", 0):
            array = self.edit.array(value)
            value = self.add("Transpose", value, perm=[1, 0]) if array is None else \
                self.constant("weight", np.ascontiguousarray(array.T))
        zeros = [self.constant("zero", one.zero.reshape(-1)[0].reshape(()))
                 for one in (rows, weight)]
        if node.op_type != "Conv":
            return self.add("MatMulInteger", rows.value, value, *zeros)
        return self.add("ConvInteger", rows.value, value, *zeros, **self.attributes())

    def _integer_bias(self, bias: str, scale: np.ndarray) -> str:
        """The integers of a bias that has the scale of the sums, in their shape."""
        found = _scaled(self.edit, self.edit.maker(bias), "DequantizeLinear")
        rank = len(self.edit.view.shape(bias) or [])
        if found is not None and not found.is_per_tensor \
                and (rank == 0 or found.axis % rank != rank - 1):
            return ""
        if found is None or found.zero.dtype != np.int32 or found.zero.any() \
                or not np.allclose(found.scale, scale, rtol=1e-5, atol=0):
            return ""
        return self._shaped(found.value)

    def _quantize_after(self, others: list[onnx.NodeProto]) -> _Scaled | None:
        """The QuantizeLinear that alone reads the result, or the Relu of it; adds both to the
        others that are replaced."""
        following = self.edit.only_reader(self.node.output[0])
        chain = []
        if following is not None and following.op_type == "Relu":
            chain.append(following)
            following = self.edit.only_reader(following.output[0])
        found = _scaled(self.edit, following, "QuantizeLinear")
        if found is None or not found.is_per_tensor:
            return None
        others.extend([*chain, following])
        return found

    def _per_channel(self, array: np.ndarray) -> np.ndarray:
        """One value per channel in the shape of the result."""
        if array.ndim == 0 or self.node.op_type != "Conv":
            return array
        rank = len(self.edit.view.shape(self.node.input[1]) or [])
        return array.reshape([1, -1] + [1] * (rank - 2))

    def _shaped(self, name: str) -> str:
        """A vector with one element per channel in the shape of the result."""
        if self.node.op_type != "Conv":
            return name
        array = self.edit.array(name)
        if array is not None:
            return self.constant("bias", self._per_channel(array))
        rank = len(self.edit.view.shape(self.node.input[1]) or [])
        shape = self.constant("shape", np.array([1, -1] + [1] * (rank - 2), np.int64))
        return self.add("Reshape", name, shape)


def _to_convolutions(edit: graphs.Editor) -> None:
    """A MatMulInteger with a constant matrix is a ConvInteger of the matrix, as an image of one
    row, with the rows as filters: torch-mlir keeps its operands in 8 bits, while it widens those
    of a MatMulInteger."""
    for node in edit.nodes:
        if node.op_type != "MatMulInteger" or node.domain not in ("", "ai.onnx"):
            continue
        matrix, shape = edit.array(node.input[1]), edit.view.shape(node.input[0])
        zeros = [graphs.input_of(node, index) for index in (2, 3)]
        if matrix is None or matrix.ndim != 2 or not shape or None in shape[1:] or \
                not all(name and edit.view.shape(name) == [] for name in zeros):
            continue
        form = build.Replacement(edit, node)
        depth, columns = matrix.shape
        image = form.constant("matrix", matrix.reshape(1, depth, 1, columns))
        filters = form.add("Reshape", node.input[0],
                           form.constant("sizes", [-1, depth, 1, 1], np.int64))
        sums = form.add("ConvInteger", image, filters, zeros[1], zeros[0])
        rows = [-1 if size is None else size for size in shape[:-1]]
        form.add("Reshape", sums, form.constant("sizes", [*rows, columns], np.int64))
        form.end()


def _constant_zero_points(edit: graphs.Editor, node: onnx.NodeProto) -> None:
    """A MatMulInteger whose zero points are one constant for each operand, and what others add:
    sum((x - zx) (w - zw)) = sum((x - c) w) + (c - zx) sum(w - zw) - zw sum(x - c)."""
    weight, zero = edit.array(node.input[1]), graphs.input_of(node, 2)
    columns = edit.array(graphs.input_of(node, 3)) if graphs.input_of(node, 3) else np.int32(0)
    if weight is None or weight.ndim != 2 or columns is None:
        return
    is_uniform = columns.size == 1 or bool(np.all(columns == columns.reshape(-1)[0]))
    is_known = not zero or edit.array(zero) is not None
    if is_known and is_uniform and columns.ndim == 0:
        return
    wide, columns = weight.astype(np.int32), columns.astype(np.int32).reshape(-1)
    if is_uniform:
        columns = columns[:1].reshape(())
    kind = edit.view.element_type(node.input[0])
    if kind not in _EIGHT_BITS or (zero and (edit.view.shape(zero) or []) not in ([], [1])):
        return
    dtype = _EIGHT_BITS[kind]
    form = build.Replacement(edit, node)
    add = form.add

    def constant(value: Any, of: Any = np.int32) -> str:
        return form.constant("constant", value, of)

    chosen = edit.array(zero).reshape(()) if zero and is_known else \
        np.array(128 if dtype == np.uint8 and zero else 0)
    in_kernel = columns if is_uniform else np.int32(0)
    result = add("MatMulInteger", node.input[0], node.input[1], constant(chosen, dtype),
                 constant(in_kernel, weight.dtype))
    if not is_known:
        scalar = add("Reshape", add("Cast", zero, to=TensorProto.INT32), constant([], np.int64))
        difference = add("Sub", constant(chosen), scalar)
        sums = constant((wide - columns).sum(axis=0))
        result = add("Add", result, add("Mul", difference, sums))
    if not is_uniform:
        rows = add("ReduceSum", add("Sub", add("Cast", node.input[0], to=TensorProto.INT32),
                                    constant(chosen)), constant([-1], np.int64), keepdims=1)
        add("Sub", result, add("Mul", rows, constant(columns)))
    form.end()
