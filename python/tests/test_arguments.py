# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arguments of `run` that are refused, and what the error says."""

from __future__ import annotations

from typing import Any

import gaudi_mlir
import ml_dtypes
import numpy as np
import pytest

from conftest import transpose

X = np.zeros((2, 3), np.float32)
W = np.zeros((3, 4), np.float32)


def message_of(recipe: gaudi_mlir.Recipe, inputs: Any, outputs: Any = None) -> str:
    with pytest.raises(gaudi_mlir.ArgumentError) as caught:
        recipe.run(inputs, outputs)
    return caught.value.message


def test_other_types(matmul: gaudi_mlir.Recipe) -> None:
    assert message_of(matmul, [X.astype(np.float64), W]) == (
        "input 'x' has elements of type float64; expected float32 (2x3xf32); values are not "
        "converted silently: x.astype(numpy.float32)")
    for dtype in (np.float16, np.int32, np.bool_, np.complex64, object, "S4", "M8[s]", ">f4",
                  ml_dtypes.bfloat16, ml_dtypes.int4, [("a", "f4")]):
        message = message_of(matmul, [np.zeros((2, 3), dtype), W])
        assert message.startswith("input 'x' has elements of type"), dtype
        assert message.endswith("x.astype(numpy.float32)"), dtype


def test_names_of_narrow_types() -> None:
    recipe = gaudi_mlir.compile(transpose("bf16"))
    assert message_of(recipe, [np.zeros((3, 5), np.uint16)]).endswith(
        "expected bfloat16 (3x5xbf16); values are not converted silently: "
        "x.astype(ml_dtypes.bfloat16)")
    recipe = gaudi_mlir.compile(transpose("i1"))
    assert message_of(recipe, [np.zeros((3, 5), np.uint8)]).endswith("x.astype(numpy.bool_)")
    recipe = gaudi_mlir.compile(transpose("i64"))
    assert message_of(recipe, [np.zeros((3, 5), np.int32)]).endswith("x.astype(numpy.int64)")


@pytest.mark.parametrize("shape", [(3, 2), (2, 4), (6,), (1, 2, 3), (), (2, 0)])
def test_other_shapes(matmul: gaudi_mlir.Recipe, shape: tuple[int, ...]) -> None:
    message = message_of(matmul, [np.zeros(shape, np.float32), W])
    assert '"x"' in message and "2x3" in message
    message = message_of(matmul, [X, W], [np.zeros((7, *shape), np.float32)])
    assert '"y"' in message and "2x4" in message


@pytest.mark.parametrize("value, kind", [
    (1.5, "float"), ([[1.0]], "list"), (True, "bool"), ("text", "str"), (b"bytes", "bytes"),
    (object(), "object"), ({}, "dict"), (range(3), "range"),
])
def test_values_that_are_not_arrays(matmul: gaudi_mlir.Recipe, value: Any, kind: str) -> None:
    assert message_of(matmul, [value, W]) == (
        f"input 'x' is a {kind}, which is not an array; expected 2x3xf32: a NumPy array or an "
        "object with __dlpack__, such as numpy.asarray(value, dtype=numpy.float32)")


def test_arrays_that_cannot_be_used(matmul: gaudi_mlir.Recipe) -> None:
    masked = np.ma.masked_array(X, mask=X == 0)
    assert "x.filled(value)" in message_of(matmul, [masked, W])
    odd = np.zeros(25, np.uint8)[1:].view(np.float32).reshape(2, 3)
    assert "not aligned to their size; pass a copy: x.copy()" in message_of(matmul, [odd, W])
    records = np.zeros((2, 3), [("tag", "u1"), ("value", "f4")])["value"]
    assert "not aligned" in message_of(matmul, [records, W])


def test_outputs_of_other_types(matmul: gaudi_mlir.Recipe) -> None:
    assert message_of(matmul, [X, W], [np.zeros((2, 4))]) == (
        "output 'y' has elements of type float64; expected float32 (2x4xf32); pass an array of "
        "that type, or None for a new one")


