"""Attributes of ONNX operators that torch-mlir ignores or misreads: right values, or a refusal."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("onnx")
pytest.importorskip("torch_mlir.ir")
ort = pytest.importorskip("onnxruntime")
from onnx import TensorProto, helper, numpy_helper  # noqa: E402
from gaudi_mlir import onnx as gaudi_onnx  # noqa: E402

RANDOM = np.random.default_rng(0)
FLOAT = TensorProto.FLOAT


def floats(*shape: int) -> np.ndarray:
    return RANDOM.standard_normal(shape, dtype=np.float32)


def model(nodes, feeds, constants=None, *, kind=FLOAT, opset=17, domain=""):
    graph = helper.make_graph(
        nodes, "g", [helper.make_tensor_value_info(
            name, helper.np_dtype_to_tensor_dtype(array.dtype), array.shape)
            for name, array in feeds.items()],
        [helper.make_tensor_value_info("y", kind, None)],
        [numpy_helper.from_array(array, name) for name, array in (constants or {}).items()])
    imports = [helper.make_opsetid("", opset)]
    if domain:
        imports.append(helper.make_opsetid(domain, 1))
    return helper.make_model(graph, opset_imports=imports, ir_version=8)


def node(op, inputs, **attributes):
    return helper.make_node(op, inputs, ["y"], name="it", **attributes)


def agrees(proto, feeds, expected=None) -> None:
    got = gaudi_onnx.compile(proto).run(feeds)[0]
    if expected is None:
        session = ort.InferenceSession(proto.SerializeToString(),
                                       providers=["CPUExecutionProvider"])
        expected = session.run(None, feeds)[0]
    assert got.dtype == expected.dtype and got.shape == expected.shape
    np.testing.assert_allclose(got, expected, rtol=1e-5, atol=1e-5)


def refused(proto, words) -> None:
    with pytest.raises(gaudi_onnx.OnnxError, match=words):
        gaudi_onnx.compile(proto)


@pytest.mark.parametrize("attributes, words", [
    ({"activations": ["LeakyRelu"], "activation_alpha": [0.3]}, "activation LeakyRelu"),
    ({"activations": ["Softsign"]}, "activation Softsign"),
    ({"activations": ["tanh"]}, "activation tanh"), ({"activations": [1]}, "is not valid"),
    ({"clip": 0.3}, "has clip")], ids=str)
def test_recurrent_layers_refuse(attributes, words):
    x, w, r = floats(2, 1, 3), floats(1, 2, 3), floats(1, 2, 2)
    refused(model([node("RNN", ["x", "w", "r"], hidden_size=2, **attributes)], {"x": x},
                  {"w": w, "r": r}), words)


@pytest.mark.parametrize("shapes", [((2, 3, 4), (2, 4, 5)), ((2, 3, 4), (4, 5)), ((4,), (4, 5))],
                         ids=str)
@pytest.mark.parametrize("types", [(np.uint8, np.uint8), (np.uint8, np.int8)], ids=str)
def test_products_of_bytes_without_zero_points(shapes, types):
    feeds = {name: RANDOM.integers(np.iinfo(kind).min, np.iinfo(kind).max, shape, kind)
             for name, shape, kind in zip("ab", shapes, types)}
    exact = np.matmul(*(array.astype(np.int64) for array in feeds.values())).astype(np.int32)
    agrees(model([node("MatMulInteger", ["a", "b"])], feeds, kind=TensorProto.INT32), feeds, exact)


@pytest.mark.parametrize("keepdims", [0, 1])
@pytest.mark.parametrize("axes", [[1], [0, 1], None], ids=str)
@pytest.mark.parametrize("opset", [17, 18])
def test_log_sum_exp_of_large_numbers(keepdims, axes, opset):
    feeds = {"x": np.array([[1000, 1001, 999], [-1000, -1001, -np.inf]], np.float32)}
    constants = {"a": np.array(axes)} if axes and opset >= 18 else {}
    attributes = {"axes": axes} if axes and opset < 18 else {}
    agrees(model([node("ReduceLogSumExp", ["x", *constants], keepdims=keepdims, **attributes)],
                 feeds, constants, opset=opset), feeds)


def test_log_sum_exp_over_an_empty_list_of_axes():
    feeds = {"x": floats(2, 3)}
    agrees(model([node("ReduceLogSumExp", ["x", "a"], keepdims=0)], feeds,
                 {"a": np.zeros(0, np.int64)}, opset=18), feeds)


@pytest.mark.parametrize("mode", ["linear", "nearest"])
@pytest.mark.parametrize("scales", [(2, 1.5), (1.75, 1.75), (0.6, 0.7)], ids=str)
def test_resize_of_old_versions(mode, scales):
    feeds = {"x": floats(1, 2, 5, 6)}
    agrees(model([node("Resize", ["x", "s"], mode=mode)], feeds,
                 {"s": np.array([1, 1, *scales], np.float32)}, opset=10), feeds)


def test_resize_of_old_versions_both_ways_is_refused():
    feeds = {"x": floats(1, 2, 5, 6)}
    refused(model([node("Resize", ["x", "s"], mode="nearest")], feeds,
                  {"s": np.array([1, 1, 0.5, 2], np.float32)}, opset=10), "one Resize for each")


def test_branches_of_different_sizes_are_refused():
    feeds = {"x": floats(2, 3), "c": np.array(True)}
    branches = [helper.make_graph([each], each.output[0], [], [
        helper.make_tensor_value_info(each.output[0], FLOAT, None)]) for each in (
            helper.make_node("ReduceMax", ["x"], ["t"], axes=[0], keepdims=1),
            helper.make_node("Neg", ["x"], ["e"]))]
    refused(model([node("If", ["c"], then_branch=branches[0], else_branch=branches[1])], feeds),
            "results of different sizes")


def test_old_hardmax_in_a_branch():
    feeds = {"x": floats(2, 3, 4), "c": np.array(True)}
    branches = [helper.make_graph([each], each.output[0], [], [
        helper.make_tensor_value_info(each.output[0], FLOAT, None)]) for each in (
            helper.make_node("Hardmax", ["x"], ["t"], axis=1),
            helper.make_node("Neg", ["x"], ["e"]))]
    agrees(model([node("If", ["c"], then_branch=branches[0], else_branch=branches[1])], feeds,
                 opset=11), feeds)


def test_even_windows_of_lrn_are_refused():
    feeds = {"x": floats(1, 6, 2, 2)}
    refused(model([node("LRN", ["x"], size=4)], feeds), "has an even size")


def test_wrapping_what_negative_pads_leave():
    feeds = {"x": floats(3, 4)}
    agrees(model([node("Pad", ["x", "p"], mode="wrap")], feeds, {"p": np.array([0, -1, 0, 3])},
                 opset=19), feeds)


def test_pads_that_leave_nothing_to_wrap_are_refused():
    feeds = {"x": floats(3)}
    refused(model([node("Pad", ["x", "p"], mode="wrap")], feeds, {"p": np.array([-3, 4])},
                  opset=19), "leave nothing of dimension 0")


def test_old_softmax_of_bytes_is_refused():
    feeds = {"x": RANDOM.integers(0, 255, (2, 3, 4), np.uint8)}
    constants = {"s": np.float32(0.1), "z": np.uint8(0), "t": np.float32(1 / 256)}
    refused(model([node("QLinearSoftmax", ["x", "s", "z", "t", "z"], axis=1, opset=11,
                        domain="com.microsoft")], feeds, constants, kind=TensorProto.UINT8,
                  domain="com.microsoft"), "over all dimensions from its axis")
