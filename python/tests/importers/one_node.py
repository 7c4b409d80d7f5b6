# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ONNX models of one node, against ONNX Runtime or given values."""

from __future__ import annotations

import numpy as np
import onnxruntime as ort
import pytest
from gaudi_mlir import onnx as gaudi_onnx
from onnx import TensorProto, helper, numpy_helper

RANDOM = np.random.default_rng(0)


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
          expected=None, **attributes) -> None:
    """Types, shapes and values of one node."""
    proto = single(op, feeds, constants or {}, inputs, outputs, opset, attributes)
    if expected is None:
        expected = ort.InferenceSession(proto.SerializeToString()).run(None, feeds)
    results = gaudi_onnx.compile(proto).run(feeds)
    assert len(results) == len(expected)
    for got, want in zip(results, expected):
        assert (got.dtype, got.shape) == (want.dtype, want.shape)
        if want.dtype.kind == "f":
            np.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-5)
        else:
            np.testing.assert_array_equal(got, want)


def refused(words, op, feeds, constants=None, *, inputs=None, outputs=(TensorProto.FLOAT,),
            opset=17, **attributes) -> None:
    """By an error that names the node."""
    proto = single(op, feeds, constants or {}, inputs, outputs, opset, attributes)
    with pytest.raises(gaudi_onnx.OnnxError, match=words) as caught:
        gaudi_onnx.to_mlir(proto)
    assert "node 'it" in str(caught.value)
