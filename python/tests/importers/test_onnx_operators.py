# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Single operators of ONNX models in forms that are rare, against ONNX Runtime."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("onnx")
pytest.importorskip("torch_mlir.ir")
ort = pytest.importorskip("onnxruntime")
from onnx import TensorProto, helper, numpy_helper  # noqa: E402
from onnx import reference as onnx_evaluator  # noqa: E402
from gaudi_mlir import onnx as gaudi_onnx  # noqa: E402
from one_node import RANDOM, check, floats, single  # noqa: E402

SPECIAL = np.array([1, np.nan, -np.inf, np.inf, 0, -0.5], np.float32)


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


@pytest.mark.parametrize("size, pads", [((5, 6), (0, 0, 0, 0)), ((5, 6), (1, 0, 1, 0)),
                                        ((5, 6), (1, 1, 0, 1)), ((7,), (0, 1)),
                                        ((4, 5, 4), (1, 0, 1, 0, 1, 1))])
def test_pool_indices(size: tuple, pads: tuple) -> None:
    """Places in the image, also where torch-mlir pads it itself."""
    check("MaxPool", {"x": floats(2, 3, *size)}, kernel_shape=[2] * len(size), pads=pads,
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
    scales = [1, 1, 1.6, 0.5] if transform == "align_corners" else [1, 1, 1.7, 0.6]
    check("Resize", {"x": floats(1, 2, 5, 6)}, {"s": np.array(scales, np.float32)},
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


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
def test_remainder_is_exact(dtype: type) -> None:
    a = np.array([7.34, -1000.5, 60000, -8.9, 3, -3, -0.0, 5, np.inf, 1], dtype)
    b = np.array([0.7, 0.3, 0.37, 0.11, -3, 3, 2, np.inf, 2, 0], dtype)
    kind = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    proto = single("Mod", {"a": a, "b": b}, {}, None, [kind], 17, {"fmod": 1})
    [got] = gaudi_onnx.compile(proto).run({"a": a, "b": b})
    with np.errstate(invalid="ignore"):
        want = np.fmod(a, b)
    np.testing.assert_array_equal(got, want)
    np.testing.assert_array_equal(np.signbit(got[:8]), np.signbit(want[:8]))


@pytest.mark.parametrize("op", ["SoftmaxCrossEntropyLoss", "NegativeLogLikelihoodLoss"])
@pytest.mark.parametrize("shape, reduction", [
    ((3, 5), "mean"), ((2, 4, 3), "sum"), ((2, 4, 2, 3), "mean"), ((2, 4, 3), "none"),
])
@pytest.mark.parametrize("weighted, ignored", [(False, None), (True, None), (False, 1),
                                               (True, -100)])
def test_losses_of_classes(op: str, shape: tuple, reduction: str, weighted: bool,
                           ignored: int | None) -> None:
    labels = RANDOM.integers(0, shape[1], (shape[0], *shape[2:]))
    if ignored == -100:
        labels.reshape(-1)[::2] = -100
    constants = {"w": np.abs(floats(shape[1]))} if weighted else {}
    options = {} if ignored is None else {"ignore_index": ignored}
    check(op, {"x": floats(*shape), "y": labels}, constants, reduction=reduction, **options)


def test_blocks() -> None:
    for mode in ("DCR", "CRD"):
        check("DepthToSpace", {"x": floats(2, 12, 3, 2)}, blocksize=2, mode=mode)
    check("SpaceToDepth", {"x": floats(2, 3, 4, 6)}, blocksize=2)


@pytest.mark.parametrize("mode", ["linear", "nearest", "cubic"])
@pytest.mark.parametrize("padding", ["zeros", "border", "reflection"])
@pytest.mark.parametrize("aligned", [0, 1])
def test_grid_sample(mode: str, padding: str, aligned: int) -> None:
    grid = 1.6 * floats(2, 3, 4, 2)
    # Halves between elements, and places far outside.
    grid[0, 0] = [[0, 0.5], [-0.5, 0.25], [-1, 1], [0.75, -0.25]]
    grid[1, 0, :3] = [[1e3, 0], [-1e4, 0.1], [0, 2e3]]
    check("GridSample", {"x": floats(2, 3, 4, 5), "g": grid}, opset=20, mode=mode,
          padding_mode=padding, align_corners=aligned)


@pytest.mark.parametrize("padding", ["zeros", "border"])
def test_grid_sample_far_outside(padding: str) -> None:
    """Where ONNX Runtime's integers overflow: what is a little outside gives the same."""
    x, near = floats(1, 1, 4, 5), np.array([[[[9, 0], [-9, 0.1], [9, -9]]]], np.float32)
    far = np.array([[[[1e30, 0], [-1e9, 0.1], [np.inf, -3e38]]]], np.float32)
    proto = single("GridSample", {"x": x, "g": near}, {}, None, [TensorProto.FLOAT], 20,
                   {"padding_mode": padding})
    recipe = gaudi_onnx.compile(proto)
    np.testing.assert_array_equal(recipe.run({"x": x, "g": far})[0],
                                  recipe.run({"x": x, "g": near})[0])


def test_grid_sample_of_volumes() -> None:
    for mode in ("linear", "nearest"):
        check("GridSample", {"x": floats(1, 2, 3, 4, 5), "g": floats(1, 2, 3, 2, 3)}, opset=20,
              mode=mode)


@pytest.mark.parametrize("kind", [TensorProto.FLOAT8E4M3FN, TensorProto.FLOAT8E5M2])
@pytest.mark.parametrize("dtype", [np.float32, np.float16])
@pytest.mark.parametrize("saturate", [0, 1])
def test_cast_to_eight_bits(kind: int, dtype: type, saturate: int) -> None:
    x = np.concatenate([[0, -0.0, 1, 448, 464, 465, 480, 57344, 61440, 65504, -500, -65504, 1e-9,
                         np.nan, np.inf, -np.inf], 300 * floats(200)]).astype(dtype)
    check_floats("Cast", {"x": x}, {}, kind, opset=19, to=kind, saturate=saturate)
    example = numpy_helper.to_array(helper.make_tensor("e", kind, [1], [0.0]))
    check_floats("CastLike", {"x": x}, {"e": example}, kind, opset=19, saturate=saturate)
    if dtype == np.float32:
        check_floats("QuantizeLinear", {"x": x}, {"s": np.array(0.5, np.float32),
                                                  "z": example.reshape(())}, kind, opset=19,
                     saturate=saturate)


def check_floats(op, feeds, constants, kind, opset, **attributes) -> None:
    """Against the evaluator of ONNX; ONNX Runtime gives narrow floats as bytes."""
    proto = single(op, feeds, constants, None, [kind], opset, attributes)
    expected = onnx_evaluator.ReferenceEvaluator(proto).run(None, feeds)[0]
    [got] = gaudi_onnx.compile(proto).run(feeds)
    assert got.dtype == expected.dtype
    np.testing.assert_array_equal(got.astype(np.float32), expected.astype(np.float32))


def test_quantized_to_sixteen_bits() -> None:
    x = np.concatenate([100 * floats(4, 3), [[1e9, -1e9, 0.0005], [0.025, 0.75, 0.0015]]])
    scale = np.array([0.01, 0.5, 0.001], np.float32)
    check("QuantizeLinear", {"x": x.astype(np.float32)},
          {"s": scale, "z": np.array([3, 0, 100], np.int16)}, outputs=[TensorProto.INT16],
          opset=21, axis=1)
    for dtype in (np.int16, np.uint16):
        check("DequantizeLinear", {"x": RANDOM.integers(0, 30000, (4, 3)).astype(dtype)},
              {"s": scale, "z": np.array([3, 0, 100], dtype)}, opset=21, axis=1)


def test_constants_of_four_bits() -> None:
    values = RANDOM.integers(-8, 8, (32, 64))
    x = helper.make_tensor("x", TensorProto.INT4, values.shape, values.reshape(-1).tolist())
    node = helper.make_node("DequantizeLinear", ["x", "s"], ["y"], name="it")
    graph = helper.make_graph(
        [node, helper.make_node("MatMul", ["a", "y"], ["z"])], "one",
        [helper.make_tensor_value_info("a", TensorProto.FLOAT, [2, 32])],
        [helper.make_tensor_value_info("z", TensorProto.FLOAT, [2, 64])],
        [x, numpy_helper.from_array(np.array(0.5, np.float32), "s")])
    proto = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)
    a = floats(2, 32)
    [got] = gaudi_onnx.compile(proto).run({"a": a})
    np.testing.assert_allclose(got, a @ (values * np.float32(0.5)), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("power", [1, 2])
@pytest.mark.parametrize("axis", [0, 1, -1])
def test_norm_of_zeros(power: int, axis: int) -> None:
    x = floats(3, 4)
    x[:, 1] = x[2] = 0
    proto = single("LpNormalization", {"x": x}, {}, None, [TensorProto.FLOAT], 22,
                   {"p": power, "axis": axis})
    [got] = gaudi_onnx.compile(proto).run({"x": x})
    length = np.linalg.norm(x, power, axis, keepdims=True)
    np.testing.assert_allclose(got, np.where(length == 0, 0, x / np.where(length == 0, 1, length)),
                               rtol=1e-5)


@pytest.mark.parametrize("exclusive", [0, 1])
@pytest.mark.parametrize("reverse", [0, 1])
def test_cumulative_product(exclusive: int, reverse: int) -> None:
    x = floats(3, 7)
    proto = single("CumProd", {"x": x}, {"a": np.array(1)}, None, [TensorProto.FLOAT], 26,
                   {"exclusive": exclusive, "reverse": reverse})
    [got] = gaudi_onnx.compile(proto).run({"x": x})
    want = x[:, ::-1] if reverse else x
    want = np.cumprod(np.concatenate([np.ones((3, 1)), want[:, :-1]], 1) if exclusive else want, 1)
    np.testing.assert_allclose(got, want[:, ::-1] if reverse else want, rtol=1e-5, atol=1e-6)


def test_sequences_reversed() -> None:
    x = floats(4, 3, 2)
    check("ReverseSequence", {"x": x, "n": np.array([4, 1, 3])}, batch_axis=1, time_axis=0)
    check("ReverseSequence", {"x": x, "n": np.array([1, 2, 3, 0])}, batch_axis=0, time_axis=1)


@pytest.mark.parametrize("attributes", [
    {}, {"strides": [2, 1]}, {"pads": [1, 0, 1, 1]}, {"dilations": [1, 2], "strides": [1, 2]},
])
def test_columns_to_image(attributes: dict) -> None:
    size, block = np.array([5, 7]), np.array([2, 3])
    strides, dilations, pads = (np.array(attributes.get(key, default)) for key, default in
                                (("strides", [1, 1]), ("dilations", [1, 1]), ("pads", [0] * 4)))
    counts = (size + pads[:2] + pads[2:] - dilations * (block - 1) - 1) // strides + 1
    check("Col2Im", {"x": floats(2, 3 * 6, int(counts.prod()))}, {"i": size, "b": block}, opset=18,
          **attributes)


def test_pool_undone() -> None:
    x = floats(1, 2, 4, 6)
    proto = single("MaxPool", {"x": x}, {}, None, [TensorProto.FLOAT, TensorProto.INT64], 17,
                   {"kernel_shape": [2, 2], "strides": [2, 2]})
    values, places = ort.InferenceSession(proto.SerializeToString()).run(None, {"x": x})
    check("MaxUnpool", {"v": values, "p": places}, kernel_shape=[2, 2], strides=[2, 2])
    # Places count in the image that the pooling had; ONNX Runtime has them in the larger one.
    check_floats("MaxUnpool", {"v": values, "p": places}, {"s": np.array([1, 2, 5, 7])},
                 TensorProto.FLOAT, 17, kernel_shape=[2, 2], strides=[2, 2])


def check_spectrum(op, feeds, constants, inputs, opset, want: np.ndarray, **attributes) -> None:
    """Against float64: the transforms of ONNX Runtime are off by more."""
    proto = single(op, feeds, constants, inputs, [TensorProto.FLOAT], opset, attributes)
    [got] = gaudi_onnx.compile(proto).run(feeds)
    if np.iscomplexobj(want):
        want = np.stack([want.real, want.imag], -1)
    assert got.shape == want.shape
    np.testing.assert_allclose(got, want, atol=2e-6 * np.abs(want).max())


@pytest.mark.parametrize("width", [1, 2])
@pytest.mark.parametrize("mode", ["all", "onesided", "inverse", "to real"])
@pytest.mark.parametrize("axis, length", [(2, None), (1, 8), (1, 15)])
def test_fourier(width: int, mode: str, axis: int, length: int | None) -> None:
    x = floats(2, 12, 10, width)
    numbers = x[..., 0] + (1j * x[..., 1] if width == 2 else 0)
    constants = {} if length is None else {"n": np.array(length)}
    options = {"onesided": int(mode in ("onesided", "to real")),
               "inverse": int(mode in ("inverse", "to real"))}
    if mode == "to real":
        size = 2 * (x.shape[axis] - 1) if length is None else length
        want = np.fft.irfft(numbers, size, axis)[..., None]
    else:
        want = (np.fft.ifft if mode == "inverse" else np.fft.fft)(numbers, length, axis)
        if mode == "onesided":
            want = np.take(want, np.arange(want.shape[axis] // 2 + 1), axis)
    check_spectrum("DFT", {"x": x}, constants, None, 17, want, axis=axis, **options)


@pytest.mark.parametrize("onesided", [0, 1])
@pytest.mark.parametrize("windowed", [False, True])
def test_spectrogram(onesided: int, windowed: bool) -> None:
    x = floats(2, 64, 1)
    step, length = (8, 16) if windowed else (5, 20)
    window = np.hanning(length).astype(np.float32) if windowed else np.ones(length)
    frames = np.lib.stride_tricks.sliding_window_view(x[..., 0], length, axis=1)[:, ::step]
    want = np.fft.fft(frames * window)
    want = want[..., :length // 2 + 1] if onesided else want
    constants = {"s": np.array(step), "n": np.array(length)}
    if windowed:
        constants["w"] = window
    check_spectrum("STFT", {"x": x}, constants, ["x", "s", "w" if windowed else "", "n"], 17, want,
                   onesided=onesided)


def test_padding_by_the_other_end() -> None:
    check("Pad", {"x": floats(2, 5, 3)}, {"p": np.array([0, 2, 1, 0, 7, 4])}, opset=19,
          mode="wrap")


def test_compress_by_a_constant() -> None:
    mask = np.array([True, False, True])
    check("Compress", {"x": floats(3, 4)}, {"c": mask}, axis=0)
    check("Compress", {"x": floats(3, 4)}, {"c": mask})


@pytest.mark.parametrize("op, feeds, attributes, words", [
    ("NonZero", {"x": floats(3)}, {}, "NonZero .* size of its result depends on values"),
    ("Unique", {"x": floats(3)}, {}, "Unique .* size of its result depends on values"),
    ("Compress", {"x": floats(3), "c": np.array([True, False, True])}, {},
     "Compress .* condition is not a constant"),
    ("Det", {"x": floats(3, 3)}, {}, "Det .* compute it on the host"),
    ("RandomNormalLike", {"x": floats(3)}, {}, "RandomNormalLike .* make the numbers an input"),
    ("Cast", {"x": floats(3)}, {"to": TensorProto.FLOAT8E4M3FNUZ},
     "elements of type FLOAT8E4M3FNUZ"),
    ("DFT", {"x": floats(1, 5000, 1)}, {}, "DFT .* has 5000 elements"),
    ("Pad", {"x": floats(3), "p": np.array([1, 1])}, {"mode": "wrap"}, "Pad .* initializers"),
    ("DFT", {"x": floats(1, 8, 1), "n": np.array(8)}, {}, "DFT .* initializers"),
])
def test_refused_by_name(op: str, feeds: dict, attributes: dict, words: str) -> None:
    kind = attributes.get("to", TensorProto.FLOAT)
    proto = single(op, feeds, {}, None, [kind], 20, attributes)
    with pytest.raises(gaudi_onnx.OnnxError, match=words) as caught:
        gaudi_onnx.to_mlir(proto)
    assert "node 'it" in str(caught.value)


@pytest.mark.parametrize("mode", ["nearest", "linear", "cubic"])
def test_resize_to_a_fraction_of_elements_refused(mode: str) -> None:
    """ONNX's reference and its runtime differ."""
    scales = {"s": np.array([1, 1, 1, 0.6], np.float32)}
    proto = single("Resize", {"x": floats(1, 1, 2, 4)}, scales, ["x", "", "s"],
                   [TensorProto.FLOAT], 18,
                   {"mode": mode, "coordinate_transformation_mode": "align_corners"})
    words = r"Resize \(node 'it.*'\) has corners aligned and a scale of 0.6 for 4 .* at 2.4 e"
    with pytest.raises(gaudi_onnx.OnnxError, match=words):
        gaudi_onnx.to_mlir(proto)


def test_scan_with_a_batch_refused() -> None:
    """Of opset 8: the adapter of ONNX changes the shapes of inputs."""
    value = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [2]) for name in "abcd"]
    body = helper.make_graph([helper.make_node("Add", ["a", "b"], ["c"]),
                              helper.make_node("Identity", ["c"], ["d"])],
                             "body", value[:2], value[2:])
    scan = helper.make_node("Scan", ["", "s", "x"], ["t", "y"], num_scan_inputs=1, body=body)
    kinds = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
             for name, shape in (("s", [1, 2]), ("x", [1, 3, 2]), ("t", [1, 2]), ("y", [1, 3, 2]))]
    proto = helper.make_model(helper.make_graph([scan], "g", kinds[:2], kinds[2:]), ir_version=3,
                              opset_imports=[helper.make_opsetid("", 8)])
    with pytest.raises(gaudi_onnx.OnnxError, match=r"Scan \(node 'Scan_0'\) of opset 8 has a "
                                                   "dimension for a batch"):
        gaudi_onnx.to_mlir(proto)


def test_operator_inside_another_is_named_by_it() -> None:
    """Of a function that ONNX defines, and of a graph inside a node."""
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, 2, 4, 8])
              for name in "qkvy"]
    score = [helper.make_tensor_value_info(name, TensorProto.FLOAT, ["B", "H", "L", "S"])
             for name in ("scores", "out")]
    body = helper.make_graph([helper.make_node("Tanh", ["scores"], ["out"])], "score",
                             score[:1], score[1:])
    node = helper.make_node("FlexAttention", ["q", "k", "v"], ["y"], domain="ai.onnx.preview",
                            score_mod=body)
    opsets = [helper.make_opsetid("", 26), helper.make_opsetid("ai.onnx.preview", 1)]
    proto = helper.make_model(helper.make_graph([node], "g", values[:3], values[3:]),
                              ir_version=13, opset_imports=opsets)
    with pytest.raises(gaudi_onnx.OnnxError, match=r"FlexAttention \(node 'FlexAttention_0'\)"):
        gaudi_onnx.to_mlir(proto)


