# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Modules of MLIR that this project's parser does not read: through the parsers of wheels.

torch-mlir's wheel knows torch, tm_tensor, linalg, tosa and StableHLO; jaxlib's knows StableHLO in
its portable form, chlo, mhlo and sdy.
"""
import importlib.util
import re
from typing import Any, NoReturn

from .. import _functions, _text, weights
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
    raise ConversionError(f"cannot parse '{path}'{maker}: {reasons[0]}; mend it there, or write the "
                          "module again")


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
    from .. import passes
    if importlib.util.find_spec("torch_mlir") is None:
        raise ImportError("gaudi-import needs torch-mlir (No module named 'torch_mlir'); "
                          "run: pip install torch-mlir==20261001")
    pipelines = {name: f"builtin.module({first},{_TO_LINALG})"
                 for name, first in (("onnx", _ONNX_TO_TORCH), ("torch", _TO_TORCH_BACKEND))}
    try:
        text = passes.read(source, entry, pipelines, _GENERIC)
    except passes.Refused as refused:
        message, location = refused.diagnostics[0]
        reason = _place(location) + _shortened(message)
        if refused.stage == "parse":
            raise _Unread(reason) from None
        raise ConversionError(f"torch-mlir cannot convert '{path}': {reason}") from None
    except passes.Died as died:
        raise ConversionError(f"torch-mlir cannot convert '{path}': it {died}") from None
    return text if isinstance(text, weights.Text) else _no_entry(path, entry, text)


def _select(path: str, module: Any, entry: str | None) -> None:
    """Makes all functions private but the entry."""
    functions = entry and _functions.select(weights._bindings(module), module, entry)
    if functions is not None and entry is not None:
        _no_entry(path, entry, functions)


def _no_entry(path: str, entry: str | None, functions: list[str]) -> NoReturn:
    near = _text.meant(entry or "", functions)
    raise InputError(f"'{path}' has no function '{entry}'; {near and near + ' '}it has: "
                     f"{', '.join(functions) or 'none'}")


def _described(diagnostic: Any) -> str:
    return _place(str(diagnostic.location)) + _shortened(str(diagnostic.message))


def _place(location: str) -> str:
    place = re.match(r'loc\("[^"]*":(\d+):(\d+)\)', location)
    return f"line {place[1]}, column {place[2]}: " if place else ""


def _shortened(message: str) -> str:
    return " ".join(message.split())[:300]


def _reason(notes: list[str], error: BaseException) -> str:
    if notes:
        return notes[0]
    diagnostics = getattr(error, "error_diagnostics", None)  # of MLIRError
    if diagnostics:
        return _described(diagnostics[0])
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0] if lines else type(error).__name__
