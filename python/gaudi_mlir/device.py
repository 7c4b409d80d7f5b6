# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cards that outlive a launch: memory, streams, events, graphs, and a clock of the card.

    with gaudi_mlir.device.open("gaudi2") as device:
        program = device.program(recipe)
        x = device.array(numpy.ones((2, 3), numpy.float32))
        [y] = program.launch([x])
        print(y.numpy(), device.clock())

Work that is issued to a stream runs later; if it fails, the next call that waits for the stream
raises. Several threads may use all objects at once. docs/device.md says what times and statistics
mean.
"""

from __future__ import annotations

import atexit
import contextlib
import math
import operator
import os
import sys
import threading
import weakref
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Iterator, Mapping, Sequence

import numpy

from . import _callers, _calls, _core, _messages
from ._text import bytes_text, table, time_text
from .description import ELEMENT_DTYPES, Entry, TensorInfo
from .errors import ArgumentError, Error
from .executable import cache_folder

if TYPE_CHECKING:
    from .recipe import Recipe

__all__ = ["Clock", "Device", "DeviceArray", "Event", "Graph", "LaunchTensor", "MemoryBlock",
           "Program", "QueueTimes", "Stream", "open"]

_ELEMENTS = {numpy.dtype(dtype): name for name, dtype in ELEMENT_DTYPES.items()}
_STATES = ("free", "pending", "in use")  # by GaudiMemoryState
_QUEUES = ("MME", "TPC", "DMA", "NIC", "host", "copy up", "copy down")
_devices: weakref.WeakSet[Device] = weakref.WeakSet()


@_calls.named
def open(kind: str = "gaudi2", module: int | None = None, capacity: int | str = 0,
         threads: int = 0, host_clock: str = "table", *, host_memory: int | str = 0,
         host_factor: float = 1.0, event_clock: str = "card") -> Device:
    """Opens a card, which is this process's until the device is closed.

    kind: "gaudi", "gaudi2" or "gaudi3"
    module: the number of the card; None: the first one that is free
    capacity: bytes of device memory, or text ("16GiB"); 0: the card's
    threads: that emulate launches; 0: the CPUs of the host
    host_clock: "table": calls take the host times of docs/device.md; "measured": the CPU time of
        the calling threads, times host_factor
    host_memory: bytes, or text, that the emulation may touch; 0: 3/4 of what the host has available
    event_clock: times of events are those of the "card", predicted, or of the "host": when its
        threads have run the work
    """
    return Device(kind, module, capacity, threads, host_clock, host_memory=host_memory,
                  host_factor=host_factor, event_clock=event_clock)


@dataclass(frozen=True)
class QueueTimes:
    """How long a queue of the card worked and waited; both are the time since it was opened."""

    busy_ps: int
    idle_ps: int


@dataclass(frozen=True)
class Clock:
    """Predicted times since the card was opened."""

    elapsed_ps: int
    """Of the card."""
    host_ps: int
    """Of the calling thread."""
    queues: Mapping[str, QueueTimes]
    """By name: "MME", "TPC", "DMA", "NIC", "host", "copy up", "copy down"."""

    @property
    def elapsed_ms(self) -> float:
        return self.elapsed_ps / 1e9

    def __repr__(self) -> str:
        rows = [(name, time_text(times.busy_ps / 1e6),
                 f"{100 * times.busy_ps / max(self.elapsed_ps, 1):.1f} %")
                for name, times in self.queues.items() if times.busy_ps]
        head = (f"elapsed {time_text(self.elapsed_ps / 1e6)}, "
                f"of the host {time_text(self.host_ps / 1e6)}")
        return "\n".join([head, table([("queue", "busy", ""), *rows], right=(1, 2))])


@dataclass(frozen=True)
class MemoryBlock:
    """A range of the card's memory."""

    begin: int
    """In the card's memory, from 0."""
    bytes: int
    """With its header."""
    requested: int
    """Bytes, of memory in use; else 0."""
    state: str
    """ "free", "in use", or "pending": freed, but work that was issued before has it."""
    is_small: bool
    """Whether it is in the region of small blocks."""
    name: str
    shape: str
    where: str
    """ "train.py:31": where it was allocated."""


