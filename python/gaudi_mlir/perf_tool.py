# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads a trace of a Gaudi, or of an emulated one, and says where its time goes and what to do.

    gaudi-perf-tool --trace FILE [--json FILE] [--top N]

FILE is Chrome trace JSON, perhaps with gzip: of torch.profiler or habana_frameworks.torch.profiler,
of HABANA_PROFILE=1, of gaudi-run --trace, or of a real card, by torch.profiler or exported as JSON
by Intel's profiler. It is read as a stream: memory is some 30 bytes for each event.
"""
import argparse
import array
import bisect
import codecs
import collections
import dataclasses
import gzip
import json
import math
import re
import statistics
import sys
import zlib
from collections.abc import Iterable, Iterator

from ._command import Parser, whole_number
from ._text import (LFS_ADVICE, digits, is_lfs_pointer, plural, table, time_text, unwritable,
                    why_unreadable)

SCHEMA = "gaudi-perf-tool/1"
ENGINES = ("MME", "TPC", "DMA", "NIC")
_LAUNCH_US = 12.59  # of the card, before the first command of a launch (docs/device-time.md)


# What to do about a file that is no trace, and about a trace that is damaged.
_WRITERS = "name a trace, as torch.profiler and gaudi-run --trace write one"
_AGAIN = "write the trace again, or copy it again"


class TraceError(Exception):
    """A file that is no trace, or one of something else."""


# --- files ------------------------------------------------------------------------------------

_CHUNK = 1 << 22
_MOST = 1 << 26  # characters of one value
_SPACE = re.compile(r"[\s,]*")


class _Text:
    """JSON of a file, value by value."""

    def __init__(self, file) -> None:
        self.file = file
        self.decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self.json = json.JSONDecoder()
        self.text, self.at, self.before, self.is_all = "", 0, 0, False

    def more(self) -> bool:
        if self.is_all:
            return False
        data = self.file.read(_CHUNK)
        self.is_all = not data
        self.before += self.at
        self.text = self.text[self.at:] + self.decoder.decode(data, self.is_all)
        self.at = 0
        return bool(data)

    def peek(self, skip=_SPACE) -> str:
        """The next character that is no space, or a comma; "" at the end."""
        while True:
            self.at = skip.match(self.text, self.at).end()
            if self.at < len(self.text):
                return self.text[self.at]
            if not self.more():
                return ""

    def value(self):
        self.peek()
        while True:
            try:
                found, end = self.json.raw_decode(self.text, self.at)
            except ValueError as error:
                cut = len(self.text) - self.at
                if not self.is_all and cut < _MOST and self.more():
                    continue
                text = error.msg if isinstance(error, json.JSONDecodeError) else error
                raise TraceError(f"it is no JSON at character {self.before + self.at}: {text}; "
                                 f"{_AGAIN}") from None
            except RecursionError:
                raise TraceError(f"a value at character {self.before + self.at} is nested too "
                                 f"deeply; {_AGAIN}") from None
            # A number may continue after what has been read.
            if end == len(self.text) and not self.is_all and self.more():
                continue
            self.at = end
            return found


class File:
    """Events of a trace: iterate once; `notes` says what was wrong with it."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.notes: list[str] = []
        self.others: dict[str, object] = {}

    def __iter__(self) -> Iterator[dict]:
        try:
            with open(self.path, "rb") as raw:
                head = raw.read(32)
                raw.seek(0)
                if not head:
                    raise TraceError(f"it is empty; {_WRITERS}")
                if is_lfs_pointer(head):
                    raise TraceError(f"it {LFS_ADVICE}")
                if head[:2] == b"\x1f\x8b":
                    with gzip.open(raw) as file:
                        yield from self._events(_Text(file))
                    return
                if head.startswith((b"PK", b"\x28\xb5\x2f\xfd")) or b"\0" in head:
                    raise TraceError("it is no text: save or export the trace as JSON (a .hltv "
                                     "file: in Perfetto, \"Download\" or \"Convert to JSON\")")
                yield from self._events(_Text(raw))
        except (zlib.error, EOFError, OSError) as error:
            if not getattr(error, "errno", 0):
                raise TraceError(f"its compressed data is damaged: {error}; {_AGAIN}") from None
            raise TraceError(why_unreadable(self.path, error)) from None

    def _events(self, text: _Text) -> Iterator[dict]:
        first = text.peek()
        if first == "[":
            text.at += 1
            yield from self._array(text)
            return
        if first != "{":
            raise TraceError(f"it is no JSON: it begins with neither {{ nor [; {_WRITERS}"
                             if first else f"it is empty; {_WRITERS}")
        text.at += 1
        has_events = False
        while text.peek() not in ("}", ""):
            key = text.value()
            if text.peek() != ":" or not isinstance(key, str):
                raise TraceError(f"it is no JSON at character {text.before + text.at}; {_AGAIN}")
            text.at += 1
            if key == "traceEvents":
                if text.peek() != "[":
                    raise TraceError(f"its traceEvents are no list; {_WRITERS}")
                text.at += 1
                has_events = True
                yield from self._array(text)
            else:
                value = text.value()
                if not isinstance(value, (list, dict)):
                    self.others[key] = value
                elif key == "otherData" and isinstance(value, dict):
                    self.others.update(value)
        if not has_events:
            raise TraceError(f"it is JSON without traceEvents, so no trace; {_WRITERS}")

    def _array(self, text: _Text) -> Iterator[dict]:
        number = 0
        while True:
            following = text.peek()
            if following == "]":
                text.at += 1
                return
            try:
                if not following:
                    raise TraceError("it ends" if number else
                                     f"it ends before its first event; {_AGAIN}")
                event = text.value()
            except TraceError as error:
                if not text.is_all or not number:
                    raise
                # Recorders that are killed leave such files; what they have written counts.
                self.notes.append(f"the file ends within its events: {number} were read "
                                  f"({error})")
                text.at = len(text.text)
                return
            number += 1
            if isinstance(event, dict):
                yield event


