"""Inserts ops that change numbers into graphs of gradients, and runs them fused and not.

Usage: mutate_gradients.py GAUDI_RUN FOLDER [--seed N] [--count N]

Takes the StableHLO files of FOLDER that are gradients of one attention (not steps of a model, whose weights would
saturate the softmax), puts one op (a clamp, a minimum, a cast
to bf16 and back, ...) behind a random value of the main function, and compares the outputs with and without fused
attention, for inputs of three magnitudes; queries, keys and masks are at most normally distributed, since the
gradient of a softmax that is 0 or 1 is nothing but rounding errors. Prints how many of the graphs are still fused; one
line for each that has other numbers.
"""
import argparse
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import numpy as np

MAGNITUDES = (1e-3, 1.0, 1e3)
LINE = re.compile(r'^    (%\w+) = "stablehlo\.(\w+)"\(.*-> (tensor<([\dx]+)xf32>)$')


def inserted(kind, bound, value, tensor, sizes):
    """The lines that compute %mutated from the value."""
    def splat(name, number):
        return f'    {name} = "stablehlo.constant"() <{{value = dense<{number}> : {tensor}}}> : () -> {tensor}\n'

    def unary(op):
        return f'    %mutated = "stablehlo.{op}"({value}) : ({tensor}) -> {tensor}\n'

    bit, narrow = tensor.replace("f32", "i1"), tensor.replace("f32", "bf16")
    if kind in ("minimum", "maximum"):
        limit = bound if kind == "minimum" else -bound
        return splat("%bound", limit) + (f'    %mutated = "stablehlo.{kind}"({value}, %bound) : '
                                         f"({tensor}, {tensor}) -> {tensor}\n")
    if kind == "clamp":
        return splat("%low", -bound) + splat("%high", bound) + (
            f'    %mutated = "stablehlo.clamp"(%low, {value}, %high) : ({tensor}, {tensor}, {tensor}) -> {tensor}\n')
    if kind == "where":
        return splat("%bound", bound) + (
            f'    %above = "stablehlo.compare"({value}, %bound) <{{comparison_direction = '
            f"#stablehlo<comparison_direction GT>}}> : ({tensor}, {tensor}) -> {bit}\n"
            f'    %mutated = "stablehlo.select"(%above, %bound, {value}) : ({bit}, {tensor}, {tensor}) -> {tensor}\n')
    if kind == "bf16":
        return (f'    %narrow = "stablehlo.convert"({value}) : ({tensor}) -> {narrow}\n'
                f'    %mutated = "stablehlo.convert"(%narrow) : ({narrow}) -> {tensor}\n')
    if kind == "transpose":
        order = list(range(len(sizes)))
        pairs = [(a, b) for a in order for b in order if a < b and sizes[a] == sizes[b] > 1]
        if not pairs:
            return None
        a, b = pairs[-1]
        order[a], order[b] = b, a
        return (f'    %mutated = "stablehlo.transpose"({value}) <{{permutation = array<i64: '
                f'{", ".join(map(str, order))}>}}> : ({tensor}) -> {tensor}\n')
    return unary(kind)


def mutants(folder, draw):
    """Endless: name of the file, edge, kind, text."""
    files = [path for path in sorted(folder.glob("grad_*.stablehlo.mlir"))
             if re.search(r"^// gradients: [1-9]", path.read_text(), re.MULTILINE)]
    while True:
        path = draw.choice(files)
        lines = path.read_text().splitlines(keepends=True)
        start = next(i for i, line in enumerate(lines) if "func" in line and "main" in line)
        end = next(i for i in range(start, len(lines)) if "return" in lines[i] and "stablehlo" not in lines[i])
        edges = [(i, match) for i in range(start, end) if (match := LINE.match(lines[i].rstrip("\n")))]
        if not edges:
            continue
        i, match = draw.choice(edges)
        kind = draw.choice(["minimum", "maximum", "clamp", "where", "bf16", "transpose", "abs", "floor", "sign"])
        value, tensor = match.group(1), match.group(3)
        text = inserted(kind, draw.choice([1e-4, 0.3, 100.0]), value, tensor, list(map(int, match.group(4).split("x"))))
        if text is None:
            continue
        used = re.compile(re.escape(value) + r"(?![\w])")
        rest = [used.sub("%mutated", line) for line in lines[i + 1:end + 1]]
        yield path, f"{value} ({match.group(2)})", kind, "".join(lines[:i + 1] + [text] + rest + lines[end + 1:])


