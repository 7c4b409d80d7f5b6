#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the samples of PyTorch's own operator suite (op_db) through the torch dialect, and compares with PyTorch.

Usage: torch-ops.py [--dtype NAME] [--backward] [--samples N] [--seconds N] [--budget N] [--jobs N] [--limit N]
                    [--seed N] [--csv FILE] [OP...]

Each sample is traced to a graph of ATen ops, of which those that Operators.def lacks are decomposed by PyTorch; the
graph is written as text of the torch dialect, compiled and run on the device, with all tensors as inputs. Verdicts of
an op: right, in part (some samples are refused), refused (with the reason), wrong, on the host, crashed, hung, no
graph (the op cannot be traced, or computes nothing). --backward: with gradients. --samples 0 takes all, --limit that
many ops in a random order of the seed, --budget ends the run after that many seconds, with what is left named. Needs
PyTorch and expecttest; PYTHONPATH names the package that was built. Exit code 1 if a value is wrong, a process died
or hung, or nothing was right.
"""
import argparse
import collections
import csv
import os
import pathlib
import random
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts" / "oracle"))
from children import judged  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("ops", nargs="*")
    parser.add_argument("--dtype", default="float32")
    parser.add_argument("--backward", action="store_true")
    parser.add_argument("--samples", type=int, default=4)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--seconds", type=int, default=120, help="for one op")
    parser.add_argument("--budget", type=float, default=float("inf"), help="seconds for all")
    parser.add_argument("--limit", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--csv")
    args = parser.parse_args()
    import torch_suites  # before processes fork
    import torch_judge
    torch_judge.decompositions.table()
    suite = torch_suites._ops(args.dtype, args.backward)
    cases = [case for case in suite[0]() if not args.ops or case[0] in args.ops]
    random.Random(args.seed).shuffle(cases)
    cases = cases[:args.limit or None]
    counts, rows = collections.Counter(), []
    work = torch_suites.judge_of(suite, args.samples, args.seed, None)
    until = time.monotonic() + args.budget
    for case, row, why in judged(collections.deque(cases), work, args.seconds, args.jobs, until):
        verdict, reasons = row or (why.partition(":")[0], {})
        reason = next(iter(reasons.get("refused" if verdict == "in part" else verdict, {})), why)
        counts[verdict] += 1
        rows.append((*case, verdict, reason))
        if verdict != "right":
            print(f"{verdict:9} {case[0]}{'.' + case[1] if case[1] else ''}: {reason}", flush=True)
    if args.csv:
        with open(args.csv, "w", newline="") as stream:
            csv.writer(stream).writerows(sorted(rows))
    left = len(cases) - sum(counts.values())
    print(f"{args.dtype}: {sum(counts.values())} ops, " + ", ".join(f"{n} {v}" for v, n in counts.most_common())
          + (f"; {left} not begun in {args.budget:.0f} s" if left else ""))
    return int(any(counts[each] for each in ("wrong", "crashed", "hung")) or not counts["right"])


if __name__ == "__main__":
    sys.exit(main())
