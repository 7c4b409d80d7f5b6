# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Quantized operators, of ONNX and of ONNX Runtime, as operators on floats between DequantizeLinear
and QuantizeLinear."""
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper

from . import graphs
from .build import Replacement, Unsupported, named

_MICROSOFT = "com.microsoft"
_STANDARD = {"QLinearConv", "QLinearMatMul"}


def is_quantized(node: onnx.NodeProto) -> bool:
    """Whether the node is one of those that are replaced here."""
    return node.op_type in _FORMS and node.domain == (
        "" if node.op_type in _STANDARD else _MICROSOFT)


def to_float_forms(edit: graphs.Editor) -> None:
    for node in edit.nodes:
        if is_quantized(node):
            _FORMS[node.op_type](_Form(edit, node))


class _Form(Replacement):
    """The nodes that replace one node."""

    def input(self, index: int) -> str:
        return graphs.input_of(self.node, index)

    def attribute(self, name: str, default: Any = None) -> Any:
        return graphs.attribute(self.node, name, default)

    def dequantized(self, value: int, scale: int, zero: int, axis: int = 0) -> str:
        return self.scaled("DequantizeLinear", self.input(value), self.input(scale),
                           self.input(zero), axis)

    def scaled(self, op: str, value: str, scale: str, zero: str, axis: int = 0) -> str:
        """Scales of one element are of the whole tensor."""
        names = [self.scalar(name) for name in (scale, zero)]
        return self.add(op, value, *filter(None, names), axis=axis)

    def scalar(self, name: str) -> str:
        array = self.edit.array(name) if name else None
        if array is None or array.size != 1 or array.ndim == 0:
            return name
        return self.constant("scalar", array.reshape(()))

    def quantized(self, value: str, scale: int, zero: int) -> None:
        self.scaled("QuantizeLinear", value, self.input(scale), self.input(zero))
        self.end()

    def rank(self, index: int) -> int:
        return len(self.edit.view.shape(self.input(index)) or [0, 0])


def _addend(form: _Form, index: int, alpha: float = 1.0) -> list[str]:
    """An addend of integers of the scale of the products, if it is there."""
    if not form.input(index):
        return []
    arrays = [form.edit.array(form.input(one)) for one in (1, 4)]
    if all(array is not None for array in arrays):
        product = np.float32(alpha) * arrays[0].reshape(-1)[0] * arrays[1]
        scale = form.constant("scale", product.reshape(()) if product.size == 1 else product)
    else:
        scale = form.add("Mul", form.scalar(form.input(1)), form.scalar(form.input(4)))
        if alpha != 1.0:
            scale = form.add("Mul", scale, form.constant("alpha", alpha, np.float32))
    return [form.add("DequantizeLinear", form.input(index), scale, axis=0)]


def _convolution(form: _Form) -> None:
    operands = [form.dequantized(0, 1, 2), form.dequantized(3, 4, 5), *_addend(form, 8)]
    form.quantized(form.add("Conv", *operands, **form.attributes()), 6, 7)


def _product(form: _Form) -> None:
    rows = form.dequantized(0, 1, 2, max(0, form.rank(0) - 2))
    columns = form.dequantized(3, 4, 5, max(0, form.rank(3) - 1))
    form.quantized(form.add("MatMul", rows, columns), 6, 7)


def _gemm(form: _Form) -> None:
    operands = [form.dequantized(0, 1, 2),
                form.dequantized(3, 4, 5, 0 if form.attribute("transB", 0) else 1),
                *_addend(form, 6, form.attribute("alpha", 1.0))]
    result = form.add("Gemm", *operands, **form.attributes())
    if form.input(7):
        form.quantized(result, 7, 8)
    else:
        form.end()


def _binary(op: str) -> Callable[[_Form], None]:
    return lambda form: form.quantized(
        form.add(op, form.dequantized(0, 1, 2), form.dequantized(3, 4, 5)), 6, 7)


def _unary(op: str, *without: str) -> Callable[[_Form], None]:
    return lambda form: form.quantized(
        form.add(op, form.dequantized(0, 1, 2), **form.attributes(*without)), 3, 4)


def _softmax(form: _Form) -> None:
    axis = form.attribute("axis", -1)
    if form.attribute("opset", 13) < 13 and axis not in (-1, form.rank(0) - 1):
        raise Unsupported(f"{named(form.node)} of opset {form.attribute('opset', 13)} is over all "
                          "dimensions from its axis on; write it with Flatten and Reshape")
    _unary("Softmax", "opset")(form)


def _pool(op: str) -> Callable[[_Form], None]:
    def rewrite(form: _Form) -> None:
        value, rank = form.dequantized(0, 1, 2), form.rank(0)
        last = form.attribute("channels_last", 0)
        if last:
            value = form.add("Transpose", value, perm=[0, rank - 1, *range(1, rank - 1)])
        value = form.add(op, value, **form.attributes("channels_last"))
        if last:
            value = form.add("Transpose", value, perm=[0, *range(2, rank), 1])
        form.quantized(value, 3, 4)
    return rewrite


def _concat(form: _Form) -> None:
    """Scale and zero point of the result, then three inputs for each part."""
    parts = [form.dequantized(index, index + 1, index + 2)
             for index in range(2, len(form.node.input), 3)]
    form.quantized(form.add("Concat", *parts, axis=form.attribute("axis", 1)), 0, 1)


def _scaled_product(form: _Form, rows: str, columns: str, zeros: Sequence[str],
                    scales: Sequence[str], bias: str) -> None:
    """Products of integers times their scales."""
    names = list(zeros)
    while names and not names[-1]:
        names.pop()
    sums = form.add("Cast", form.add("MatMulInteger", rows, columns, *names),
                    to=TensorProto.FLOAT)
    result = form.add("Mul", sums, form.add("Mul", *scales))
    if bias:
        form.add("Add", result, bias)
    form.end()


def _to_float(form: _Form) -> None:
    _scaled_product(form, form.input(0), form.input(1), [form.input(4), form.input(5)],
                    [form.input(2), form.input(3)], form.input(6))


def _dynamic(form: _Form) -> None:
    names = [form.edit.view.fresh(f"{form.node.name}/{what}") for what in ("rows", "scale", "zero")]
    form.nodes.append(helper.make_node("DynamicQuantizeLinear", [form.input(0)], names,
                                       name=names[0]))
    _scaled_product(form, names[0], form.input(1), [names[2], form.input(3)],
                    [names[1], form.input(2)], form.input(4))


def _of_standard_domain(form: _Form) -> None:
    form.add(form.node.op_type, *form.node.input, **form.attributes())
    form.end()


_FORMS: dict[str, Callable[[_Form], None]] = {
    "QLinearConv": _convolution, "QLinearMatMul": _product, "QGemm": _gemm,
    "QLinearAdd": _binary("Add"), "QLinearMul": _binary("Mul"),
    "QLinearSigmoid": _unary("Sigmoid"), "QLinearLeakyRelu": _unary("LeakyRelu"),
    "QLinearSoftmax": _softmax, "QLinearConcat": _concat,
    "QLinearAveragePool": _pool("AveragePool"),
    "QLinearGlobalAveragePool": _pool("GlobalAveragePool"),
    "MatMulIntegerToFloat": _to_float, "DynamicQuantizeMatMul": _dynamic,
    "QuantizeLinear": _of_standard_domain, "DequantizeLinear": _of_standard_domain,
}
