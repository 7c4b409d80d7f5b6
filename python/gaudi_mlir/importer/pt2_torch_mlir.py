# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of torch.export, through torch-mlir."""
from typing import Any

import torch
from torch.export.graph_signature import InputKind
from torch_mlir import ir
from torch_mlir.dialects import torch as torch_dialect
from torch_mlir.extras import fx_importer

from .. import _text, passes, weights
from ..torch import lower, opset
from .errors import ConversionError
from .pt2 import input_names


def convert(exported: "torch.export.ExportedProgram", inputs: list[str], outputs: list[str],
            dims: list[list[str] | None], path: str) -> weights.Text:
    """A program as text of linalg; `dims` has the bounds of dynamic sizes, by input."""
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
        return module.text(pipeline, names=(inputs, outputs, dims))
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


def _drop_constant_inputs(program: "torch.export.ExportedProgram") -> None:
    inputs = set(input_names(program))  # which decompositions rename
    kept = {spec.arg.name for spec in program.graph_signature.input_specs
            if spec.kind is not InputKind.USER_INPUT}
    for node in program.graph.find_nodes(op="placeholder"):
        if node.name not in inputs | kept:
            node.replace_all_uses_with(node.meta["val"])
            program.graph.erase_node(node)