@_calls.named_methods
class Device:
    """A card; `open` makes one. A context manager: `close` waits for its work and lets it go."""

    def __init__(self, kind: str = "gaudi2", module: int | None = None, capacity: int | str = 0,
                 threads: int = 0, host_clock: str = "table", *, host_memory: int | str = 0,
                 host_factor: float = 1.0, event_clock: str = "card") -> None:
        for name, given, choices in (("host_clock", host_clock, ("table", "measured")),
                                     ("event_clock", event_clock, ("card", "host"))):
            if given not in choices:
                raise _messages.not_a_choice(name, given, choices)
        if isinstance(host_factor, (int, float)) and not 0 < host_factor <= 1e6:
            raise _messages.wrong_option("host_factor", host_factor, "a number above 0, at most 1e6")
        options: dict[str, Any] = {
            "kind": kind, "capacity": _messages.bytes_of("capacity", capacity), "threads": threads,
            "host_memory": _messages.bytes_of("host_memory", host_memory),
            "measure_host": host_clock == "measured", "host_factor": host_factor,
            "host_events": event_clock == "host"}
        if module is not None:
            options["module"] = module
        try:
            self._core = _core.Device(options)
        except ArgumentError as error:
            if not error.message.startswith("a memory pool of"):
                raise
            raise ArgumentError(f"capacity={capacity!r}: {error.message}; it is in bytes, or text: "
                                "capacity=\"64GiB\"") from None
        self._streams: weakref.WeakSet[Stream] = weakref.WeakSet()
        self._default = Stream._of(self, None, 0)
        self._tracing = False
        _devices.add(self)

    @property
    def kind(self) -> str:
        return self._core.kind

    @property
    def module(self) -> int:
        """The number of the card."""
        return self._core.module

    @property
    def capacity(self) -> int:
        """Bytes of device memory."""
        return self._core.capacity

    @property
    def is_closed(self) -> bool:
        return self._core.is_closed

    @property
    def default_stream(self) -> Stream:
        return self._default

    def stream(self, name: str = "", priority: int = 0) -> Stream:
        """A new stream; of two with work that is ready, that of higher priority runs first."""
        return Stream(self, name, priority)

    def event(self) -> Event:
        return Event(self)

    def program(self, recipe: Recipe, name: str = "", *,
                cache_dir: str | os.PathLike[str] | None = None,
                max_iterations: int = 0) -> Program:
        """Loads a recipe onto the card; the arguments are those of `Recipe.executable`.

        name: for errors and traces; "": that of the entry
        """
        return Program(self, recipe, name, cache_dir=cache_dir, max_iterations=max_iterations)

    def allocate(self, bytes: int, name: str = "", stream: Stream | None = None) -> DeviceArray:
        """Memory of that many bytes, as an array of them. `stream` will use it first."""
        return self.empty((bytes,), numpy.uint8, name, stream)

    def empty(self, shape: Sequence[int] | int, dtype: Any = numpy.float32, name: str = "",
              stream: Stream | None = None) -> DeviceArray:
        """A new array in device memory, whose values are arbitrary.

        name: for the error of a full card, which says who holds its memory
        stream: that will use it first; None: the default stream
        """
        return DeviceArray(self, shape, dtype, name, stream)

    def array(self, values: Any, name: str = "", stream: Stream | None = None) -> DeviceArray:
        """A copy of a NumPy array in device memory."""
        host = numpy.asarray(values)
        made = self.empty(host.shape, host.dtype, name, stream)
        made.copy_from(host, stream)
        return made

    def pinned(self, shape: Sequence[int] | int,
               dtype: Any = numpy.float32) -> numpy.ndarray[Any, Any]:
        """A new NumPy array, with arbitrary values, in host memory that the card's copies reach
        without a copy of the driver. The card is not free before the array has gone."""
        sizes = _sizes(shape)
        element = numpy.dtype(dtype)
        count = _bytes(sizes, element)
        memory = _HostMemory(self._core.allocate_pinned(count), count)
        return numpy.asarray(memory).view(element).reshape(sizes)

    def seed(self, value: int) -> None:
        """The seed of the generator from which `Stream.draw_seed` draws; its offset becomes 0.

        value: from -2**63 to 2**64 - 1; of numbers with the same 64 bits, each is as the other
        """
        if not isinstance(value, (int, numpy.integer)) or not -(1 << 63) <= value < 1 << 64:
            raise _messages.wrong_seed(value)
        bits = int(value) % (1 << 64)
        self._core.set_seed(bits - (1 << 64) if bits >> 63 else bits)

    def synchronize(self) -> None:
        """Waits for all work of all streams."""
        try:
            self._core.synchronize()
        finally:
            for stream in list(self._streams):
                stream._kept.drop(stream._kept.issued)

    def memory_stats(self) -> dict[str, Any]:
        """Bytes and counts by their names in docs/device.md#statistics.

        `fragmentation` is in percent, `touched_bytes` what the emulation has of the host's memory.
        """
        return self._core.memory_stats()

    def memory_blocks(self) -> list[MemoryBlock]:
        """All of the card's memory by address: who has what."""
        return [MemoryBlock(begin, bytes, requested, _STATES[state], *rest)
                for begin, bytes, requested, state, *rest in self._core.memory_blocks()]

    def memory_summary(self) -> str:
        """The main statistics as text."""
        return self._core.memory_summary()

    def reset_peak_memory(self) -> None:
        """Sets `MaxInUse` to 0: the next allocation counts from what is in use then."""
        self._core.reset_peak_memory()

    def reset_accumulated_memory(self) -> None:
        """Sets `NumAllocs`, `NumFrees` and `MaxAllocSize` to 0, and `MaxInUse` to `InUse`."""
        self._core.reset_accumulated_memory()

    def clock(self) -> Clock:
        """How long the card would have taken till now."""
        elapsed, host, busy, idle = self._core.clock()
        return Clock(elapsed, host, {name: QueueTimes(*times)
                                     for name, *times in zip(_QUEUES, busy, idle)})

    def advance_host(self, picoseconds: int) -> None:
        """The calling thread works for so long beside the card."""
        self._core.advance_host(picoseconds)

    @contextlib.contextmanager
    def trace(self, path: str | os.PathLike[str]) -> Iterator[None]:
        """Records what the card does in the `with` block, for Perfetto or TensorBoard."""
        if self._tracing:
            raise _messages.second_trace()
        self._core.begin_trace()
        self._tracing = True
        try:
            yield
        finally:
            self._tracing = False
            if not self.is_closed:
                self._core.write_trace(os.fsencode(path))

    def close(self) -> None:
        """Waits for all work, raises its error, and lets the card and all that is on it go."""
        if self.is_closed:
            return
        try:
            self.synchronize()
        finally:
            self._core.close()

    def __enter__(self) -> Device:
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        try:
            self.close()
        except Error:
            if error is None:  # else that is the one to know
                raise

    def __repr__(self) -> str:
        if self.is_closed:
            return "<gaudi_mlir.device.Device, closed>"
        return f"<gaudi_mlir.device.Device {self.kind}, card {self.module}, " \
               f"{bytes_text(self.capacity)}>"


