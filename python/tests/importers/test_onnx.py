# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ONNX models, compiled in this process, against ONNX Runtime."""

from __future__ import annotations

import pathlib

import numpy as np
import pytest

onnx = pytest.importorskip("onnx.helper") and pytest.importorskip("onnx")
pytest.importorskip("torch_mlir.ir")
ort = pytest.importorskip("onnxruntime")
from onnx import TensorProto, helper, numpy_helper  # noqa: E402
from gaudi_mlir import onnx as gaudi_onnx  # noqa: E402

FLOAT, INT64 = TensorProto.FLOAT, TensorProto.INT64
RANDOM = np.random.default_rng(0)


def floats(*shape: int) -> np.ndarray:
    return RANDOM.standard_normal(shape, dtype=np.float32)


def model(nodes, inputs, outputs, constants=None, opset=17, functions=()):
    """A model of nodes; inputs and outputs are (name, shape) or (name, shape, type)."""
    def info(name, shape, kind=FLOAT):
        return helper.make_tensor_value_info(name, kind, shape)
    graph = helper.make_graph(
        nodes, "a graph", [info(*one) for one in inputs], [info(*one) for one in outputs],
        [numpy_helper.from_array(np.asarray(array), name)
         for name, array in (constants or {}).items()])
    imports = [helper.make_opsetid("", opset)]
    imports += [helper.make_opsetid(domain, 1) for domain in {one.domain for one in functions}]
    return helper.make_model(graph, opset_imports=imports, ir_version=8, functions=functions)


def check(proto, feeds, tolerance: float = 2e-4, **options):
    """Compiles and runs a model; its recipe."""
    expected = ort.InferenceSession(proto.SerializeToString()).run(None, feeds)
    recipe = gaudi_onnx.compile(proto, **options)
    signature = recipe.describe().entries[0]
    assert [tensor.name for tensor in signature.inputs] == list(feeds)
    assert [tensor.name for tensor in signature.outputs] == [value.name for value
                                                             in proto.graph.output]
    for got, want in zip(recipe.run(feeds), expected):
        assert got.shape == want.shape
        if want.dtype.kind in "biu":
            assert got.dtype == want.dtype
            np.testing.assert_array_equal(got, want)
        else:
            np.testing.assert_allclose(got, want, rtol=0,
                                       atol=tolerance * max(1e-6, np.abs(want).max(initial=0)))
    return recipe


MLP = {"w1": floats(8, 200), "b1": floats(200), "w2": floats(200, 4)}
MLP_NODES = [helper.make_node("Gemm", ["x", "w1", "b1"], ["h"]),
             helper.make_node("Relu", ["h"], ["r"]),
             helper.make_node("MatMul", ["r", "w2"], ["y"])]


def test_weights_are_not_text() -> None:
    proto = model(MLP_NODES, [("x", [2, 8])], [("y", [2, 4])], MLP)
    text = gaudi_onnx.to_mlir(proto)
    assert "w1" in text.resources and len(text.text) < 20_000
    np.testing.assert_array_equal(text.resources["w1"], MLP["w1"])
    check(proto, {"x": floats(2, 8)})


def test_model_without_inputs() -> None:
    proto = model([helper.make_node("Relu", ["w"], ["y"])], [], [("y", [64, 32])],
                  {"w": floats(64, 32)})
    check(proto, {})


