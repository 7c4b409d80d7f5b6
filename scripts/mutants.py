#!/usr/bin/env python3
"""Changes StableHLO texts at random; the compiler must refuse or compile them, never crash or hang.

Usage: mutants.py [--build DIR] [--mutants N] [--seed N] [--keep DIR] [--jobs N] [--smoke] [FILE...]

For each function of the files (default: those of the tests and the models in test/models) N mutants are made:
truncated, with lines deleted or doubled, tokens swapped, or numbers changed. They go through
gaudi-opt --convert-stablehlo-to-gaudi and --gaudi-compile, many in one process; if that dies or takes too long,
each by itself. --smoke takes a few small ones. Exit code 1 if a mutant made the compiler crash or hang; --keep
saves it.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import random
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SPLIT = "\n// -----\n"
TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|[%@#!]?[A-Za-z_][\w.$]*|[%@#]\d+|-?\d+(?:\.\d+)?|->|[^\s\w]')
NUMBERS = ["0", "-1", "1", "2", "3", "7", "8", "64", "65535", "2147483647", "-2147483648", "4294967296",
           "9223372036854775807", "-9223372036854775808", "18446744073709551616"]
PIPELINES = [["--convert-stablehlo-to-gaudi"], ["--gaudi-compile=device=gaudi2"]]
# Mutants in one process, and the seconds that it and one mutant may take.
BATCH, BATCH_SECONDS, MUTANT_SECONDS = 50, 120, 30


def sources(files):
    """(name, text) of each function to be changed."""
    for path in files:
        if path.suffix == ".json":
            for case in json.loads(path.read_text())["cases"]:
                yield f"{path.name}:{case['name']}", case["mlir"]
            continue
        for i, text in enumerate(re.split(r"^// -----$", path.read_text(), flags=re.MULTILINE)):
            text = re.sub(r"^ *//.*\n", "", text, flags=re.MULTILINE)
            if text.strip():
                yield f"{path.name}:{i}", text


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


def mutant(rng, text):
    lines = text.splitlines(keepends=True)
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        kind = rng.random()
        if kind < 0.05:
            text = text[:rng.randrange(len(text) + 1)]
        elif kind < 0.15 and len(lines) > 1:
            i = rng.randrange(len(lines))
            text = "".join(lines[:i] + lines[i + 1:]) if rng.random() < 0.7 else "".join(lines[:i] + lines[i:i + 1] + lines[i:])
        elif kind < 0.75:
            text = changed_number(rng, text)
        else:
            text = swapped_tokens(rng, text)
    # A separator inside would make two of it.
    return text.replace("// -----", "//")


class Trial:
    def __init__(self, args):
        self.args, self.failures = args, 0
        self.tool = os.path.join(args.build, "bin", "gaudi-opt")

    def dies(self, text, pipeline, seconds):
        """How the compiler died, or None."""
        try:
            result = subprocess.run([self.tool, "-", "-split-input-file", "-o", os.devnull, *pipeline], input=text,
                                    capture_output=True, text=True, timeout=seconds)
        except subprocess.TimeoutExpired:
            return f"no end after {seconds} s"
        if result.returncode in (0, 1):
            return None
        return f"exit code {result.returncode}: {result.stderr.strip()[-400:]}"

    def run(self, batch):
        """Returns (name, pipeline, how it died, text) of each mutant that killed the compiler."""
        found = []
        for pipeline in PIPELINES:
            if self.dies(SPLIT.join(text for _, text in batch), pipeline, BATCH_SECONDS):
                found += [(name, pipeline[0], how, text) for name, text in batch
                          if (how := self.dies(text, pipeline, MUTANT_SECONDS))]
        return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=str(ROOT / "build/release"))
    parser.add_argument("--mutants", type=int, default=500, help="per file")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--smoke", action="store_true")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    args = parser.parse_args()
    models = ROOT / "test" / "models"
    files = args.files or [
        *sorted((ROOT / "test/Conversion/StablehloToGaudi").glob("*.mlir")),
        *sorted((models / "iree-check-cases/stablehlo_ops").glob("*.json")),
        *([] if args.smoke else sorted(models.glob("*stablehlo*/*.mlir")))]
    rng, mutants = random.Random(args.seed), []
    for path in files:
        texts = list(sources([path]))
        for _ in range(2 if args.smoke else args.mutants):
            name, text = rng.choice(texts)
            mutants.append((name, mutant(rng, text)))
    trial = Trial(args)
    batches = [mutants[i:i + BATCH] for i in range(0, len(mutants), BATCH)]
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        found = [f for result in pool.map(trial.run, batches) for f in result]
    for i, (name, pipeline, how, text) in enumerate(found):
        print(f"{name} {pipeline}: {how}")
        if args.keep:
            args.keep.mkdir(parents=True, exist_ok=True)
            (args.keep / f"{i}.mlir").write_text(f"// {name} {pipeline}\n{text}")
    print(f"{len(mutants)} mutants of {len(files)} files, {len(found)} made the compiler crash or hang")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
