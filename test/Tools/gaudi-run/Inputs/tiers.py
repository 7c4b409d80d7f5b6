#!/usr/bin/env python3
"""Compares what quick and full code of kernels (GAUDI_JIT_TIER) give, byte by byte.

Usage: tiers.py GAUDI_RUN WORK EVERY FILE...

FILE is a model with a function @main of static tensors, or a list of cases in JSON, of which every
EVERYth is taken. Each runs twice in both tiers: with ordinary floats, and with NaN, infinities,
zeros of both signs and subnormal numbers among them. Integers of cases, which may be positions, are
those of the case. Both tiers have a cache of their own.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys

import numpy as np

FLOATS = {"f32": np.float32, "f16": np.float16, "bf16": np.float32}
INTEGERS = {"i1": np.bool_, "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64}
MARKS = [np.nan, -np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-40, -6e-8, 3e38, -65504, 1e-3]


def floats_of(shape, dtype, rng, special):
    values = rng.standard_normal(shape) * 3
    if special:
        marks = np.array(MARKS)[rng.integers(0, len(MARKS), shape)]
        values = np.where(rng.random(shape) < 0.3, marks, values)
    with np.errstate(over="ignore", under="ignore"):
        return np.asarray(values, np.float32).astype(dtype)


def drawn(element, shape, given, rng, special):
    """An input of a recipe; `given` is that of the case, which integers are."""
    if element in FLOATS:
        return floats_of(shape, FLOATS[element], rng, special)
    if given is not None:
        return given
    return rng.integers(0, 2, shape).astype(INTEGERS[element])


def models(path, every):
    """(name, text, inputs of a case or None)."""
    if path.suffix != ".json":
        yield path.stem, path.read_text(), None
        return
    for case in json.loads(path.read_text())["cases"][::every]:
        yield f"{path.stem}.{case['name']}", case["mlir"], [
            np.frombuffer(bytes.fromhex(entry["hex"]), entry["dtype"]).reshape(entry["shape"])
            for entry in case["inputs"]]


def run(command, folder, **variables):
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300,
                          env={**os.environ, **variables})


def outputs_of(gaudi_run, folder, tier, inputs, count, cache):
    """The bytes of all outputs."""
    command = [gaudi_run, "model.recipe"]
    for place, value in enumerate(inputs):
        np.save(folder / f"in{place}.npy", value)
        command.append(f"--input=@in{place}.npy")
    command += [f"--output=@{tier}{place}.npy" for place in range(count)]
    done = run(command, folder, GAUDI_JIT_TIER=tier, GAUDI_CACHE_DIR=str(cache / tier))
    if done.returncode:
        raise AssertionError(f"{tier}: {done.stderr}")
    return [np.load(folder / f"{tier}{place}.npy").tobytes() for place in range(count)]


def compare(gaudi_run, work, name, text, given):
    """What differs, or None."""
    folder = work / re.sub(r"\W", "_", name)
    folder.mkdir(parents=True)
    (folder / "model.mlir").write_text(text)
    done = run([gaudi_run, "model.mlir", "--compile-only", "-o", "model.recipe"], folder)
    if done.returncode:
        return done.stderr.splitlines()[0]
    dump = run([gaudi_run, "model.recipe", "--dump"], folder).stdout
    tensors = re.findall(r'^tensor %\d+ ".*?" (input|output) \S+ (\w+)\[([\d,]*)\](?!.* alias )',
                         dump, re.M)
    inputs = [(element, [int(size) for size in sizes.split(",") if size])
              for role, element, sizes in tensors if role == "input"]
    count = len(tensors) - len(inputs)
    if not count:
        return "no outputs"
    rng = np.random.default_rng(len(text))
    for special in (False, True):
        values = [drawn(*kind, given and given[place], rng, special)
                  for place, kind in enumerate(inputs)]
        quick, full = (outputs_of(gaudi_run, folder, tier, values, count, work / "cache")
                       for tier in ("quick", "full"))
        for place, (one, other) in enumerate(zip(quick, full)):
            if one != other:
                return f"output {place} with {'special' if special else 'ordinary'} inputs"
    return None


def main():
    gaudi_run, work, every = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3])
    chosen = [model for path in sys.argv[4:] for model in models(pathlib.Path(path), every)]
    equal = bad = 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        jobs = [(model[0], pool.submit(compare, gaudi_run, work, *model)) for model in chosen]
        for name, job in jobs:
            words = job.result()
            if words:
                print(f"differs: {name}: {words}")
            equal, bad = equal + (not words), bad + bool(words)
    # Each tier has compiled code of its own.
    quick, full = ({each.name for each in (work / "cache" / tier).rglob("*") if each.is_file()}
                   for tier in ("quick", "full"))
    kernels = "none" if not quick or not full else "shared" if quick & full else "apart"
    print(f"{equal} equal, {bad} different; kernels: {kernels}")
    return int(bool(bad))


if __name__ == "__main__":
    sys.exit(main())
