# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The report of a script: what gaudi_mlir.torch.explain().script and `python -m gaudi_mlir.explain`
give."""
import dataclasses
import itertools

import torch

from gaudi_mlir._text import bytes_text, plural, table, time_text

from . import _C, _script

_FEWEST = 3  # times that something happens before it is a matter of each step
_SMALL = 1 << 16  # bytes of a copy that nobody waits for long


@dataclasses.dataclass
class Cause:
    """Something that costs time, and what to do."""
    kind: str
    where: str
    count: int
    text: str
    advice: str

    def __str__(self) -> str:
        return f"{self.kind} at {self.where or 'no line of the script'}, " \
            f"{plural(self.count, 'time')}: {self.text}; {self.advice}"


@dataclasses.dataclass
class Module:
    """What a module, or its backward, takes of a step, and of the peak of the graph that needs most
    memory."""
    name: str
    time_us: float
    commands: int
    peak_bytes: int


@dataclasses.dataclass
class Report:
    """Of a script so far; its text is made for people, as_dict() for programs
    (docs/schema/script.schema.json)."""
    steps: int
    graphs: int
    launches: int
    seconds_per_step: float | None
    """The median on this host of the steps that compile nothing, without the first two."""
    compile_seconds: float
    predicted_us_per_step: float | None
    """Of the card's launches."""
    clock_us_per_step: float | None
    """By the card's clock, the median: with the copies, and where it waits for the host."""
    host_share: float | None
    """The part of that in which no command of a launch runs."""
    cuts: list[tuple[str, str, int]]  # reason, where, count
    recompiles: list[tuple[int, int, str, str]]  # graph, step, where it was cut, cause
    causes: list[Cause]
    peak_memory: int
    modules: list[Module]
    """The longest time first; none if lines were not kept."""

    def as_dict(self) -> dict:
        return dataclasses.asdict(self)

    def html(self, path: str, title: str = "") -> None:
        """Writes a page: the report, and what a launch of the graph that takes most of the card's
        time is made of."""
        costs = {number: (graph.predicted_us() or 0.0) * _script.runs[number]
                 for number, graph in _script.graphs.items() if graph.recipes}
        if not costs:
            raise RuntimeError("there is no graph to show: call gaudi_mlir.torch.record_lines() "
                               "before the script, and run some steps")
        graph = _script.graphs[max(costs, key=costs.__getitem__)]
        longest = max(graph.recipes, key=lambda each: each.recipe.predict().time_us)
        longest.named_recipe().html(path, title=title or f"graph {graph.number}",
                                    script=self.as_dict())

    def __str__(self) -> str:
        rate = f"{self.launches / self.steps:.1f} graphs a step" if self.steps else "no mark_step"
        lines = [f"steps: {self.steps} ({rate}), {plural(self.graphs, 'graph')} compiled in "
                 f"{self.compile_seconds:.1f} s, {self.launches} run"]
        if self.predicted_us_per_step is not None:
            lines.append(f"predicted time of the card: {time_text(self.predicted_us_per_step)} of "
                         "launches a step")
        if self.clock_us_per_step is not None:
            bound = "" if self.host_share is None else \
                f", {100 * self.host_share:.0f} % of it without a command (host, copies)"
            lines.append(f"predicted step of the card: {time_text(self.clock_us_per_step)}{bound}")
        if self.seconds_per_step is not None:
            lines.append("a step of the script on this host, emulation and all, without those that "
                         f"compiled: {time_text(1e6 * self.seconds_per_step)}, "
                         f"{1 / self.seconds_per_step:.1f} steps/s")
        lines.append(f"peak memory of the card: {bytes_text(self.peak_memory)}")
        lines.append(f"cuts: {sum(count for *_, count in self.cuts)}")
        lines += [f"  {reason} at {where or 'no line of the script'}: {count}"
                  for reason, where, count in self.cuts]
        lines.append(f"compiled again: {len(self.recompiles)}")
        lines += [f"  graph {number}, in step {step}, cut at {where}: {cause}"
                  for number, step, where, cause in self.recompiles]
        if self.modules:
            lines.append("modules: time of the card in a step, and memory at the peak of the "
                         "largest graph")
            lines.append(table([["  module", "time", "commands", "memory"]] +
                               [[f"  {each.name or '(none)'}", time_text(each.time_us),
                                 str(each.commands), bytes_text(each.peak_bytes)]
                                for each in self.modules[:_MOST_MODULES]], right=(1, 2, 3)))
            if len(self.modules) > _MOST_MODULES:
                lines.append(f"  and {len(self.modules) - _MOST_MODULES} more")
        lines.append(f"what costs time: {len(self.causes)}")
        lines += [f"  {cause}" for cause in self.causes]
        return "\n".join(lines)


_MOST_MODULES = 20  # of the text


