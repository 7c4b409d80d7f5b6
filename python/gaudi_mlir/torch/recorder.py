# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records what a script of PyTorch computes, by modules and steps, so that two runs can be compared:
outputs of modules and their gradients, gradients of parameters, and parameters after each update.

A folder gets one line of JSON for each value (`events.jsonl`), and float64 numbers (`values.f64`):
all elements of small tensors; of others some elements, and sums of interleaved ones, in which any
element that differs shows. Tensors are copied where they are and read later, many at once, so that
the graphs of lazy mode stay whole.
"""
import contextlib
import dataclasses
import hashlib
import json
import os
import sys
import sysconfig
import threading
import warnings
import weakref
from collections.abc import Iterator

import numpy
import torch
from torch.optim import optimizer as _optimizer
from torch.utils.weak import WeakIdKeyDictionary

from .._short_runs import Stop
from . import sidebyside
from .roundings import Roundings

ALL, SAMPLES, SUMS = 4096, 1024, 257  # elements of small tensors, and numbers of others
_HELD = 64 << 20  # bytes of tensors that wait to be read

_LIBRARIES = tuple(os.path.join(path, "") for path in {
    sysconfig.get_paths()[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")})
_TORCH, _GAUDI = (os.path.join(os.path.dirname(each), "")
                  for each in (torch.__file__, os.path.dirname(__file__)))
_OTHERS = ("<", _TORCH, _GAUDI, *_LIBRARIES)


def line_of_script() -> str:
    """ "train.py:12" with its folder, of the innermost frame that is the script's."""
    frame = sys._getframe(1)
    while frame is not None:
        file = frame.f_code.co_filename
        if not file.startswith(_OTHERS) and "habana_frameworks" not in file:
            return f"{file}:{frame.f_lineno}"
        frame = frame.f_back
    return ""


def _is_traced(module: torch.nn.Module) -> bool:
    """Whether a compiler, or what runs compiled graphs, calls it, and not the script."""
    if torch.compiler.is_compiling() or type(module).__module__.startswith("gaudi_mlir."):
        return True
    if not isinstance(module, torch.fx.GraphModule):
        return False
    frame = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith(
            ("<", _TORCH, __file__)):
        frame = frame.f_back
    return frame is not None and ("habana_frameworks" in frame.f_code.co_filename or
                                  frame.f_code.co_filename.startswith(_GAUDI))


def _draws(module: torch.nn.Module) -> bool:
    """Whether a module draws random numbers, as those of torch.nn do."""
    probability = module.p if "Dropout" in type(module).__name__ and hasattr(module, "p") else \
        getattr(module, "dropout", 0.0)
    return module.training and isinstance(probability, float) and probability > 0


def numbers_of(tensor: torch.Tensor) -> numpy.ndarray:
    """Those that are kept of a tensor of the host."""
    if tensor.is_complex():
        tensor = torch.view_as_real(tensor.resolve_conj())
    flat = tensor.to(torch.float64).reshape(-1)
    if flat.numel() <= ALL:
        return flat.numpy()
    step = flat.numel() // SAMPLES
    rest = flat.numel() % SUMS
    sums = flat[:flat.numel() - rest].reshape(-1, SUMS).sum(0)
    sums[:rest] += flat[flat.numel() - rest:]
    return numpy.concatenate([flat[::step][:SAMPLES].numpy(), sums.numpy()])


def element_of(place: int, shape: list[int]) -> tuple[int, ...] | None:
    """The element of a tensor that a kept number is; None: it is a sum."""
    count = int(numpy.prod(shape, dtype=numpy.int64))
    if count > ALL:
        if place >= SAMPLES:
            return None
        place *= count // SAMPLES
    return tuple(int(each) for each in numpy.unravel_index(place, shape)) if shape else ()


@dataclasses.dataclass
class Event:
    """A value of a run."""
    step: int
    kind: str
    """ "parameter", "input", "output", "gradient", "parameter gradient", "updated parameter"."""
    name: str
    """Of the module or the parameter; with the call and the number of a tensor: "Net.fc#1[0]"."""
    module: str
    type: str
    line: str
    shape: list[int]
    dtype: str
    digest: str
    largest: float
    begin: int = 0
    count: int = 0
    reader: str = ""
    """Of a gradient: the module that has got the tensor as it is."""
    within: str = ""
    """The module around it."""

    @property
    def key(self) -> tuple[str, str]:
        return self.kind, self.name


