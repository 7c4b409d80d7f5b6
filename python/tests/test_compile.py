# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiling: forms of modules, options, errors, remarks, warnings."""

from __future__ import annotations

import inspect
import json
import pathlib
import re
import struct
import weakref
from typing import Any

import gaudi_mlir
import ml_dtypes
import numpy as np
import pytest

from conftest import DYNAMIC, MATMUL, TWO_ENTRIES, transpose

BROKEN = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = tosa.exp %z : (tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}
"""
RESOURCE = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %w = arith.constant dense_resource<weight> : tensor<2xf32>
  %y = tosa.add %x, %w : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}
"""


class Exported:
    """An array that DLPack alone keeps alive."""

    def __init__(self, values: object, dtype: object) -> None:
        self.values, self.dtype = values, dtype

    def __dlpack__(self, **options: object) -> object:
        array = np.array(self.values, self.dtype)
        self.exported = weakref.ref(array)
        return array.__dlpack__()

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0


class Module:
    """An object with the methods of MLIR's own Python binding."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.operation = self
        self.generic: list[bool] = []

    def get_asm(self, enable_debug_info: bool = False, print_generic_op_form: bool = False) -> str:
        self.generic.append(print_generic_op_form)
        return self.text


@pytest.mark.parametrize("device", ["gaudi", "gaudi2", "gaudi3"])
def test_devices(device: str) -> None:
    assert gaudi_mlir.compile(MATMUL, device=device).device == device


def test_forms_of_a_module(tmp_path: pathlib.Path, matmul: gaudi_mlir.Recipe) -> None:
    path = tmp_path / "matmul.mlir"
    path.write_text(MATMUL)
    for module in (MATMUL, MATMUL.encode(), bytearray(MATMUL.encode()), path, Module(MATMUL)):
        recipe = gaudi_mlir.compile(module, name="matmul.mlir")
        assert recipe == matmul, type(module)


def test_pointer_of_git_lfs(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "matmul.mlir"
    path.write_text("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n")
    with pytest.raises(gaudi_mlir.FileError, match="matmul.mlir' is a pointer of Git LFS, not the "
                                                   "file itself; fetch it: git lfs pull"):
        gaudi_mlir.compile(path)


def test_unknown_options(tmp_path: pathlib.Path, matmul: gaudi_mlir.Recipe) -> None:
    """Of each function: what was probably meant, or what there is."""
    unknown: list[tuple[Any, str]] = [
        (lambda: gaudi_mlir.compile(MATMUL, target="gaudi3"),
         "'target' is no option of gaudi_mlir.compile; did you mean 'device'?"),
        (lambda: gaudi_mlir.check_import(MATMUL, devise="gaudi3"),
         "'devise' is no option of gaudi_mlir.check_import; did you mean 'device'?"),
        (lambda: gaudi_mlir.find_max_batch(MATMUL, devise="gaudi3"),
         "'devise' is no option of gaudi_mlir.compile; did you mean 'device'?"),
        (lambda: matmul.predict(batch=3),
         "'batch' is no option of Recipe.predict; it takes entry, sizes"),
        (lambda: gaudi_mlir.Recipe.load(tmp_path, file="x"),
         "'file' is no option of Recipe.load; it takes path"),
        (lambda: matmul.executable(thread=1),
         "'thread' is no option of Recipe.executable; did you mean 'threads'?"),
        (lambda: gaudi_mlir.replay.load(tmp_path, device="gaudi2"),
         "'device' is no option of gaudi_mlir.replay.load; it takes path"),
        (lambda: gaudi_mlir.device.open(devise="gaudi2"),
         "'devise' is no option of gaudi_mlir.device.open; "),
    ]
    for call, message in unknown:
        with pytest.raises(TypeError) as caught:
            call()
        assert str(caught.value).startswith(message), caught.value
    # Warnings are of the line that calls, and what is decorated keeps its signature.
    assert list(inspect.signature(gaudi_mlir.compile).parameters)[:2] == ["module", "device"]


def test_stablehlo_module_is_printed_in_the_generic_form() -> None:
    module = Module(MATMUL + '// "stablehlo.add"\n')
    gaudi_mlir.compile(module)
    assert module.generic == [False, True]


def test_broken_module() -> None:
    with pytest.raises(gaudi_mlir.CompileError) as caught:
        gaudi_mlir.compile(BROKEN, name="broken.mlir")
    error = caught.value
    assert error.location == "broken.mlir:2:17"
    assert "no op or argument before this one gives" in error.message + error.details
    assert "%y = tosa.exp %z" in str(error) and "broken.mlir:2:17" in str(error)
    with pytest.raises(gaudi_mlir.CompileError) as caught:
        gaudi_mlir.check_import(BROKEN, name="broken.mlir")
    assert caught.value.location == "broken.mlir:2:17"


def test_model_that_cannot_be_compiled() -> None:
    text = transpose("f64")
    with pytest.raises(gaudi_mlir.CompileError, match="f64") as caught:
        gaudi_mlir.compile(text)
    assert isinstance(caught.value.remarks, gaudi_mlir.Remarks)
    with pytest.raises(gaudi_mlir.CompileError, match="f64"):
        gaudi_mlir.check_import(text)


def test_import_alone() -> None:
    assert gaudi_mlir.check_import(MATMUL) is None


def test_entries() -> None:
    with pytest.raises(gaudi_mlir.Error, match="first.*second"):
        gaudi_mlir.compile(TWO_ENTRIES)
    one = gaudi_mlir.compile(TWO_ENTRIES, entry="second")
    assert [entry.name for entry in one.entries] == ["second"]
    two = gaudi_mlir.compile(TWO_ENTRIES, entry=["first", "second"])
    assert [entry.name for entry in two.entries] == ["first", "second"]
    with pytest.raises(gaudi_mlir.Error, match="third"):
        gaudi_mlir.compile(TWO_ENTRIES, entry="third")


@pytest.mark.parametrize("shape", [
    "x:batch=1..16", ["x:batch=1..16"], {"x": "batch=1..16"}, {"x": {"batch": (1, 16)}},
])
def test_bounds_of_sizes(shape: object) -> None:
    recipe = gaudi_mlir.compile(DYNAMIC, shape=shape, buckets="explicit:4,16")
    assert recipe.entry().symbols == (gaudi_mlir.Symbol("batch", 1, 16, 1),)
    assert repr(recipe.entry().symbols[0]) == "batch=1..16"


def test_multiple_of_a_size() -> None:
    recipe = gaudi_mlir.compile(DYNAMIC, shape={"x": {"batch": (4, 16, 4)}})
    assert recipe.entry().symbols == (gaudi_mlir.Symbol("batch", 4, 16, 4),)


def test_unknown_device_and_option() -> None:
    with pytest.raises(gaudi_mlir.ArgumentError, match="gaudi4"):
        gaudi_mlir.compile(MATMUL, device="gaudi4")
    with pytest.raises(TypeError, match="fast"):
        gaudi_mlir.compile(MATMUL, fast=True)
    with pytest.raises(gaudi_mlir.Error, match="nonsense"):
        gaudi_mlir.compile(MATMUL, disable_fusion="nonsense")


def test_required_fusion_that_does_not_happen() -> None:
    with pytest.raises(gaudi_mlir.CompileError, match="sdpa"):
        gaudi_mlir.compile(MATMUL, require_fusion={"sdpa": 1})


def test_text_that_is_a_path(tmp_path: pathlib.Path) -> None:
    with pytest.raises(gaudi_mlir.ArgumentError, match="pathlib.Path"):
        gaudi_mlir.compile("model.mlir")
    with pytest.raises(gaudi_mlir.ArgumentError, match="pathlib.Path"):
        gaudi_mlir.compile("folder/model")
    with pytest.raises(gaudi_mlir.ArgumentError, match="the module is a str without text"):
        gaudi_mlir.compile(" \n")
    with pytest.raises(gaudi_mlir.FileError, match="absent.mlir': No such file or directory; give"):
        gaudi_mlir.compile(tmp_path / "absent.mlir")


def test_recipe_in_place_of_a_module(tmp_path: pathlib.Path, matmul: gaudi_mlir.Recipe) -> None:
    matmul.save(tmp_path / "a.recipe")
    with pytest.raises(gaudi_mlir.ArgumentError, match="Recipe.load"):
        gaudi_mlir.compile(tmp_path / "a.recipe")
    with pytest.raises(gaudi_mlir.ArgumentError, match="Recipe.load"):
        gaudi_mlir.compile(matmul.to_bytes())


def test_objects_that_are_no_modules() -> None:
    class Network:
        def state_dict(self) -> dict[str, object]:
            return {}

    with pytest.raises(gaudi_mlir.ArgumentError, match="an object of type int: text, bytes"):
        gaudi_mlir.compile(3)
    with pytest.raises(gaudi_mlir.ArgumentError, match="torch.compile"):
        gaudi_mlir.compile(Network())
    with pytest.raises(gaudi_mlir.ArgumentError, match="type function: a function of JAX goes "
                                                       "through gaudi_mlir.jax"):
        gaudi_mlir.compile(lambda x: x)


def test_resources() -> None:
    weight = np.array([10, 20], np.float32)
    recipe = gaudi_mlir.compile(RESOURCE, resources={"weight": weight})
    [y] = recipe.run([np.array([1, 2], np.float32)])
    assert y.tolist() == [11, 22]


def test_file_of_resources(tmp_path: pathlib.Path) -> None:
    header = json.dumps({"weight": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}}).encode()
    values = np.array([10, 20], np.float32).tobytes()
    (tmp_path / "w.safetensors").write_bytes(struct.pack("<Q", len(header)) + header + values)
    path = tmp_path / "model.mlir"
    path.write_text('module attributes {gaudi.resource_file = "w.safetensors"} {\n'
                    f'{RESOURCE}}}\n')
    x = np.array([1, 2], np.float32)
    assert gaudi_mlir.compile(path).run([x])[0].tolist() == [11, 22]
    other = np.array([30, 40], np.float32)
    recipe = gaudi_mlir.compile(path, resources={"weight": other})
    assert recipe.run([x])[0].tolist() == [31, 42]


def test_resources_that_cannot_be_read() -> None:
    with pytest.raises(gaudi_mlir.ArgumentError, match="'weight' is not dense"):
        gaudi_mlir.compile(RESOURCE, resources={"weight": np.zeros(4, np.float32)[::2]})
    with pytest.raises(gaudi_mlir.ArgumentError, match="'weight' is a list"):
        gaudi_mlir.compile(RESOURCE, resources={"weight": [1.0, 2.0]})
    with pytest.raises(gaudi_mlir.Error, match="weight"):
        gaudi_mlir.compile(RESOURCE, resources={"weight": np.zeros(3, np.float32)})
    with pytest.raises(gaudi_mlir.Error, match="weight"):
        gaudi_mlir.compile(RESOURCE)


@pytest.mark.parametrize("given, found", [
    (np.zeros(2, np.int32), "is I32 \\[2\\]"),
    (np.zeros((1, 2), np.float32), "is F32 \\[1, 2\\]"),
    (np.zeros(4, ml_dtypes.bfloat16), "is BF16 \\[4\\]"),
    (np.zeros(1, np.complex64), "is complex64 \\[1\\]"),
    (Exported([1, 2], np.int32), "is I32 \\[2\\]"),
    (Exported([[1, 2]], np.float32), "is F32 \\[1, 2\\]")])
def test_resources_of_another_type(given: object, found: str) -> None:
    with pytest.raises(gaudi_mlir.CompileError) as caught:
        gaudi_mlir.compile(RESOURCE, resources={"weight": given})
    assert re.search(f"'weight' of type 'tensor<2xf32>' {found} in the option 'resources'",
                     caught.value.details)


def test_resources_of_a_lazy_mapping(tmp_path: pathlib.Path) -> None:
    # Each access of such a file reads a new array, which nothing else keeps.
    path = tmp_path / "weights.npz"
    names = [f"w{number}" for number in range(4)]
    size = 1 << 16
    np.savez(path, **{name: np.full(size, 10**number, np.float32)
                      for number, name in enumerate(names)})
    text = f"func.func @main(%x: tensor<{size}xf32>) -> tensor<{size}xf32> {{\n"
    last = "%x"
    for name in names:
        text += (f"  %{name} = arith.constant dense_resource<{name}> : tensor<{size}xf32>\n"
                 f"  %y{name} = tosa.add {last}, %{name} : (tensor<{size}xf32>, "
                 f"tensor<{size}xf32>) -> tensor<{size}xf32>\n")
        last = f"%y{name}"
    text += f"  return {last} : tensor<{size}xf32>\n}}\n"
    with np.load(path) as weights:
        [y] = gaudi_mlir.compile(text, resources=weights).run([np.zeros(size, np.float32)])
    np.testing.assert_array_equal(y, np.full(size, 1111, np.float32))


def test_exported_resources_live_until_they_are_compiled() -> None:
    weight = Exported([10, 20], np.float32)
    alive = []
    gaudi_mlir.compile(RESOURCE, resources={"weight": weight},
                       on_remark=lambda remark: alive.append(weight.exported() is not None))
    assert alive and all(alive)
    assert weight.exported() is None


def test_remarks(matmul: gaudi_mlir.Recipe) -> None:
    remarks = matmul.remarks
    assert len(remarks) == len(remarks.where(test=lambda remark: True)) > 0
    assert sum(remarks.by_kind().values()) == len(remarks)
    assert {remark.kind for remark in remarks} <= {"passed", "missed", "failed", "analysis"}
    gemm = remarks.where(pass_name="convert-linalg-to-gaudi", kind="passed")
    assert any("gaudi.mme.gemm" in remark.text for remark in gemm)
    assert all(remark.location.startswith("matmul.mlir:") for remark in gemm)
    assert "convert-linalg-to-gaudi" in remarks.by_pass()
    assert repr(remarks).startswith(f"{len(remarks)} remarks\n")
    assert remarks[0] == remarks[:1][0] and isinstance(remarks[:1], gaudi_mlir.Remarks)
    assert not gaudi_mlir.compile(MATMUL, remarks=False).remarks


def test_missed_remarks_are_shown_first() -> None:
    remark = gaudi_mlir.Remark
    remarks = gaudi_mlir.Remarks(
        [remark("fuse", "passed", "m:1:1", "fused")] * 3
        + [remark("fuse", "missed", f"m:{line}:1", "not fused: why") for line in range(12)])
    shown = repr(remarks).splitlines()
    assert shown[0] == "15 remarks"
    assert shown[1].split() == ["pass", "missed", "passed"]
    assert shown[2].split() == ["fuse", "12", "3"]
    assert shown[3] == "missed:"
    assert shown[4] == "  m:0:1: not fused: why [fuse]"
    assert shown[-1] == "  ... and 2 more: .where(kind='missed')"
    assert str(remarks.missed[0]) == "m:0:1: missed: not fused: why [fuse]"
    costly = gaudi_mlir.Remarks([remark("fuse", "missed", "m:1:1", "cheap", "keep", 1.0),
                                 remark("fuse", "missed", "m:2:1", "memory", "keep", None, 64),
                                 remark("fuse", "missed", "m:3:1", "dear", "keep", 2.0, 0)])
    assert [line.split()[1] for line in repr(costly).splitlines()[4:]] == [
        "dear", "cheap", "memory"]
    assert len(remarks.missed) == 12 and len(remarks.passed) == 3 and not remarks.analysis
    assert repr(gaudi_mlir.Remarks()) == "no remarks"


def test_listener() -> None:
    heard: list[gaudi_mlir.Remark] = []
    recipe = gaudi_mlir.compile(MATMUL, on_remark=heard.append)
    assert heard == list(recipe.remarks)


def test_listener_that_raises() -> None:
    def listen(remark: gaudi_mlir.Remark) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        gaudi_mlir.compile(MATMUL, on_remark=listen)


def test_warnings() -> None:
    text = MATMUL + "{-#\n  external_resources: {\n    other: {\n      key: true\n    }\n  }\n#-}\n"
    with pytest.warns(gaudi_mlir.CompileWarning, match="unknown external resources") as caught:
        gaudi_mlir.compile(text)
    assert caught[0].filename == __file__  # the line that called
