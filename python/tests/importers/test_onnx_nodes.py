"""ONNX's own tests of operators: each right, or refused and in the list of what is refused.

scripts/onnx-node-tests.py runs them, each in a process of its own.
"""

from __future__ import annotations

import csv
import pathlib
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
    listed = set((HERE / "onnx-nodes-refused.txt").read_text().split())
    refused = {name for name, status, _ in rows if status == "refused"}
    assert refused <= listed, "refused, and not in onnx-nodes-refused.txt"
    assert not listed - refused, "not refused any more: take them out of the list"
    # Each refusal says which node, or which value, it is about.
    unnamed = [(name, detail) for name, status, detail in rows if status == "refused"
               and "(node '" not in detail and not detail.startswith("'")]
    assert not unnamed
