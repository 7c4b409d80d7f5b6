#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints runs of benchmarks/history.jsonl in one table: hosts and dates as columns, rows as rows.

    benchmarks/history.py                        # the last run of each kind of host and clock
    benchmarks/history.py --all --only=resnet50-*
    benchmarks/history.py --ratio                # the best peer's time over ours

benchmarks/run.sh --history appends a run.
"""
import argparse
import os
import sys
from typing import Any

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from harness import history, options, table  # noqa: E402


def column(run: dict[str, Any]) -> tuple[str, str, str]:
    clock = "CPU time" if run["cpu_time"] else "wall time"
    return (run["kind"], "%s, %s, %s" % (
        run["date"][:10], clock, table.threads(run["threads"])), run["commit"])


def best_ratio(row: dict[str, Any]) -> float | None:
    """How many times ours the best peer takes; above 1 ours is faster."""
    if not row["ours"]:
        return None
    rates = [row["ours"] / value if row["unit"] == "GB/s" else value / row["ours"]
             for name, value in row["peers"].items() if value and not name.startswith("ours")]
    return min(rates) if rates else None


def cell(run: dict[str, Any], key: str, ratio: bool) -> str:
    row = run["rows"].get(key)
    if row is None:
        return ""
    if not ratio:
        return "%s %s" % (table.number(row["ours"]), row["unit"])
    best = best_ratio(row)
    return "" if best is None else "%.2fx" % best


def last_of_each(runs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows of the newest run of each kind of host, clock and number of threads; a row that it
    lacks is that of an older run of the same."""
    merged: dict[tuple, dict[str, Any]] = {}
    for run in runs:
        key = run["kind"], run["cpu_time"], run["threads"]
        older = merged.get(key, {"rows": {}})
        merged[key] = dict(run, rows={**older["rows"], **run["rows"]})
    return list(merged.values())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", default=history.DEFAULT)
    parser.add_argument("--all", action="store_true", help="every run, not only the last of a kind")
    parser.add_argument("--ratio", action="store_true", help="the best peer's time over ours")
    parser.add_argument("--only", metavar="KEY,...",
                        help="these rows; a name ending in * is a prefix")
    given = parser.parse_args()
    try:
        runs = history.read(given.file)
    except FileNotFoundError:
        parser.error("cannot read '%s': there is no such file; benchmarks/run.sh --history%s "
                     "writes it" % (given.file, "" if given.file == history.DEFAULT
                                    else "=" + given.file))
    except OSError as problem:
        parser.error("cannot read '%s': %s" % (given.file, problem.strerror))
    except ValueError as problem:
        parser.error("cannot read '%s': %s" % (given.file, problem))
    runs = runs if given.all else last_of_each(runs)
    keys = list(dict.fromkeys(key for run in runs for key in run["rows"]))
    if given.only is not None:
        try:
            keys = options.select(keys, given.only)
        except ValueError as problem:
            parser.error(str(problem))
    columns = [column(run) for run in runs]
    lines = [("", *(head[part] for head in columns)) for part in range(3)]
    lines += [(key, *(cell(run, key, given.ratio) for run in runs)) for key in keys]
    widths = [max(len(line[i]) for line in lines) for i in range(len(runs) + 1)]
    for line in lines:
        print("  ".join(text.ljust(width) for text, width in zip(line, widths)).rstrip())
    return 0


if __name__ == "__main__":
    sys.exit(main())
