# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Recipes run where the compiler is not installed."""

from __future__ import annotations

import pathlib
import shutil
import subprocess
import sys

import gaudi_mlir
import pytest

PROGRAM = """
import sys
import gaudi_mlir
import numpy as np

recipe = gaudi_mlir.Recipe.load(sys.argv[1])
print(recipe.run([np.ones((2, 3), np.float32), np.ones((3, 4), np.float32)])[0].tolist())
try:
    gaudi_mlir.compile("module {\\n}")
except gaudi_mlir.UnavailableError as error:
    print(error)
"""


def test_without_compiler(tmp_path: pathlib.Path, matmul: gaudi_mlir.Recipe) -> None:
    package = pathlib.Path(gaudi_mlir.__file__).parent
    libraries = package.parents[1] / "lib"
    if not (libraries / "libGaudiMme.so").exists():
        pytest.skip("the package is not that of a build tree")
    copy = tmp_path / "python" / "gaudi_mlir"
    copy.mkdir(parents=True)
    for file in (*package.glob("*.py"), *package.glob("_core*.so")):
        shutil.copy(file, copy)
    (tmp_path / "lib").mkdir()
    for name in ("libGaudiMLIR.so.1", "libGaudiMme.so"):
        shutil.copy(libraries / name, tmp_path / "lib")
    matmul.save(tmp_path / "matmul.recipe")
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, tmp_path / "matmul.recipe"], stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, env={"PYTHONPATH": str(tmp_path / "python")})
    assert done.returncode == 0, done.stdout
    first, second = done.stdout.splitlines()[:2]
    assert first == str([[3.0] * 4] * 2)
    assert "libGaudiCompiler.so" in second