def test_doubles_refused() -> None:
    proto = single("Abs", {"x": np.zeros(3)}, {}, None, [TensorProto.DOUBLE], 17, {})
    with pytest.raises(gaudi_onnx.OnnxError, match="'x' has elements of type DOUBLE"):
        gaudi_onnx.to_mlir(proto)


def test_sizes_of_one_unknown_name() -> None:
    graph = helper.make_graph(
        [helper.make_node("Add", ["x", "x"], ["y"]), helper.make_node("Neg", ["z"], ["w"])], "two",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["?", 2]),
         helper.make_tensor_value_info("z", TensorProto.FLOAT, ["?"])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["?", 2]),
         helper.make_tensor_value_info("w", TensorProto.FLOAT, ["?"])])
    proto = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    with pytest.raises(gaudi_onnx.OnnxError, match="'x_0' of input 'x', 'z_0' of input 'z'"):
        gaudi_onnx.to_mlir(proto)
    feeds = {"x": floats(3, 2), "z": floats(5)}
    y, w = gaudi_onnx.compile(proto, sizes={"x_0": 3, "z_0": 5}).run(feeds)
    np.testing.assert_array_equal(y, 2 * feeds["x"])
    np.testing.assert_array_equal(w, -feeds["z"])


def test_large_boolean_constant() -> None:
    mask = np.tril(np.ones((32, 32), bool))
    check("Where", {"x": floats(32, 32)}, {"m": mask, "z": np.array(-1, np.float32)},
          inputs=["m", "x", "z"])


