# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Passes of torch-mlir, run in a process of their own within limits of time and memory.

    GAUDI_TORCH_MLIR_TIMEOUT   seconds of processor time for a call (default: 20, and 0.05 an op)
    GAUDI_TORCH_MLIR_MEMORY    MiB for the process (default: 8192)

Importing a graph only builds a module, op by op, in this process; what transforms modules, and can
crash, not end, or take all memory, is in the other one.
"""
import io
import itertools
import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .. import weights
from . import process
from .process import Died, start, stop

__all__ = ["Died", "Module", "Refused", "read", "start", "stop"]

_numbers = itertools.count(1)


class Refused(Exception):
    """Passes do not take the module. `diagnostics` has messages with their locations, `stage` is
    "parse", "prepare" or "lower"."""

    def __init__(self, answer: Mapping[str, Any]) -> None:
        self.stage: str = answer["stage"]
        self.diagnostics = [(message, location) for message, location in answer["diagnostics"]]
        super().__init__(self.diagnostics[0][0])


class Module:
    """A module of torch-mlir in the torch dialect, that passes lower several ways.

    `module` is the operation, `arrays` has the values of its resources by name; `prepare` is the
    pipeline before each other. Floats among the resources stay here; the module has only their
    names. Methods raise Refused or Died.
    """

    def __init__(self, module: Any, prepare: str, arrays: Mapping[str, np.ndarray]) -> None:
        self._number = next(_numbers)
        self._source = bytecode(module)
        self._ops = sum(1 for _ in weights.operations(module))
        self._prepare, self._arrays = prepare, arrays

    def load(self) -> None:
        """Runs the first pipeline."""
        self._ask("")

    def text(self, pipeline: str, *, generic: bool = False,
             names: Sequence[Any] | None = None, carry: bool = False) -> weights.Text:
        """The module after a pipeline, as text; `names` are those of _functions.name_values. With
        `carry`, functions of chlo become custom calls (carried.py)."""
        answer, blobs = self._ask(pipeline, "generic" if generic else "text", names, carry)
        return _text(answer, blobs, self._arrays)

    def lowered(self, pipeline: str) -> bytes:
        """The module after a pipeline, as bytecode."""
        return bytes(self._ask(pipeline, "module")[1][0])

    def _ask(self, pipeline: str, form: str = "", names: Sequence[Any] | None = None,
             carry: bool = False) -> Any:
        header = {"do": "lower", "prepare": self._prepare, "pipeline": pipeline, "form": form,
                  "names": names, "carry": carry, "known": list(self._arrays)}
        return _ask(header, self._source, self._ops, self._number)

    def culprit(self, pipeline: str) -> str:
        """The op that passes die of, when they died of this module, for the end of a message: " at
        aten.softmax(...); ..."; empty if each alone is converted or refused, or if it is not found
        in the time of a call."""
        end = time.monotonic() + process.limits(self._ops)[0]
        try:
            answer, parts = _ask({"do": "split"}, self._source, self._ops)
        except (Died, Refused):
            return ""
        for (name, place), part in zip(answer["ops"], parts):
            if time.monotonic() > end:
                return ""
            header = {"do": "lower", "prepare": self._prepare, "pipeline": pipeline,
                      "form": "text", "names": None, "carry": False, "known": list(self._arrays)}
            try:
                _ask(header, part, 1)
            except Died:
                return f" at {name}{_node(place)}; write that op another way, or leave it to the host"
            except Refused:
                continue
        return ""


def _node(place: str) -> str:
    """The name of a node, if the location has one, not a file."""
    name = place.removeprefix('loc("').partition('"')[0]
    return f" (node '{name}')" if name and ":" not in place and name != place else ""


def read(source: bytes, entry: str | None, pipelines: Mapping[str, str],
         generic: Sequence[str]) -> "weights.Text | list[str]":
    """The text of a module of a file: as it is, or lowered by one of `pipelines` ("torch", "onnx")
    if it is of the torch dialect; in the generic form if it has one of the dialects `generic`. The
    names of its functions if `entry` is none of them."""
    header = {"do": "read", "entry": entry, "pipelines": dict(pipelines), "generic": list(generic)}
    answer, blobs = _ask(header, source, source.count(b"\n") + len(source) // 1000)
    return answer["functions"] if "functions" in answer else _text(answer, blobs, {})


def bytecode(module: Any) -> bytes:
    """A module of the wheel's bindings as bytecode."""
    file = io.BytesIO()
    module.operation.write_bytecode(file)
    return file.getvalue()


def _ask(header: dict[str, Any], source: bytes, ops: int,
         number: int | None = None) -> tuple[dict[str, Any], list[bytearray]]:
    """An answer of the process, which keeps the module `number`."""
    seconds, memory = process.limits(ops)
    with process.LOCK:
        one = process.current()
        blobs = [] if number is not None and one.loaded == number else [source]
        one.loaded = None
        try:
            answer, results = one.ask({**header, "memory": memory}, blobs, seconds)
        except BaseException:
            process.replace()
            raise
        if "diagnostics" in answer:
            if answer["stage"] == "lower":
                one.loaded = number
            raise Refused(answer)
        one.loaded = number
        return answer, results


def _text(answer: Mapping[str, Any], blobs: Sequence[bytearray],
          arrays: Mapping[str, np.ndarray]) -> weights.Text:
    found = dict(arrays)
    for (name, dtype, shape), data in zip(answer["resources"], blobs[1:]):
        found[name] = np.frombuffer(data, np.dtype(dtype)).reshape(shape)
    return weights.Text(blobs[0].decode(), {name: found[name] for name in answer["names"]
                                            if name in found})
