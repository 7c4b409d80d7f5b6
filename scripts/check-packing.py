#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks packings of plan-buffers; shares no code with it.

Usage: plan-buffers FILE.csv --output=OUT.csv | check-packing.py FILE.csv OUT.csv [--at-most=PEAK]
                                                                 [--proved]

OUT.csv must have the buffers of FILE.csv in their order, offsets that are
aligned and as fixed, and no two buffers that are alive at one time and share
bytes. The line on standard input must give the peak of OUT.csv, a lower bound
between the most bytes alive and the peak, and proved=yes exactly if the two are
equal. --at-most and --proved ask for more. Prints a line; exit code 1 if
something is wrong.
"""
import argparse
import bisect
import csv
import math
import re
import sys


def read(path):
    with open(path, newline="", encoding="utf-8-sig") as file:
        rows = [[field.strip() for field in row] for row in csv.reader(file) if any(row)]
    header = rows[0]
    return [dict(zip(header, row)) for row in rows[1:]]


def overlap(buffers):
    """The ids of two buffers that share a byte at one time, or None."""
    events = []
    for i, (_, lower, upper, size, offset) in enumerate(buffers):
        if size > 0 and lower < upper:
            events += [(lower, 1, i), (upper, 0, i)]
    alive = []  # (offset, end, number), sorted; disjoint so far
    for _, is_birth, i in sorted(events):
        entry = (buffers[i][4], buffers[i][4] + buffers[i][3], i)
        at = bisect.bisect_left(alive, entry)
        if not is_birth:
            del alive[at]
            continue
        for other in alive[max(at - 1, 0):at + 1]:
            if other[0] < entry[1] and entry[0] < other[1]:
                return buffers[i][0], buffers[other[2]][0]
        alive.insert(at, entry)
    return None


def most_alive(buffers):
    change = {}
    for _, lower, upper, size, _ in buffers:
        change[lower] = change.get(lower, 0) + size
        change[upper] = change.get(upper, 0) - size
    alive = most = 0
    for time in sorted(change):
        alive += change[time]
        most = max(most, alive)
    return most


def faults(given, packed, line, options):
    keys = ("id", "lower", "upper", "size")
    if [[row[key] for key in keys] for row in given] != [[row[key] for key in keys] for row in packed]:
        yield "the buffers of the two files differ"
        return
    grain = 0  # sizes count as multiples of it
    for row, out in zip(given, packed):
        alignment, fixed = int(row.get("alignment") or 1), row.get("offset")
        grain = math.gcd(grain, int(fixed) if fixed else alignment)
        if fixed and out["offset"] != fixed:
            yield f"{row['id']} is at {out['offset']} but is fixed at {fixed}"
        elif not fixed and int(out["offset"]) % alignment:
            yield f"{row['id']} is at {out['offset']}, which is no multiple of {alignment}"
    buffers = [(row["id"], int(row["lower"]), int(row["upper"]), int(row["size"]), int(row["offset"]))
               for row in packed]
    pair = overlap(buffers)
    if pair:
        yield f"{pair[0]} and {pair[1]} share bytes"
    grain = max(grain, 1)
    peak = max((offset + -(-size // grain) * grain for *_, size, offset in buffers if size), default=0)
    match = re.fullmatch(r"peak=(\d+) lower_bound=(\d+) proved=(yes|no) seconds=[\d.]+\n", line)
    if not match:
        yield f"cannot read the line {line!r}"
        return
    bound = int(match[2])
    if int(match[1]) != peak:
        yield f"the peak is {peak} but {match[1]} is printed"
    if not most_alive(buffers) <= bound <= peak:
        yield f"the lower bound {bound} is not between {most_alive(buffers)} and {peak}"
    if (match[3] == "yes") != (bound == peak):
        yield f"proved={match[3]} with a lower bound of {bound} and a peak of {peak}"
    if options.at_most is not None and peak > options.at_most:
        yield f"the peak {peak} is above {options.at_most}"
    if options.proved and match[3] != "yes":
        yield f"the peak {peak} is not proven"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("given")
    parser.add_argument("packed")
    parser.add_argument("--at-most", type=int)
    parser.add_argument("--proved", action="store_true")
    options = parser.parse_args()
    line = sys.stdin.readline()
    found = list(faults(read(options.given), read(options.packed), line, options))
    print(f"{options.given}: " + ("; ".join(found) or "good: " + line.strip()))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
