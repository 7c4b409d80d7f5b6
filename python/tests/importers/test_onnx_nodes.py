# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ONNX's own tests of operators: each right, or refused by name; those in the list right.

scripts/onnx-node-tests.py runs them, in processes that may crash or hang.
"""

from __future__ import annotations

import csv
import pathlib
import re
import subprocess
import sys

import pytest

pytest.importorskip("onnx")
pytest.importorskip("torch_mlir.ir")

HERE = pathlib.Path(__file__).resolve().parent
SCRIPT = HERE.parents[2] / "scripts" / "onnx-node-tests.py"


def test_nodes(tmp_path: pathlib.Path) -> None:
    results = tmp_path / "results.csv"
    done = subprocess.run([sys.executable, SCRIPT, f"--results={results}"], text=True,
                          capture_output=True)
    # Wrong values, tracebacks, crashes and cases that do not end.
    assert done.returncode == 0, done.stdout + done.stderr
    with open(results, newline="") as file:
        rows = list(csv.reader(file))
    right = {name for name, status, _ in rows if status in ("right", "constants")}
    assert set((HERE / "onnx-nodes-right.txt").read_text().split()) <= right
    # Each refusal says which node, value or place it is about.
    unnamed = [(name, detail) for name, status, detail in rows if status == "refused"
               and not re.match(r"'|<module>:\d", detail) and "(node '" not in detail]
    assert not unnamed
