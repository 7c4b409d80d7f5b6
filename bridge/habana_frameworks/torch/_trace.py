# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the cards did while a profiler ran, for torch.profiler and for files of our own.

A card has its own, predicted, time, which is that of the host when the trace begins. Its work says
by which op it was issued; of the outermost op the line of the script and the module are noted.
"""
import atexit
import functools
import gzip
import json
import logging
import os
import tempfile
import time
from collections.abc import Callable, Iterator

import torch
import torch.profiler

from . import _C, _modules
from .activity_profiler import DebugActivity

log = logging.getLogger("habana_frameworks.torch.profiler")

_ENGINES, _HOST = 900_000_000, 910_000_000  # processes of a file, of card 0
_STREAMS = 10_000  # tracks of a card below it are streams


class _Trace:
    """Of the cards that are open when it begins."""

    def __init__(self) -> None:
        _C.init(-1)
        self.places: dict[int, tuple[str, str]] = {}
        _modules.watch(True)
        self.debug = set(DebugActivity)
        from . import _script  # which imports much
        _script.keep(by="a profile")
        self.begins: dict[int, tuple[int, int]] = {}
        for card in range(_C.device_count()):
            if _C.is_open(card):
                _C.begin_trace(card)
                self.begins[card] = time.time_ns(), _C.clock(card)["host"]
        self.events: dict[int, list[dict]] = {}
        self.outermost: dict[int, int] = {}

    def end(self, outermost: dict[int, int]) -> None:
        """Takes the ops that others are in."""
        self.outermost = outermost
        _modules.watch(False)
        from . import _script
        _script.keep(False, by="a profile")
        for card in self.begins:
            self.events[card] = _read(card)

    def nanoseconds(self, card: int, picoseconds: int) -> int:
        wall, begin = self.begins[card]
        return wall + (picoseconds - begin) // 1000

    def rows(self) -> Iterator[tuple]:
        """Name, begin, end, card, stream, op, line and module of each piece of work."""
        for card, events in self.events.items():
            for each in events:
                args = each.get("args", {})
                if each["ph"] != "X" or "start_ps" not in args:
                    continue
                op = args.get("label", 0)
                line, module = self.places.get(self.outermost.get(op, op), ("", ""))
                begin = self.nanoseconds(card, args["start_ps"])
                end = max(begin + 1, self.nanoseconds(card, args["end_ps"]))
                yield each["name"], begin, end, card, each["tid"], op, line, module

    def details(self, base: int) -> Iterator[dict]:
        """Engines, and calls of the host, as events of a file whose times begin at `base`."""
        for card, events in self.events.items():
            names = {1: (_ENGINES + card, f"HPU {card} engines", "predicted time"),
                     2: (_HOST + card, f"HPU {card} calls", "predicted time of the host's calls")}
            for process, name, label in names.values():
                for kind, args in (("process_name", {"name": name}),
                                   ("process_labels", {"labels": label}),
                                   ("process_sort_index", {"sort_index": process})):
                    yield {"ph": "M", "pid": process, "tid": 0, "name": kind, "args": args}
            for each in events:
                is_stream = each["pid"] == 1 and each.get("tid", 0) < _STREAMS
                if is_stream or each["ph"] == "M" and each["name"] != "thread_name":
                    continue
                made = {**each, "pid": names[each["pid"]][0]}
                if each["pid"] == 2 and DebugActivity.SYNAPSE_FUNCTION_CALLS not in self.debug:
                    continue
                if each["ph"] == "X":
                    made["cat"] = "kernel" if each["pid"] == 1 else "hpu_call"
                    made["ts"] = (self.nanoseconds(card, round(each["ts"] * 1e6)) - base) / 1000
                yield made


def _read(card: int) -> list[dict]:
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "trace.json")
        _C.write_trace(card, path)
        with open(path, encoding="utf-8") as file:
            return json.load(file)["traceEvents"]


_current: _Trace | None = None
_last: _Trace | None = None


def begin() -> None:
    global _current
    if _current is not None:
        raise RuntimeError("hpu: a profiler is running, and a card has one trace at a time; end its "
                           "`with` block, or call its stop(), before another begins")
    _current = _Trace()


def end(outermost: dict[int, int]) -> list[tuple]:
    global _current, _last
    if _current is None:
        return []
    _last, _current = _current, None
    _last.end(outermost)
    return list(_last.rows())


def take() -> _Trace | None:
    """The last trace, once."""
    global _last
    taken, _last = _last, None
    return taken


def enter(op: int) -> None:
    """A thread enters an op that is in no other."""
    trace = _current
    if trace is not None:
        file, line, module, _ = _C.place_of_op()
        trace.places[op] = (f"{file}:{line}" if file else "", module)


# --- torch.profiler --------------------------------------------------------------------------

OFF = "HABANA_PROFILE=0 disables the profiling of hpu; unset it, or leave ProfilerActivity.HPU out"


def is_off() -> bool:
    return os.environ.get("HABANA_PROFILE", "").strip() == "0"


def install() -> None:
    """Profiles with activities of hpu: the variable that forbids them, and files with engines."""
    os.environ.setdefault("HABANA_PROFILE", "profile_api_light")
    from torch.autograd.profiler import profile
    prepare, leave, export = profile._prepare_trace, profile.__exit__, profile.export_chrome_trace
    parse = profile._parse_kineto_results

    def _prepare_trace(self):
        if self.use_device == "hpu" and is_off():
            raise RuntimeError(OFF)
        return prepare(self)

    def __exit__(self, *error):
        result = leave(self, *error)
        if self.use_device == "hpu":
            self._hpu_trace = take()
        return result

    def _parse_kineto_results(self, *args, **named):
        events = parse(self, *args, **named)
        if self.use_device == "hpu":
            _give_kernels(events)
        return events

    def export_chrome_trace(self, path, *args, **named):
        result = export(self, path, *args, **named)
        if getattr(self, "_hpu_trace", None) is not None:
            _merge(self._hpu_trace, path)
        return result

    profile._prepare_trace, profile.__exit__ = _prepare_trace, __exit__
    profile.export_chrome_trace = export_chrome_trace
    profile._parse_kineto_results = _parse_kineto_results
    _mend_tables()
    _install_debug_activities()
    _install_advice()
    if _of_process():
        atexit.register(_write_at_exit)


def _install_debug_activities() -> None:
    """What a profile's file has besides the work of the cards."""
    profile = torch.profiler.profile
    export = profile.export_chrome_trace

    @functools.wraps(export)
    def export_chrome_trace(self, path, *args, **named):
        trace = getattr(self.profiler, "_hpu_trace", None)
        if trace is not None:
            trace.debug = self._hpu_debug
        return export(self, path, *args, **named)

    profile.export_chrome_trace = export_chrome_trace


