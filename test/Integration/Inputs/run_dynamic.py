"""Runs each function of a file at its least, largest and random sizes.

Usage: run_dynamic.py GAUDI_RUN FILE --work DIR [--random N] [--seed N]

Functions are separated by `// -----`; the first line of each has its options.
Each launch has garbage in the padding (--poison-padding) and is compared with
the reference evaluator of the static function of that size (--check).
"""
import argparse
import os
import random
import re
import subprocess
import sys


def points(options, count, rng):
    bounds = {m[1]: (int(m[2]), int(m[3])) for m in re.finditer(r"(\w+)=(\d+)\.\.(\d+)", options)}
    yield from ({n: b[k] for n, b in bounds.items()} for k in (0, 1))
    for _ in range(count):
        yield {n: rng.randint(*b) for n, b in bounds.items()}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("gaudi_run")
    parser.add_argument("file")
    parser.add_argument("--work", required=True)
    parser.add_argument("--random", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    os.makedirs(args.work, exist_ok=True)
    rng = random.Random(args.seed)
    with open(args.file) as file:
        functions = file.read().split("// -----\n")[1:]
    failed = 0
    for text in functions:
        name = re.search(r"func\.func @(\w+)", text)[1]
        model = os.path.join(args.work, name + ".mlir")
        with open(model, "w") as file:
            file.write(text)
        options = text.split("\n", 1)[0].removeprefix("// ")
        for point in points(options, args.random, rng):
            sizes = ",".join(f"{n}={s}" for n, s in point.items())
            done = subprocess.run([args.gaudi_run, model, *options.split(), f"--sizes={sizes}", "--check",
                                   "--poison-padding", "--seed-inputs=1"], capture_output=True, text=True)
            if done.returncode:
                failed += 1
                print(f"FAILED {name} at {sizes}: {done.stderr}")
    print(f"{len(functions)} functions, {failed} launches failed")
    return 1 if failed or not functions else 0


if __name__ == "__main__":
    sys.exit(main())
