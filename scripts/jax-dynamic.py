#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares functions of JAX with symbolic sizes, compiled for buckets, with JAX on the CPU at sizes in between.

Usage: jax-dynamic.py [NAME...] [--buckets N] [--launches N] [--seed N] [--write] [--keep DIR]

Each function of scripts/oracle/dynamic_functions.py and dynamic_networks.py is exported with symbolic sizes
(jax.export) and compiled once, for N sizes of each symbol. The recipe is launched at the bounds, at the sizes of
buckets, one beyond them, and at random sizes, with NaN, infinities and random bits in the padding
(--poison-padding). Tolerances are those of docs/numerics.md, scope `model`; integers must be equal. --write puts the
outcomes into docs/conformance.md. JAX is installed into build/oracle/venv if it is not there. Exit code 1 if a number
is wrong or gaudi-run crashes.
"""
import argparse
import collections
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PACKAGES = ["jax==0.10.2", "jaxlib==0.10.2"]
BEGIN = "<!-- functions of jax-dynamic.py -->"
sys.path.insert(0, str(ROOT / "scripts" / "oracle"))
from agreement import difference, tolerances  # noqa: E402 (the path is set above)
from tally import END, PAGE, enter_venv, reasons_of  # noqa: E402


def gaudi_run(args, *options):
    result = subprocess.run([args.gaudi_run, f"--device={args.device}", *map(str, options)], capture_output=True,
                            text=True, timeout=args.timeout)
    return result.returncode, result.stdout + result.stderr


def compare(got, expected, tolerance):
    """The first output that differs, in words, or None."""
    from hlo_case import DTYPES
    elements = {dtype: element for element, dtype in DTYPES.items()}
    for i, (a, b) in enumerate(zip(got, expected)):
        element = elements[b.dtype]
        bound = tolerance.get((element, "model")) if element[0] in "fb" else None
        if words := difference(a.view(b.dtype) if a.dtype != b.dtype else a, b, bound):
            return f"output {i}: {words}"
    return None


def launch(case, recipe, sizes, args, folder, tolerance):
    """What is wrong at these sizes, or None."""
    import jax
    import numpy as np
    from hlo_case import raw
    rng = np.random.default_rng([args.seed, *sizes.values()])
    values = case.values(sizes, rng)
    expected = [np.asarray(r) for r in jax.tree.leaves(jax.jit(case.function)(*values))]
    options = ["--poison-padding"]
    for i, array in enumerate(jax.tree.leaves(values)):
        np.save(folder / f"in{i}.npy", raw(np.asarray(array)))
        options.append(f"--input=arg{i}=@{folder}/in{i}.npy")
    options += [f"--output=out{i}=@{folder}/out{i}.npy" for i in range(len(expected))]
    code, words = gaudi_run(args, recipe, *options)
    if code != 0:
        return f"exit code {code}: {words.strip()[-300:]}"
    return compare([np.load(folder / f"out{i}.npy") for i in range(len(expected))], expected, tolerance)


def trial(name, args, tolerance):
    """(launches, outcome, words)."""
    import numpy as np
    from dynamic_case import DYNAMIC
    case = DYNAMIC[name]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        model = pathlib.Path(args.keep or folder, f"{name}.mlir")
        model.parent.mkdir(parents=True, exist_ok=True)
        model.write_text(case.text())
        recipe = folder / "model.recipe"
        code, words = gaudi_run(args, model, *case.shape_options(), f"--buckets={case.buckets(args.buckets)}",
                                "--compile-only", "-o", recipe)
        if code == 3:
            return 0, "refused", "; ".join(sorted(set(reasons_of(words))))
        if code != 0:
            return 0, "wrong", f"exit code {code}: {words.strip()[-300:]}"
        launches = case.launches(np.random.default_rng(args.seed), args.buckets, args.launches)
        for sizes in launches:
            if words := launch(case, recipe, sizes, args, folder, tolerance):
                return len(launches), "wrong", f"{sizes}: {words}"
        return len(launches), "equal", ""


def write_page(rows):
    lines = ["| function | launches | outcome | why |", "|---|---|---|---|"]
    lines += [f"| {name} | {count} | {outcome} | {why.replace('|', chr(92) + '|')} |"
              for name, (count, outcome, why) in sorted(rows.items())]
    head, rest = PAGE.read_text().split(BEGIN)
    PAGE.write_text(head + BEGIN + "\n" + "\n".join(lines) + "\n" + END + rest.split(END, 1)[1])


def run(args):
    import dynamic_functions  # noqa: F401 (each adds its functions)
    import dynamic_networks  # noqa: F401
    from dynamic_case import DYNAMIC
    if unknown := set(args.names) - set(DYNAMIC):
        print(f"no function {', '.join(sorted(unknown))}; there are: {', '.join(sorted(DYNAMIC))}")
        return 2
    tolerance, rows = tolerances(), {}
    for name in args.names or DYNAMIC:
        rows[name] = trial(name, args, tolerance)
        print(f"{name}: " + ", ".join(filter(None, rows[name][1:])), flush=True)
    counts = collections.Counter(outcome for _, outcome, _ in rows.values())
    print(f"{len(rows)} functions, {sum(count for count, _, _ in rows.values())} launches: " +
          ", ".join(f"{count} {outcome}" for outcome, count in sorted(counts.items())))
    if args.write and not args.names:
        write_page(rows)
    return 1 if counts["wrong"] else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--gaudi-run", default=str(ROOT / "build/release/bin/gaudi-run"), metavar="FILE")
    parser.add_argument("--venv", type=pathlib.Path, default=ROOT / "build/oracle/venv", metavar="DIR")
    parser.add_argument("--device", default="gaudi2")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--buckets", type=int, default=3, help="sizes of each symbol to compile for")
    parser.add_argument("--launches", type=int, default=8, help="of each function, at most")
    parser.add_argument("--timeout", type=float, default=300, help="seconds that a compilation or launch may take")
    parser.add_argument("--write", action="store_true", help="write docs/conformance.md")
    parser.add_argument("--keep", type=pathlib.Path, metavar="DIR", help="keep the texts")
    args = parser.parse_args()
    if not os.access(args.gaudi_run, os.X_OK):
        parser.error(f"{args.gaudi_run} is no program; build it or give --gaudi-run")
    enter_venv(args.venv.resolve(), PACKAGES, "jax")
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    return run(args)


if __name__ == "__main__":
    sys.exit(main())
