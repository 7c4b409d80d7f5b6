"""Runs of all hosts, one line of JSON each; benchmarks/history.py compares them."""
import datetime
import json
import os
import subprocess
from typing import Any

_HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DEFAULT = os.path.join(_HERE, "history.jsonl")


def commit() -> str:
    done = subprocess.run(["git", "describe", "--always", "--dirty", "--abbrev=10"],
                          cwd=_HERE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          text=True)
    return done.stdout.strip() or "unknown"


def entry(facts: dict[str, Any], rows: list[dict[str, Any]]) -> dict[str, Any]:
    """What a line has: the date, the commit, `facts` of the host, and the rows' medians."""
    now = datetime.datetime.now(datetime.timezone.utc)
    short = {row["key"]: {"unit": row["unit"], "ours": rounded(row["ours"]),
                          "peers": {name: rounded(value) for name, value in row["peers"].items()},
                          "share": rounded(row["share_of_peak"])} for row in rows}
    return {"date": now.strftime("%Y-%m-%d %H:%M"), "commit": commit(), **facts, "rows": short}


def rounded(value: float | None) -> float | None:
    return None if value is None else float("%.4g" % value)


def append(path: str, line: dict[str, Any]) -> None:
    with open(path, "a") as stream:
        stream.write(json.dumps(line) + "\n")


def read(path: str) -> list[dict[str, Any]]:
    with open(path) as stream:
        return [json.loads(line) for line in stream if line.strip()]
