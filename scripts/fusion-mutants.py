#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Inserts one op at an edge of a graph that fuses; what then fuses must compute the same.

Usage: fusion-mutants.py [--build DIR] [--seed N] [--seconds N] [--jobs N] [--keep DIR] [--list] [FILE...]

Each file (default: the corpora and tests of fusions) is imported once, so that StableHLO, TOSA and linalg become one
dialect: the form that matchers read. At every edge, that is at every float operand of every op, one op is inserted: a
clamp, absolute value, minimum, maximum, select, factor, cast down and up, transpose of two equal dimensions, a
constant instead of the value, floor, or a small addend. One representative of each class is run: of edges whose graph
before and after them is the same up to sizes and constants, and of each kind of op. The mutants of a file are
functions of one module, which gaudi-opt compiles with check-numerics: values before and after each pass are compared
in every regime of docs/numerics.md, with another seed for another --seed. What was wrong is listed with the pass and
the op; --keep saves the modules. The report counts, per kind, mutants that have fused ops, and wrong ones.

--seconds stops after so many, having taken classes in a random order of the seed: a sample. Exit code 1 if a mutant
was wrong, made gaudi-opt crash, or if none was run.
"""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import random
import re
import subprocess
import sys
import time
import zlib

ROOT = pathlib.Path(__file__).resolve().parent.parent
CORPORA = ["test/Transforms/Fusion/Attention/Inputs/*/*.mlir", "test/Transforms/Fusion/Optimizers/Inputs/*/*.mlir",
           "test/Transforms/Fusion/recognize*.mlir", "test/Transforms/Fusion/rope.mlir",
           "test/Transforms/Fusion/norm-gradients.mlir", "test/Transforms/Fusion/group-convolutions.mlir",
           "test/Transforms/Constants/fold-batch-norm*.mlir"]
SPLIT = "// -----"
# How far the graph around an edge tells classes apart.
ROUNDS = 1
# Mutants in one process, and the seconds that it may take.
BATCH, BATCH_SECONDS = 24, 300
# Runs shorter than this take a few files, and fewer mutants at a time.
SAMPLE_SECONDS, SAMPLE_BATCH = 600, 8
FUSED = re.compile(r"\bgaudi\.(sdpa_grad|sdpa|fused_\w+)\b|label \"tpc\.[^\"]*\+")
VALUE = re.compile(r"%[\w$.#-]+")
TENSOR = re.compile(r"tensor<((?:\d+x)*)(bf16|f16|f32|f8E4M3FN|f8E5M2)>$")


class Op:
    """One op of a function's body, in the generic form."""

    def __init__(self, text):
        self.text = text
        head = text.split("\n", 1)[0]
        match = re.match(r"\s*(?:(%[\w:, %]+) = )?\"([\w.]+)\"\(([^)]*)\)", head)
        self.name = match[2]
        self.results = []
        for result in re.findall(r"%(\w+)(?::(\d+))?", match[1] or ""):
            count = int(result[1] or 0)
            self.results += [f"%{result[0]}#{i}" for i in range(count)] if count else [f"%{result[0]}"]
        self.operands = VALUE.findall(match[3])
        self.span = match.span(3)
        signature = text[text.rindex(" : (") + 3:].strip()
        depth, end = 0, 0
        for end, char in enumerate(signature):
            depth += (char == "(") - (char == ")")
            if depth == 0:
                break
        self.types = re.findall(r"tensor<[^>]*>", signature[:end + 1])
        self.result_types = re.findall(r"tensor<[^>]*>", signature[end + 1:])
        attributes = text[match.end():text.rindex(" : (")]
        # Numbers, shapes and names of values do not tell classes apart.
        self.label = self.name + re.sub(r"%[\w#]+|-?\d[\w.+-]*|0x\w+|\"[^\"]*\"", "", attributes)


