# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What was compiled and why: graphs, graph breaks, recompiles, sizes and times."""
import collections
import dataclasses
import itertools
import logging
import os
import weakref
from collections.abc import Callable

import gaudi_mlir
from gaudi_mlir._text import bytes_text, plural, table, time_text

from . import fallback, recompiles

log = logging.getLogger("gaudi_mlir.torch")

# The newest; what they hold of a launch is its count, so that memory of the device is freed.
_graphs: collections.deque["Graph"] = collections.deque(maxlen=1000)
MAX_VARIANTS = 100  # of one graph
_numbers = itertools.count()
_warned: set[str] = set()


@dataclasses.dataclass
class Segment:
    """A part of a graph that is one recipe."""
    ops: int
    lower_seconds: float
    compile_seconds: float
    from_cache: bool
    cache: str
    """"hit in memory", "hit on disk", or why the recipe was not in the cache."""
    hash: str
    """Of the recipe."""
    _concerns_disk: bool = dataclasses.field(repr=False)
    _compiled: weakref.ref = dataclasses.field(repr=False)
    _count: list[int] = dataclasses.field(repr=False)
    _launch: weakref.ref = dataclasses.field(repr=False)
    _prediction: tuple[float | None, str | None, str] | None = dataclasses.field(default=None,
                                                                                 repr=False)

    def predict(self) -> tuple[float | None, str | None, str]:
        """Predicts a launch, once: that takes longer than compiling. Nothing is known if the
        recipe has gone before."""
        if self._prediction is None:
            recipe = self.recipe
            self._prediction = _predicted(recipe) if recipe else (None, None, "")
        return self._prediction

    @property
    def predicted_us(self) -> float | None:
        """Time of a launch on the card."""
        return self.predict()[0]

    @property
    def wide_products(self) -> str | None:
        """Of products in f32 although their operands are narrower: how many, and why."""
        return self.predict()[1]

    @property
    def fused(self) -> str:
        """The kinds of fused ops, how many there are, and what they save of a launch."""
        return self.predict()[2]

    @property
    def launches(self) -> int:
        return self._count[0]

    def memory(self) -> tuple[dict[int, int], int] | None:
        """Bytes of the parameters that it reads where they are, by address, and of all else that
        its recipe needs; None if the function has gone, or is not one of the host's tensors."""
        launch, recipe = self._launch(), self.recipe
        held = launch.bound() if hasattr(launch, "bound") else None
        if recipe is None or held is None:
            return None
        return held, max(recipe.memory.total - sum(held.values()), 0)

    @property
    def recipe(self) -> "gaudi_mlir.Recipe | None":
        """None once the compiled function is gone."""
        compiled = self._compiled()
        return compiled and compiled.recipe

    @property
    def named_recipe(self) -> "gaudi_mlir.Recipe | None":
        """The same, whose locations are modules and lines of the program."""
        compiled = self._compiled()
        return compiled and compiled.named_recipe()

    @property
    def mlir(self) -> str | None:
        """The text; None once the compiled function is gone."""
        compiled = self._compiled()
        return compiled and compiled.text


def _predicted(recipe: "gaudi_mlir.Recipe") -> tuple[float | None, str | None, str]:
    """The time of a launch, what is said of products that could be narrow, and what is fused."""
    try:
        prediction = recipe.predict()
    except gaudi_mlir.Error:
        return None, None, ""
    counts, wide = prediction.json["fusions"]["counts"], None
    for count in counts:
        missed = count["candidates"] - count["fused"]
        if count["kind"] == "narrow_product" and missed:
            wide = f"{plural(missed, 'product')} in f32 although the operands are narrower: " \
                f"{count['line']}"
    return prediction.time_us, wide, ", ".join(_fused_text(each) for each in counts
                                               if each["fused"] and
                                               each["kind"] != "narrow_product")


