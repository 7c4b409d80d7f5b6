# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of torch.export, as .pt2 files have them."""
import math
from typing import Any

from .. import _text, weights
from .errors import ConversionError, InputError

try:
    import torch
    from torch.export.graph_signature import ConstantArgument, InputKind
except ImportError as error:
    raise ImportError(f"gaudi-import needs torch ({error}); "
                      "run: pip install torch==2.13.0") from None

from ..errors import CompileError
from ..torch import exported as programs
from ..torch.errors import LoweringError, reason_of
from . import program


def to_mlir(path: str, sizes: dict[str, Any], max_unpacked: int | None = None) -> weights.Text:
    return of_program(program.load(path, max_unpacked), sizes, path)


def of_program(exported: "torch.export.ExportedProgram", sizes: dict[str, Any],
               path: str = "<program>") -> weights.Text:
    """An exported program as text; ranges of dynamic sizes are those of the program, or `sizes`."""
    dims = _dims(exported, sizes)
    names = (input_names(exported),
             [f"out{index}" for index, _ in enumerate(exported.graph_signature.user_outputs)])
    try:
        return programs.text_of(exported, names, dims)[0]
    except (LoweringError, CompileError, ValueError) as error:
        raise ConversionError(f"cannot convert '{path}': {reason_of(error)}") from None


def input_names(program: "torch.export.ExportedProgram") -> list[str]:
    """The inputs that callers give: the values of others were fixed by the export."""
    return [spec.arg.name for spec in program.graph_signature.input_specs
            if spec.kind is InputKind.USER_INPUT and not isinstance(spec.arg, ConstantArgument)]


def _dims(program: "torch.export.ExportedProgram", sizes: dict[str, Any]) -> list[list[str] | None]:
    """Bounds of the symbolic sizes of each input, as the attribute gaudi.dims has them."""
    ranges = {str(symbol): limits for symbol, limits in program.range_constraints.items()}
    unknown = [name for name in sizes if name not in ranges]
    if unknown:
        raise InputError(f"the program has no symbolic size '{unknown[0]}'; it has: "
                         f"{', '.join(ranges) or 'none'}")
    nodes = {node.name: node for node in program.graph.nodes if node.op == "placeholder"}
    found: list[list[str] | None] = []
    for name in input_names(program):
        value = nodes[name].meta.get("val") if name in nodes else None
        if not isinstance(value, torch.Tensor) or all(isinstance(size, int)
                                                      for size in value.shape):
            found.append(None)
            continue
        found.append([_range(size, ranges, sizes, name) for size in value.shape])
    return found


def _range(size: Any, ranges: dict[str, Any], sizes: dict[str, Any], name: str) -> str:
    if isinstance(size, int):
        return ""
    symbol = str(size)
    if symbol in sizes:
        given = sizes[symbol]
        return _text.size_range(symbol, (given, given) if isinstance(given, int) else given)
    limits = ranges.get(symbol)
    if limits is None:
        return ""
    try:
        low, high = int(limits.lower), int(limits.upper)
    except (AttributeError, TypeError, OverflowError, ValueError):  # of infinities
        high = math.inf
    if high > 1 << 40:
        raise InputError(f"size {symbol} of input '{name}' has no upper bound; give one: "
                         f"--size={symbol}=1..64, or torch.export.Dim(..., max=64) in the export")
    return _text.size_range(symbol, (low, high))
