#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares gaudi-run with JAX on the CPU: models in StableHLO text, and random cases of single ops.

Usage: jax-oracle.py model FILE... [--entry NAME] [--seed N] [--device DEVICE] [--save DIR]
       jax-oracle.py ops [NAME...] [--cases N] [--seed N] [--write] [--keep DIR]
       jax-oracle.py zoo [NAME...] [--write] [--keep DIR]
       jax-oracle.py random [NAME...] [--seed N] [--count N] [--seconds N] [--jobs N] | --case NUMBER

`model` evaluates each text on the seeded inputs of gaudi-run (docs/numerics.md); --save writes what JAX gives as
out0.npy, out1.npy, ... `ops` draws random cases (shapes, types, dimension numbers, attributes) of each op, or of
those that are named; --write puts their rows into the table of docs/conformance.md. Tolerances are those of
docs/numerics.md: scope `model` and scope `op`. `zoo` lowers the functions of scripts/oracle/jax_zoo.py and compares
them in scope `model`. JAX is installed into build/oracle/venv if it is not there. `random` draws functions of jax.lax,
jax.numpy, jax.nn, jax.scipy and gradients, and chains of them, compiles them in batches by gaudi_mlir.jax, and runs
in a Python that has it and JAX (scripts/test-frameworks.sh); --case runs one alone and prints its values. Exit
code 1 if a number is wrong or gaudi-run crashes, 2 if the oracle cannot work.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PACKAGES = ["jax==0.10.2", "jaxlib==0.10.2"]
sys.path.insert(0, str(ROOT / "scripts" / "oracle"))
import random_trials  # noqa: E402 (the path is set above)
from agreement import difference, tolerances  # noqa: E402
from tally import enter_venv  # noqa: E402


class Device:
    """gaudi-run on files of one folder."""

    def __init__(self, args, folder):
        self.command = [args.gaudi_run, f"--device={args.device}"]
        self.folder = pathlib.Path(folder)

    def run(self, model, count, arrays=None, options=()):
        """(exit code, standard error, output arrays); `arrays` are inputs as a list of (name, array)."""
        import numpy as np
        from hlo_case import raw
        for name, array in arrays or []:
            # The front end reads ui64 as i64.
            bits = array.view(np.int64) if array.dtype == np.uint64 else array
            np.save(self.folder / f"{name}.npy", raw(bits))
        files = [f"--input={name}=@{self.folder}/{name}.npy" for name, _ in arrays or []]
        outputs = [f"--output=out{i}=@{self.folder}/out{i}.npy" for i in range(count)]
        result = subprocess.run([*self.command, str(model), *options, *files, *outputs], capture_output=True, text=True)
        got = []
        if result.returncode == 0:
            got = [np.load(self.folder / f"out{i}.npy") for i in range(count)]
        return result.returncode, result.stdout + result.stderr, got


def typed(array, element):
    from hlo_case import DTYPES
    return array.view(DTYPES[element]) if array.dtype != DTYPES[element] else array


def compare(got, expected, types, tolerance, scope):
    """The first output that differs, in words, or None."""
    for i, (a, b, (_, element)) in enumerate(zip(got, expected, types)):
        bound = tolerance.get((element, scope), tolerance["f32", scope]) if element[0] in "fb" else None
        if words := difference(typed(a, element), b, bound):
            return f"output {i}: {words}"
    return None


def as_stablehlo(text):
    """MHLO has the same ops; XLA's CPU backend does not know the custom call of older exporters for erf."""
    text = re.sub(r'"mhlo(\.\w+"\()|#mhlo([.<])', lambda m: f'"stablehlo{m[1]}' if m[1] else f"#stablehlo{m[2]}", text)
    erf = r'"stablehlo\.custom_call"(\(%[\w#]+\)) *(?:<\{|\{)[^\n]*"mhlo\.erf"[^\n]*\}>? : '
    return re.sub(erf, r'"chlo.erf"\1 : ', text)


def run_models(args):
    import numpy as np
    from hlo_case import raw
    from jax_judge import NotJudged, Program
    from seeded import seeded
    status, tolerance = 0, tolerances()
    for path in args.files:
        with tempfile.TemporaryDirectory() as folder:
            try:
                source = pathlib.Path(path).read_text()
                text = as_stablehlo(source)
                program = Program(text, args.entry)
            except NotJudged as reason:
                print(f"{path}: not judged by JAX: {reason}")
                status = max(status, 2)
                continue
            inputs = [seeded(*kind, k, args.seed) for k, kind in enumerate(program.arguments)]
            expected = program(inputs)
            if args.save:
                args.save.mkdir(parents=True, exist_ok=True)
                for i, array in enumerate(expected):
                    np.save(args.save / f"out{i}.npy", raw(array))
            options = [f"--seed-inputs={args.seed}"] + ([f"--entry={args.entry}"] if args.entry else [])
            options += ["--lift-elided"] if "dense_resource<__elided__>" in source else []
            code, words, got = Device(args, folder).run(path, len(program.results), options=options)
            if code != 0:
                print(f"{path}: gaudi-run ended with exit code {code}\n{words}")
                status = 1
                continue
            words = compare(got, expected, program.results, tolerance, "model")
            print(f"{path}: {words or f'{len(got)} outputs equal those of JAX'}")
            status = max(status, 1 if words else 0)
    return status


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument("--gaudi-run", default=str(ROOT / "build/release/bin/gaudi-run"), metavar="FILE")
    shared.add_argument("--venv", type=pathlib.Path, default=ROOT / "build/oracle/venv", metavar="DIR")
    shared.add_argument("--device", default="gaudi2")
    shared.add_argument("--seed", type=int, default=1)
    modes = parser.add_subparsers(dest="mode", required=True)
    model = modes.add_parser("model", parents=[shared])
    model.add_argument("files", nargs="+", metavar="FILE")
    model.add_argument("--entry")
    model.add_argument("--save", type=pathlib.Path, metavar="DIR", help="write JAX's outputs of the last model")
    ops = modes.add_parser("ops", parents=[shared])
    ops.add_argument("names", nargs="*", metavar="NAME")
    ops.add_argument("--cases", type=int, default=40, help="per op; the structured ops get five times as many")
    ops.add_argument("--batch", type=int, default=10, help="cases in one function")
    ops.add_argument("--write", action="store_true", help="write docs/conformance.md")
    ops.add_argument("--keep", type=pathlib.Path, metavar="DIR", help="keep the text and inputs of wrong cases")
    zoo = modes.add_parser("zoo", parents=[shared])
    zoo.add_argument("names", nargs="*", metavar="NAME")
    zoo.add_argument("--write", action="store_true", help="write docs/conformance.md")
    zoo.add_argument("--keep", type=pathlib.Path, metavar="DIR", help="keep the texts")
    random = modes.add_parser("random")
    random_trials.add_options(random)
    args = parser.parse_args()
    if args.mode == "random":
        import jax_random
        return random_trials.run(args, jax_random.judge)
    if not os.access(args.gaudi_run, os.X_OK):
        parser.error(f"{args.gaudi_run} is no program; build it or give --gaudi-run")
    enter_venv(args.venv.resolve(), PACKAGES, "jax")
    if args.mode == "model":
        return run_models(args)
    import hlo_trials
    import zoo_trials
    trials = zoo_trials if args.mode == "zoo" else hlo_trials
    return trials.run(args, Device, compare, tolerances())


if __name__ == "__main__":
    sys.exit(main())