# --- what is in a trace --------------------------------------------------------------------


class Names:
    """Numbers for texts."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        self.texts: list[str] = []

    def __call__(self, text: str) -> int:
        number = self.numbers.get(text)
        if number is None:
            number = self.numbers[text] = len(self.texts)
            self.texts.append(text)
        return number


class Lane:
    """Events of one track."""

    def __init__(self) -> None:
        self.begin, self.duration = array.array("d"), array.array("d")
        self.name, self.more = array.array("I"), array.array("I")
        self.kinds: collections.Counter = collections.Counter()
        self.engine = ""  # that events say of themselves
        self.external: dict[int, int] = {}  # of an event: its number of an op
        self.open: list[tuple[float, dict]] = []

    def add(self, begin: float, duration: float, name: int, more: int) -> None:
        self.begin.append(begin)
        self.duration.append(duration)
        self.name.append(name)
        self.more.append(more)

    def __len__(self) -> int:
        return len(self.begin)

    def intervals(self) -> Iterator[tuple[float, float]]:
        for begin, duration in zip(self.begin, self.duration):
            yield begin, begin + duration

    def order(self) -> list[int]:
        return sorted(range(len(self)), key=lambda each: (self.begin[each], -self.duration[each]))


def union(intervals: Iterable[tuple[float, float]]) -> list[tuple[float, float]]:
    made: list[list[float]] = []
    for begin, end in sorted(intervals):
        if made and begin <= made[-1][1]:
            if end > made[-1][1]:
                made[-1][1] = end
        elif end > begin:
            made.append([begin, end])
    return [(begin, end) for begin, end in made]


def length(intervals: Iterable[tuple[float, float]]) -> float:
    return sum(end - begin for begin, end in intervals)


def overlap(left: list[tuple[float, float]], right: list[tuple[float, float]]) -> float:
    total, at = 0.0, 0
    for begin, end in left:
        while at < len(right) and right[at][1] <= begin:
            at += 1
        place = at
        while place < len(right) and right[place][0] < end:
            total += min(end, right[place][1]) - max(begin, right[place][0])
            place += 1
    return total


_ENGINE_NAMES = (("MME", re.compile(r"\bMME", re.I)), ("TPC", re.compile(r"\bTPC", re.I)),
                 ("DMA", re.compile(r"\b[PEK]?DMA|^copy (up|down)$", re.I)),
                 ("NIC", re.compile(r"\bNIC|\bSTM_[01]_", re.I)))
_COPY = re.compile(r"^(copy (in|out)|Dma|memcpy|.*\bMemcpy)", re.I)
_STEP = re.compile(r"^ProfilerStep\s*#?\d+")
_UPDATE = re.compile(r"^Optimizer\.step#")
_COMPILE = re.compile(r"synGraphCompile|compileGraph|^Compile|graph_compile|CompileSynapseGraph",
                      re.I)
_FALLBACK = re.compile(r"^(?!.*\.py\(\d+\)).*fallback", re.I)  # no function of Python
_PLAIN = re.compile(r"^aten::(to|_to_copy|copy_|_copy_from|item|is_nonzero|_local_scalar_dense|"
                    r"cpu|clone|contiguous|equal|detach|empty.*|resize_)$")


def engine_of(text: str) -> str:
    return next((name for name, pattern in _ENGINE_NAMES if pattern.search(text)), "")


@dataclasses.dataclass
class Device:
    """Lanes of one card."""
    name: str
    streams: list[Lane] = dataclasses.field(default_factory=list)
    engines: dict[str, list[Lane]] = dataclasses.field(default_factory=dict)
    host: list[Lane] = dataclasses.field(default_factory=list)
    """Calls of the host in the card's own time."""


