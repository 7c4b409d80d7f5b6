#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Changes models at random; the compiler must refuse or compile them, never crash or hang.

Usage: mutants.py [--build DIR] [--mutants N] [--seed N] [--seconds N] [--keep DIR] [--jobs N] [--smoke] [FILE...]

Of the files (default: those of the tests of all front ends and of the gaudi dialect, and the models in test/models)
N mutants each are made, of two kinds:
- of the text: truncated, with lines deleted or doubled, tokens swapped, or numbers changed;
- of its generic form, which MLIR parses whatever it says: an attribute dropped, moved or of another kind; an element
  type that no device has, one size or all equal ones 0, rank 0, no rank; an operand, a result, a region or a
  terminator dropped or doubled; an attribute of the function changed.
Of Operators.def, the table of PyTorch's ops, they are calls: a row with random tensors, numbers and lists for its
parameters. StableHLO is tried as MHLO, too. They go through the conversion of their front end, through --gaudi-compile and, a
part of them, through gaudi-run, many in one process; if that dies or takes too long, each by itself. --smoke takes a
few small ones, --seconds ends the search after that time. Exit code 1 if a mutant made the compiler crash or hang;
--keep saves it.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import random
import re
import resource
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
SPLIT = "\n// -----\n"
TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|[%@#!]?[A-Za-z_][\w.$]*|[%@#]\d+|-?\d+(?:\.\d+)?|->|[^\s\w]')
NUMBERS = ["0", "-1", "1", "2", "3", "7", "8", "64", "65535", "2147483647", "-2147483648", "4294967296",
           "9223372036854775807", "-9223372036854775808", "18446744073709551616"]
FRONT_ENDS = {"stablehlo": "--convert-stablehlo-to-gaudi", "tosa": "--convert-tosa-to-gaudi",
              "linalg": "--convert-linalg-to-gaudi", "torch": "--convert-torch-to-gaudi"}
COMPILE = "--gaudi-compile=device=gaudi2"
# Mutants in one process, the seconds that it and one mutant may take, and the memory.
BATCH, BATCH_SECONDS, MUTANT_SECONDS, MEMORY = 50, 120, 30, 8 << 30

# One of each kind, and some that are wrong in themselves.
ATTRIBUTES = ["unit", "1 : i64", "-1 : i32", "0 : i8", "1.0 : f32", "true", '"x"', '""', "@f", "i32", "[]", "[1, 2]",
              "[[1], [2]]", "{}", "{a = 1}", "array<i64>", "array<i64: 0>", "array<i32: 1, 2>", "array<f32: 1.0>",
              "array<i1: true>", "dense<1> : tensor<2xi64>", "dense<> : tensor<0xi64>", "dense<1.0> : tensor<f32>",
              "dense<[[1, 2]]> : tensor<1x2xi32>", "dense<(1.0, 2.0)> : tensor<complex<f32>>",
              "dense<1> : vector<2xi8>", "dense_resource<nothing> : tensor<4xf32>", "affine_map<(d0) -> (d0)>",
              "affine_map<() -> ()>", "affine_map<(d0)[s0] -> (s0 mod 3, 7)>", "affine_set<(d0) : (d0 >= 0)>",
              "strided<[1]>", "9223372036854775807 : i64", "1 : index", "1 : ui8", "0 : i1", "tensor<?xf32>",
              "loc(unknown)", '["add", 3, i8]', "1 : i128"]
ELEMENTS = ["index", "complex<f32>", "i1", "i4", "i2", "i128", "ui64", "si8", "f64", "f80", "f128", "tf32", "bf16",
            "f8E4M3", "f4E2M1FN", "f8E8M0FNU", "vector<2xf32>", "memref<2xf32>", "i17"]
TYPES = ["none", "index", "f32", "i1", "tuple<>", "tuple<f32, tensor<2xf32>>", "memref<4xf32>", "memref<*xf32>",
         "vector<4xf32>", "vector<[4]xf32>", "tensor<*xf32>", "tensor<?x?xf32>", "tensor<f32>", "tensor<0xf32>",
         "tensor<4xnone>", "tensor<4x!gaudi.unknown>", "() -> ()", "complex<f64>", "tensor<1x1x1x1x1x1x1x1x1x1xf32>",
         "tensor<4xf32, #gaudi.unknown>", 'tensor<4xf32, "x">', "!tosa.shape<2>", "tensor<9223372036854775807x2xf32>"]
TORCH_TYPES = ["!torch.vtensor", "!torch.vtensor<*,unk>", "!torch.vtensor<[?,2],f32>", "!torch.vtensor<[],f32>",
               "!torch.vtensor<[0],f32>", "!torch.vtensor<[2],unk>", "!torch.tensor<[2,3],f32>", "!torch.int", "!torch.none",
               "!torch.list<int>", "!torch.list<vtensor>", "!torch.optional<vtensor>", "!torch.tuple<>", "!torch.any",
               "!torch.vtensor<[9223372036854775807,2],f32>", "!torch.vtensor<[1,1,1,1,1,1,1,1,1],f32>"]
TORCH_ELEMENTS = ["f64", "f32", "bf16", "f16", "i1", "si8", "ui8", "si64", "ui64", "si32", "complex<f32>", "f8E4M3FN",
                  "index", "i7", "f80", "none"]
TORCH_TENSOR = re.compile(r"!torch\.v?tensor<\[([\d,?]*)\],([a-zA-Z]\w*(?:<\w+>)?)>")
TENSOR = re.compile(r"tensor<(?:[\dx?*]*x)?(?:[a-z]+\d*\w*|complex<\w+>)(?:, [^<>]*)?>")
OPENING, CLOSING = "([{<", ")]}>"


def sources(files):
    """(name, text) of each function to be changed."""
    for path in files:
        if path.suffix == ".def":
            continue
        if path.suffix == ".json":
            for case in json.loads(path.read_text())["cases"]:
                yield f"{path.name}:{case['name']}", case["mlir"]
            continue
        for i, text in enumerate(re.split(r"^// -----$", path.read_text(), flags=re.MULTILINE)):
            text = re.sub(r"^ *//.*\n", "", text, flags=re.MULTILINE)
            if text.strip():
                yield f"{path.name}:{i}", text


# --- mutants of text -----------------------------------------------------------------------------


def changed_number(rng, text):
    # Not the number of a result (%r#1): MLIR's parser makes as many values as it says.
    tokens = [m for m in re.finditer(r"(?<![\w%@#.])-?\d+|(?<=[<x])\d+(?=x)", text)]
    if not tokens:
        return text
    at = rng.choice(tokens)
    # A small change mostly: far ones are refused at the first look.
    near = str(int(at[0]) + rng.choice([-2, -1, 1, 2]))
    return text[:at.start()] + (near if rng.random() < 0.6 else rng.choice(NUMBERS)) + text[at.end():]


def swapped_tokens(rng, text):
    tokens = list(TOKEN.finditer(text))
    if len(tokens) < 2:
        return text
    a, b = sorted(rng.sample(range(len(tokens)), 2))
    if rng.random() < 0.7:
        # Of one kind, so that the parser does not refuse at once.
        kind = lambda t: (t[0][0], t[0][0].isdigit())
        same = [i for i, t in enumerate(tokens) if kind(t)[0 if t[0][0] in '%"#' else 1] ==
                kind(tokens[a])[0 if tokens[a][0][0] in '%"#' else 1] and t[0] != tokens[a][0]]
        if same:
            a, b = sorted([a, rng.choice(same)])
    a, b = tokens[a], tokens[b]
    return text[:a.start()] + b[0] + text[a.end():b.start()] + a[0] + text[b.end():]


def changed_lines(rng, text):
    lines = text.splitlines(keepends=True)
    if len(lines) < 2:
        return text
    i = rng.randrange(len(lines))
    return "".join(lines[:i] + (lines[i + 1:] if rng.random() < 0.7 else lines[i:i + 1] + lines[i:]))


def text_mutant(rng, text):
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        kind = rng.random()
        if kind < 0.05:
            text = text[:rng.randrange(len(text) + 1)]
        elif kind < 0.15:
            text = changed_lines(rng, text)
        elif kind < 0.75:
            text = changed_number(rng, text)
        else:
            text = swapped_tokens(rng, text)
    return text


# --- mutants of the generic form -----------------------------------------------------------------


def end_of(text, start):
    """The place after the bracket that closes the one at `start`."""
    depth, at = 0, start
    while at < len(text):
        c = text[at]
        if c == '"':
            at += 1
            while at < len(text) and text[at] != '"':
                at += 2 if text[at] == "\\" else 1
        elif c in OPENING:
            depth += 1
        elif c in CLOSING and not (c == ">" and text[at - 1] in "-="):
            depth -= 1
            if depth == 0:
                return at + 1
        at += 1
    return len(text)


def split(text):
    """Parts between commas that are in no bracket."""
    parts, start, at = [], 0, 0
    while at < len(text):
        if text[at] in OPENING or text[at] == '"':
            at = end_of(text, at) if text[at] != '"' else text.find('"', at + 1) % (len(text) + 1) + 1
            continue
        if text[at] == ",":
            parts.append(text[start:at])
            start = at + 1
        at += 1
    return [part for part in parts + [text[start:]] if part.strip()]


def replaced(text, start, end, new):
    return text[:start] + new + text[end:]


def changed_list(rng, text, start, more=None):
    """One of the comma-separated parts in the bracket at `start` dropped, doubled, moved, or more(part)."""
    end = end_of(text, start)
    parts = split(text[start + 1:end - 1])
    if not parts:
        return text
    i, kind = rng.randrange(len(parts)), rng.random()
    if more and kind < 0.6:
        parts[i] = more(parts[i])
    elif kind < 0.75:
        del parts[i]
    elif kind < 0.9:
        parts.insert(i, parts[i])
    else:
        parts.insert(rng.randrange(len(parts)), parts.pop(i))
    return replaced(text, start + 1, end - 1, ",".join(parts))


def changed_attribute(rng, text):
    starts = [m.end() - 1 for m in re.finditer(r"<\{|(?<=[)>]) \{(?=\w)|= \{|, \{(?=\w)|\[\{", text)]
    if not starts:
        return text

    def other(part):
        name, equals, value = part.partition("=")
        if rng.random() < 0.15 and equals:
            return name.rstrip() + "s ="[:rng.choice([1, 3])] + value
        return f"{name}= {rng.choice(ATTRIBUTES)}"

    start = rng.choice(starts)
    if rng.random() < 0.15:
        return replaced(text, start + 1, end_of(text, start) - 1, "")
    return changed_list(rng, text, start, other)


def changed_torch_type(rng, text):
    """The same of types of the torch dialect."""
    types = list(TORCH_TENSOR.finditer(text))
    if not types:
        return text
    found = rng.choice(types)
    sizes, kind = [size for size in found[1].split(",") if size], rng.random()
    if kind < 0.3:
        new = f"!torch.vtensor<[{found[1]}],{rng.choice(TORCH_ELEMENTS)}>"
    elif kind < 0.7 and sizes:
        at = rng.randrange(len(sizes))
        sizes[at:at + rng.randrange(2)] = [rng.choice(["0", "0", "1", "2", "?", "4294967296", "-1"])]
        new = f"!torch.vtensor<[{','.join(sizes)}],{found[2]}>"
    else:
        new = rng.choice(TORCH_TYPES)
    if rng.random() < 0.6:
        return text.replace(found[0], new)
    return replaced(text, found.start(), found.end(), new)


def changed_type(rng, text):
    if "!torch." in text:
        return changed_torch_type(rng, text)
    types = list(TENSOR.finditer(text))
    if not types:
        return text
    found = rng.choice(types)
    old = found[0]
    inner = old[len("tensor<"):-1]
    *sizes, element = inner.split(", ")[0].split("x") if "complex" not in inner else [inner]
    kind = rng.random()
    if kind < 0.3:
        new = f"tensor<{''.join(s + 'x' for s in sizes)}{rng.choice(ELEMENTS)}>"
    elif kind < 0.55 and sizes:
        sizes[rng.randrange(len(sizes))] = rng.choice(["0", "0", "1", "?", "2", "4294967296"])
        new = f"tensor<{''.join(s + 'x' for s in sizes)}{element}>"
    elif kind < 0.65:
        new = f"tensor<{element}>"
    else:
        new = rng.choice(TYPES)
    if rng.random() < 0.6:  # everywhere, so that it verifies more often
        return text.replace(old, new)
    return replaced(text, found.start(), found.end(), new)


def changed_size(rng, text):
    """A size becomes 0 or 1 in all types."""
    sizes = sorted(set(re.findall(r"(?<=[<x])\d+(?=x)", text)))
    if not sizes:
        return text
    return re.sub(rf"(?<=[<x]){rng.choice(sizes)}(?=x)", rng.choice(["0", "0", "1"]), text)


def changed_operands(rng, text):
    calls = list(re.finditer(r'"[\w.]+"(\()', text))
    return changed_list(rng, text, rng.choice(calls).start(1)) if calls else text


def changed_signature(rng, text):
    lists = list(re.finditer(r" : (\()|-> (\()", text))
    if not lists:
        return text
    found = rng.choice(lists)
    return changed_list(rng, text, found.start(1) if found[1] else found.start(2), lambda _: rng.choice(TYPES))


def changed_region(rng, text):
    regions = list(re.finditer(r"(?<=[(,] )\{\n|(?<=\()\{\n", text))
    if not regions:
        return text
    start = rng.choice(regions).start()
    end = end_of(text, start)
    body = text[start + 1:end - 1].rstrip(" ").splitlines(keepends=True)
    kind = rng.random()
    if kind < 0.25:
        body = []
    elif kind < 0.4:
        body = body[:2]  # the arguments
    elif kind < 0.7:
        body = [line for line in body if not re.match(r' *"[\w.]*(return|yield)"', line)] or body
    elif kind < 0.85:
        return replaced(text, start, end, text[start:end] + ", " + text[start:end])
    else:
        body = body + body[-2:]
    return replaced(text, start + 1, end - 1, "".join(body))


def changed_op(rng, text):
    """An op becomes another one of the text, or of another dialect."""
    names = list(re.finditer(r'"([\w]+)\.([\w.]+)"(?=\()', text))
    if not names:
        return text
    at, other = rng.choice(names), rng.choice(names)
    new = other[0] if rng.random() < 0.7 else f'"{rng.choice(["stablehlo", "chlo", "tosa", "gaudi", "x"])}.{at[2]}"'
    return replaced(text, at.start(), at.end(), new)


GENERIC = [changed_attribute] * 4 + [changed_type] * 3 + [changed_size] * 2 + [
    changed_operands, changed_signature, changed_region, changed_region, changed_lines, changed_op, changed_number]


def generic_mutant(rng, text):
    for _ in range(rng.choice([1, 1, 2])):
        text = rng.choice(GENERIC)(rng, text)
    return text


# --- calls of PyTorch's ops ----------------------------------------------------------------------


def torch_rows(path):
    """(op, [(type, name)] of its parameters, what it returns) of each row of Operators.def."""
    found = re.findall(r'GAUDI_TORCH_OP\("(\w+)::([\w.]+)\(((?:[^"\\]|\\.)*?)\) -> ([^"]*)"', path.read_text())
    return [(f"torch.{space}.{name}", re.findall(r"(?:^|, )(\w+(?:\([^)]*\))?[^ ,]*) (\w+)", parameters), results)
            for space, name, parameters, results in found]


class TorchCall:
    """The text of a function that calls one op, with arguments that mostly fit its schema."""

    def __init__(self, rng, row):
        self.rng, self.lines, self.arguments = rng, [], []
        self.sizes = [rng.choice([1, 2, 3, 4]) for _ in range(rng.choice([0, 1, 2, 2, 3, 4, 4, 5]))]
        self.element = rng.choice(["f32"] * 6 + TORCH_ELEMENTS)
        op, parameters, results = row
        operands = [self.argument(kind) for kind, _ in parameters]
        if rng.random() < 0.03 and operands:
            operands.pop()
        count = 1 if "[]" in results else results.count("Tensor")
        kind = "!torch.list<vtensor>" if "[]" in results else "!torch.vtensor"
        call = self.value(f'torch.operator "{op}"({", ".join(name for name, _ in operands)}) : '
                          f'({", ".join(kind for _, kind in operands)}) -> ({", ".join([kind] * count)})', kind, count)[0]
        returned = [f"{call}#{i}" for i in range(count)] if count > 1 else [call]
        if "[]" in results:
            parts = rng.choice([1, 1, 2, 3])
            returned = [f"{call}{i}" for i in range(parts)]
            self.lines.append(f'{", ".join(returned)} = torch.prim.ListUnpack {call} : {kind} -> '
                              + ", ".join(["!torch.vtensor"] * parts))
        types = ", ".join(["!torch.vtensor"] * len(returned))
        body = "\n  ".join(self.lines)
        self.text = (f'func.func @f({", ".join(self.arguments)}) -> ({types}) {{\n  {body}\n'
                     f'  return {", ".join(returned)} : {types}\n}}\n')

    def value(self, text, kind, count=1):
        name = f"%v{len(self.lines)}"
        self.lines.append(f"{name}{f':{count}' if count > 1 else ''} = {text}")
        return name, kind

    def tensor(self):
        rng, sizes, element = self.rng, list(self.sizes), self.element
        if rng.random() < 0.25:
            sizes = sizes[rng.randrange(len(sizes) + 1):]
        if rng.random() < 0.3 and sizes:
            sizes[rng.randrange(len(sizes))] = rng.choice([0, 1, 1, 2, 5, 4294967296])
        if rng.random() < 0.1:
            sizes = sizes + [rng.choice([1, 2, 3]) for _ in range(rng.choice([1, 2, 6]))]
        if rng.random() < 0.25:
            element = rng.choice(TORCH_ELEMENTS)
        name = f"%a{len(self.arguments)}"
        kind = f"!torch.vtensor<[{','.join(map(str, sizes))}],{element}>"
        self.arguments.append(f"{name}: {kind}")
        return name, kind

    def integer(self):
        numbers = ["0", "1", "1", "2", "-1", "3"] if self.rng.random() < 0.85 else NUMBERS[:-1]
        return self.value(f"torch.constant.int {self.rng.choice(numbers)}", "!torch.int")

    def scalar(self, kind):
        rng = self.rng
        if kind in ("Scalar", "number") and rng.random() < 0.5 or kind == "float":
            bits = rng.choice(["0.0", "1.0", "-0.5", "2.5", "1.0e+300", "0x7FF0000000000000", "0xFFF0000000000000",
                               "0x7FF8000000000000", "0x8000000000000000"])
            return self.value(f"torch.constant.float {bits}", "!torch.float")
        if kind == "bool" or kind == "Scalar" and rng.random() < 0.1:
            return self.value(f"torch.constant.bool {rng.choice(['true', 'false'])}", "!torch.bool")
        if kind == "str":
            words = ["none", "tanh", "floor", "trunc", "sum", "mean", "bilinear", "", "\\00"]
            return self.value(f'torch.constant.str "{rng.choice(words)}"', "!torch.str")
        return self.integer()

    def argument(self, kind):
        rng = self.rng
        base = re.match(r"\w+", kind)[0]
        if rng.random() < 0.02:
            kind = base = rng.choice(["Tensor", "Scalar", "str", "bool", "int", "int[]"])
        if base in ("Device", "Generator", "Layout", "MemoryFormat") or kind.endswith("?") and rng.random() < 0.5:
            return self.value("torch.constant.none", "!torch.none")
        if "[" not in kind:
            return self.tensor() if base == "Tensor" else self.scalar(base)
        rank = len(self.sizes)
        count = rng.choice([rank, rank, 1, 1, 2, 2, 0, 3, 9]) if rng.random() < 0.995 else 3000
        items = [self.tensor() if base == "Tensor" else self.scalar(base) for _ in range(count)]
        item = "vtensor" if base == "Tensor" else "int"
        return self.value(f"torch.prim.ListConstruct {', '.join(name for name, _ in items)} : "
                          f"({', '.join(kind for _, kind in items)}) -> !torch.list<{item}>", f"!torch.list<{item}>")


# --- trials --------------------------------------------------------------------------------------


def limit_memory():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


class Trial:
    def __init__(self, args):
        self.args, self.until = args, float("inf")
        self.tried = 0
        self.opt, self.run_tool = (os.path.join(args.build, "bin", name) for name in ("gaudi-opt", "gaudi-run"))

    def call(self, command, text, seconds):
        return subprocess.run(command, input=text, capture_output=True, text=True, errors="replace", timeout=seconds,
                              preexec_fn=limit_memory)

    def dies(self, text, pipeline, seconds):
        """How the compiler died, or None."""
        try:
            if pipeline == "gaudi-run":
                with tempfile.TemporaryDirectory() as folder:
                    model = pathlib.Path(folder, "m.mlir")
                    model.write_text(text)
                    result = self.call([self.run_tool, str(model), "--compile-only", "-q", "-o", f"{folder}/m.recipe"],
                                       "", seconds)
            else:
                result = self.call([self.opt, "-", "-split-input-file", "-o", os.devnull, pipeline], text, seconds)
        except subprocess.TimeoutExpired:
            return f"no end after {seconds} s"
        # gaudi-run has codes of its own for what it refuses.
        if 0 <= result.returncode < 126:
            return None
        return f"exit code {result.returncode}: {result.stderr.strip()[-400:]}"

    def run(self, batch):
        """Returns (name, pipeline, how it died, text) of each mutant that killed the compiler."""
        pipelines, mutants = batch
        found = []
        for pipeline in pipelines:
            if time.monotonic() > self.until:
                break
            self.tried += len(mutants)
            if pipeline == "gaudi-run" or self.dies(SPLIT.join(text for _, text in mutants), pipeline, BATCH_SECONDS):
                found += [(name, pipeline, how, text) for name, text in mutants
                          if (how := self.dies(text, pipeline, MUTANT_SECONDS))]
        return found

    def generic(self, text):
        """The text in generic form; None if it does not parse."""
        try:
            result = self.call([self.opt, "-", "--mlir-print-op-generic"], text, MUTANT_SECONDS)
        except subprocess.TimeoutExpired:
            return None  # the trials say so
        return result.stdout if result.returncode == 0 and len(result.stdout) < 50000 else None


def front_end(text):
    for name in ("torch", "stablehlo", "tosa", "linalg"):
        if name + "." in text:
            return name
    return "gaudi" if "gaudi." in text else "linalg"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=str(ROOT / "build/release"))
    parser.add_argument("--mutants", type=int, default=200, help="per file")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--smoke", action="store_true")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    args = parser.parse_args()
    tests, models = ROOT / "test", ROOT / "test" / "models"
    files = args.files or [
        *(path for folder in ("Conversion", "Dialect", "Transforms", "Compiler")
          for path in sorted((tests / folder).rglob("*.mlir")) if path.stat().st_size < 100000),
        *sorted((models / "iree-check-cases/stablehlo_ops").glob("*.json")),
        *sorted((models / "torch-cases").glob("*.json")), ROOT / "include/Gaudi/Torch/Operators.def",
        *([] if args.smoke else sorted(models.glob("*stablehlo*/*.mlir")))]
    rng, trial = random.Random(args.seed), Trial(args)
    if args.smoke:
        calls = [path for path in files if path.suffix == ".def"]
        files = sorted(rng.sample(files, min(60, len(files)))) + calls
    mutants = {}  # by front end
    for path in files:
        if path.suffix == ".def":
            rows = torch_rows(path)
            mutants.setdefault("torch", []).extend(
                (row[0], TorchCall(rng, row).text) for row in rng.choices(rows, k=100 if args.smoke else args.mutants))
            continue
        texts = list(sources([path]))
        generic = {}
        for _ in range(2 if args.smoke else args.mutants):
            name, text = rng.choice(texts)
            if rng.random() < 0.7:
                if name not in generic:
                    generic[name] = trial.generic(text)
                if generic[name]:
                    text = generic_mutant(rng, generic[name])
            else:
                text = text_mutant(rng, text)
            kind = front_end(text)
            if kind == "stablehlo" and rng.random() < 0.2:
                text = text.replace("stablehlo.", "mhlo.").replace("#stablehlo", "#mhlo")
            # A separator inside would make two of it.
            mutants.setdefault(kind, []).append((name, text.replace("// -----", "//")))
    batches = []
    for kind, made in mutants.items():
        rng.shuffle(made)
        pipelines = [FRONT_ENDS[kind]] if kind in FRONT_ENDS else ["--gaudi-expand-kernels"]
        batches += [(pipelines + [COMPILE], made[i:i + BATCH]) for i in range(0, len(made), BATCH)]
        batches.append((["gaudi-run"], made[:max(1, len(made) // 10)]))
    rng.shuffle(batches)
    trial.until = time.monotonic() + args.seconds
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        found = [f for result in pool.map(trial.run, batches) for f in result]
    for i, (name, pipeline, how, text) in enumerate(found):
        print(f"{name} {pipeline}: {how}")
        if args.keep:
            args.keep.mkdir(parents=True, exist_ok=True)
            (args.keep / f"{i}.mlir").write_text(f"// {name} {pipeline}\n{text}")
    print(f"{sum(map(len, mutants.values()))} mutants of {len(files)} files (seed {args.seed}), {trial.tried} compilations, "
          f"{len(found)} made the compiler crash or hang")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
