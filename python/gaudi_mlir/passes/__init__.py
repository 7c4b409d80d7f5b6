# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Passes of torch-mlir, run in a process of their own within limits of time and memory.

    GAUDI_TORCH_MLIR_TIMEOUT   seconds of processor time for a call (default: 20, and 0.05 an op)
    GAUDI_TORCH_MLIR_MEMORY    MiB for the process (default: 8192)

Importing a graph only builds a module, op by op, in this process; what transforms modules, and can
crash, not end, or take all memory, is in the other one.
"""
import io
import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .. import weights
from . import process
from .process import Died, start, stop

__all__ = ["Died", "Module", "Refused", "read", "start", "stop"]


class Refused(Exception):
    """Passes do not take the module. `diagnostics` has messages with their locations, `stage` is
    "parse" or "lower"."""

    def __init__(self, answer: Mapping[str, Any]) -> None:
        self.stage: str = answer["stage"]
        self.diagnostics = [(message, location) for message, location in answer["diagnostics"]]
        super().__init__(self.diagnostics[0][0])


class Module:
    """A module of torch-mlir's bindings, which passes lower. Methods raise Refused or Died."""

    def __init__(self, module: Any) -> None:
        self._source = bytecode(module)
        self._ops = sum(1 for _ in weights.operations(module))

    def lowered(self, pipeline: str) -> bytes:
        """The module after a pipeline, as bytecode."""
        return bytes(_ask({"do": "lower", "pipeline": pipeline}, self._source, self._ops)[1][0])

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
            try:
                _ask({"do": "lower", "pipeline": pipeline}, part, 1)
            except Died:
                return f" at {name}{_node(place)}; write that op another way, or leave it to the " \
                    "host"
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
    return answer["functions"] if "functions" in answer else _text(answer, blobs)


def bytecode(module: Any) -> bytes:
    """A module of the wheel's bindings as bytecode."""
    file = io.BytesIO()
    module.operation.write_bytecode(file)
    return file.getvalue()


def _ask(header: dict[str, Any], source: bytes, ops: int) -> tuple[dict[str, Any], list[bytearray]]:
    """An answer of the process."""
    seconds, memory = process.limits(ops)
    with process.LOCK:
        try:
            answer, results = process.current().ask({**header, "memory": memory}, [source], seconds)
        except BaseException:
            process.replace()
            raise
        if "diagnostics" in answer:
            raise Refused(answer)
        return answer, results


def _text(answer: Mapping[str, Any], blobs: Sequence[bytearray]) -> weights.Text:
    found = {name: np.frombuffer(data, np.dtype(dtype)).reshape(shape)
             for (name, dtype, shape), data in zip(answer["resources"], blobs[1:])}
    return weights.Text(blobs[0].decode(), {name: found[name] for name in answer["names"]
                                            if name in found})
