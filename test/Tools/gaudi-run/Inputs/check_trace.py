#!/usr/bin/env python3
"""Compares a trace of gaudi-run with the JSON of --predict, by SQL in Perfetto's own trace processor.

Usage: check_trace.py TRACE PREDICTION.json [REPORT.json]

REPORT.json: of the run that wrote the trace; the process of this host must show its times. Prints what was compared;
exit code 1 at the first difference.
"""
import collections
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[4] / "scripts" / "viewers"))
from trace_processor import TraceProcessor  # noqa: E402 (the path is set above)

SLICES = """
select s.id as slice, p.name as process, t.name as track, s.track_id as track_id, s.ts as ts, s.dur as dur, s.depth as depth,
  extract_arg(s.arg_set_id, 'args.command') as command, extract_arg(s.arg_set_id, 'args.duration_ps') as ps,
  extract_arg(s.arg_set_id, 'args.start_ps') as start_ps, extract_arg(s.arg_set_id, 'args.bound') as bound,
  extract_arg(s.arg_set_id, 'args.op') as op, extract_arg(s.arg_set_id, 'args.location') as location,
  extract_arg(s.arg_set_id, 'args.flops') as flops, extract_arg(s.arg_set_id, 'args.explanation') as explanation,
  extract_arg(s.arg_set_id, 'args.operands[0]') as operand, s.name as name
from slice s join thread_track k on k.id = s.track_id join thread t using (utid) join process p using (upid)"""


def same(what, got, expected):
    if got != expected:
        sys.exit(f"{what}: the trace has {got!r}, expected {expected!r}")


def picoseconds(microseconds):
    return round(microseconds * 1e6)


def check_whole(trace):
    """What Perfetto has to say about the file, and slices that overlap."""
    same("errors of the import", trace.query("select name, value from stats where severity = 'error' and value != 0"), [])
    same("slices in other slices", trace.query("select count(*) from slice where depth != 0"), [(0,)])
    same("slices that overlap on a track", trace.query(
        "select count(*) from (select ts + dur as ended, lead(ts) over (partition by track_id order by ts, id) as next "
        "from slice) where next < ended"), [(0,)])


def check_engines(trace, process, prediction):
    """The slices of each track are the commands that ran on that engine."""
    expected = collections.Counter()
    for command in prediction["commands"]:
        engines = prediction["engines"][command["engine"]]["engines"]
        for i in range(command["engines"]):
            engine = (command["first_engine"] + i) % engines
            expected[command["engine"] if engines == 1 else f"{command['engine']} {engine}"] += command.get("slices", 1)
    got = dict(trace.query(f"select track, count(*) from ({SLICES}) where process = '{process}' and command is not null "
                           "group by track"))
    same(f"{process}: slices of each engine", got, dict(expected))


def check_commands(trace, process, prediction):
    rows = trace.query(f"select command, op, start_ps, ps, bound, location, flops, operand, explanation, ts from ({SLICES}) "
                       f"where process = '{process}' and ps is not null order by command")
    commands = prediction["commands"]
    same(f"{process}: commands with arguments", [row[0] for row in rows], list(range(len(commands))))
    for row, command in zip(rows, commands):
        start, end = picoseconds(command["start_us"]), picoseconds(command["end_us"])
        same(f"{process}: command {row[0]}", row[1:8],
             (command["name"], start, end - start, command["bound"], command["location"] or None if row[5] is None
              else command["location"], command["flops"], command["operands"][0] if command["operands"] else None))
        same(f"{process}: command {row[0]} begins, ns", row[9], start // 1000)
        if not row[8]:
            sys.exit(f"{process}: command {row[0]} has no explanation")
    total = sum(row[3] for row in rows)
    same(f"{process}: picoseconds of all commands", total,
         sum(picoseconds(command["end_us"]) - picoseconds(command["start_us"]) for command in commands))
    return total


def check_arrows(trace, process, prediction):
    """Each dependency is an arrow, unless a slice at its end is shorter than Perfetto's nanosecond."""
    rows = trace.query(f"select a.command, b.command from flow join ({SLICES}) a on a.slice = slice_out "
                       f"join ({SLICES}) b on b.slice = slice_in where a.process = '{process}' order by 1, 2")
    short = {row[0] for row in trace.query(f"select distinct command from ({SLICES}) where process = '{process}' and dur = 0")}
    expected = sorted((other, index) for index, command in enumerate(prediction["commands"])
                      for other in command["dependencies"] if other not in short and index not in short)
    same(f"{process}: arrows", rows, expected)
    return len(rows)


def check_counters(trace, process, prediction):
    def samples(name):
        return trace.query("select c.ts, c.value from counter c join process_counter_track t on t.id = c.track_id "
                           f"join process p using (upid) where p.name = '{process}' and t.name = '{name}' order by c.ts, c.id")
    memory = prediction["memory"]
    same(f"{process}: workspace in use", samples("memory in use, bytes workspace"),
         [(picoseconds(time) // 1000, float(value)) for time, value in memory["in_use"]])
    for name in ("persistent", "const"):
        same(f"{process}: memory of {name}", {value for _, value in samples(f"memory in use, bytes {name}")},
             {float(memory[name])} if memory["in_use"] else set())
    moved = slack = 0.0
    for name in ("read", "written"):
        rows = samples(f"HBM, bytes/s {name}")
        if not rows and prediction["hbm_bytes"]:
            sys.exit(f"{process}: no counter of bytes {name}")
        moved += sum(value * (after[0] - time) * 1e-9 for (time, value), after in zip(rows, rows[1:]))
        slack += sum(value * 1e-9 for _, value in rows)  # times are whole nanoseconds
    if abs(moved - prediction["hbm_bytes"]) > 0.01 * prediction["hbm_bytes"] + slack:
        sys.exit(f"{process}: {moved:.0f} bytes under the counters of HBM, {prediction['hbm_bytes']} in the JSON")


def check_host(trace, process, report):
    rows = trace.query(f"select command, op, ts, dur from ({SLICES}) where process = '{process}' order by ts, slice")
    timed = [(index, command) for index, command in enumerate(report["commands"]) if "within" not in command]
    same(f"{process}: commands", [row[:2] for row in rows], [(index, command["name"]) for index, command in timed])
    now = 0
    for row, (_, command) in zip(rows, timed):
        same(f"{process}: command {row[0]} begins, ns", row[2], now // 1000)
        now += round(command["host_ms"] * 1e9)
        same(f"{process}: command {row[0]} ends, ns", row[2] + row[3], now // 1000)
    return now


def main():
    prediction = json.loads(pathlib.Path(sys.argv[2]).read_text())["predictions"]
    prediction = [one for one in prediction if "error" not in one]
    report = json.loads(pathlib.Path(sys.argv[3]).read_text()) if len(sys.argv) > 3 else None
    with TraceProcessor(sys.argv[1]) as trace:
        check_whole(trace)
        names = [row[0] for row in trace.query("select name from process where name is not null order by pid")]
        expected = [f"predicted on {one['device']}" for one in prediction]
        same("processes of devices", [name for name in names if not name.startswith("measured")], expected)
        for name, one in zip(expected, prediction):
            check_engines(trace, name, one)
            check_counters(trace, name, one)
            arrows = check_arrows(trace, name, one)
            print(f"{name}: {len(one['commands'])} commands, {check_commands(trace, name, one)} ps, {arrows} arrows")
        hosts = [name for name in names if name.startswith("measured on this host")]
        same("processes of this host", len(hosts), int(report is not None))
        if report:
            print(f"{hosts[0]}: {check_host(trace, hosts[0], report)} ps")


if __name__ == "__main__":
    main()
