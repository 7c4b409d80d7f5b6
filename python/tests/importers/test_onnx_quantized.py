# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Quantized operators of ONNX models as integer products: integers are equal, to those of ONNX
Runtime without its own rewrites, or, where it multiplies integers, to exact ones of NumPy."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("onnx")
pytest.importorskip("torch_mlir.ir")
ort = pytest.importorskip("onnxruntime")
import onnx  # noqa: E402
from onnx import TensorProto, helper, numpy_helper  # noqa: E402
from onnx.reference import ReferenceEvaluator  # noqa: E402
from onnx.reference.op_run import OpRun  # noqa: E402
from gaudi_mlir import onnx as gaudi_onnx  # noqa: E402

RANDOM = np.random.default_rng(0)
KINDS = {np.uint8: TensorProto.UINT8, np.int8: TensorProto.INT8}


def floats(*shape: int) -> np.ndarray:
    return RANDOM.standard_normal(shape, dtype=np.float32)


def integers(*shape: int, dtype: type = np.int8, low: int | None = None) -> np.ndarray:
    limits = np.iinfo(dtype)
    return RANDOM.integers(limits.min if low is None else low, limits.max + 1, shape, dtype=dtype)


def scale(*shape: int) -> np.ndarray:
    return RANDOM.uniform(0.01, 0.02, shape).astype(np.float32)


def model(nodes: list[onnx.NodeProto], feeds: dict, constants: dict, kind: int) -> onnx.ModelProto:
    graph = helper.make_graph(
        nodes, "quantized",
        [helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype),
                                       array.shape) for name, array in feeds.items()],
        [helper.make_tensor_value_info("y", kind, None)],
        [numpy_helper.from_array(np.asarray(array), name) for name, array in constants.items()])
    return helper.make_model(graph, ir_version=10, opset_imports=[
        helper.make_opsetid("", 20), helper.make_opsetid("com.microsoft", 1)])


class QGemm(OpRun):
    """Of exact integers; rounds once."""
    op_domain = "com.microsoft"

    def _run(self, a, a_scale, a_zero, b, b_scale, b_zero, c, y_scale, y_zero, transB=0):
        columns = b.T if transB else b
        sums = (a.astype(np.int64) - a_zero) @ (columns.astype(np.int64) - b_zero) + c
        scaled = np.rint(sums.astype(np.float32) * (a_scale * b_scale / y_scale)) + y_zero
        limits = np.iinfo(y_zero.dtype)
        return (np.clip(scaled, limits.min, limits.max).astype(y_zero.dtype),)


class DynamicQuantizeMatMul(OpRun):
    op_domain = "com.microsoft"

    def _run(self, a, b, b_scale, b_zero, bias):
        low, high = min(a.min(), np.float32(0)), max(a.max(), np.float32(0))
        scale = (high - low) / np.float32(255)
        zero = np.clip(np.rint(-low / scale), 0, 255)
        quantized = np.clip(np.rint(a / scale) + zero, 0, 255).astype(np.int64)
        sums = (quantized - int(zero)) @ (b.astype(np.int64) - b_zero)
        return (sums.astype(np.float32) * (scale * b_scale) + bias,)


# ONNX Runtime multiplies unsigned by signed bytes with vpmaddubsw on hosts without VNNI, which
# saturates the sum of two products to 16 bits.
PRODUCTS = {"QLinearConv", "QLinearMatMul", "ConvInteger", "MatMulInteger", "QGemm",
            "DynamicQuantizeMatMul"}


def expect(proto: onnx.ModelProto, feeds: dict) -> np.ndarray:
    if any(node.op_type in PRODUCTS for node in proto.graph.node):
        exact = ReferenceEvaluator(proto, new_ops=[QGemm, DynamicQuantizeMatMul])
        return exact.run(None, feeds)[0]
    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    return ort.InferenceSession(proto.SerializeToString(), options).run(None, feeds)[0]


def check(nodes: list[onnx.NodeProto], feeds: dict, constants: dict, kind: int,
          product: str = "") -> str:
    """Equal integers, floats within rounding; `product`: the operation of 8-bit integers that the
    text must have. The text."""
    proto = model(nodes, feeds, constants, kind)
    expected = expect(proto, feeds)
    text = gaudi_onnx.to_mlir(proto)
    got = text.compile().run(feeds)[0]
    assert (got.dtype, got.shape) == (expected.dtype, expected.shape)
    if expected.dtype == np.float32:
        np.testing.assert_allclose(got, expected, rtol=1e-5, atol=1e-5)
    else:
        np.testing.assert_array_equal(got, expected)
    if product:
        assert product in text.text
        assert "linalg.conv_2d_nchw_fchw " not in text.text
    return text.text