UNSIGNED = [
    ("Less", 2, {}, TensorProto.BOOL), ("Greater", 2, {}, TensorProto.BOOL),
    ("LessOrEqual", 2, {}, TensorProto.BOOL), ("GreaterOrEqual", 2, {}, TensorProto.BOOL),
    ("Equal", 2, {}, TensorProto.BOOL), ("Div", 2, {}, None), ("Mod", 2, {}, None),
    ("Mod", 2, {"fmod": 1}, None), ("Max", 2, {}, None), ("Min", 2, {}, None),
    ("Add", 2, {}, None), ("Mul", 2, {}, None), ("Sub", 2, {}, None),
    ("BitShift", 2, {"direction": "RIGHT"}, None), ("BitwiseNot", 1, {}, None),
    ("BitwiseAnd", 2, {}, None), ("Cast", 1, {"to": TensorProto.FLOAT}, TensorProto.FLOAT),
    ("Cast", 1, {"to": TensorProto.INT64}, TensorProto.INT64),
    ("Cast", 1, {"to": TensorProto.BOOL}, TensorProto.BOOL),
    ("Cast", 1, {"to": TensorProto.UINT32}, TensorProto.UINT32),
    ("ReduceMax", 1, {}, None), ("ReduceMin", 1, {}, None), ("ReduceSum", 1, {}, None),
    ("ReduceL1", 1, {}, None), ("ReduceMean", 1, {}, None), ("CumSum", 1, {}, None),
    ("ArgMax", 1, {"axis": 1}, TensorProto.INT64), ("ArgMin", 1, {"axis": 1}, TensorProto.INT64),
    ("Sign", 1, {}, None), ("Abs", 1, {}, None), ("CumProd", 1, {}, None), ("Neg", 1, {}, None),
    ("MaxPool", 1, {"kernel_shape": [2]}, None), ("ScatterND", 2, {}, None),
    *[("ScatterND", 2, {"reduction": kind}, None) for kind in ("add", "mul", "max", "min")],
    *[("ScatterElements", 2, {"reduction": kind}, None) for kind in ("add", "mul", "max", "min")],
]
# What is refused of each type, and of UINT16, to which torch-mlir has no cast.
REFUSED = {("ReduceMean", ""), ("Neg", ""), ("ScatterND", "max"), ("ScatterND", "min"),
           ("ScatterElements", "max"), ("ScatterElements", "min")}
