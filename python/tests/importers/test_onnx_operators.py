"""Single operators of ONNX models in forms that are rare, against ONNX Runtime."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("onnx")
pytest.importorskip("torch_mlir.ir")
ort = pytest.importorskip("onnxruntime")
from onnx import TensorProto, helper, numpy_helper  # noqa: E402
from gaudi_mlir import onnx as gaudi_onnx  # noqa: E402

RANDOM = np.random.default_rng(0)
SPECIAL = np.array([1, np.nan, -np.inf, np.inf, 0, -0.5], np.float32)


def floats(*shape: int) -> np.ndarray:
    return RANDOM.standard_normal(shape, dtype=np.float32)


def single(op, feeds, constants, inputs, outputs, opset, attributes):
    node = helper.make_node(op, inputs or [*feeds, *constants],
                            [f"y{index}" for index in range(len(outputs))], name="it",
                            **attributes)
    graph = helper.make_graph(
        [node], "one",
        [helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype),
                                       array.shape) for name, array in feeds.items()],
        [helper.make_tensor_value_info(f"y{index}", kind, None)
         for index, kind in enumerate(outputs)],
        [numpy_helper.from_array(array, name) for name, array in constants.items()])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)


def check(op, feeds, constants=None, *, inputs=None, outputs=(TensorProto.FLOAT,), opset=17,
          **attributes) -> None:
    """Types, shapes and values of one node."""
    proto = single(op, feeds, constants or {}, inputs, outputs, opset, attributes)
    expected = ort.InferenceSession(proto.SerializeToString()).run(None, feeds)
    results = gaudi_onnx.compile(proto).run(feeds)
    assert len(results) == len(expected)
    for got, want in zip(results, expected):
        assert (got.dtype, got.shape) == (want.dtype, want.shape)
        if want.dtype.kind == "f":
            np.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-5)
        else:
            np.testing.assert_array_equal(got, want)


def test_gemm_without_addend() -> None:
    check("Gemm", {"a": floats(3, 2), "b": floats(4, 3)}, transA=1, transB=1, alpha=0.5)


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.uint32])
def test_unsigned(dtype: type) -> None:
    a = np.array([3, 200, 5, 7], dtype)
    kind = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    check("Identity", {"a": a}, outputs=[kind])
    if dtype is not np.uint16:  # ONNX Runtime does not have it
        check("Max", {"a": a, "b": a[::-1].copy()}, outputs=[kind])


@pytest.mark.parametrize("kind", ["L1", "L2", "LogSum", "LogSumExp", "Max", "Mean", "Min", "Prod",
                                  "Sum", "SumSquare"])
def test_reduction_over_nothing(kind: str) -> None:
    for constants in ({}, {"axes": np.zeros(0, np.int64)}):
        check(f"Reduce{kind}", {"x": np.abs(floats(2, 3))}, constants, opset=18,
              noop_with_empty_axes=1)


@pytest.mark.parametrize("axis", [-3, -1, 0, 1, 2])
def test_old_hardmax(axis: int) -> None:
    check("Hardmax", {"x": floats(2, 3, 4)}, opset=11, axis=axis)


@pytest.mark.parametrize("op", ["MaxPool", "AveragePool", "AveragePool with padding"])
@pytest.mark.parametrize("size, kernel, strides, pads", [
    ((5, 6), (3, 2), (2, 2), (1, 0, 1, 1)), ((5, 6), (3, 3), (2, 2), (0, 0, 0, 0)),
    ((7, 8), (3, 3), (3, 3), (1, 1, 1, 1)), ((7, 8), (2, 3), (2, 4), (0, 1, 0, 0)),
])
def test_pool_rounded_up(op: str, size: tuple, kernel: tuple, strides: tuple, pads: tuple) -> None:
    options = {"count_include_pad": 1} if "with" in op else {}
    check(op.split()[0], {"x": floats(1, 2, *size)}, kernel_shape=kernel, strides=strides,
          pads=pads, ceil_mode=1, **options)


def test_pool_indices() -> None:
    check("MaxPool", {"x": floats(2, 3, 5, 6)}, kernel_shape=[2, 2],
          outputs=[TensorProto.FLOAT, TensorProto.INT64])


@pytest.mark.parametrize("attributes", [
    {"p": 2}, {"p": 3, "strides": [2, 2], "pads": [0, 1, 0, 1]}, {"p": 1, "auto_pad": "SAME_UPPER"},
])
def test_lp_pool(attributes: dict) -> None:
    check("LpPool", {"x": floats(1, 2, 5, 6)}, kernel_shape=[2, 2], **attributes)


def test_nan_stays() -> None:
    check("Clip", {"x": SPECIAL}, {"low": np.array(0, np.float32), "high": np.array(1, np.float32)})
    check("Sign", {"x": SPECIAL})
    check("Equal", {"x": SPECIAL}, inputs=["x", "x"], outputs=[TensorProto.BOOL])
    for op in ("Max", "Min"):
        check(op, {"x": SPECIAL, "z": SPECIAL[::-1].copy()})
        check(op, {"x": SPECIAL, "z": SPECIAL[::-1].copy()}, {"c": np.array([0.5], np.float32)})


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_power_of_integers(dtype: type) -> None:
    kind = [helper.np_dtype_to_tensor_dtype(np.dtype(dtype))]
    bases = np.array([-7, 7, -8, 5, 1, -1, -1, 2], dtype)
    check("Pow", {"a": bases, "b": np.array([2, 1, 0, 3, -3, -3, 101, -1], dtype)}, outputs=kind)
    for power in (dtype(3), np.float32(2)):
        check("Pow", {"a": bases}, {"b": np.array(power)}, outputs=kind)
    check("Pow", {"a": np.abs(bases)}, {"b": np.array(0.5, np.float32)}, outputs=kind)


def test_quantized_without_zero_point() -> None:
    scale = {"s": np.array(0.1, np.float32)}
    for dtype in (np.int8, np.uint8, np.int32):
        check("DequantizeLinear", {"x": np.array([3, 100, 5, 7], dtype)}, scale)
    check("QuantizeLinear", {"x": np.array([0.31, 1.5, -3, 300], np.float32)}, scale,
          outputs=[TensorProto.UINT8])


def test_slice_with_steps_alone() -> None:
    check("Slice", {"x": floats(4, 3)}, {"starts": np.array([0, 2]), "ends": np.array([4, -9]),
                                         "steps": np.array([2, -1])},
          inputs=["x", "starts", "ends", "", "steps"])


@pytest.mark.parametrize("transform", ["align_corners", "pytorch_half_pixel"])
@pytest.mark.parametrize("rounding", ["floor", "ceil", "round_prefer_ceil", "round_prefer_floor"])
def test_resize_nearest(transform: str, rounding: str) -> None:
    options = {"mode": "nearest", "nearest_mode": rounding,
               "coordinate_transformation_mode": transform}
    check("Resize", {"x": floats(1, 2, 5, 6)}, {"s": np.array([1, 1, 1.7, 0.6], np.float32)},
          inputs=["x", "", "s"], **options)
    check("Resize", {"x": floats(1, 2, 5, 6)}, {"s": np.array([1, 2, 8, 3])},
          inputs=["x", "", "", "s"], **options)


@pytest.mark.parametrize("attributes", [
    {"strides": [2, 1], "pads": [1, 0, 0, 1], "output_padding": [1, 0]},
    {"strides": [3, 3], "output_padding": [2, 1]},
    {"strides": [2, 2], "output_shape": [10, 12]},
    {"strides": [2, 2], "output_shape": [10, 12], "auto_pad": "SAME_UPPER"},
    {"strides": [2, 2], "auto_pad": "SAME_UPPER"}, {"strides": [2, 2], "auto_pad": "SAME_LOWER"},
    {"strides": [2, 2], "auto_pad": "VALID"},
])
def test_transposed_convolution(attributes: dict) -> None:
    check("ConvTranspose", {"x": floats(1, 2, 5, 6)}, {"w": floats(2, 3, 3, 3), "b": floats(3)},
          **attributes)


@pytest.mark.parametrize("one, other", [((3,), (2, 3, 4)), ((2, 5, 3), (3,)),
                                        ((3,), (2, 2, 3, 4))])
def test_product_with_vector(one: tuple, other: tuple) -> None:
    check("MatMul", {"a": floats(*one), "b": floats(*other)})


LAYER = {"w": floats(1, 20, 3), "r": floats(1, 20, 5)}
THREE = [TensorProto.FLOAT] * 3


def test_recurrent_states_and_lengths() -> None:
    options = {"hidden_size": 5, "outputs": THREE}
    check("LSTM", {"x": floats(4, 2, 3)}, {**LAYER, "h": floats(1, 2, 5)},
          inputs=["x", "w", "r", "", "", "h"], **options)
    check("LSTM", {"x": floats(4, 2, 3)}, {**LAYER, "n": np.array([4, 4], np.int32)},
          inputs=["x", "w", "r", "", "n"], **options)


@pytest.mark.parametrize("name, constant, inputs", [
    ("sequence_lens", np.array([4, 2], np.int32), ["x", "w", "r", "", "c"]),
    ("peepholes", floats(1, 15), ["x", "w", "r", "", "", "", "", "c"]),
])
def test_recurrent_refused(name: str, constant: np.ndarray, inputs: list[str]) -> None:
    proto = single("LSTM", {"x": floats(4, 2, 3)}, {**LAYER, "c": constant}, inputs, THREE, 17,
                   {"hidden_size": 5})
    with pytest.raises(gaudi_onnx.OnnxError, match=rf"LSTM \(node 'it'\) has {name}"):
        gaudi_onnx.to_mlir(proto)


def test_pool_refused() -> None:
    proto = single("MaxPool", {"x": floats(1, 1, 4, 4)}, {}, None, THREE[:1] + [TensorProto.INT64],
                   17, {"kernel_shape": [2, 2], "storage_order": 1})
    with pytest.raises(gaudi_onnx.OnnxError, match="indices need storage_order 0"):
        gaudi_onnx.to_mlir(proto)
    proto = single("MaxPool", {"x": floats(1, 1, 4, 4)}, {}, None, THREE[:1], 17,
                   {"kernel_shape": [3, 3], "strides": [2, 2], "pads": [1] * 4, "ceil_mode": 1})
    proto.graph.input[0].type.tensor_type.shape.dim[3].dim_param = "width"
    with pytest.raises(gaudi_onnx.OnnxError, match="ceil_mode with pads"):
        gaudi_onnx.to_mlir(proto, sizes={"width": (4, 8)})