def _fused_text(count: dict) -> str:
    """ "attention 2", "adamw 1 (148 parameters)", "rms norm 1 (saves 20.0 us)"."""
    name, _, rest = count["line"].rpartition(f" {count['fused']}/{count['candidates']}")
    notes = [rest.strip()[1:].partition(")")[0]] if rest.startswith(" (") else []
    if count["saved_us"]:
        notes.append(f"saves {time_text(count['saved_us'])}")
    return f"{name} {count['fused']}" + (f" ({', '.join(notes)})" if notes else "")


@dataclasses.dataclass
class Graph:
    """A graph of torch.compile, for one combination of sizes."""
    name: str
    kind: str
    """forward, backward or inference."""
    sizes: dict[str, object] = dataclasses.field(default_factory=dict)
    """Of the inputs whose sizes vary."""
    segments: list[Segment] = dataclasses.field(default_factory=list)
    draws_on: list[str] = dataclasses.field(default_factory=list)
    """Where its random numbers are drawn: "device", "host"."""
    op_by_op: dict[str, str] = dataclasses.field(default_factory=dict)
    """On hpu: ops that are in no launch of the graph, and why."""
    variants: list["Graph"] = dataclasses.field(default_factory=list)
    """The combinations of sizes that were compiled, if sizes vary: the newest."""
    compiled: int = 0
    """How many there were."""
    operands: list[str] = dataclasses.field(default_factory=list)
    """Python numbers that recipes take as operands: a change compiles nothing."""
    dynamic: str = ""
    """On hpu, of a graph with dynamic sizes: how many recipes serve its sizes, and why."""
    constants: dict[str, str] = dataclasses.field(default_factory=dict)
    """Other Python numbers that may change, and why each value takes a recipe of its own."""

    def add(self, compiled, launch, ops: int) -> None:
        self.segments.append(Segment(
            ops, compiled.lower_seconds, compiled.compile_seconds, compiled.found.level != "miss",
            compiled.found.text, compiled.recipe.hash, compiled.found.concerns_disk,
            weakref.ref(compiled), launch.count, weakref.ref(launch)))

    def variant(self, sizes: dict[str, object]) -> "Graph":
        graph = Graph(f"{self.name}.{self.compiled}", self.kind, sizes)
        self.compiled += 1
        self.variants.append(graph)
        del self.variants[:-MAX_VARIANTS]
        if self.compiled > 1 and sizes:
            log.info("%s: compiled again for %s", self.name, _sizes_text(sizes))
        return graph

    def rows(self) -> list[list[str]]:
        rows = []
        for graph in [self, *self.variants]:
            for index, segment in enumerate(graph.segments):
                predicted = segment.predicted_us
                rows.append([
                    graph.name if index == 0 else "", graph.kind, str(segment.ops),
                    time_text(1e6 * segment.lower_seconds),
                    "cached" if segment.from_cache else time_text(1e6 * segment.compile_seconds),
                    "-" if predicted is None else time_text(predicted), str(segment.launches),
                    _sizes_text(graph.sizes)])
        return rows


@dataclasses.dataclass
class ScriptRecorder:
    """What a device whose ops wait for cuts knows of a script."""
    explain: Callable
    """Its report, or None if there is nothing to say."""
    record_lines: Callable[[bool], None]
    reset: Callable[[], None]


_recorders: list[ScriptRecorder] = []
_records_lines = False


def add_recorder(recorder: ScriptRecorder) -> None:
    """Reports have what it explains as `script`."""
    _recorders.append(recorder)
    if _records_lines:
        recorder.record_lines(True)


def record_lines(wanted: bool = True) -> None:
    """From now on the line and the module of each op of a script are known to `explain()`, which
    costs each op of lazy mode some microseconds."""
    global _records_lines
    _records_lines = wanted
    for each in _recorders:
        each.record_lines(wanted)


NOTHING = ("nothing was compiled since the start or reset(): call the function that torch.compile "
           "returned, with backend=\"gaudi\"; PyTorch itself compiles neither what "
           "torch.compiler.disable marks nor a wrapper such as DistributedDataParallel around a "
           "module of torch.nn alone (compile the module, or one of your own around it)")


