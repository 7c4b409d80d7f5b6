# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls of PyTorch's ops in the torch dialect, against the values that PyTorch gave (test/models/torch-cases)."""
import json
import pathlib
import sys

import ml_dtypes
import numpy as np
import pytest

import gaudi_mlir

ROOT = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "scripts" / "oracle"))
import agreement  # noqa: E402

FOLDER = ROOT / "test" / "models" / "torch-cases"
TOLERANCES = agreement.tolerances()
CASES = [(path.stem, case) for path in sorted(FOLDER.glob("*.json"))
         for case in json.loads(path.read_text())["cases"]]


def array_of(entry):
    """The array; bf16 is stored as float32."""
    array = np.frombuffer(bytes.fromhex(entry["hex"]), entry["dtype"]).reshape(entry["shape"])
    return array.astype(ml_dtypes.bfloat16) if entry["type"].endswith("bf16>") else array


def test_there_are_cases():
    assert len(CASES) > 400


@pytest.mark.parametrize("case", [case for _, case in CASES], ids=[f"{file}-{case['name']}" for file, case in CASES])
def test_case(case):
    recipe = gaudi_mlir.compile(case["mlir"])
    results = recipe.run([array_of(entry) for entry in case["inputs"]])
    assert len(results) == len(case["outputs"])
    for result, entry in zip(results, case["outputs"]):
        expected = array_of(entry)
        assert (result.shape, result.dtype) == (expected.shape, expected.dtype)
        element = entry["type"].rstrip(">").split("x")[-1].split("<")[-1]
        assert not agreement.difference(result, expected, TOLERANCES.get((element, "op")))
