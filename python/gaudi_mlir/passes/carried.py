# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Keeps math functions that torch-mlir's StableHLO would write as polynomials.

A GELU of an error function is recognised as one, and the device has the function; of a rational
approximation nothing is left to recognise.
"""
from typing import Any

from gaudi_mlir import weights

# Between the two, ops of chlo say their function by name.
TO_CHLO = "builtin.module(func.func(convert-torch-to-stablehlo))"

_FUNCTIONS = frozenset(f"chlo.{name}" for name in (
    "acos", "acosh", "asin", "asinh", "atan", "atanh", "cosh", "digamma", "erf", "erf_inv", "erfc",
    "lgamma", "sinh"))


def carry(ir: Any, module: Any) -> None:
    """Makes them custom calls `mhlo.<function>`, as JAX exports them, which later passes leave."""
    found = [op for op in weights.operations(module) if op.name in _FUNCTIONS]
    for op in found:
        name = f"mhlo.{op.name.partition('.')[2]}"
        call = ir.Operation.create(
            "stablehlo.custom_call", results=[op.results[0].type], operands=list(op.operands),
            attributes={"call_target_name": ir.StringAttr.get(name, op.context)}, loc=op.location,
            ip=ir.InsertionPoint(op))
        op.results[0].replace_all_uses_with(call.results[0])
        op.operation.erase()