@atexit.register
def _close_all() -> None:
    """Work may call functions of Python, which must be there still."""
    for device in list(_devices):
        with contextlib.suppress(Exception):
            device.close()


def _sizes(shape: Sequence[int] | int) -> tuple[int, ...]:
    """As numbers of Python: those of NumPy overflow."""
    sizes = (shape,) if isinstance(shape, (int, numpy.integer)) else shape
    return tuple(operator.index(size) for size in sizes)


def _bytes(shape: Sequence[int], dtype: numpy.dtype[Any]) -> int:
    if any(size < 0 for size in shape):
        raise _messages.negative_size(shape)
    count = math.prod(shape) * dtype.itemsize
    if count >= 1 << 64:
        raise _messages.too_large(shape, dtype)
    return count


@_calls.named_methods
class DeviceArray:
    """A dense array in device memory, which is free when the object goes.

    shape, dtype, nbytes, name, device
    address: a number to which programs may add; it is no address of the host
    """

    def __init__(self, device: Device, shape: Sequence[int] | int, dtype: Any = numpy.float32,
                 name: str = "", stream: Stream | None = None) -> None:
        self.device = device
        self.shape = _sizes(shape)
        try:
            self.dtype: numpy.dtype[Any] = numpy.dtype(dtype)
        except TypeError:
            raise _messages.unknown_dtype(dtype, list(_ELEMENTS)) from None
        self.name = name
        if self.dtype not in _ELEMENTS:
            raise _messages.unknown_dtype(self.dtype, list(_ELEMENTS))
        self.nbytes = _bytes(self.shape, self.dtype)
        self._capture = stream._capture if stream else device._default._capture
        file, line, _ = _callers.line()
        self._memory = device._core.allocate(stream and stream._core, self.nbytes, name, self.type,
                                             f"{os.path.basename(file)}:{line}")

    @property
    def address(self) -> int:
        return self._memory.address

    @property
    def type(self) -> str:
        """The type as text: "2x3xf32"."""
        return "x".join([*map(str, self.shape), _ELEMENTS[self.dtype]])

    def copy_from(self, values: Any, stream: Stream | None = None,
                  blocking: bool = False) -> None:
        """Issues a copy of a dense array of the same type and shape, in host or device memory.

        Host memory is kept, and must not be written, until the stream has been waited for. Values
        are not converted.
        """
        self._stream(stream).copy_in(self, values, blocking)

    def copy_to(self, array: Any, stream: Stream | None = None, blocking: bool = False) -> None:
        """Issues a copy into a dense, writable array of the same type and shape.

        The array has the values when the stream has been waited for.
        """
        self._stream(stream).copy_out(array, self, blocking)

    def numpy(self, stream: Stream | None = None) -> numpy.ndarray[Any, Any]:
        """A copy in host memory, after the work that has been issued to the stream."""
        array = numpy.empty(self.shape, self.dtype)
        self.copy_to(array, stream, blocking=True)
        return array

    def fill(self, value: Any, stream: Stream | None = None) -> None:
        """Issues the setting of all elements to a value."""
        try:
            element = numpy.array(value).astype(self.dtype)
        except (TypeError, ValueError):
            raise _messages.wrong_fill(value, self.dtype) from None
        if element.ndim:
            raise _messages.wrong_fill(value, self.dtype)
        pattern = int.from_bytes(element.tobytes(), sys.byteorder)
        issue = self._stream(stream)
        issue._keep_captured(self)
        issue._core.fill(self.address, self.nbytes, pattern, self.dtype.itemsize)

    def record_stream(self, stream: Stream | None) -> None:
        """The stream (None: the default stream) uses the memory in a way that the device does not
        see."""
        self.device._core.record_stream(self.address, self._stream(stream)._core)

    def _stream(self, stream: Stream | None) -> Stream:
        return self.device._default if stream is None else stream

    def __repr__(self) -> str:
        name = f" '{self.name}'" if self.name else ""
        return f"<gaudi_mlir.device.DeviceArray{name} {self.type}>"


