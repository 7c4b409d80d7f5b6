# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The loops of a script that has run, by their steps, and what changes of the calls of a step would
save: the calls are replayed with the change (_observed.replay)."""
import bisect
import collections
import dataclasses

from . import _script
from ._observed import CALL, MARK, OPTIMIZER, Call, Event, replay

LAUNCH_US = 12.59  # of the card, before the first command (docs/device-time.md)
RECORD_US = 4.0  # of the host, for an op of a graph in lazy mode: an estimate


@dataclasses.dataclass
class Step:
    end: Event
    begin: int  # clock
    begin_seconds: float
    notes: dict
    graphs: list
    runs: collections.Counter
    cuts: collections.Counter
    loader_seconds: float
    updates: list
    variants: list
    samples: int
    compiled: list

    def compiles(self) -> bool:
        return bool(self.graphs or self.variants or self.compiled)


@dataclasses.dataclass
class Loop:
    """Steps that end at the same line."""
    kind: str
    """"training", "inference" or "steps"."""
    where: str
    steps: list[Step] = dataclasses.field(default_factory=list)
    tail: Step | None = None
    """What came after the last one."""
    calls: list[Call] = dataclasses.field(default_factory=list)
    timed: int = 0
    """Steps that the calls are of: those in which nothing was compiled, after the first two."""
    spans: list[tuple[float, float]] = dataclasses.field(default_factory=list)
    """Of these steps, and of updates in them: times of the host."""
    update_spans: list[tuple[float, float]] = dataclasses.field(default_factory=list)

    def step_us(self) -> float | None:
        return replay(self.calls) / self.timed if self.timed else None

    def card_us(self) -> float:
        return sum(call.work for call in self.calls) / self.timed if self.timed else 0.0

    def host_us(self) -> float:
        return sum(call.duration for call in self.calls) / self.timed if self.timed else 0.0

    def gain(self, change, other=lambda call: call) -> float:
        """What the change of the calls saves of a step: now, or once `other` is changed, which may
        hide it now."""
        if not self.timed:
            return 0.0
        both = replay([made for call in self.calls if (made := other(call))], change)
        return max(0.0, replay(self.calls) - replay(self.calls, change),
                   replay(self.calls, other) - both) / self.timed

    def notes(self) -> dict[tuple[str, str, str], tuple[int, int, int]]:
        """In how many steps, how often, bytes."""
        found: dict = {}
        for step in [*self.steps, *([self.tail] if self.tail else [])]:
            for key, (count, size) in step.notes.items():
                known = found.get(key, (0, 0, 0))
                found[key] = (known[0] + 1, known[1] + count, known[2] + size)
        return found

    def by_line(self, is_meant) -> dict[str, tuple[int, int, int]]:
        """Of the notes whose kind and text are meant, by line: in how many steps, how often,
        bytes."""
        found: dict[str, list[int]] = {}
        for step in [*self.steps, *([self.tail] if self.tail else [])]:
            lines = set()
            for (kind, text, where), (count, size) in step.notes.items():
                if is_meant(kind, text):
                    known = found.setdefault(where, [0, 0, 0])
                    known[0] += where not in lines
                    known[1] += count
                    known[2] += size
                    lines.add(where)
        return {where: tuple(each) for where, each in found.items()}

    def on_cpu(self) -> set[str]:
        """Lines with ops on the CPU, whose copies are not the script's."""
        return set(self.by_line(lambda kind, _: kind == "op on the CPU"))

    def often(self, steps: int) -> bool:
        """Whether something in so many steps is in most of them: each of few, or a fifth."""
        return steps >= 3 and steps >= len(self.steps) / 5

    def later(self) -> list[Step]:
        """Those in which nothing new is expected."""
        return self.steps[2:]

    def rate(self, count: int) -> float:
        return count / max(1, len(self.steps))


def _kind(event: Event, is_trained: bool) -> str:
    """Of the step that the event ends, if it does."""
    if event.kind == OPTIMIZER:
        return "training"
    is_step = event.kind == CALL and (not event.has_gradients or not is_trained)
    return "inference" if is_step else ""


def _marks_in_steps(events: list[Event], is_trained: bool) -> set[str]:
    """Lines of mark_step that are called more than once in each of several steps."""
    runs: collections.Counter = collections.Counter()
    lengths: collections.Counter = collections.Counter()
    for event in events:
        if _kind(event, is_trained):
            lengths.clear()
        elif event.kind == MARK:
            lengths[event.where] += 1
            runs[event.where] += lengths[event.where] == 2
    return {where for where, count in runs.items() if count > 1}