def node(op: str, inputs: str, output: str = "y", **attributes) -> onnx.NodeProto:
    """Inputs are words; `-` is one that is left out."""
    names = ["" if name == "-" else name for name in inputs.split()]
    return helper.make_node(op, names, [output], name=output, **attributes)


@pytest.mark.parametrize("dtype", [np.uint8, np.int8])
@pytest.mark.parametrize("channels", [1, 40])
def test_convolution(dtype: type, channels: int) -> None:
    count = 40 if channels == 1 else channels
    constants = {
        "xs": scale(), "xz": np.array(100, dtype), "w": integers(count, 16, 3, 3, low=-64),
        "ws": scale(channels) if channels > 1 else scale(), "wz": np.zeros(channels, np.int8)
        if channels > 1 else np.int8(0), "ys": np.float32(0.9), "yz": np.array(90, dtype),
        "b": RANDOM.integers(-9000, 9000, count, dtype=np.int32)}
    check([node("QLinearConv", "x xs xz w ws wz ys yz b", strides=[2, 2], pads=[1, 1, 1, 1])],
          {"x": integers(2, 16, 9, 9, dtype=dtype)}, constants, KINDS[dtype],
          "linalg.conv_2d_nchw_fchw_q")


@pytest.mark.parametrize("columns", [1, 24])
def test_product(columns: int) -> None:
    constants = {"as": scale(), "az": np.uint8(7), "b": integers(64, 24),
                 "bs": scale(columns) if columns > 1 else scale(),
                 "bz": np.zeros(columns, np.int8) if columns > 1 else np.int8(-3),
                 "ys": np.float32(0.4), "yz": np.uint8(99)}
    check([node("QLinearMatMul", "a as az b bs bz ys yz")], {"a": integers(5, 64, dtype=np.uint8)},
          constants, TensorProto.UINT8)


def test_product_of_values() -> None:
    """Both operands are known at run time only."""
    nodes = [node("DequantizeLinear", "a s az", "af"), node("DequantizeLinear", "b s bz", "bf"),
             node("MatMul", "af bf")]
    check(nodes, {"a": integers(2, 3, 8, 16, dtype=np.uint8), "b": integers(2, 3, 16, 12)},
          {"s": scale(), "az": np.uint8(120), "bz": np.int8(5)}, TensorProto.FLOAT)


@pytest.mark.parametrize("zeros", [(), (0,), (33,)])
@pytest.mark.parametrize("dtype", [np.uint8, np.int8])
def test_integer_product(zeros: tuple, dtype: type) -> None:
    """The zero point of the rows is computed; those of the columns: none, equal, different."""
    feeds = {"x": integers(2, 10, 48, dtype=dtype), "z": np.array([77], dtype)}
    constants = {"w": integers(48, 33)}
    if zeros:
        constants["wz"] = integers(*zeros) if zeros[0] else np.full(33, 4, np.int8)
    check([node("Identity", "z", "zz"), node("MatMulInteger", f"x w zz{' wz' if zeros else ''}")],
          feeds, constants, TensorProto.INT32)


def test_dynamic() -> None:
    quantize = helper.make_node("DynamicQuantizeLinear", ["x"], ["q", "s", "z"], name="quantize")
    nodes = [quantize, node("MatMulInteger", "q w z wz", "sums"), node("Cast", "sums", "f", to=1),
             node("Mul", "s ws", "sw"), node("Mul", "f sw", "scaled"), node("Add", "scaled b")]
    check(nodes, {"x": floats(3, 40, 32)}, {"w": integers(32, 48), "wz": np.zeros(48, np.int8),
                                            "ws": scale(48), "b": floats(48)}, TensorProto.FLOAT)
    fused = [helper.make_node("DynamicQuantizeMatMul", ["x", "w", "ws", "wz", "b"], ["y"],
                              name="y", domain="com.microsoft")]
    check(fused, {"x": floats(3, 40, 32)}, {"w": integers(32, 48), "wz": np.zeros(48, np.int8),
                                            "ws": scale(48), "b": floats(48)}, TensorProto.FLOAT)


def test_residual_block() -> None:
    """Convolutions between QuantizeLinear and DequantizeLinear, Relu, a sum, and a MaxPool."""
    constants = {"s": np.float32(0.03), "z": np.uint8(121), "t": np.float32(0.5), "v": np.uint8(0),
                 "w": integers(16, 16, 3, 3, low=-64), "ws": scale(16),
                 "wz": np.zeros(16, np.int8), "b": RANDOM.integers(-99, 99, 16, dtype=np.int32),
                 "bz": np.zeros(16, np.int32)}
    constants["bs"] = constants["s"] * constants["ws"]
    nodes = [node("QuantizeLinear", "x s z", "q"), node("DequantizeLinear", "q s z", "f"),
             node("MaxPool", "f", "m", kernel_shape=[2, 2]), node("QuantizeLinear", "m s z", "qm"),
             node("DequantizeLinear", "qm s z", "fm"),
             node("DequantizeLinear", "w ws wz", "wf", axis=0),
             node("DequantizeLinear", "b bs bz", "bf", axis=0),
             node("Conv", "fm wf bf", "c", pads=[1, 1, 1, 1]), node("Relu", "c", "r"),
             node("QuantizeLinear", "r t v", "qc"), node("DequantizeLinear", "qc t v", "fc"),
             node("Add", "fc fm", "sum"), node("QuantizeLinear", "sum t v")]
    check(nodes, {"x": floats(1, 16, 8, 8)}, constants, TensorProto.UINT8,
          "linalg.conv_2d_nchw_fchw_q")


