# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ONNX models that grow, end never, name files elsewhere or make torch-mlir crash: one line each."""

from __future__ import annotations

import os
import pathlib

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
pytest.importorskip("torch_mlir.ir")

from onnx import TensorProto, helper, numpy_helper  # noqa: E402

from gaudi_mlir import onnx as gaudi_onnx  # noqa: E402
from gaudi_mlir.importer import __main__ as command  # noqa: E402
from gaudi_mlir.onnx import budget  # noqa: E402

OPSET = helper.make_opsetid("", 18)
OWN = helper.make_opsetid("own", 1)


def model(nodes, functions=(), x=(2,), y=(2,), constants=(), kinds=(TensorProto.FLOAT,) * 2):
    graph = helper.make_graph(nodes, "g", [helper.make_tensor_value_info("x", kinds[0], x)],
                              [helper.make_tensor_value_info("y", kinds[1], y)], list(constants))
    return helper.make_model(graph, opset_imports=[OPSET, OWN], functions=list(functions),
                             ir_version=10)


def function(name, nodes):
    return helper.make_function("own", name, ["x"], ["y"], nodes, [OPSET, OWN])


def call(name, source="x", result="y"):
    return helper.make_node(name, [source], [result], domain="own")


def doubling(depth):
    """Functions of which each calls the one before twice."""
    functions = [function("f0", [helper.make_node("Neg", ["x"], ["y"])])]
    for index in range(1, depth):
        functions.append(function(f"f{index}", [call(f"f{index - 1}", "x", "t"),
                                                call(f"f{index - 1}", "t", "y")]))
    return model([call(f"f{depth - 1}")], functions)


def refused(proto, **options) -> str:
    with pytest.raises(gaudi_onnx.OnnxError) as caught:
        gaudi_onnx.to_mlir(proto, **options)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_functions_that_multiply() -> None:
    assert "'f29' of domain 'own' with 536870912" in refused(doubling(30))
    assert "where 13000 are allowed" in refused(doubling(15))
    [result] = gaudi_onnx.compile(doubling(7)).run([np.ones(2, np.float32)])
    np.testing.assert_array_equal(result, np.ones(2, np.float32))


def test_functions_that_call_themselves() -> None:
    assert "'f' of domain 'own' calls itself" in refused(
        model([call("f")], [function("f", [call("f")])]))
    assert "calls itself" in refused(model(
        [call("f")], [function("f", [call("g")]), function("g", [call("f")])]))
    chain = [function("f0", [helper.make_node("Neg", ["x"], ["y"])])]
    chain += [function(f"f{index}", [call(f"f{index - 1}")]) for index in range(1, 300)]
    assert "is inside 200 others" in refused(model([call("f299")], chain))


def test_loops_inside_loops(monkeypatch: pytest.MonkeyPatch) -> None:
    def loop(body_nodes, result):
        body = helper.make_graph(
            body_nodes, "body",
            [helper.make_tensor_value_info("i", TensorProto.INT64, []),
             helper.make_tensor_value_info("c", TensorProto.BOOL, []),
             helper.make_tensor_value_info("v", TensorProto.FLOAT, [2])],
            [helper.make_tensor_value_info("c", TensorProto.BOOL, []),
             helper.make_tensor_value_info("w", TensorProto.FLOAT, [2])])
        return helper.make_node("Loop", ["count", "", result[0]], [result[1]], body=body)

    count = numpy_helper.from_array(np.array(5, np.int64), "count")
    nodes = [helper.make_node("Neg", ["v"], ["w"])]
    for _ in range(3):
        nodes = [loop(nodes, ("v", "w"))]
    proto = model([loop(nodes, ("x", "y"))], constants=[count])
    [result] = gaudi_onnx.compile(proto).run([np.ones(2, np.float32)])
    np.testing.assert_array_equal(result, -np.ones(2, np.float32))
    monkeypatch.setattr(budget, "MAX_MADE", 200)
    assert "loops and branches become more than 200 nodes" in refused(proto)


