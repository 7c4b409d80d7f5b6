#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks plans of plan-buckets; shares no code with it.

Usage: check-buckets.py --generate=DISTRIBUTION[,batch] OUT.csv
       plan-buckets FILE.csv ... | check-buckets.py FILE.csv [--grain=G,..] [--max-buckets=N]
                                                    [--optimal] [--formula] [--gap=G] [--at-most=W]
                                                    [--cost=TABLE.csv]

The first form writes a histogram of 20,000 lengths up to 4096: lognormal
(5.6, 1.0), uniform, mixture (70 % N(200, 80), 30 % N(3000, 400)) or normal
(180, 60); with `batch` also of batch sizes 1, 2, 4, ... 64.

The second one reads the printed line from standard input. The buckets must fit
every launch, be multiples of the grain and at most N; the waste is computed
anew. --optimal: it must be that of a plain dynamic program over all multiples
of the grain. --formula: the boundaries must be those of the published
exponential formula for some limit. --gap: the waste may exceed the printed
bound by that share of the bound. --at-most: and must not exceed W. Several
lines, one per FILE.csv: the mean of their wastes must not. --cost: a launch of
one symbol takes what the table says, interpolated linearly, not its elements.
Prints a line; exit code 1 if something is wrong.
"""
import argparse
import collections
import csv
import math
import random
import re
import sys

LENGTHS = {
    "lognormal": lambda r: r.lognormvariate(5.6, 1.0),
    "uniform": lambda r: r.randint(1, 4096),
    "mixture": lambda r: r.gauss(200, 80) if r.random() < 0.7 else r.gauss(3000, 400),
    "normal": lambda r: r.gauss(180, 60),
}


def generate(kind, path):
    name, _, with_batch = kind.partition(",")
    generator = random.Random(name)
    counts = collections.Counter()
    for _ in range(20000):
        length = min(4096, max(1, round(LENGTHS[name](generator))))
        counts[(2**generator.randrange(7), length) if with_batch else (length,)] += 1
    with open(path, "w", encoding="utf-8") as file:
        file.write("batch,sequence,count\n" if with_batch else "length,count\n")
        for sizes, count in sorted(counts.items()):
            file.write(",".join(map(str, sizes)) + f",{count}\n")


def read(path):
    """Launches as a dictionary from sizes to counts."""
    with open(path, newline="", encoding="utf-8-sig") as file:
        rows = [[field.strip() for field in row] for row in csv.reader(file) if any(row)]
    count = rows[0].index("count") if "count" in rows[0] else None
    launches = collections.Counter()
    for row in rows[1:]:
        sizes = tuple(int(field) for i, field in enumerate(row) if i != count)
        launches[sizes] += int(row[count]) if count is not None else 1
    return launches


def costs_of(path):
    """The cost of a size by a table of one symbol, as a function."""
    if not path:
        return math.prod
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    assert rows[0][-1] == "cost" and len(rows[0]) == 2, "one symbol, and cost"
    points = sorted((int(size), int(cost)) for size, cost in rows[1:])

    def cost(sizes):
        if len(points) == 1:
            return points[0][1]
        place = next((i for i in range(1, len(points) - 1) if sizes[0] <= points[i][0]), len(points) - 1)
        (low, a), (high, b) = points[place - 1:place + 1]
        return max(0, a + (b - a) * (sizes[0] - low) / (high - low))
    return cost


def least_waste(launches, grain, most, cost, largest):
    """By a plain dynamic program: best[k][j] is the least cost of all lengths
    up to j grains in at most k buckets, the last of which is j. A launch takes
    the cheapest bucket that fits, so a bucket costs no more than larger ones."""
    last = max(-(-length // grain) for length, in launches)
    last = max(last, -(-largest // grain))
    price = [0] + [cost((j * grain,)) for j in range(1, last + 1)]
    for j in range(last - 1, 0, -1):
        price[j] = min(price[j], price[j + 1])
    until = [0] * (last + 1)
    for (length,), count in launches.items():
        until[-(-length // grain)] += count
    for i in range(last):
        until[i + 1] += until[i]
    best = [0] + [math.inf] * last
    answer = math.inf
    for _ in range(most):
        best = [0] + [min(best[i] + price[j] * (until[j] - until[i]) for i in range(j))
                      for j in range(1, last + 1)]
        answer = min(answer, best[last])
    return answer / sum(cost(sizes) * count for sizes, count in launches.items()) - 1


def formula(first, last, limit):
    """The published exponential boundaries; the step is the first one."""
    exact = (first * (last / first)**(i / max(limit - 1, 1)) for i in range(limit))
    sizes = {math.ceil(size / first - 1e-9) * first for size in exact}
    return sorted(sizes | {last}) if limit > 1 else [last]


def faults(launches, line, options):
    match = re.fullmatch(r"buckets=(\d+) boundaries=([\dx,]+) waste=([\d.]+) proved=(yes|no) "
                         r"seconds=[\d.]+(?: bound=([\d.]+) gap=([\d.]+))?\n", line)
    if not match:
        yield f"cannot read the line {line!r}"
        return
    boxes = [tuple(map(int, box.split("x"))) for box in match[2].split(",")]
    waste, is_proved = float(match[3]), match[4] == "yes"
    grains = [int(grain) for grain in options.grain.split(",")] * len(boxes[0])
    if len(boxes) != int(match[1]) or len(set(boxes)) != len(boxes):
        yield f"{match[1]} buckets are not {len(set(boxes))} different boundaries"
    if options.max_buckets and len(boxes) > options.max_buckets:
        yield f"{len(boxes)} buckets are more than {options.max_buckets}"
    if any(size % grain for box in boxes for size, grain in zip(box, grains)):
        yield f"a size is no multiple of the grain {options.grain}"
    cost = costs_of(options.cost)
    boxes.sort(key=cost)
    padded = real = 0
    for sizes, count in launches.items():
        box = next((box for box in boxes if all(a <= b for a, b in zip(sizes, box))), None)
        if not box:
            yield f"no bucket fits {sizes}"
            return
        padded += cost(box) * count
        real += cost(sizes) * count
    options.wastes.append(padded / real - 1)
    if abs(padded / real - 1 - waste) > 0.6e-4:
        yield f"the waste is {padded / real - 1:.4f} but {waste} is printed"
    if options.optimal:
        least = least_waste(launches, grains[0], options.max_buckets, cost, max(size for size, in boxes))
        if abs(least - (padded / real - 1)) > 1e-9 or not is_proved:
            yield f"the least waste is {least:.6f}, not {padded / real - 1:.6f}, or is not proved"
    if options.formula:
        sizes = sorted(size for size, in boxes)
        if not any(formula(sizes[0], sizes[-1], limit) == sizes for limit in range(1, 64)):
            yield f"{sizes} does not follow the published formula"
    if options.gap is not None:
        if not match[5] or float(match[5]) > waste:
            yield f"the bound {match[5]} is not below the waste {waste}"
        elif waste > float(match[5]) * (1 + options.gap):
            yield f"the waste {waste} is more than {options.gap} above its bound {match[5]}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("files", nargs="+")
    parser.add_argument("--generate")
    parser.add_argument("--grain", default="1")
    parser.add_argument("--max-buckets", type=int)
    parser.add_argument("--optimal", action="store_true")
    parser.add_argument("--formula", action="store_true")
    parser.add_argument("--gap", type=float)
    parser.add_argument("--at-most", type=float)
    parser.add_argument("--cost")
    options = parser.parse_args()
    if options.generate:
        generate(options.generate, options.files[0])
        return 0
    options.wastes = []
    found = []
    for path in options.files:
        line = sys.stdin.readline()
        here = list(faults(read(path), line, options))
        print(f"{path}: " + ("; ".join(here) or "good: " + line.strip()))
        found += here
    if options.wastes and len(options.wastes) == len(options.files):
        mean = sum(options.wastes) / len(options.wastes)
        print(f"mean waste {mean:.4f}")
        if options.at_most is not None and mean > options.at_most:
            found.append("mean")
            print(f"the mean waste is above {options.at_most}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
