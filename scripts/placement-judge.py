#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Judges gaudi-place-permutations on random graphs, with an ILP solver.

Usage: placement-judge.py [--opt PATH] [--graphs N] [--seed N] [--ops N] [--jobs N]

Each graph has up to --ops ops (default 40): convolutions of several layouts,
products, kernels, also of windows, elementwise ops, reductions, pools, concats, slices,
reshapes, residual sums, and transposes everywhere; some arguments may permute.
The graphs take turns on the three devices. The pass prints what it
decides on (print-problem): what each op costs in each of its forms, what copies
of tensors from one order to another take, and who reads and writes what. It
prints more orders per tensor than it decides on. From that text an integer
program is made, which shares no code with the pass, and solved by CBC. Checked
per graph:

  - the regions of the pass sum up to the optimum where they are proven; where
    one is not, since the search gave up or orders were left out, its cost is at
    most 2 % more;
  - the time of all ops falls by exactly what the regions claim.

Exit code 1 if a check failed; the graph is left in the folder that is named.
"""
import argparse
import concurrent.futures
import itertools
import os
import random
import struct
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DEVICES = ("gaudi2", "gaudi3", "gaudi")
UNARY = ("exp", "tanh", "sigmoid", "neg", "abs", "sqrt")
BINARY = ("add", "sub", "mul", "max")


def kind(shape):
    return "tensor<%s>" % "x".join([str(n) for n in shape] + ["f32"])


def size_of(shape):
    size = 1
    for n in shape:
        size *= n
    return size


class Graph:
    """A function of random ops. Values are names with their shapes."""

    def __init__(self, seed, ops):
        self.random = random.Random(seed)
        self.lines, self.arguments, self.values, self.read = [], [], [], set()
        self.next = 0
        # Some read a few tensors in very many orders.
        self.tangled = self.random.random() < 0.15
        for _ in range(self.random.randint(1, 3)):
            self.values.append(self.argument(self.feature_shape()))
        wanted = self.random.randint(min(5, ops), ops)
        makers = [(self.transpose, 16 if self.tangled else 6), (self.unary, 3), (self.binary, 4), (self.biased, 2), (self.reduce, 1),
                  (self.concat, 2), (self.split, 2), (self.reshape, 2), (self.conv, 4), (self.gemm, 2),
                  (self.kernel, 2), (self.window, 1), (self.pool, 1), (self.constant, 1), (self.optimizer, 0.5)]
        weights = [weight for _, weight in makers]
        while len(self.lines) < wanted:
            make = self.random.choices(makers, weights)[0][0]
            make(*self.pick())

    # -- values -----------------------------------------------------------
    def feature_shape(self):
        r = self.random
        if r.random() < 0.2:
            return r.choice([(64, 96), (4, 48, 64), (2, 8, 32, 64)])
        channels, side = r.choice((8, 16, 64, 96)), r.choice((4, 8, 14))
        batch = r.choice((1, 1, 2, 4))
        return r.choice([(batch, channels, side, side), (batch, side, side, channels)])

    def argument(self, shape):
        name = "%%a%d" % len(self.arguments)
        self.arguments.append((name, tuple(shape)))
        return name, tuple(shape)

    def pick(self):
        """Recent values rather than old ones."""
        if self.tangled and self.random.random() < 0.5:
            return self.random.choice(self.values[:3])
        at = min(int(self.random.expovariate(0.35)), len(self.values) - 1)
        return self.values[-1 - at]

    def emit(self, text, operands, shape):
        name = "%%v%d" % self.next
        self.next += 1
        self.lines.append("%s = %s" % (name, text))
        self.read.update(operand for operand, _ in operands)
        self.values.append((name, tuple(shape)))
        return self.values[-1]

    def simple(self, op, operands, shape, attributes="", with_result=True):
        text = "gaudi.%s %s%s : %s" % (op, ", ".join(name for name, _ in operands), attributes,
                                       ", ".join(kind(s) for _, s in operands))
        return self.emit(text + (" -> " + kind(shape) if with_result else ""), operands, shape)

    # -- ops --------------------------------------------------------------
    def transpose(self, name, shape, order=None):
        if len(shape) < 2:
            return None
        if order is None:
            order = list(range(len(shape)))
            if len(shape) == 4 and self.random.random() < (0.2 if self.tangled else 0.7):
                order = self.random.choice([[0, 2, 3, 1], [0, 3, 1, 2]])
            else:
                self.random.shuffle(order)
        return self.simple("transpose", [(name, shape)], [shape[i] for i in order],
                           " permutation [%s]" % ", ".join(map(str, order)))

    def unary(self, name, shape):
        return self.simple("tpc." + self.random.choice(UNARY), [(name, shape)], shape, with_result=False)

    def matching(self, shape):
        """A value of the same elements, transposed to the shape."""
        found = [v for v in self.values if sorted(v[1]) == sorted(shape)]
        other = self.random.choice(found)
        if other[1] == shape:
            return other
        orders = [p for p in itertools.permutations(range(len(shape))) if tuple(other[1][i] for i in p) == shape]
        return self.transpose(*other, order=self.random.choice(orders))

    def binary(self, name, shape):
        other = self.matching(shape)
        return self.simple("tpc." + self.random.choice(BINARY), [(name, shape), other], shape)

    def biased(self, name, shape):
        at = self.random.randrange(len(shape)) if shape else 0
        bias = self.argument([n if i == at else 1 for i, n in enumerate(shape)])
        return self.simple("tpc.add", [(name, shape), bias], shape)

    def reduce(self, name, shape):
        if len(shape) < 3:
            return None
        dims = sorted(self.random.sample(range(len(shape)), self.random.randint(1, 2)))
        keep = self.random.random() < 0.5
        left = [1 if i in dims else n for i, n in enumerate(shape) if keep or i not in dims]
        return self.simple("tpc.reduce <%s>" % self.random.choice(("sum", "max", "mean")), [(name, shape)], left,
                           " dims [%s]%s" % (", ".join(map(str, dims)), " keep_dims" if keep else ""))

    def concat(self, name, shape):
        if not shape or size_of(shape) > 1 << 17:
            return None
        axis = self.random.randrange(len(shape))
        others = [self.matching(shape) for _ in range(self.random.randint(1, 2))]
        result = [n * (1 + len(others)) if i == axis else n for i, n in enumerate(shape)]
        return self.simple("concat", [(name, shape)] + others, result, " axis %d" % axis)

    def split(self, name, shape):
        wide = [i for i, n in enumerate(shape) if n > 1 and n % 2 == 0]
        if not wide:
            return None
        axis = self.random.choice(wide)
        half = [n // 2 if i == axis else n for i, n in enumerate(shape)]
        for part in range(2):
            offsets = [part * half[i] if i == axis else 0 for i in range(len(shape))]
            self.simple("slice", [(name, shape)], half, " offsets [%s] strides [%s]" % (
                ", ".join(map(str, offsets)), ", ".join(["1"] * len(shape))))
        return self.values[-1]

    def reshape(self, name, shape):
        if len(shape) > 2 and self.random.random() < 0.6:
            at = self.random.randrange(len(shape) - 1)
            new = shape[:at] + (shape[at] * shape[at + 1],) + shape[at + 2:]
        else:
            even = [i for i, n in enumerate(shape) if n % 4 == 0]
            if not even or len(shape) > 4:
                return None
            at = self.random.choice(even)
            new = shape[:at] + (4, shape[at] // 4) + shape[at + 1:]
        return self.simple("reshape", [(name, shape)], new)

    def conv(self, name, shape):
        if len(shape) != 4:
            return None
        first = self.random.choice(("NHWC", "NCHW")) if self.random.random() < 0.9 else "HWCN"
        last = first if self.random.random() < 0.8 else self.random.choice(("NHWC", "NCHW"))
        sizes = dict(zip(first, shape))
        if sizes["C"] > 512 or sizes["N"] > 64:
            return None
        kernel = self.random.choice((1, 3))
        sizes.update(O=self.random.choice((8, 32, 64)), I=sizes["C"])
        filters = self.random.choice(("OIHW", "HWIO", "OHWI"))
        weight = self.argument([kernel if d in "HW" else sizes[d] for d in filters])
        result = [sizes["O"] if d == "C" else sizes[d] for d in last]
        pad = kernel // 2
        return self.simple("mme.conv", [(name, shape), weight], result,
                           ' layout "%s", "%s", "%s" strides [1, 1] dilations [1, 1] pad [%d, %d], [%d, %d] groups 1' % (
                               first, filters, last, pad, pad, pad, pad))

    def gemm(self, name, shape):
        if len(shape) < 2:
            return None
        columns = self.random.choice((16, 64))
        flips = [self.random.random() < 0.3 for _ in range(2)]
        *batch, rows, inner = shape
        if flips[0]:
            rows, inner = inner, rows
        rhs = [1] * len(batch) + ([columns, inner] if flips[1] else [inner, columns])
        return self.simple("mme.gemm", [(name, shape), self.argument(rhs)], batch + [rows, columns],
                           " transpose_a" * flips[0] + " transpose_b" * flips[1])

    def kernel(self, name, shape):
        """x + 1 in one kernel, maybe written in another order."""
        if not shape:
            return None
        order = list(range(len(shape)))
        if self.random.random() < 0.5:
            self.random.shuffle(order)
        result = [shape[i] for i in order]
        dims = ", ".join("d%d" % i for i in range(len(shape)))
        return self.emit(
            'gaudi.tpc.kernel label "step" (%s) index_space [%s] parallel [%s] : (%s) -> %s {\n'
            "    ^bb0(%%in0: %s, %%out0: %s):\n"
            "      %%one = arith.constant 1.0 : f32\n"
            "      %%x = gaudi.kernel.load %%in0[%s] : %s\n"
            "      %%y = arith.addf %%x, %%one : f32\n"
            "      gaudi.kernel.store %%y, %%out0[%s] : %s\n    }" % (
                name, ", ".join(map(str, shape)), ", ".join(["true"] * len(shape)), kind(shape), kind(result),
                kind(shape), kind(result), dims, kind(shape), ", ".join("d%d" % i for i in order), kind(result)),
            [(name, shape)], result)

    def window(self, name, shape):
        """A channels-first convolution that is a kernel, as those of integers."""
        if len(shape) != 4 or min(shape[2:]) < 3:
            return None
        batch, channels, height, width = shape
        filters = self.random.choice((4, 64))
        weight, sizes = self.argument((filters, channels, 3, 3))
        result = (batch, filters, height - 2, width - 2)
        extents = result + (channels, 3, 3)
        return self.emit(
            'gaudi.tpc.kernel label "window" (%s, %s) index_space [%s] parallel '
            "[true, true, true, true, false, false, false] : (%s, %s) -> %s {\n"
            "    ^bb0(%%in0: %s, %%in1: %s, %%out0: %s):\n"
            "      %%zero = arith.constant 0.0 : f32\n"
            "      %%sum = gaudi.kernel.loop [4, 5, 6] reduce [#gaudi.reduce<add>] init(%%zero) : f32 {\n"
            "      ^bb0(%%so_far: f32):\n"
            "        %%x = gaudi.kernel.load %%in0[d0, d4, d2 + d5, d3 + d6] : %s\n"
            "        %%w = gaudi.kernel.load %%in1[d1, d4, d5, d6] : %s\n"
            "        %%y = arith.mulf %%x, %%w : f32\n"
            "        gaudi.kernel.yield %%y : f32\n      }\n"
            "      gaudi.kernel.store %%sum, %%out0[d0, d1, d2, d3] : %s\n    }" % (
                name, weight, ", ".join(map(str, extents)), kind(shape), kind(sizes), kind(result),
                kind(shape), kind(sizes), kind(result), kind(shape), kind(sizes), kind(result)),
            [(name, shape), (weight, sizes)], result)

    def pool(self, name, shape):
        if len(shape) != 4:
            return None
        layout = self.random.choice(("NHWC", "NCHW"))
        if any(n < 2 for d, n in zip(layout, shape) if d in "HW"):
            return None
        result = [n // 2 if d in "HW" else n for d, n in zip(layout, shape)]
        return self.simple('tpc.pool <max>', [(name, shape)], result,
                           ' layout "%s" kernel [2, 2] strides [2, 2] dilations [1, 1] pad [0, 0], [0, 0]' % layout)

    def constant(self, name, shape):
        """A sum with a constant, splat or not."""
        if size_of(shape) > 4096 or self.random.random() < 0.5:
            text = "dense<0.5>"
        else:
            numbers = [self.random.uniform(-1, 1) for _ in range(size_of(shape))]
            text = 'dense<"0x%s">' % struct.pack("<%df" % len(numbers), *numbers).hex()
        made = self.emit("gaudi.constant %s : %s" % (text, kind(shape)), [], shape)
        return self.simple("tpc.add", [(name, shape), made], shape)

    def optimizer(self, name, shape):
        """A step over several parameters; their gradients are recent values."""
        gradients = [(name, shape)] + [self.pick() for _ in range(self.random.randint(1, 9))]
        parameters = []
        for _, shape in gradients:
            if len(shape) > 1 and self.random.random() < 0.4:
                order = list(range(len(shape)))
                self.random.shuffle(order)
                source = [0] * len(shape)
                for i, dim in enumerate(order):
                    source[dim] = shape[i]
                parameters.append(self.transpose(*self.argument(source), order=order))
            else:
                parameters.append(self.argument(shape))
        operands = gradients + parameters + [self.argument(())]
        types = ", ".join(kind(shape) for _, shape in parameters)
        names = [", ".join(name for name, _ in values) for values in (gradients, parameters)]
        name, _ = self.emit("gaudi.fused_sgd gradients(%s) parameters(%s) lr %s : (%s) -> (%s)" % (
            *names, operands[-1][0], ", ".join(kind(shape) for _, shape in operands), types), operands, ())
        self.lines[-1] = self.lines[-1].replace(" =", ":%d =" % len(parameters), 1)
        self.values.pop()
        self.values += [("%s#%d" % (name, i), shape) for i, (_, shape) in enumerate(parameters)]
        return self.values[-1]

    def freedom(self):
        return " {gaudi.allow_permutation}" if self.random.random() < 0.2 else ""

    def text(self):
        returned = [v for v in self.values if v[0] not in self.read]
        types = ", ".join(kind(shape) for _, shape in returned)
        return "func.func @main(%s) -> (%s) {\n%s\n  return %s : %s\n}\n" % (
            ", ".join("%s: %s%s" % (name, kind(shape), self.freedom()) for name, shape in self.arguments), types,
            "\n".join("  " + line for line in self.lines), ", ".join(name for name, _ in returned), types)


class Problem:
    """What the pass prints: see LayoutProblem::print."""

    def __init__(self, text):
        self.orders, self.copies = {}, {}
        self.labels, self.written, self.uses, self.placed, self.times = {}, set(), [], None, None
        for line in text.splitlines():
            word, *rest = line.split()
            if word == "group":
                self.orders[int(rest[0])] = int(rest[2])
            elif word == "copy":
                group, source, target, time = map(int, rest)
                self.copies[group, source, target] = time
            elif word == "label":
                self.labels.setdefault(int(rest[0]), {})[int(rest[1])] = int(rest[2])
                if "written" in rest:
                    self.written.add(int(rest[0]))
            elif word in ("writes", "reads"):
                self.uses.append((word,) + tuple(map(int, rest)))
            elif word == "placed":
                self.placed, self.complete = tuple(map(int, rest[:2])), rest[2:] != ["incomplete"]
            elif word == "time":
                self.times = tuple(map(int, rest))
            elif word != "party":
                raise ValueError("what is '%s'?" % line)

    def chooses(self, party):
        """Ops without a choice are in no region."""
        return len(self.labels[party]) > 1 or party not in self.written

    def program(self):
        """One form per op; a tensor has the order that is written, and each copy
        is made from an order that it has, by a chain without cycles."""
        objective, rows, binaries = {}, [], []
        for party, times in self.labels.items():
            rows.append(" + ".join("x%d_%d" % (party, label) for label in times) + " = 1")
            for label, time in times.items():
                binaries.append("x%d_%d" % (party, label))
                if self.chooses(party):
                    objective[binaries[-1]] = time
        has = {}
        for what, party, label, group, order in self.uses:
            if what == "writes":
                has.setdefault((group, order), []).append("x%d_%d" % (party, label))
        for group, count in self.orders.items():
            pairs = [(i, j) for i in range(count) for j in range(count) if i != j]
            for i, j in pairs:
                name = "c%d_%d_%d" % (group, i, j)
                binaries.append(name)
                objective[name] = self.copies[group, i, j]
                has.setdefault((group, j), []).append(name)
                rows.append("%s - h%d_%d <= 0" % (name, group, i))
                rows.append("t%d_%d - t%d_%d - %d %s >= %d" % (group, j, group, i, count + 1, name, -count))
            for order in range(count):
                rows.append("h%d_%d - %s = 0" % (group, order, " - ".join(has.get((group, order), ["nothing"]))))
                binaries.append("h%d_%d" % (group, order))
        # A label that reads a group several times in one order reads it once.
        for what, party, label, group, order in sorted(set(self.uses)):
            if what == "reads":
                rows.append("x%d_%d - h%d_%d <= 0" % (party, label, group, order))
        # CBC reads no lines beyond some length.
        lines = ["Minimize", " obj: nothing"]
        lines += [" %+d %s" % (cost, name) for name, cost in objective.items() if cost] + ["Subject To"]
        lines += [" r%d: %s" % (i, row) for i, row in enumerate(rows)] + [" last: nothing = 0", "Bounds"]
        lines += [" 0 <= t%d_%d <= %d" % (group, i, count) for group, count in self.orders.items()
                  for i in range(count)]
        return "\n".join(lines + ["Binaries", " " + "\n ".join(binaries), "End"]) + "\n", objective

    def optimum(self, folder):
        """CBC's optimum, summed up exactly."""
        program, objective = self.program()
        path, found = os.path.join(folder, "problem.lp"), os.path.join(folder, "solution.txt")
        with open(path, "w") as file:
            file.write(program)
        said = subprocess.run(["cbc", path, "ratioGap", "0", "allowableGap", "0", "solve", "solution", found],
                              capture_output=True, text=True).stdout
        if not os.path.exists(found):
            raise ValueError("CBC: " + said[-2000:])
        with open(found) as file:
            head, *lines = file
        if not head.startswith("Optimal"):
            raise ValueError("CBC: " + head.strip())
        cost = 0
        for line in lines:
            _, name, value, _ = line.split()[-4:]
            cost += round(float(value)) * objective.get(name, 0)
        return cost