def _seconds_per_step() -> float | None:
    compiling = {graph.at_step for graph in _script.graphs.values()}
    first = _script.steps() - len(_script.marks) + 1
    pairs = zip(_script.marks, itertools.islice(_script.marks, 1, None))
    times = sorted(end - begin for step, (begin, end) in enumerate(pairs, first)
                   if step not in compiling and step > 1)
    return times[len(times) // 2] if times else None


# --- causes ----------------------------------------------------------------------------------


_ADVICE = {
    "shape": "pad to a few sizes",
    "constant": "make it a tensor, or a float operand",
    "place": "index by a tensor (index_copy, gather) instead of a number",
    "graph": "do the same ops in each step, and keep no tensors of steps before",
}


def _causes() -> list[Cause]:
    return [*_host_reads(), *_no_steps(), *_recompiles(), *_on_the_cpu(), *_copies(),
            *_wide_products()]


def _host_reads():
    often = max(_FEWEST, _script.steps() // 2)
    for (kind, text, file, line), (count, _) in _script.notes.items():
        if kind == "host read" and count >= often:
            yield Cause("host sync", _script.at(file, line), count, text,
                        "read it every few steps only")


def _no_steps():
    others = [(count, cut) for cut, count in _script.cuts.items() if cut[0] != "mark_step"]
    if not _script.marks and sum(count for count, _ in others) >= _FEWEST:
        count, (reason, file, line) = max(others)
        yield Cause("missing mark_step", _script.at(file, line), count,
                    f"graphs end only where something else cuts them: {reason}",
                    "call htcore.mark_step() after backward and after the optimizer's step")


def _recompiles():
    again: dict[tuple[str, str], list[_script.Compiled]] = {}
    for graph in _script.graphs.values():
        if graph.cause and (graph.at_step > 1 or not _script.marks):
            again.setdefault((graph.cause.kind, graph.cause.where), []).append(graph)
    for (kind, where), graphs in again.items():
        if len(graphs) >= _FEWEST or kind != "graph":
            yield Cause(f"changing {kind}", where or _script.at(*graphs[-1].cut_at), len(graphs),
                        f"a graph is compiled again: {graphs[-1].cause.text}", _ADVICE[kind])


def _on_the_cpu():
    for (kind, text, file, line), (count, _) in _script.notes.items():
        if kind == "op on the CPU":
            yield Cause(kind, _script.at(file, line), count, text, "use an op that the card has")


def _copies():
    for (kind, _, file, line), (count, size) in _script.notes.items():
        if count < _FEWEST or size // count < _SMALL:
            continue
        text = f"{kind}: {size // count} bytes each"
        if kind == "copy of memory that is not pinned":
            yield Cause("unpinned copy", _script.at(file, line), count, text,
                        "pin the memory (DataLoader(pin_memory=True))")
        elif kind == "copy that waits":
            yield Cause("blocking copy", _script.at(file, line), count, text,
                        "pin the memory, and copy with non_blocking=True")


def _wide_products():
    products = [step for graph in _script.graphs.values() for step in graph.steps
                if _script.base(step.op) in _script.PRODUCTS and step.operands]
    types = [step.operands[0].rpartition("x")[2] for step in products]
    if "f32" in types and "bf16" not in types:
        wide = [step for step, kind in zip(products, types) if kind == "f32"]
        yield Cause("products in f32", next((step.where for step in wide if step.where), ""),
                    len(wide), "all products of matrices are of f32 operands",
                    "torch.autocast('hpu', dtype=torch.bfloat16) makes them faster")


# --- the report ------------------------------------------------------------------------------


def _predicted_us() -> float | None:
    """Of a step."""
    times = [(_script.graphs[number].predicted_us(), count)
             for number, count in _script.runs.items() if number in _script.graphs]
    if not _script.marks or not times or any(time_us is None for time_us, _ in times):
        return None
    return sum(time_us * count for time_us, count in times) / _script.steps()


def _modules() -> list[Module]:
    rows: dict[str, Module] = {}
    most, peak = 0, None
    for number, graph in _script.graphs.items():
        for prediction in graph.predictions():
            if peak is None or prediction.memory["needed"] > most:
                most, peak = prediction.memory["needed"], prediction
            for cost in prediction.modules:
                row = rows.setdefault(cost.name, Module(cost.name, 0.0, 0, 0))
                row.time_us += cost.time_us * _script.runs[number]
                row.commands += cost.commands * _script.runs[number]
    for cost in peak.modules if peak else ():
        rows[cost.name].peak_bytes = cost.peak_bytes
    steps = max(_script.steps(), 1)
    for row in rows.values():
        row.time_us, row.commands = row.time_us / steps, round(row.commands / steps)
    return sorted(rows.values(), key=lambda row: -row.time_us)


def _clock_us() -> float | None:
    times = sorted(end - begin for begin, end in
                   zip(_script.clocks, itertools.islice(_script.clocks, 1, None)))
    return times[len(times) // 2] / 1e6 if times else None


def _host_share(clock_us: float | None) -> float | None:
    """Commands of launches, by the average step, against the clock's."""
    if not clock_us or _predicted_us() is None:
        return None
    busy = sum((each.time_us - each.launch_us) * count for number, count in _script.runs.items()
               if number in _script.graphs
               for each in _script.graphs[number].predictions()) / _script.steps()
    return max(0.0, 1 - busy / clock_us)


def explain() -> Report:
    _script.read()
    clock_us = _clock_us()
    return Report(
        _script.steps(), len(_script.graphs), sum(_script.runs.values()), _seconds_per_step(),
        sum(graph.seconds for graph in _script.graphs.values()), _predicted_us(), clock_us,
        _host_share(clock_us),
        [(reason, _script.at(file, line), count)
         for (reason, file, line), count in _script.cuts.most_common()],
        [(graph.number, graph.at_step, _script.at(*graph.cut_at), graph.cause.text)
         for graph in _script.graphs.values() if graph.cause],
        _causes(), torch.hpu.max_memory_allocated() if _C.is_open(-1) else 0, _modules())
