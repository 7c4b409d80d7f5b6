# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The points of the checklist: each says what it has found in a run, with evidence, gain and next
step, or why there is nothing to change."""
import ast
import collections
import dataclasses
import math
import statistics
import warnings

import torch

from gaudi_mlir._text import bytes_text, digits, plural, time_text

from . import _C, _script
from ._loops import (LAUNCH_US, RECORD_US, Loop, as_pinned, change_where, give_calls, loops_of,
                     one_launch, unwaited_reads, without_copies, without_fills)
from ._observed import CALL, MARK, Call, Observation, calls_of

_FUSED = {"Adam": "FusedAdamW", "AdamW": "FusedAdamW", "SGD": "FusedSGD",
          "Adagrad": "FusedAdagrad", "NAdam": "FusedAdamW", "RAdam": "FusedAdamW"}


@dataclasses.dataclass
class Finding:
    """Something to change."""
    point: str
    title: str
    where: str
    """The line of the script."""
    also: list[str]
    """Other lines that have to do with it."""
    count: int
    evidence: str
    gain_us: float
    """Of one step of its loop."""
    gain_of: str
    """"step" (predicted), "compilation" or "loader" (measured on this host)."""
    next: str

    def __str__(self) -> str:
        gain = {"step": "saves {} of a step", "compilation": "saves {} of compilation a step",
                "loader": "saves {} of waiting a step"}[self.gain_of]
        gain = gain.format(time_text(self.gain_us)) if self.gain_us >= 0.0005 else \
            "no gain predicted"
        return f"{self.title} at {self.where or 'no line of the script'}: {gain}"


@dataclasses.dataclass
class Answer:
    """What the checklist asks, and the answer."""
    point: str
    name: str
    status: str
    """"fault", "fine", "note", or "not applicable"."""
    text: str


class Run:
    """What a script has done, as the points ask for it."""

    def __init__(self, seen: Observation) -> None:
        self.seen = seen
        self.loops = [loop for loop in loops_of(seen.events) if len(loop.steps) >= 2] or \
            loops_of(seen.events)
        self.calls = calls_of(seen.trace)
        give_calls(self.loops, self.calls)
        self.is_lazy = _C.lazy_mode() > 0
        self.compiled = _compiled_report()
        self.is_compiled = bool(self.compiled and self.compiled.graphs)
        self._predicted: dict[int, object] = {}
        self.others: dict[str, list[str]] = {}  # lines whose sizes follow from those of a line

    def mode(self) -> str:
        if self.is_compiled:
            return "compile" if not self.is_lazy else "lazy and compile"
        return "lazy" if self.is_lazy else "eager"

    def predict(self, recipe):
        if id(recipe) not in self._predicted:
            try:
                made = recipe.predict()
            except Exception:  # of a recipe with sizes that nobody knows
                made = None
            self._predicted[id(recipe)] = (recipe, made)
        return self._predicted[id(recipe)][1]

    def advice(self, loop: Loop, kind: str) -> tuple[float, str]:
        """What advice of this kind gains of a step, in all graphs, and the text of the largest."""
        gain, best = 0.0, (0.0, "")
        for recipe, count in self.recipes(loop):
            prediction = self.predict(recipe)
            found = [each for each in (prediction.json["advice"] if prediction else [])
                     if each["kind"] == kind]
            if found:
                most = max(found, key=lambda each: each["gain_us"])
                gain += most["gain_us"] * count
                best = max(best, (most["gain_us"] * count, most["title"]))
        return gain, best[1]

    def recipes(self, loop: Loop):
        """Of the graphs of the loop, with how often each runs in a step."""
        if self.is_compiled:
            total = max(1, sum(len(each.steps) for each in self.loops))
            for graph in self.compiled.graphs:
                for each in (graph, *graph.variants):
                    for segment in each.segments:
                        if segment.recipe is not None and segment.launches:
                            yield segment.recipe, segment.launches / total
        if self.is_lazy:
            runs: collections.Counter = collections.Counter()
            for step in loop.later() or loop.steps:
                runs.update(step.runs)
            steps = max(1, len(loop.later() or loop.steps))
            for number, count in runs.items():
                graph = _script.graphs.get(number)
                for compiled in graph.recipes if graph else []:
                    yield compiled.recipe, count / steps
        elif self.seen.recipes:
            calls = collections.Counter()
            for (kind, text, _), (_, count, _) in loop.notes().items():
                if kind == "op":
                    calls[_script.base(text.partition(" ")[0])] += count
            by_op: dict[str, list] = {}
            for name, recipe in self.seen.recipes:
                by_op.setdefault(_script.base(name), []).append(recipe)
            for name, count in calls.items():
                if name in _script.PRODUCTS:
                    for recipe in by_op.get(name, []):
                        yield recipe, count / len(by_op[name]) / max(1, len(loop.steps))

    def ops(self, loop: Loop) -> list[tuple[str, list[tuple[tuple[int, ...], str]], str]]:
        """Op, operands (sizes, type), line: of graphs in their order; in eager mode unordered."""
        found = []
        if self.is_lazy:
            numbers = dict.fromkeys(number for step in loop.steps for number in step.runs)
            for number in numbers:
                graph = _script.graphs.get(number)
                found += [(_script.base(step.op), [*map(_operand, step.operands)], step.where)
                          for step in (graph.steps if graph else [])]
        for (kind, text, where), _ in loop.notes().items():
            if kind == "op":
                name, *operands = text.split(" ")
                found.append((_script.base(name), [_operand(each) for each in operands], where))
        return found

    def model_line(self, loop: Loop) -> str:
        begin, end = loop.steps[0].end.seconds, loop.steps[-1].end.seconds
        inside = [event.where for event in self.seen.events
                  if event.kind == CALL and begin <= event.seconds <= end]
        return collections.Counter(inside).most_common(1)[0][0] if inside else loop.where

    def recompiled(self, loop: Loop) -> dict[str, list[tuple[str, str, float]]]:
        """By kind: (line, cause, seconds) of graphs compiled after the first two steps."""
        found: dict[str, list] = {}
        last: dict = {}
        seen: set[str] = set()  # ops of eager mode with their operands
        for number, step in enumerate([*loop.steps, *([loop.tail] if loop.tail else [])]):
            for graph in step.graphs:
                before, last[graph.cut_at] = last.get(graph.cut_at), graph
                if number < 2 or before is None or step is loop.tail:
                    continue
                cause = _script.difference(graph, before)
                found.setdefault(f"changing {cause.kind}", []).append(
                    (cause.where or _script.at(*graph.cut_at), cause.text, graph.seconds))
            if number >= 2 and step is not loop.tail and step.compiled and not self.is_lazy:
                where, op = step.compiled[0]
                new: dict[str, list[str]] = {}
                for kind, text, at in step.notes:
                    if kind == "op" and text not in seen:
                        new.setdefault(at, []).append(text)
                if new:
                    # What follows from a size is most of the model; where it comes from, few ops.
                    where = min(new, key=lambda at: (len(new[at]), _line_key(at)))
                    self.others[where] = sorted(new, key=_line_key)[:4]
                found.setdefault("changing shape" if new else "changing constant", []).append(
                    (where, f"ops have other operands: {new[where][0]}" if new else
                     f"{op} has another number that its recipe holds", 0.0))
            seen |= {text for kind, text, _ in step.notes if kind == "op"}
            if number >= 2 and step is not loop.tail:
                for where, what in step.variants:
                    kind = "changing shape" if what.startswith("sizes") else "recompiled"
                    found.setdefault(kind, []).append((where, self.reason(what), 0.0))
        return {kind: rows for kind, rows in found.items()
                if kind not in ("changing graph",) or len(rows) >= 3}

    def reason(self, what: str) -> str:
        if what:
            return f"a recipe for {what}"
        found = [f"{each.function}: {each.reason}" for each in self.compiled.recompiles] \
            if self.compiled else []
        return found[-1] if found else "torch.compile compiles a graph"

    def reads(self, loop: Loop) -> dict[str, tuple[int, int]]:
        """By line: steps and times that the script reads values of the card."""
        on_cpu = loop.on_cpu()
        return {where: (steps, count) for where, (steps, count, _)
                in loop.by_line(lambda kind, _: kind == "host read").items() if where not in on_cpu}

    def not_the_script_s(self, loop: Loop) -> set[str]:
        """Lines whose copies are those of an op on the CPU, or of a fused kernel."""
        return loop.on_cpu() | self.seen.fused_lines | {
            each.updated_at for each in self.seen.optimizers if each.is_fused}

    def ops_at(self, loop: Loop, where: str) -> float:
        """How many ops a step records, or launches, at a line."""
        if not self.is_lazy:
            return sum(count for (kind, _, at), (_, count, _) in loop.notes().items()
                       if kind == "op" and at == where) / max(1, len(loop.steps))
        runs: collections.Counter = collections.Counter()
        for step in loop.later() or loop.steps:
            runs.update(step.runs)
        total = sum(count * sum(each.where == where for each in graph.steps)
                    for number, count in runs.items() if (graph := _script.graphs.get(number)))
        return total / max(1, len(loop.later() or loop.steps))

    def unrecorded(self, loop: Loop, ops: float, also=lambda call: call):
        """The change that so many ops of a step are not recorded."""
        recorded = sum(call.duration for call in loop.calls if call.name == "Record")
        share = max(0.0, ops) * RECORD_US * loop.timed / recorded if recorded else 0.0

        def change(call: Call):
            if call.name == "Record":
                return dataclasses.replace(call, duration=call.duration * max(0.0, 1 - share))
            return also(call)
        return change


class Point:
    """A question; ask() finds something to change, or says that there is nothing."""
    key = name = ""

    def __init__(self, run: Run) -> None:
        self.run, self.seen, self.loops = run, run.seen, run.loops
        self.findings: list[Finding] = []
        self.answer: Answer | None = None

    def ask(self) -> None:
        raise NotImplementedError

    def find(self, title: str, where: str, count: int, evidence: str, gain_us: float, next: str,
             gain_of: str = "step", also: list[str] = (), point: str = "") -> None:
        """Of this point, or of another one."""
        others = [each for each in dict.fromkeys(also) if each and each != where]
        self.findings.append(Finding(point or self.key, title, where, others, count, evidence,
                                     gain_us, gain_of, next))

    def say(self, text: str, status: str = "fine") -> None:
        self.answer = Answer(self.key, self.name, status, text)


class CpuFallback(Point):
    """Ops that run on the CPU."""
    key, name = "cpu_fallback", "ops on the card"

    def ask(self) -> None:
        total = 0
        for loop in self.loops:
            found: dict = {}
            for (kind, text, where), (steps, count, _) in loop.notes().items():
                if kind == "op on the CPU":
                    known = found.setdefault((text, where), [0, 0])
                    known[0] += steps
                    known[1] += count
            reads = self.run.reads(loop)
            all_reads = sum(count for _, count in reads.values()) + \
                sum(count for _, count in found.values())
            for (text, where), (steps, count) in found.items():
                total += count
                gain = loop.gain(without_copies) * count / max(1, all_reads)
                op, _, reason = text.partition(": ")
                self.find(f"op on the CPU: {op}", where, count,
                          f"{count} times in {plural(len(loop.steps), 'step')}: {reason}. Its "
                          "operands go to the host and its results back, and the card waits",
                          gain, "use ops that the card has (the log says which it has not: "
                          "LOG_LEVEL_PT_FALLBACK=1), or take the op out of the loop")
        if not total:
            self.say("no op of the loops ran on the CPU")


class MarkStep(Point):
    """Where graphs of lazy mode end."""
    key, name = "mark_step", "mark_step"

    def ask(self) -> None:
        if not self.run.is_lazy:
            return self.say("only lazy mode needs it", "not applicable")
        marks = sum(event.kind == MARK for event in self.seen.events)
        found = once = False
        for loop in self.loops:
            if loop.kind == "steps" or len(loop.steps) < 3:
                continue
            cuts: collections.Counter = collections.Counter()
            for step in [*loop.steps, *([loop.tail] if loop.tail else [])]:
                cuts.update(step.cuts)
            places = [(count, where) for (reason, where), count in cuts.items()
                      if reason == "mark_step" and where not in self.seen.fused_lines]
            by_mark = sum(count for count, _ in places)
            others = sum(count for (reason, _), count in cuts.items() if reason != "mark_step")
            if not self._is_marked(loop):
                if loop.kind == "inference" and (others >= len(loop.steps) / 2 or marks):
                    continue  # reads end the graphs
                graphs = [count for step in loop.steps for count in step.cuts.values()]
                found = True
                work = min(loop.card_us(), loop.host_us()) or self._work(loop)
                reason = f"{others} graphs were ended by something else" if others else \
                    "nothing ends a graph, which grows over all steps"
                self.find(
                    "missing mark_step", loop.where, len(loop.steps),
                    f"no graph of {plural(len(loop.steps), 'step')} is ended by mark_step: "
                    f"{reason}; the card cannot work while the host records "
                    f"({plural(len(graphs), 'graph')})", work,
                    "call htcore.mark_step() after loss.backward() and after optimizer.step()"
                    if loop.kind == "training" else "call htcore.mark_step() after each batch")
                continue
            # Each part of a batch whose gradients are accumulated may end a graph.
            if by_mark > (1.5 + max(1, self._calls(loop))) * len(loop.steps):
                count, where = max(places)
                found = True
                most = loop.gain(one_launch(loop.calls, loop.spans))
                self.find("mark_step too often", where, count,
                          f"{digits(by_mark / len(loop.steps))} graphs of a step are ended by "
                          "mark_step, and each is a launch", most,
                          "call mark_step twice in a step: after backward and after the "
                          "optimizer's step", point=Graphs.key)
            elif loop.kind == "training" and 0.5 < by_mark / len(loop.steps) < 1.5 and \
                    not any(where in self.seen.fused_lines for _, where in cuts):
                once = True
        if not found:
            text = "called once in a step; after backward as well, the card begins earlier and " \
                "keeps less memory" if once else f"called {plural(marks, 'time')}, in each step" \
                if marks else "reads and ends of the script are the only ends of graphs"
            self.say(text, "fine" if marks and not once or not self.loops else "note")

    def _is_marked(self, loop: Loop) -> bool:
        if len(loop.steps) < 2 or loop.where in self.seen.fused_lines:
            return True
        begin, end = loop.steps[0].end.seconds, loop.steps[-1].end.seconds
        inside = sum(event.kind == MARK and begin <= event.seconds <= end
                     for event in self.seen.events)
        return inside >= (len(loop.steps) - 1) / 2

    def _calls(self, loop: Loop) -> float:
        """Of modules, in a step."""
        begin, end = loop.steps[0].end.seconds, loop.steps[-1].end.seconds
        return sum(event.kind == CALL and begin <= event.seconds < end
                   for event in self.seen.events) / max(1, len(loop.steps) - 1)

    def _work(self, loop: Loop) -> float:
        """Of the card in a step, where no step ends by itself."""
        total = sum(call.work for call in self.run.calls)
        return total / max(1, sum(len(each.steps) for each in self.loops))


class BatchSize(Point):
    """How many samples the memory takes."""
    key, name = "batch_size", "batch size"

    def ask(self) -> None:
        sized = [loop for loop in self.loops if any(step.samples for step in loop.steps)]
        if not sized or not _C.is_open(-1):
            return self.say("no batch was seen", "not applicable")
        loop = max(sized, key=lambda each: (each.kind == "training", len(each.steps)))
        samples = statistics.median([step.samples for step in loop.steps if step.samples])
        peak, capacity = torch.hpu.max_memory_allocated(), torch.hpu.mem_get_info()[1]
        held = min(torch.hpu.memory_allocated(), peak)
        fits = fitting(samples, held, peak, capacity)
        gain, title = self.run.advice(loop, "batch")
        text = f"{samples:.0f} samples; the peak is {digits(100 * peak / capacity)} % of " \
            f"{bytes_text(capacity)}" + (f", some {_round(fits)} would fit" if fits else "")
        if title:
            text += f"; the model predicts: {title[0].lower()}{title[1:]} ({time_text(gain)} " \
                "of a step for the same samples)"
        if loop.kind == "training" and samples <= 4 and peak < 0.5 * capacity and \
                len(loop.steps) > 2:
            step = loop.step_us() or 0.0
            self.find(f"batch of {samples:.0f}", self.run.model_line(loop),
                      len(loop.steps), text, min(gain, step) if step else gain,
                      "use the largest batch that fits and that the training converges with")
        else:
            self.say(text, "note")


class Graphs(Point):
    """How many graphs a step has."""
    key, name = "graphs", "graphs of a step"

    def ask(self) -> None:
        if self.run.is_compiled and self.run.compiled.graph_breaks:
            total = max(1, sum(len(loop.steps) for loop in self.loops))
            for each in self.run.compiled.graph_breaks:
                self.find("graph break", each.location, total,
                          f"torch.compile ends a graph there: {each.reason}",
                          LAUNCH_US + 8.0, each.hint or "keep what torch.compile cannot trace "
                          "out of the compiled function")
        cuts: collections.Counter = collections.Counter()
        for loop in self.loops:
            for step in loop.steps:
                cuts.update({reason: count for (reason, _), count in step.cuts.items()})
        text = ", ".join(f"{digits(loop.rate(sum(sum(step.cuts.values()) for step in loop.steps)))}"
                         f" a step at {loop.where}" for loop in self.loops)
        if self.run.is_lazy and text:
            self.say(f"graphs: {text}; ended by " + ", ".join(
                f"{reason} ({count})" for reason, count in cuts.most_common(3)))
        elif self.run.is_compiled:
            self.say(f"{plural(len(self.run.compiled.graphs), 'graph')} of torch.compile, "
                     "no graph break")
        elif self.loops:
            loop = max(self.loops, key=lambda each: len(each.calls))
            launches = loop.rate(0) if not loop.timed else \
                sum(call.name == "Launch" for call in loop.calls) / loop.timed
            self.say(f"eager mode launches each op: {digits(launches)} launches a step; "
                     "lazy mode or torch.compile launch graphs", "note")
        else:
            self.say("there are no steps", "not applicable")


class _Recompiles(Point):
    """What both points about graphs that are compiled again share."""

    _ADVICE = {
        "changing shape": "pad to a few sizes, drop the last partial batch (drop_last=True), or "
        "let buckets do it (htorch.hpu.enable_dynamic_shape())",
        "changing constant": "make the number a tensor of the card, or the same in each step",
        "changing place": "index by a tensor (index_select, index_copy_, gather), or roll a tensor "
        "and take the first element",
        "changing graph": "do the same ops in each step, and keep no tensors of steps before",
        "recompiled": "see the reason; mark_dynamic for sizes, tensors instead of numbers"}

    def _found(self, loop: Loop, kind: str, rows: list) -> bool:
        point = self.key
        if kind == "recompiled" and any("size mismatch" in cause for _, cause, _ in rows):
            point, kind = StaticShapes.key, "changing shape"
        by_line: dict[str, list] = {}
        for where, cause, seconds in rows:
            by_line.setdefault(where, []).append((cause, seconds))
        if any(step.variants for step in loop.later()):
            # A graph of torch.compile has a backward, whose sizes follow from its own.
            first = min(by_line, key=_line_key)
            by_line = {first: by_line[first] + [
                (by_line[first][-1][0], seconds) for where, rest in by_line.items()
                if where != first for _, seconds in rest]}
        source = self._changing_copy(loop) if kind == "changing shape" else ""
        call = self.run.model_line(loop)
        called = [call, *assigned_at(call)] if kind == "changing shape" else []
        for where, causes in by_line.items():
            seconds = sum(seconds for _, seconds in causes) or self._slower(loop) * sum(
                step.compiles() for step in loop.later())
            self.find(kind, source or where, len(causes),
                      f"compiled again {plural(len(causes), 'time')} in "
                      f"{plural(len(loop.steps), 'step')}: {causes[-1][0]}",
                      1e6 * seconds / len(loop.steps),
                      self._ADVICE[kind], "compilation",
                      [where, *self.run.others.get(where, []), *assigned_at(where), *called],
                      point)
        return bool(by_line)

    def _slower(self, loop: Loop) -> float:
        """Seconds by which a step that compiles is longer."""
        times = {True: [], False: []}
        for step in loop.later():
            times[step.compiles()].append(
                step.end.seconds - step.begin_seconds)
        if not times[True]:
            return 0.0
        base = statistics.median(times[False]) if times[False] else 0.0
        return max(0.0, statistics.mean(times[True]) - base)

    def _changing_copy(self, loop: Loop) -> str:
        """The only line that copies another number of bytes in most steps, or nothing."""
        sizes: dict[str, list[int]] = {}
        for step in loop.steps[1:]:
            lines: collections.Counter = collections.Counter()
            for (kind, _, where), (_, size) in step.notes.items():
                if kind.startswith("copy") and where:
                    lines[where] += size
            for where, size in lines.items():
                sizes.setdefault(where, []).append(size)
        found = [where for where, each in sizes.items()
                 if len(set(each)) > 1 and loop.often(len(each))]
        return found[0] if len(found) == 1 else ""


class Recompilation(_Recompiles):
    """Graphs that are compiled again because of a number."""
    key, name = "recompilation", "constants"

    def ask(self) -> None:
        found = False
        for loop in self.loops:
            for kind, rows in self.run.recompiled(loop).items():
                if kind == "changing shape":
                    continue
                found |= self._found(loop, kind, rows)
        if not found:
            self.say("no graph was compiled again because of a constant")


class StaticShapes(_Recompiles):
    """Graphs that are compiled again because of a size."""
    key, name = "static_shapes", "static shapes"

    def ask(self) -> None:
        found = False
        for loop in self.loops:
            rows = self.run.recompiled(loop).get("changing shape", [])
            if rows:
                found |= self._found(loop, "changing shape", rows)
        if not found:
            self.say("the sizes of a loop's tensors do not change")


class Autocast(Point):
    """Products of matrices in f32."""
    key, name = "autocast", "autocast"

    def ask(self) -> None:
        any_products, found = False, False
        for loop in self.loops:
            products = [(sizes, where) for op, sizes, where in self.run.ops(loop)
                        if op in _script.PRODUCTS and sizes]
            any_products |= bool(products)
            wide = [(sizes, where) for sizes, where in products if sizes[0][1] == "f32"]
            if self.run.is_compiled and not products:
                gain, title = self.run.advice(loop, "precision")
                any_products |= bool(title)
                where = self.run.model_line(loop) if title else ""
                count = 0
                if not title:
                    continue
            else:
                if not wide or len(wide) < len(products) / 2:
                    continue
                gain, title = self.run.advice(loop, "precision")
                where = next((where for _, where in wide if where), loop.where)
                count = len(wide)
            found = True
            what = f"the compiler says: {title}" if not count else \
                f"{plural(count, 'product')} of matrices in its graphs multiply f32" \
                if self.run.is_lazy else "products of matrices multiply f32"
            self.find("products in f32", where, count or 1,
                      f"{what}; in bf16 the matrix engine is faster, and less memory moves", gain,
                      'torch.autocast("hpu", dtype=torch.bfloat16), or a model in bfloat16')
        if not found:
            self.say("products of matrices are of bf16" if any_products else
                     "no products of matrices were seen", "fine" if any_products else
                     "not applicable")


class FusedOptimizer(Point):
    """Optimizers whose step is many launches."""
    key, name = "fused_optimizer", "fused optimizer"

    def ask(self) -> None:
        used = [each for each in self.seen.optimizers if each.count and each.parameters]
        if not used:
            return self.say("no optimizer updates parameters of the card",
                            "not applicable")
        found = False
        for each in used:
            loop = self._loop_of(each.updated_at)
            if each.is_fused or loop is None:
                continue
            if self.run.is_compiled and loop.timed and self._update_launches(loop) <= 2:
                continue  # torch.compile has made one graph of it
            found = True
            fused = _FUSED.get(each.name)
            gain, evidence = self._update_gain(loop, each)
            self.find(
                f"optimizer that is not fused: {each.name}", each.where,
                each.count, f"{plural(each.parameters, 'parameter')} with {each.elements:,} "
                f"elements; {evidence}", gain,
                f"habana_frameworks.torch.hpex.optimizers.{fused}: one launch updates all "
                "parameters" if fused else "one of habana_frameworks.torch.hpex.optimizers",
                also=[each.updated_at])
        if not found:
            self.say(", ".join(sorted({each.name for each in used})))

    def _loop_of(self, where: str) -> Loop | None:
        return next((loop for loop in self.loops if loop.where == where), None)

    def _update_launches(self, loop: Loop) -> float:
        spans = loop.update_spans
        inside = sum(any(begin <= call.begin < end for begin, end in spans)
                     for call in loop.calls if call.name == "Launch")
        return inside / max(1, loop.timed)

    def _update_gain(self, loop: Loop, which) -> tuple[float, str]:
        if not self.run.is_lazy:
            launches = self._update_launches(loop)
            return loop.gain(one_launch(loop.calls, loop.update_spans)), \
                f"an update takes {digits(launches)} launches"
        ops = self.run.ops_at(loop, which.updated_at)
        fills = sum(call.name == "Fill" for call in loop.calls) / max(1, loop.timed)
        return loop.gain(self.run.unrecorded(loop, ops - 1, without_fills)), \
            f"an update records {digits(ops)} ops, and {digits(fills)} numbers of a step go to " \
            "the card one by one"


class FusedClipNorm(Point):
    """Norms of gradients that are clipped tensor by tensor."""
    key, name = "fused_clip_norm", "fused clip norm"

    def ask(self) -> None:
        if not self.seen.clips:
            return self.say("norms of gradients are not clipped by "
                            "clip_grad_norm_", "not applicable")
        for where, count in self.seen.clips.items():
            loop = max(self.loops, key=lambda each: len(each.steps), default=None)
            if loop is None:
                continue
            number = self.run.ops_at(loop, where)
            if self.run.is_lazy:  # a kernel of the TPCs for each: 0.65 us, and little else
                gain = loop.gain(self.run.unrecorded(loop, number - 1)) + \
                    0.65 * max(0.0, number - 1)
            else:
                gain = max(0.0, number - 1) * max(8.0, LAUNCH_US)
            self.find("norm of gradients by clip_grad_norm_", where, count,
                      f"it takes {digits(number)} ops of a step", gain,
                      "habana_frameworks.torch.hpex.normalization.FusedClipNorm(parameters, "
                      "max_norm).clip_norm(parameters): one launch")


class FusedAttention(Point):
    """Attention that is a product, a softmax and a product."""
    key, name = "fused_attention", "fused attention"

    def ask(self) -> None:
        places: dict[str, tuple] = {}
        for each in self.seen.attentions.values():
            places.setdefault(each.where, (
                each.shapes, each.dtype, each.count, "scaled_dot_product_attention is computed as "
                "products and a softmax"))
        for loop in self.loops:
            for where, shapes, dtype in _attentions(self.run.ops(loop)):
                places.setdefault(where, (
                    shapes, dtype, len(loop.steps), "a product, a softmax and a product are "
                    "attention, which keeps its whole matrix in memory"))
        fused, candidates = self._fused_by_compiler()
        for where, (shapes, dtype, count, text) in places.items():
            gain = _attention_gain(shapes, dtype)
            if fused:
                text += f" (the compiler has found {fused} of {candidates} in these graphs " \
                    "itself, which another one may not)"
            self.find("attention that is not fused", where, count,
                      f"{text}: {'x'.join(map(str, shapes[0]))} and "
                      f"{'x'.join(map(str, shapes[1]))}", gain,
                      "habana_frameworks.torch.hpex.kernels.FusedSDPA.apply(q, k, v, mask, "
                      "dropout, is_causal)")
        if not places:
            self.say("no attention was seen that is not fused",
                     "not applicable")

    def _fused_by_compiler(self) -> tuple[int, int]:
        """Attentions of all graphs that the compiler has fused, and how many it has seen."""
        recipes = {id(recipe): recipe for loop in self.loops
                   for recipe, _ in self.run.recipes(loop)}
        counts = [each for recipe in recipes.values() if (made := self.run.predict(recipe))
                  for each in made.json["fusions"]["counts"] if each["kind"].startswith("sdpa")]
        return sum(each["fused"] for each in counts), sum(each["candidates"] for each in counts)


class HostSync(Point):
    """Reads for which the host waits."""
    key, name = "host_sync", "reads by the host"

    def ask(self) -> None:
        found, seldom = False, 0
        for loop in self.loops:
            reads = self.run.reads(loop)
            all_reads = sum(count for _, count in reads.values())
            saved = loop.gain(unwaited_reads, as_pinned)
            for where, (steps, count) in reads.items():
                if not loop.often(steps):
                    seldom += count
                    continue
                found = True
                self.find("host waits for the card", where, count,
                          f"a value of the card is read {plural(count, 'time')} in "
                          f"{plural(len(loop.steps), 'step')}: the host waits, and then the card "
                          "does", saved * count / all_reads,
                          "read it every 20 steps or more, or keep a sum on the card and read "
                          "that (loss.detach() instead of loss.item())")
        if not found:
            self.say(f"values of the card are read {plural(seldom, 'time')} in all "
                     "loops" if seldom else "no loop reads values of the card")


class PinnedMemory(Point):
    """Copies of memory that is not pinned."""
    key, name = "pinned_memory", "pinned memory"

    def ask(self) -> None:
        found = False
        for loop in self.loops:
            blocking = loop.by_line(lambda kind, _: kind == "copy that waits")
            copies = loop.by_line(lambda kind, _: kind.startswith("copy"))
            large = {where: each for where, each in copies.items()
                     if loop.often(each[0]) and each[2] // each[1] >= 1024 and
                     where not in self.run.not_the_script_s(loop)}
            total = sum(each[2] for each in copies.values())
            saved = loop.gain(as_pinned, unwaited_reads)
            for where, (_, count, size) in large.items():
                found = True
                loader = next((each for each in self.seen.loaders
                               if not each.pins and each.batches), None)
                waits = "does not go on before it has been copied" if where in blocking \
                    else "copies it to pinned memory first"
                self.find(
                    "copy of memory that is not pinned"
                    if loader or where not in blocking else "copy that blocks", where, count,
                    f"{bytes_text(size // count)} a time, {plural(count, 'time')} in "
                    f"{plural(len(loop.steps), 'step')}: the host {waits}", saved * size / total,
                    f"DataLoader(..., pin_memory=True) at {loader.where}, and "
                    'x.to("hpu", non_blocking=True)' if loader else
                    'x.pin_memory(), and x.to("hpu", non_blocking=True)',
                    also=[loader.where] if loader else [])
        if not found:
            self.say("no loop copies much that is not pinned to the card")


class DataLoaders(Point):
    """Loaders for which the script waits."""
    key, name = "data_loader", "data loader"

    def ask(self) -> None:
        used = [each for each in self.seen.loaders if each.batches >= 3]
        if not used:
            return self.say("no DataLoader feeds a loop", "not applicable")
        found = False
        for each in used:
            seconds = each.seconds()
            loop = max(self.loops, key=lambda loop: sum(step.loader_seconds for step in loop.steps),
                       default=None)
            step_us = (loop.step_us() if loop else None) or 0.0
            if each.workers == 0 and seconds > 5e-3 and 1e6 * seconds > step_us:
                found = True
                workers = max(1, math.ceil(1e6 * seconds / max(step_us, 1000)))
                self.find("loader without workers", each.where, each.batches,
                          f"a batch takes {time_text(1e6 * seconds)} of this host, in which the "
                          f"script waits; a step is predicted to take {time_text(step_us)}",
                          1e6 * seconds - step_us,
                          f"DataLoader(..., num_workers={min(8, workers + 1)}), or "
                          "habana_dataloader for images", "loader")
        if not found:
            self.say("; ".join(sorted({
                f"{each.workers} workers, {time_text(1e6 * each.seconds())} of this "
                "host a batch" for each in used})))


class LoopConstants(Point):
    """Tensors that are made again in each step."""
    key, name = "loop_constants", "constants in loops"

    def ask(self) -> None:
        found = False
        for loop in self.loops:
            by_line: dict[str, list] = {}
            for (kind, text, where), (steps, count, size) in loop.notes().items():
                if kind.startswith("copy") and text.startswith("values") and where and \
                        where not in self.run.not_the_script_s(loop):
                    by_line.setdefault(where, []).append((steps, count, size, text))
            total = max(1, sum(call.of == "copy in" for call in loop.calls))
            for where, rows in by_line.items():
                steps, count, size, _ = max(rows)
                all_steps = sum(row[0] for row in rows)
                is_same = loop.often(steps)
                is_number = loop.often(all_steps) and size // count <= 16
                if not is_same and not is_number:
                    continue
                found = True
                count = sum(row[1] for row in rows)
                share = loop.gain(change_where(
                    lambda call: call.of == "copy in" or call.name == "PageableKiB"))
                self.find(
                    "constant made in each step" if is_same else
                    "number of the host made a tensor in each step", where, count,
                    f"{bytes_text(size // max(1, max(rows)[1]))} "
                    f"{'with the same values ' if is_same else ''}go from the host to the card "
                    f"{plural(count, 'time')} in {plural(len(loop.steps), 'step')}",
                    min(share, share * count / max(1, len(loop.steps)) * max(1, loop.timed) /
                        total),
                    "make the tensor once, on the card, before the loop" if is_same else
                    "keep it on the card and change it there (add_, roll)")
        if not found:
            self.say("no loop makes a constant again and again")


class WeightSharing(Point):
    """Parameters that were one memory."""
    key, name = "weight_sharing", "weight sharing"

    def ask(self) -> None:
        found = False
        bandwidth = 2.0e12  # bytes/s, of memory
        for where, names, size, is_one in self.seen.shared:
            if is_one:
                continue
            found = True
            # A gradient and two moments beside it, read and written.
            self.find("weights that are no longer shared", where, 1,
                      f"{' and '.join(names)} were the same memory on the host and are "
                      f"{len(names)} tensors on the card: {bytes_text(size)} more, and each is "
                      "trained by itself", 1e6 * 7 * size / bandwidth,
                      "make them one Parameter (module.a = module.b, not a.data = b.data) before "
                      '.to("hpu")')
        if not found:
            shared = [each for each in self.seen.shared if each[3]]
            self.say(f"{plural(len(shared), 'group')} of weights stays shared"
                     if shared else "no weights are shared", "fine" if shared else
                     "not applicable")


class HpuGraphs(Point):
    """Inference whose calls are not replayed."""
    key, name = "hpu_graphs", "HPU graphs"

    def ask(self) -> None:
        loops = [loop for loop in self.loops if loop.kind == "inference" and len(loop.steps) >= 3]
        if any(loop.kind == "training" for loop in self.loops):
            loop = max(self.loops, key=lambda each: len(each.steps))
            gain = loop.gain(one_launch(loop.calls, loop.spans))
            return self.say("training may use ht.hpu.ModuleCacher where sizes do "
                            f"not change: one replay for all calls of a step would save "
                            f"{time_text(gain)}", "note")
        if not loops:
            return self.say("no inference was seen", "not applicable")
        found = False
        for loop in loops:
            modules = [each for each in self.seen.modules.values() if each.where == loop.where]
            if self.run.is_compiled or not modules or any(each.is_graphed for each in modules):
                continue
            if self.run.recompiled(loop).get("changing shape"):
                found = True
                self.say(f"the sizes of the loop at {loop.where} change, and each "
                         "would be a graph of its own", "note")
                continue
            found = True
            self.find("inference without HPU graphs", loop.where, len(loop.steps),
                      f"{modules[0].name} is called {plural(len(loop.steps), 'time')}, with "
                      f"{time_text(loop.host_us())} of calls of the host each",
                      loop.gain(one_launch(loop.calls, loop.spans)),
                      "model = ht.hpu.wrap_in_hpu_graph(model) before the loop")
        if not found:
            self.say("inference runs in HPU graphs, or is compiled")


POINTS = (CpuFallback, MarkStep, BatchSize, Graphs, Recompilation, StaticShapes, Autocast,
          FusedOptimizer, FusedClipNorm, FusedAttention, HostSync, PinnedMemory, DataLoaders,
          LoopConstants, WeightSharing, HpuGraphs)


_TYPES = {"Float": "f32", "BFloat16": "bf16", "Half": "f16", "Double": "f32"}


def _operand(text: str) -> tuple[tuple[int, ...], str]:
    *sizes, dtype = text.split("x")
    return tuple(int(each) for each in sizes), _TYPES.get(dtype, dtype)


def _line_key(where: str) -> tuple[str, int]:
    file, _, number = where.rpartition(":")
    return file, int(number) if number.isdigit() else 0


def assigned_at(where: str) -> list[str]:
    """Where the script has given the names of this line their values: the last lines before it
    that are in the same function, or later ones of the same loop."""
    file, _, number = where.rpartition(":")
    try:
        with open(file, encoding="utf-8") as source:
            tree = ast.parse(source.read())
    except (OSError, SyntaxError, ValueError):
        return []
    at = int(number)

    def innermost(kinds):
        return max((each for each in ast.walk(tree) if isinstance(each, kinds)
                    and each.lineno <= at <= each.end_lineno),
                   key=lambda each: each.lineno, default=None)
    scope = innermost((ast.FunctionDef, ast.AsyncFunctionDef)) or tree
    loop = innermost((ast.For, ast.While))
    last = loop.end_lineno if loop is not None and loop in ast.walk(scope) else at
    used = {each.id for each in ast.walk(scope) if isinstance(each, ast.Name)
            and isinstance(each.ctx, ast.Load) and each.lineno == at}
    found: dict[str, list[int]] = {}
    for each in ast.walk(scope):
        if not isinstance(each, (ast.Assign, ast.AugAssign, ast.AnnAssign)) or \
                not isinstance(each.value, (ast.Call, ast.Subscript, ast.BinOp, ast.IfExp)):
            continue
        targets = each.targets if isinstance(each, ast.Assign) else [each.target]
        for name in (inner for target in targets for inner in ast.walk(target)):
            if isinstance(name, ast.Name) and name.id in used and each.lineno <= last and \
                    each.lineno != at:
                found.setdefault(name.id, []).append(each.lineno)
    lines = set()
    for each in found.values():
        before = [number for number in each if number < at]
        later = [number for number in each if number > at]
        lines |= {max(before)} if before else set()
        lines |= {min(later)} if later else set()
    return [f"{file}:{number}" for number in sorted(lines, key=lambda one: abs(one - at))
            if abs(number - at) < 30]


def fitting(samples: float, held: int, peak: int, capacity: int) -> int:
    """Samples for which the memory suffices; 0, if the peak does not say what one takes."""
    of_samples = peak - held
    if of_samples < 0.01 * peak or not of_samples:
        return 0
    return max(0, int((0.95 * capacity - held) / (of_samples / samples)))


def _round(count: int) -> str:
    """Two digits."""
    if count < 100:
        return str(max(0, count))
    unit = 10 ** (len(str(count)) - 2)
    return f"{count // unit * unit:,}"


def _compiled_report():
    import sys
    if "torch._dynamo" not in sys.modules:
        return None
    from gaudi_mlir.torch import report
    return report.explain() if report.has_compiled() else None


def _attentions(ops: list) -> list[tuple[str, tuple, torch.dtype]]:
    """Lines at which a product, a softmax and a product make attention."""
    found: dict[str, tuple] = {}
    products = [(sizes, where) for op, sizes, where in ops
                if op in ("bmm", "baddbmm", "matmul") and len(sizes) >= 2]
    for op, sizes, where in ops:
        if op not in ("_softmax", "softmax", "_safe_softmax") or not sizes or len(sizes[0][0]) < 3:
            continue
        *batch, rows, columns = sizes[0][0]
        count = math.prod(batch)
        scores = [pair for pair, _ in products
                  if _is_product(pair[-2:], count, rows, columns)]
        values = [pair for pair, _ in products if pair[-2][0][-2:] == (rows, columns) and
                  math.prod(pair[-2][0][:-2]) == count]
        if scores and values and where not in found:
            depth = scores[0][-2][0][-1]
            dtype = torch.bfloat16 if values[0][-2][1] == "bf16" else torch.float32
            shape = (batch[0], batch[1]) if len(batch) == 2 else (1, count)
            found[where] = ((*shape, rows, depth), (*shape, columns, depth)), dtype
    return [(where, shapes, dtype) for where, (shapes, dtype) in found.items()]


def _is_product(pair, count: int, rows: int, columns: int) -> bool:
    (left, _), (right, _) = pair
    return len(left) >= 3 and math.prod(left[:-2]) == count and left[-2] == rows and \
        len(right) >= 2 and right[-1] == columns and left[-1] == right[-2]


def _attention_gain(shapes: tuple, dtype: torch.dtype) -> float:
    """Of one call, forward: what the compiler predicts that fusing its ops saves."""
    import gaudi_mlir.torch

    class Attention(torch.nn.Module):
        def forward(self, q, k, v):
            scores = (q @ k.transpose(-2, -1)) * q.shape[-1] ** -0.5
            return torch.softmax(scores, -1) @ v
    (query, key) = shapes
    operands = [torch.zeros(shape, dtype=dtype) for shape in (query, key, key)]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            made = gaudi_mlir.torch.export(Attention(), tuple(operands)).recipe().predict()
    except Exception:  # sizes that no recipe takes: there is no figure
        return 0.0
    return sum(each["saved_us"] for each in made.json["fusions"]["counts"]
               if each["kind"] == "sdpa")