class _HostMemory:
    """Pinned memory for NumPy, whose arrays keep it."""

    def __init__(self, memory: _core.PinnedMemory, count: int) -> None:
        self._memory = memory
        self.__array_interface__ = {"data": (memory.address, False), "shape": (count,),
                                    "typestr": "|u1", "version": 3}


class _Kept:
    """Host memory of the copies of a stream, by their numbers, until they have ended."""

    def __init__(self) -> None:
        self.issued = 0
        self.items: deque[tuple[int, Any]] = deque()
        self.lock = threading.Lock()

    def issue(self, owner: Any, copy: Callable[[], None]) -> None:
        """Issues the copy and keeps its memory: a number that another thread reads is that of a
        copy that has been issued."""
        with self.lock:
            self.items.append((self.issued + 1, owner))
            try:
                copy()
            except BaseException:
                self.items.pop()
                raise
            self.issued += 1

    def drop(self, number: int) -> None:
        with self.lock:
            while self.items and self.items[0][0] <= number:
                self.items.popleft()


@_calls.named_methods
class Stream:
    """Work in order. What several threads issue runs in the order of the calls."""

    _core: _core.Stream
    device: Device
    name: str

    def __init__(self, device: Device, name: str = "", priority: int = 0) -> None:
        self._begin(device, name, priority)

    @classmethod
    def _of(cls, device: Device, name: str | None, priority: int) -> Stream:
        stream = cls.__new__(cls)
        stream._begin(device, name, priority)
        return stream

    def _begin(self, device: Device, name: str | None, priority: int) -> None:
        self.name = "default stream" if name is None else name
        self._core = _core.Stream(device._core, name, priority)
        # The device has the default stream, which must not keep the device.
        self._device = weakref.ref(device) if name is None else lambda: device
        self._capture: Graph | None = None
        self._kept = _Kept()
        # Up to which number copies of other streams end before later work of this one.
        self._after: dict[_Kept, int] = {}
        device._streams.add(self)

    def copy_in(self, to: DeviceArray, values: Any, blocking: bool = False) -> None:
        """Issues a copy of host or device memory to an array (`DeviceArray.copy_from`)."""
        if isinstance(values, DeviceArray):
            if values.type != to.type:
                raise _messages.wrong_source(to.type, values.type)
            self._keep_captured(to, values)
            self._core.copy(to.address, values.address, to.nbytes)
            if blocking:
                self.synchronize()
            return
        address, owner = _core.dense_memory(values, to.name or "values", _ELEMENTS[to.dtype],
                                            to.shape, False)
        self._keep_captured(to, owner)
        if blocking:
            self._core.copy_in(to.address, address, to.nbytes, True)
        else:
            self._kept.issue(
                owner, lambda: self._core.copy_in(to.address, address, to.nbytes, False))

    def copy_out(self, array: Any, source: DeviceArray, blocking: bool = False) -> None:
        """Issues a copy of an array to host memory (`DeviceArray.copy_to`)."""
        address, owner = _core.dense_memory(array, source.name or "array",
                                            _ELEMENTS[source.dtype], source.shape, True)
        self._keep_captured(source, owner)
        if blocking:
            self._core.copy_out(address, source.address, source.nbytes, True)
        else:
            self._kept.issue(
                owner, lambda: self._core.copy_out(address, source.address, source.nbytes, False))

    def call(self, function: Callable[[], object]) -> None:
        """Calls the function, on any thread, once the work before it has run.

        It must not wait for the device. What it raises, the next call that waits for the stream
        raises; work after it runs all the same.
        """
        if not callable(function):
            raise _messages.not_callable(function)
        self._core.call(function)

    def record(self, event: Event | None = None) -> Event:
        """Records an event, a new one if none is given, after what has been issued so far."""
        if event is None:
            device = self._device()
            assert device is not None, "it has the default stream"
            event = Event(device)
        self._core.record(event._core)
        event._after = {**self._after, self._kept: self._kept.issued}
        event._capture = self._capture
        return event

    def wait(self, event: Event) -> None:
        """Work that is issued later begins after the event."""
        self._core.wait(event._core)
        if event._capture:  # it is of no work that has been issued
            event._capture._take(self)
            return
        for kept, number in event._after.items():
            self._after[kept] = max(number, self._after.get(kept, 0))

    def draw_seed(self, seed: DeviceArray, offset: DeviceArray, blocks: int = 1) -> None:
        """Issues the writing of the state of the device's generator, for work that draws `blocks`
        blocks of Philox, into arrays of one int64. Each replay of captured work draws others."""
        for array in (seed, offset):
            if array.dtype != numpy.int64 or array.nbytes != 8:
                raise _messages.wrong_seed_array(array.type)
        self._keep_captured(seed, offset)
        self._core.draw_seed(seed.address, offset.address, blocks)

    def synchronize(self) -> None:
        """Waits for all work that has been issued; raises the error of what failed."""
        number = self._kept.issued
        try:
            self._core.synchronize()
        finally:
            self._ended(number)

    def query(self) -> bool:
        """Whether all work has ended at the time of the calling thread."""
        return self._core.query()

    @contextlib.contextmanager
    def capture(self) -> Iterator[Graph]:
        """What is issued in the `with` block becomes a graph instead of being run, also on streams
        that wait for events of this one in it. The graph can be replayed after the block."""
        graph = Graph(self)
        self._core.begin_capture()
        graph._take(self)
        try:
            yield graph
        except BaseException:
            with contextlib.suppress(Error):
                graph._end()
            graph._core = None
            raise
        graph._end()

    def _keep_captured(self, *used: Any) -> None:
        if self._capture:
            # What it allocated is the graph's, and may be used again in it.
            self._capture._kept.extend(
                each for each in used if getattr(each, "_capture", None) is not self._capture)

    def _ended(self, number: int) -> None:
        """Work of the stream, and what it waited for, has ended up to this number."""
        after, self._after = self._after, {}
        for kept, ended in (*after.items(), (self._kept, number)):
            kept.drop(ended)

    def __repr__(self) -> str:
        return f"<gaudi_mlir.device.Stream '{self.name}'>"


