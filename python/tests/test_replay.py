# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Replay files: saved by a program, run again by gaudi-run, and read."""

from __future__ import annotations

import io
import os
import pathlib
import shutil
import subprocess
import sys
import zipfile

import gaudi_mlir
import ml_dtypes
import numpy as np
import pytest
from gaudi_mlir import replay

MODEL = """func.func @main(%x: tensor<3x4xf32>, %s: tensor<4xbf16>) -> (tensor<3x4xf32>, tensor<4xbf16>) {
  %l = "stablehlo.log"(%x) : (tensor<3x4xf32>) -> tensor<3x4xf32>
  %t = "stablehlo.add"(%s, %s) : (tensor<4xbf16>, tensor<4xbf16>) -> tensor<4xbf16>
  return %l, %t : tensor<3x4xf32>, tensor<4xbf16>
}"""


def gaudi_run(*arguments: str) -> subprocess.CompletedProcess[str]:
    beside = pathlib.Path(gaudi_mlir.__file__).parents[2] / "bin" / "gaudi-run"
    program = os.fspath(beside) if beside.exists() else shutil.which("gaudi-run")
    if program is None:
        pytest.skip("gaudi-run is not beside the package")
    return subprocess.run([program, *arguments], capture_output=True, text=True, check=False)


def test_a_launch_runs_again(tmp_path: pathlib.Path) -> None:
    recipe = gaudi_mlir.compile(MODEL)
    x = np.arange(1, 13, dtype=np.float32).reshape(4, 3).T
    s = np.array([1, 2, 3, 4], ml_dtypes.bfloat16)
    outputs = recipe.run([x, s])
    path = tmp_path / "a.zip"
    replay.save(path, recipe, [x, s], outputs, with_inputs=True, source="the text")
    done = gaudi_run(os.fspath(path))
    assert done.returncode == 0, done
    assert "replay: as recorded: 2 outputs bit-equal, predicted time" in done.stdout
    read = replay.load(path)
    assert read.recipe == recipe and read.entry == "main" and read.code == 0
    assert np.array_equal(read.inputs[0], x) and np.array_equal(read.inputs[1], s)
    assert read.inputs[1].dtype == s.dtype
    assert zipfile.ZipFile(path).read("source.txt") == b"the text"


def test_what_failed_is_shown_again(tmp_path: pathlib.Path, matmul: gaudi_mlir.Recipe) -> None:
    shapes = [each.shape for each in matmul.entry().inputs]
    inputs = [np.full(shape, np.nan, np.float32) for shape in shapes]
    path = tmp_path / "a.zip"
    replay.save(path, matmul, inputs, matmul.run(inputs), options={"check-finite": ""}, code=1,
                message="a NaN", reason="it failed")
    read = replay.load(path)
    assert read.inputs == (None, None) and read.code == 1 and read.message == "a NaN"
    assert read.description["reason"] == "it failed"
    done = gaudi_run(os.fspath(path))
    assert done.returncode == 1 and "outputs are not compared" in done.stdout
    replay.save(path, matmul, inputs, options={"check-finite": ""}, with_inputs=True, code=1)
    done = gaudi_run(os.fspath(path))
    assert "is not finite" in done.stderr and "was: " in done.stdout