class Trace:
    def __init__(self, path: str) -> None:
        self.file = File(path)
        self.names = Names()
        self.mores = Names()  # "line\nmodule\nrecipe\ntype"
        self.lanes: dict[tuple, Lane] = collections.defaultdict(Lane)
        self.processes: dict[object, str] = {}
        self.threads: dict[tuple, str] = {}
        self.count, self.bad = 0, 0
        for event in self.file:
            self.count += 1
            try:
                self._take(event)
            except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
                self.bad += 1
        if not self.count:
            raise TraceError(f"it has no events; {_WRITERS}")
        if self.bad:
            self.file.notes.append(f"{plural(self.bad, 'event')} could not be understood")
        self.devices, self.host = self._sorted()
        if not self.devices:
            raise TraceError("no work of a Gaudi is in it (nothing of MME, TPC, DMA or hpu_op): "
                             "profile with activities=[torch.profiler.ProfilerActivity.HPU]")

    def _take(self, event: dict) -> None:
        phase = event.get("ph")
        place = (event.get("pid"), event.get("tid"))
        if phase == "M":
            args = event.get("args") or {}
            if event.get("name") == "process_name":
                self.processes[place[0]] = str(args.get("name", ""))
            elif event.get("name") == "thread_name":
                self.threads[place] = str(args.get("name", ""))
            return
        if phase == "X":
            self._add(self.lanes[place], event, float(event["ts"]), float(event.get("dur") or 0))
        elif phase == "B":
            self.lanes[place].open.append((float(event["ts"]), event))
        elif phase == "E":
            lane = self.lanes[place]
            if lane.open:
                begin, opened = lane.open.pop()
                args = {**(opened.get("args") or {}), **(event.get("args") or {})}
                self._add(lane, {**opened, "args": args}, begin, float(event["ts"]) - begin)

    def _add(self, lane: Lane, event: dict, begin: float, duration: float) -> None:
        if not -1e20 < begin < 1e20 or not 0 <= duration < 1e15:
            raise ValueError("no time")
        args = event.get("args") or {}
        kind = str(event.get("cat") or "")
        lane.kinds[kind] += 1
        hardware = str(args.get("HW event name") or "")
        if hardware and not lane.engine:
            lane.engine = engine_of(hardware.replace("_", " "))
        line = args.get("line") or args.get("location") or ""
        recipe = args.get("recipeName") or args.get("Recipe name") or args.get("launch") or ""
        name = args.get("op") if hardware and args.get("op") else event.get("name")
        more = "\n".join(map(str, (line, args.get("module") or "", recipe, args.get("type") or
                                   args.get("dataType") or "", args.get("command", ""))))
        external = args.get("External id")
        if external is not None and kind in ("cpu_op", "hpu_op"):
            lane.external[len(lane)] = int(external)
        lane.add(begin, duration, self.names(str(name)), self.mores(more))

    def _sorted(self) -> tuple[list[Device], list[Lane]]:
        devices: dict[object, Device] = {}
        host: list[Lane] = []

        def device(key, name: str) -> Device:
            return devices.setdefault(key, Device(name))
        for (process, thread), lane in self.lanes.items():
            if not len(lane):
                continue
            about, track = self.processes.get(process, ""), self.threads.get((process, thread), "")
            kind = lane.kinds.most_common(1)[0][0]
            ours = re.match(r"^HPU (\d{1,9})( engines| calls)?$", about)
            card = int(ours[1]) if ours else process
            if kind == "hpu_call" or about == "host" and kind == "":
                key = card if kind == "hpu_call" else 1
                device(key, f"HPU {key}").host.append(lane)
            elif ours and ours[2] == " engines":
                device(card, f"HPU {card}").engines.setdefault(engine_of(track) or "other",
                                                               []).append(lane)
            elif about.startswith("measured on this host"):
                continue
            elif about.startswith("predicted on"):
                made = device(process, about)
                if track == "launch":
                    made.host.append(lane)
                else:
                    made.engines.setdefault(engine_of(track) or "other", []).append(lane)
            elif engine := lane.engine or (engine_of(track) if not _is_host(kind) else "") or (
                    _of_number(thread) if kind in ("hpu_op", "kernel") and not track.startswith(
                        "stream") else ""):
                device(process, about or f"device {process}").engines.setdefault(
                    engine, []).append(lane)
            elif kind in ("kernel", "gpu_memcpy", "gpu_memset") or \
                    kind == "hpu_op" and (ours or track.startswith("stream")) or \
                    track.endswith("stream") and kind == "":
                device(card, about or f"HPU {card}").streams.append(lane)
            else:
                host.append(lane)
        found = [each for each in devices.values() if each.streams or each.engines]
        return found, host


