# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of torch.export, as .pt2 files have them."""
from typing import Any

from .. import _text, weights
from .errors import ConversionError, InputError

try:
    import torch
except ImportError as error:
    raise ImportError(f"gaudi-import needs torch ({error}); "
                      "run: pip install torch==2.13.0") from None

from ..errors import CompileError
from ..torch import exported as programs
from ..torch.errors import LoweringError, reason_of
from . import program


def to_mlir(path: str, sizes: dict[str, Any], max_unpacked: int | None = None,
            names: dict[str, str] | None = None) -> weights.Text:
    return of_program(program.load(path, max_unpacked), sizes, path, names)


def of_program(exported: "torch.export.ExportedProgram", sizes: dict[str, Any],
               path: str = "<program>", names: dict[str, str] | None = None) -> weights.Text:
    """An exported program as text; ranges of dynamic sizes are those of the program, or `sizes`,
    and their names those of `names`, else INPUT_DIMENSION."""
    dims = _dims(exported, sizes, names or {})
    values = ([name for name, _ in programs.user_inputs(exported)],
              [f"out{index}" for index, _ in enumerate(exported.graph_signature.user_outputs)])
    try:
        return programs.text_of(exported, values, dims)[0]
    except (LoweringError, CompileError, ValueError) as error:
        raise ConversionError(f"cannot convert '{path}': {reason_of(error)}") from None


def _dims(exported: "torch.export.ExportedProgram", sizes: dict[str, Any],
          renamed: dict[str, str]) -> list[list[str] | None]:
    """Bounds of the symbolic sizes of each input, as the attribute gaudi.dims has them. Symbols of
    the program ("s23") name sizes, too."""
    names = programs.size_names(exported)
    known = {**{name: symbol for symbol, name in names.items()},
             **{symbol: symbol for symbol in names}}
    for old, new in renamed.items():
        if old not in known:
            raise _unknown(old, names, new)
        names[known[old]] = new
    if len(set(names.values())) != len(names):
        raise InputError("two symbolic sizes would have one name: "
                         f"{', '.join(names.values())}; give --name others")
    known.update({name: symbol for symbol, name in names.items()})
    given = {}
    for name, bounds in sizes.items():
        if name not in known:
            raise _unknown(name, names)
        bounds = (bounds, bounds) if isinstance(bounds, int) else bounds
        _check_bounds(exported, known[name], name, bounds)
        given[names[known[name]]] = _text.range_text(bounds)
    try:
        return programs.dims_of(exported, names, given)
    except ValueError as error:
        raise InputError(str(error)) from None


def _check_bounds(exported: "torch.export.ExportedProgram", symbol: str, name: str,
                  bounds: tuple[int, ...]) -> None:
    """That a program takes all of these sizes."""
    low, high = programs.range_of(exported, symbol)
    if low == 2:  # torch takes 0 and 1 for constants, and this for the least size of all others
        low = 1
    if low <= bounds[0] and bounds[1] <= high:
        return
    words = f"from {low} to {high}" if high < programs.NO_BOUND else f"from {low} up"
    given = f"{bounds[0]}" if bounds[0] == bounds[1] else _text.range_text(bounds)
    raise InputError(f"--size={name}={given}: the program was exported for sizes {words}; choose one "
                     f"of these, or export it again with torch.export.Dim(..., min={min(low, bounds[0])}, "
                     f"max={max(bounds[1], high if high < programs.NO_BOUND else 0)})")


def _unknown(name: str, names: dict[str, str], new: str | None = None) -> InputError:
    """`new`: what --name would call it."""
    has = ", ".join(f"{each} ({symbol})" for symbol, each in names.items())
    first = next(iter(names.values()), None)
    if new in names.values():  # the wrong way round
        first, new = new, name
    hint = f"; --name {first}={new or name} calls one so" if first else ""
    near = _text.meant(name, names.values())
    return InputError(f"the program has no symbolic size '{name}'; {near and near + ' '}"
                      f"it has: {has or 'none; all its sizes are fixed'}{hint}")
