#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a network of the benchmarks as MLIR (needs only numpy and mlir-opt).

    benchmarks/generate.py bert-base --dtype bf16 --out bert.mlirbc
    benchmarks/generate.py resnet50 --batch 8 --out resnet.mlir

FILE.mlir is text; any other name gets bytecode, which loads much faster.
--inputs=DIR also writes the seeded inputs as .npy files for gaudi-run.
"""
import argparse
import os
import shutil
import sys

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from networks import catalogue  # noqa: E402
from networks.numbers import TORCH, stored  # noqa: E402


def find_mlir_opt():
    for name in ("mlir-opt-22", "/usr/lib/llvm-22/bin/mlir-opt", "mlir-opt"):
        path = shutil.which(name)
        if path:
            return path
    raise SystemExit("error: mlir-opt is missing; scripts/install-deps.sh installs it")


def save_inputs(network, folder):
    """One .npy per input; bf16 and f8 as bits. Gives the options of gaudi-run."""
    os.makedirs(folder, exist_ok=True)
    options = []
    for name, array in network.inputs().items():
        path = os.path.join(folder, name + ".npy")
        np.save(path, stored(array, network.dtype) if array.dtype == np.float32 else array)
        options.append("--input=%s=@%s" % (name, path))
    return options


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("network", help="one of: " + ", ".join(catalogue.NETWORKS))
    parser.add_argument("--dtype", choices=tuple(TORCH), default="f32",
                        help="f16 and f8E4M3FN: streams only (default: f32)")
    parser.add_argument("--batch", type=int)
    parser.add_argument("--size", action="append", default=[], metavar="NAME=N",
                        help="another size: layers=2, sequence=64, ...")
    parser.add_argument("--dialect", choices=sorted(catalogue.DIALECTS), default="tosa")
    parser.add_argument("--weights", choices=("constant", "argument"), default="constant",
                        help="where large constants go: into the file, or among the inputs")
    parser.add_argument("--inputs", metavar="DIR")
    parser.add_argument("--out", required=True, metavar="FILE")
    given = parser.parse_args()
    try:
        sizes = {name: int(value) for name, value in (item.split("=") for item in given.size)}
    except ValueError:
        parser.error("--size needs NAME=N")
    if given.batch:
        sizes["batch"] = given.batch
    try:
        network = catalogue.network(given.network, given.dtype, **sizes)
    except ValueError as problem:
        parser.error(str(problem))
    module = network.module(catalogue.DIALECTS[given.dialect])
    if given.weights == "argument":
        module.weights_to_arguments()
    module.save(given.out, None if given.out.endswith(".mlir") else find_mlir_opt())
    if given.inputs:
        print(" ".join(save_inputs(network, given.inputs)))


if __name__ == "__main__":
    main()