def _install_advice() -> None:
    """tensorboard_trace_handler writes what costs time as a text summary beside a trace of hpu."""
    handler_of = torch.profiler.tensorboard_trace_handler

    @functools.wraps(handler_of)
    def tensorboard_trace_handler(dir_name, *args, **named):
        handler = handler_of(dir_name, *args, **named)

        def write_both(prof) -> None:
            handler(prof)
            if getattr(prof.profiler, "_hpu_trace", None) is not None:
                _write_advice(dir_name, prof.step_num)
        return write_both

    torch.profiler.tensorboard_trace_handler = tensorboard_trace_handler
    torch.profiler.profiler.tensorboard_trace_handler = tensorboard_trace_handler


def _write_advice(folder: str, step: int) -> None:
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ImportError as error:
        log.warning("no advice is written to %s: %s; run: pip install tensorboard", folder, error)
        return
    from . import _script_report
    report = _script_report.explain()
    lines = [f"- **{cause.kind}** at `{cause.where or 'no line of the script'}`, {cause.count} "
             f"times: {cause.text}. *Next step:* {cause.advice}." for cause in report.causes]
    with SummaryWriter(folder) as writer:
        writer.add_text("hpu/what costs time", "\n".join(lines) or "Nothing was found.", step)
        writer.add_text("hpu/script", f"```\n{report}\n```", step)