@_calls.named_methods
class Event:
    """A point in the work of a stream, and its time on the card."""

    def __init__(self, device: Device) -> None:
        self._core = _core.Event(device._core)
        self._after: dict[_Kept, int] = {}
        self._capture: Graph | None = None

    def synchronize(self) -> None:
        """Waits for the work before it."""
        after = self._after
        try:
            self._core.synchronize()
        finally:
            for kept, number in after.items():
                kept.drop(number)

    def query(self) -> bool:
        """Whether its work has ended at the time of the calling thread, which a query advances."""
        return self._core.query()

    def elapsed_ps(self, end: Event) -> int:
        """Picoseconds from this event to `end` on the card."""
        return end._core.since(self._core)

    def elapsed_time(self, end: Event) -> float:
        """The same in milliseconds."""
        return self.elapsed_ps(end) / 1e9


@dataclass(frozen=True)
class LaunchTensor:
    """Memory that a launch works on."""

    name: str
    bytes: int
    alignment: int
    is_written: bool


@dataclass(frozen=True)
class _Place:
    """Where an input or output is: a number among the launch tensors, and bytes from its begin."""

    info: TensorInfo
    tensor: int
    offset: int
    is_dense: bool


@_calls.named_methods
class Program:
    """A recipe on a card: its constants and states are in the card's memory."""

    def __init__(self, device: Device, recipe: Recipe, name: str = "", *,
                 cache_dir: str | os.PathLike[str] | None = None, max_iterations: int = 0) -> None:
        options: dict[str, Any] = {"max_iterations": max_iterations}
        if cache_dir is not None:
            options["cache_dir"] = cache_folder(cache_dir)
        self._core = _core.Program(device._core, recipe._core, name, options)
        self.device = device
        self.recipe = recipe
        self._places: dict[int, tuple[list[_Place], list[_Place], int]] = {}

    def tensors(self, entry: str | int | None = None) -> list[LaunchTensor]:
        """What a launch of the entry takes addresses of, in their order."""
        return [LaunchTensor(*fields)
                for fields in self._core.tensors(self.recipe._entry_index(entry))]

    def time_ps(self, entry: str | int | None = None) -> int:
        """Picoseconds that one launch takes on the card."""
        return self._core.time(self.recipe._entry_index(entry))

    def may_alias(self, input: str | int, output: str | int,
                  entry: str | int | None = None) -> bool:
        """Whether a launch may have one array for both, an input and an output of the entry by
        name or number: the input is read before or as the output is written."""
        number = self.recipe._entry_index(entry)
        signature = self.recipe.entries[number]
        read, written, _ = self._layout(number, signature)
        first = read[_tensor_index("input", input, read, signature)]
        second = written[_tensor_index("output", output, written, signature)]
        if first.tensor < 0 or second.tensor < 0:
            return False  # of the program
        return first.offset == second.offset and \
            self._core.may_alias(number, first.tensor, second.tensor)

    def state(self, which: str | int) -> int:
        """The address of a state, which the program has."""
        names = [state.name for state in self.recipe.states]
        if which in names:
            return self._core.state(names.index(which))
        if isinstance(which, int) and 0 <= which < len(names):
            return self._core.state(which)
        raise _messages.unknown_state(which, names)

    def launch(self, inputs: Sequence[Any] | Mapping[str, Any],
               outputs: Sequence[Any] | Mapping[str, Any] | None = None,
               entry: str | int | None = None, stream: Stream | None = None) -> list[DeviceArray]:
        """Issues a launch and returns its outputs.

        inputs, outputs: DeviceArrays in the order of the entry, or a dict of them by name; no
            value, or None, stands for a state, which the program has, and for a new output
        """
        issue = self.device._default if stream is None else stream
        number = self.recipe._entry_index(entry)
        signature = self.recipe.entries[number]
        read, written, count = self._layout(number, signature)
        addresses = [0] * count
        used: list[DeviceArray | None] = []
        for role, places, given in (("input", read, inputs), ("output", written, outputs)):
            for place, array in zip(places, _values(role, given, places, signature)):
                used.append(self._bind(role, place, array, addresses, issue))
        issue._keep_captured(self, *used)  # a program has memory, too
        issue._core.launch(self._core, number, addresses)
        return [array for array in used[len(read):] if array is not None]

    def _layout(self, number: int, entry: Entry) -> tuple[list[_Place], list[_Place], int]:
        layout = self._places.get(number)
        if layout is None:
            for role, tensors in (("input", entry.inputs), ("output", entry.outputs)):
                for info in tensors:
                    if not info.is_static:
                        raise _messages.dynamic_address(role, info.name, info.type)
            read = [_Place(info, *self._core.place(number, index, False))
                    for index, info in enumerate(entry.inputs)]
            written = [_Place(info, *self._core.place(number, index, True))
                       for index, info in enumerate(entry.outputs)]
            layout = self._places[number] = (read, written, len(self._core.tensors(number)))
        return layout

    def _bind(self, role: str, place: _Place, array: Any, addresses: list[int],
              stream: Stream) -> DeviceArray | None:
        """Checks the array, makes an output that is not given, and notes where it is."""
        info = place.info
        if place.tensor < 0:
            if array is not None:
                raise _messages.without_address(role, info.name)
            return None
        if array is None:
            if role == "input":
                raise _messages.missing_device_input(info.name, info.type)
            array = self.device.empty(info.shape, info.dtype, info.name, stream)
        if not isinstance(array, DeviceArray):
            raise _messages.not_on_device(role, info.name, array, info.type)
        if array.device is not self.device:
            raise _messages.of_another_device(role, info.name)
        same_bits = array.dtype.kind in "iu" and info.dtype.kind in "iu" and \
            array.dtype.itemsize == info.dtype.itemsize
        if array.shape != info.shape or not (array.dtype == info.dtype or same_bits):
            raise _messages.wrong_device_array(role, info.name, array.type, info.type)
        if not place.is_dense:
            raise _messages.permuted_on_device(role, info.name)
        address = array.address - place.offset
        if addresses[place.tensor] not in (0, address):
            raise _messages.apart_on_device(role, info.name)
        addresses[place.tensor] = address
        return array


