# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Weights outside the text: files that Python writes are those that the compiler reads."""

from __future__ import annotations

import json
import os
import pathlib

import gaudi_mlir
from gaudi_mlir import weights
import ml_dtypes
import numpy as np
import pytest

MODEL = """module {
  func.func @main(%x: tensor<2x3xf32>) -> tensor<2x4xf32> {
    %w = arith.constant dense_resource<w> : tensor<3x4xf32>
    %b = arith.constant dense_resource<"layer.b"> : tensor<2x4xbf16>
    %wide = "stablehlo.convert"(%b) : (tensor<2x4xbf16>) -> tensor<2x4xf32>
    %y = "stablehlo.dot_general"(%x, %w) {dot_dimension_numbers = #stablehlo.dot<
        lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}
      : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
    %z = "stablehlo.add"(%y, %wide) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    return %z : tensor<2x4xf32>
  }
}
"""
W = np.arange(12, dtype=np.float32).reshape(3, 4)
B = np.arange(8).reshape(2, 4).astype(ml_dtypes.bfloat16)
X = np.linspace(-1, 1, 6, dtype=np.float32).reshape(2, 3)
EXPECTED = X @ W + B.astype(np.float32)


def test_saved_model_runs(tmp_path: pathlib.Path) -> None:
    text = weights.Text(MODEL, {"w": W, "layer.b": B})
    assert text.save(tmp_path / "model.mlir") == [str(tmp_path / "model.mlir"),
                                                  str(tmp_path / "model.safetensors")]
    [result] = gaudi_mlir.compile(tmp_path / "model.mlir").run([X])
    np.testing.assert_allclose(result, EXPECTED, rtol=1e-5)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["model.mlir", "model.safetensors"]


def test_arrays_in_memory() -> None:
    [result] = weights.Text(MODEL, {"w": W, "layer.b": B}).compile().run([X])
    np.testing.assert_allclose(result, EXPECTED, rtol=1e-5)


def test_generic_form_names_its_file(tmp_path: pathlib.Path) -> None:
    generic = ('"builtin.module"() ({\n  "func.func"() <{function_type = () -> tensor<2xf32>, '
               'sym_name = "main"}> ({\n'
               '    %0 = "stablehlo.constant"() <{value = dense_resource<v> : tensor<2xf32>}> '
               ': () -> tensor<2xf32>\n'
               '    "func.return"(%0) : (tensor<2xf32>) -> ()\n  }) : () -> ()\n}) : () -> ()\n')
    for number, text in enumerate((generic, generic.replace("\n})", "\n}) {a.b = 1 : i32}"))):
        path = tmp_path / f"{number}.mlir"
        weights.Text(text, {"v": np.array([3, 4], np.float32)}).save(path)
        [result] = gaudi_mlir.compile(path).run([])
        np.testing.assert_array_equal(result, [3, 4])


def test_types_that_files_do_not_have(tmp_path: pathlib.Path) -> None:
    with pytest.raises(ValueError, match="'w' has elements of type complex64"):
        weights.save_safetensors(str(tmp_path / "w"), {"w": np.zeros(3, np.complex64)})
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name, kind", [
    ("float32", "F32"), ("float64", "F64"), ("float16", "F16"), ("bfloat16", "BF16"),
    ("float8_e4m3fn", "F8_E4M3"), ("float8_e5m2", "F8_E5M2"), ("int8", "I8"), ("uint8", "U8"),
    ("int16", "I16"), ("uint16", "U16"), ("int32", "I32"), ("uint32", "U32"), ("int64", "I64"),
    ("uint64", "U64"), ("bool", "BOOL")])
def test_types_in_files(tmp_path: pathlib.Path, name: str, kind: str) -> None:
    dtype = np.dtype(getattr(ml_dtypes, name, name))
    weights.save_safetensors(str(tmp_path / "w"), {"w": np.ones((2, 3), dtype)})
    content = (tmp_path / "w").read_bytes()
    length = int.from_bytes(content[:8], "little")
    assert (8 + length) % 64 == 0
    assert json.loads(content[8:8 + length]) == {
        "w": {"dtype": kind, "shape": [2, 3], "data_offsets": [0, 6 * dtype.itemsize]}}
    assert content[8 + length:] == np.ones(6, dtype).tobytes()


def test_files_have_the_permissions_of_new_ones(tmp_path: pathlib.Path,
                                                monkeypatch: pytest.MonkeyPatch) -> None:
    """The umask is not set to read it: that would be for the files of all threads."""
    before = os.umask(0o027)
    try:
        with monkeypatch.context() as patch:
            patch.delattr(os, "umask")
            weights.Text("module {}", {}).save(tmp_path / "model.mlir")
    finally:
        os.umask(before)
    assert (tmp_path / "model.mlir").stat().st_mode & 0o777 == 0o640