def loops_of(events: list[Event]) -> list[Loop]:
    loops: dict[tuple[str, str], Loop] = {}
    is_trained = any(event.kind == OPTIMIZER for event in events)
    pending: list[Event] = []
    begin, begin_seconds = 0, events[0].seconds if events else 0.0
    loop = None
    inner, last_mark = _marks_in_steps(events, is_trained), ""

    def merged() -> Step:
        notes: dict = {}
        runs: collections.Counter = collections.Counter()
        cuts: collections.Counter = collections.Counter()
        for event in pending:
            for key, (count, size) in event.notes.items():
                known = notes.setdefault(key, [0, 0])
                known[0] += count
                known[1] += size
            runs.update(event.runs)
            cuts.update(event.cuts)
        return Step(pending[-1], begin, begin_seconds, notes,
                    [graph for event in pending for graph in event.graphs], runs, cuts,
                    sum(event.loader_seconds for event in pending),
                    [event.update for event in pending if event.update],
                    [each for event in pending for each in event.variants],
                    max(event.samples for event in pending),
                    [each for event in pending for each in event.compiled])

    for event in events:
        pending.append(event)
        kind = ""
        if event.kind in (OPTIMIZER, CALL):
            kind = _kind(event, is_trained)
        elif event.kind == MARK:
            if last_mark == event.where and event.where not in inner:
                kind = "steps"
            last_mark = event.where
        if not kind:
            continue
        if kind != "steps":
            last_mark = ""
        loop = loops.setdefault((kind, event.where), Loop(kind, event.where))
        loop.steps.append(merged())
        pending, begin, begin_seconds = [], event.clock, event.seconds
    if pending and loop:
        loop.tail = merged()
    return list(loops.values())


def give_calls(loops: list[Loop], calls: list[Call]) -> None:
    """Loops have the calls of their steps that compile nothing, after the first two."""
    begins = [call.begin for call in calls]
    for loop in loops:
        timed = [step for step in loop.later() if step.begin and step.end.clock > step.begin]
        for step in [step for step in timed if not step.compiles()] or timed:
            inside = calls[bisect.bisect_left(begins, step.begin / 1e6):
                           bisect.bisect_left(begins, step.end.clock / 1e6)]
            loop.calls += _recorded(step, inside)
            loop.timed += 1
            loop.spans.append((step.begin / 1e6, step.end.clock / 1e6))
            loop.update_spans += [(begin / 1e6, end / 1e6) for begin, end in step.updates]


def _recorded(step: Step, calls: list[Call]) -> list[Call]:
    """The calls, and before each launch of a graph what recording its ops takes."""
    ops = sum(len(graph.steps) * count for number, count in step.runs.items()
              if (graph := _script.graphs.get(number)))
    launches = sum(call.name == "Launch" for call in calls)
    if not ops or not launches:
        return calls
    return [made for call in calls for made in (
        [Call("Record", call.begin, RECORD_US * ops / launches), call]
        if call.name == "Launch" else [call])]


# --- changes of calls ---------------------------------------------------------------------------


def change_where(condition, **values):
    def change(call: Call):
        if not condition(call):
            return call
        return dataclasses.replace(call, **values) if values else None
    return change


unwaited_reads = change_where(
    lambda call: call.of == "copy out" or call.name == "Synchronize", waits=False)


def as_pinned(call: Call):
    if call.name == "PageableKiB":
        return None
    return dataclasses.replace(call, waits=False) if call.of == "copy in" else call


def without_copies(call: Call):
    return None if call.of in ("copy in", "copy out") or call.name == "PageableKiB" else call


def without_fills(call: Call):
    return None if call.name == "Fill" else call


def one_launch(calls: list[Call], spans: list[tuple[float, float]]):
    """Each span of calls as one launch; the engines work as long as before."""
    spans = sorted(spans)
    starts: dict[int, float] = {}  # the first launch of a span: its work
    inside: set[int] = set()
    at = 0
    for begin, end in spans:
        first, work = None, 0.0
        while at < len(calls) and calls[at].begin < end:
            call = calls[at]
            at += 1
            if call.begin < begin:
                continue
            inside.add(id(call))
            if call.work:
                work += max(0.0, call.work - (LAUNCH_US if call.name == "Launch" else 0.0))
                first = first or call
        if first is not None:
            starts[id(first)] = work + LAUNCH_US

    def change(call: Call):
        if id(call) in starts:
            return dataclasses.replace(call, name="Launch", duration=8.0, work=starts[id(call)],
                                       waits=False)
        return None if id(call) in inside else call
    return change
