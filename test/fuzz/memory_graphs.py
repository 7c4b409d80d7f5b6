#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random graphs that put pressure on the plan of device memory.

Each graph has views, concatenations, updates of slices, chains that can run in
place, arguments that are donated or state (whose old values may be returned,
too), and several outputs that may be views of one value. gaudi-run compares it with the reference evaluator twice:
as it is, and with --check-memory (dead bytes poisoned).

usage: memory_graphs.py [--count=N | --seconds=N] [--seed=N] [--ops=N]
                        [--device=D] [--keep=DIR] [--show] [GAUDI_RUN]
A failure prints the seed, the error and the file that is kept, which is the
shortest start of the graph that fails. --seed=S --count=1 makes it again.
"""

import argparse
import concurrent.futures
import itertools
import os
import pathlib
import random
import re
import subprocess
import sys
import time

SIZES = [1, 2, 3, 4, 5, 8, 16, 33]
MOST_ELEMENTS = 8192
REFUSAL = re.compile(r"has 'gaudi.donated', but result \d+ cannot be written to its buffer")
ADD = ("({ ^bb0(%a: tensor<f32>, %b: tensor<f32>): "
       '%c = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32> '
       '"stablehlo.return"(%c) : (tensor<f32>) -> () })')


def product(sizes):
    result = 1
    for size in sizes:
        result *= size
    return result


def tensor(sizes, element="f32"):
    return f"tensor<{''.join(f'{size}x' for size in sizes)}{element}>"


def array(values):
    return "array<i64" + ": " * bool(values) + ", ".join(map(str, values)) + ">"


class Graph:
    """A function of StableHLO under construction."""

    def __init__(self, seed, ops):
        self.random = random.Random(seed)
        self.lines = []
        self.arguments = []  # (name, sizes, element)
        self.values = []     # (name, sizes), all f32
        self.indices = []    # names of i32 scalars
        for _ in range(self.random.randint(1, 4)):
            self.argument(self.sizes())
        for _ in range(self.random.randint(0, 2)):
            name = f"%arg{len(self.arguments)}"
            self.arguments.append((name, (), "i32"))
            self.indices.append(name)
        makers = [self.unary, self.binary, self.slice, self.concatenate, self.update,
                  self.pad, self.reshape, self.transpose, self.broadcast, self.product,
                  self.reduce, self.chain, self.softmax, self.batch_product, self.convolution]
        weights = [3, 4, 4, 5, 5, 2, 3, 2, 1, 2, 1, 2, 1, 1, 1]
        made = 0
        while made < ops:
            made += bool(self.random.choices(makers, weights)[0]())

    # --- parts ---

    def sizes(self):
        while True:
            sizes = tuple(self.random.choice(SIZES) for _ in range(self.random.randint(1, 4)))
            if product(sizes) <= MOST_ELEMENTS:
                return sizes

    def argument(self, sizes):
        name = f"%arg{len(self.arguments)}"
        self.arguments.append((name, sizes, "f32"))
        self.values.append((name, sizes))
        return name

    def op(self, kind, operands, result, attributes="", region=""):
        """A line; operands are pairs of a name and a type."""
        name = f"%v{len(self.lines)}"
        names = ", ".join(name for name, _ in operands)
        types = ", ".join(type for _, type in operands)
        attributes = f" {{{attributes}}}" if attributes else ""
        self.lines.append(f'{name} = "stablehlo.{kind}"({names}){region}{attributes} : '
                          f"({types}) -> {result}")
        return name

    def emit(self, kind, operands, sizes, attributes="", region=""):
        """The same, of operands that are values; the result is one."""
        operands = [(name, tensor(of) if isinstance(of, (tuple, list)) else of)
                    for name, of in operands]
        name = self.op(kind, operands, tensor(sizes), attributes, region)
        self.values.append((name, tuple(sizes)))
        return name

    def constant(self, text, type):
        return self.op("constant", [], type, f"value = dense<{text}> : {type}")

    def pick(self, keep=lambda sizes: True):
        """A value, recent ones more often; None if none will do."""
        found = [value for value in self.values if keep(value[1])]
        if not found:
            return None
        at = min(int(self.random.expovariate(0.4)), len(found) - 1)
        return found[-1 - at] if self.random.random() < 0.7 else self.random.choice(found)

    # --- ops ---

    def unary(self):
        name, sizes = self.pick()
        op = self.random.choice(["tanh", "negate", "abs"])
        return self.emit(op, [(name, sizes)], sizes)

    def binary(self):
        name, sizes = self.pick()
        other, _ = self.pick(lambda others: others == sizes)
        op = self.random.choice(["add", "subtract", "maximum", "minimum"])
        return self.emit(op, [(name, sizes), (other, sizes)], sizes)

    def chain(self):
        name, sizes = self.pick()
        for _ in range(self.random.randint(2, 4)):
            name = self.emit(self.random.choice(["tanh", "negate"]), [(name, sizes)], sizes)
        return name

    def slice(self):
        name, sizes = self.pick(lambda sizes: product(sizes) > 1) or (None, None)
        if name is None:
            return None
        starts, limits, strides, result = [], [], [], []
        for size in sizes:
            start = self.random.randint(0, size - 1) if self.random.random() < 0.5 else 0
            limit = self.random.randint(start + 1, size) if self.random.random() < 0.5 else size
            stride = 2 if self.random.random() < 0.1 else 1
            starts.append(start), limits.append(limit), strides.append(stride)
            result.append((limit - start + stride - 1) // stride)
        return self.emit("slice", [(name, sizes)], result,
                         f"start_indices = {array(starts)}, limit_indices = {array(limits)}, "
                         f"strides = {array(strides)}")

    def concatenate(self):
        first, sizes = self.pick(lambda sizes: len(sizes) > 0)
        dim = self.random.randrange(len(sizes))
        parts = [(first, sizes)]
        for _ in range(self.random.randint(1, 3)):
            part = self.pick(lambda other: len(other) == len(sizes) and all(
                d == dim or other[d] == sizes[d] for d in range(len(sizes))))
            parts.append(part)
        self.random.shuffle(parts)
        if self.random.random() < 0.5:  # parts that only the concatenation reads
            parts = [(self.emit("tanh", [(name, part)], part), part)
                     for name, part in parts]
        result = list(sizes)
        result[dim] = sum(part[dim] for _, part in parts)
        if product(result) > MOST_ELEMENTS:
            return None
        return self.emit("concatenate", parts, result, f"dimension = {dim} : i64")

    def index(self, most):
        if self.indices and self.random.random() < 0.4:
            return self.random.choice(self.indices)
        return self.constant(self.random.randint(0, most), "tensor<i32>")

    def update(self):
        base, sizes = self.pick(lambda sizes: len(sizes) > 0)
        fits = lambda other: len(other) == len(sizes) and all(
            a <= b for a, b in zip(other, sizes))
        part, partial = self.pick(fits)
        indices = [(self.index(b - a), "tensor<i32>") for a, b in zip(partial, sizes)]
        return self.emit("dynamic_update_slice", [(base, sizes), (part, partial)] + indices,
                         sizes)

    def pad(self):
        name, sizes = self.pick(lambda sizes: len(sizes) > 0)
        low = [self.random.choice([0, 0, 1, 2]) for _ in sizes]
        high = [self.random.choice([0, 0, 1, 3]) for _ in sizes]
        inner = [self.random.choice([0, 0, 0, 0, 1]) for _ in sizes]
        result = [size + a + b + (size - 1) * c
                  for size, a, b, c in zip(sizes, low, high, inner)]
        if product(result) > MOST_ELEMENTS:
            return None
        value = self.constant("0.5", "tensor<f32>")
        return self.emit("pad", [(name, sizes), (value, ())], result,
                         f"edge_padding_low = {array(low)}, edge_padding_high = {array(high)}, "
                         f"interior_padding = {array(inner)}")

    def reshape(self):
        name, sizes = self.pick()
        left, result = product(sizes), []
        while left > 1 and len(result) < 4:
            factors = [f for f in range(2, min(left, 64) + 1) if left % f == 0]
            if not factors:
                break
            result.append(self.random.choice(factors))
            left //= result[-1]
        if left > 1 or not result:
            result.append(left)
        return self.emit("reshape", [(name, sizes)], result)

    def transpose(self):
        name, sizes = self.pick(lambda sizes: len(sizes) > 1) or (None, None)
        if name is None:
            return None
        order = list(range(len(sizes)))
        self.random.shuffle(order)
        result = [sizes[d] for d in order]
        return self.emit("transpose", [(name, sizes)], result, f"permutation = {array(order)}")

    def broadcast(self):
        name, sizes = self.pick(lambda sizes: len(sizes) < 4) or (None, None)
        if name is None:
            return None
        result = list(sizes)
        at = self.random.randint(0, len(sizes))
        result.insert(at, self.random.choice([2, 3]))
        dims = [d for d in range(len(result)) if d != at]
        if product(result) > MOST_ELEMENTS:
            return None
        return self.emit("broadcast_in_dim", [(name, sizes)], result,
                         f"broadcast_dimensions = {array(dims)}")

    def product(self):
        name, sizes = self.pick(lambda sizes: len(sizes) > 1) or (None, None)
        if name is None:
            return None
        columns = self.random.choice(SIZES)
        other = self.pick(lambda others: len(others) == 2 and others[0] == sizes[-1])
        weights, shape = other or (self.argument((sizes[-1], columns)), (sizes[-1], columns))
        result = list(sizes[:-1]) + [shape[1]]
        if product(result) > MOST_ELEMENTS:
            return None
        made = self.emit("dot_general", [(name, sizes), (weights, shape)], result,
                         "dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = "
                         f"[{len(sizes) - 1}], rhs_contracting_dimensions = [0]>")
        return self.emit("tanh", [(made, result)], result)

    def reduce(self):
        name, sizes = self.pick(lambda sizes: len(sizes) > 1) or (None, None)
        if name is None:
            return None
        dim = self.random.randrange(len(sizes))
        result = [size for d, size in enumerate(sizes) if d != dim]
        zero = self.constant("0.0", "tensor<f32>")
        made = self.emit("reduce", [(name, sizes), (zero, ())], result,
                         f"dimensions = {array([dim])}",
                         ADD)
        return self.emit("tanh", [(made, result)], result)

    def softmax(self):
        name, sizes = self.pick(lambda sizes: len(sizes) > 0)
        dims, kept = len(sizes) - 1, sizes[:-1]
        spread = f"broadcast_dimensions = {array(range(dims))}"
        name = self.emit("tanh", [(name, sizes)], sizes)
        powers = self.emit("exponential", [(name, sizes)], sizes)
        zero = self.constant("0.0", "tensor<f32>")
        total = self.emit("reduce", [(powers, sizes), (zero, ())], kept,
                          f"dimensions = {array([dims])}", ADD)
        total = self.emit("broadcast_in_dim", [(total, kept)], sizes, spread)
        return self.emit("divide", [(powers, sizes), (total, sizes)], sizes)

    def batch_product(self):
        """Of [batch, rows, depth] with itself, transposed."""
        name, sizes = self.pick(lambda sizes: len(sizes) == 3) or (None, None)
        if name is None:
            return None
        result = (sizes[0], sizes[1], sizes[1])
        made = self.emit("dot_general", [(name, sizes), (name, sizes)], result,
                         "dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], "
                         "rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], "
                         "rhs_contracting_dimensions = [2]>")
        return self.emit("tanh", [(made, result)], result)

    def convolution(self):
        """Of channels last with a filter of 1 x 1 or 3 x 3."""
        name, sizes = self.pick(lambda sizes: len(sizes) == 4) or (None, None)
        if name is None:
            return None
        size, channels = self.random.choice([1, 3]), self.random.choice([1, 4, 8])
        shape = (size, size, sizes[3], channels)
        weights = self.argument(shape)
        result = (*sizes[:3], channels)
        pad = size // 2
        made = self.emit("convolution", [(name, sizes), (weights, shape)], result,
                         "batch_group_count = 1 : i64, feature_group_count = 1 : i64, "
                         "dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->"
                         "[b, 0, 1, f]>, "
                         f"padding = dense<{pad}> : tensor<2x2xi64>, "
                         "window_strides = array<i64: 1, 1>")
        return self.emit("tanh", [(made, result)], result)

    # --- the function ---

    def text(self):
        made = [value for value in self.values if value[0].startswith("%v")]
        outputs = self.random.sample(made, min(len(made), self.random.randint(1, 4)))
        if made[-1] not in outputs:
            outputs.append(made[-1])
        if self.random.random() < 0.2:
            outputs.append(self.random.choice(self.values))  # an argument, or one twice
        taken, attributes, old = set(), {}, []
        for name, sizes, element in self.arguments:
            same = [k for k, (_, other) in enumerate(outputs)
                    if other == sizes and k not in taken]
            if element != "f32" or not same or self.random.random() < 0.3:
                continue
            kind = self.random.choice(["alias", "donor", "state", "donated"])
            k = self.random.choice(same)
            if kind == "donor":
                attributes[name] = " {jax.buffer_donor = true}"
            else:
                taken.add(k)
                word = {"alias": "tf.aliasing_output", "state": "gaudi.state",
                        "donated": "gaudi.donated"}[kind]
                number = f"{k} : i32" if kind == "alias" else f"{k} : i64"
                attributes[name] = f" {{{word} = {number}}}"
            if self.random.random() < 0.3:
                old.append((name, sizes))  # the old value is returned, too
        outputs += old
        arguments = ", ".join(f"{name}: {tensor(sizes, element)}{attributes.get(name, '')}"
                              for name, sizes, element in self.arguments)
        types = ", ".join(tensor(sizes) for _, sizes in outputs)
        names = ", ".join(name for name, _ in outputs)
        body = "\n".join("  " + line for line in self.lines)
        return (f"func.func @main({arguments}) -> ({types}) {{\n{body}\n"
                f"  return {names} : {types}\n}}\n")


def try_graph(seed, options):
    """None if the graph passes, else what failed, of the shortest start of it that fails."""
    ops = options.ops or random.Random(seed ^ 0x5eed).randint(2, 24)
    problem = try_start(seed, ops, options)
    if problem is None or options.ops:
        return problem
    for fewer in range(1, ops):
        shorter = try_start(seed, fewer, options)
        if shorter is not None:
            return f"--ops={fewer}: {shorter}"
    try_start(seed, ops, options)  # its file stays
    return problem


def try_start(seed, ops, options):
    text = Graph(seed, ops).text()
    path = pathlib.Path(options.keep, f"graph-{seed}.mlir")
    path.write_text(text)
    if options.show:
        print(text)
    has_state = "_output" in text or "donated" in text or "_donor" in text or "gaudi.state" in text
    device = options.device or random.Random(seed).choice(["gaudi2", "gaudi3"])
    compiler = [options.gaudi_run, str(path), f"--device={device}"]
    command = compiler + ["--check", f"--seed-inputs={seed % 1000}", "--threads=1", "--no-cache"]
    if "gaudi.donated" in text:
        # Without a copy, or not at all: what the graph forbids is refused.
        recipe = path.with_suffix(".recipe")
        done = subprocess.run(compiler + ["--compile-only", "-o", str(recipe)],
                              capture_output=True, text=True, timeout=120)
        recipe.unlink(missing_ok=True)
        if REFUSAL.search(done.stderr) and "'gaudi.copy' reads it" not in done.stderr:
            path.write_text(re.sub(r"gaudi.donated = (\d+) : i64",
                                   r"tf.aliasing_output = \1 : i32", text))
    for extra in ([], ["--check-memory"]):
        for steps in ([], ["--steps=3"]) if has_state else ([],):
            try:
                done = subprocess.run(command + extra + steps, capture_output=True, text=True,
                                      timeout=120)
                problem = None if done.returncode == 0 else (done.stderr or done.stdout)[-2000:]
                if problem and steps and "has no state" in problem:
                    problem = None  # nothing of its type was left to replace
            except subprocess.TimeoutExpired:
                problem = "no end after 120 seconds"
            if problem is not None:
                return f"{' '.join(command + extra + steps)}\n{problem}"
    path.unlink()
    return None


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n\n")[0])
    parser.add_argument("gaudi_run", nargs="?", default="build/release/bin/gaudi-run")
    parser.add_argument("--count", type=int)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ops", type=int)
    parser.add_argument("--device")
    parser.add_argument("--keep", default="build/fuzz/memory")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    os.makedirs(options.keep, exist_ok=True)
    end = time.monotonic() + (options.seconds or float("inf"))
    seeds = itertools.count(options.seed)
    if not options.seconds or options.count:
        seeds = itertools.islice(seeds, options.count or 100)
    ran = failed = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        while batch := list(itertools.islice(seeds, 8 * options.jobs)):
            for seed, problem in zip(batch, pool.map(lambda s: try_graph(s, options), batch)):
                ran += 1
                if problem:
                    failed += 1
                    print(f"FAILED: seed {seed}: {problem}", flush=True)
            if time.monotonic() > end or failed >= 10:
                break
    print(f"{ran} graphs, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
