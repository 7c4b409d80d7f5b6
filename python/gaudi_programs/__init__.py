# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The commands of the wheel that are programs: each replaces the Python that starts it, which
imports nothing else."""
import importlib.util
import os
import sys


def _run(name: str) -> int:
    package = importlib.util.find_spec("gaudi_mlir")  # without its imports
    folder = os.path.dirname(package.origin) if package and package.origin else ""
    program = os.path.join(folder, "bin", name)
    try:
        os.execv(program, [program, *sys.argv[1:]])
    except OSError as error:
        print(f"{name}: error: cannot run '{program}': {error.strerror}; install the wheel "
              "gaudi-mlir again", file=sys.stderr)
    return 2


def gaudi_opt() -> int:
    return _run("gaudi-opt")


def gaudi_run() -> int:
    return _run("gaudi-run")


def gaudi_smi() -> int:
    return _run("gaudi-smi")


def plan_buckets() -> int:
    return _run("plan-buckets")


def plan_buffers() -> int:
    return _run("plan-buffers")