def test_unequal_zero_points_of_a_filter_stay_floats() -> None:
    constants = {"s": scale(), "z": np.uint8(128), "w": integers(4, 3, 3, 3), "ws": scale(4),
                 "wz": np.array([0, 1, -2, 3], np.int8)}
    nodes = [node("DequantizeLinear", "x s z", "f"),
             node("DequantizeLinear", "w ws wz", "wf", axis=0), node("Conv", "f wf")]
    check(nodes, {"x": integers(1, 3, 6, 6, dtype=np.uint8)}, constants, TensorProto.FLOAT)


def of_microsoft(op: str, inputs: str, **attributes) -> list[onnx.NodeProto]:
    return [node(op, inputs, domain="com.microsoft", **attributes)]


@pytest.mark.parametrize("op", ["QLinearAdd", "QLinearMul"])
def test_elementwise(op: str) -> None:
    constants = {"as": scale(), "az": np.uint8(130), "b": integers(4, 6, dtype=np.uint8),
                 "bs": scale(), "bz": np.uint8(3), "ys": np.float32(0.02), "yz": np.uint8(9)}
    check(of_microsoft(op, "a as az b bs bz ys yz"), {"a": integers(4, 6, dtype=np.uint8)},
          constants, TensorProto.UINT8)


def test_gemm() -> None:
    constants = {"as": np.float32(0.02), "az": np.uint8(130), "b": integers(20, 32, low=-64),
                 "bs": scale(20), "bz": np.zeros(20, np.int8), "ys": np.float32(0.3),
                 "c": RANDOM.integers(-999, 999, 20, dtype=np.int32), "yz": np.uint8(100)}
    check(of_microsoft("QGemm", "a as az b bs bz c ys yz", transB=1),
          {"a": integers(6, 32, dtype=np.uint8)}, constants, TensorProto.UINT8)


@pytest.mark.parametrize("last", [0, 1])
def test_mean_of_planes(last: int) -> None:
    constants = {"s": np.float32(0.05), "z": np.uint8(11), "t": np.float32(0.04),
                 "v": np.uint8(5)}
    check(of_microsoft("QLinearGlobalAveragePool", "x s z t v", channels_last=last),
          {"x": integers(2, 5, 7, 3, dtype=np.uint8)}, constants, TensorProto.UINT8)


def test_concatenation() -> None:
    constants = {"s": np.float32(0.05), "z": np.uint8(11), "t": np.float32(0.04),
                 "v": np.uint8(5), "b": integers(2, 3, dtype=np.uint8)}
    check(of_microsoft("QLinearConcat", "s z a t v b s z", axis=1),
          {"a": integers(2, 4, dtype=np.uint8)}, constants, TensorProto.UINT8)


def test_table() -> None:
    """Rows of a quantized table are looked up as integers."""
    nodes = [node("DequantizeLinear", "w s z", "f"), node("Gather", "f i")]
    check(nodes, {"i": np.array([[3, 0, 7]])}, {"w": integers(90, 16), "s": scale(),
                                                "z": np.int8(-3)}, TensorProto.FLOAT)


def test_unsigned_maximum() -> None:
    check([node("MaxPool", "x", kernel_shape=[2, 2])], {"x": integers(1, 2, 6, 6, dtype=np.uint8)},
          {}, TensorProto.UINT8)


def test_many_dynamic_scales() -> None:
    nodes, value = [], "x"
    for index in range(20):
        names = [f"{what}{index}" for what in "qsz"]
        nodes += [helper.make_node("DynamicQuantizeLinear", [value], names, name=names[0]),
                  node("DequantizeLinear", " ".join(names), f"d{index}"),
                  node("Softmax", f"d{index}", f"e{index}")]
        value = f"e{index}"
    check([*nodes, node("Identity", value)], {"x": floats(4, 8)}, {}, TensorProto.FLOAT)


