# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a script does while it runs, in steps, for the checklist: optimizers, modules, loaders,
copies, reads, graphs, and the predicted times of the card.

A step ends where an optimizer has updated parameters; where a script has none, where a module has
been called, else at mark_step. Events are kept in their order, and are put into steps afterwards.
"""
import collections
import dataclasses
import json
import os
import sys
import sysconfig
import tempfile
import threading
import time
import warnings
from collections.abc import Callable

import torch
from torch.optim import optimizer as _optimizer

from gaudi_mlir.torch import report as _report

from . import _C, _script
from ._device import INTERNAL

# What a script imports from elsewhere is not its own, either.
_LIBRARIES = tuple(os.path.join(path, "") for path in {
    sysconfig.get_paths()[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")})
_OTHERS = ("<", *INTERNAL, *_LIBRARIES)

OPTIMIZER, CALL, MARK = "optimizer", "call", "mark_step"


def line() -> str:
    """Of the script, that the calling thread runs: "file:line"."""
    # Threads of autograd work for the script, which waits in backward().
    for frame in (sys._getframe(1), sys._current_frames().get(threading.main_thread().ident)):
        while frame is not None:
            file = frame.f_code.co_filename
            if not file.startswith(_OTHERS):
                return f"{file}:{frame.f_lineno}"
            frame = frame.f_back
    return ""


@dataclasses.dataclass
class Event:
    """What may end a step, and what happened since the one before."""
    kind: str
    where: str
    has_gradients: bool
    seconds: float
    clock: int  # time of the host on the card, in ps
    notes: dict[tuple[str, str, str], list[int]]  # kind, text, line: count, bytes
    graphs: list  # that were compiled
    runs: collections.Counter  # graphs that ran
    cuts: collections.Counter  # (reason, where)
    loader_seconds: float = 0.0
    samples: int = 0
    update: tuple[int, int] | None = None  # clocks around an optimizer's step()
    variants: list = dataclasses.field(default_factory=list)
    """What torch.compile has compiled: (where, what)."""
    compiled: list = dataclasses.field(default_factory=list)
    """What eager mode has compiled: (where, op)."""


@dataclasses.dataclass
class Module:
    """An outermost module that a script calls."""
    name: str
    where: str
    is_graphed: bool
    count: int = 0
    with_gradients: int = 0


@dataclasses.dataclass
class Optimizer:
    name: str
    where: str  # it was made
    is_fused: bool
    parameters: int = 0
    elements: int = 0
    updated_at: str = ""
    count: int = 0


@dataclasses.dataclass
class Loader:
    where: str
    workers: int
    pins: bool
    batch: int | None
    batches: int = 0
    times: list[float] = dataclasses.field(default_factory=list)

    def seconds(self) -> float:
        """Of a batch: a quarter takes no longer, whatever else this host does."""
        return sorted(self.times)[len(self.times) // 4]


@dataclasses.dataclass
class Attention:
    where: str
    shapes: tuple
    dtype: torch.dtype
    count: int = 0


class Observation:
    """From its construction on; `on_step(where)` is called where a step may end."""

    def __init__(self, on_step: Callable[[str, str], None]) -> None:
        self.on_step = on_step
        self.events: list[Event] = []
        self.modules: dict[tuple[str, str], Module] = {}
        # Each object keeps its own, too: another may have its id() later.
        self.optimizers: list[Optimizer] = []
        self.loaders: list[Loader] = []
        self.clips: collections.Counter = collections.Counter()
        self.attentions: dict[tuple, Attention] = {}
        self.shared: list[tuple[str, list[str], int, bool]] = []
        """Parameters that were one before a module was moved: where, names, bytes, and whether
        they still are."""
        self.fused_lines: set[str] = set()
        """Where fused kernels of hpex are called that end graphs themselves."""
        self.recipes: list[tuple[str, object]] = []  # of eager mode: op, recipe
        self._depth = 0
        self._loader_seconds = self._samples = 0
        self._variants: list = []
        self._compiled: list = []
        self._begin_update = 0
        self._has_trace = False
        self.trace: list[dict] = []
        self.trace_card = 0
        self._known = 0
        _script.take_notes()
        _C.take_cuts()
        _script.keep(by="the checklist", values=True)
        _C.set_internal([*INTERNAL, *_LIBRARIES])
        self._install()

    # --- hooks ---------------------------------------------------------------------------

    def _install(self) -> None:
        _optimizer.register_optimizer_step_pre_hook(self._begin_step)
        _optimizer.register_optimizer_step_post_hook(self._end_step)
        # The hooks of all modules that follow do not mind being called for a compiled one, too.
        warnings.filterwarnings("ignore", message="Using `torch.compile\\(module\\)` when there")
        modules = torch.nn.modules.module
        modules.register_module_forward_pre_hook(self._enter)
        modules.register_module_forward_hook(self._leave, always_call=True)
        self._around(_optimizer.Optimizer, "__init__", self._made_optimizer)
        self._around(torch.utils.data.DataLoader, "__init__", self._made_loader)
        self._time_loaders()
        self._around(torch.nn.Module, "_apply", None, self._moved)
        clip = self._counting(torch.nn.utils.clip_grad_norm_, self._clipped)
        torch.nn.utils.clip_grad_norm_ = torch.nn.utils.clip_grad.clip_grad_norm_ = clip
        functional = torch.nn.functional
        functional.scaled_dot_product_attention = self._counting(
            functional.scaled_dot_product_attention, self._attends)
        mark = _script.mark

        def marked() -> None:
            mark()
            where = line()
            if _is_fused(sys._getframe(1)):
                self.fused_lines.add(where)  # the kernel ends a graph, not the script
            else:
                self._event(MARK, where)
        _script.mark = marked
        variant = _report.Graph.variant

        def new_variant(graph, sizes):
            if graph.compiled:
                self._variants.append((line(), f"sizes {sizes}" if sizes else graph.name))
            return variant(graph, sizes)
        _report.Graph.variant = new_variant
        new_graph = _report.new_graph

        def made_graph(kind):
            self._variants.append((line(), ""))
            return new_graph(kind)
        _report.new_graph = made_graph
        from . import _eager
        make = _eager._OpCompiler.make_launch

        def made_launch(compiler, recipe, *rest):
            self.recipes.append((compiler.record.name, recipe))
            self._compiled.append((line(), compiler.record.name))
            return make(compiler, recipe, *rest)
        _eager._OpCompiler.make_launch = made_launch

    @staticmethod
    def _around(owner, name: str, after, around=None) -> None:
        """Calls `after(self, line, args, named)` after the method, or `around` instead of it."""
        method = getattr(owner, name)

        def called(self, *args, **named):
            if torch.compiler.is_compiling():
                return method(self, *args, **named)
            if around is not None:
                return around(method, self, *args, **named)
            result = method(self, *args, **named)
            after(self)
            return result
        called.__wrapped__, called.__name__, called.__doc__ = method, name, method.__doc__
        setattr(owner, name, called)

    @staticmethod
    def _counting(function, note):
        def called(*args, **named):
            if not torch.compiler.is_compiling():
                note(*args, **named)
            return function(*args, **named)
        called.__wrapped__, called.__name__ = function, function.__name__
        called.__doc__ = function.__doc__
        return called

    def _clipped(self, *_, **__) -> None:
        self.clips[line()] += 1

    def _attends(self, query=None, key=None, *_, **__) -> None:
        if query is None or key is None:
            return  # the function says what it misses
        if query.device.type != "hpu" or _is_ours(sys._getframe(2)):
            return
        where = line()
        kind = (where, tuple(query.shape), tuple(key.shape))
        known = self.attentions.setdefault(
            kind, Attention(where, (tuple(query.shape), tuple(key.shape)), query.dtype))
        known.count += 1

    def _made_optimizer(self, made) -> Optimizer:
        known = made._gaudi_optimizer = Optimizer(
            type(made).__name__, line(),
            type(made).__module__.startswith("habana_frameworks"))
        self.optimizers.append(known)
        return known

    def _made_loader(self, made) -> None:
        made._gaudi_loader = Loader(line(), made.num_workers, bool(made.pin_memory),
                                    made.batch_size)
        self.loaders.append(made._gaudi_loader)

    def _time_loaders(self) -> None:
        from torch.utils.data import DataLoader
        make = DataLoader.__iter__
        base = torch.utils.data.dataloader._BaseDataLoaderIter
        following = base.__next__

        def iterate(loader):
            iterator = make(loader)
            iterator._gaudi_loader = getattr(loader, "_gaudi_loader", None)
            return iterator

        def timed(iterator):
            begin = time.perf_counter()
            batch = following(iterator)
            seconds = time.perf_counter() - begin
            self._loader_seconds += seconds
            known = getattr(iterator, "_gaudi_loader", None)
            if known is not None:
                known.batches += 1
                if len(known.times) < 1000:
                    known.times.append(seconds)
            return batch
        DataLoader.__iter__, base.__next__ = iterate, timed

    def _moved(self, method, module, *args, **named):
        """Finds parameters that were one tensor of the host and are two of the card."""
        if self._depth_of_moves:
            return method(module, *args, **named)
        self._depth_of_moves = 1
        try:
            groups = _shared_parameters(module)
            result = method(module, *args, **named)
        finally:
            self._depth_of_moves = 0
        for names, _ in groups:
            now = [dict(module.named_parameters(remove_duplicate=False)).get(name)
                   for name in names]
            if any(each is None or each.device.type != "hpu" for each in now):
                continue
            bytes_each = now[0].numel() * now[0].element_size()
            is_one = len({id(each) for each in now}) == 1 or \
                len({each.data_ptr() for each in now}) == 1
            self.shared.append((line(), names, bytes_each * (len(names) - 1), is_one))
        return result

    _depth_of_moves = 0

    def _begin_step(self, which, *_) -> None:
        if torch.compiler.is_compiling():
            return
        self._begin_update = self._clock()

    def _end_step(self, which, *_) -> None:
        if torch.compiler.is_compiling():
            return
        known = vars(which).get("_gaudi_optimizer") or self._made_optimizer(which)
        known.updated_at = line()
        known.count += 1
        if not known.parameters:
            found = [each for group in which.param_groups for each in group["params"]
                     if each.device.type == "hpu"]
            known.parameters = len(found)
            known.elements = sum(each.numel() for each in found)
        self._event(OPTIMIZER, known.updated_at, (self._begin_update, self._clock()))

    def _enter(self, module, args) -> None:
        if torch.compiler.is_compiling():
            return
        self._depth += 1
        if self._depth > 1:
            return
        tensor = next((each for each in args if isinstance(each, torch.Tensor) and each.dim()),
                      None)
        if tensor is not None:
            self._samples = tensor.shape[0]

    def _leave(self, module, args, result) -> None:
        if torch.compiler.is_compiling():
            return
        self._depth = max(0, self._depth - 1)
        if self._depth:
            return
        of_card = next((each.device.type == "hpu" for each in module.parameters()), None)
        if of_card is None:
            # A loss, or an activation function: no step ends there.
            return
        where, name = line(), type(module).__name__
        inner = getattr(module, "_orig_mod", module)
        known = self.modules.setdefault((where, name), Module(
            type(inner).__name__, where,
            "forward" in vars(module) or inner is not module or "forward" in vars(inner)))
        known.count += 1
        known.with_gradients += torch.is_grad_enabled()
        self._event(CALL, where)

    # --- events --------------------------------------------------------------------------

    def _clock(self) -> int:
        return _C.clock(-1)["host"] if _C.is_open(-1) else 0

    def _event(self, kind: str, where: str, update=None) -> None:
        if not where or torch._C._current_graph_task_id() != -1:
            return  # of a checkpoint in a backward
        self._add(kind, where, update)
        if not self._has_trace and _C.is_open(-1):
            self._has_trace = True
            self.trace_card = _C.current_device()
            try:
                _C.begin_trace(self.trace_card)
            except RuntimeError:
                pass  # a profiler of the script has begun one
        self.on_step(kind, where)

    def _add(self, kind: str, where: str, update=None) -> None:
        notes: dict = {}
        for what, text, file, number, count, size in _script.take_notes():
            known = notes.setdefault((what, text, f"{file}:{number}" if file else ""), [0, 0])
            known[0] += count
            known[1] += size
        runs: collections.Counter = collections.Counter()
        cuts: collections.Counter = collections.Counter()
        for reason, file, number, graph, steps, *_ in _C.take_cuts():
            if steps:
                runs[graph] += 1
                cuts[reason, f"{file}:{number}" if file else ""] += 1
        fresh = [graph for number, graph in _script.graphs.items() if number > self._known]
        self._known = max([self._known, *(graph.number for graph in fresh)])
        self.events.append(Event(
            kind, where, torch.is_grad_enabled(), time.perf_counter(), self._clock(), notes, fresh,
            runs, cuts, self._loader_seconds, self._samples, update, self._variants,
            self._compiled))
        self._loader_seconds, self._variants, self._compiled = 0.0, [], []

    def end(self) -> None:
        """Waits for the card."""
        if not _C.is_open(-1):
            return
        torch.hpu.synchronize()
        self._add("end", "")
        if self._has_trace:
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "trace.json")
                try:
                    _C.write_trace(self.trace_card, path)
                except RuntimeError:
                    return  # a profiler of the script has ended it
                with open(path, encoding="utf-8") as file:
                    self.trace = json.load(file)["traceEvents"]


def _is_fused(frame) -> bool:
    """Whether mark_step is called by a fused kernel."""
    while frame is not None and frame.f_code.co_filename.startswith(INTERNAL[-1]):
        if f"{os.sep}hpex{os.sep}" in frame.f_code.co_filename:
            return True
        frame = frame.f_back
    return False


def _is_ours(frame) -> bool:
    """Whether a call comes from a fused kernel of this package."""
    return frame is not None and frame.f_code.co_filename.startswith(INTERNAL[-1])


def _shared_parameters(module: torch.nn.Module) -> list[tuple[list[str], list]]:
    """Names of parameters that are the same memory, all of it."""
    groups: dict = {}
    for name, each in module.named_parameters(remove_duplicate=False):
        if each.device.type == "cpu" and each.numel():
            groups.setdefault((each.data_ptr(), each.shape), []).append((name, each))
    return [([name for name, _ in group], [each for _, each in group])
            for group in groups.values() if len(group) > 1]


class Counter:
    """Which events count as steps while a script runs: updates, and calls without gradients. Other
    calls may be parts of a step, and count a sixteenth; so do marks, unless there is no model."""

    def __init__(self, step: Callable[[str], None]) -> None:
        self.step = step
        self.parts = 0
        self.has_model = False
        self.marked_at = ""

    def event(self, kind: str, where: str) -> None:
        self.has_model |= kind != MARK
        if kind == MARK:
            # Twice at one line, and nothing else in between.
            counts, self.marked_at = self.marked_at == where, where
            if not counts:
                return
        else:
            self.marked_at = ""
        if kind == MARK and self.has_model or kind == CALL and torch.is_grad_enabled():
            self.parts += 1
            if self.parts % 16:
                return
        else:
            self.parts = 0
        self.step(where)


# --- the card's time ---------------------------------------------------------------------------

_STREAMS = 10_000  # tracks of a card below it are streams


_ISSUING = ("Copy", "Launch", "Fill")


@dataclasses.dataclass
class Call:
    """Of the host, to the runtime."""
    name: str
    begin: float  # us
    duration: float
    work: float = 0.0  # of the card, that it issues
    of: str = ""  # the name of the work
    waits: bool = False  # for the card


def calls_of(trace: list[dict]) -> list[Call]:
    """The calls of a trace in their order, with the work that they issue. A backward pass is in the
    time of its caller, whatever thread runs it."""
    calls: list[Call] = []
    end = 0.0
    for each in sorted((each for each in trace if each["ph"] == "X" and each["pid"] == 2),
                       key=lambda each: each["ts"]):
        begin, duration = each["ts"], each.get("dur", 0)
        # The host makes calls all the time, but where it waits.
        if calls and begin - end > 0.01:
            calls[-1].waits = True
        calls.append(Call(each["name"], begin, duration))
        end = max(end, begin + duration)
    works = collections.deque(sorted(
        (each["ts"], each.get("dur", 0), each["name"]) for each in trace
        if each["ph"] == "X" and each["pid"] == 1 and each["tid"] < _STREAMS))
    issuing = sum(call.name in _ISSUING for call in calls)
    replays = sum(call.name == "GraphReplay" for call in calls)
    of_replay = max(0, len(works) - issuing) // replays if replays else 0
    for call in calls:
        count = 1 if call.name in _ISSUING else of_replay if call.name == "GraphReplay" else 0
        for _ in range(min(count, len(works))):
            _, duration, call.of = works.popleft()
            call.work += duration
    return calls


def replay(calls: list[Call], change: Callable[[Call], Call | None] = lambda call: call) -> float:
    """The time of the calls, in us, if each were what `change` makes of it; None leaves it out."""
    host = card = 0.0
    for call in calls:
        call = change(call)
        if call is None:
            continue
        host += call.duration
        if call.work:
            card = max(card, host) + call.work
        if call.waits:
            host = max(host, card)
    return max(host, card)
