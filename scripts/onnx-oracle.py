#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares random ONNX graphs with ONNX Runtime: one operator, or one and what follows it.

Usage: onnx-oracle.py [NAME...] [--seed N] [--count N] [--seconds N] [--jobs N] [--chain P]
       onnx-oracle.py [NAME...] --case NUMBER

Graphs of one version of the operators are merged, compiled by gaudi_mlir.onnx and run; of a refused one the parts
are. A result is right that agrees with ONNX Runtime or, where that differs, with the reference of ONNX. Without
ONNX Runtime's kernel the reference judges alone. What is wrong is printed with its number: --case runs that one
alone and prints its values (with the same names and --chain). The last lines count what is equal, refused and wrong
by operator. Exit code 1 if a case is wrong, raises another exception than a refusal, crashes or hangs.

Needs gaudi_mlir, onnx, onnxruntime and torch-mlir: scripts/test-frameworks.sh sets them up.
"""
import argparse
import pathlib
import sys
import warnings

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "oracle"))
import onnx_trials  # noqa: E402 (the path is set above)
import random_trials  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    random_trials.add_options(parser)
    parser.add_argument("--chain", type=float, default=0.25, help="share of cases with more than one operator")
    args = parser.parse_args()
    random_trials.check_names(parser, args.names, onnx_trials.OPERATORS)
    warnings.simplefilter("ignore")  # the cases are computed here, some of them with overflow
    return random_trials.run(args, onnx_trials.judge)


if __name__ == "__main__":
    sys.exit(main())
