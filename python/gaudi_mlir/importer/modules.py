"""Modules of MLIR that this project's parser does not read: through the parsers of wheels.

torch-mlir's wheel knows torch, tm_tensor, linalg, tosa and StableHLO; jaxlib's knows StableHLO in
its portable form, chlo, mhlo and sdy.
"""
import re
from typing import Any

from .. import weights
from .errors import ConversionError, InputError
from .kinds import Kind, producer

_ONNX_TO_TORCH = "torch-onnx-to-torch-backend-pipeline"
_TO_TORCH_BACKEND = "torchdynamo-export-to-torch-backend-pipeline"
_TO_LINALG = "torch-backend-to-linalg-on-tensors-backend-pipeline"
_GENERIC = ("stablehlo", "chlo", "mhlo", "sdy")


def to_mlir(path: str, kind: Kind, entry: str | None) -> weights.Text:
    with open(path, "rb") as file:
        source = file.read()
    if kind in (Kind.PORTABLE, Kind.JAX):
        return _of_jaxlib(path, source, entry)
    text = source.decode(errors="replace") if kind is Kind.TEXT else ""
    if re.search(r"\bvhlo\.", text):
        raise InputError(f"'{path}' is text of vhlo, which no parser reads back; import the bytes "
                         "that serialization wrote instead of their text")
    reasons = []
    readers = [_of_torch_mlir, _of_jaxlib]
    if re.search(r"\b(mhlo|sdy|chlo)\.", text):
        readers.reverse()
    missing = []
    for reader in readers:
        try:
            return reader(path, source, entry)
        except ImportError as error:
            missing.append(str(error))
        except _Unread as error:
            reasons.append(str(error))
    if not reasons:
        raise ImportError(missing[0])
    maker = f" (bytecode of {producer(source)})" if kind is Kind.BYTECODE else ""
    raise ConversionError(f"cannot parse '{path}'{maker}: {reasons[0]}")


class _Unread(Exception):
    """The wheel's parser does not read the module."""


def _of_jaxlib(path: str, source: bytes, entry: str | None) -> weights.Text:
    from .. import jax
    with jax._context() as context:
        notes: list[str] = []
        context.attach_diagnostic_handler(lambda one: notes.append(_described(one)) or True)
        try:
            module = jax.parse(source)
        except Exception as error:  # MLIRError, and what deserialization raises
            raise _Unread(_reason(notes, error)) from None
        _select(path, module, entry)
        return weights.module_text(module, {}, generic=True)


def _of_torch_mlir(path: str, source: bytes, entry: str | None) -> weights.Text:
    try:
        from torch_mlir import ir
        from torch_mlir.dialects import torch as torch_dialect
    except ImportError as error:
        raise ImportError(f"gaudi-import needs torch-mlir ({error}); "
                          "run: pip install torch-mlir==20261001") from None
    context = ir.Context()
    torch_dialect.register_dialect(context)
    notes: list[str] = []
    context.attach_diagnostic_handler(lambda one: notes.append(_described(one)) or True)
    with context:
        try:
            module = ir.Module.parse(source)
        except Exception as error:  # MLIRError
            raise _Unread(_reason(notes, error)) from None
        _select(path, module, entry)
        dialects = _dialects(module)
        if "torch" in dialects:
            _lower(path, module, notes)
        return weights.module_text(module, {}, any(name in dialects for name in _GENERIC))


def _lower(path: str, module: Any, notes: list[str]) -> None:
    """From the torch dialect to linalg."""
    from torch_mlir.passmanager import PassManager
    is_onnx = any(op.name == "torch.operator" and "onnx." in str(op.attributes["name"])
                  for op in weights.operations(module.operation))
    first = _ONNX_TO_TORCH if is_onnx else _TO_TORCH_BACKEND
    notes.clear()
    try:
        module.context.emit_error_diagnostics = True
        PassManager.parse(f"builtin.module({first},{_TO_LINALG})").run(module.operation)
    except Exception as error:  # MLIRError
        raise ConversionError(
            f"torch-mlir cannot convert '{path}': {_reason(notes, error)}") from None


def _select(path: str, module: Any, entry: str | None) -> None:
    """Makes all functions private but the entry."""
    if entry is None:
        return
    functions = {str(op.attributes["sym_name"]).strip('"'): op
                 for op in module.body.operations if op.operation.name == "func.func"}
    if entry not in functions:
        raise InputError(f"'{path}' has no function '{entry}'; it has: "
                         f"{', '.join(functions) or 'none'}")
    ir = weights._bindings(module)
    for name, op in functions.items():
        op.operation.attributes["sym_visibility"] = ir.StringAttr.get(
            "public" if name == entry else "private")


def _dialects(module: Any) -> set[str]:
    return {op.name.split(".")[0] for op in weights.operations(module.operation)}


def _described(diagnostic: Any) -> str:
    location = str(diagnostic.location)
    place = re.match(r'loc\("[^"]*":(\d+):(\d+)\)', location)
    where = f"line {place[1]}, column {place[2]}: " if place else ""
    return where + " ".join(str(diagnostic.message).split())[:300]


def _reason(notes: list[str], error: BaseException) -> str:
    if notes:
        return notes[0]
    diagnostics = getattr(error, "error_diagnostics", None)  # of MLIRError
    if diagnostics:
        return _described(diagnostics[0])
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0] if lines else type(error).__name__