def test_damaged_constants(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    constant = numpy_helper.from_array(np.ones(2, np.float32), "w")
    constant.data_type = 99
    proto = model([helper.make_node("Add", ["x", "w"], ["y"])], constants=[constant])
    assert "'w' of type 99, which ONNX does not have" in refused(proto)
    for change in (lambda p: p.graph.node[0].ClearField("output"),
                   lambda p: p.graph.node[0].input.append("nothing"),
                   lambda p: p.graph.node.append(helper.make_node("Split", [], [])),
                   lambda p: p.graph.input[0].type.tensor_type.shape.dim[0].ClearField("dim_value"),
                   lambda p: p.graph.node[0].attribute.append(helper.make_attribute("axis", b"x"))):
        constant.data_type = TensorProto.FLOAT
        proto = model([helper.make_node("Softmax", ["x"], ["y"])], constants=[constant])
        change(proto)
        onnx.save(proto, tmp_path / "m.onnx")
        code = command.main([str(tmp_path / "m.onnx"), "-o", str(tmp_path / "m.mlir")])
        error = capsys.readouterr().err
        assert code in (0, 3) and error.count("\n") == (code == 3), error


def external(tmp_path: pathlib.Path, count: int = 1, **entries: str) -> pathlib.Path:
    (tmp_path / "model").mkdir(exist_ok=True)
    (tmp_path / "secret.bin").write_bytes(bytes(8000))
    (tmp_path / "model" / "w.bin").write_bytes(bytes(8000))
    tensors, names = [], ["x"]
    for index in range(count):
        tensor = numpy_helper.from_array(np.zeros(2000, np.float32), f"w{index}")
        tensor.ClearField("raw_data")
        tensor.data_location = TensorProto.EXTERNAL
        for key, value in {"location": "w.bin", **entries}.items():
            tensor.external_data.add(key=key, value=value)
        tensors.append(tensor)
        names.append(tensor.name)
    proto = model([helper.make_node("Sum", names, ["y"])], x=(2000,), y=(2000,), constants=tensors)
    path = tmp_path / "model" / "m.onnx"
    path.write_bytes(proto.SerializeToString())
    return path


@pytest.mark.parametrize("location", ["../secret.bin", "{}/secret.bin", "link.bin", "a/../../secret.bin",
                                      "folder/secret.bin"])
def test_external_data_of_other_folders(location: str, tmp_path: pathlib.Path) -> None:
    path = external(tmp_path, location=location.format(tmp_path))
    os.symlink(tmp_path / "secret.bin", path.parent / "link.bin")
    os.symlink(tmp_path, path.parent / "folder")
    assert "cannot read the external data of the model" in refused(path)


def test_external_data_that_multiplies(tmp_path: pathlib.Path,
                                       monkeypatch: pytest.MonkeyPatch) -> None:
    gaudi_onnx.to_mlir(external(tmp_path, 3))
    monkeypatch.setattr(budget, "FREE_BYTES", 1000)
    assert "'w4' brings the external data to 40000 bytes" in refused(external(tmp_path, 9))
    for key in ("offset", "length"):
        for value in ("-1", "1e9", "9" * 30):
            assert "an offset or a length" in refused(external(tmp_path, **{key: value}))


def test_sparse_constants(monkeypatch: pytest.MonkeyPatch) -> None:
    values = numpy_helper.from_array(np.ones(1, np.float32), "w")
    indices = numpy_helper.from_array(np.zeros((1, 2), np.int64), "indices")
    proto = model([helper.make_node("Add", ["x", "w"], ["y"])], x=(2, 2), y=(2, 2))
    proto.graph.sparse_initializer.append(helper.make_sparse_tensor(values, indices, [2, 2]))
    gaudi_onnx.to_mlir(proto)
    proto.graph.sparse_initializer[0].dims[:] = [1 << 30, 1 << 30]
    assert "sparse tensor 'w' has 1152921504606846976 elements" in refused(proto)


def test_constants_that_grow() -> None:
    """What is evaluated at import stays small: broadcasting and padding by computed amounts."""
    wide = [numpy_helper.from_array(np.zeros((60000, 1), np.float32), "a"),
            numpy_helper.from_array(np.zeros((1, 60000), np.float32), "b")]
    nodes = [helper.make_node("Neg", ["a"], ["c"]), helper.make_node("Neg", ["b"], ["d"]),
             helper.make_node("Add", ["c", "d"], ["e"]), helper.make_node("ReduceMax", ["e"], ["f"],
                                                                          keepdims=0),
             helper.make_node("Add", ["x", "f"], ["y"])]
    import resource
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    gaudi_onnx.to_mlir(model(nodes, constants=wide))
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 1 << 20  # KiB


@pytest.mark.parametrize("node, x, y, constants", [
    (helper.make_node("Einsum", ["x"], ["y"], equation="->"), (), (), ()),
    (helper.make_node("Reshape", ["x", "s"], ["y"], name="view", allowzero=1), (0, 3, 4), (3, 4, 0),
     (numpy_helper.from_array(np.array([3, 4, 0]), "s"),)),
])
def test_nodes_that_torch_mlir_died_of(node, x, y, constants,
                                       monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether this node is converted one day or not, the program goes on."""
    monkeypatch.setenv("GAUDI_TORCH_MLIR_MEMORY", "1000")
    try:
        gaudi_onnx.to_mlir(model([node], x=x, y=y, constants=constants))
    except gaudi_onnx.OnnxError as error:
        assert node.op_type in str(error)
    gaudi_onnx.to_mlir(model([helper.make_node("Neg", ["x"], ["y"])]))