@dataclasses.dataclass
class Step:
    """What a step of a program takes on the card: all launches, divided by the number of steps,
    which is how often its backward, or without one its graph, runs."""
    steps: int
    time_us: float
    by_kind: dict[str, float]
    """Of "forward", "backward" and "inference", to which compiled optimizers count."""
    needed: int | None
    """Bytes: parameters, and the largest that a graph needs beside them."""
    capacity: int

    @property
    def fits(self) -> bool:
        return (self.needed or 0) <= self.capacity

    def __str__(self) -> str:
        parts = ", ".join(f"{kind} {time_text(time)}" for kind, time in self.by_kind.items())
        text = f"a step: {time_text(self.time_us)} on the card ({parts})"
        if self.needed is not None:
            text += f"; needs {bytes_text(self.needed)} of {bytes_text(self.capacity)}: " + \
                ("fits" if self.fits else "does not fit")
        return text


@dataclasses.dataclass
class Report:
    """What `explain()` returns; its text is made for people."""
    graphs: list[Graph]
    graph_breaks: list[recompiles.GraphBreak]
    recompiles: list[recompiles.Recompile]
    fallbacks: dict[str, int]
    """Executions of ops on the CPU."""
    fallback_reasons: dict[str, str]
    script: object = None
    """On hpu in lazy mode: steps, cuts and what costs time (docs/hpu.md)."""

    def segments(self) -> list[tuple[Graph, Segment]]:
        return [(graph, segment) for each in self.graphs for graph in (each, *each.variants)
                for segment in graph.segments]

    @property
    def step(self) -> Step | None:
        """None if nothing was launched whose time is known, or if graphs were compiled again in a
        way that leaves open which of them make a step."""
        launched = [(graph, each) for graph, each in self.segments()
                    if each.launches and each.predicted_us is not None]
        # Sizes that vary share the calls of a graph, segments are parts of one.
        calls: dict[str, dict[str, int]] = {}
        for graph, each in launched:
            if each is next(part for part in graph.segments if part.launches):
                of_kind = calls.setdefault(graph.kind, {})
                name = graph.name.partition(".")[0]
                of_kind[name] = of_kind.get(name, 0) + each.launches
        counted = calls.get("backward") or next(iter(calls.values()), {})
        if not any(each.function for each in self.recompiles if each.location):
            steps = max(counted.values(), default=0)
        elif "backward" in calls and not self.graph_breaks:  # one graph for each step
            steps = sum(counted.values())
        else:
            steps = 0
        if not steps:
            return None
        times: dict[str, float] = {}
        for graph, each in launched:
            times[graph.kind] = times.get(graph.kind, 0.0) + \
                each.predicted_us * each.launches / steps
        memory = [each.memory() for _, each in launched]
        needed = None
        if None not in memory:
            parameters = {place: size for held, _ in memory for place, size in held.items()}
            needed = sum(parameters.values()) + max(rest for _, rest in memory)
        prediction = next((each.recipe.predict() for _, each in launched if each.recipe), None)
        capacity = prediction.memory["capacity"] if prediction else 0
        return Step(steps, sum(times.values()), times, needed if capacity else None, capacity)

    def html(self, path: str | os.PathLike, title: str = "") -> None:
        """Writes the graph that takes most of the card's time as a page."""
        found = [(each.predicted_us * each.launches, place) for place, (_, each) in
                 enumerate(self.segments()) if each.recipe and each.predicted_us is not None]
        if not found:
            raise ValueError("there is no graph to make a page of: nothing was compiled, or the "
                             "compiled functions are gone; call the function that torch.compile gave "
                             "before, and keep it")
        graph, segment = self.segments()[max(found)[1]]
        segment.named_recipe.html(path, title=title or graph.name)

    def __str__(self) -> str:
        lines = [*([str(self.script)] if self.script else []), f"graphs: {len(self.graphs)}"]
        rows = [row for graph in self.graphs for row in graph.rows()]
        if rows:
            head = ["graph", "kind", "ops", "lowering", "compilation", "on the card", "launches",
                    "sizes"]
            lines.append(table([head, *rows]))
        if not self.script and (step := self.step):
            lines.append(str(step))
        lines += [f"{graph.name}: recipe cache: {segment.cache}" for each in self.graphs
                  for graph in (each, *each.variants) for segment in graph.segments
                  if segment._concerns_disk]
        lines += [f"{graph.name}: fused: {segment.fused}" for each in self.graphs
                  for graph in (each, *each.variants) for segment in graph.segments
                  if segment.fused]
        lines += [f"{graph.name}: {segment.wide_products}" for each in self.graphs
                  for graph in (each, *each.variants) for segment in graph.segments
                  if segment.wide_products]
        lines += [f"{graph.name}: random numbers are drawn on the {' and '.join(graph.draws_on)}"
                  for each in self.graphs for graph in (each, *each.variants) if graph.draws_on]
        lines += [f"{graph.name}: numbers that are operands: {', '.join(graph.operands)}"
                  for graph in self.graphs if graph.operands]
        lines += [f"{graph.name}: {name} is a constant of each recipe: {reason}"
                  for graph in self.graphs for name, reason in graph.constants.items()]
        lines += [f"{graph.name}: {graph.dynamic}" for graph in self.graphs if graph.dynamic]
        lines += [f"{graph.name}: {op} by itself: {reason}" for each in self.graphs
                  for graph in (each, *each.variants) for op, reason in graph.op_by_op.items()]
        if not self.graphs and not self.script:
            lines.append("  " + NOTHING)
        lines.append(f"graph breaks: {len(self.graph_breaks)}")
        lines += [f"  {each}" for each in self.graph_breaks]
        lines.append(f"recompiles: {len(self.recompiles)}")
        lines += [f"  {each}" for each in self.recompiles]
        lines.append(f"ops on the CPU: {len(self.fallback_reasons)}")
        lines += [f"  {op}, executed {self.fallbacks.get(op, 0)} times: {reason}"
                  for op, reason in self.fallback_reasons.items()]
        return "\n".join(lines)

    __repr__ = __str__


