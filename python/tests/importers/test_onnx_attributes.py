# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attributes of ONNX operators that torch-mlir ignores or misreads: right values, or a refusal."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("onnx")
pytest.importorskip("torch_mlir.ir")
pytest.importorskip("onnxruntime")
from onnx import TensorProto, helper  # noqa: E402
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
