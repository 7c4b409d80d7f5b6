# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How a script runs in steps: its graphs, why each was cut, and why one was compiled again.

Graphs and cuts are always known; with `keep()` also the line of the script that each op is from,
and those that copy, or leave the card.
"""
import collections
import dataclasses
import itertools
import time

from gaudi_mlir.torch import fallback

from . import _C

_TYPES = {"float32": "f32", "bfloat16": "bf16", "float16": "f16", "int64": "i64", "int32": "i32",
          "bool": "i1", "int16": "i16", "int8": "i8", "uint8": "ui8"}
_PRODUCTS = ("mm", "bmm", "addmm", "baddbmm", "convolution", "matmul", "linear", "addmv", "mv")


@dataclasses.dataclass
class Step:
    """An op of a graph."""
    op: str
    operands: list[str]
    text: str
    uses: list[tuple[int, int]]
    where: str

    @classmethod
    def of(cls, sketch, name, uses, results, numbers, file, line) -> "Step":
        return cls(name, [_type(sizes, dtype) for sizes, _, dtype in sketch.operands], sketch.text,
                   list(uses), f"{file}:{line}" if file else "")

    def at(self) -> str:
        return f"{self.op}{' at ' + self.where if self.where else ''}"


def _type(sizes, dtype) -> str:
    name = str(dtype).removeprefix("torch.")
    return "x".join([*map(str, sizes), _TYPES.get(name, name)])


@dataclasses.dataclass
class Compiled:
    """A graph that was met for the first time."""
    number: int
    reason: str
    cut_at: tuple[str, int]
    steps: list[Step]
    wanted: set[int]
    recipes: list  # kept with the lines
    seconds: float
    cause: str = ""  # why none of those before was it
    at_step: int = 0

    def predicted_us(self) -> float | None:
        if not self.recipes:
            return None
        return sum(recipe.predict().time_us for recipe in self.recipes)


_graphs: dict[int, Compiled] = {}
_last: dict[tuple, Compiled] = {}  # by where they were cut
_cuts: collections.Counter = collections.Counter()
_runs: collections.Counter = collections.Counter()
_notes: dict[tuple, list[int]] = {}
_marks: collections.deque[float] = collections.deque(maxlen=10000)
_steps = [0]  # how many
_MOST = 10000  # graphs


def compiled(graph: Compiled) -> None:
    before = _last.get(graph.cut_at) or (next(reversed(_graphs.values())) if _graphs else None)
    graph.cause = difference(graph, before) if before else ""
    graph.at_step = _steps[0]
    if not _C.keeps_notes():
        graph.recipes = []
    _last[graph.cut_at] = graph
    _graphs[graph.number] = graph
    if len(_graphs) > _MOST:
        _graphs.pop(next(iter(_graphs)))


def mark() -> None:
    """The end of a step."""
    _marks.append(time.perf_counter())
    _steps[0] += 1


def keep(wanted: bool = True) -> None:
    _C.keep_notes(wanted)


def difference(new: Compiled, old: Compiled) -> str:
    """What the new graph has that the old one has not, the first of all."""
    for step, was in zip(new.steps, old.steps):
        if step.op != was.op:
            return f"{step.at()} is where {was.at()} was"
        for place, (operand, other) in enumerate(zip(step.operands, was.operands)):
            if operand != other:
                return f"{step.at()}: operand {place} is {operand}, was {other}"
        if step.text != was.text:
            return f"{step.at()}: {step.text or 'nothing'} was {was.text or 'nothing'}"
        if [place for place, _ in step.uses] != [place for place, _ in was.uses]:
            return f"{step.at()}: its operands are other tensors of the graph"
        if step.uses != was.uses:
            return f"{step.at()}: an operand begins at another place of its memory: " \
                f"{[offset for _, offset in step.uses]}, was {[offset for _, offset in was.uses]}"
    if len(new.steps) != len(old.steps):
        more = new.steps if len(new.steps) > len(old.steps) else old.steps
        first = more[min(len(new.steps), len(old.steps))]
        return f"{len(new.steps)} ops, were {len(old.steps)}: {first.at()} is " \
            f"{'new' if more is new.steps else 'gone'}"
    if new.wanted != old.wanted:
        held, free = new.wanted - old.wanted, old.wanted - new.wanted
        return f"{len(held)} more and {len(free)} fewer of its tensors are held by the script"
    return "a storage has another size, or the recipes were forgotten"


def _read() -> None:
    for reason, file, line, graph, steps, _, _ in _C.take_cuts():
        if steps:
            _cuts[reason, file, line] += 1
            _runs[graph] += 1
    for kind, text, file, line, count, size in _C.take_notes():
        known = _notes.setdefault((kind, text, file or "", line), [0, 0])
        known[0] += count
        known[1] += size


@dataclasses.dataclass
class Cause:
    """Something that costs time, and what to do."""
    kind: str
    where: str
    count: int
    text: str
    advice: str

    def __str__(self) -> str:
        return f"{self.kind} at {self.where or 'no line of the script'}, {self.count} times: " \
            f"{self.text}; {self.advice}"


@dataclasses.dataclass
class Report:
    """What `explain()` returns; its text is made for people, as_dict() for programs."""
    steps: int
    graphs: int
    launches: int
    seconds_per_step: float | None
    compile_seconds: float
    predicted_us_per_step: float | None
    cuts: list[tuple[str, str, int]]  # reason, where, count
    recompiles: list[tuple[int, int, str, str]]  # graph, step, where it was cut, cause
    causes: list[Cause]
    peak_memory: int

    def as_dict(self) -> dict:
        return dataclasses.asdict(self)

    def __str__(self) -> str:
        rate = f"{self.launches / self.steps:.1f} graphs a step" if self.steps else "no mark_step"
        lines = [f"steps: {self.steps} ({rate}), {self.graphs} graphs compiled in "
                 f"{self.compile_seconds:.1f} s, {self.launches} run"]
        if self.predicted_us_per_step is not None:
            lines.append(f"predicted time of the card: {self.predicted_us_per_step:.1f} us a step")
        if self.seconds_per_step is not None:
            lines.append(f"a step of the script on this host, emulation and all, without those "
                         f"that compiled: {self.seconds_per_step * 1e3:.1f} ms")
        lines.append(f"peak memory of the card: {self.peak_memory / 2**20:.1f} MiB")
        lines.append(f"cuts: {sum(count for *_, count in self.cuts)}")
        lines += [f"  {reason} at {where or 'no line of the script'}: {count}"
                  for reason, where, count in self.cuts]
        lines.append(f"compiled again: {len(self.recompiles)}")
        lines += [f"  graph {number}, in step {step}, cut at {where}: {cause}"
                  for number, step, where, cause in self.recompiles]
        lines.append(f"what costs time: {len(self.causes)}")
        lines += [f"  {cause}" for cause in self.causes]
        return "\n".join(lines)


def _at(file: str, line: int) -> str:
    return f"{file}:{line}" if file else ""


def _seconds_per_step() -> float | None:
    """The median of steps in which nothing was compiled, after the first two."""
    compiling = {graph.at_step for graph in _graphs.values()}
    times = sorted(end - begin for step, (begin, end) in enumerate(zip(_marks, itertools.islice(_marks, 1, None)),
                                                        _steps[0] - len(_marks) + 1)
                   if step not in compiling and step > 1)
    return times[len(times) // 2] if times else None


def _causes() -> list[Cause]:
    causes = []
    steps = max(_steps[0], 1)
    for (kind, text, file, line), (count, _) in _notes.items():
        if kind == "host read" and count >= max(3, steps // 2):
            causes.append(Cause("host sync", _at(file, line), count, text,
                                "read it every few steps only"))
    others = [(count, cut) for cut, count in _cuts.items() if cut[0] != "mark_step"]
    if not _marks and sum(count for count, _ in others) >= 3:
        count, (reason, file, line) = max(others)
        causes.append(Cause("missing mark_step", _at(file, line), count,
                            f"graphs end only where something else cuts them: {reason}",
                            "call htcore.mark_step() after backward and after the optimizer's "
                            "step"))
    again: dict[tuple[str, str], list[Compiled]] = {}
    for graph in list(_graphs.values()):
        if graph.cause and graph.at_step > 1 or graph.cause and not _marks:
            kind = "changing shape" if ": operand " in graph.cause else \
                "changing constant" if " was " in graph.cause and "=" in graph.cause else \
                "changing place" if "another place" in graph.cause else \
                "changing graph"
            again.setdefault((kind, graph.cause.partition(":")[0] if not graph.cause.startswith("/")
                              else graph.cause.split(": ")[0]), []).append(graph)
    advice = {"changing shape": "pad to a few sizes",
              "changing constant": "make it a tensor, or a float operand",
              "changing place": "index by a tensor (index_copy, gather) instead of a number",
              "changing graph": "do the same ops in each step, and keep no tensors of steps before"}
    for (kind, _), graphs in again.items():
        where = graphs[-1].cause
        found = next((step.where for step in graphs[-1].steps
                      if step.where and step.where in where), "")
        if len(graphs) >= 3 or kind != "changing graph":
            causes.append(Cause(kind, found or _at(*graphs[-1].cut_at), len(graphs),
                                f"a graph is compiled again: {where}", advice[kind]))
    for (kind, text, file, line), (count, size) in _notes.items():
        if kind == "op on the CPU":
            causes.append(Cause(kind, _at(file, line), count, text,
                                "use an op that the card has"))
        elif kind == "host read":
            continue
        elif count >= 3 and size // count >= 1 << 16 and kind != "copy that waits":
            causes.append(Cause("unpinned copy", _at(file, line), count, f"{kind}: "
                                f"{size // count} bytes each",
                                "pin the memory (DataLoader(pin_memory=True))"))
        elif count >= 3 and size // count >= 1 << 16:
            causes.append(Cause("blocking copy", _at(file, line), count, f"{kind}: "
                                f"{size // count} bytes each",
                                "pin the memory, and copy with non_blocking=True"))
    wide = [step for graph in _graphs.values() for step in graph.steps
            if step.op.split("::")[-1].split(".")[0] in _PRODUCTS and
            step.operands and step.operands[0].endswith("f32") and
            not step.operands[0].endswith("bf32")]
    if wide and not any(step.operands and step.operands[0].endswith("bf16")
                        for graph in _graphs.values() for step in graph.steps
                        if step.op.split("::")[-1].split(".")[0] in _PRODUCTS):
        causes.append(Cause("products in f32", next((step.where for step in wide if step.where), ""),
                            len(wide), "all products of matrices are of f32 operands",
                            "torch.autocast('hpu', dtype=torch.bfloat16) makes them faster"))
    return causes


def explain() -> Report:
    """The script so far, or since reset()."""
    import torch
    _read()
    predicted = None
    if _marks and _runs:
        times = [(_graphs[number].predicted_us(), count) for number, count in _runs.items()
                 if number in _graphs]
        if all(time_us is not None for time_us, _ in times):
            predicted = sum(time_us * count for time_us, count in times) / _steps[0]
    return Report(
        _steps[0], len(_graphs), sum(_runs.values()), _seconds_per_step(),
        sum(graph.seconds for graph in _graphs.values()), predicted,
        [(reason, _at(file, line), count) for (reason, file, line), count in _cuts.most_common()],
        [(graph.number, graph.at_step, _at(*graph.cut_at), graph.cause)
         for graph in _graphs.values() if graph.cause],
        _causes(), torch.hpu.max_memory_allocated() if _C.is_open(-1) else 0)


def reset() -> None:
    _read()
    for each in (_graphs, _last, _cuts, _runs, _notes, _marks):
        each.clear()
    _steps[0] = 0
    fallback.reset()