def has_compiled() -> bool:
    """Whether there is something to explain."""
    return bool(_graphs) or any(each.explain() for each in _recorders)


def explain() -> Report:
    """What the backend has compiled since the start of the program, or since reset()."""
    if not has_compiled():
        log.warning("%s", NOTHING)
    again = [recompiles.Recompile(
        "", graph.name, f"sizes {_sizes_text(variant.sizes)}",
        "pad the inputs to a few sizes (buckets): each combination of sizes has a recipe")
        for graph in _graphs for variant in graph.variants[1:]
        if variant.sizes and not graph.dynamic]
    for graph in _graphs:
        for each in (graph, *graph.variants):
            for segment in each.segments:
                segment.predict()
    return Report(list(_graphs), recompiles.graph_breaks(), recompiles.recompiles() + again,
                  fallback.stats(), fallback.reasons(),
                  next(filter(None, (each.explain() for each in _recorders)), None))


def new_graph(kind: str) -> Graph:
    graph = Graph(f"fx_graph_{next(_numbers):03d}", kind)
    _graphs.append(graph)
    return graph


def warn_once(key: str, message: str) -> None:
    if key not in _warned:
        _warned.add(key)
        log.warning("%s", message)


def reset() -> None:
    global _numbers
    _graphs.clear()
    _warned.clear()
    _numbers = itertools.count()
    recompiles.reset()
    for each in _recorders:
        each.reset()


def _sizes_text(sizes: dict[str, object]) -> str:
    return " ".join(f"{name}={'x'.join(map(str, value)) if isinstance(value, list) else value}"
                    for name, value in sizes.items())