def _is_host(kind: str) -> bool:
    return kind in ("cpu_op", "python_function", "user_annotation", "privateuse1_runtime")


def _of_number(thread) -> str:
    """Tracks of real cards have numbers by kind of engine."""
    if not isinstance(thread, int):
        return ""
    return {4: "DMA", 6: "MME", 7: "TPC"}.get(thread // 1000, "")


# --- the report ----------------------------------------------------------------------------


@dataclasses.dataclass
class Advice:
    title: str
    text: str
    gain_us: float


def analyse(path: str, top: int = 10) -> dict:
    """What is in the trace, as a dictionary; docs/performance-checklist.md has its keys."""
    trace = Trace(path)
    # A file of gaudi-run may have several cards of which each runs the same.
    devices = [_Device(trace, each, top) for each in trace.devices]
    return {"schema": SCHEMA, "trace": path, "events": trace.count, "notes": trace.file.notes,
            "devices": [each.report() for each in devices]}


class _Device:
    def __init__(self, trace: Trace, device: Device, top: int) -> None:
        self.trace, self.device, self.top = trace, device, top
        self.text, self.more = trace.names.texts, trace.mores.texts
        lanes = [lane for each in device.engines.values() for lane in each]
        self.by_engine = {name: union(pair for lane in each for pair in lane.intervals())
                          for name, each in device.engines.items()}
        working = device.streams or lanes
        self.busy = union(pair for lane in working for pair in lane.intervals())
        self.is_predicted_run = device.name.startswith("predicted on")
        launch = [pair for lane in device.host for pair in lane.intervals()] \
            if self.is_predicted_run else []
        self.busy = union([*self.busy, *launch])
        # Before its first work the card may be at work that was issued before the trace.
        self.begin, self.end = (self.busy[0][0], self.busy[-1][1]) if self.busy else (0.0, 0.0)
        # Host and card have one time, unless the card is emulated: then only its calls have it.
        self.host = [] if self.is_predicted_run else device.host or trace.host
        self.shares_time = not device.host

    def report(self) -> dict:
        window, busy = self.end - self.begin, length(self.busy)
        steps = self._steps()
        top = self._top()
        gaps, in_gaps = self._gaps()
        copies = self._copies()
        compiles = self._named(_COMPILE, steps)
        fallbacks = self._fallbacks()
        engines = {}
        for name in sorted(self.by_engine, key=lambda each: ENGINES.index(each)
                           if each in ENGINES else 9):
            mine = self.by_engine[name]
            others = union(pair for other, each in self.by_engine.items() if other != name
                           for pair in each)
            lanes = self.device.engines[name]
            engines[name] = {
                "tracks": len(lanes), "busy_us": length(mine),
                "share": length(mine) / window if window else 0.0,
                "mean_share": sum(map(sum, (lane.duration for lane in lanes))) /
                (window * len(lanes)) if window else 0.0,
                "exposed_us": length(mine) - overlap(mine, others)}
        made = {
            "device": self.device.name, "window_us": window, "busy_us": busy,
            "idle_us": window - busy, "host_bound_share": (window - busy) / window if window else 0,
            "engines": engines,
            "mme_tpc_overlap_us": overlap(self.by_engine.get("MME", []),
                                          self.by_engine.get("TPC", [])),
            "steps": steps, "gaps": gaps, "host_in_gaps": in_gaps, **top, "copies": copies,
            "compiles": compiles, "fallbacks": fallbacks}
        made["advice"] = [dataclasses.asdict(each) for each in self._advice(made)]
        return made

    # --- steps ---

    def _steps(self) -> dict:
        marks: list[tuple[float, float]] = []
        updates = 0
        for lane in self.trace.host:
            wanted = {number for number in set(lane.name)
                      if _STEP.match(self.text[number]) or _UPDATE.match(self.text[number])}
            if not wanted:
                continue
            for begin, duration, name in zip(lane.begin, lane.duration, lane.name):
                if name in wanted:
                    if _STEP.match(self.text[name]):
                        marks.append((begin, begin + duration))
                    else:
                        updates += 1
        window = self.end - self.begin
        if marks and self.shares_time:
            marks.sort()
            times = [end - begin for begin, end in marks]
            busy = overlap(self.busy, union(marks)) / len(marks)
            return {"count": len(marks), "from": "ProfilerStep", "median_us":
                    statistics.median(times), "min_us": min(times), "max_us": max(times),
                    "busy_us": busy}
        count, source = (len(marks), "ProfilerStep") if marks else \
            (updates, "updates by optimizers")
        if not count and not self.is_predicted_run:
            runs = collections.Counter(
                self.text[name] for lane in self.device.streams for name in lane.name
                if not _COPY.match(self.text[name]) and self.text[name] != "fill")
            if runs:
                name, count = max(runs.items(), key=lambda each: (
                    sum(duration for lane in self.device.streams
                        for duration, number in zip(lane.duration, lane.name)
                        if self.text[number] == each[0]), each[1]))
                source = f"launches of {name}"
        if self.is_predicted_run:
            count, source = 1, "one launch"
        if not count:
            return {"count": 0, "from": "nothing that ends steps was found"}
        return {"count": count, "from": source, "median_us": window / count,
                "busy_us": length(self.busy) / count}

    # --- what runs ---

    def _top(self) -> dict:
        by_name: dict[str, list] = {}
        by_line: dict[str, list] = {}
        by_module: dict[str, list] = {}
        types: dict[str, float] = {}
        streams = self.device.streams
        for engine, lanes in ([("", streams)] if streams else self.device.engines.items()):
            for lane in lanes:
                for begin, duration, name, more in zip(lane.begin, lane.duration, lane.name,
                                                       lane.more):
                    line, module, *_ = self.more[more].split("\n")
                    interval = (begin, begin + duration)
                    by_name.setdefault((engine + " " if engine else "") + self.text[name],
                                       []).append(interval)
                    if line:
                        by_line.setdefault(line, []).append(interval)
                    if module:
                        by_module.setdefault(module, []).append(interval)
        for engine, lanes in self.device.engines.items():
            for lane in lanes:
                for duration, more in zip(lane.duration, lane.more):
                    dtype = self.more[more].split("\n")[3]
                    if dtype and engine == "MME":
                        types[dtype] = types.get(dtype, 0.0) + duration
        # A command may be on all engines of a kind at once; pieces of a stream follow each other.
        times = {id(table): {name: (len(pairs), length(pairs)) if streams else
                             (len(made := union(pairs)), length(made))
                             for name, pairs in table.items()}
                 for table in (by_name, by_line, by_module)}
        total = sum(duration for _, duration in times[id(by_name)].values()) or 1.0

        def rows(table: dict) -> list[dict]:
            ordered = sorted(times[id(table)].items(), key=lambda each: -each[1][1])[:self.top]
            return [{"name": name, "count": count, "us": duration, "share": duration / total}
                    for name, (count, duration) in ordered]
        launches = sum(len(pairs) for name, pairs in by_name.items()
                       if streams and not _COPY.match(name) and name != "fill")
        return {"ops": rows(by_name), "lines": rows(by_line), "modules": rows(by_module),
                "launches": launches, "mme_types": types}

    def _copies(self) -> dict:
        found = {"in": [0, 0.0], "out": [0, 0.0], "other": [0, 0.0]}
        lanes = self.device.streams or self.device.engines.get("DMA", [])
        for lane in lanes:
            for duration, name in zip(lane.duration, lane.name):
                text = self.text[name]
                if not _COPY.match(text):
                    continue
                key = "in" if re.search(r"copy in|HtoD|host to", text, re.I) else \
                    "out" if re.search(r"copy out|DtoH|to host", text, re.I) else "other"
                found[key][0] += 1
                found[key][1] += duration
        return {key: {"count": count, "us": duration} for key, (count, duration) in found.items()
                if count}

    def _named(self, pattern, steps: dict) -> dict:
        """Events of the host with such names, without those within others."""
        pairs, seen = [], 0
        for lane in [*self.trace.host, *self.device.host]:
            wanted = {number for number in set(lane.name) if pattern.search(self.text[number])}
            for begin, duration, name in zip(lane.begin, lane.duration, lane.name):
                if name in wanted:
                    pairs.append((begin, begin + duration))
                    seen += 1
        merged = union(pairs)
        return {"count": len(merged), "us": length(merged),
                "per_step": len(merged) / steps["count"] if steps["count"] else 0.0}

    def _fallbacks(self) -> list[dict]:
        """Ops that ran on the CPU: those that say so, and those that copy their operands out."""
        found: collections.Counter = collections.Counter()
        outs = {lane.external[place] for lane in self.device.streams for place in lane.external
                if self.text[lane.name[place]] == "copy out"}
        for lane in self.trace.host:
            for number, count in collections.Counter(lane.name).items():
                if _FALLBACK.search(self.text[number]):
                    found[self.text[number]] += count
            if not outs & set(lane.external.values()):
                continue
            stack: list[int] = []
            said: set[int] = set()
            for place in lane.order():
                while stack and lane.begin[stack[-1]] + lane.duration[stack[-1]] <= \
                        lane.begin[place]:
                    stack.pop()
                if place in lane.external:
                    stack.append(place)
                if lane.external.get(place) not in outs:
                    continue
                origin = next((each for each in stack
                               if not _PLAIN.match(self.text[lane.name[each]]) and
                               self.text[lane.name[each]].startswith("aten::")), None)
                if origin is not None and origin not in said:
                    said.add(origin)
                    found[self.text[lane.name[origin]]] += 1
        return [{"op": op, "count": count} for op, count in found.most_common(self.top)]

    # --- gaps ---

    def _gaps(self) -> tuple[list[dict], list[dict]]:
        # Times of files are rounded to nanoseconds.
        gaps = sorted(((after[0] - before[1], before[1], after[0])
                       for before, after in zip(self.busy, self.busy[1:])
                       if after[0] - before[1] > 0.002), reverse=True)
        doing: dict[str, list[float]] = {}
        rows = []
        # The longest, which are most of the time.
        finders = [_Innermost(lane, self.text) for lane in self.host]
        for duration, begin, end in gaps[:2000]:
            parts: collections.Counter = collections.Counter()
            for finder in finders:
                parts.update(finder.during(begin, end))
            name, covered = max(parts.items(), key=lambda each: each[1], default=("", 0.0))
            for what, time in (parts or {"nothing that is in the trace": duration}).items():
                known = doing.setdefault(what, [0, 0.0])
                known[0] += 1
                known[1] += min(time, duration)
            if len(rows) < self.top:
                rows.append({"begin_us": begin - self.begin, "us": duration,
                             "host": name or "nothing that is in the trace",
                             "share": covered / duration if duration else 0.0})
        ordered = sorted(doing.items(), key=lambda each: -each[1][1])[:self.top]
        return rows, [{"name": name, "gaps": int(count), "us": time}
                      for name, (count, time) in ordered]

    # --- advice ---

    def _advice(self, made: dict) -> list[Advice]:
        steps = max(1, made["steps"]["count"])
        window, idle = made["window_us"], made["idle_us"]
        found: list[Advice] = []

        def add(title: str, text: str, gain: float) -> None:
            if gain > 0.01 * window / steps:
                found.append(Advice(title, text, gain))
        in_gaps = {each["name"]: each["us"] for each in made["host_in_gaps"]}
        waiting = sum(time for name, time in in_gaps.items()
                      if re.search(r"dataloader|__next__", name, re.I))
        if waiting:
            add("Load data beside the steps", "the card is idle while the script waits for its "
                "DataLoader: num_workers, pin_memory=True, or habana_dataloader", waiting / steps)
        compiling = made["compiles"]
        if compiling["count"]:
            add("Compile graphs once", f"{plural(compiling['count'], 'graph')} compiled in the "
                "trace: keep sizes and constants the same in each step, and leave warm-up steps "
                "out of the trace", compiling["us"] / steps)
        reading = sum(time for name, time in in_gaps.items() if re.search(
            r"synEventSynchronize|synStreamSynchronize|^Synchronize$|_local_scalar_dense|"
            r"aten::item", name))
        outs = made["copies"].get("out", {"count": 0, "us": 0.0})
        if outs["count"] >= steps and steps > 1:
            gain = max(reading, outs["us"] + 2 * outs["count"])
            add("Read values seldom", f"{outs['count']} copies to the host in "
                f"{plural(steps, 'step')}: .item(), prints and progress bars make the host wait "
                "for the card", gain / steps)
        if made["fallbacks"]:
            ops = ", ".join(each["op"] for each in made["fallbacks"][:3])
            count = sum(each["count"] for each in made["fallbacks"])
            exposed = sum(each["us"] for each in made["copies"].values()) + 4 * count
            add("Keep ops on the card", f"{plural(count, 'op')} on the CPU: {ops}; each copies its "
                "operands to the host and its results back", exposed / steps)
        rest = idle - waiting - reading
        if idle > 0.15 * window:
            add("Give the card more work at once", f"it is idle for {digits(100 * idle / window)} "
                "% of the time, because the host does not issue work fast enough: larger batches, "
                "HPU graphs, fused optimizers, fewer and larger graphs", max(0.0, rest) / steps)
        launches = made["launches"] / steps
        if launches > 8 and made["busy_us"] / max(1, made["launches"]) < 4 * _LAUNCH_US:
            add("Launch graphs instead of ops", f"{digits(launches)} launches a step of "
                f"{time_text(made['busy_us'] / made['launches'])} each, of which some "
                f"{time_text(_LAUNCH_US)} are the launch: lazy mode, torch.compile, HPU graphs",
                (launches - 2) * _LAUNCH_US)
        engines = made["engines"]
        copying = engines.get("DMA", {}).get("exposed_us", 0.0)
        ins = made["copies"].get("in", {"us": 0.0})["us"]
        if copying or ins:
            add("Copy while the card computes", "no other engine works during "
                f"{time_text(copying or ins)} of copies: pin the memory, and copy with "
                "non_blocking=True", (copying or ins) / steps)
        mme, tpc = engines.get("MME"), engines.get("TPC")
        if mme and tpc:
            alone = min(mme["exposed_us"], tpc["exposed_us"])
            add("Let MME and TPC work at the same time", f"the MME works alone for "
                f"{time_text(mme['exposed_us'])}, the TPCs for {time_text(tpc['exposed_us'])}: "
                "fused ops (FusedSDPA, fused norms) and larger batches let the compiler pipeline "
                "them", 0.5 * alone / steps)
            if tpc["exposed_us"] > 2 * mme["busy_us"] and tpc["tracks"] > 1 and \
                    tpc["mean_share"] < 0.5 * tpc["share"]:
                add("Fill the TPCs", f"{digits(100 * tpc['mean_share'] / tpc['share'])} % of the "
                    "TPCs work when one does: larger tensors, or fewer small ops",
                    (1 - tpc["mean_share"] / tpc["share"]) * tpc["exposed_us"] / steps)
        wide = sum(time for dtype, time in made["mme_types"].items()
                   if re.fullmatch(r"f(loat)?32|fp32|syn_type_single", dtype, re.I))
        if wide and mme:
            share = wide / max(sum(made["mme_types"].values()), 1e-9)
            add("Multiply in bf16", f"{digits(100 * share)} % of the time of the MME is of f32: "
                'torch.autocast("hpu", dtype=torch.bfloat16). At most half of it is saved',
                0.5 * share * mme["busy_us"] / steps)
        return sorted(found, key=lambda each: -each.gain_us)


class _Innermost:
    """What a track of the host does at a time: its innermost events."""

    def __init__(self, lane: Lane, names: list[str]) -> None:
        self.names = names
        # Pieces of time in which the same event is the innermost.
        self.begins, self.ends, self.what = array.array("d"), array.array("d"), array.array("I")
        stack: list[tuple[float, int]] = []
        now = 0.0

        def until(time: float) -> None:
            nonlocal now
            if stack and time > now:
                self.begins.append(now)
                self.ends.append(time)
                self.what.append(stack[-1][1])
            now = max(now, time)
        for place in lane.order():
            begin = lane.begin[place]
            while stack and stack[-1][0] <= begin:
                until(stack[-1][0])
                stack.pop()
            until(begin)
            now = begin
            stack.append((begin + lane.duration[place], lane.name[place]))
        while stack:
            until(stack[-1][0])
            stack.pop()

    def during(self, begin: float, end: float) -> dict[str, float]:
        found: dict[str, float] = {}
        at = bisect.bisect_right(self.ends, begin)
        while at < len(self.begins) and self.begins[at] < end:
            name = self.names[self.what[at]]
            found[name] = found.get(name, 0.0) + min(end, self.ends[at]) - max(
                begin, self.begins[at])
            at += 1
        return found


def text_of(report: dict) -> str:
    lines = [f"{report['trace']}: {plural(report['events'], 'event')}"]
    lines += [f"note: {note}" for note in report["notes"]]
    for made in report["devices"]:
        window = made["window_us"]
        lines.append(f"{made['device']}: {time_text(window)}, busy {time_text(made['busy_us'])}, "
                     f"idle {time_text(made['idle_us'])} "
                     f"(host-bound {digits(100 * made['host_bound_share'])} %)")
        steps = made["steps"]
        if steps["count"]:
            text = f"  {plural(steps['count'], 'step')} (by {steps['from']}): " \
                f"{time_text(steps['median_us'])} each, the card works " \
                f"{time_text(steps['busy_us'])}"
            if "min_us" in steps:
                text += f"; shortest {time_text(steps['min_us'])}, longest " \
                    f"{time_text(steps['max_us'])}"
            lines.append(text)
        else:
            lines.append("  steps: none were found (profiler.step() and schedules mark them)")
        rows = [(name, plural(each["tracks"], "track"), f"{digits(100 * each['share'])} %",
                 f"busy {time_text(each['busy_us'])}", f"alone {time_text(each['exposed_us'])}")
                for name, each in made["engines"].items()]
        if rows:
            lines += ["  engines (share of the time in which one of them works)",
                      table(rows, 4, right=(2,))]
            lines.append(f"    MME and TPC together: {time_text(made['mme_tpc_overlap_us'])}")
        if made["copies"]:
            lines.append("  copies: " + ", ".join(
                f"{key} {each['count']} in {time_text(each['us'])}"
                for key, each in made["copies"].items()))
        compiles = made["compiles"]
        lines.append(f"  graphs compiled: {compiles['count']}" + (
            f" in {time_text(compiles['us'])}" if compiles["count"] else ""))
        lines.append("  ops on the CPU: " + (", ".join(
            f"{each['op']} ({each['count']})" for each in made["fallbacks"]) or "none were seen"))
        for key, head in (("ops", "time by op"), ("modules", "time by module"),
                          ("lines", "time by line")):
            if made[key]:
                lines += [f"  {head}", table(
                    [(each["name"], str(each["count"]), time_text(each["us"]),
                      f"{digits(100 * each['share'])} %") for each in made[key]], 4,
                    right=(1, 2, 3))]
        if made["host_in_gaps"]:
            lines += ["  what the host does while the card is idle", table(
                [(each["name"], plural(each["gaps"], "gap"), time_text(each["us"]))
                 for each in made["host_in_gaps"]], 4, right=(1, 2))]
            lines += ["  longest gaps", table(
                [(f"at {time_text(each['begin_us'])}", time_text(each["us"]), each["host"])
                 for each in made["gaps"][:5]], 4)]
        lines.append(f"  advice: {len(made['advice'])} (what each saves of a step)")
        for number, each in enumerate(made["advice"], 1):
            lines.append(f"    {number}. {each['title']}: {time_text(each['gain_us'])}")
            lines.append(f"       {each['text']}")
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> int:
    parser = Parser(prog="gaudi-perf-tool", description=__doc__,
                    formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trace", required=True, metavar="FILE", help="the trace")
    parser.add_argument("--json", metavar="FILE",
                        help='writes the report here; "-": to the standard output, without text')
    parser.add_argument("--top", type=whole_number(1), default=10, metavar="N",
                        help="rows of each table (default: %(default)s)")
    options = parser.parse_args(arguments)
    try:
        report = analyse(options.trace, options.top)
    except TraceError as error:
        print(f"gaudi-perf-tool: error: {options.trace}: {error}", file=sys.stderr)
        return 2
    text = json.dumps(report, indent=1)
    try:
        if options.json and options.json != "-":
            with open(options.json, "w", encoding="utf-8") as file:
                file.write(text + "\n")
        shown = text if options.json == "-" else text_of(report)
        # Names may have characters that the output has not, such as half of a pair.
        code = sys.stdout.encoding or "utf-8"
        print(shown.encode(code, "backslashreplace").decode(code))
    except BrokenPipeError:
        sys.stderr.close()  # the reader has seen enough
    except OSError as error:
        print(f"gaudi-perf-tool: error: {unwritable(options.json or 'standard output', error)}",
              file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
