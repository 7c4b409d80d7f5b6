"""From an FX graph with fake tensors to MLIR text, through the torch-mlir wheel."""
import dataclasses
import re

import numpy as np
import torch
from torch_mlir import ir
from torch_mlir.dialects import torch as torch_dialect
from torch_mlir.extras import fx_importer
from torch_mlir.passmanager import PassManager

# In the order they are tried: linalg takes most models, TOSA and StableHLO some others.
ROUTES = ("linalg", "tosa", "stablehlo")

_TO_BACKEND_IR = ("builtin.module(func.func(torch-match-quantized-custom-ops), "
                  "torchdynamo-export-to-torch-backend-pipeline)")
_PIPELINES = {
    "linalg": "builtin.module(torch-backend-to-linalg-on-tensors-backend-pipeline)",
    "tosa": "builtin.module(torch-backend-to-tosa-backend-pipeline)",
    "stablehlo": "builtin.module(torch-backend-to-stablehlo-backend-pipeline)",
}


class LoweringError(Exception):
    """torch-mlir does not take the graph."""


@dataclasses.dataclass
class Lowered:
    """A graph as MLIR text; `resources` has the values of its dense_resource constants."""
    text: str
    resources: dict[str, np.ndarray]
    route: str


class _Literals(fx_importer.FxImporterHooks):
    """Makes tensors of the graph resources that share their memory."""

    def __init__(self) -> None:
        self.arrays: dict[str, np.ndarray] = {}
        self._names: dict[tuple, str] = {}

    def resolve_literal(self, gni, literal, info):
        if not isinstance(literal, torch.Tensor) or literal.numel() < 2:
            return None
        with torch._C._DisableTorchDispatch():
            literal = literal.detach().contiguous()
            array = as_bytes(literal)
        key = (literal.data_ptr(), literal.dtype, tuple(literal.shape))
        name = self._names.setdefault(key, f"literal{len(self.arrays)}")
        self.arrays[name] = array
        attribute = ir.DenseResourceElementsAttr.get_from_buffer(
            array, name, fx_importer.create_mlir_tensor_type(literal))
        return ir.Operation.create(
            "torch.vtensor.literal",
            results=[gni._cc.tensor_to_vtensor_type(literal)],
            attributes={"value": attribute},
        ).result


def as_bytes(tensor: torch.Tensor) -> np.ndarray:
    """The memory of a contiguous tensor, shared."""
    return tensor.reshape(-1).view(torch.uint8).numpy()


class Import:
    """A graph in the torch dialect, which each route lowers once."""

    def __init__(self, graph: torch.fx.Graph, name: str = "main") -> None:
        self._literals = _Literals()
        self._diagnostics: list[str] = []
        self._context = ir.Context()
        self._context.enable_multithreading(False)
        torch_dialect.register_dialect(self._context)
        self._context.attach_diagnostic_handler(self._diagnose)
        importer = fx_importer.FxImporter(context=self._context, hooks=self._literals)
        try:
            importer.import_stateless_graph(graph, func_name=name)
        except Exception as error:  # The importer raises what it likes.
            raise LoweringError(f"torch-mlir cannot import the graph: {first_line(error)}") from error
        self._module = importer.module.operation
        self._run(_TO_BACKEND_IR, self._module)

    def lower(self, route: str, input_names: list[str] | None = None,
              output_names: list[str] | None = None) -> Lowered:
        """The module in the dialects of `route`. Raises LoweringError."""
        module = self._module.clone()
        self._run(_PIPELINES[route], module)
        if input_names:
            _name_values(self._context, module, input_names, output_names or [])
        text = module.get_asm(large_resource_limit=1, print_generic_op_form=route == "stablehlo")
        text = text.split("\n{-#")[0]  # the empty section of elided resources
        used = set(re.findall(r"dense_resource<([^>]+)>", text))
        missing = used - self._literals.arrays.keys()
        if missing:
            raise LoweringError(f"constants without values: {', '.join(sorted(missing))}")
        resources = {name: self._literals.arrays[name] for name in used}
        return Lowered(text, resources, route)

    def _diagnose(self, diagnostic) -> bool:
        if diagnostic.severity == ir.DiagnosticSeverity.ERROR:
            self._diagnostics.append(str(diagnostic.message))
        return True

    def _run(self, pipeline: str, module) -> None:
        self._diagnostics.clear()
        try:
            with self._context:
                self._context.emit_error_diagnostics = True
                PassManager.parse(pipeline).run(module)
        except Exception as error:
            reason = self._diagnostics[0] if self._diagnostics else first_line(error)
            raise LoweringError(f"torch-mlir: {shorten(reason)}") from None


def _name_values(context, module, inputs: list[str], outputs: list[str]) -> None:
    """Gives arguments and results their names (gaudi.name)."""
    with context:
        for operation in module.regions[0].blocks[0].operations:
            if operation.operation.name != "func.func":
                continue
            for key, names in (("arg_attrs", inputs), ("res_attrs", outputs)):
                if names:
                    operation.operation.attributes[key] = ir.ArrayAttr.get([
                        ir.DictAttr.get({"gaudi.name": ir.StringAttr.get(name)})
                        for name in names])


def first_line(error: BaseException) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__


def shorten(message: str, limit: int = 240) -> str:
    message = " ".join(message.split())
    return message if len(message) <= limit else message[:limit] + " ..."