def _give_kernels(events) -> None:
    """Ops have the work that they issued, which PyTorch does not give them for hpu."""
    from torch.autograd import DeviceType
    ops = {each.id: each for each in events
           if each.device_type == DeviceType.CPU and not each.is_async}
    for each in events:
        if each.device_type == DeviceType.HPU and each.id in ops:
            ops[each.id].append_kernel(each.name, each.device_index,
                                       each.time_range.end - each.time_range.start)


def _mend_tables() -> None:
    """PyTorch leaves the time of hpu out of a table's sum, of which all times are shares, and then
    raises."""
    from torch.autograd import profiler_util
    from torch.autograd import DeviceType
    build = profiler_util._build_table

    def _build_table(events, *args, **named):
        mine = [each for each in events if each.device_type == DeviceType.HPU]
        try:
            for each in mine:
                each.device_type = DeviceType.XPU  # as which it is counted
            return build(events, *args, **named)
        finally:
            for each in mine:
                each.device_type = DeviceType.HPU
    profiler_util._build_table = _build_table


def _opened(path: str) -> Callable:
    return gzip.open if str(path).endswith(".gz") else open


def _merge(trace: _Trace, path: str) -> None:
    with _opened(path)(path, "rt", encoding="utf-8") as file:
        document = json.load(file)
    events = document["traceEvents"]
    # Arrows from ops to their work, of which Kineto has written the ends.
    ops = {each["args"]["External id"]: each for each in events
           if each.get("cat") == "cpu_op" and "External id" in each.get("args", {})}
    ends = [each for each in events if each["ph"] == "f" and each.get("cat") == "ac2g"]
    events += [{**each, "ph": "s", **{key: ops[each["id"]][key] for key in ("pid", "tid", "ts")}}
               for each in ends if each["id"] in ops]
    events += trace.details(document.get("baseTimeNanoseconds", 0))
    with _opened(path)(path, "wt", encoding="utf-8") as file:
        json.dump(document, file)


# --- files of our own ------------------------------------------------------------------------

def write(trace: _Trace, path: str) -> None:
    """Streams with lines and modules, engines, and calls of the host."""
    base = min((wall for wall, _ in trace.begins.values()), default=0)
    events = [{"ph": "M", "pid": card, "tid": 0, "name": "process_name",
               "args": {"name": f"HPU {card}"}} for card in trace.begins]
    for name, start, stop, card, stream, _, line, module in trace.rows():
        events.append({"ph": "X", "cat": "hpu_op", "name": name, "pid": card, "tid": stream,
                       "ts": (start - base) / 1000, "dur": (stop - start) / 1000,
                       "args": {key: value for key, value in (("line", line), ("module", module))
                                if value}})
    with _opened(path)(path, "wt", encoding="utf-8") as file:
        json.dump({"displayTimeUnit": "ns", "baseTimeNanoseconds": base,
                   "traceEvents": events + list(trace.details(base))}, file)


def free_path(stem: str = "default_profiling") -> str:
    """A file in the current folder that is not there."""
    number, path = 0, f"{stem}.json"
    while os.path.exists(path):
        number += 1
        path = f"{stem}.{number}.json"
    return path


def _of_process() -> bool:
    """Whether HABANA_PROFILE asks for a trace of all that the process does."""
    value = os.environ.get("HABANA_PROFILE", "").strip()
    return value not in ("", "0") and not value.startswith("profile_api")


def _write_at_exit() -> None:
    for card in range(_C.device_count()):
        if not _C.is_forked() and _C.is_open(card):
            try:
                _C.write_trace(card, free_path(f"default_profiling_{card}"))
            except RuntimeError:
                continue  # a profiler has ended it