REFUSED_OF_UINT16 = {"Div", "Mod", "MaxPool"}
OPERANDS = {"CumProd": {"axis": np.array(1)}, "CumSum": {"axis": np.array(1)},
            "ScatterND": {"places": np.array([[1], [0]])},
            "ScatterElements": {"places": np.array([[1, 0, 1, 0], [0, 1, 0, 1]])}}


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.uint32])
@pytest.mark.parametrize("op, count, attributes, kind", UNSIGNED)
def test_unsigned_operators(op: str, count: int, attributes: dict, kind: int | None,
                            dtype: type) -> None:
    """Values of the upper half, which are not negative."""
    top = np.iinfo(dtype).max
    a = np.array([[top, 3, top - 1, 200], [7, top // 2 + 1, 0, 5]], dtype)
    b = np.array([[2, top, 3, 5], [7, 3, top, 1]], dtype)
    if op == "BitShift":
        b = np.array([[1, 2, 3, 7], [0, 5, 1, 2]], dtype)
    if op == "MaxPool":
        a = a[None]
    feeds = {"a": a, "b": b} if count == 2 else {"a": a}
    constants = OPERANDS.get(op, {})
    inputs = ["a", "places", "b"] if "places" in constants else None
    given = kind or helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    proto = single(op, feeds, constants, inputs, [given], 26 if op == "CumProd" else 20, attributes)
    if (op, attributes.get("reduction", "")) in REFUSED \
            or dtype is np.uint16 and op in REFUSED_OF_UINT16:
        kind_of = np.dtype(dtype).name.upper()
        with pytest.raises(gaudi_onnx.OnnxError, match=rf"{op} \(node 'it'\) of {kind_of} \('a'\)"):
            gaudi_onnx.compile(proto)
        return
    if op == "MaxPool":  # which the evaluator computes with floats
        expected = np.maximum(a[..., :-1], a[..., 1:])
    elif op == "ReduceL1":
        expected = a.sum(keepdims=True, dtype=dtype)
    else:
        with np.errstate(all="ignore"):
            expected = onnx_evaluator.ReferenceEvaluator(proto).run(None, feeds)[0]
    [got] = gaudi_onnx.compile(proto).run(feeds)
    np.testing.assert_array_equal(got, expected.astype(got.dtype))
    assert got.dtype == helper.tensor_dtype_to_np_dtype(given)


@pytest.mark.parametrize("op", ["Less", "Max", "ReduceMax", "MaxPool", "Clip", "Neg", "Div"])
def test_unsigned_of_64_bits_refused(op: str) -> None:
    x = np.array([[[3, 2**63 + 1, 5]]], np.uint64)
    feeds = {"a": x, "b": x} if op in ("Less", "Max", "Div") else {"a": x}
    constants = {"low": np.array(4, np.uint64)} if op == "Clip" else {}
    kind = TensorProto.BOOL if op == "Less" else TensorProto.UINT64
    attributes = {"kernel_shape": [2]} if op == "MaxPool" else {}
    proto = single(op, feeds, constants, None, [kind], 20, attributes)
    with pytest.raises(gaudi_onnx.OnnxError, match=rf"{op} \(node 'it'\) of UINT64"):
        gaudi_onnx.compile(proto)


@pytest.mark.parametrize("op, constants, attributes", [
    ("Cast", {}, {"to": TensorProto.UINT16}),
    ("QuantizeLinear", {"s": np.float32(1), "z": np.uint16(3)}, {})])
def test_cast_to_sixteen_bits_without_sign_refused(op: str, constants: dict,
                                                   attributes: dict) -> None:
    proto = single(op, {"x": floats(2, 3)}, constants, None, [TensorProto.UINT16], 21, attributes)
    with pytest.raises(gaudi_onnx.OnnxError, match=rf"{op} \(node 'it'\) makes UINT16 of another"):
        gaudi_onnx.compile(proto)


@pytest.mark.parametrize("op, feeds, constants, inputs, opset, attributes, words", [
    ("DepthToSpace", {"x": floats(1, 4, 2, 2)}, {}, None, 19, {"blocksize": 0}, "blocksize=0"),
    ("Col2Im", {"x": floats(1, 4, 1)}, {"i": np.array([5, 5]), "b": np.array([2, 2])}, None, 19,
     {"strides": [0, 1]}, r"strides=\[0, 1\]"),
    ("STFT", {"x": floats(1, 64, 1)}, {"s": np.array(0), "l": np.array(16)}, ["x", "s", "", "l"],
     19, {}, "ZeroDivisionError"),
    ("GridSample", {"x": floats(1, 1, 4, 4), "g": floats(1, 2, 2, 2)}, {}, None, 20,
     {"mode": "banana"}, "mode='banana'")])
def test_not_valid(op: str, feeds: dict, constants: dict, inputs: list[str] | None, opset: int,
                   attributes: dict, words: str) -> None:
    proto = single(op, feeds, constants, inputs, [TensorProto.FLOAT], opset, attributes)
    with pytest.raises(gaudi_onnx.OnnxError, match=rf"{op} \(node 'it'\) is not valid.*{words}"):
        gaudi_onnx.compile(proto)


def test_step_of_training_without_inputs() -> None:
    node = helper.make_node("Adam", ["r", "s"], ["y"], name="it",
                            domain="ai.onnx.preview.training")
    graph = helper.make_graph(
        [node], "one", [helper.make_tensor_value_info("r", TensorProto.FLOAT, []),
                        helper.make_tensor_value_info("s", TensorProto.INT64, [])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)])
    proto = helper.make_model(graph, ir_version=9, opset_imports=[
        helper.make_opsetid("", 19), helper.make_opsetid("ai.onnx.preview.training", 1)])
    with pytest.raises(gaudi_onnx.OnnxError, match=r"Adam \(node 'it'\) is not valid.* 2 inputs"):
        gaudi_onnx.compile(proto)


def test_large_padding_refused() -> None:
    proto = single("Pad", {"x": floats(4)}, {"p": np.array([0, 1 << 40])}, None,
                   [TensorProto.FLOAT], 19, {"mode": "wrap"})
    with pytest.raises(gaudi_onnx.OnnxError, match=r"Pad \(node 'it'\) pads dimension 0 of size 4"):
        gaudi_onnx.compile(proto)


# Values of each type that any other type has in its range, or rounds.
CASTS = {TensorProto.FLOAT: [0, 1.5, 2.5, 127], TensorProto.FLOAT16: [0, 1.5, 2.5, 127],
         TensorProto.BFLOAT16: [0, 1.5, 2.5, 127], TensorProto.FLOAT8E4M3FN: [0, 1.5, 2.5, 120],
         TensorProto.FLOAT8E5M2: [0, 1.5, 2.5, 112], TensorProto.BOOL: [0, 1, 1, 0],
         TensorProto.INT8: [0, 1, 100, 127], TensorProto.INT16: [0, 1, 100, 127],
         TensorProto.INT32: [0, 1, 100, 127], TensorProto.INT64: [0, 1, 100, 127],
         TensorProto.UINT8: [0, 1, 100, 127], TensorProto.UINT16: [0, 1, 100, 127],
         TensorProto.UINT32: [0, 1, 100, 127]}
# What types beyond these hold, and others round or saturate.
MORE = {TensorProto.UINT8: [127, 128, 200, 224, 240], TensorProto.INT8: [-128, -1, -3],
        TensorProto.INT16: [-128, -1, -7], TensorProto.UINT16: [300, 40000, 65535],
        TensorProto.UINT32: [300, 2**31, 2**32 - 256]}


@pytest.mark.parametrize("to", CASTS, ids=TensorProto.DataType.Name)
def test_casts(to: int) -> None:
    """Of all types, in one model."""
    target = helper.tensor_dtype_to_np_dtype(to)
    feeds, nodes = {}, []
    for source, values in CASTS.items():
        if to == TensorProto.UINT16 != source:  # which is refused
            continue
        dtype = helper.tensor_dtype_to_np_dtype(source)
        values = np.array([*values, *MORE.get(to, [])], np.float64)
        if dtype.kind in "iu":
            info = np.iinfo(dtype)
            values = values[(values >= info.min) & (values <= info.max)]
        with np.errstate(over="ignore"):
            values = values.astype(np.float32).astype(dtype)
        if target.kind in "iu":  # what is beyond the ends is not defined
            info, wide = np.iinfo(target), values.astype(np.float64)
            values = values[(wide >= info.min) & (wide <= info.max)]
        feeds[f"x{source}"] = values
        nodes.append(helper.make_node("Cast", [f"x{source}"], [f"y{source}"], to=to,
                                      name=f"of{source}"))
    graph = helper.make_graph(
        nodes, "casts",
        [helper.make_tensor_value_info(name, int(name[1:]), array.shape)
         for name, array in feeds.items()],
        [helper.make_tensor_value_info(node.output[0], to, None) for node in nodes])
    proto = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)
    results = gaudi_onnx.compile(proto).run(feeds)
    for (name, array), got in zip(feeds.items(), results, strict=True):
        through = array if array.dtype.kind in "iub" else array.astype(np.float32)
        want = through.astype(target)
        assert got.dtype == target, name
        np.testing.assert_array_equal(got.astype(np.float64), want.astype(np.float64), name)


@pytest.mark.parametrize("kind", [TensorProto.FLOAT8E4M3FN, TensorProto.FLOAT8E5M2])
def test_cast_of_eight_bits_to_integers(kind: int) -> None:
    dtype = helper.tensor_dtype_to_np_dtype(kind)
    x = np.array([127, 128, 200, 224, 240], np.float32)
    x = x[x.astype(dtype).astype(np.float32) < 256]
    nodes = [helper.make_node("Cast", ["x"], ["a"], to=kind, name="first"),
             helper.make_node("Cast", ["a"], ["y"], to=TensorProto.UINT8, name="second")]
    graph = helper.make_graph(
        nodes, "casts", [helper.make_tensor_value_info("x", TensorProto.FLOAT, x.shape)],
        [helper.make_tensor_value_info("y", TensorProto.UINT8, None)])
    proto = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)
    [got] = gaudi_onnx.compile(proto).run({"x": x})
    np.testing.assert_array_equal(got, x.astype(dtype).astype(np.float32).astype(np.uint8))


def test_unsigned_extremes() -> None:
    x = np.array([[255, 3, 254, 200], [7, 128, 0, 5]], np.uint8)
    check("Clip", {"x": x}, {"low": np.array(5, np.uint8), "high": np.array(230, np.uint8)},
          outputs=[TensorProto.UINT8])
    check("TopK", {"x": x}, {"k": np.array([2])}, outputs=[TensorProto.UINT8, TensorProto.INT64])
