# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A compiled model."""

from __future__ import annotations

import json
import os
import re
import threading
from typing import Any, Mapping, NoReturn, Sequence

from . import _calls, _core, _messages
from .description import Description, Entry, Memory, Symbol, TensorInfo
from .errors import ArgumentError, ArgumentTypeError, FileError
from .executable import Executable
from .prediction import Prediction
from .remarks import Remarks


def _tensor(fields: tuple[str, str, tuple[int, ...], str, int]) -> TensorInfo:
    name, element_type, shape, symbolic_shape, state = fields
    return TensorInfo(name, element_type, shape, symbolic_shape, None if state < 0 else state)


@_calls.named_methods
class Recipe:
    """A compiled model: `gaudi_mlir.compile` makes one, `Recipe.load` reads one. Immutable.

    device: the device that it is for
    hash: of its bytes (XXH3-128)
    entries: the functions that can be launched, with their inputs and outputs
    states: tensors that keep their values from launch to launch
    memory: planned device memory
    remarks: what the compiler did and did not do; empty if the recipe was loaded
    """

    def __init__(self, core: _core.Recipe, remarks: Remarks = Remarks()) -> None:
        if isinstance(core, (str, bytes, os.PathLike)):
            raise _messages.not_a_recipe(core)
        self._core = core
        self._lock = threading.Lock()
        self._executable: Executable | None = None
        self._process = os.getpid()
        self.remarks = remarks
        self.device: str = core.device
        self.entries: tuple[Entry, ...] = tuple(
            Entry(name, tuple(map(_tensor, inputs)), tuple(map(_tensor, outputs)),
                  tuple(Symbol(*symbol) for symbol in symbols))
            for name, inputs, outputs, symbols in core.entries)
        self.states: tuple[TensorInfo, ...] = tuple(map(_tensor, core.states))
        self.memory = Memory(*core.memory)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Recipe:
        """Reads and verifies the recipe of a file."""
        _messages.check_readable(path)
        return cls(_core.Recipe.open(os.fsencode(path)))

    @classmethod
    def from_bytes(cls, data: bytes | bytearray | memoryview) -> Recipe:
        """Verifies a recipe that is in memory; copies the bytes."""
        return cls(_core.Recipe.from_memory(data))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the recipe to a file, which appears whole or not at all."""
        _messages.check_replaced(path)
        self._core.save(os.fsencode(path))

    def to_bytes(self) -> bytes:
        """What `save` writes."""
        return self._core.bytes

    @property
    def hash(self) -> str:
        """XXH3-128 of the bytes, which the first call reads all."""
        return self._core.hash

    @property
    def text(self) -> str:
        """The recipe as text; constants above 1 KiB are elided."""
        return self._core.text

    def describe(self) -> Description:
        """All of the recipe as plain attributes; prints as a table."""
        return Description(self.device, self.hash, self.entries, self.states, self.memory,
                           self._core.size, self.remarks.by_kind())

    def _entry_index(self, entry: str | int | None) -> int:
        names = [candidate.name for candidate in self.entries]
        if entry is None and len(names) == 1:
            return 0
        if isinstance(entry, int) and 0 <= entry < len(names):
            return entry
        if entry in names:
            return names.index(entry)
        raise _messages.unknown_entry(entry, names)

    def entry(self, entry: str | int | None = None) -> Entry:
        """The entry of this name or number; the only one for None."""
        return self.entries[self._entry_index(entry)]

    def predict(self, entry: str | int | None = None,
                sizes: Mapping[str, int] | None = None) -> Prediction:
        """What one launch would take on the card, by the time model.

        sizes: a size for each symbol of an entry with dynamic sizes; None for the largest.
        """
        index = self._entry_index(entry)
        return Prediction(self._core.predict(index, self._sizes(index, sizes)))

    def with_places(self, places: Sequence[str], source: str = "<module>") -> Recipe:
        """The same recipe, whose locations name places of a program: `places[i]`, if it is not
        empty, stands for line i + 1 of the text that it was compiled from.
        "encoder.layer.3 at train.py:12:1" is a module and a line.
        """
        of_line = re.compile(rf"{re.escape(os.path.basename(source))}:(\d+):\d+")

        def named(found: re.Match) -> str:
            line = int(found[1]) - 1
            return line < len(places) and places[line] or found[0]

        remarks = Remarks(each._replace(location=of_line.sub(named, each.location))
                          for each in self.remarks)
        return Recipe(self._core.with_places(source, list(places)), remarks)

    def html(self, path: str | os.PathLike[str], entry: str | int | None = None,
             sizes: Mapping[str, int] | None = None, title: str = "",
             script: Mapping[str, Any] | None = None) -> None:
        """Writes what one launch would take as a page that opens without a network, as
        `gaudi-run --predict --html` does.

        script: what a program did (`gaudi_mlir.torch.explain().script`), a section of the page
        """
        index = self._entry_index(entry)
        self._core.write_page(index, self._sizes(index, sizes), title or os.path.basename(path),
                              None if script is None else json.dumps(script), os.fsencode(path))

    def trace(self, path: str | os.PathLike[str], entry: str | int | None = None,
              sizes: Mapping[str, int] | None = None) -> None:
        """Writes what one launch would take as Chrome trace events (Perfetto, TensorBoard), as
        `gaudi-run --predict --trace` does."""
        index = self._entry_index(entry)
        self._core.write_trace(index, self._sizes(index, sizes), os.fsencode(path))

    def _sizes(self, index: int, sizes: Mapping[str, int] | None) -> list[int] | None:
        """In the order of the symbols of the entry."""
        symbols = [symbol.name for symbol in self.entries[index].symbols]
        if sizes is not None and not _messages.are_sizes(sizes, symbols):
            raise _messages.wrong_sizes(sizes, symbols, self.entries[index].name)
        return None if sizes is None else [int(sizes[name]) for name in symbols]

    def plan_memory(self, entry: str | int | None = None, sizes: Mapping[str, int] | None = None,
                    device_memory: int | str = 0) -> dict[str, Any]:
        """What fills the memory of the card, and what would lower the peak.

        sizes: a size for each symbol of an entry with dynamic sizes; None for all variants, and
            which of them fit
        device_memory: bytes, or text ("64GiB"); 0: those of the card

        The keys are those of `gaudi-run --plan-memory`; what does not fit is no error.
        """
        index = self._entry_index(entry)
        return json.loads(self._core.plan_memory(
            index, self._sizes(index, sizes), _messages.bytes_of("device_memory", device_memory)))

    def memory_text(self, entry: str | int | None = None, sizes: Mapping[str, int] | None = None,
                    device_memory: int | str = 0) -> str:
        """What `plan_memory` finds, as a table for people."""
        index = self._entry_index(entry)
        return self._core.memory_text(index, self._sizes(index, sizes),
                                      _messages.bytes_of("device_memory", device_memory))

    def replay(self, trace: str | os.PathLike[str], entry: str | int | None = None,
               strict_shapes: bool = False) -> dict[str, Any]:
        """What would become of the launches of a trace: variants, padding, compilations and their
        reasons. Launches nothing.

        trace: CSV with one launch per line (docs/buckets.md), as text or as the path of a file
        strict_shapes: what no variant takes is refused, not compiled

        The keys are those of `gaudi-run --shapes-from`.
        """
        if isinstance(trace, os.PathLike):
            path = trace
            try:
                with open(path, encoding="utf-8") as file:
                    trace = file.read()
            except OSError as error:
                raise _messages.unreadable(path, error) from None
            except UnicodeDecodeError:
                raise FileError(f"'{os.fsdecode(path)}' is no text; give a trace as CSV: "
                                "docs/buckets.md") from None
        elif re.fullmatch(r"\S+\.[a-z]+", trace) or "\n" not in trace and os.path.isfile(trace):
            raise ArgumentError(f"the trace is the str {trace!r}, which is CSV text, not a path; to "
                                f"read a file pass pathlib.Path({trace!r})")
        if "\0" in trace:
            raise ArgumentError("the trace has a NUL byte; give CSV text (docs/buckets.md)")
        return json.loads(self._core.replay_trace(self._entry_index(entry), trace, strict_shapes))

    def executable(self, *, threads: int = 0, max_launches: int = 1,
                   bindings: Mapping[Any, Any] | None = None,
                   cache_dir: str | os.PathLike[str] | None = None,
                   device_memory: int | str = 0,
                   max_iterations: int = 0, max_kernel_weight: int = 0) -> Executable:
        """Loads the recipe onto the emulated device.

        threads: of one launch; 0: the CPUs of the host, divided by max_launches
        max_launches: how many may run at once, each with device memory of its own (a launch that
            finds none left raises DeviceMemoryError); more callers wait for each other
        bindings: arrays that are inputs of all launches and are read where they are, by number or
            name of the input (with several entries: by (entry, input)). They must be dense and
            aligned (`gaudi_mlir.aligned`) and are kept alive.
        cache_dir: folder for compiled kernels; None: the user's (docs/cache.md), "": none
        device_memory: bytes, or text ("64GiB"); 0: what the card has, at most the host's
        max_iterations: of the loops of one launch; 0: 1,000,000
        max_kernel_weight: of the kernels that are compiled (docs/recipe-format.md); 0: 524,288
        """
        return Executable(self, threads=threads, max_launches=max_launches, bindings=bindings,
                          cache_dir=cache_dir, device_memory=device_memory,
                          max_iterations=max_iterations,
                          max_kernel_weight=max_kernel_weight)

    def run(self, inputs: Sequence[Any] | Mapping[str, Any],
            outputs: Sequence[Any] | Mapping[str, Any] | None = None,
            entry: str | int | None = None) -> list[Any]:
        """Launches once, on an executable that is loaded at the first call and kept (in each
        process).

        The arguments are those of `Executable.run`.
        """
        if self._process != os.getpid():
            # fork() left the threads of the executable behind, and the lock as it was.
            self._executable, self._lock, self._process = None, threading.Lock(), os.getpid()
        executable = self._executable
        if executable is None:
            with self._lock:
                # Of another object, so that no cycle keeps the memory of the device.
                self._executable = self._executable or Recipe(self._core).executable()
                executable = self._executable
        try:
            return executable.run(inputs, outputs, entry)
        except ArgumentError as error:
            expected = self.entries[self._entry_index(entry)].inputs
            if hint := _messages.shapes_hint(inputs, [(each.name, each.shape) for each in expected]):
                raise ArgumentError(f"{error.message}; {hint}") from None
            raise

    def __call__(self, *inputs: Any, **named: Any) -> NoReturn:
        raise ArgumentTypeError("a recipe is no function; call its run: recipe.run([" +
                        ", ".join(each.name for each in self.entries[0].inputs) + "])")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Recipe) and self.hash == other.hash

    def __hash__(self) -> int:
        return hash(self.hash)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self.to_bytes(), tuple(map(tuple, self.remarks)))

    def __repr__(self) -> str:
        entries = "".join(f"\n  {entry!r}" for entry in self.entries)
        return f"<gaudi_mlir.Recipe for {self.device}, memory {self.memory!r}{entries}>"


def _restore(data: bytes, remarks: tuple[tuple[Any, ...], ...]) -> Recipe:
    """A recipe out of a pickle."""
    from .remarks import Remark

    return Recipe(_core.Recipe.from_memory(data), Remarks(Remark(*fields) for fields in remarks))