def test_outputs_that_cannot_be_written(matmul: gaudi_mlir.Recipe) -> None:
    y = np.zeros((2, 4), np.float32)
    y.flags.writeable = False
    assert "output 'y' is a numpy.ndarray that cannot be written" in message_of(matmul, [X, W], [y])
    assert "cannot be written" in message_of(matmul, [X, W], [np.float32(1)])
    assert "output 'y' has elements of type float64" in message_of(matmul, [X, W],
                                                                   [np.zeros((2, 4))])
    assert "output 'y' is a list" in message_of(matmul, [X, W], [[0.0]])


def test_missing_and_unknown(matmul: gaudi_mlir.Recipe) -> None:
    assert message_of(matmul, {"x": X}) == (
        "no value for input 'w' of entry 'main'; expected 3x4xf32")
    assert "no value for input 'x'" in message_of(matmul, [None, W])
    assert message_of(matmul, {"x": X, "w": W, "b": X, 1: X}) == (
        "entry 'main' has no input 'b', '1'; its inputs: 'x', 'w'")
    assert message_of(matmul, {"xx": X, "w": W}) == (  # not that 'x' is missing
        "entry 'main' has no input 'xx'; its inputs: 'x', 'w'")
    assert message_of(matmul, [X, W], {"z": X}) == (
        "entry 'main' has no output 'z'; its outputs: 'y'")
    assert message_of(matmul, [X]) == "1 input given, but entry 'main' expects 2: 'x', 'w'"
    assert message_of(matmul, [X, W], [X, X]) == (
        "2 outputs given, but entry 'main' expects 1: 'y'")


def test_an_array_in_place_of_a_list(matmul: gaudi_mlir.Recipe) -> None:
    assert message_of(matmul, X) == (
        "inputs must be a list or tuple of arrays, or a dict of arrays by name, but it is a "
        "numpy.ndarray; for one array pass [input]")
    assert "for one array pass [output]" in message_of(matmul, [X, W], W)
    assert message_of(matmul, 3).endswith("but it is a int")
    assert message_of(matmul, None).endswith("but it is a NoneType")
    assert "but it is a generator" in message_of(matmul, (value for value in (X, W)))


@pytest.mark.parametrize("options, message", [
    ({"threads": -1}, "threads=-1 is a int; expected a number from 0 to 2^32 - 1"),
    ({"threads": 1 << 70}, f"threads={1 << 70} is a int; expected a number from 0 to 2^32 - 1"),
    ({"max_launches": "two"}, "max_launches='two' is a str; expected a number from 0 to 2^32 - 1"),
    ({"device_memory": 1.5}, "device_memory=1.5 is a float; expected a number from 0 to 2^64 - 1"),
    ({"max_iterations": -1}, "max_iterations=-1 is a int; expected a number from 0 to 2^64 - 1"),
    ({"max_kernel_weight": []}, "max_kernel_weight=[] is a list; expected a number from 0 to "
                                "2^64 - 1"),
])
def test_options_of_executables(matmul: gaudi_mlir.Recipe, options: dict[str, Any],
                                message: str) -> None:
    with pytest.raises(gaudi_mlir.ArgumentError) as caught:
        matmul.executable(**options)
    assert caught.value.message == message


@pytest.mark.parametrize("options, message", [
    ({"device": 5}, "device=5 is a int; expected a text"),
    ({"buckets": b"linear:4"}, "buckets=b'linear:4' is a bytes; expected a text"),
    ({"threads": -2}, "threads=-2 is a int; expected a number from 0 to 2^32 - 1"),
    ({"memory_budget": "1G"}, "memory_budget='1G' is a str; expected bytes from 0 to 2^64 - 1"),
    ({"verify_fusion": "yes"}, "verify_fusion='yes' is a str; expected True or False"),
    ({"max_expanded_ops": -1}, "max_expanded_ops=-1 is a int; expected a number from 0 to "
                               "2^64 - 1"),
])
def test_options_of_compilations(options: dict[str, Any], message: str) -> None:
    with pytest.raises(gaudi_mlir.ArgumentError) as caught:
        gaudi_mlir.compile(transpose("f32"), **options)
    assert caught.value.message == message