class Recorder:
    """`noise`: multiplies what modules give, and gradients, by numbers as near to 1 as roundings
    are. `steps`: ends the script after so many; 0: never."""

    def __init__(self, folder: str, noise: bool = False, steps: int = 0) -> None:
        os.makedirs(folder, exist_ok=True)
        self._folder, self.draws = folder, False
        self._events = open(os.path.join(folder, "events.jsonl"), "w", encoding="utf-8")
        self._values = open(os.path.join(folder, "values.f64"), "wb")
        self._noise = Roundings(seed=1, spacings=2) if noise else None
        self._steps, self.step = steps, 0
        self._offset = 0
        self._pending: list[tuple[Event, torch.Tensor]] = []
        self._held = 0
        self._lock = threading.RLock()
        self._names: weakref.WeakKeyDictionary = weakref.WeakKeyDictionary()
        self._parameters: dict[int, tuple[weakref.ref, str]] = {}
        self._calls: dict[str, int] = {}
        self._running: list[tuple[torch.nn.Module, str, str]] = []
        self._outputs: dict[int, weakref.ref] = {}
        self._readers = WeakIdKeyDictionary()
        self._busy = threading.local()
        modules = torch.nn.modules.module
        # In a compiled graph the hooks do nothing.
        warnings.filterwarnings("ignore", r"Using `torch\.compile\(module\)` when there are")
        self._hooks = [
            modules.register_module_forward_pre_hook(self._enter),
            modules.register_module_forward_hook(self._leave),
            _optimizer.register_optimizer_step_pre_hook(self._before_update),
            _optimizer.register_optimizer_step_post_hook(self._after_update)]

    def close(self) -> None:
        for each in self._hooks:
            each.remove()
        self._flush()
        self._events.close()
        self._values.close()
        with open(os.path.join(self._folder, "record.json"), "w", encoding="utf-8") as file:
            json.dump({"schema": "gaudi-record/1", "draws": self.draws,
                       "on_card": sorted(sidebyside.ON_CARD)}, file)

    # --- modules --------------------------------------------------------------------------

    def _know(self, root: torch.nn.Module) -> None:
        compiled, root = root, getattr(root, "_orig_mod", root)  # of torch.compile
        name = type(root).__name__
        self.draws |= any(map(_draws, root.modules()))
        self._names[compiled] = name
        for path, each in root.named_modules():
            self._names[each] = f"{name}.{path}" if path else name
        for path, each in [*root.named_parameters(), *root.named_buffers()]:
            if id(each) in self._parameters and self._parameters[id(each)][0]() is each:
                continue
            full = f"{name}.{path}"
            self._parameters[id(each)] = weakref.ref(each), full
            self._add("parameter", full, each, full.rpartition(".")[0])
            if isinstance(each, torch.nn.Parameter) and each.requires_grad:
                each.register_post_accumulate_grad_hook(self._of_gradient(full))

    def _of_gradient(self, name: str):
        def run(parameter) -> None:
            if not torch.compiler.is_compiling():
                self._add("parameter gradient", name, parameter.grad, name.rpartition(".")[0])
        return run

    def _enter(self, module, args) -> None:
        if _is_traced(module):
            return
        if module not in self._names:
            self._know(module)
        name = self._names[module]
        self._calls[name] = self._calls.get(name, -1) + 1
        called = f"{name}#{self._calls[name]}"
        line = line_of_script()
        around = self._running[-1][1] if self._running else ""
        for number, each in enumerate(_tensors(args)):
            known = self._outputs.get(id(each))
            if known is None or known() is not each:
                self._add("input", f"{called}[{number}]", each, name, line, within=around,
                          type=type(module).__name__)
            if each in self._readers:
                self._readers[each].append(name)
            self._watch(each, f"input of {called}[{number}]", name, line, around, [name])
        self._running.append((module, name, line))

    def _leave(self, module, args, result):
        if _is_traced(module) or not self._running:
            return None
        while self._running[-1][0] is not module and len(self._running) > 1:
            self._running.pop()  # of a forward() that has raised
        _, name, line = self._running.pop()
        if self._noise is not None and not any(True for _ in module.children()):
            result = _mapped(result, self._noise)
        called = f"{name}#{self._calls[name]}"
        around = self._running[-1][1] if self._running else ""
        for number, each in enumerate(_tensors(result)):
            self._outputs[id(each)] = weakref.ref(each)
            self._add("output", f"{called}[{number}]", each, name, line, within=around,
                      type=type(module).__name__)
            self._readers[each] = readers = []
            self._watch(each, f"output of {called}[{number}]", name, line, around, readers)
        if not self._running:
            self._outputs.clear()
            if not torch.is_grad_enabled():
                self._end_step()
        return result if self._noise is not None else None

    def _watch(self, tensor, label, module, line, around, readers: list[str]) -> None:
        """`readers`: modules that get the tensor as it is, known when its gradient is."""
        if not tensor.requires_grad or not torch.is_grad_enabled() or tensor.is_leaf:
            return

        def run(gradient):
            if torch.compiler.is_compiling():
                return None
            self._add("gradient", label, gradient, module, line,
                      reader=readers[0] if readers else "", within=around)
            return self._noise(gradient) if self._noise is not None else None
        with contextlib.suppress(RuntimeError):  # of a view that custom functions made
            tensor.register_hook(run)

    # --- updates --------------------------------------------------------------------------

    def _before_update(self, optimizer, args, kwargs) -> None:
        if torch.compiler.is_compiling():
            return
        self._running.clear()

    def _after_update(self, optimizer, args, kwargs) -> None:
        if torch.compiler.is_compiling():
            return
        line = line_of_script()
        for group_number, group in enumerate(optimizer.param_groups):
            for number, each in enumerate(group["params"]):
                ref, name = self._parameters.get(id(each), (lambda: None, ""))
                if ref() is not each:
                    name = f"group {group_number} parameter {number}"
                if each.grad is not None:
                    self._add("updated parameter", name, each, type(optimizer).__name__, line)
        self._end_step()

    def _end_step(self) -> None:
        self._calls.clear()
        self.step += 1
        if self._steps and self.step >= self._steps:
            raise Stop

    # --- values ---------------------------------------------------------------------------

    def _add(self, kind, name, tensor, module, line="", **more) -> None:
        if tensor is None or getattr(self._busy, "inside", False) or not tensor.numel() or \
                tensor.layout is not torch.strided:
            return
        self._busy.inside = True
        try:
            with self._lock, torch.no_grad():
                event = Event(self.step, kind, name, module, more.pop("type", ""), line,
                              list(tensor.shape), str(tensor.dtype)[6:], "", 0.0, **more)
                plain = tensor.detach().as_subclass(torch.Tensor)
                self._pending.append((event, plain.clone()))
                self._held += tensor.numel() * tensor.element_size()
                if self._held > _HELD:
                    self._flush()
        finally:
            self._busy.inside = False

    def _flush(self) -> None:
        with self._lock, torch.no_grad():
            for event, tensor in self._pending:
                host = tensor.cpu().contiguous()
                raw = host.reshape(-1).view(torch.uint8) if not host.dtype.is_complex else \
                    torch.view_as_real(host.resolve_conj()).reshape(-1).view(torch.uint8)
                event.digest = hashlib.blake2b(raw.numpy().data, digest_size=8).hexdigest()
                numbers = numbers_of(host)
                finite = numbers[numpy.isfinite(numbers)][:None if host.numel() <= ALL else SAMPLES]
                event.largest = float(numpy.abs(finite).max()) if finite.size else 0.0
                if host.numel() > ALL and host.dtype.is_floating_point:
                    largest = host.float().abs()
                    largest = largest[largest.isfinite()]
                    event.largest = float(largest.max()) if largest.numel() else 0.0
                event.begin, event.count = self._offset, numbers.size
                self._offset += numbers.size
                self._values.write(numbers.astype("<f8").tobytes())
                self._events.write(json.dumps(dataclasses.asdict(event)) + "\n")
            self._pending.clear()
            self._held = 0


