"""Runs every case of a folder of iree-check-cases through gaudi-run.

Usage: run_cases.py GAUDI_RUN CASES_DIR UNSUPPORTED [--device NAME] [--work DIR]

A case passes when every output meets its own check (exact, or the absolute
tolerance of the file) and pairs of outputs agree. UNSUPPORTED lists the cases
that must be refused instead: "folder/file.json case: text of the error"; those
with the text "left open" run, with other numbers than in the file.
"""
import argparse
import json
import os
import re
import subprocess
import sys

import numpy as np

PAIR_ATOL = 1e-4  # the default of expect_almost_eq


def array_of(entry):
    data = np.frombuffer(bytes.fromhex(entry["hex"]), dtype=np.dtype(entry["dtype"]))
    return data.reshape(entry["shape"])


def sizes_of(case):
    """(input, dimension, size) of what the types leave open."""
    for i, entry in enumerate(case["inputs"]):
        match = re.match(r"tensor<((?:\?x|\d+x)*)", entry["type"])
        for d, text in enumerate(match[1].split("x")[:-1] if match else []):
            if text == "?":
                yield i, d, entry["shape"][d]


def bounds(case):
    """The options that give these sizes: the function of dynamic sizes becomes
    the static one of the case."""
    inputs = {}
    for i, d, size in sizes_of(case):
        inputs.setdefault(i, []).append(f"i{i}d{d}={size}..{size}")
    return [f"--shape=arg{i}:{','.join(dims)}" for i, dims in inputs.items()]


def run_case(gaudi_run, case, work, device):
    """Returns (exit code, stderr, error text of the pair checks)."""
    model = os.path.join(work, "case.mlir")
    with open(model, "w") as file:
        file.write(case["mlir"])
    command = [gaudi_run, model, "--device=" + device] + bounds(case)
    for i, entry in enumerate(case["inputs"]):
        path = os.path.join(work, f"in{i}.npy")
        np.save(path, array_of(entry))
        command.append(f"--input=@{path}")
    results, pairs = [], case.get("pairs", [])
    for i, entry in enumerate(case["outputs"]):
        path = os.path.join(work, f"out{i}.npy")
        results.append(path)
        command.append(f"--output=@{path}")
    base = list(command)
    runs = [base]
    for i, entry in enumerate(case["outputs"]):
        if "hex" not in entry:
            continue
        path = os.path.join(work, f"expect{i}.npy")
        np.save(path, array_of(entry))
        tolerance = 0 if entry["check"] == "expect_eq_const" else entry["atol"]
        runs.append(base + [f"--expect=out{i}=@{path}", f"--atol={tolerance}", "--rtol=0"])
    if len(runs) > 1:
        runs = runs[1:]
    for command in runs:
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        if done.returncode != 0:
            return done.returncode, done.stderr + done.stdout, ""
    for a, b, check, atol in pairs:
        x, y = np.load(results[a]), np.load(results[b])
        error = float(np.max(np.abs(x.astype(np.float64) - y.astype(np.float64))))
        if not error <= (atol if atol is not None else PAIR_ATOL):
            return 0, "", f"outputs {a} and {b} differ by {error}"
    return 0, "", ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("gaudi_run")
    parser.add_argument("cases")
    parser.add_argument("unsupported")
    parser.add_argument("--device", default="gaudi2")
    parser.add_argument("--work", required=True)
    args = parser.parse_args()
    os.makedirs(args.work, exist_ok=True)
    refused = {}
    with open(args.unsupported) as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                key, text = line.rstrip("\n").split(": ", 1)
                refused[key] = text
    passed = failed = 0
    expected = {"tosa_ops": 44, "linalg": 24, "tensor_ops": 12, "regression": 10, "stablehlo_ops": 130}
    folder = os.path.basename(os.path.normpath(args.cases))
    for name in sorted(os.listdir(args.cases)):
        if not name.endswith(".json"):
            continue
        with open(os.path.join(args.cases, name)) as file:
            cases = json.load(file)["cases"]
        for case in cases:
            key = f"{folder}/{name} {case['name']}"
            code, text, pair_error = run_case(args.gaudi_run, case, args.work, args.device)
            if refused.get(key) == "left open":
                good = code == 1 and "out of tolerance" in text
                verdict = "left open" if good else "FAILED"
            elif key in refused:
                good = code == 3 and re.search(refused[key], text)
                verdict = "unsupported" if good else "FAILED"
            else:
                good = code == 0 and not pair_error
                verdict = "passed" if good else "FAILED"
            print(f"{verdict:11} {key}")
            if not good:
                print(text + pair_error)
            passed += bool(good)
            failed += not good
    count = passed + failed
    if count != expected.get(folder, count):
        print(f"FAILED      {folder} holds {count} cases; expected {expected[folder]}")
        failed += 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
