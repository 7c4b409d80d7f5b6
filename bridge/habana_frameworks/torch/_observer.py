# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Launches, as those see them who ask: what was compiled, what it reads, what it makes.

A watcher has `begin(launch)`, `end(launch)` and `failed(launch, text)`. The extension module calls
while there is one; what was compiled before is known without its graph.
"""
import dataclasses
import functools
import itertools
import os
import sys
import threading
import weakref
from typing import Any

import torch

from gaudi_mlir.torch import places

from . import _C, _script


@dataclasses.dataclass
class Subject:
    """A program, or an op on the CPU."""
    name: str
    kind: str = ""
    """ "eager", "lazy", "compile" or "cpu"."""
    graph: torch.fx.GraphModule | None = None
    """What it was compiled of."""
    compiled: Any = None
    """gaudi_mlir.torch.segment.Compiled, with its recipe."""

    @property
    def is_dense(self) -> bool:
        """The values of a graph of lazy mode are row-major."""
        return self.kind == "lazy"

    @functools.cached_property
    def time_us(self) -> float:
        """Of one launch on the card, as predicted."""
        return self.compiled.recipe.predict().time_us

    def __str__(self) -> str:
        return {"eager": f"eager op {self.name}", "cpu": f"{self.name} on the CPU"}.get(
            self.kind, self.name)


_LOOK_AT = 1000
_look_at = _LOOK_AT  # programs that are known
_strong: dict[int, Subject] = {}
_compiled: "weakref.WeakValueDictionary[int, Any]" = weakref.WeakValueDictionary()
_watchers: list = []
_numbers = itertools.count(1)
_lock = threading.RLock()


def is_watched() -> bool:
    return bool(_watchers)


def know(program: "_C.Program", launch, kind: str) -> None:
    """Of a program that was just made: a watcher may ask for it."""
    global _look_at
    if not _watchers:
        return
    _strong[program.number] = Subject(program.title, kind, launch.graph, launch.compiled)
    if len(_strong) > _look_at:
        forget()
        _look_at = max(_LOOK_AT, 2 * len(_strong))


def forget() -> None:
    """What is known of programs that are gone."""
    known = set(_strong)  # before it is asked who lives: others may be made meanwhile
    for number in known.difference(_C.living_programs()):
        _strong.pop(number, None)


def know_launch(launch) -> None:
    """Of one that lives as long as its graph of torch.compile."""
    _compiled[launch.program.number] = launch


def _subject(program: int, name: str) -> Subject:
    if not program:
        return Subject(name, "cpu")
    if program in _strong:
        return _strong[program]
    launch = _compiled.get(program)
    if launch is None:
        return Subject(name)
    return Subject(name, "compile", launch.graph, launch.compiled)


class Launch:
    """One launch; tensors are as the program has them in memory."""

    def __init__(self, program: int, name: str, inputs: list, outputs: list) -> None:
        self.number = next(_numbers)
        self.subject = _subject(program, name)
        self.inputs: list[torch.Tensor] = inputs
        self._known = outputs
        self.outputs: list[torch.Tensor] = []
        self.eager_place: places.Place | None = None
        if self.subject.kind in ("eager", "cpu"):
            file, line, module, is_backward = _C.last_place()
            self.eager_place = places.Place(module, is_backward, file or "", line)
        self._copies: dict[int, torch.Tensor] = {}
        self._made: list[torch.Tensor] | None = None

    def keep_inputs(self) -> None:
        """Of inputs that the launch may overwrite, before it does."""
        written = [each for each in self._known if each is not None]
        for place, each in enumerate(self.inputs):
            if self.subject.kind == "cpu" or any(_overlap(each, other)
                                                 for other in written):
                self._copies[place] = self._on_host(place)

    def _on_host(self, place: int) -> torch.Tensor:
        tensor = self.inputs[place]
        graph = self.subject.graph
        values = graph and graph.graph.find_nodes(op="placeholder")
        wanted = values[place].meta["val"] if values and place < len(values) else None
        with torch.no_grad():
            return _as(tensor, wanted)

    def given(self) -> list[torch.Tensor]:
        """The inputs on the host, with the sizes that the graph has."""
        return [self._copies[place] if place in self._copies else self._on_host(place)
                for place in range(len(self.inputs))]

    def made(self) -> list[torch.Tensor]:
        """The outputs on the host, in the order of memory."""
        if self._made is None:
            graph = self.subject.graph
            wanted = [None] * len(self.outputs) if graph is None else \
                [each.meta.get("val") for each in
                 next(iter(graph.graph.find_nodes(op="output"))).args[0]]
            with torch.no_grad():
                self._made = [_as(*each) for each in zip(self.outputs, wanted)]
        return self._made

    # What the extension module calls.

    def end(self, outputs: list) -> None:
        self.outputs = outputs
        for each in list(_watchers):
            each.end(self)

    def failed(self, text: str) -> None:
        for each in list(_watchers):
            try:
                each.failed(self, text)
            except Exception as error:  # the script gets what the launch has raised
                log(type(each).__name__, f"{self.subject}, launch {self.number}, which has failed, "
                    f"cannot be looked at: {error}")


def _overlap(a: torch.Tensor, b: torch.Tensor) -> bool:
    return a.device == b.device and a.untyped_storage().data_ptr() == b.untyped_storage().data_ptr()


def in_memory(tensor: torch.Tensor, wanted: torch.Tensor) -> torch.Tensor:
    """A tensor with the sizes of `wanted`, row-major from where it begins in memory."""
    if tensor.is_complex() and not wanted.is_complex():
        tensor = torch.view_as_real(tensor)
    if tensor.device.type == "hpu" and wanted.numel():
        strides = torch.empty(wanted.shape, device="meta").stride()
        tensor = tensor.as_strided(wanted.shape, strides, tensor.storage_offset())
    return tensor


def _as(tensor: torch.Tensor, wanted: torch.Tensor | None) -> torch.Tensor:
    """A tensor on the host, with the sizes and the type of `wanted`."""
    host = (tensor if wanted is None else in_memory(tensor, wanted)).detach().cpu()
    if wanted is not None:
        host = host.reshape(wanted.shape).to(wanted.dtype)
    return host


def _begin(program: int, name: str, inputs: list, outputs: list) -> Launch:
    launch = Launch(program, name, inputs, outputs)
    for each in list(_watchers):  # without a lock: they read tensors, which may wait for others
        each.begin(launch)
    return launch


def watch(watcher) -> None:
    """From now on it sees launches. Ops are compiled again, so that their graphs are known."""
    # Without the lock: it waits for other threads, which may watch, too.
    _C.cut_all("launches are observed from here on")
    with _lock:
        _watchers.append(watcher)
        if len(_watchers) == 1:
            _C.reset_eager()
            _script.keep(by="launches are observed")
            _C.set_observer(_begin)


def unwatch(watcher) -> None:
    try:
        _C.cut_all("launches are not observed any more")
    finally:  # a launch may fail, or a check of it
        with _lock:
            _watchers.remove(watcher)
            if not _watchers:
                _C.set_observer(None)
                _script.keep(False, by="launches are observed")
                _strong.clear()


def observed_on_cpu(name: str, kind: str, graph: torch.fx.GraphModule, function):
    """A step of lazy mode that the host computes, as a function of a list of tensors."""
    subject = Subject(name, kind, graph)

    @functools.wraps(function)
    def run(inputs: list) -> list:
        if not _watchers:
            return function(inputs)
        launch = Launch(0, name, inputs, [])
        launch.subject, launch.eager_place = subject, None
        for each in list(_watchers):
            each.begin(launch)
        made = function(inputs)
        launch.end(made)
        return made
    return run


# --- op by op --------------------------------------------------------------------------------


def on_card(subject: Subject, inputs: list[torch.Tensor]) -> dict[torch.fx.Node, torch.Tensor]:
    """What the card computes for each op of a graph, if all of them are results; on the host, in
    the order of memory. Empty if that is no single launch."""
    from gaudi_mlir.torch import report
    from gaudi_mlir.torch.errors import LoweringError
    from gaudi_mlir.torch.launch import order_of

    from . import _cards, _eager, _lazy
    graph = torch.fx.Graph()
    copies: dict = {}
    graph.graph_copy(subject.graph.graph, copies)
    for node, copy in copies.items():
        copy.meta = dict(node.meta)
    nodes, given = [], []
    for node in subject.graph.graph.nodes:
        value = node.meta.get("val")
        if node.op != "call_function" or not isinstance(value, torch.Tensor) or \
                value.is_complex() or _is_view(node) or not value.numel():
            continue
        order = list(range(value.dim())) if subject.is_dense else order_of(value.stride())
        if not subject.is_dense and not value.permute(order).is_contiguous():
            continue
        copy = copies[node]
        if order != sorted(order):  # a launch writes memory
            copy = graph.call_function(torch.ops.aten.permute.default, (copy, order))
            copy.meta = {"val": value.new_empty([value.shape[dim] for dim in order])}
        nodes.append((node, order))
        given.append(copy)
    graph.output(tuple(given))
    gm = torch.fx.GraphModule(subject.graph, graph)
    compiler = _lazy._Compiler(gm, _cards.kind(), set(), report.Graph(subject.name, "lazy"))
    try:
        with _lazy.tracing(), torch.no_grad():
            compiler.compile()
            launch, slots, outputs = compiler.direct
            program = _C.Program(launch.recipe._core.handle, subject.name,
                                 [_cards._result(each) for each in launch.outputs])
            made = program.launch([inputs[slot].to("hpu") for slot in slots])
    except (_eager._OnCpu, LoweringError, RuntimeError):
        return {}
    values = {}
    for (node, order), output in zip(nodes, outputs):
        shape = node.meta["val"].shape
        memory = made[output].cpu().reshape([shape[dim] for dim in order])
        values[node] = memory.permute([order.index(dim) for dim in range(len(order))])
    return values


def _is_view(node: torch.fx.Node) -> bool:
    """Whether it computes nothing."""
    schema = getattr(node.target, "_schema", None)
    return schema is None or any(each.alias_info is not None for each in schema.returns)


def place_of(launch: Launch, at: places.Place) -> places.Place:
    """The place of an op of a launch: of an eager one where it was called."""
    return launch.eager_place or at


def process() -> str:
    """Tells the files of this process from those of others: "4711", "rank3-4711"."""
    rank = os.environ.get("RANK", "").strip()
    return f"rank{rank}-{os.getpid()}" if rank.isdigit() else str(os.getpid())


def log(head: str, text: str) -> None:
    """To the standard error output, as a whole."""
    print(f"{head}: {text}", file=sys.stderr, flush=True)