def outputs(gaudi_run, model, inputs, count, folder, *options):
    command = [gaudi_run, str(model), "--device=gaudi2", "-q", *[f"--input=@{path}" for path in inputs], *options,
               *[f"--output=@{folder}/out{i}.npy" for i in range(count)]]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    if done.returncode:
        raise RuntimeError(done.stderr.strip()[-500:])
    return [np.load(f"{folder}/out{i}.npy") for i in range(count)]


def difference(before, after):
    """The largest, relative to the largest number of its output; of far smaller outputs, to that of all."""
    largest = [float(np.max(np.abs(a), where=np.isfinite(a), initial=0.0)) for a in before]
    worst = 0.0
    for a, b, own in zip(before, after, largest):
        if (np.isfinite(a) != np.isfinite(b)).any():
            return float("inf")
        error = np.max(np.abs(a.astype(np.float64) - b), where=np.isfinite(a), initial=0.0)
        worst = max(worst, float(error) / max(own, 1e-6 * max(largest), 1e-30))
    return worst


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("gaudi_run")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=10)
    args = parser.parse_args()
    draw = random.Random(args.seed)
    wrong = fused = skipped = done = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for path, edge, kind, text in mutants(args.folder, draw):
            if done == args.count:
                break
            model = folder / "model.mlir"
            model.write_text(text)
            signature = re.search(r"function_type = \((.*?)\) -> \(?(.*?)\)?, res_attrs", text) or re.search(
                r"func.func public @main\((.*?)\) -> \((.*?)\) \{", text)
            types = re.findall(r"tensor<([\dx]*)x?(\w+)>", signature.group(1)) if signature else []
            if not types or any(element != "f32" for _, element in types):
                skipped += 1
                if skipped > 50 * args.count:
                    break
                continue
            count = len(re.findall(r"tensor<", signature.group(2)))
            done += 1
            numbers = np.random.default_rng(draw.randrange(1 << 30))
            for magnitude in MAGNITUDES:
                inputs = []
                for i, (sizes, _) in enumerate(types):
                    inputs.append(folder / f"in{i}.npy")
                    shape = [int(size) for size in sizes.split("x") if size]
                    is_linear = i == 2 or i == len(types) - 1  # value, gradient of the output
                    scale = magnitude if is_linear else min(magnitude, 1.0)
                    np.save(inputs[-1], (numbers.standard_normal(shape) * scale).astype(np.float32))
                before = outputs(args.gaudi_run, model, inputs, count, folder, "--disable-fusion=sdpa")
                after = outputs(args.gaudi_run, model, inputs, count, folder)
                error = difference(before, after)
                if error > 1e-3:
                    wrong += 1
                    print(f"WRONG {path.name}: {kind} at {edge}, numbers of {magnitude}: {error:.2g}")
            report = subprocess.run([args.gaudi_run, str(model), "--device=gaudi2", "--compile-only", "-o",
                                     f"{folder}/model.recipe", "--require-fusion=sdpa_grad:1"],
                                    capture_output=True, text=True, timeout=300)
            fused += report.returncode == 0
    print(f"seed {args.seed}: {done} graphs, {fused} with fused gradients, {wrong} wrong")
    return 1 if wrong or not done else 0


if __name__ == "__main__":
    sys.exit(main())
