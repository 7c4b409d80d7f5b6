# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What was compiled and why: graphs, graph breaks, recompiles, sizes and times."""
import collections
import dataclasses
import itertools
import logging
import weakref
from collections.abc import Callable

import gaudi_mlir
from gaudi_mlir._text import plural, table, time_text

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

    @property
    def recipe(self) -> "gaudi_mlir.Recipe | None":
        """None once the compiled function is gone."""
        compiled = self._compiled()
        return compiled and compiled.recipe

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
            weakref.ref(compiled), launch.count))

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

    def __str__(self) -> str:
        lines = [*([str(self.script)] if self.script else []), f"graphs: {len(self.graphs)}"]
        rows = [row for graph in self.graphs for row in graph.rows()]
        if rows:
            head = ["graph", "kind", "ops", "lowering", "compilation", "on the card", "launches",
                    "sizes"]
            lines.append(table([head, *rows]))
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


def explain() -> Report:
    """What the backend has compiled since the start of the program, or since reset()."""
    if not _graphs and not any(each.explain() for each in _recorders):
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
