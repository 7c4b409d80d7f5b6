# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles models for Intel Gaudi and runs them on an emulated device.

    recipe = gaudi_mlir.compile(pathlib.Path("model.mlir"), device="gaudi2")
    [y] = recipe.run([x])

gaudi_mlir.torch, gaudi_mlir.jax and gaudi_mlir.onnx take models of these frameworks;
gaudi_mlir.device has cards with memory, streams and a clock. They are imported when they are named.
"""

from __future__ import annotations

import atexit
import importlib
from typing import Any

try:
    import numpy as _numpy  # first: without it, ml_dtypes prints errors of its own
    import ml_dtypes as _ml_dtypes
except ImportError as error:
    raise ImportError(f"gaudi_mlir needs numpy and ml_dtypes ({error}); "
                      "run: pip install numpy ml_dtypes") from None

try:
    from . import _core
except ImportError as error:
    # Python calls one that is not there a circular import.
    _why = str(error)
    if "circular" in _why:
        _why = "it is the source, or was built for another Python"
    raise ImportError(
        f"gaudi_mlir cannot load its extension module from {__path__[0]}: {_why}; run "
        "scripts/setup-python.sh and take build/venv/bin/python, or install the wheel "
        "(docs/install.md)") from None
from . import _callers, _calls, _environment, _messages as _texts
from .arrays import aligned, empty_aligned
from .batch import BatchPoint, BatchSweep
from .compiler import (batch_sweep, bisect_model, check_import, compare_precision, compile,
                       explain_recompile, find_max_batch)
from .description import Description, Entry, Memory, Symbol, TensorInfo
from .errors import (ArgumentError, CompileError, CompileWarning, DeviceMemoryError, Error,
                     FileError, InternalError, LaunchError, RecipeError, UnavailableError)
from .executable import Executable, LaunchStats, Stats
from .prediction import Advice, EngineShare, Prediction
from .recipe import Recipe
from .remarks import Remark, Remarks

for _each in _environment.without_effect():
    _callers.warn(_each, RuntimeWarning)

# Before exit() destroys what compiles kernels in the background.
atexit.register(_core.finish_background)

__version__: str = _core.version().rpartition(" ")[2]

__all__ = [
    "Advice", "ArgumentError", "BatchPoint", "BatchSweep", "CompileError", "CompileWarning", "Description",
    "DeviceMemoryError", "EngineShare", "Entry", "Error", "Executable", "FileError",
    "InternalError", "LaunchError", "LaunchStats", "Memory", "Prediction", "Recipe", "RecipeError",
    "Remark", "Remarks", "Stats", "Symbol", "TensorInfo", "UnavailableError", "aligned",
    "batch_sweep", "bisect_model", "check_import", "compare_precision", "compile", "empty_aligned",
    "explain_recompile", "find_max_batch",
]

_MODULES = ("device", "replay", "torch", "jax", "onnx")


@_calls.plain
def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return importlib.import_module(f".{name}", __name__)
    raise _texts.no_attribute(__name__, name, __dir__())


def __dir__() -> list[str]:
    return sorted([*globals(), *_MODULES])
