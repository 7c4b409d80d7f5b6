"""Random cases of every op through gaudi-run and JAX, and the table of docs/conformance.md."""
import collections
import itertools
import pathlib
import re
import tempfile
import zlib

import numpy as np

import hlo_elementwise
import hlo_structured
from hlo_case import Case, Draw, module_of, raw
from jax_judge import NotJudged, Program

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "docs" / "conformance.md"
BEGIN, END = "<!-- table of jax-oracle.py -->", "<!-- end of the table -->"
# Every page of the specification has these; random cases would always be refused or have no numbers.
MANY = {"dot_general", "convolution", "reduce", "reduce_window", "select_and_scatter", "gather", "scatter", "convert",
        "dynamic_slice", "dynamic_update_slice", "pad", "sort", "broadcast_in_dim"}


class Tally:
    """The results of one op."""

    def __init__(self):
        self.cases = self.equal = 0
        self.refused, self.not_judged, self.wrong = collections.Counter(), collections.Counter(), []


def reason_of(words):
    """The reason of a refusal, without what differs from case to case."""
    for line in words.splitlines():
        if m := re.search(r"error: (?:cannot convert \S+: )?(.*)", line):
            text = re.sub(r"'tensor<[^']*>'", "'...'", m[1])
            return re.sub(r"(?<![A-Za-z])-?\d+", "N", text)
    return words.strip().splitlines()[-1] if words.strip() else "no message"


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
            tally = self.tallies[name]
            if outcome == "not judged":
                tally.not_judged[reason_of(words)] += 1
                continue
            tally.cases += 1
            if outcome == "equal":
                tally.equal += 1
            elif outcome == "refused":
                tally.refused[reason_of(words)] += 1
            else:
                tally.wrong.append(words)
                self.keep(name, case, words)

    def outcome(self, cases):
        text = module_of(cases)
        inputs = [array for case in cases for _, array in case.inputs]
        types = [case.types[name] for case in cases for name in case.results]
        try:
            expected = Program(text)(inputs)
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
        return ("wrong", words) if words else ("equal", "")

    def keep(self, name, case, words):
        print(f"{name}: {words}")
        if self.args.keep:
            folder = self.args.keep / f"{name}-{len(self.tallies[name].wrong)}"
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "case.mlir").write_text(f"// {words}\n" + module_of([case]))
            for i, (_, array) in enumerate(case.inputs):
                np.save(folder / f"arg{i}.npy", raw(array))


def table(tallies):
    lines = ["| op | cases | equal | refused | wrong | why refused |", "|---|---|---|---|---|---|"]
    for name, t in sorted(tallies.items()):
        why = "; ".join(f"{reason} ({count})" for reason, count in t.refused.most_common())
        lines.append(f"| {name} | {t.cases} | {t.equal} | {sum(t.refused.values())} | {len(t.wrong)} | "
                     f"{why.replace('|', chr(92) + '|')} |")
    total = [sum(f(t) for t in tallies.values()) for f in (
        lambda t: t.cases, lambda t: t.equal, lambda t: sum(t.refused.values()), lambda t: len(t.wrong))]
    lines.append(f"| **all** | {' | '.join(map(str, total))} | |")
    return "\n".join(lines), total


def run(args, device, compare, tolerance):
    generators = {**hlo_elementwise.GENERATORS, **hlo_structured.GENERATORS}
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
        print(f"{name}: {t.cases} cases, {t.equal} equal, {sum(t.refused.values())} refused, {len(t.wrong)} wrong"
              + (f", not judged by JAX: {dict(t.not_judged)}" if t.not_judged else ""), flush=True)
    text, total = table(trials.tallies)
    print(text)
    if args.write:
        page = PAGE.read_text()
        head, rest = page.split(BEGIN)
        PAGE.write_text(head + BEGIN + "\n" + text + "\n" + END + rest.split(END)[1])
    return 1 if total[3] else 0