def test_file_with_external_data(tmp_path: pathlib.Path) -> None:
    proto = model(MLP_NODES, [("x", [2, 8])], [("y", [2, 4])], MLP)
    onnx.save(proto, tmp_path / "m.onnx", save_as_external_data=True, location="weights.bin",
              size_threshold=0)
    x = floats(2, 8)
    [result] = gaudi_onnx.compile(tmp_path / "m.onnx").run({"x": x})
    np.testing.assert_allclose(result, np.maximum(x @ MLP["w1"] + MLP["b1"], 0) @ MLP["w2"],
                               rtol=1e-3, atol=1e-3)
    content = (tmp_path / "m.onnx").read_bytes()
    with pytest.raises(gaudi_onnx.OnnxError, match="name their folder with folder="):
        gaudi_onnx.compile(content)
    gaudi_onnx.compile(content, folder=tmp_path)
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\n"
    (tmp_path / "weights.bin").write_text(pointer)
    with pytest.raises(gaudi_onnx.OnnxError, match="weights.bin', which has the elements of 'w1', "
                                                   "is a pointer of Git LFS"):
        gaudi_onnx.compile(tmp_path / "m.onnx")
    (tmp_path / "pointer.onnx").write_text(pointer)
    with pytest.raises(gaudi_onnx.OnnxError, match="pointer.onnx' is a pointer of Git LFS"):
        gaudi_onnx.compile(tmp_path / "pointer.onnx")
    (tmp_path / "weights.bin").unlink()
    with pytest.raises(gaudi_onnx.OnnxError, match="elements of 'w1' are in the file 'weights.bin', which is not in '.*'; "
                                                   "put it there"):
        gaudi_onnx.compile(tmp_path / "m.onnx")


def test_symbolic_sizes() -> None:
    proto = model(MLP_NODES, [("x", ["batch", 8])], [("y", ["batch", 4])], MLP)
    check(proto, {"x": floats(3, 8)}, sizes={"batch": 3})
    recipe = check(proto, {"x": floats(3, 8)}, sizes={"batch": (1, 16)}, buckets="exponential:3")
    for size in (1, 9, 16):
        x = floats(size, 8)
        [expected] = ort.InferenceSession(proto.SerializeToString()).run(None, {"x": x})
        np.testing.assert_allclose(recipe.run({"x": x})[0], expected, rtol=1e-3, atol=1e-3)
    with pytest.raises(gaudi_onnx.OnnxError, match=r'sizes=\{"batch": 8\}'):
        gaudi_onnx.compile(proto)
    with pytest.raises(gaudi_onnx.OnnxError, match="no symbolic dimension 'n'; it has: batch"):
        gaudi_onnx.compile(proto, sizes={"batch": 3, "n": 3})
    with pytest.raises(gaudi_onnx.OnnxError, match="dimension 'btch'; did you mean 'batch'?"):
        gaudi_onnx.compile(proto, sizes={"btch": 3})


def test_shapes_are_folded() -> None:
    """The chain of shapes that exporters write for a view."""
    nodes = [
        helper.make_node("Shape", ["x"], ["s"]),
        helper.make_node("Gather", ["s", "zero"], ["n"]),
        helper.make_node("Unsqueeze", ["n", "axis"], ["n1"]),
        helper.make_node("Concat", ["n1", "rest"], ["shape"], axis=0),
        helper.make_node("Reshape", ["x", "shape"], ["y"]),
    ]
    proto = model(nodes, [("x", ["n", 4, 6])], [("y", ["n", 24])],
                  {"zero": np.array(0), "axis": np.array([0]), "rest": np.array([-1])})
    text = gaudi_onnx.to_mlir(proto, sizes={"n": 3})
    assert "collapse_shape" in text.text and "arith.constant" not in text.text
    check(proto, {"x": floats(3, 4, 6)}, sizes={"n": 3})


def test_old_opsets() -> None:
    nodes = [helper.make_node("BatchNormalization", ["x", "s", "b", "m", "v"], ["n"]),
             helper.make_node("Squeeze", ["n"], ["q"], axes=[0]),
             helper.make_node("Clip", ["q"], ["y"], min=-0.5, max=0.5)]
    constants = {"s": floats(3), "b": floats(3), "m": floats(3), "v": np.abs(floats(3)) + 1}
    check(model(nodes, [("x", [1, 3, 5, 5])], [("y", [3, 5, 5])], constants, opset=9),
          {"x": floats(1, 3, 5, 5)})


