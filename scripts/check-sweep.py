#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs gaudi-run --check on models, corpora and random programs of the tree: none is wrong, so none may fail.

Usage: check-sweep.py [--build DIR] [--seed N] [--random N] [--device NAME...] [--jobs N] [--keep DIR] [--smoke]
                      [FILE...]

The models are the files named, or those of test/models, of the corpora of fusion and the cases of IREE. Each runs on
seeded inputs and on the devices. --random adds as many programs of one to six random StableHLO functions
(scripts/oracle), with their own inputs, so that the f32, bf16, f16, f8 and integer forms of all ops come up. Programs
that do not compile, or that the device refuses to run on such inputs, count as not run. Exit code 1 if a comparison
fails; --keep saves the program. --smoke takes a few.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import zlib

ROOT = pathlib.Path(__file__).resolve().parent.parent
DEVICES = ("gaudi", "gaudi2", "gaudi3")
SECONDS = 900
# Models whose reference takes minutes: on one device.
LARGE = 20 << 20


def corpora():
    """(name, path, text) of every model; one of path and text is None."""
    for folder in ("test/models", "test/Transforms/Fusion/Attention/Inputs", "test/Transforms/Fusion/Optimizers/Inputs"):
        for path in sorted((ROOT / folder).rglob("*")):
            name = str(path.relative_to(ROOT))
            if path.suffix == ".mlir":
                yield name, path, None
            elif path.suffix == ".json":
                cases = json.loads(path.read_text())
                for case in cases["cases"] if isinstance(cases, dict) else cases:
                    if "mlir" in case:
                        yield f"{name}:{case['name']}", None, case["mlir"]


def random_programs(seed, count):
    """(name, text, inputs) of random programs."""
    sys.path.insert(0, str(ROOT / "scripts" / "oracle"))
    import numpy as np
    import hlo_elementwise
    import hlo_library
    import hlo_structured
    from hlo_case import Case, Draw, module_of, raw
    generators = {**hlo_elementwise.GENERATORS, **hlo_structured.GENERATORS, **hlo_library.GENERATORS}
    names = sorted(generators)
    for number in range(count):
        draw = Draw([seed, number])
        cases, words = [], []
        for i in range(draw.integer(1, 6)):
            name = names[number % len(names)] if i == 0 else draw.choice(names)
            case = Case(Draw([seed, zlib.crc32(name.encode()), number, i]), f"c{i}")
            generators[name](case)
            cases.append(case)
            words.append(name)
        arrays = [raw(array) for case in cases for _, array in case.inputs]
        yield f"random {number}: {' '.join(words)}", module_of(cases), [np.asarray(a, order="C") for a in arrays]


class Sweep:
    def __init__(self, args):
        self.args = args
        self.run_path = str(pathlib.Path(args.build).resolve() / "bin" / "gaudi-run")
        self.counts = {"passed": 0, "not run": 0, "failed": 0}
        self.outputs = 0

    def one(self, name, path, text, inputs, device):
        """(outcome, words, number of outputs compared)."""
        with tempfile.TemporaryDirectory() as folder:
            if path is None:
                path = pathlib.Path(folder, "case.mlir")
                path.write_text(text)
            command = [self.run_path, str(path), "--check", "--report=json", f"--device={device}", "--threads=1"]
            if inputs is None:
                command += [f"--seed-inputs={self.args.seed}"]
            else:
                import numpy as np
                for i, array in enumerate(inputs):
                    np.save(pathlib.Path(folder, f"{i}.npy"), array)
                    command += [f"--input={i}=@{folder}/{i}.npy"]
            try:
                done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
            except subprocess.TimeoutExpired:
                return "not run", f"more than {SECONDS} s", 0
            try:
                report = json.loads(done.stdout)
            except json.JSONDecodeError:
                return "failed", f"exit code {done.returncode} without a report: {done.stderr[-300:]}", 0
        if done.returncode == 0:
            return "passed", "", len(report["comparisons"])
        if "comparisons" not in report:
            message = str(report.get("error", {}).get("message"))
            return "failed" if message.startswith("--check: ") else "not run", message, 0
        bad = [c for c in report["comparisons"] if not c["passed"]]
        return "failed", "; ".join(f"{c['output']}: {c['out_of_tolerance']} of {c['elements']}, {c.get('worst')}, "
                                   f"unexpected {c.get('unexpected')}" for c in bad[:2]), len(report["comparisons"])

    def keep(self, name, path, text, inputs):
        if not self.args.keep:
            return
        folder = self.args.keep / "".join(c if c.isalnum() or c in "-_." else "_" for c in name)[:80]
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "case.mlir").write_text(text if path is None else path.read_text())
        if inputs is not None:
            import numpy as np
            for i, array in enumerate(inputs):
                np.save(folder / f"{i}.npy", array)

    def all(self, work):
        with concurrent.futures.ThreadPoolExecutor(self.args.jobs) as pool:
            jobs = [(pool.submit(self.one, *one), one) for one in work]
            for job, (name, path, text, inputs, device) in jobs:
                outcome, words, outputs = job.result()
                self.counts[outcome] += 1
                self.outputs += outputs
                if outcome == "failed":
                    print(f"FAILED {name} on {device}: {words}", flush=True)
                    self.keep(name, path, text, inputs)
                elif self.args.verbose and words:
                    print(f"{outcome}: {name} on {device}: {words}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    parser.add_argument("--build", default=ROOT / "build" / "release")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--random", type=int)
    parser.add_argument("--device", nargs="*", default=DEVICES)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--smoke", action="store_true")
    parser.add_argument("--no-models", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    models = [(str(path), path, None) for path in args.files] or ([] if args.no_models else list(corpora()))
    count = args.random if args.random is not None else 20 if args.smoke else 0 if args.files else 1700
    if args.smoke and not args.files:
        small = [model for model in models if model[2] or model[1].stat().st_size < 20000]
        models = small[args.seed % 9::9][:30]
    print(f"seed {args.seed}: {len(models)} models, {count} random programs, {' '.join(args.device)}", flush=True)
    work = []
    for number, (name, path, text) in enumerate(models):
        devices = args.device
        if args.smoke or path is not None and path.stat().st_size > LARGE:
            devices = [devices[number % len(devices)]]
        work += [(name, path, text, None, device) for device in devices]
    for number, (name, text, inputs) in enumerate(random_programs(args.seed, count)):
        # One device each: what differs between them are blocks of products and orders.
        work.append((name, None, text, inputs, args.device[number % len(args.device)]))
    sweep = Sweep(args)
    sweep.all(work)
    print(", ".join(f"{number} {name}" for name, number in sweep.counts.items())
          + f"; {sweep.outputs} outputs compared")
    return 1 if sweep.counts["failed"] or not sweep.counts["passed"] else 0


if __name__ == "__main__":
    sys.exit(main())
