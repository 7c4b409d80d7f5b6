# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks of the launches of a script of the device "hpu", which belong to its package."""
import contextlib


def check_finite(raises: bool = False) -> contextlib.AbstractContextManager:
    """In the `with` block each NaN or infinity that an op makes of finite operands is said, with the
    line of the script and the module, or raises FloatingPointError. What it gives has them as
    `births`. GAUDI_CHECK_FINITE=1, or raise, does the same for a whole script."""
    from habana_frameworks.torch import _finite
    return _finite.check_finite(raises)


def side_by_side() -> contextlib.AbstractContextManager:
    """In the `with` block each launch is compared with what PyTorch's CPU computes for the same
    operands. What it gives has `differences`, and a table as `report()`. PT_SBS=1 does the same for
    a whole script."""
    from habana_frameworks.torch import _sidebyside
    return _sidebyside.side_by_side()
