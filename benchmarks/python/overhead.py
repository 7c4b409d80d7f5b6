#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a call of Executable.run through Python costs besides the launch.

Usage: PYTHONPATH=build/release/python PYTHON benchmarks/python/overhead.py [--check US]

Calls take 1 to 16 inputs of 64 floats. Each row is the median over rounds of the time of a call
less the time of its launch (the commands alone, as the library measures it), in microseconds: new
NumPy outputs, given NumPy outputs, inputs by name, tensors of PyTorch for inputs and outputs (where
it is installed), and run_addresses. --check fails if one of them exceeds US.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from typing import Any, Callable

import gaudi_mlir
import numpy as np

ROUNDS, CALLS = 20, 100


def model(count: int) -> str:
    """The sum of `count` inputs."""
    arguments = ", ".join(f"%x{index}: tensor<64xf32>" for index in range(count))
    lines, last = [], "%x0"
    for index in range(1, count):
        lines.append(f"  %s{index} = tosa.add {last}, %x{index} : "
                     "(tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>")
        last = f"%s{index}"
    if count == 1:
        lines.append("  %s = tosa.exp %x0 : (tensor<64xf32>) -> tensor<64xf32>")
        last = "%s"
    return "\n".join([f"func.func @main({arguments}) -> tensor<64xf32> {{", *lines,
                      f"  return {last} : tensor<64xf32>", "}"])


def measure(executable: gaudi_mlir.Executable, call: Callable[[], Any]) -> float:
    """Microseconds per call besides the launch."""
    call()
    rounds = []
    for _ in range(ROUNDS):
        besides = []
        for _ in range(CALLS):
            start = time.perf_counter_ns()
            call()
            elapsed = time.perf_counter_ns() - start
            besides.append(elapsed / 1e3 - executable._last_launch["launch_us"])
        rounds.append(statistics.median(besides))
    return statistics.median(rounds)


def calls(executable: gaudi_mlir.Executable, count: int) -> dict[str, Callable[[], Any]]:
    arrays = [np.full(64, index, np.float32) for index in range(count)]
    names = {tensor.name: array
             for tensor, array in zip(executable.recipe.entry().inputs, arrays)}
    outputs = [np.empty(64, np.float32)]
    addresses, output_addresses = [x.ctypes.data for x in arrays], [outputs[0].ctypes.data]
    result = {
        "new": lambda: executable.run(arrays),
        "given": lambda: executable.run(arrays, outputs),
        "named": lambda: executable.run(names, outputs),
        "addresses": lambda: executable.run_addresses(addresses, output_addresses),
    }
    try:
        import torch
    except ImportError:
        return result
    tensors, tensor_outputs = [torch.from_numpy(array) for array in arrays], [torch.empty(64)]
    result["torch"] = lambda: executable.run(tensors, tensor_outputs)
    return result


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", type=float, metavar="US", help="fail above so many microseconds")
    arguments = parser.parse_args()
    worst, head = 0.0, None
    for count in range(1, 17):
        executable = gaudi_mlir.compile(model(count)).executable(threads=1)
        times = {name: measure(executable, call)
                 for name, call in calls(executable, count).items()}
        worst = max(worst, *times.values())
        if head is None:
            head = ["inputs", *times]
            print(" ".join(name.rjust(9) for name in head))
        print(" ".join([f"{count:9}", *(f"{value:9.2f}" for value in times.values())]))
    if arguments.check is not None and worst > arguments.check:
        print(f"error: {worst:.2f} us, at most {arguments.check} us are allowed", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
