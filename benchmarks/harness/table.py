# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints rows: one table per axis, as text or Markdown; profiles; JSON."""
import json


def number(value):
    if value is None:
        return "absent"
    if value == 0:
        return "0"
    return "%.3g" % value if abs(value) < 100 else "%.0f" % value


def threads(count):
    return "1 thread" if count == 1 else "%d threads" % count


def share(value):
    return "" if value is None else "%.0f %%" % (100 * value)


def peers_text(row):
    """Each peer with how many times ours it takes."""
    texts = []
    for name, value in row["peers"].items():
        text = "%s: %s" % (name, number(value))
        if value and row["ours"]:
            ratio = row["ours"] / value if row["unit"] == "GB/s" else value / row["ours"]
            text += " (%.2fx)" % ratio
        texts.append(text)
    return "; ".join(texts)


def is_met(row):
    if row["target"] is None or row["ours"] is None:
        return ""
    better = row["ours"] >= row["target"] if row["unit"] == "GB/s" else row["ours"] <= row["target"]
    return "yes" if better else "no"


def agreement_text(row):
    """The worst error as a share of what is allowed."""
    found = row["detail"].get("agreement")
    return "" if not found else "; ".join("%s%s" % ("" if a["agrees"] else "NO: ", number(a["worst"]))
                                          for _, a in found)


HEADER = ("key", "unit", "ours", "target", "met", "peers (ratio to ours)", "share of peak",
          "in products", "error / allowed")


def cells(row):
    target = "" if row["target"] is None else number(row["target"])
    return (row["key"], row["unit"], number(row["ours"]), target, is_met(row), peers_text(row),
            share(row["share_of_peak"]), share(row["share_in_products"]), agreement_text(row))


def table(rows, markdown):
    """Rows of other runs name them in a column of their own."""
    lines = [HEADER] + [cells(row) for row in rows]
    if any("run" in row for row in rows):
        lines = [(*line, name) for line, name in
                 zip(lines, ["run", *(row.get("run", "") for row in rows)])]
    if markdown:
        columns = len(lines[0])
        lines = ["| " + " | ".join(line) + " |" for line in lines]
        lines.insert(1, "|" + "---|" * columns)
        return "\n".join(lines)
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip()
                     for line in lines)


IN_COLUMNS = ("agreement", "gflop", "gflop_s_in_products")


def notes(rows):
    """What a row says beside its numbers."""
    lines = []
    for row in rows:
        detail = {k: v for k, v in row["detail"].items() if k not in IN_COLUMNS}
        if detail:
            lines.append("%s: %s" % (row["key"], ", ".join(
                "%s %s" % (k.replace("_", " "), number(v) if isinstance(v, (int, float)) else
                           ", ".join("%s: %s" % (n, number(x)) for n, x in v.items()))
                for k, v in detail.items())))
    return lines


def rate_unit(command):
    """Products of 8-bit integers are no floating-point operations."""
    return "Gop/s" if ":i8" in command["implementation"] else "GFLOP/s"


def profile(key, report, count=10):
    """Wall time by engine and the slowest commands, also of a run that measures CPU time."""
    run = report["host_ms"]["run"]["median"]
    lines = ["profile of %s: %s ms of wall time on the host (median)" % (key, number(run))]
    integers = {c["engine"] for c in report["commands"] if rate_unit(c) == "Gop/s"}
    for engine, entry in report["engines"].items():
        if entry["commands"]:
            seconds = max(entry["host_ms"], 1e-9) / 1e3
            lines.append("  %-5s %5d commands %8.2f ms %9.2f %s %7.2f GB/s" % (
                engine, entry["commands"], entry["host_ms"], entry["flops"] / seconds / 1e9,
                "Gop/s" if engine in integers else "GFLOP/s", entry["bytes"] / seconds / 1e9))
    commands = report["commands"]
    for command in sorted(commands, key=lambda c: -c["host_ms"])[:count]:
        seconds = max(command["host_ms"], 1e-9) / 1e3
        lines.append("  %8.3f ms %8.2f %-7s %7.2f GB/s  %s at %s (%s)" % (
            command["host_ms"], command["flops"] / seconds / 1e9, rate_unit(command),
            command["bytes"] / seconds / 1e9, command["name"], command["location"],
            command["implementation"]))
    kinds = {}
    for command in commands:
        kind = command["engine"] + " " + command["name"] + " (" + command["implementation"] + ")"
        total = kinds.setdefault(kind, [0, 0.0])
        total[0] += 1
        total[1] += command["host_ms"]
    lines.append("  by command:")
    for kind, (times, ms) in sorted(kinds.items(), key=lambda item: -item[1][1])[:count]:
        lines.append("  %8.3f ms %5d x %s" % (ms, times, kind))
    return "\n".join(lines)


def finite(value):
    """As JSON has it, null where a number is not finite."""
    return json.loads(json.dumps(value), parse_constant=lambda _: None)


def write_json(path, rows):
    with open(path, "w") as stream:
        json.dump(finite(rows), stream, indent=1)
        stream.write("\n")