def judge(opt, folder, seed, ops):
    """Gives what is wrong, or nothing, and whether all regions are proven."""
    folder = os.path.join(folder, "graph%d" % seed)
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, "graph.mlir")
    with open(path, "w") as file:
        file.write(Graph(seed, ops).text())
    run = subprocess.run([opt, path, "-o", os.path.join(folder, "placed.mlir"),
                          "--gaudi-place-permutations=print-problem device=" + DEVICES[seed % len(DEVICES)]], capture_output=True, text=True)
    if run.returncode:
        return "gaudi-opt: " + run.stderr[:1000], False
    with open(os.path.join(folder, "problem.txt"), "w") as file:
        file.write(run.stdout)
    try:
        problem = Problem(run.stdout)
        optimum = problem.optimum(folder)
    except ValueError as error:
        return str(error), False
    cost, bound = problem.placed
    proven = cost == bound and problem.complete
    if cost < optimum or (proven and cost != optimum):
        return "the pass claims %d ps, the optimum is %d ps" % (cost, optimum), proven
    if (bound > optimum and problem.complete) or (cost - optimum) * 50 > optimum:
        return "%d ps, a bound of %d ps: the optimum is %d ps" % (cost, bound, optimum), proven
    before, after, claimed = problem.times
    if before - after != claimed:
        return "the time falls from %d by %d ps, claimed are %d ps" % (before, before - after, claimed), proven
    return None, proven


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--opt", default=os.path.join(ROOT, "build", "release", "bin", "gaudi-opt"),
                        metavar="PATH", help="gaudi-opt")
    parser.add_argument("--graphs", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0, help="of the first graph")
    parser.add_argument("--ops", type=int, default=40)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--folder", help="where graphs go (default: a temporary one, removed if all is well)")
    given = parser.parse_args()
    folder = given.folder or tempfile.mkdtemp(prefix="placement-")
    seeds = range(given.seed, given.seed + given.graphs)
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        results = list(pool.map(lambda seed: judge(given.opt, folder, seed, given.ops), seeds))
    wrong = [(seed, result[0]) for seed, result in zip(seeds, results) if result[0]]
    for seed, text in wrong:
        print("graph %d: %s" % (seed, text))
    print("%d graphs: %d proven optimal, %d within the bound, %d wrong%s" % (
        len(results), sum(proven and not text for text, proven in results),
        sum(not proven and not text for text, proven in results), len(wrong), " (%s)" % folder if wrong else ""))
    if not wrong and not given.folder:
        for path, _, files in os.walk(folder, topdown=False):
            for file in files:
                os.remove(os.path.join(path, file))
            os.rmdir(path)
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
