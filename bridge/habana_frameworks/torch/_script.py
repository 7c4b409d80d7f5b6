# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a script does, step by step: its graphs, what cut them, what was compiled again and why.

Graphs and cuts are always known; with `keep()` also the line of the script and the module that each
op is from, and what copies, or leaves the card. _script_report.py makes a report of it.
"""
import collections
import dataclasses
import time

from gaudi_mlir.prediction import Prediction
from gaudi_mlir.torch import report

from . import _C, _modules

_TYPES = {"float32": "f32", "bfloat16": "bf16", "float16": "f16", "int64": "i64", "int32": "i32",
          "bool": "i1", "int16": "i16", "int8": "i8", "uint8": "ui8"}


@dataclasses.dataclass
class Step:
    """An op of a graph."""
    op: str
    operands: list[str]
    text: str
    uses: list[tuple[int, int]]
    where: str
    module: str
    is_backward: bool
    """Of the op that `where` and `module` are of."""

    @classmethod
    def of(cls, sketch, name, uses, results, file, line, module, is_backward) -> "Step":
        return cls(name, [_type(sizes, dtype) for sizes, _, dtype in sketch.operands], sketch.text,
                   list(uses), at(file, line), module, is_backward)

    def __str__(self) -> str:
        backward = " in the backward of" if self.is_backward else " at"
        return f"{self.op}{f'{backward} {self.where}' if self.where else ''}"


PRODUCTS = ("mm", "bmm", "addmm", "baddbmm", "convolution", "matmul", "linear", "addmv", "mv",
            "convolution_backward", "convolution_overrideable",
            "convolution_backward_overrideable")
"""Ops of the matrix engine, by their base names."""


def base(op: str) -> str:
    """"mm" of "aten::mm.out"."""
    return op.split("::")[-1].split(".")[0]


def at(file: str, line: int) -> str:
    return f"{file}:{line}" if file else ""


def _type(sizes, dtype) -> str:
    name = str(dtype).removeprefix("torch.")
    return "x".join([*map(str, sizes), _TYPES.get(name, name)])


@dataclasses.dataclass
class Difference:
    """The first thing that a new graph has and one before has not."""
    kind: str
    """Of what changes: "shape", "constant", "place" in memory, or the "graph" itself."""
    where: str
    text: str


@dataclasses.dataclass
class Compiled:
    """A graph that was met for the first time."""
    number: int
    reason: str
    cut_at: tuple[str, int]
    steps: list[Step]
    wanted: set[int]
    recipes: list  # gaudi_mlir.torch.segment.Compiled, kept with the lines
    seconds: float
    cause: Difference | None = None  # why none of those before was it
    at_step: int = 0
    _predictions: list[Prediction] | None = None

    def predictions(self) -> list[Prediction]:
        """Of its launches; none if lines are not kept."""
        if self._predictions is None:
            self._predictions = [each.named_recipe().predict() for each in self.recipes]
        return self._predictions

    def predicted_us(self) -> float | None:
        return sum(each.time_us for each in self.predictions()) if self.recipes else None


graphs: dict[int, Compiled] = {}
cuts: collections.Counter = collections.Counter()  # by reason, file and line
runs: collections.Counter = collections.Counter()  # of graphs
notes: dict[tuple, list[int]] = {}  # kind, text, file and line: count and bytes
marks: collections.deque[float] = collections.deque(maxlen=10000)
clocks: collections.deque[int] = collections.deque(maxlen=10000)
"""Of the current card at the ends of steps, in picoseconds; kept with the lines."""
_last: dict[tuple, Compiled] = {}  # by where they were cut
_noted: collections.Counter = collections.Counter()
_keepers: dict[str, bool] = {}
_steps = 0
_MOST = 10000  # graphs


def steps() -> int:
    """How many have ended."""
    return _steps


def compiled(graph: Compiled) -> None:
    before = _last.get(graph.cut_at) or (next(reversed(graphs.values())) if graphs else None)
    graph.cause = difference(graph, before) if before else None
    graph.at_step = _steps
    if not _C.keeps_notes():
        graph.recipes = []
    _last[graph.cut_at] = graph
    graphs[graph.number] = graph
    if len(graphs) > _MOST:
        graphs.pop(next(iter(graphs)))


def mark() -> None:
    """The end of a step."""
    global _steps
    marks.append(time.perf_counter())
    if _C.keeps_notes() and _C.is_open(-1):
        clocks.append(_C.clock(-1)["elapsed"])
    _steps += 1


def note(kind: str, text: str, file: str, line: int) -> None:
    """Counts something of another line than that which runs."""
    _noted[kind, text, file, line] += 1


def take_notes() -> list[tuple]:
    """Rows (kind, text, file, line, count, bytes) since the last call."""
    own = [(*what, count, 0) for what, count in _noted.items()]
    _noted.clear()
    return [*own, *_C.take_notes()]


def keep(wanted: bool = True, by: str = "the script", values: bool = False) -> None:
    """Lines are kept as long as somebody wants them. `values`: copies of small tensors have what
    they copy."""
    before = bool(_keepers)
    _keepers.update({by: values}) if wanted else _keepers.pop(by, None)
    if before != bool(_keepers):
        _modules.watch(bool(_keepers))
    _C.keep_notes(bool(_keepers), any(_keepers.values()))


def difference(new: Compiled, old: Compiled) -> Difference:
    for step, was in zip(new.steps, old.steps):
        if step.op != was.op:
            return Difference("graph", step.where, f"{step} is where {was} was")
        for number, (operand, other) in enumerate(zip(step.operands, was.operands)):
            if operand != other:
                return Difference("shape", step.where,
                                  f"{step}: operand {number} is {operand}, was {other}")
        if step.text != was.text:
            return Difference("constant", step.where,
                              f"{step}: {step.text or 'nothing'} was {was.text or 'nothing'}")
        if [place for place, _ in step.uses] != [place for place, _ in was.uses]:
            return Difference("graph", step.where,
                              f"{step}: its operands are other tensors of the graph")
        if step.uses != was.uses:
            return Difference("place", step.where, f"{step}: an operand begins at another place of "
                              f"its memory: {[offset for _, offset in step.uses]}, was "
                              f"{[offset for _, offset in was.uses]}")
    if len(new.steps) != len(old.steps):
        more = new.steps if len(new.steps) > len(old.steps) else old.steps
        first = more[min(len(new.steps), len(old.steps))]
        return Difference("graph", first.where, f"{len(new.steps)} ops, were {len(old.steps)}: "
                          f"{first} is {'new' if more is new.steps else 'gone'}")
    if new.wanted != old.wanted:
        held, free = new.wanted - old.wanted, old.wanted - new.wanted
        return Difference("graph", "", f"{len(held)} more and {len(free)} fewer of its tensors are "
                          "held by the script")
    return Difference("graph", "", "a storage has another size, or the recipes were forgotten")


def read() -> None:
    """Takes what has been counted since the last call."""
    for reason, file, line, graph, ops, _, _ in _C.take_cuts():
        if ops:
            cuts[reason, file, line] += 1
            runs[graph] += 1
    for kind, text, file, line, count, size in take_notes():
        known = notes.setdefault((kind, text, file or "", line), [0, 0])
        known[0] += count
        known[1] += size


def reset() -> None:
    global _steps
    read()
    for each in (graphs, _last, cuts, runs, notes, marks, clocks):
        each.clear()
    _steps = 0


def _explain():
    if not graphs and not _steps:
        return None
    from . import _script_report
    return _script_report.explain()


report.add_recorder(report.ScriptRecorder(_explain, keep, reset))
