# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random cases of every op through gaudi-run and JAX, and the table of docs/conformance.md."""
import collections
import pathlib
import tempfile
import zlib

import numpy as np

import hlo_elementwise
import hlo_library
import hlo_structured
from hlo_case import Case, Draw, module_of, raw
from jax_judge import NotJudged, Program
from tally import Tally, rows_of, table, write_page

# Ops with many forms, of which more cases are drawn.
MANY = {"dot_general", "convolution", "reduce", "reduce_window", "select_and_scatter", "gather", "scatter", "convert",
        "dynamic_slice", "dynamic_update_slice", "pad", "sort", "broadcast_in_dim"}


class Trials:
    def __init__(self, args, device, compare, tolerance):
        self.args, self.make_device, self.compare, self.tolerance = args, device, compare, tolerance
        self.tallies = collections.defaultdict(Tally)

    def run(self, batch):
        """Runs cases as one function; each by itself if that is not equal to JAX."""
        outcome, words = self.outcome([case for _, case in batch])
        if outcome != "equal" and len(batch) > 1:
            for one in batch:
                self.run([one])
            return
        for name, case in batch:
            self.tallies[name].add(outcome, words)
            if outcome == "wrong":
                self.keep(name, case, words)

    def outcome(self, cases):
        text = module_of(cases)
        inputs = [array for case in cases for _, array in case.inputs]
        types = [case.types[name] for case in cases for name in case.results]
        try:
            program = Program(text)
            expected = program(inputs)
        except NotJudged as reason:
            return "not judged", str(reason)
        with tempfile.TemporaryDirectory() as folder:
            model = pathlib.Path(folder, "case.mlir")
            model.write_text(text)
            code, words, got = self.make_device(self.args, folder).run(
                model, len(types), [(f"arg{i}", array) for i, array in enumerate(inputs)])
        if code == 3:
            return "refused", words
        if code != 0:
            return "wrong", f"exit code {code}: {words.strip()[-300:]}"
        words = self.compare(got, expected, types, self.tolerance, "op")
        # XLA reads outside the input of some convolutions with negative padding.
        if words and any(a.tobytes() != b.tobytes() for _ in range(2) for a, b in zip(expected, program(inputs))):
            return "not judged", "JAX gives other numbers each time"
        return ("wrong", words) if words else ("equal", "")

    def keep(self, name, case, words):
        print(f"{name}: {words}")
        if self.args.keep:
            folder = self.args.keep / f"{name}-{len(self.tallies[name].wrong)}"
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "case.mlir").write_text(f"// {words}\n" + module_of([case]))
            for i, (_, array) in enumerate(case.inputs):
                np.save(folder / f"arg{i}.npy", raw(array))


def run(args, device, compare, tolerance):
    generators = {**hlo_elementwise.GENERATORS, **hlo_structured.GENERATORS, **hlo_library.GENERATORS}
    if unknown := set(args.names) - set(generators):
        print(f"no generator for {', '.join(sorted(unknown))}; there are: {', '.join(sorted(generators))}")
        return 2
    trials = Trials(args, device, compare, tolerance)
    for name in args.names or generators:
        cases = []
        for i in range(args.cases * (5 if name in MANY else 1)):
            case = Case(Draw([args.seed, zlib.crc32(name.encode()), i]), f"c{i}")
            generators[name](case)
            cases.append((name, case))
        for start in range(0, len(cases), args.batch):
            trials.run(cases[start:start + args.batch])
        t = trials.tallies[name]
        print(f"{name}: {t.words()}", flush=True)
    rows = rows_of(trials.tallies)
    print(table(rows))
    if args.write:
        write_page(rows, "jax-oracle.py")
    return 1 if any(t.wrong for t in trials.tallies.values()) else 0
