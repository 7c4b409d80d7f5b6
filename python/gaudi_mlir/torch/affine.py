# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Dynamic sizes of PyTorch as expressions of MLIR."""
from collections.abc import Sequence
from typing import Any

import sympy
import torch
from torch.utils._sympy import functions


def text(size: Any, symbols: Sequence[sympy.Symbol]) -> str:
    """An expression of sizes as an affine map of MLIR has it. Raises ValueError for others."""
    def written(expr: sympy.Expr) -> str:
        if expr.is_Integer:
            return str(int(expr))
        if expr.is_Symbol and expr in symbols:
            return f"s{symbols.index(expr)}"
        operands = [f"({written(each)})" for each in expr.args]
        if expr.is_Add:
            return " + ".join(operands)
        if expr.is_Mul:
            return " * ".join(operands)
        if expr.is_Pow and expr.exp.is_Integer and 0 < expr.exp < 9:
            return " * ".join(operands[:1] * int(expr.exp))
        if isinstance(expr, functions.FloorDiv):
            return " floordiv ".join(operands)
        if isinstance(expr, (functions.Mod, functions.PythonMod)):
            return " mod ".join(operands)
        raise ValueError(f"the size {expr} is no sum, product, quotient or remainder of sizes")
    return written(sympy.sympify(expression(size)))


def expression(size: Any) -> Any:
    """The expression of a size; a number as it is."""
    return size.node.expr if isinstance(size, torch.SymInt) else size