def _tensors(value) -> Iterator[torch.Tensor]:
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from _tensors(each)
    elif isinstance(value, (list, tuple)):
        for each in value:
            yield from _tensors(each)
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        for each in dataclasses.fields(value):
            yield from _tensors(getattr(value, each.name))


def _mapped(value, function):
    if isinstance(value, torch.Tensor):
        return function(value)
    if type(value) in (list, tuple):
        return type(value)(_mapped(each, function) for each in value)
    return value


class Record:
    """A folder that a Recorder has written."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        if not os.path.isfile(os.path.join(folder, "record.json")):
            raise ValueError(f"{folder} has no record.json: python -m gaudi_mlir.bisect "
                             "--record DIR makes such a folder")
        with open(os.path.join(folder, "record.json"), encoding="utf-8") as file:
            about = json.load(file)
        self.draws: bool = about["draws"]
        self.on_card: list[str] = about["on_card"]
        values = os.path.join(folder, "values.f64")
        self._values = numpy.memmap(values, dtype="<f8", mode="r") if os.path.getsize(values) else \
            numpy.zeros(0)

    def steps(self) -> Iterator[list[Event]]:
        """The values of each step, in order."""
        step: list[Event] = []
        with open(os.path.join(self._folder, "events.jsonl"), encoding="utf-8") as file:
            for line in file:
                event = Event(**json.loads(line))
                if step and event.step != step[0].step:
                    yield step
                    step = []
                step.append(event)
        if step:
            yield step

    def numbers(self, event: Event) -> numpy.ndarray:
        return self._values[event.begin:event.begin + event.count]
