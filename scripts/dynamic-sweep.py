#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares models with dynamic sizes, compiled to buckets, with static compiles of every size tried.

Usage: dynamic-sweep.py [--tools DIR] [--models DIR] [--work DIR] [--random N] [--seed N] [--smoke] [--list]
                        [--many] [--write] [NAME...]

Static graphs of test/models become dynamic by make-dynamic.py. Each is compiled to a few buckets, and launched with
the least and the largest sizes, each bucket, one more than each bucket, and N random ones, with NaN, infinities and
random bits in the padding. The outputs are compared with those of the static graph that make-dynamic.py writes at
these sizes, within twice the tolerance of docs/numerics.md (either may be off by it); counted is also which are equal
bit for bit. Small models are compared with the
reference evaluator, too. --many takes six buckets of each, so that variants are derived from the kernels of others
where that is possible. --smoke takes those that need a second or two; --write puts the counts of the models that
ran into the table of docs/conformance.md. Exit code 1 if a size differs.
"""
import argparse
import os
import pathlib
import random
import subprocess
import sys
import time

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts" / "oracle"))
import agreement  # noqa: E402


class Case:
    """`args` and `values` are those of make-dynamic.py, `bounds` the least and largest size of each symbol, `buckets`
    the sizes compiled, each a tuple in the order of `bounds`. `inputs` are further options of gaudi-run. Cases of
    level 0 are the smoke; `check` compares with the reference evaluator."""

    def __init__(self, name, model, args, bounds, buckets, inputs=(), level=1, check=False, values=()):
        self.name, self.model, self.args, self.bounds = name, model, args, bounds
        self.buckets, self.inputs, self.level, self.check = buckets, list(inputs), level, check
        self.values = list(values)

    def make_options(self):
        return [f"--arg={a}" for a in self.args] + [f"--value={v}" for v in self.values]


TRAIN = "stablehlo-train-steps-lean4mlir/"
BERT = "stablehlo-bert-trtinc/generic.mlir"
FORWARD = "mhlo-bert-tiny-byteir/FW.mlir"
BACKWARD = "mhlo-bert-tiny-byteir/BW.mlir"
BUDDY = "linalg-bert-buddy/lifted.mlir"
LIFT = ["--lift-elided"]
CASES = [
    Case("mnist", "stablehlo-mnist-iree/generic.mlir", ["0:batch"], {"batch": (1, 40)}, [(1,), (8,), (40,)], level=0,
         check=True),
    Case("linalg-bert", BUDDY, ["0:batch,seq"], {"batch": (1, 6), "seq": (1, 24)}, [(1, 8), (2, 16), (6, 24)],
         level=0, check=True),
    Case("linalg-bert-batch", BUDDY, ["0:batch"], {"batch": (1, 9)}, [(2,), (9,)], check=True),
    Case("linalg-bert-seq", BUDDY, ["0:-,seq"], {"seq": (1, 40)}, [(8,), (40,)], check=True),
    Case("cnn-step", TRAIN + "cnn_train_step.generic.mlir", ["0:batch"], {"batch": (1, 12)}, [(4,), (12,)],
         values=["128.0:batch", "0.00078125:1/batch"]),
    Case("cnn-step-fixed-rate", TRAIN + "cnn_train_step.generic.mlir", ["0:batch"], {"batch": (2, 9)}, [(9,)]),
    Case("cifar8-adam-step", TRAIN + "cifar8_adam_train_step.generic.mlir", ["0:batch"], {"batch": (1, 12)},
         [(4,), (12,)], ["--input=45-66=1"], values=["128.0:batch", "0.0078125:1/batch"]),
    Case("mobilenetv2", TRAIN + "mobilenetv2_fwd_eval.generic.mlir", ["0:batch"], {"batch": (1, 4)}, [(2,), (4,)]),
    Case("bert-tiny", FORWARD, ["46:batch,seq"], {"batch": (1, 4), "seq": (2, 48)}, [(1, 16), (4, 48)]),
    Case("bert-tiny-batch", FORWARD, ["46:batch"], {"batch": (1, 5)}, [(2,), (5,)]),
    Case("bert-tiny-seq", FORWARD, ["46:-,seq"], {"seq": (2, 64)}, [(16,), (64,)]),
    Case("bert-tiny-grad", BACKWARD, ["5:batch,seq"], {"batch": (1, 3), "seq": (2, 40)}, [(1, 16), (3, 40)]),
    Case("bert-tiny-grad-batch", BACKWARD, ["5:batch"], {"batch": (1, 4)}, [(2,), (4,)]),
    Case("bert-tiny-grad-seq", BACKWARD, ["5:-,seq"], {"seq": (2, 64)}, [(16,), (64,)]),
    Case("bert", BERT, ["0:batch,seq"], {"batch": (1, 4), "seq": (1, 24)}, [(2, 8), (4, 24)], LIFT),
    Case("bert-batch", BERT, ["0:batch"], {"batch": (1, 6)}, [(2,), (6,)], LIFT),
    Case("bert-seq", BERT, ["0:-,seq"], {"seq": (1, 12)}, [(4,), (12,)], LIFT),
    Case("resnet50", "stablehlo-resnet50-trtinc/generic.mlir", ["0:batch"], {"batch": (1, 4)}, [(2,), (4,)], LIFT),
    Case("linalg-resnet50", "linalg-resnet50-imex/lifted.mlir", ["0:batch"], {"batch": (1, 3)}, [(3,)]),
    Case("mobilenetv3", "linalg-mobilenetv3-imex/lifted.mlir", ["0:batch"], {"batch": (1, 5)}, [(2,), (5,)]),
    Case("resnet18", "tosa-resnet18-buddy/lifted.mlir", ["0:batch"], {"batch": (1, 4)}, [(2,), (4,)]),
]


BEGIN, END = "<!-- table of dynamic-sweep.py -->", "<!-- end of the table -->"


class Failure(Exception):
    pass


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise Failure(f"exit code {done.returncode} of {' '.join(map(str, command))}\n{done.stderr[-2000:]}")
    return done.stdout


def many(bounds):
    """Six sizes of each symbol between its bounds, or as many as there are."""
    return list(dict.fromkeys(tuple(low + (high - low) * k // 6 for low, high in bounds.values()) for k in range(1, 7)))


def points(case, count, rng):
    """Bounds, buckets, one more than each bucket, and random ones."""
    low, high = zip(*case.bounds.values())
    found = [low, high] + list(case.buckets)
    found += [tuple(min(n + 1, h) for n, h in zip(b, high)) for b in case.buckets]
    found += [tuple(rng.randint(l, h) for l, h in case.bounds.values()) for _ in range(count)]
    return list(dict.fromkeys(found))


class Sweep:
    def __init__(self, args):
        self.args, self.work, self.tolerances = args, args.work, agreement.tolerances()
        self.run_tool = os.path.join(args.tools, "gaudi-run")
        self.make = [sys.executable, str(ROOT / "scripts" / "make-dynamic.py"), "--opt",
                     os.path.join(args.tools, "gaudi-opt")]
        os.makedirs(self.work, exist_ok=True)

    def path(self, name):
        return str(self.work / name)

    def compile(self, case):
        dynamic, recipe = self.path(f"{case.name}.mlir"), self.path(f"{case.name}.recipe")
        shapes = run(self.make + [str(self.args.models / case.model), "-o", dynamic] + case.make_options())
        bound = {name: f"{name}={low}..{high}" for name, (low, high) in case.bounds.items()}
        options = []
        for line in shapes.split():
            argument, names = line.split(":")
            options.append(f"--shape={argument}:" + ",".join(bound.pop(n, n) for n in names.split(",")))
        names = ",".join(case.bounds)
        options.append(f"--buckets={names}=" + ",".join("x".join(map(str, b)) for b in case.buckets))
        options += [i for i in case.inputs if not i.startswith("--input")]
        run([self.run_tool, dynamic, "--compile-only", "-o", recipe] + options)
        return dynamic, recipe, options

    def launch(self, case, dynamic, recipe, options, sizes, seed):
        """Returns (outputs, outputs that equal bit for bit)."""
        at = ",".join(f"{n}={s}" for n, s in zip(case.bounds, sizes))
        static = self.path(f"{case.name}.static.mlir")
        run(self.make + [str(self.args.models / case.model), "-o", static, f"--at={at}"] +
            case.make_options())
        outputs = self.public_results(pathlib.Path(static).read_text())
        files = lambda kind: [self.path(f"{case.name}.{kind}.{k}.npy") for k in range(outputs)]
        seeded = [f"--seed-inputs={seed}", "--print=0"]
        run([self.run_tool, static] + case.inputs + seeded + [f"--output=@{f}" for f in files("static")])
        launch = [f"--sizes={at}", "--poison-padding"] + seeded + [i for i in case.inputs if i.startswith("--input")]
        run([self.run_tool, recipe] + launch + [f"--output=@{f}" for f in files("dynamic")])
        if case.check:
            run([self.run_tool, dynamic, "--check"] + options + launch)
        pairs = [(np.load(a), np.load(b)) for a, b in zip(files("static"), files("dynamic"))]
        for k, (fixed, got) in enumerate(pairs):
            name = {"float32": "f32", "float16": "f16"}.get(fixed.dtype.name)
            tolerance = name and [2 * t for t in self.tolerances[name, "model"]]
            if wrong := agreement.difference(got, fixed, tolerance):
                raise Failure(f"output {k}: {wrong}")
        return outputs, sum(a.tobytes() == b.tobytes() for a, b in pairs)

    @staticmethod
    def public_results(text):
        for line in text.splitlines():
            if '"func.func"' in line and '"private"' not in line:
                signature = line[line.index("function_type = "):]
                results = signature[signature.index(" -> ") + 4:]
                depth, count = 0, 1
                for c in results:
                    depth += c in "(<[" or -(c in ")>]")
                    if c == "," and depth == 1 and results[0] == "(":
                        count += 1
                    if depth == 0 and c == (")" if results[0] == "(" else ">"):
                        return count
        raise Failure("no public function")

    def case(self, case):
        rng = random.Random(f"{self.args.seed} {case.name}")
        start, sizes, outputs, equal, where = time.time(), 0, 0, 0, ""
        try:
            compiled = self.compile(case)
            for k, point in enumerate(points(case, self.args.random, rng)):
                where = f"at {point}: "
                count, same = self.launch(case, *compiled, point, self.args.seed + k)
                sizes, outputs, equal = sizes + 1, outputs + count, equal + same
        except Failure as failure:
            print(f"FAILED  {case.name} {where}{failure}", flush=True)
            return None
        print(f"equal   {case.name}: {len(case.buckets)} buckets, {sizes} sizes, {outputs} outputs, {equal} of them "
              f"bit for bit, {time.time() - start:.0f} s", flush=True)
        bounds = ", ".join(f"{n} {low} to {high}" for n, (low, high) in case.bounds.items())
        return (f"| {case.name} | {case.model} | {bounds} | {len(case.buckets)} | {sizes} | {outputs} | "
                f"{equal} |")


def write_page(rows):
    """Replaces the rows of the page that have the same first cell, and adds new ones."""
    page = ROOT / "docs" / "conformance.md"
    text = page.read_text()
    start = text.index(BEGIN) + len(BEGIN)
    stop = text.index(END, start)
    lines = text[start:stop].strip().splitlines()
    merged = {line.split("|")[1]: line for line in lines[2:]}
    merged.update({row.split("|")[1]: row for row in rows})
    page.write_text(text[:start] + "\n" + "\n".join(lines[:2] + list(merged.values())) + "\n" + text[stop:])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--tools", default=str(ROOT / "build" / "release" / "bin"), help="empty: those of PATH")
    parser.add_argument("--models", type=pathlib.Path, default=ROOT / "test" / "models")
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "build" / "dynamic-sweep")
    parser.add_argument("--random", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--smoke", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--many", action="store_true")
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    chosen = [c for c in CASES if (c.name in args.names or not args.names) and (c.level == 0 or not args.smoke)]
    chosen = [c for c in chosen if (args.models / c.model).exists()]
    for case in chosen if args.many else []:
        case.buckets = many(case.bounds)
    if args.list:
        print("\n".join(c.name for c in chosen))
        return 0
    sweep = Sweep(args)
    results = [sweep.case(c) for c in chosen]
    rows = [row for row in results if row]
    print(f"{len(rows)} of {len(results)} models are equal")
    if args.write:
        write_page(rows)
    return 0 if rows and len(rows) == len(results) else 1


if __name__ == "__main__":
    sys.exit(main())