def test_variables_that_decide_are_recorded(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recipe = gaudi_mlir.compile("""func.func @main(%x: tensor<16x512xbf16>, %w: tensor<512x16xbf16>) -> tensor<16x16xf32> {
  %0 = gaudi.mme.gemm %x, %w : tensor<16x512xbf16>, tensor<512x16xbf16> -> tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}""")
    random = np.random.default_rng(1)
    inputs = [random.normal(size=each.shape).astype(ml_dtypes.bfloat16) for each in recipe.entry().inputs]
    monkeypatch.setenv("GAUDI_NUMERICS", "exact")
    exact = gaudi_mlir.Recipe.from_bytes(recipe.to_bytes()).run(inputs)[0].tobytes()
    monkeypatch.setenv("GAUDI_NUMERICS", "chip")
    outputs = recipe.run(inputs)
    assert outputs[0].tobytes() != exact, "the case decides nothing"
    replay.save(tmp_path / "a.zip", recipe, inputs, outputs, with_inputs=True)
    monkeypatch.delenv("GAUDI_NUMERICS")
    done = gaudi_run(os.fspath(tmp_path / "a.zip"))
    assert done.returncode == 0 and "1 output bit-equal" in done.stdout, done


def test_wrong_launches(tmp_path: pathlib.Path, matmul: gaudi_mlir.Recipe) -> None:
    one = np.zeros(1, np.float32)
    with pytest.raises(gaudi_mlir.ArgumentError, match='got 1 input, but entry "main" has 2; missing: '):
        replay.save(tmp_path / "a.zip", matmul, [one])
    with pytest.raises(gaudi_mlir.ArgumentError, match="has not the type and shape that the entry says"):
        replay.save(tmp_path / "a.zip", matmul, [one, one])
    inputs = [np.zeros(each.shape, np.float32) for each in matmul.entry().inputs]
    with pytest.raises(gaudi_mlir.ArgumentError, match="option --output, which no replay may have"):
        replay.save(tmp_path / "a.zip", matmul, inputs, options={"output": "@/tmp/x"})
    with pytest.raises(gaudi_mlir.FileError, match="No such file"):
        replay.save(tmp_path / "no" / "a.zip", matmul, inputs)


def test_files_that_cannot_be_read(tmp_path: pathlib.Path, matmul: gaudi_mlir.Recipe) -> None:
    path = tmp_path / "a.zip"
    with pytest.raises(gaudi_mlir.FileError, match="No such file or directory; give the path"):
        replay.load(path)
    path.write_text("version https://git-lfs.github.com/spec/v1\noid sha256:0\n")
    with pytest.raises(gaudi_mlir.FileError, match="is a pointer of Git LFS, .*: git lfs pull"):
        replay.load(path)
    inputs = [np.zeros(each.shape, np.float32) for each in matmul.entry().inputs]
    replay.save(path, matmul, inputs, with_inputs=True)
    good = path.read_bytes()
    for size in range(0, len(good) - 2, 400):
        path.write_bytes(good[:size])
        with pytest.raises(gaudi_mlir.FileError):
            replay.load(path)
    for at in range(0, len(good), 97):
        path.write_bytes(good[:at] + bytes([good[at] ^ 0x41]) + good[at + 1:])
        try:
            replay.load(path)
        except gaudi_mlir.FileError:
            pass
    with pytest.raises(gaudi_mlir.FileError, match="cannot read .*: Is a directory"):
        replay.load(tmp_path)
    with zipfile.ZipFile(io.BytesIO(good)) as archive:
        members = {each: archive.read(each) for each in archive.namelist()}
    huge = io.BytesIO()
    np.lib.format.write_array_header_1_0(huge, {"descr": "<f4", "fortran_order": False, "shape": (1 << 40, 64)})
    for name, content, message in [("inputs/0.npy", huge.getvalue(), "has not the bytes of its shape"),
                                   ("inputs/0.npy", b"x", "is not a whole replay file")]:
        with zipfile.ZipFile(path, "w") as archive:
            for each, data in {**members, name: content}.items():
                archive.writestr(each, data)
        with pytest.raises(gaudi_mlir.FileError, match=message):
            replay.load(path)
    with zipfile.ZipFile(path, "w") as archive:
        for i in range(4097):
            archive.writestr(f"{i}", b"")
    with pytest.raises(gaudi_mlir.FileError, match="has 4097 members, and at most 4096 are read"):
        replay.load(path)
    with zipfile.ZipFile(path, "w") as archive, pytest.warns(UserWarning, match="Duplicate"):
        archive.writestr("a", b"")
        archive.writestr("a", b"")
    with pytest.raises(gaudi_mlir.FileError, match="has two members of one name"):
        replay.load(path)
    for content, message in [("[]", "is not a whole replay file"),
                             ('{"format": "gaudi-replay", "version": 2}', "of version 1"),
                             ('{"format": "gaudi-replay", "version": 1, "file": "x.recipe"}',
                              "names 'x.recipe', which is not in it"),
                             (" " * (17 << 20), "has more than 16777216 bytes")]:
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("replay.json", content)
        with pytest.raises(gaudi_mlir.FileError, match=message):
            replay.load(path)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("zeros", bytes(70 << 20))
    with pytest.raises(gaudi_mlir.FileError, match="would unpack to more than 67108864 bytes"):
        replay.load(path)


def test_graphs_of_passes(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gaudi_mlir.compile(MODEL, dump_graphs=tmp_path / "graphs")
    assert (tmp_path / "graphs" / "000-input.mlir").exists()
    assert (tmp_path / "graphs" / "index.json").exists()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GRAPH_VISUALIZATION", "1")
    gaudi_mlir.compile(MODEL)
    gaudi_mlir.compile(MODEL)
    folders = list(tmp_path.glob(f".graph_dumps/passes-{os.getpid()}-*/index.json"))
    assert len(folders) == 2
    monkeypatch.setenv("GRAPH_VISUALIZATION", "maybe")
    with pytest.raises(gaudi_mlir.ArgumentError, match="GRAPH_VISUALIZATION: expected true or false but got 'maybe'"):
        gaudi_mlir.compile(MODEL)


def test_graphs_that_cannot_be_written(tmp_path: pathlib.Path) -> None:
    """The first compilation says so, and all go on; a folder that is asked for by name must be there."""
    (tmp_path / ".graph_dumps").write_text("a file")
    script = f"""
import gaudi_mlir, warnings
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    for _ in range(2):
        gaudi_mlir.compile({MODEL!r})
print([str(each.message) for each in said])
try:
    gaudi_mlir.compile({MODEL!r}, dump_graphs=".graph_dumps/named")
except gaudi_mlir.Error as error:
    print("refused", error)
"""
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True,
                          env={**os.environ, "GRAPH_VISUALIZATION": "1",
                               "PYTHONPATH": str(pathlib.Path(gaudi_mlir.__file__).parents[1])})
    assert done.returncode == 0, done.stderr
    said, refused = done.stdout.splitlines()
    assert said.count("GRAPH_VISUALIZATION: cannot make the folder '.graph_dumps/passes-") == 1, said
    assert refused.startswith("refused dump_graphs: cannot make the folder '.graph_dumps/named'"), refused


def test_sizes_are_those_of_the_launch(tmp_path: pathlib.Path) -> None:
    recipe = gaudi_mlir.compile(
        """func.func @main(%x: tensor<?x4xf32> {gaudi.dims = ["batch=1..8", ""]}) -> tensor<?x4xf32> {
  %0 = "stablehlo.exponential"(%x) : (tensor<?x4xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}""", buckets="linear:2")
    x = np.ones((5, 4), np.float32)
    replay.save(tmp_path / "a.zip", recipe, [x], recipe.run([x]))
    assert {"name": "sizes", "value": ["batch=5"]} in replay.load(tmp_path / "a.zip").description["options"]
    replay.save(tmp_path / "a.zip", recipe, [x], recipe.run([x]), with_inputs=True)
    done = gaudi_run(os.fspath(tmp_path / "a.zip"))
    assert done.returncode == 0 and "1 output bit-equal" in done.stdout, done