def test_local_functions() -> None:
    function = helper.make_function(
        "local", "Twice", ["a"], ["b"], [helper.make_node("Add", ["a", "a"], ["b"])],
        [helper.make_opsetid("", 17)])
    check(model([helper.make_node("Twice", ["x"], ["y"], domain="local")], [("x", [3])],
                [("y", [3])], functions=[function]), {"x": floats(3)})


def branch(name: str, op: str):
    return helper.make_graph([helper.make_node(op, ["x"], [f"{name}_out"])], name, [],
                             [helper.make_tensor_value_info(f"{name}_out", FLOAT, [4])])


@pytest.mark.parametrize("known", [True, False])
def test_if(known: bool) -> None:
    node = helper.make_node("If", ["c"], ["y"], then_branch=branch("one", "Exp"),
                            else_branch=branch("two", "Neg"))
    inputs = [("x", [4])] + ([] if known else [("c", [], TensorProto.BOOL)])
    proto = model([node], inputs, [("y", [4])], {"c": np.array(True)} if known else None)
    for value in (True,) if known else (True, False):
        check(proto, {"x": floats(4)} if known else {"x": floats(4), "c": np.array(value)})


def test_loop() -> None:
    body = helper.make_graph(
        [helper.make_node("Mul", ["v", "w"], ["v2"]), helper.make_node("Identity", ["c"], ["c2"]),
         helper.make_node("Identity", ["v2"], ["scan"])], "body",
        [helper.make_tensor_value_info("i", INT64, []),
         helper.make_tensor_value_info("c", TensorProto.BOOL, []),
         helper.make_tensor_value_info("v", FLOAT, [3])],
        [helper.make_tensor_value_info("c2", TensorProto.BOOL, []),
         helper.make_tensor_value_info("v2", FLOAT, [3]),
         helper.make_tensor_value_info("scan", FLOAT, [3])])
    check(model([helper.make_node("Loop", ["n", "", "x"], ["y", "all"], body=body)], [("x", [3])],
                [("y", [3]), ("all", [4, 3])], {"n": np.array(4), "w": floats(3)}),
          {"x": floats(3)})


@pytest.mark.parametrize("direction", [0, 1])
def test_scan(direction: int) -> None:
    body = helper.make_graph(
        [helper.make_node("Add", ["s", "e"], ["s2"]), helper.make_node("Neg", ["s2"], ["o"])],
        "body", [helper.make_tensor_value_info(name, FLOAT, [3]) for name in ("s", "e")],
        [helper.make_tensor_value_info(name, FLOAT, [3]) for name in ("s2", "o")])
    check(model([helper.make_node("Scan", ["s0", "x"], ["y", "all"], body=body, num_scan_inputs=1,
                                  scan_input_directions=[direction],
                                  scan_output_directions=[direction])],
                [("s0", [3]), ("x", [5, 3])], [("y", [3]), ("all", [5, 3])]),
          {"s0": floats(3), "x": floats(5, 3)})


@pytest.mark.parametrize("pad", ["SAME_UPPER", "SAME_LOWER", "VALID"])
@pytest.mark.parametrize("op", ["Conv", "MaxPool", "AveragePool"])
def test_auto_pad(op: str, pad: str) -> None:
    node = helper.make_node(op, ["x", "w"] if op == "Conv" else ["x"], ["y"], auto_pad=pad,
                            strides=[2, 2], kernel_shape=[3, 2])
    check(model([node], [("x", [1, 3, 8, 7])], [("y", None)],
                {"w": floats(4, 3, 3, 2)} if op == "Conv" else None), {"x": floats(1, 3, 8, 7)})


def test_cast_to_unsigned() -> None:
    check(model([helper.make_node("Cast", ["x"], ["y"], to=TensorProto.UINT8)], [("x", [4])],
                [("y", [4], TensorProto.UINT8)]), {"x": np.array([0, 1.7, 128, 255], np.float32)})


