# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks of the launches of a script of the device "hpu", which belong to its package."""
import contextlib
import importlib
from types import ModuleType


def _of_bridge(name: str) -> ModuleType:
    try:
        return importlib.import_module(f"habana_frameworks.torch.{name}")
    except ModuleNotFoundError as error:
        raise ImportError(f"only launches of the device hpu can be looked at, of the package "
                          f"gaudi-mlir-bridge ({error}); scripts/setup-python.sh installs it") from None


def check_finite(raises: bool = False) -> contextlib.AbstractContextManager:
    """In the `with` block each NaN or infinity that an op makes of finite operands is said, with the
    line of the script and the module, or raises FloatingPointError. What it gives has them as
    `births`. GAUDI_CHECK_FINITE=1, or raise, does the same for a whole script."""
    return _of_bridge("_finite").check_finite(raises)


def side_by_side() -> contextlib.AbstractContextManager:
    """In the `with` block each launch is compared with what PyTorch's CPU computes for the same
    operands. What it gives has `differences`, and a table as `report()`. PT_SBS=1 does the same for
    a whole script."""
    return _of_bridge("_sidebyside").side_by_side()
