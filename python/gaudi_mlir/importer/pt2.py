"""Programs of torch.export, through torch-mlir."""
import math
from typing import Any

from .. import _functions, _text, weights
from .errors import ConversionError, InputError

try:
    import torch
except ImportError as error:
    raise ImportError(f"gaudi-import needs torch ({error}); "
                      "run: pip install torch==2.13.0") from None
try:
    from torch_mlir import fx, ir
    from torch_mlir.dialects import torch as torch_dialect
    from torch_mlir.extras import fx_importer
except ImportError as error:
    raise ImportError(f"gaudi-import needs torch-mlir ({error}); "
                      "run: pip install torch-mlir==20261001") from None

from ..torch import lower, opset


def to_mlir(path: str, sizes: dict[str, Any]) -> weights.Text:
    try:
        program = torch.export.load(path)
    except Exception as error:  # It raises what it likes.
        raise ConversionError(f"torch.export.load does not read '{path}': "
                              f"{_text.first_line(error)}") from None
    return of_program(program, sizes, path)


def of_program(program: "torch.export.ExportedProgram", sizes: dict[str, Any],
               path: str = "<program>") -> weights.Text:
    """An exported program as text; ranges of dynamic sizes are those of the program, or `sizes`."""
    context = ir.Context()
    torch_dialect.register_dialect(context)
    literals = _Literals()
    table = dict(opset.table())
    if program.range_constraints:
        # Its decomposition views dynamic sizes, which linalg has a cast to 1 for.
        table.pop(torch.ops.aten.linear.default, None)
    for spec in program.graph_signature.input_specs:
        # The importer seeks buffers that are not saved with the model among those that are.
        if spec.persistent is False and spec.target in program.constants:
            spec.persistent = True
            program.state_dict[spec.target] = program.constants.pop(spec.target)
    dims = _dims(program, sizes)
    inputs, outputs = _names(program)
    try:
        module = fx.export_and_import(
            program, output_type="linalg-on-tensors", func_name="main", decomposition_table=table,
            fx_importer=fx_importer.FxImporter(context=context, hooks=literals))
    except Exception as error:  # It raises what it likes.
        raise ConversionError(f"torch-mlir cannot convert '{path}': {_cause(error)}") from None
    with context:
        _functions.name_values(ir, _functions.main(ir, module), inputs, outputs, dims)
    return weights.module_text(module, literals.arrays, generic=False)


class _Literals(lower.Literals):
    """Leaves small tensors in the text."""

    def resolve_literal(self, gni: Any, literal: Any, info: Any) -> Any:
        if not isinstance(literal, torch.Tensor) or literal.dtype == torch.bool or \
                literal.numel() < weights.SMALL_BYTES // 4:
            return None
        tensor_type = fx_importer.create_mlir_tensor_type(literal)
        if weights.element_type(str(tensor_type.element_type)) is None:
            return None
        return super().resolve_literal(gni, literal, info)


def _names(program: "torch.export.ExportedProgram") -> tuple[list[str], list[str]]:
    signature = program.graph_signature
    return list(signature.user_inputs), [f"out{index}" for index, _
                                         in enumerate(signature.user_outputs)]


def _dims(program: "torch.export.ExportedProgram", sizes: dict[str, Any]) -> list[list[str] | None]:
    """Bounds of the symbolic sizes of each input, as the attribute gaudi.dims has them."""
    ranges = {str(symbol): limits for symbol, limits in program.range_constraints.items()}
    unknown = [name for name in sizes if name not in ranges]
    if unknown:
        raise InputError(f"the program has no symbolic size '{unknown[0]}'; it has: "
                         f"{', '.join(ranges) or 'none'}")
    nodes = {node.name: node for node in program.graph.nodes if node.op == "placeholder"}
    found: list[list[str] | None] = []
    for name in program.graph_signature.user_inputs:
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
    except (TypeError, OverflowError, ValueError):
        high = math.inf
    if high > 1 << 40:
        raise InputError(f"size {symbol} of input '{name}' has no upper bound; give one: "
                         f"--size={symbol}=1..64, or torch.export.Dim(..., max=64) in the export")
    return _text.size_range(symbol, (low, high))


def _cause(error: BaseException) -> str:
    """The diagnostic of torch-mlir among the lines around it."""
    lines = [line.strip() for line in str(error).splitlines()]
    for line in lines:
        if "error:" in line:
            return line.split("error:", 1)[1].strip()[:300]
    return _text.first_line(error)