def _tensor_index(role: str, which: str | int, places: Sequence[_Place], entry: Entry) -> int:
    names = [place.info.name for place in places]
    if isinstance(which, int) and 0 <= which < len(names):
        return which
    if which not in names:
        raise _messages.unknown_names(role, {which: None}, names, entry.name)
    return names.index(str(which))


def _values(role: str, given: Any, places: Sequence[_Place], entry: Entry) -> Sequence[Any]:
    """One value per place; None where there is none."""
    names = [place.info.name for place in places]
    if given is None and role == "output":
        return [None] * len(places)
    if isinstance(given, Mapping):
        if not given.keys() <= set(names):
            raise _messages.unknown_names(role, dict(given), names, entry.name)
        return [given.get(name) for name in names]
    if not isinstance(given, (list, tuple)):
        raise _messages.not_a_list(f"{role}s", given, isinstance(given, DeviceArray))
    if len(given) == len(places):
        return given
    if len(given) == sum(place.tensor >= 0 for place in places):  # without states
        values = iter(given)
        return [next(values) if place.tensor >= 0 else None for place in places]
    raise _messages.wrong_count(role, len(given), names, 0, entry.name)


@_calls.named_methods
class Graph:
    """Captured work; `Stream.capture` makes one. It keeps the arrays that it uses."""

    def __init__(self, stream: Stream) -> None:
        self._core: _core.Graph | None = None
        self._begun = stream
        self._streams: list[Stream] = []
        self._kept: list[Any] = []

    @property
    def size(self) -> int:
        """Pieces of work."""
        return self._captured().size

    def free_between_replays(self) -> None:
        """From now on, memory that the capture allocated and freed is the device's between
        replays, each of which allocates it again."""
        self._captured().free_between_replays()

    def replay(self, stream: Stream | None = None,
               rebind: Mapping[DeviceArray, DeviceArray] | None = None) -> None:
        """Issues all work of the graph again.

        stream: that it runs on; None: the one that the capture began on
        rebind: uses of an array become uses of another one, in this replay
        """
        pairs = [(old.address, new.address) for old, new in (rebind or {}).items()]
        issue = self._begun if stream is None else stream
        captured = self._captured()
        # With the graph it keeps the host memory of its copies.
        issue._kept.issue(self, lambda: issue._core.replay(captured, pairs))

    def _captured(self) -> _core.Graph:
        if self._core is None:
            raise _messages.not_captured()
        return self._core

    def _take(self, stream: Stream) -> None:
        """The stream takes part in the capture."""
        if stream not in self._streams:
            self._streams.append(stream)
        stream._capture = self

    def _end(self) -> None:
        try:
            self._core = self._begun._core.end_capture()
        finally:
            for stream in self._streams:
                stream._capture = None
            self._streams.clear()
