# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of torch.export, through torch-mlir."""
import math
from typing import Any

from .. import _functions, _text, weights
from .errors import ConversionError, InputError

try:
    import torch
    from torch.export.graph_signature import ConstantArgument, InputKind
except ImportError as error:
    raise ImportError(f"gaudi-import needs torch ({error}); "
                      "run: pip install torch==2.13.0") from None
try:
    from torch_mlir import ir
    from torch_mlir.dialects import torch as torch_dialect
    from torch_mlir.extras import fx_importer
except ImportError as error:
    raise ImportError(f"gaudi-import needs torch-mlir ({error}); "
                      "run: pip install torch-mlir==20261001") from None

from .. import passes
from ..torch import lower, opset
from . import program


def to_mlir(path: str, sizes: dict[str, Any], max_unpacked: int | None = None) -> weights.Text:
    return of_program(program.load(path, max_unpacked), sizes, path)


def of_program(exported: "torch.export.ExportedProgram", sizes: dict[str, Any],
               path: str = "<program>") -> weights.Text:
    """An exported program as text; ranges of dynamic sizes are those of the program, or `sizes`."""
    literals = _Literals()
    table = dict(opset.table(torch_mlir=True))
    if exported.range_constraints:
        # Its decomposition views dynamic sizes, which linalg has a cast to 1 for.
        table.pop(torch.ops.aten.linear.default, None)
    for spec in exported.graph_signature.input_specs:
        # The importer seeks buffers that are not saved with the model among those that are.
        if spec.persistent is False and spec.target in exported.constants:
            spec.persistent = True
            exported.state_dict[spec.target] = exported.constants.pop(spec.target)
    dims = _dims(exported, sizes)
    outputs = [f"out{index}" for index, _ in enumerate(exported.graph_signature.user_outputs)]
    names = (_inputs(exported), outputs, dims)
    context = ir.Context()
    torch_dialect.register_dialect(context)
    context.attach_diagnostic_handler(lambda diagnostic: True)  # exceptions say it, too
    importer = fx_importer.FxImporter(context=context, hooks=literals)
    try:
        exported = exported.run_decompositions(table)
        _drop_constant_inputs(exported)
        importer.import_frozen_program(exported, func_name="main")
    except Exception as error:  # It raises what it likes.
        raise ConversionError(f"torch-mlir cannot import '{path}': "
                              f"{_text.first_line(error)}") from None
    pipeline = lower.PIPELINES["linalg"]
    module = passes.Module(importer.module.operation, lower.TO_BACKEND_IR, literals.arrays)
    try:
        return module.text(pipeline, names=names)
    except passes.Refused as refused:
        reason = _text.shorten(refused.diagnostics[0][0], 300)
    except passes.Died as died:
        reason = f"it {died}{module.culprit(pipeline)}"
    raise ConversionError(f"torch-mlir cannot convert '{path}': {reason}")


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


def _inputs(program: "torch.export.ExportedProgram") -> list[str]:
    """The inputs that callers give: the values of others were fixed by the export."""
    return [spec.arg.name for spec in program.graph_signature.input_specs
            if spec.kind is InputKind.USER_INPUT and not isinstance(spec.arg, ConstantArgument)]


def _drop_constant_inputs(program: "torch.export.ExportedProgram") -> None:
    inputs = set(_inputs(program))
    kept = {spec.arg.name for spec in program.graph_signature.input_specs
            if spec.kind is not InputKind.USER_INPUT}
    for node in program.graph.find_nodes(op="placeholder"):
        if node.name not in inputs | kept:
            node.replace_all_uses_with(node.meta["val"])
            program.graph.erase_node(node)


def _dims(program: "torch.export.ExportedProgram", sizes: dict[str, Any]) -> list[list[str] | None]:
    """Bounds of the symbolic sizes of each input, as the attribute gaudi.dims has them."""
    ranges = {str(symbol): limits for symbol, limits in program.range_constraints.items()}
    unknown = [name for name in sizes if name not in ranges]
    if unknown:
        raise InputError(f"the program has no symbolic size '{unknown[0]}'; it has: "
                         f"{', '.join(ranges) or 'none'}")
    nodes = {node.name: node for node in program.graph.nodes if node.op == "placeholder"}
    found: list[list[str] | None] = []
    for name in _inputs(program):
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
