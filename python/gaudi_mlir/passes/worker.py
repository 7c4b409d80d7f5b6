# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The process that runs passes of torch-mlir: takes modules, gives back modules and texts.

It trusts no module, and holds none: the program that started it replaces it when it dies.
"""
import ctypes
import importlib
import io
import os
import resource
import select
import signal
import socket
import sys
from typing import Any

from torch_mlir import ir
from torch_mlir.dialects import torch as torch_dialect
from torch_mlir.passmanager import PassManager

from gaudi_mlir import _functions, weights

from . import isolate, wire

_PR_SET_PDEATHSIG = 1


class _Failure(Exception):
    """A module that is refused, with the diagnostics."""

    def __init__(self, stage: str, error: BaseException,
                 found: list[tuple[str, str]]) -> None:
        super().__init__(stage)
        if not found:
            found = [(str(one.message), str(one.location))
                     for one in getattr(error, "error_diagnostics", [])]
        if not found:
            lines = [line.strip() for line in str(error).splitlines() if line.strip()]
            found = [(lines[0] if lines else type(error).__name__, "")]
        self.answer = {"stage": stage, "diagnostics": found[:100]}


class _Module:
    """A module with a context of its own."""

    def __init__(self, source: bytes) -> None:
        self.found: list[tuple[str, str]] = []
        self.context = ir.Context()
        self.context.enable_multithreading(False)
        torch_dialect.register_dialect(self.context)
        self.context.attach_diagnostic_handler(self._note)
        with self.context:
            try:
                self.module = ir.Module.parse(source)
            except Exception as error:  # MLIRError
                raise _Failure("parse", error, self.found) from None

    def run(self, pipeline: str) -> None:
        self.found.clear()
        try:
            with self.context:
                self.context.emit_error_diagnostics = True
                PassManager.parse(pipeline).run(self.module.operation)
        except MemoryError:
            raise
        except Exception as error:  # MLIRError, and what stops a pass
            raise _Failure("lower", error, self.found) from None

    def _note(self, diagnostic: Any) -> bool:
        if diagnostic.severity == ir.DiagnosticSeverity.ERROR:
            notes = " ".join(str(part.message) for part in diagnostic.notes)
            self.found.append((f"{diagnostic.message} {notes}".strip(), str(diagnostic.location)))
        return True


class _Worker:
    def __init__(self, link: socket.socket) -> None:
        self.link = link

    def serve(self) -> None:
        wire.send(self.link, {})  # hello
        if not select.select([self.link], [], [], 0)[0]:
            # What the first module would need, while there is none.
            for name in ("arith", "func", "linalg", "math", "tensor"):
                importlib.import_module(f"torch_mlir.dialects.{name}")
        base = _address_space()
        while True:
            header, blobs = wire.receive(self.link)
            if header["memory"]:
                _limit_memory(base + header["memory"])
            try:
                answer, results = getattr(self, "do_" + header["do"])(header, blobs)
            except _Failure as failure:
                answer, results = failure.answer, []
            wire.send(self.link, answer, results)

    def do_lower(self, header: dict[str, Any], blobs: list[bytearray]) -> tuple[dict, list]:
        """Runs passes; answers with the module."""
        module = _Module(bytes(blobs[0]))
        module.run(header["pipeline"])
        return {}, [_bytecode(module.module.operation)]

    def do_read(self, header: dict[str, Any], blobs: list[bytearray]) -> tuple[dict, list]:
        """Parses a module of a file, whatever its dialects; answers with the text."""
        module = _Module(bytes(blobs[0]))
        operation = module.module.operation
        if header["entry"] is not None:
            functions = _functions.select(ir, module.module, header["entry"])
            if functions is not None:
                return {"functions": functions}, []
        dialects = {op.name.split(".")[0] for op in weights.operations(operation)}
        if "torch" in dialects:
            onnx = any(op.name == "torch.operator" and "onnx." in str(op.attributes["name"])
                       for op in weights.operations(operation))
            module.run(header["pipelines"]["onnx" if onnx else "torch"])
        return _text(operation, bool(dialects & set(header["generic"])))

    def do_split(self, header: dict[str, Any], blobs: list[bytearray]) -> tuple[dict, list]:
        """The ops of a module as modules of their own."""
        module = _Module(bytes(blobs[0]))
        with module.context, ir.Location.unknown():
            parts = isolate.split(ir, module.module)
            return {"ops": [[name, place] for name, place, _ in parts]}, \
                [_bytecode(part.operation) for _, _, part in parts]


def _text(operation: Any, generic: bool) -> tuple[dict, list]:
    text = weights.module_text(_Root(operation), {}, generic)
    arrays = text.resources
    described = [[name, array.dtype.name, list(array.shape)] for name, array in arrays.items()]
    return {"resources": described, "names": list(text.resources)}, \
        [text.text.encode(), *(array.tobytes() for array in arrays.values())]


class _Root:
    """What weights.module_text asks of a module."""

    def __init__(self, operation: Any) -> None:
        self.operation, self.context = operation.operation, operation.context


def _bytecode(operation: Any) -> bytes:
    file = io.BytesIO()
    operation.write_bytecode(file)
    return file.getvalue()


def _address_space() -> int:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[0]) * resource.getpagesize()


def _limit_memory(most: int) -> None:
    """Up to the limit that the program has (ulimit -v), which only privileged ones may raise."""
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(resource.RLIMIT_AS,
                       (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


def main(parent: int) -> None:
    """Serves the program `parent` until it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt is for the program
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        with open("/proc/self/oom_score_adj", "w") as file:
            file.write("500")  # if the system runs out of memory, this process first
    except OSError:
        pass  # a container that has no such file
    link = socket.socket(fileno=os.dup(0))
    try:
        _Worker(link).serve()
    except wire.Closed:
        os._exit(0)
    except MemoryError:
        print("MemoryError", file=sys.stderr, flush=True)
        os._exit(1)
