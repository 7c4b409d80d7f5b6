#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes random graphs with their transposes at other places, and compares.

Usage: placement-writings.py [--opt PATH] [--graphs N] [--writings N] [--seed N] [--ops N] [--jobs N]
                             [--differ N]

A graph has up to --ops ops (default 12): elementwise ops, also of two orders of
one tensor and with a bias, reductions, concats, slices, broadcasts, products,
and reshapes that merge dimensions. Each writing gives every op an order of its
own and transposes between them, some in two steps, some with a pair that
cancels; arguments and results stay. gaudi-place-permutations must save in each
writing what it claims. Prints how many graphs take another time in another
writing, and by how much; exit code 1 if more than --differ do (default 0), if
what is saved is not what is claimed, or if a run fails.
"""
import argparse
import concurrent.futures
import os
import random
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DEVICES = ("gaudi2", "gaudi3", "gaudi")
UNARY = ("exp", "tanh", "sigmoid", "neg", "abs")
BINARY = ("add", "mul", "max")


def kind(shape):
    return "tensor<%s>" % "x".join([str(n) for n in shape] + ["f32"])


def stored(shape, order):
    return [shape[i] for i in order]


def inverse(order):
    result = [0] * len(order)
    for i, dim in enumerate(order):
        result[dim] = i
    return result


def shuffled(random_, items):
    items = list(items)
    random_.shuffle(items)
    return items


class Graph:
    """Ops without orders: a value is its shape, an op names dimensions of it."""

    def __init__(self, seed, most):
        r = self.random = random.Random(seed)
        self.shapes, self.nodes, self.read = [], [], set()
        first = r.choice([(64, 4, 32, 48), (8, 16, 14, 14), (16, 24, 40), (2, 8, 32, 64), (4, 48, 64), (64, 96)])
        self.add("argument", [], first)
        self.add("argument", [], shuffled(r, first))
        makers = (self.unary, self.unary, self.binary, self.binary, self.binary, self.bias, self.reduce, self.concat,
                  self.slice, self.broadcast, self.product, self.merge)
        for _ in range(r.randint(3, most)):
            r.choice(makers)(r.choice(range(len(self.shapes))))

    def add(self, what, operands, shape, **how):
        self.read.update(operands)
        self.nodes.append((what, operands, how))
        self.shapes.append(tuple(shape))
        return len(self.shapes) - 1

    def alike(self, value):
        """Another value of the same elements, and how its dimensions match."""
        shape = self.shapes[value]
        other = self.random.choice([v for v, s in enumerate(self.shapes) if sorted(s) == sorted(shape)])
        left, match = list(enumerate(self.shapes[other])), []
        for size in shape:
            at = self.random.choice([entry for entry in left if entry[1] == size])
            left.remove(at)
            match.append(at[0])
        return other, match

    def unary(self, value):
        self.add("unary", [value], self.shapes[value], op=self.random.choice(UNARY))

    def binary(self, value):
        other, match = self.alike(value)
        self.add("binary", [value, other], self.shapes[value], op=self.random.choice(BINARY), match=match)

    def bias(self, value):
        shape = self.shapes[value]
        if shape:
            at = self.random.randrange(len(shape))
            bias = self.add("argument", [], [n if i == at else 1 for i, n in enumerate(shape)])
            self.add("binary", [value, bias], shape, op="add", match=list(range(len(shape))))

    def reduce(self, value):
        shape = self.shapes[value]
        if len(shape) > 2:
            dims, keep = self.random.sample(range(len(shape)), 1), self.random.random() < 0.5
            left = [1 if i in dims else n for i, n in enumerate(shape) if keep or i not in dims]
            self.add("reduce", [value], left, op=self.random.choice(("sum", "max")), dims=dims, keep=keep)

    def concat(self, value):
        shape = self.shapes[value]
        if shape:
            other, match = self.alike(value)
            axis = self.random.randrange(len(shape))
            self.add("concat", [value, other], [2 * n if i == axis else n for i, n in enumerate(shape)], axis=axis,
                     match=match)

    def slice(self, value):
        shape = self.shapes[value]
        even = [i for i, n in enumerate(shape) if n > 2 and n % 2 == 0]
        if even:
            axis = self.random.choice(even)
            self.add("slice", [value], [n // 2 if i == axis else n for i, n in enumerate(shape)], axis=axis)

    def broadcast(self, value):
        shape = self.shapes[value]
        if len(shape) < 4 and len(set(shape)) == len(shape):
            self.add("broadcast", [value], shape + (self.random.choice((3, 6)),))

    def product(self, value):
        shape = self.shapes[value]
        if len(shape) > 1:
            weight = self.add("argument", [], shape[:-2] + (shape[-1], 24))
            self.add("product", [value, weight], shape[:-1] + (24,))

    def merge(self, value):
        shape = self.shapes[value]
        if len(shape) > 2:
            at = self.random.randrange(len(shape) - 1)
            self.add("merge", [value], shape[:at] + (shape[at] * shape[at + 1],) + shape[at + 2:], at=at)


class Writing:
    """One function of a graph. `have` says in which order each value is."""

    def __init__(self, graph, seed):
        self.graph, self.random = graph, random.Random(seed)
        self.plain = seed == 0
        self.lines, self.have, self.copies, self.arguments, self.next = [], [], {}, [], 0
        for number, (what, operands, how) in enumerate(graph.nodes):
            shape = graph.shapes[number]
            if what == "argument":
                self.arguments.append("%%a%d: %s" % (number, kind(shape)))
                self.have.append(("%%a%d" % number, list(range(len(shape)))))
            else:
                self.have.append(getattr(self, what)(operands, shape, **how))
        results = [v for v in range(len(graph.shapes)) if v not in graph.read]
        names = [self.need(v, range(len(graph.shapes[v]))) for v in results]
        types = ", ".join(kind(graph.shapes[v]) for v in results)
        self.text = "func.func @main(%s) -> (%s) {\n%s\n  return %s : %s\n}\n" % (
            ", ".join(self.arguments), types, "\n".join("  " + line for line in self.lines), ", ".join(names), types)

    def emit(self, text):
        name = "%%v%d" % self.next
        self.next += 1
        self.lines.append("%s = gaudi.%s" % (name, text))
        return name

    def order(self, rank):
        return list(range(rank)) if self.plain else shuffled(self.random, range(rank))

    def transposed(self, name, shape, order):
        return self.emit("transpose %s permutation %s : %s -> %s" % (name, order, kind(shape),
                                                                      kind(stored(shape, order))))

    def need(self, value, order):
        """The name of the value in the order."""
        name, own = self.have[value]
        shape = stored(self.graph.shapes[value], own)
        move = [own.index(dim) for dim in order]
        if self.plain or self.random.random() < 0.5:
            known = self.copies.get((value, tuple(order)))
            if known:
                return known
        if not self.plain and len(shape) > 1 and self.random.random() < 0.2:  # in two steps, maybe there and back
            step = shuffled(self.random, range(len(shape)))
            name = self.transposed(name, shape, step)
            shape, move = stored(shape, step), [step.index(i) for i in move]
        if move != sorted(move):
            name = self.transposed(name, shape, move)
        self.copies[value, tuple(order)] = name
        return name

    def one(self, op, operands, result, attributes="", typed=True):
        return self.emit("%s %s%s : %s%s" % (
            op, ", ".join(name for name, _ in operands), attributes, ", ".join(kind(s) for _, s in operands),
            " -> " + kind(result) if typed else ""))

    def operand(self, value, order):
        return self.need(value, order), stored(self.graph.shapes[value], order)

    def unary(self, operands, shape, op):
        order = self.order(len(shape))
        return self.one("tpc." + op, [self.operand(operands[0], order)], stored(shape, order), typed=False), order

    def two(self, operands, order, match):
        return [self.operand(operands[0], order), self.operand(operands[1], [match[i] for i in order])]

    def binary(self, operands, shape, op, match):
        order = self.order(len(shape))
        return self.one("tpc." + op, self.two(operands, order, match), stored(shape, order)), order

    def concat(self, operands, shape, axis, match):
        order = self.order(len(shape))
        return self.one("concat", self.two(operands, order, match), stored(shape, order),
                        " axis %d" % order.index(axis)), order

    def reduce(self, operands, shape, op, dims, keep):
        order = self.order(len(self.graph.shapes[operands[0]]))
        left = order
        if not keep:
            left = [dim - sum(d < dim for d in dims) for dim in order if dim not in dims]
        return self.one("tpc.reduce <%s>" % op, [self.operand(operands[0], order)], stored(shape, left),
                        " dims %s%s" % (sorted(order.index(d) for d in dims), " keep_dims" if keep else "")), left

    def slice(self, operands, shape, axis):
        order = self.order(len(shape))
        offsets = [shape[i] if i == axis else 0 for i in order]
        return self.one("slice", [self.operand(operands[0], order)], stored(shape, order),
                        " offsets %s strides %s" % (offsets, [1] * len(shape))), order

    def broadcast(self, operands, shape):
        order = self.order(len(shape))
        own = [dim for dim in order if dim != len(shape) - 1]
        return self.one("broadcast", [self.operand(operands[0], own)], stored(shape, order),
                        " dims %s" % [i for i, dim in enumerate(order) if dim != len(shape) - 1]), order

    def product(self, operands, shape):
        rank = len(shape)
        batch = self.order(rank - 2)
        flips = [not self.plain and self.random.random() < 0.4 for _ in range(2)]
        orders = [batch + ([rank - 1, rank - 2] if flip else [rank - 2, rank - 1]) for flip in flips]
        order = batch + [rank - 2, rank - 1]
        return self.one("mme.gemm", [self.operand(v, o) for v, o in zip(operands, orders)], stored(shape, order),
                        " transpose_a" * flips[0] + " transpose_b" * flips[1]), order

    def merge(self, operands, shape, at):
        order = self.order(len(shape))
        fine = [d for dim in order for d in ([at, at + 1] if dim == at else [dim + (dim > at)])]
        return self.one("reshape", [self.operand(operands[0], fine)], stored(shape, order)), order


def judge(given, folder, seed):
    """What is wrong, or the times of all writings."""
    times = []
    for writing in range(given.writings):
        path = os.path.join(folder, "graph%d-%d.mlir" % (seed, writing))
        with open(path, "w", encoding="utf-8") as file:
            file.write(Writing(Graph(seed, given.ops), writing).text)
        run = subprocess.run([given.opt, path, "-o", os.devnull, "--gaudi-place-permutations=print-problem device=" +
                              DEVICES[seed % len(DEVICES)]], capture_output=True, text=True, check=False)
        lines = [line.split() for line in run.stdout.splitlines() if line.startswith("time ")]
        if run.returncode or len(lines) != 1:
            return run.stderr[:1000] or "no times"
        before, after, claimed = map(int, lines[0][1:])
        if before - after != claimed:
            return "writing %d: the time falls from %d by %d ps, claimed are %d ps" % (
                writing, before, before - after, claimed)
        times.append(after)
    return times


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--opt", default=os.path.join(ROOT, "build", "release", "bin", "gaudi-opt"), metavar="PATH",
                        help="gaudi-opt")
    parser.add_argument("--graphs", type=int, default=200)
    parser.add_argument("--writings", type=int, default=4)
    parser.add_argument("--seed", type=int, default=0, help="of the first graph")
    parser.add_argument("--ops", type=int, default=12)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--differ", type=int, default=0, help="graphs that may differ")
    parser.add_argument("--folder", help="where graphs stay (default: nowhere)")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.folder or temporary
        os.makedirs(folder, exist_ok=True)
        seeds = range(given.seed, given.seed + given.graphs)
        with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
            results = list(pool.map(lambda seed: judge(given, folder, seed), seeds))
    wrong = [(seed, text) for seed, text in zip(seeds, results) if isinstance(text, str)]
    for seed, text in wrong:
        print("graph %d: %s" % (seed, text))
    spread = [(max(times) / max(min(times), 1) - 1, seed, times) for seed, times in zip(seeds, results)
              if not isinstance(times, str)]
    differ = sorted(entry for entry in spread if entry[0] > 0)
    for share, seed, times in differ[-10:]:
        print("graph %d: %.1f %%: %s ps" % (seed, share * 100, ", ".join(map(str, times))))
    print("slowest over fastest writing: " + ", ".join(
        "%d by more than %d %%" % (sum(entry[0] > least / 100 for entry in spread), least) for least in (1, 10, 50)))
    print("%d graphs in %d writings: %d differ, by at most %.1f %%; %d wrong" % (
        len(results), given.writings, len(differ), max(entry[0] for entry in spread) * 100 if spread else 0, len(wrong)))
    sys.exit(bool(wrong) or len(differ) > given.differ)


if __name__ == "__main__":
    main()