@pytest.mark.parametrize("dtype", [np.uint8, np.int8])
@pytest.mark.parametrize("axis", [0, 1, -1])
def test_zero_points_of_channels(dtype: type, axis: int) -> None:
    shape = (2, 3, 5)
    channels = shape[axis]
    zeros = integers(channels, dtype=dtype)
    zeros[:2] = np.iinfo(dtype).max, np.iinfo(dtype).min
    constants = {"s": scale(channels), "z": zeros}
    check([helper.make_node("DequantizeLinear", ["x", "s", "z"], ["y"], axis=axis)],
          {"x": integers(*shape, dtype=dtype)}, constants, TensorProto.FLOAT)
    check([helper.make_node("QuantizeLinear", ["x", "s", "z"], ["y"], axis=axis)],
          {"x": floats(*shape) * 3}, constants, KINDS[dtype])


def test_weights_with_zero_points_of_columns() -> None:
    nodes = [helper.make_node("DequantizeLinear", ["w", "s", "z"], ["wf"], axis=1),
             helper.make_node("MatMul", ["x", "wf"], ["y"])]
    check(nodes, {"x": floats(2, 5)}, {"w": integers(5, 3, dtype=np.uint8), "s": scale(3),
                                       "z": np.array([3, 128, 255], np.uint8)}, TensorProto.FLOAT)


@pytest.mark.parametrize("zero", [None, 0, 131, 255])
def test_unsigned_weights(zero: int | None) -> None:
    """They are constants of signed bytes: no launch subtracts the 128."""
    channels = np.full(24, zero or 0, np.uint8)
    weights = {"w": integers(24, 8, 3, 3, dtype=np.uint8), "m": integers(64, 24, dtype=np.uint8)}
    constants = weights | {"xs": scale(), "xz": np.int8(-9), "s": scale(24), "z": channels}
    zero_name = "" if zero is None else " z"
    nodes = [node("DequantizeLinear", "x xs xz", "xf"),
             node("DequantizeLinear", f"w s{zero_name}", "wf", axis=0),
             node("Conv", "xf wf", pads=[1, 1, 1, 1])]
    images = {"x": integers(2, 8, 9, 9)}
    text = check(nodes, images, constants, TensorProto.FLOAT, "linalg.conv_2d_nchw_fchw_q")
    assert "arith.addi" not in text
    nodes[1:] = [node("DequantizeLinear", f"m s{zero_name}", "mf", axis=1), node("MatMul", "xf mf")]
    text = check(nodes, {"x": integers(5, 64)}, constants, TensorProto.FLOAT,
                 "linalg.conv_2d_nchw_fchw_q")
    assert "arith.addi" not in text
    constants["z"] = np.uint8(zero or 0)
    zero_name = "" if zero is None else " xz z"
    for dtype in (np.uint8, np.int8):
        constants["xz"] = np.array(99, dtype)
        for op, weight, shape in (
                ("ConvInteger", "w", (2, 8, 9, 9)), ("MatMulInteger", "m", (5, 64))):
            check([node(op, f"x {weight}{zero_name}")], {"x": integers(*shape, dtype=dtype)},
                  constants, TensorProto.INT32)


def test_unsigned_constants_that_stay() -> None:
    """Others read them too, or their zero point is computed."""
    feeds = {"x": integers(5, 64, dtype=np.uint8), "z": np.array(7, np.uint8)}
    weights = {"w": integers(64, 24, dtype=np.uint8), "xz": np.uint8(9)}
    check([node("MatMulInteger", "x w xz z")], feeds, weights, TensorProto.INT32)
    del feeds["z"]
    check([node("MatMulInteger", "x w xz", "sums"), node("Cast", "w", "wide", to=TensorProto.INT32),
           node("ReduceSum", "wide", "whole", keepdims=0), node("Add", "sums whole")],
          feeds, weights, TensorProto.INT32)


@pytest.mark.parametrize("padding", [{"pads": [0, 1, 2, 1]}, {"auto_pad": "SAME_UPPER"},
                                     {"auto_pad": "SAME_LOWER"}])
def test_uneven_padding(padding: dict) -> None:
    feeds = {"x": integers(1, 3, 8, 9, dtype=np.uint8)}
    check([helper.make_node("ConvInteger", ["x", "w", "z"], ["y"], kernel_shape=[3, 3],
                            strides=[2, 2], **padding)],
          feeds, {"w": integers(4, 3, 3, 3), "z": np.array(130, np.uint8)}, TensorProto.INT32)
    nodes = [helper.make_node("DequantizeLinear", ["x", "sx", "z"], ["xf"]),
             helper.make_node("DequantizeLinear", ["w", "sw"], ["wf"], axis=0),
             helper.make_node("Conv", ["xf", "wf"], ["y"], kernel_shape=[3, 3], strides=[2, 2],
                              **padding)]
    check(nodes, feeds, {"w": integers(4, 3, 3, 3), "sx": scale(), "sw": scale(4),
                         "z": np.array(130, np.uint8)}, TensorProto.FLOAT)
