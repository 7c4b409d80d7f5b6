# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a recipe has: entries, their inputs and outputs, symbols, memory."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import ml_dtypes
import numpy

from ._text import bytes_text, plural, table

# In the order of GaudiElementType.
ELEMENT_DTYPES = {
    "f32": numpy.float32,
    "bf16": ml_dtypes.bfloat16,
    "f16": numpy.float16,
    "f8E4M3FN": ml_dtypes.float8_e4m3fn,
    "f8E5M2": ml_dtypes.float8_e5m2,
    "i8": numpy.int8,
    "u8": numpy.uint8,
    "i16": numpy.int16,
    "u16": numpy.uint16,
    "i32": numpy.int32,
    "u32": numpy.uint32,
    "i64": numpy.int64,
    "i1": numpy.bool_,
}


@dataclass(frozen=True)
class TensorInfo:
    """An input, output or state."""

    name: str
    element_type: str
    """As MLIR writes it: "f32", "bf16", "i1"."""
    shape: tuple[int, ...]
    """-1 where the size differs from launch to launch."""
    symbolic_shape: str = ""
    """ "batch x (seq - 1) x 768" for an entry with symbols, else empty."""
    state: int | None = None
    """The number of the state that this input sets, if it sets one."""

    @property
    def dtype(self) -> numpy.dtype[Any]:
        """NumPy's type of the elements (narrow floats are those of ml_dtypes)."""
        return numpy.dtype(ELEMENT_DTYPES[self.element_type])

    @property
    def is_static(self) -> bool:
        return all(size >= 0 for size in self.shape)

    @property
    def type(self) -> str:
        """The type as text: "2x3xf32", "?x768xbf16"."""
        sizes = [str(size) if size >= 0 else "?" for size in self.shape]
        return "x".join([*sizes, self.element_type])

    def __repr__(self) -> str:
        symbols = f" ({self.symbolic_shape})" if self.symbolic_shape else ""
        return f"{self.name}: {self.type}{symbols}"


@dataclass(frozen=True)
class Symbol:
    """A size that a launch chooses: a multiple of `multiple` from `min` to `max`."""

    name: str
    min: int
    max: int
    multiple: int = 1

    def __repr__(self) -> str:
        step = f"/{self.multiple}" if self.multiple != 1 else ""
        return f"{self.name}={self.min}..{self.max}{step}"


@dataclass(frozen=True)
class Entry:
    """A function that a host may launch."""

    name: str
    inputs: tuple[TensorInfo, ...]
    outputs: tuple[TensorInfo, ...]
    symbols: tuple[Symbol, ...] = ()

    def __repr__(self) -> str:
        inputs = ", ".join(map(repr, self.inputs))
        outputs = ", ".join(map(repr, self.outputs))
        return f"{self.name}({inputs}) -> ({outputs})"


@dataclass(frozen=True)
class Memory:
    """Planned device memory in bytes."""

    persistent: int
    """Inputs, outputs and states."""
    constants: int
    workspace: int

    @property
    def total(self) -> int:
        return self.persistent + self.constants + self.workspace

    def __repr__(self) -> str:
        return (f"{bytes_text(self.total)} (inputs, outputs and states "
                f"{bytes_text(self.persistent)}, constants {bytes_text(self.constants)}, workspace "
                f"{bytes_text(self.workspace)})")


@dataclass(frozen=True, repr=False)
class Description:
    """All of a recipe, as plain attributes; prints as a table."""

    device: str
    hash: str
    entries: tuple[Entry, ...]
    states: tuple[TensorInfo, ...]
    memory: Memory
    bytes: int
    remarks: dict[str, int] = field(default_factory=dict)
    """Numbers of remarks by kind; empty for a recipe that was loaded."""

    def __repr__(self) -> str:
        lines = [f"recipe {self.hash} for {self.device}, {bytes_text(self.bytes)}",
                 f"memory {self.memory!r}"]
        for entry in self.entries:
            lines.append(f"entry '{entry.name}'")
            rows = [("input", tensor) for tensor in entry.inputs]
            rows += [("output", tensor) for tensor in entry.outputs]
            lines.append(table([(role, tensor.name, tensor.type,
                                 tensor.symbolic_shape or
                                 ("" if tensor.state is None else f"state {tensor.state}"))
                                for role, tensor in rows]))
            if entry.symbols:
                lines.append("  sizes " + ", ".join(map(repr, entry.symbols)))
        if self.states:
            lines.append(plural(len(self.states), "state"))
            lines.append(table([(index, state.name, state.type)
                                for index, state in enumerate(self.states)]))
        if self.remarks:
            counts = ", ".join(f"{count} {kind}" for kind, count in self.remarks.items())
            lines.append(f"remarks: {counts}")
        return "\n".join(line for line in lines if line)
