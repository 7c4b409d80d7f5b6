"""Generates a network and runs it: check_network.py DIR NETWORK DTYPE DIALECT [NAME=N...]."""
import os
import subprocess
import sys

folder, network, dtype, dialect, *sizes = sys.argv[1:]
generate = os.path.join(os.path.dirname(__file__), "..", "..", "..", "benchmarks", "generate.py")
model = os.path.join(folder, "model.mlirbc")
inputs = subprocess.run(
    [sys.executable, generate, network, "--dtype", dtype, "--dialect", dialect, "--out", model, "--inputs", os.path.join(folder, "inputs")]
    + ["--size=" + size for size in sizes], check=True, stdout=subprocess.PIPE, text=True).stdout.split()
result = subprocess.run(["gaudi-run", model, "--check", "--print=2", *inputs])
sys.exit(result.returncode)
