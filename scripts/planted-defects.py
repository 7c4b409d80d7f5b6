#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plants defects in what the compiler makes of models, and counts how many gaudi-run --check finds.

Usage: planted-defects.py [--build DIR] [--seed N] [--count N] [--jobs N] [--keep DIR] [--csv FILE] [--smoke]
                          [--bisect] [FILE...]

A defect is one edit (scripts/planted/edits.py) of the module after a phase of the pipeline: what a wrong conversion
(import), a wrong fusion (fuse), a wrong pass on graphs (graph) or a wrong kernel (kernels) would leave. The rest of the
pipeline compiles it, and the recipe is compared with the reference of the model as it was: gaudi-run RECIPE --check
--model=MODEL. Kinds, phases and devices take turns, models are drawn. Edits that the compiler or the device refuses are
no defects, nor are those whose module the reference evaluator cannot tell from the unchanged one, bit by bit, on any of the
inputs of this script: they are listed as equivalent, for a proof. An edit that
the compiler takes back (of an op that a fusion left behind, say) is none either: another one is drawn. Exit code 1 if less than 97 % of the others are found,
or if more than 5 % are equivalent.

--bisect: of each defect that is found, gaudi-run MODULE --bisect --model=MODEL must name the op that was edited, and
gaudi-run RECIPE --bisect --model=MODEL a command (the op, or one that computes from it in the same kernel). Exit code 1
if it names another op for one of them.
"""
import argparse
import collections
import concurrent.futures
import csv
import difflib
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
from planted import edits  # noqa: E402

DEVICES = ("gaudi", "gaudi2", "gaudi3")
CHECK = ("--check",)
PHASES = ("import", "fuse", "graph", "kernels")
SECONDS = 120
LARGEST = 120_000  # bytes of a model's text
# Edits tried for one defect before another kind is taken.
TRIES = 60


def models(files):
    """(name, text) of the models that defects are planted in."""
    if files:
        paths = files
    else:
        base = ROOT / "test" / "Transforms" / "Fusion"
        paths = [*sorted((base / "Attention" / "Inputs").rglob("*.mlir")),
                 *sorted((base / "Optimizers" / "Inputs").rglob("*.mlir")),
                 *sorted((ROOT / "test" / "models").rglob("*.json")),
                 *sorted((ROOT / "scripts" / "planted" / "models").glob("*.mlir"))]
    for path in paths:
        if path.suffix == ".json":
            cases = json.loads(path.read_text())
            for case in cases["cases"] if isinstance(cases, dict) else cases:
                if "mlir" in case and len(case["mlir"]) < LARGEST:
                    yield f"{path.stem}.{case['name']}", case["mlir"]
        elif path.stat().st_size < LARGEST:
            yield str(path.relative_to(ROOT) if path.is_relative_to(ROOT) else path), path.read_text()


def run(command, **how):
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, **how)
    except subprocess.TimeoutExpired as late:
        return subprocess.CompletedProcess(command, 124, "", f"more than {late.timeout} s")


def edited_lines(before, after):
    """Numbers, from 1, of the lines that an edit changed or added."""
    lines = set()
    for kind, _, _, begin, end in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind != "equal":
            lines.update(range(begin + 1, max(end, begin + 1) + 1))
    return lines


def enclosing(lines, number):
    """The number of the line on which the op of a function that has this line begins."""
    while number > 1 and not re.match(r"    (%|return|gaudi|func)", lines[number - 1]):
        number -= 1
    return number


class Planter:
    def __init__(self, args, folder):
        self.args, self.folder = args, pathlib.Path(folder)
        self.bin = pathlib.Path(args.build).resolve() / "bin"
        self.models = list(models(args.files))
        self.texts = {}
        self.sound = {}
        self.compiled = {}
        self.samples = {}

    def path(self, number):
        path = self.folder / f"model{number}.mlir"
        if not path.exists():
            path.write_text(self.models[number][1])
        return path

    def is_sound(self, number, device):
        """Whether the model as it is compiles, runs and passes: else defects in it tell nothing."""
        key = number, device
        if key not in self.sound:
            done = run([self.bin / "gaudi-run", self.path(number), *CHECK, "-q", f"--device={device}", "--threads=1",
                        f"--seed-inputs={self.args.seed}"])
            self.sound[key] = done.returncode == 0
            if done.returncode == 1:
                print(f"FALSE ALARM {self.models[number][0]} on {device}: {done.stderr.strip()[:300]}", flush=True)
        return self.sound[key]

    def text(self, number, phase, device):
        key = number, phase, device
        if key not in self.texts:
            done = run([self.bin / "gaudi-opt", self.path(number),
                        f"--gaudi-compile=device={device} stop-after={phase}"])
            self.texts[key] = edits.Text(done.stdout) if done.returncode == 0 else None
        return self.texts[key]

    def compile(self, text, device):
        """(the ops after all phases, None if there are none; the path of the module)."""
        module = pathlib.Path(tempfile.mkdtemp(dir=self.folder), "module.mlir")
        module.write_text(text)
        done = run([self.bin / "gaudi-opt", module, f"--gaudi-compile=device={device}"])
        # Attributes of the module tell what was fused, and where.
        ops = [line for line in done.stdout.split("\n") if not line.startswith(("module", "#loc"))]
        return ops if done.returncode == 0 else None, module

    def unchanged(self, number, phase, device):
        """The same of the text of a phase as it is."""
        key = number, phase, device
        if key not in self.compiled:
            self.compiled[key] = self.compile("\n".join(self.text(*key).lines), device)
        return self.compiled[key]

    def draw(self, rng, kind, phase, device):
        """(number of a model, changed text, words) of an edit, or None."""
        for _ in range(TRIES):
            number = rng.randrange(len(self.models))
            if (text := self.text(number, phase, device)) is None:
                continue
            found = list(edits.EDITS[kind](text))
            if not found or not self.is_sound(number, device):
                continue
            changed, words = rng.choice(found)
            return number, changed, words
        return None

    def judge(self, order, kind, phase, device, seed):
        """One defect: ('found', 'missed', 'equivalent', 'none'), and what it is."""
        rng = random.Random(f"{self.args.seed} {order}")
        for _ in range(TRIES):
            drawn = self.draw(rng, kind, phase, device)
            if drawn is None:
                return "none", "", ""
            number, changed, words = drawn
            name = self.models[number][0]
            ops, mutant = self.compile(changed, device)
            if ops is None or ops == self.unchanged(number, phase, device)[0]:
                continue
            recipe = mutant.with_suffix(".recipe")
            made = run([self.bin / "gaudi-run", mutant, f"--device={device}", "--compile-only", "-o", recipe, "-q",
                        "--threads=1"])
            if made.returncode != 0:
                continue
            # Seeds of the check are its own, not those that the model was tried with.
            done = run([self.bin / "gaudi-run", recipe, *CHECK, f"--model={self.path(number)}", "-q", "--threads=1",
                        f"--seed-inputs={seed}", *self.args.check])
            if done.returncode == 1 or "--check: the device fails" in done.stderr:
                if self.args.bisect:
                    words = f"{self.bisect(number, phase, device, changed, mutant, recipe, seed)}; {words}"
                    if self.args.keep and not words.startswith("right"):
                        self.keep("bisect", order, number, changed, f"{device} {phase} {kind}", words, seed)
                return "found", name, words
            if done.returncode != 0:
                continue
            outcome = "equivalent" if self.is_equivalent(number, phase, device, mutant) else "missed"
            if self.args.keep:
                self.keep(outcome, order, number, changed, f"{device} {phase} {kind}", words, seed)
            return outcome, name, words
        return "none", "", ""

    def keep(self, outcome, order, number, changed, what, words, seed):
        kept = self.args.keep / f"{outcome}-{self.args.seed}-{order}"
        kept.mkdir(parents=True, exist_ok=True)
        (kept / "model.mlir").write_text(self.models[number][1])
        (kept / "mutant.mlir").write_text(changed)
        (kept / "what.txt").write_text(f"{self.models[number][0]}\n{what}\n{words}\nseed {seed}\n")

    def bisect(self, number, phase, device, changed, mutant, recipe, seed):
        """What --bisect names: "right; command right" and the like."""
        lines = changed.split("\n")
        edited = edited_lines(self.text(number, phase, device).lines, lines)
        ops = {enclosing(lines, line) for line in edited}
        words = []
        for file, what in ((mutant, "op"), (recipe, "command")):
            done = run([self.bin / "gaudi-run", file, "--bisect", f"--model={self.path(number)}", "--threads=1",
                        f"--device={device}", "--report=json", f"--seed-inputs={seed}", *self.args.check])
            try:
                found = json.loads(done.stdout)
            except json.JSONDecodeError:
                found = {"kind": f"exit code {done.returncode} {done.stderr[-200:]}"}
            line = re.search(r":(\d+):\d+$", found.get("op", {}).get("location", ""))
            named = int(line[1]) if line else None
            if what == "op":
                words.append("right" if named in ops else f"named {found.get('op', found)} instead of line {sorted(ops)}")
            else:
                words.append(f"command {'right' if named in ops else 'none' if named is None else 'at line %d' % named}")
        return "; ".join(words)

    def inputs(self, number, device):
        """The inputs of several checks of a model, as options."""
        if number not in self.samples:
            folder = self.folder / f"samples{number}"
            for seed in (1, 2):
                run([self.bin / "gaudi-run", self.path(number), "--check", "--check-draws=0", f"--device={device}", "-q",
                     f"--seed-inputs={seed}", f"--save-samples={folder / str(seed)}"])
            self.samples[number] = [
                [f"--input=@{file}" for file in sorted(sample.glob("*.npy"), key=lambda file: int(file.stem))]
                for sample in sorted(folder.glob("*/*"))]
        return self.samples[number]

    def is_equivalent(self, number, phase, device, mutant):
        """Whether the reference gives the same bits for both on the inputs of several checks."""
        for inputs in self.inputs(number, device):
            outputs = []
            for path in (self.unchanged(number, phase, device)[1], mutant):
                done = run([self.bin / "gaudi-run", path, "--reference", "--report=json", "--print=100000",
                            "--threads=1", *inputs])
                if done.returncode != 0:
                    return False
                outputs.append([output["first"] for output in json.loads(done.stdout)["outputs"]])
            if outputs[0] != outputs[1]:
                return False
        return True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    parser.add_argument("--build", default=ROOT / "build" / "release")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--csv", type=pathlib.Path)
    parser.add_argument("--check", action="append", default=[], help="another option of the check")
    parser.add_argument("--bisect", action="store_true")
    parser.add_argument("--smoke", action="store_true")
    args = parser.parse_args()
    count = args.count or (9 if args.smoke else 200)
    print(f"seed {args.seed}, {count} defects", flush=True)
    outcomes = collections.Counter()
    by_kind = collections.defaultdict(collections.Counter)
    rows = []
    named = 0
    with tempfile.TemporaryDirectory() as folder:
        planter = Planter(args, folder)
        # Kinds and phases take turns; what no model has is left out, and the next one takes its turn.
        plan = [(edits.KINDS[i % len(edits.KINDS)], PHASES[i // len(edits.KINDS) % len(PHASES)], DEVICES[i % len(DEVICES)])
                for i in range(count * 3)]
        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            order = 0
            while sum(outcomes.values()) < count and order < len(plan):
                part = range(order, min(len(plan), order + min(args.jobs * 4, count - sum(outcomes.values()))))
                for i, result in zip(part, pool.map(lambda i: planter.judge(i, *plan[i], args.seed * 1000 + i), part)):
                    outcome, name, words = result
                    kind, phase, device = plan[i]
                    if outcome == "none":
                        continue
                    outcomes[outcome] += 1
                    by_kind[kind][outcome] += 1
                    by_kind["phase " + phase][outcome] += 1
                    rows.append((i, outcome, kind, phase, device, name, words))
                    if args.bisect and outcome == "found":
                        right = words.startswith("right;")
                        by_kind["phase " + phase]["named"] += right
                        by_kind["phase " + phase]["commands named"] += "; command right;" in words
                        named += right
                    if outcome != "found" or args.bisect and not right:
                        print(f"{outcome} {i} ({kind}, {phase}, {device}) {name}: {words}", flush=True)
                order = part.stop
    if args.csv:
        with open(args.csv, "w", newline="") as file:
            csv.writer(file).writerows([("number", "outcome", "kind", "phase", "device", "model", "defect"), *rows])
    for kind, counts in by_kind.items():
        print(f"{kind}: " + ", ".join(f"{n} {name}" for name, n in sorted(counts.items())))
    total = outcomes["found"] + outcomes["missed"]
    share = outcomes["found"] / total if total else 0
    print(f"{outcomes['found']} of {total} defects found ({100 * share:.1f} %), {outcomes['equivalent']} equivalent")
    if args.bisect:
        print(f"{named} of {outcomes['found']} defects that are found are named at their op")
        return 0 if named == outcomes["found"] else 1
    return 0 if share >= 0.97 and outcomes["equivalent"] <= 0.05 * count and total else 1


if __name__ == "__main__":
    sys.exit(main())
