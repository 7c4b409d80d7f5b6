# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs of all hosts, one line of JSON each; benchmarks/history.py compares them."""
import datetime
import json
import math
import os
import subprocess
from typing import Any

from . import table

_HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DEFAULT = os.path.join(_HERE, "history.jsonl")


def git(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["git", *arguments], cwd=_HERE, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True)


def commit() -> str:
    """The commit, `-dirty` if a tracked file is changed: not pages and runs, which an earlier run
    may have written."""
    name = git("rev-parse", "--short=10", "HEAD").stdout.strip()
    if not name:
        return "unknown"
    changed = git("diff", "--quiet", "HEAD", "--", ":/", ":(top,exclude)docs",
                  ":(top,exclude)benchmarks/history.jsonl").returncode
    return name + ("-dirty" if changed else "")


def entry(facts: dict[str, Any], rows: list[dict[str, Any]]) -> dict[str, Any]:
    """What a line has: the date, the commit, `facts` of the host, and the rows' medians."""
    now = datetime.datetime.now(datetime.timezone.utc)
    short = {row["key"]: {"unit": row["unit"], "ours": rounded(row["ours"]),
                          "peers": {name: rounded(value) for name, value in row["peers"].items()},
                          "target": rounded(row["target"]), "share": rounded(row["share_of_peak"]),
                          "in_products": rounded(row["share_in_products"]),
                          "error": [rounded(found["worst"])
                                    for _, found in row["detail"].get("agreement", [])]}
             for row in rows}
    return {"date": now.strftime("%Y-%m-%d %H:%M"), "commit": commit(), **facts, "rows": short}


def rounded(value: float | None) -> float | None:
    return None if value is None else float("%.4g" % value)


def last_rows(runs: list[dict[str, Any]], kind: str, cpu_time: bool,
              threads: int) -> dict[str, dict[str, Any]]:
    """The last row of each key that a kind of host has, as harness.rows makes them; `run` names
    the run. Older entries lack some shares of products and errors. An error of null was not
    finite."""
    found = {}
    for run in runs:
        if (run["kind"], run["cpu_time"], run["threads"]) != (kind, cpu_time, threads):
            continue
        for key, row in run["rows"].items():
            errors = [math.inf if worst is None else worst for worst in row.get("error", [])]
            agreement = [("", {"worst": worst, "agrees": worst <= 1}) for worst in errors]
            found[key] = {"key": key, **{name: row[name] for name in ("unit", "ours", "peers")},
                          "target": row.get("target"), "share_of_peak": row.get("share"),
                          "share_in_products": row.get("in_products"),
                          "detail": {"agreement": agreement},
                          "run": "%s, %s" % (run["date"][:10], run["commit"])}
    return found


def append(path: str, line: dict[str, Any]) -> None:
    with open(path, "a") as stream:
        stream.write(json.dumps(table.finite(line)) + "\n")


FACTS = {"date": str, "commit": str, "kind": str, "cpu_time": bool, "threads": int, "rows": dict}
NUMBER = (int, float, type(None))


def is_run(line: Any) -> bool:
    """Whether a line has what benchmarks/history.py reads."""
    return (isinstance(line, dict) and
            all(isinstance(line.get(name), form) for name, form in FACTS.items()) and
            all(isinstance(row, dict) and isinstance(row.get("unit"), str) and
                isinstance(row.get("ours", ""), NUMBER) and isinstance(row.get("peers"), dict) and
                isinstance(row.get("error", []), list) and
                all(isinstance(value, NUMBER) for value in [
                    *row["peers"].values(), *row.get("error", []),
                    *(row.get(name) for name in ("target", "share", "in_products"))])
                for row in line["rows"].values()))


def read(path: str) -> list[dict[str, Any]]:
    """The runs of a file; ValueError names a line that is none."""
    runs = []
    with open(path) as stream:
        for number, line in enumerate(stream, 1):
            if not line.strip():
                continue
            try:
                runs.append(json.loads(line))
            except ValueError as problem:
                raise ValueError("line %d is not JSON: %s" % (number, problem)) from None
            if not is_run(runs[-1]):
                raise ValueError("line %d is not a run that benchmarks/run.sh --history wrote" %
                                 number)
    if not runs:
        raise ValueError("it has no run; benchmarks/run.sh --history adds one")
    return runs