class Model:
    """A module with one function, parsed as far as edges need it."""

    def __init__(self, name, text):
        self.name = name
        lines = text.splitlines()
        starts = [i for i, line in enumerate(lines) if line.startswith('  "func.func"()')]
        if len(starts) != 1:
            raise ValueError(f"{len(starts)} functions")
        start = starts[0]
        end = next(i for i in range(start + 1, len(lines)) if lines[i].startswith("  })"))
        self.before, self.header = lines[:start], lines[start]
        self.arguments, self.footer, self.after = lines[start + 1], lines[end], lines[end + 1:]
        self.ops, current = [], []
        for line in lines[start + 2:end]:
            if line.startswith("    ") and line[4] not in " }^" and current:
                self.ops.append(Op("\n".join(current)))
                current = []
            current.append(line)
        self.ops.append(Op("\n".join(current)))
        self.classify()

    def classify(self):
        """The class of each edge: the op that reads, which operand, and the graph around it, up to ROUNDS ops away
        in both directions, without sizes and constants."""
        arguments = re.findall(r"(%\w+): (tensor<[^>]*>)", self.arguments)
        self.typeof, self.producer = dict(arguments), {}
        maker, readers = {}, collections.defaultdict(list)
        for number, op in enumerate(self.ops):
            for i, (value, kind) in enumerate(zip(op.results, op.result_types)):
                self.typeof[value], self.producer[value] = kind, op.name
                maker[value] = (number, i)
            for i, value in enumerate(op.operands):
                readers[value].append((number, i))
        labels = [zlib.crc32(op.label.encode()) for op in self.ops]
        for _ in range(ROUNDS):
            labels = [hash((labels[number],
                            tuple((i, labels[maker[v][0]]) if v in maker else -1 for i, v in enumerate(op.operands)),
                            tuple(sorted((i, labels[user]) for v in op.results for user, i in readers[v]))))
                      for number, op in enumerate(self.ops)]
        self.edges = [(number, i, (labels[number], i))
                      for number, op in enumerate(self.ops) for i, value in enumerate(op.operands)
                      if TENSOR.match(self.typeof.get(value, ""))]

    def mutated(self, edge, kind, rng, name):
        """The function with one op at the edge; None if the kind does not apply."""
        number, i, _ = edge
        op = self.ops[number]
        value, tensor = op.operands[i], self.typeof.get(op.operands[i], "")
        inserted = insertion(kind, value, tensor, rng)
        if inserted is None or self.producer.get(value) == "gaudi.constant" and kind == "stop":
            return None
        operands = list(op.operands)
        operands[i] = "%mutant"
        start, end = op.span
        text = op.text[:start] + ", ".join(operands) + op.text[end:]
        body = [o.text for o in self.ops]
        body[number] = "\n".join(inserted + [text])
        header = re.sub(r'sym_name = "[^"]*"', f'sym_name = "{name}"', self.header)
        return "\n".join([header, self.arguments, *body, self.footer])

    def module(self, functions):
        return "\n".join([*self.before, *functions, *self.after])


def insertion(kind, value, tensor, rng):
    """The ops that make %mutant of `value`, of the same type."""
    match = TENSOR.match(tensor)
    if not match:
        return None
    shape, element = [int(n) for n in match[1].split("x") if n], match[2]
    bound = rng.choice(["100.0", "2.0", "0.5", "0.01"])
    lower = rng.choice(["-1.0e-2", "0.0", "-100.0", "0.5"])

    def constant(number, name="%number"):
        return f'    {name} = "gaudi.constant"() <{{value = dense<{number}> : {tensor}}}> : () -> {tensor}'

    def binary(op, number):
        return [constant(number), f'    %mutant = "gaudi.tpc.{op}"({value}, %number) : ({tensor}, {tensor}) -> {tensor}']

    def unary(op):
        return [f'    %mutant = "gaudi.tpc.{op}"({value}) : ({tensor}) -> {tensor}']

    if kind == "clamp":
        return [f'    %mutant = "gaudi.tpc.clamp"({value}) <{{max = {bound} : f32, min = -{bound} : f32}}> : '
                f"({tensor}) -> {tensor}"]
    if kind in ("abs", "floor"):
        return unary(kind)
    if kind == "min":
        return binary("min", bound)
    if kind == "max":
        return binary("max", lower)
    if kind == "select":
        bits = tensor.replace(element, "i1")
        return [constant(bound), f'    %bits = "gaudi.tpc.compare"({value}, %number) <{{predicate = '
                f"#gaudi.predicate<lt>}}> : ({tensor}, {tensor}) -> {bits}",
                f'    %mutant = "gaudi.tpc.select"(%bits, {value}, %number) : ({bits}, {tensor}, {tensor}) -> {tensor}']
    if kind == "scale-little":
        return binary("mul", "1.01" if element != "f32" else "1.001")
    if kind == "scale":
        return binary("mul", "2.0")
    if kind == "cast":
        narrow = "bf16" if element == "f32" else "f8E5M2"
        if element in ("f8E5M2", "f8E4M3FN"):
            return None
        to = tensor.replace(element, narrow)
        rounding = "<{rounding = #gaudi.rounding<toward_zero>}>"
        return [f'    %narrow = "gaudi.tpc.cast"({value}) {rounding} : ({tensor}) -> {to}',
                f'    %mutant = "gaudi.tpc.cast"(%narrow) {rounding} : ({to}) -> {tensor}']
    if kind == "transpose":
        pairs = [(a, b) for b in range(len(shape)) for a in range(b) if shape[a] == shape[b] > 1]
        if not pairs:
            return None
        a, b = rng.choice(pairs)
        order = list(range(len(shape)))
        order[a], order[b] = b, a
        order = ", ".join(map(str, order))
        return [f'    %mutant = "gaudi.transpose"({value}) <{{engine = #gaudi.engine<unplaced>, permutation = '
                f"array<i64: {order}>}}> : ({tensor}) -> {tensor}"]
    if kind == "stop":
        return [constant(rng.choice(["0.0", "0.75", "-3.0"]), "%mutant")]
    if kind == "epsilon":
        return binary("add", rng.choice(["1.0e-3", "1.0e-1"]))
    raise ValueError(kind)