def test_quantized() -> None:
    nodes = [helper.make_node("DynamicQuantizeLinear", ["x"], ["q", "s", "z"]),
             helper.make_node("DequantizeLinear", ["q", "s", "z"], ["y"])]
    check(model(nodes, [("x", [6, 7])], [("y", [6, 7])]), {"x": floats(6, 7)})


@pytest.mark.parametrize("op, attributes, opset", [
    ("HardSwish", {}, 17), ("Mish", {}, 18), ("Celu", {"alpha": 0.5}, 17), ("Gelu", {}, 20),
    ("ThresholdedRelu", {"alpha": 0.3}, 17), ("Selu", {}, 17), ("Softplus", {}, 17),
    ("MeanVarianceNormalization", {"axes": [0, 2, 3]}, 17), ("LpNormalization", {"axis": 1}, 17),
    ("GlobalAveragePool", {}, 17), ("ReduceLogSumExp", {"axes": [1]}, 13), ("Hardmax", {}, 17),
    ("LRN", {"size": 3}, 17), ("DepthToSpace", {"blocksize": 2}, 17), ("CumSum", {}, 17),
])
def test_operators(op: str, attributes: dict, opset: int) -> None:
    inputs, constants = ["x"], {}
    if op == "CumSum":
        inputs, constants = ["x", "axis"], {"axis": np.array(1)}
    check(model([helper.make_node(op, inputs, ["y"], **attributes)], [("x", [2, 4, 6, 6])],
                [("y", None)], constants, opset=opset), {"x": floats(2, 4, 6, 6)})


@pytest.mark.parametrize("mode, transform", [("nearest", "asymmetric"), ("linear", "half_pixel"),
                                             ("linear", "align_corners")])
def test_resize(mode: str, transform: str) -> None:
    node = helper.make_node("Resize", ["x", "", "scales"], ["y"], mode=mode, nearest_mode="floor",
                            coordinate_transformation_mode=transform)
    check(model([node], [("x", [1, 2, 4, 5])], [("y", [1, 2, 8, 10])],
                {"scales": np.array([1, 1, 2, 2], np.float32)}), {"x": floats(1, 2, 4, 5)})


@pytest.mark.parametrize("op, gates", [("LSTM", 4), ("GRU", 3), ("RNN", 1)])
@pytest.mark.parametrize("direction", ["forward", "reverse", "bidirectional"])
def test_recurrent(op: str, gates: int, direction: str) -> None:
    count = 2 if direction == "bidirectional" else 1
    constants = {"w": floats(count, gates * 6, 5), "r": floats(count, gates * 6, 6),
                 "b": floats(count, gates * 12)}
    node = helper.make_node(op, ["x", "w", "r", "b"], ["y"], hidden_size=6, direction=direction,
                            **({"linear_before_reset": 1} if op == "GRU" else {}))
    check(model([node], [("x", [7, 2, 5])], [("y", [7, count, 2, 6])], constants),
          {"x": floats(7, 2, 5)})


def test_constants_in_nodes_and_unused_inputs() -> None:
    nodes = [helper.make_node("Constant", [], ["c"], value_floats=[1.0, 2.0, 3.0]),
             helper.make_node("Add", ["x", "c"], ["y"])]
    check(model(nodes, [("x", [3]), ("unused", [2])], [("y", [3])]),
          {"x": floats(3), "unused": floats(2)})


