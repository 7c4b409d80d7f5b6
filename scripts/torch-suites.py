#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Judges all of PyTorch's own suites (op_db by type, module_db, optim_db) on the emulated device; may be interrupted.

Usage: torch-suites.py [--state FILE] [--budget N] [--samples N] [--limit N] [--seconds N] [--jobs N] [--seed N]
                       [--backend] [--items NAME,...] [--again VERDICT,...] [--csv FILE] [--missing FILE] [--report]
                       [--least PERCENT] [SUITE...]

Suites: "op_db float32", "op_db float32 backward", "module_db", "module_db backward", "networks", "calls" (rows of
Operators.def with random arguments), "optim_db", and op_db of bfloat16, float16, int64, int32, bool and complex64;
default: all. --limit takes that many items of each in a random order of the seed, --items those of these names only
("fft.*" for those that begin so), --samples that many samples of an item (0: all). What was judged is in the state file
(build/torch-suites.jsonl), and a later run goes on behind it; --again judges items of these verdicts ("all":
everything) once more. --budget is the seconds that one suite may take in this run, --seconds the CPU time of one item,
--jobs how many are judged at once. --backend judges by torch.compile(backend="gaudi") instead of PyTorch's tracing
alone. Prints the table of results; --csv writes what is not right with its reason, --missing the reasons ranked by how
many items they stop; --report judges nothing, and writes these and the table from the state. Exit code 1 if a value is
wrong, a process died or hung, or nothing or less than --least percent of what makes a graph is right.
"""
import argparse
import collections
import csv
import fnmatch
import json
import os
import pathlib
import re
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts" / "oracle"))
from children import judged  # noqa: E402

VERDICTS = ["right", "in part", "refused", "on the host", "wrong", "crashed", "hung", "no graph"]
STOPPING = ("refused", "on the host")


class State:
    """The rows of what was judged, a line of JSON each; the last one of an item holds."""

    def __init__(self, path):
        self.path = path
        self.rows = {}  # (suite, item) -> [verdict, {verdict: {reason: samples}}]
        for line in path.read_text().splitlines() if path.exists() else []:
            suite, item, *row = json.loads(line)
            self.rows[suite, tuple(item)] = row

    def add(self, suite, item, row):
        self.rows[suite, tuple(item)] = row
        with self.path.open("a") as stream:
            stream.write(json.dumps([suite, item, *row]) + "\n")

    def of(self, suite):
        return {item: row for (name, item), row in self.rows.items() if name == suite}


def table(state, suites):
    """The results in Markdown; the share is of the items that make a graph."""
    lines = [f"| suite | items | {' | '.join(VERDICTS)} | not begun | share |", "|---" * (len(VERDICTS) + 4) + "|"]
    for name, items in suites.items():
        counts = collections.Counter(row[0] for row in state.of(name).values())
        judgeable = sum(counts.values()) - counts["no graph"]
        share = f"{100 * counts['right'] / judgeable:.1f} %" if judgeable else ""
        cells = [len(items), *(counts[each] for each in VERDICTS), len(items) - sum(counts.values()), share]
        lines.append(f"| {name} | {' | '.join(map(str, cells))} |")
    return "\n".join(lines)


def kind_of(reason):
    """The reason without what differs from case to case."""
    reason = reason.partition("; called with")[0]
    reason = re.sub(r"cannot convert \S+ ", "", reason)
    reason = re.sub(r"'tensor<[^']*>'", "'...'", reason)
    reason = re.sub(r"\[[\d, ]*\]", "[...]", reason)
    return re.sub(r"(?<![A-Za-z0-9_])-?\d+(?![\w.])", "N", reason)


def missing(state, suites):
    """Lines: reasons by how many items they stop, with the items."""
    items = collections.defaultdict(list)
    for name in suites:
        for item, (verdict, reasons) in sorted(state.of(name).items()):
            for each in {kind_of(reason) for one in STOPPING for reason in reasons.get(one, {})}:
                items[each].append(f"{'.'.join(filter(None, item))} ({name.partition(' ')[2]})")
    ranked = sorted(items.items(), key=lambda pair: (-len(pair[1]), pair[0]))
    return [f"{len(names):4}  {reason}\n      {', '.join(names)}" for reason, names in ranked]


def write_reports(args, state, suites):
    if args.csv:
        with open(args.csv, "w", newline="") as stream:
            writer = csv.writer(stream)
            writer.writerow(["suite", "item", "verdict", "outcome", "samples", "reason"])
            for name in suites:
                for item, (verdict, reasons) in sorted(state.of(name).items()):
                    writer.writerows([name, ".".join(filter(None, item)), verdict, outcome, samples, reason]
                                     for outcome, found in reasons.items() if outcome != "right"
                                     for reason, samples in found.items())
    if args.missing:
        pathlib.Path(args.missing).write_text("\n".join(missing(state, suites)) + "\n")


def chosen(items, patterns):
    """The items whose names fit one of the patterns of a list; all if it is empty."""
    return [item for item in items if not patterns or
            any(fnmatch.fnmatchcase(".".join(filter(None, item)), each) for each in patterns.split(","))]


def run(args, state, name, suite, items):
    """Judges what the state does not have."""
    import torch_judge
    import torch_suites
    again = args.again.split(",")
    left = collections.deque(
        item for item in items
        if (row := state.rows.get((name, tuple(item)))) is None or row[0] in again or "all" in again)
    work = torch_suites.judge_of(suite, args.samples, args.seed, torch_judge.by_backend if args.backend else None)
    for item, row, why in judged(left, work, args.seconds, args.jobs, time.monotonic() + args.budget):
        verdict, reasons = row or (why.partition(":")[0], {why.partition(":")[0]: {why: 1}})
        state.add(name, item, [verdict, reasons])
        if verdict not in ("right", "no graph"):
            shown = reasons.get("refused" if verdict == "in part" else verdict, {"": 1})
            print(f"{name}: {verdict:9} {'.'.join(filter(None, item))}: {next(iter(shown))}", flush=True)
        write_reports(args, state, {each for each, _ in state.rows})


def main(known=None, state=ROOT / "build" / "torch-suites.jsonl", words=__doc__, bad=("wrong", "crashed", "hung")):
    """`known`: the suites, those of torch_suites if it is None; `bad`: the verdicts that fail."""
    parser = argparse.ArgumentParser(description=words.split("\n")[0])
    parser.add_argument("suites", nargs="*")
    parser.add_argument("--state", type=pathlib.Path, default=state)
    parser.add_argument("--budget", type=float, default=7200)
    parser.add_argument("--samples", type=int, default=0)
    parser.add_argument("--limit", type=int, default=0)
    parser.add_argument("--least", type=float, default=0)
    parser.add_argument("--seconds", type=float, default=900)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--backend", action="store_true")
    parser.add_argument("--items", default="")
    parser.add_argument("--again", default="")
    parser.add_argument("--csv")
    parser.add_argument("--missing")
    parser.add_argument("--report", action="store_true")
    args = parser.parse_args()
    import torch_judge  # before processes fork
    import torch_suites
    torch_judge.decompositions.table()
    known = known or torch_suites.SUITES
    unknown = set(args.suites) - set(known)
    if unknown:
        parser.error(f"no suites {sorted(unknown)}; there are {list(known)}")
    suites = {name: torch_suites.taken(chosen(suite[0](), args.items), args.limit, args.seed)
              for name, suite in known.items() if name in args.suites or not args.suites}
    state = State(args.state)
    if not args.report:
        for name, items in suites.items():
            run(args, state, name, known[name], items)
    write_reports(args, state, suites)
    print(table(state, suites))
    verdicts = collections.Counter(row[0] for name in suites for row in state.of(name).values())
    judgeable = sum(verdicts.values()) - verdicts["no graph"]
    return int(any(verdicts[each] for each in bad)
               or not verdicts["right"] or 100 * verdicts["right"] < args.least * judgeable)


if __name__ == "__main__":
    sys.exit(main())