KINDS = ["clamp", "abs", "min", "max", "select", "scale", "scale-little", "cast", "transpose", "stop", "floor",
         "epsilon"]


def run(tool, arguments, text, seconds=BATCH_SECONDS):
    try:
        done = subprocess.run([tool, "-", *arguments], input=text, capture_output=True, text=True, timeout=seconds)
        return done.returncode, done.stdout, done.stderr
    except subprocess.TimeoutExpired:
        return -1, "", "timeout"


def imported(tool, path):
    """The models of a file, in the generic form after the import."""
    text = re.sub(r"^ *//(?! -----).*\n", "", path.read_text(), flags=re.MULTILINE)
    models = []
    for part, source in enumerate(re.split(rf"^{SPLIT}.*$", text, flags=re.MULTILINE)):
        code, out, _ = run(tool, ["--gaudi-compile=stop-after=import", "--mlir-print-op-generic",
                                  "--mlir-print-unique-ssa-ids"], source)
        if code == 0:
            try:
                models.append(Model(f"{path.name}:{part}", out))
            except (ValueError, StopIteration, TypeError):
                pass  # several functions, or none
    return models


class Batch:
    """Mutants of one model that one process compiles."""

    def __init__(self, model):
        self.model, self.mutants = model, []  # (name, kind, edge, text)