@pytest.mark.parametrize("proto, message", [
    (lambda: b"not a model", "no ONNX model, or not all of one|no graph with outputs"),
    (lambda: model([helper.make_node("StringNormalizer", ["x"], ["y"])],
                   [("x", [1], TensorProto.STRING)], [("y", [1], TensorProto.STRING)]),
     "'x' is a tensor of strings"),
    (lambda: model([helper.make_node("Det", ["x"], ["y"], name="determinant")], [("x", [2, 2])],
                   [("y", [])]), r"Det \(node 'determinant'\)"),
    (lambda: model([helper.make_node("Unknown", ["x"], ["y"], domain="of.somebody", name="its")],
                   [("x", [2])], [("y", [2])], functions=[]),
     "operator of the domain .of.somebody., of which none is read"),
    (lambda: model([helper.make_node("FusedGemm", ["x", "w"], ["y"], domain="com.microsoft", name="fast",
                                     activation="Relu")], [("x", [2, 3])], [("y", [2, 4])],
                   {"w": floats(3, 4)}), r"FusedGemm \(node 'fast'\): com.microsoft::FusedGemm is an operator of ONNX"),
    (lambda: model([helper.make_node("DeformConv", ["x", "w", "o"], ["y"], name="bent")],
                   [("x", [1, 1, 4, 4]), ("o", [1, 8, 3, 3])], [("y", [1, 1, 3, 3])],
                   {"w": floats(1, 1, 2, 2)}, opset=19), r"DeformConv \(node 'bent'\) is not converted"),
])
def test_errors(proto, message: str) -> None:
    with pytest.raises(gaudi_onnx.OnnxError, match=message):
        gaudi_onnx.to_mlir(proto())


@pytest.mark.parametrize("sizes, message", [
    ({"bacht": 3}, "no symbolic dimension 'bacht'; did you mean 'batch'"),
    ("batch=3", "gaudi_mlir.onnx.to_mlir: sizes='batch=3' is a str; expected a dict or None"),
    ({"batch": "3"}, "the size of 'batch' is '3'; expected a number"),
    ({"batch": -3}, "the size of 'batch' is -3; expected a number"),
    ({"batch": (8, 3)}, r"the size of 'batch' is \(8, 3\); expected a number"),
    ({"batch": (3,)}, r"the size of 'batch' is \(3,\); expected a number"),
])
def test_sizes_that_are_none(sizes, message: str) -> None:
    proto = model([helper.make_node("Relu", ["x"], ["y"])], [("x", ["batch", 3])], [("y", ["batch", 3])])
    with pytest.raises((gaudi_onnx.OnnxError, TypeError), match=message):
        gaudi_onnx.to_mlir(proto, sizes=sizes)
    with pytest.raises(TypeError, match="'size' is no option of gaudi_mlir.onnx.compile; did you mean "
                                        "'sizes'"):
        gaudi_onnx.compile(proto, size={"batch": 3})


def test_errors_have_no_ir() -> None:
    """Nor the source text of the ONNX library."""
    node = helper.make_node("StringNormalizer", ["x"], ["y"], name="n0")
    with pytest.raises(gaudi_onnx.OnnxError) as error:
        gaudi_onnx.to_mlir(model([node], [("x", [2, 3])], [("y", [2, 3])]))
    assert str(error.value) == ("StringNormalizer (node 'n0') is not converted: the device has no "
                                "strings; compute it on the host")
    node = helper.make_node("Relu", ["x"], ["y"], name="n0")
    with pytest.raises(gaudi_onnx.OnnxError, match="17 cannot be converted to 3: No ") as error:
        gaudi_onnx.to_mlir(model([node], [("x", [2, 3])], [("y", [2, 3])]), opset=3)
    assert "Assert" not in str(error.value)


def test_names_of_nodes_are_modules():
    nodes = [helper.make_node("MatMul", ["x", "w"], ["y"], name="/encoder/layer.0/dense/MatMul"),
             helper.make_node("Softmax", ["y"], ["z"], name="/head/Softmax")]
    proto = model(nodes, [("x", [4, 8]), ("w", [8, 8])], [("z", [4, 8])])
    text = gaudi_onnx.to_mlir(proto)
    names = {each.name for each in text.compile().predict().modules}
    assert {"encoder.layer.0.dense", "head"} <= names
