"""Compiles networks of the benchmarks and counts the transposes that remain.

Usage: count_transposes.py DIR NETWORK DIALECT [NAME=N...]
"""
import os
import subprocess
import sys

folder, network, dialect, *sizes = sys.argv[1:]
generate = os.path.join(os.path.dirname(__file__), "..", "..", "..", "benchmarks", "generate.py")
model = os.path.join(folder, "model.mlir")
subprocess.run([sys.executable, generate, network, "--dialect", dialect, "--out", model]
               + ["--size=" + size for size in sizes], check=True)
graph = subprocess.run(["gaudi-opt", model, "--gaudi-compile=stop-after=graph",
                        "--mlir-elide-elementsattrs-if-larger=16", "--mlir-elide-resource-strings-if-larger=16"],
                       check=True, capture_output=True, text=True).stdout
transposes = [line for line in graph.splitlines() if " = gaudi.transpose " in line]
print("%s as %s: %d transposes" % (network, dialect, len(transposes)))
for line in transposes:
    print(line)
