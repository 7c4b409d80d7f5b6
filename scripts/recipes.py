#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the recipes of all models, or compares two such folders.

Usage: recipes.py write OUT [--build DIR] [--jobs N] [--every N]
       recipes.py compare BEFORE AFTER

`write` compiles every model under test/models (each function of the case
tables too) for every device and writes DEVICE/NAME.recipe, or NAME.error with
the compiler's message where it refuses; --every N: of each N-th pair of a model
and a device alone. `compare` names every file that
differs or is missing and exits with 1 if there is one. A change that must not
alter what the compiler makes is checked by running `write` before and after.
"""
import argparse
import concurrent.futures
import filecmp
import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DEVICES = ("gaudi", "gaudi2", "gaudi3")


def models():
    """Yields (name, text or None, path or None) of every model."""
    base = os.path.join(ROOT, "test", "models")
    for folder, _, files in sorted(os.walk(base)):
        for file in sorted(files):
            path = os.path.join(folder, file)
            name = os.path.relpath(path, base).replace(os.sep, ".")
            if file.endswith(".mlir"):
                yield name, None, path
            elif file.endswith(".json"):
                with open(path) as stream:
                    cases = json.load(stream)
                for i, case in enumerate(cases["cases"] if isinstance(cases, dict) else cases):
                    yield f"{name}.{i}", case["mlir"], None


def write_one(gaudi_run, out, device, name, text, path):
    target = os.path.join(out, device, name)
    with tempfile.TemporaryDirectory() as work:
        if path is None:
            path = os.path.join(work, "case.mlir")
            with open(path, "w") as file:
                file.write(text)
        # The path of the model is part of a recipe's locations.
        command = [gaudi_run, os.path.basename(path), "--device=" + device, "--compile-only",
                   "-o", target + ".recipe"]
        done = subprocess.run(command, cwd=os.path.dirname(path), capture_output=True, text=True)
    if done.returncode != 0:
        with open(target + ".error", "w") as file:
            file.write(done.stderr)
    return done.returncode == 0


def write(args):
    gaudi_run = os.path.join(os.path.abspath(args.build), "bin", "gaudi-run")
    for device in DEVICES:
        os.makedirs(os.path.join(args.out, device), exist_ok=True)
    work = [(gaudi_run, os.path.abspath(args.out), device, *model)
            for model in models() for device in DEVICES][:: args.every]
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        made = list(pool.map(lambda job: write_one(*job), work))
    print(f"{sum(made)} recipes, {len(made) - sum(made)} refusals in {args.out}")
    return 0


def names_in(folder):
    return {os.path.relpath(os.path.join(base, file), folder)
            for base, _, files in os.walk(folder) for file in files}


def compare(args):
    before, after = names_in(args.before), names_in(args.after)
    changed = 0
    for name in sorted(before | after):
        if name not in after:
            problem = "only before"
        elif name not in before:
            problem = "only after"
        elif not filecmp.cmp(os.path.join(args.before, name), os.path.join(args.after, name), False):
            problem = "differs"
        else:
            continue
        changed += 1
        print(f"{name}: {problem}")
    print(f"{len(before | after) - changed} equal, {changed} changed")
    return 1 if changed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    modes = parser.add_subparsers(required=True)
    mode = modes.add_parser("write")
    mode.add_argument("out")
    mode.add_argument("--build", default=os.path.join(ROOT, "build", "release"))
    mode.add_argument("--jobs", type=int, default=os.cpu_count())
    mode.add_argument("--every", type=int, default=1)
    mode.set_defaults(run=write)
    mode = modes.add_parser("compare")
    mode.add_argument("before")
    mode.add_argument("after")
    mode.set_defaults(run=compare)
    args = parser.parse_args()
    sys.exit(args.run(args))


if __name__ == "__main__":
    main()