def compile_batch(tool, batch, seed, stop, keep):
    """Per mutant: fused ops, or what was wrong. Those that fail are left out, and the others compiled again."""
    left, wrong, fused, bad = list(batch.mutants), {}, {}, {}
    # The jobs share the processors.
    options = [f"--gaudi-compile=stop-after={stop} check-numerics seed={seed}", "--mlir-disable-threading"]
    while left:
        text = batch.model.module([mutant[3] for mutant in left])
        code, out, err = run(tool, options, text)
        if code == 0:
            # Functions start at column 2 in the printed module.
            for part in re.split(r"^  func\.func ", out, flags=re.MULTILINE)[1:]:
                name = re.match(r"(?:\w+ )?@(\w+)", part)[1]
                fused[name] = len(FUSED.findall(part))
            break
        found = {}
        for message in re.findall(r"error: (.*)", err):
            name = re.search(r"'@(m\d+)'", message)
            if name and "check" not in message.split("'@")[0]:
                found.setdefault(name[1], message)
        if found:
            wrong.update(found)
            left = [mutant for mutant in left if mutant[0] not in found]
        elif len(left) > 1:  # something else: each by itself
            for mutant in left:
                alone = Batch(batch.model)
                alone.mutants = [mutant]
                for to, part in zip((fused, wrong, bad), compile_batch(tool, alone, seed, stop, keep)):
                    to.update(part)
            break
        else:
            message = (re.search(r"error: (.*)", err) or ["", err[-300:]])[1]
            # An inserted op may make a graph that is refused; it must not crash.
            if code < 0 or "LLVM ERROR" in err or "Assertion" in err:
                wrong[left[0][0]] = f"crash ({code}): {message}"
            else:
                bad[left[0][0]] = message
            break
    if keep and wrong:
        for mutant in batch.mutants:
            if mutant[0] in wrong:
                (keep / f"{batch.model.name.replace(':', '-')}-{mutant[0]}.mlir").write_text(
                    batch.model.module([mutant[3]]))
    return fused, wrong, bad


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default=ROOT / "build/release", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=3600)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--stop-after", default="kernels")
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--list", action="store_true", help="count classes only")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    args = parser.parse_args()
    print(f"seed {args.seed}", flush=True)
    start = time.monotonic()
    tool = args.build / "bin/gaudi-opt"
    files = args.files or sorted(path for pattern in CORPORA for path in ROOT.glob(pattern))
    rng = random.Random(args.seed)
    if args.keep:
        args.keep.mkdir(parents=True, exist_ok=True)
    if args.seconds < SAMPLE_SECONDS:
        rng.shuffle(files)
        files = files[:max(4, int(args.seconds / 3))]
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        models = [model for found in pool.map(lambda path: imported(tool, path), files) for model in found]
        classes = collections.defaultdict(list)
        for model in models:
            for edge in model.edges:
                for kind in KINDS:
                    classes[edge[2], kind].append((model, edge))
        print(f"{len(files)} files, {len(models)} models, {sum(len(m.edges) for m in models)} edges, "
              f"{len(classes)} classes of edge and op, after {time.monotonic() - start:.0f} s", flush=True)
        if args.list:
            return 0
        chosen = collections.defaultdict(list)
        for (_, kind), found in sorted(classes.items(), key=lambda item: item[0]):
            model, edge = rng.choice(found)
            chosen[id(model)].append((model, edge, kind))
        size = BATCH if args.seconds >= SAMPLE_SECONDS else SAMPLE_BATCH
        batches = []
        for found in chosen.values():
            rng.shuffle(found)
            batches += [found[i:i + size] for i in range(0, len(found), size)]
        rng.shuffle(batches)
        deadline = start + args.seconds
        ran, fused, undefined, wrong, bad = (collections.Counter() for _ in range(5))

        def work(numbered):
            number, found = numbered
            if time.monotonic() > deadline:
                return None
            batch = Batch(found[0][0])
            own = random.Random(f"{args.seed} {number}")
            for i, (model, edge, kind) in enumerate(found):
                if text := model.mutated(edge, kind, own, f"m{i}"):
                    batch.mutants.append((f"m{i}", kind, edge, text))
            return batch, compile_batch(tool, batch, args.seed, args.stop_after, args.keep)

        for result in pool.map(work, enumerate(batches)):
            if result is None:
                continue
            batch, (fused_ops, wrong_ones, bad_ones) = result
            for name, kind, edge, _ in batch.mutants:
                ran[kind] += 1
                fused[kind] += fused_ops.get(name, 0) > 0
                bad[kind] += name in bad_ones
                # A row without visible keys, an overflow: the op may give another value there (docs/fusion.md).
                if re.search(r"expected -?nan", wrong_ones.get(name, "")):
                    undefined[kind] += 1
                elif name in wrong_ones:
                    wrong[kind] += 1
                    op = batch.model.ops[edge[0]]
                    print(f"WRONG {batch.model.name} {kind} at operand {edge[1]} of {', '.join(op.results)} "
                          f"{op.name}: {wrong_ones[name]}", flush=True)
    print(f"{'kind':14} {'mutants':>8} {'fused':>8} {'refused':>8} {'NaN':>8} {'wrong':>8}")
    for kind in KINDS:
        print(f"{kind:14} {ran[kind]:8} {fused[kind]:8} {bad[kind]:8} {undefined[kind]:8} {wrong[kind]:8}")
    total = sum(ran.values())
    print(f"{'all':14} {total:8} {sum(fused.values()):8} {sum(bad.values()):8} {sum(undefined.values()):8} {sum(wrong.values()):8}")
    print(f"seed {args.seed}: {total} mutants of {len(classes)} classes in {time.monotonic() - start:.0f} s")
    return 1 if sum(wrong.values()) or total == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
