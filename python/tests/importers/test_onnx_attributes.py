# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attributes of ONNX operators that torch-mlir ignores or misreads: right values, or a refusal."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("onnx")
pytest.importorskip("torch_mlir.ir")
pytest.importorskip("onnxruntime")
import onnxruntime as ort  # noqa: E402
from onnx import TensorProto, helper, numpy_helper  # noqa: E402
from gaudi_mlir import onnx as gaudi_onnx  # noqa: E402
from one_node import RANDOM, check, floats, refused, single  # noqa: E402


@pytest.mark.parametrize("attributes, words", [
    ({"activations": ["LeakyRelu"], "activation_alpha": [0.3]}, "activation LeakyRelu"),
    ({"activations": ["Softsign"]}, "activation Softsign"),
    ({"activations": ["tanh"]}, "activation tanh"), ({"activations": [1]}, "is not valid"),
    ({"clip": 0.3}, "has clip")], ids=str)
def test_recurrent_layers_refuse(attributes, words):
    refused(words, "RNN", {"x": floats(2, 1, 3)}, {"w": floats(1, 2, 3), "r": floats(1, 2, 2)},
            hidden_size=2, **attributes)


@pytest.mark.parametrize("shapes", [((2, 3, 4), (2, 4, 5)), ((2, 3, 4), (4, 5)), ((4,), (4, 5))],
                         ids=str)
@pytest.mark.parametrize("types", [(np.uint8, np.uint8), (np.uint8, np.int8)], ids=str)
def test_products_of_bytes_without_zero_points(shapes, types):
    feeds = {name: RANDOM.integers(np.iinfo(kind).min, np.iinfo(kind).max, shape, kind)
             for name, shape, kind in zip("ab", shapes, types)}
    exact = np.matmul(*(array.astype(np.int64) for array in feeds.values())).astype(np.int32)
    check("MatMulInteger", feeds, outputs=[TensorProto.INT32], expected=[exact])


@pytest.mark.parametrize("keepdims", [0, 1])
@pytest.mark.parametrize("axes", [[1], [0, 1], None], ids=str)
@pytest.mark.parametrize("opset", [17, 18])
def test_log_sum_exp_of_large_numbers(keepdims, axes, opset):
    x = np.array([[1000, 1001, 999], [-1000, -1001, -np.inf]], np.float32)
    constants = {"a": np.array(axes)} if axes and opset >= 18 else {}
    attributes = {"axes": axes} if axes and opset < 18 else {}
    check("ReduceLogSumExp", {"x": x}, constants, opset=opset, keepdims=keepdims, **attributes)


def test_log_sum_exp_over_an_empty_list_of_axes():
    check("ReduceLogSumExp", {"x": floats(2, 3)}, {"a": np.zeros(0, np.int64)}, opset=18,
          keepdims=0)


@pytest.mark.parametrize("mode", ["linear", "nearest"])
@pytest.mark.parametrize("scales", [(2, 1.5), (1.75, 1.75), (0.6, 0.7)], ids=str)
def test_resize_of_old_versions(mode, scales):
    check("Resize", {"x": floats(1, 2, 5, 6)}, {"s": np.array([1, 1, *scales], np.float32)},
          opset=10, mode=mode)


def test_resize_of_old_versions_both_ways_is_refused():
    refused("one Resize for each", "Resize", {"x": floats(1, 2, 5, 6)},
            {"s": np.array([1, 1, 0.5, 2], np.float32)}, opset=10, mode="nearest")


def branches(then):
    """Attributes of an If: `then`, or the negative of x."""
    return {f"{name}_branch": helper.make_graph([node], name, [], [
        helper.make_tensor_value_info(node.output[0], TensorProto.FLOAT, None)])
        for name, node in (("then", then), ("else", helper.make_node("Neg", ["x"], ["e"])))}


CHOICE = {"c": np.array(True), "x": floats(2, 3, 4)}


def test_branches_of_different_sizes_are_refused():
    then = helper.make_node("ReduceMax", ["x"], ["t"], axes=[0], keepdims=1)
    refused("results of different sizes", "If", CHOICE, inputs=["c"], **branches(then))


def test_old_hardmax_in_a_branch():
    then = helper.make_node("Hardmax", ["x"], ["t"], axis=1)
    check("If", CHOICE, inputs=["c"], opset=11, **branches(then))


def test_even_windows_of_lrn_are_refused():
    refused("has an even size", "LRN", {"x": floats(1, 6, 2, 2)}, size=4)


def test_wrapping_what_negative_pads_leave():
    check("Pad", {"x": floats(3, 4)}, {"p": np.array([0, -1, 0, 3])}, opset=19, mode="wrap")


def test_pads_that_leave_nothing_to_wrap_are_refused():
    refused("leave nothing of dimension 0", "Pad", {"x": floats(3)}, {"p": np.array([-3, 4])},
            opset=19, mode="wrap")


def test_old_softmax_of_bytes_is_refused():
    constants = {"s": np.float32(0.1), "z": np.uint8(0), "t": np.float32(1 / 256)}
    proto = single("QLinearSoftmax", {"x": RANDOM.integers(0, 255, (2, 3, 4), np.uint8)}, constants,
                   ["x", "s", "z", "t", "z"], [TensorProto.UINT8], 17,
                   {"axis": 1, "opset": 11, "domain": "com.microsoft"})
    with pytest.raises(gaudi_onnx.OnnxError, match="over all dimensions from its axis"):
        gaudi_onnx.to_mlir(proto)


