# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The commands of the wheel that are not in Python. What they need of it is imported here only."""
import ctypes
import importlib.util
import os
import sys


def _folder() -> str:
    package = importlib.util.find_spec("gaudi_mlir")  # without its imports
    return os.path.dirname(package.origin) if package and package.origin else ""


def _failed(name: str, file: str, reason: str) -> int:
    print(f"{name}: error: cannot run '{file}': {reason}; install the wheel gaudi-mlir again",
          file=sys.stderr)
    return 2


def _run(name: str) -> int:
    program = os.path.join(_folder(), "bin", name)
    try:
        os.execv(program, [program, *sys.argv[1:]])
    except OSError as error:
        return _failed(name, program, error.strerror)


def gaudi_opt() -> int:
    """A function of the compiler's library, so that the wheel has MLIR once."""
    path = os.path.join(_folder(), "lib", "gaudi-mlir", "libGaudiCompiler.so")
    try:
        main = ctypes.CDLL(path).gaudiOptMain
    except (OSError, AttributeError) as error:
        return _failed("gaudi-opt", path, str(error))
    arguments = [os.fsencode(each) for each in ("gaudi-opt", *sys.argv[1:])]
    code: int = main(len(arguments), (ctypes.c_char_p * (len(arguments) + 1))(*arguments, None),
                     None)
    return code


def gaudi_run() -> int:
    return _run("gaudi-run")


def gaudi_smi() -> int:
    return _run("gaudi-smi")


def plan_buckets() -> int:
    return _run("plan-buckets")


def plan_buffers() -> int:
    return _run("plan-buffers")