@pytest.mark.parametrize("pads", [[-1, 1], [1, -1], [-1, 2], [0, -2], [-1, -1]], ids=str)
def test_negative_pads(pads):
    x = np.arange(1, 5, dtype=np.float32)
    check("Pad", {"x": x}, {"p": np.array(pads, np.int64)})


def test_negative_pads_of_some_axes():
    check("Pad", {"x": floats(2, 3, 4)},
          {"p": np.array([-1, 1, 1, -1], np.int64), "v": np.array(7, np.float32),
           "a": np.array([1, -1], np.int64)}, opset=18)


def test_pads_that_leave_nothing_are_refused():
    refused("which leaves none", "Pad", {"x": floats(2)}, {"p": np.array([-3, 4], np.int64)})


def test_transposed_convolution_whose_pads_cancel():
    check("ConvTranspose", {"x": floats(1, 2, 3, 4), "w": floats(2, 2, 2, 3)}, group=1,
          strides=[3, 1], dilations=[2, 1], output_padding=[2, 0], pads=[1, 0, 1, 0])


@pytest.mark.parametrize("shape", [(1, 1, 5), (1, 2, 4, 5), (1, 1, 3, 4, 5)], ids=str)
def test_pads_of_poolings_of_bytes(shape):
    rank = len(shape) - 2
    x = RANDOM.integers(-128, -3, shape, np.int8)
    expected = np.full((*shape[:2], *((size + 1) // 2 for size in shape[2:])), -128, np.int8)
    for place in np.ndindex(expected.shape):
        window = tuple(slice(2 * at, 2 * at + 2) for at in place[2:])
        expected[place] = x[(*place[:2], *window)].max()
    check("MaxPool", {"x": x}, outputs=[TensorProto.INT8], kernel_shape=[2] * rank,
          strides=[2] * rank, pads=[0] * rank + [size % 2 for size in shape[2:]],
          expected=[expected])


def test_products_of_integers_with_a_factor():
    a = np.array([[1, 2], [3, 4]], np.int32)
    check("Gemm", {"a": a}, {"b": a}, outputs=[TensorProto.INT32], alpha=2.0,
          expected=[2 * (a @ a)])
    refused("alpha=0.5", "Gemm", {"a": a}, {"b": a}, outputs=[TensorProto.INT32], alpha=0.5)


def test_slices_backwards_from_beyond_the_end():
    numbers = {"s": [4], "e": [-2], "a": [0], "t": [-2]}
    check("Slice", {"x": floats(4)},
          {name: np.array(value, np.int64) for name, value in numbers.items()})


def test_integers_with_a_scale_for_each_channel():
    check("DequantizeLinear", {"x": RANDOM.integers(-1000, 1000, (2, 3), np.int32)},
          {"s": np.array([0.5, 1, 2], np.float32)}, axis=1)


def test_products_with_zero_points_of_rows_are_refused():
    refused("zero point for each row", "MatMulInteger",
            {"a": RANDOM.integers(0, 99, (2, 2), np.uint8)},
            {"b": np.eye(2, dtype=np.uint8), "z": np.array([1, 5], np.uint8)},
            outputs=[TensorProto.INT32])


def test_integer_bias_along_the_rows():
    """Its scale is that of the columns, but along the other dimension."""
    scale, zero = np.array([1, 2], np.float32), np.zeros(2, np.int8)
    nodes = [
        helper.make_node("QuantizeLinear", ["x", "one", "z0"], ["q"]),
        helper.make_node("DequantizeLinear", ["q", "one", "z0"], ["a"]),
        helper.make_node("DequantizeLinear", ["w", "scale", "zero"], ["b"], axis=1),
        helper.make_node("DequantizeLinear", ["bias", "scale"], ["c"], axis=0),
        helper.make_node("Gemm", ["a", "b", "c"], ["y"])]
    constants = {"one": np.array(1, np.float32), "z0": np.array(0, np.int8), "scale": scale,
                 "zero": zero, "w": np.eye(2, dtype=np.int8),
                 "bias": np.full((2, 2), 10, np.int32)}
    graph = helper.make_graph(
        nodes, "bias", [helper.make_tensor_value_info("x", TensorProto.FLOAT, (2, 2))],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, (2, 2))],
        [numpy_helper.from_array(array, name) for name, array in constants.items()])
    proto = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    got = gaudi_onnx.compile(proto).run({"x": np.zeros((2, 2), np.float32)})[0]
    np.testing.assert_array_equal(got, [[10, 10], [20, 20]])


def test_constants_are_computed_as_onnx_defines_them():
    """What ONNX's own evaluator misreads: an LRN over more channels than images, and the last
    corner of a scale that is no whole number of elements."""
    x = floats(1, 4, 2, 2)
    expected = ort.InferenceSession(
        single("LRN", {"x": x}, {}, None, [TensorProto.FLOAT], 17, {"size": 3})
        .SerializeToString()).run(None, {"x": x})
    node = helper.make_node("LRN", ["x"], ["n"], size=3)
    add = helper.make_node("Add", ["n", "o"], ["y"])
    graph = helper.make_graph(
        [node, add], "lrn", [helper.make_tensor_value_info("o", TensorProto.FLOAT, x.shape)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, x.shape)],
        [numpy_helper.from_array(x, "x")])
    proto = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    got = gaudi_onnx.compile(proto).run({"o": np.zeros_like(x)})[0]
    np.testing.assert_allclose(got, expected[0], rtol=1e-5)
