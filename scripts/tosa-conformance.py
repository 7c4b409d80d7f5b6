#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs Arm's conformance tests of TOSA through gaudi-run, judged by Arm's reference model and verifier.

Usage: tosa-conformance.py [OP...] [--cases N] [--seed N] [--tosa VERSION] [--jobs N] [--write] [--keep DIR]

The package tosa-tools has the generator, the reference model and the verifier; it is installed into build/oracle/tosa
if it is not there. The script draws N tests of each op (element types in turn, then at random), has each flatbuffer
written as MLIR text, runs it on the inputs of the test and lets the verifier compare the outputs with those of the
reference model in float64, within the bounds that the specification sets. --write puts the rows into the table of
docs/conformance.md, --keep keeps the tests that were refused or wrong. Exit code 1 if an output is wrong or gaudi-run
crashes, 2 if the tests cannot be made.
"""
import argparse
import collections
import concurrent.futures
import contextlib
import json
import logging
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PACKAGES = ["tosa-tools==2026.8.0"]
sys.path.insert(0, str(ROOT / "scripts" / "oracle"))
from tally import Tally, enter_venv, rows_of, table, write_page  # noqa: E402 (the path is set above)

REFUSED = 3  # the exit code of gaudi-run
# Sizes are powers of two, which random shapes are not.
SHAPES = {"fft2d": ["1,4,8", "2,8,2", "3,16,16", "1,1,32", "5,2,1", "1,64,32"]}
SHAPES["rfft2d"] = SHAPES["fft2d"]


class Untranslated(Exception):
    """The package cannot write the test as MLIR."""


class Suite:
    """The tests of each op, drawn from all that the generator lists."""

    def __init__(self, args, folder):
        self.args, self.folder = args, folder

    def generator(self, name):
        from conformance import model_files
        from generator import tosa_verif_build_tests as build
        from generator.tosa_test_gen import TosaTestGen
        library = model_files.find_tosa_file(model_files.TosaFileType.GENERATE_LIBRARY, None, False)
        shapes = [f"--target-shape={shape}" for shape in SHAPES.get(name, [])]
        # The generator gives huge outputs to tests of resize unless it is told not to.
        args = build.parseArgs(["-o", str(self.folder), "--seed", str(self.args.seed), "--generate-lib-path",
                                str(library), "--max-resize-output-dim", "120", "--tosa-version", self.args.tosa,
                                "--tensor-dim-range", "1,20", *shapes])
        logging.getLogger("tosa_verif_build_tests").setLevel(logging.WARNING)
        return args, TosaTestGen(args, build._get_tosa_version(args.tosa_version_str))

    def names(self):
        """The ops of this version of the specification."""
        import conformance
        config = json.loads(pathlib.Path(conformance.__path__[0], "cts-config_v1.0.json").read_text())
        _, generator = self.generator("")
        version = generator.tosa_version
        known = {generator.getOperatorNameStr(entry) for entry in generator.TOSA_OP_LIST}
        return sorted(name for name in known if version >= config.get(name, {}).get("from_version", "1.0.0"))

    @staticmethod
    def is_known(test, generator):
        """Version 1.1 added extensions, which the generator uses whatever the version is."""
        needed = test.argsDict.get("extensions_required", ())
        return generator.tosa_version >= "1.1.0" or not any(re.search("-(mx|mxfp|int64|shape)", name) for name in needed)

    def draw(self, name):
        """Writes the tests of the op; their folders."""
        from generator.tosa_test_select import TosaTestSelect
        args, generator = self.generator(name)
        kinds = collections.defaultdict(list)
        for entry in generator.TOSA_OP_LIST:
            if generator.getOperatorNameStr(entry) != name:
                continue
            for test in map(TosaTestSelect, generator.genOpTestList(
                    entry, shapeFilter=args.target_shapes, rankFilter=None, dtypeFilter=None, testType="positive")):
                if self.is_known(test, generator):
                    kinds[entry, str(test.dtype)].append(test)
        rng = random.Random(f"{self.args.seed} {name}")
        queues = [rng.sample(tests, len(tests)) for _, tests in sorted(kinds.items(), key=lambda item: item[0])]
        rng.shuffle(queues)
        drawn = {}
        while queues and len(drawn) < self.args.cases:
            queues = [queue for queue in queues if queue]
            for queue in queues[:self.args.cases - len(drawn)]:
                test = queue.pop()
                if str(test) not in drawn:
                    generator.serializeTest(test)
                    drawn[str(test)] = next(path.parent for path in self.folder.glob(f"*/{test}/desc.json"))
        return list(drawn.values())


def make_judge(args):
    """folder -> (outcome, words), by the package's classes for the reference model and for systems under test."""
    from conformance import model_files
    from runner import tosa_refmodel_compliance_sut_run as reference
    from runner import tosa_verif_run_tests
    from runner.tosa_test_runner import TosaTestRunner
    kind, options = model_files.TosaFileType, tosa_verif_run_tests.parseArgs(["-t", "none"])
    options.ref_model_path = model_files.find_tosa_file(kind.REF_MODEL, None, False)
    options.generate_lib_path = model_files.find_tosa_file(kind.GENERATE_LIBRARY, options.ref_model_path)
    options.verify_path = model_files.find_tosa_file(kind.VERIFY, options.ref_model_path)
    options.schema_path = model_files.find_tosa_file(kind.SCHEMA, options.ref_model_path)
    translator = options.ref_model_path.with_name("tosa-opt")

    class Gaudi(TosaTestRunner):
        """gaudi-run as a system under test."""

        def runTestGraph(self):
            model = self.testDirPath / "test.mlir"
            tosa = self.testDirPath / self.testDesc["tosa_file"]
            text = subprocess.run(
                [translator, f"--tosa-deserialize=tosa-flatbuffer-filename={tosa}", "-o", str(model),
                 "--mlir-print-elementsattrs-with-hex-if-larger=-1"],
                input="module {}", capture_output=True, text=True)
            if text.returncode != 0:
                raise Untranslated(text.stderr.strip().splitlines()[0])
            command = [args.gaudi_run, f"--device={args.device}", str(model)]
            command += [f"--input=@{self.testDirPath / name}" for name in self.testDesc["ifm_file"]]
            command += [f"--output=out{i}=@{self.testDirPath / name}"
                        for i, name in enumerate(self.testDesc["ofm_file"])]
            try:
                run = subprocess.run(command, capture_output=True, text=True, timeout=300)
            except subprocess.TimeoutExpired:
                return self.TosaGraphResult.OTHER_ERROR, "no result after 300 s"
            self.refused = run.returncode == REFUSED
            if run.returncode != 0:
                return self.TosaGraphResult.OTHER_ERROR, f"exit code {run.returncode}: {run.stderr}"
            self.respell()
            return self.TosaGraphResult.TOSA_VALID, None

        def respell(self):
            """The verifier knows each f8 by one spelling of raw bytes, those that its own package writes."""
            for name, file in zip(self.testDesc["ofm_name"], self.testDesc["ofm_file"]):
                kind = self.testDesc["meta"]["compliance"]["tensors"][name]["data_type"]
                if kind in ("FP8E4M3", "FP8E5M2"):
                    path, spelling = self.testDirPath / file, b"'<V1'" if kind == "FP8E4M3" else b"'|u1'"
                    path.write_bytes(path.read_bytes().replace(b"'|V1'", spelling, 1))

    def judge(folder):
        good = TosaTestRunner.Result.EXPECTED_PASS
        expected = reference.TosaSUTRunner(options, [], folder)
        expected.readyDataFiles()
        result, words = expected.testResult(*expected.runTestGraph())
        if result != good:
            return "not judged", f"reference model: {str(words).strip()[-200:]}"
        runner = Gaudi(options, [], folder)
        runner.refused = False
        try:
            result, words = runner.testResult(*runner.runTestGraph())
        except Untranslated as reason:
            return "not judged", f"tosa-opt: {reason}"
        if result == good:
            return "equal", ""
        return ("refused" if runner.refused else "wrong"), str(words)

    return judge


def run(args, folder):
    suite, judge, tallies = Suite(args, folder), make_judge(args), {}
    names = suite.names()
    if unknown := set(args.names) - set(names):
        print(f"no tests of {', '.join(sorted(unknown))}; there are: {', '.join(names)}")
        return 2
    for name in args.names or names:
        # The package prints a line for each test.
        with contextlib.redirect_stdout(None):
            tests = suite.draw(name)
            with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
                outcomes = list(pool.map(judge, tests))
        tally = tallies[name] = Tally()
        for test, (outcome, words) in zip(tests, outcomes):
            tally.add(outcome, words)
            if outcome == "wrong":
                print(f"{test.name}: {words.strip()[-400:]}")
            if outcome in ("refused", "wrong") and args.keep:
                shutil.copytree(test, args.keep / outcome / test.name, dirs_exist_ok=True)
        print(f"{name}: {tally.words()}", flush=True)
        shutil.rmtree(folder / name, ignore_errors=True)
    rows = rows_of({name: tally for name, tally in tallies.items() if tally.cases})
    print(table(rows))
    if args.write:
        write_page(rows, "tosa-conformance.py")
    return 1 if any(tally.wrong for tally in tallies.values()) else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="OP")
    parser.add_argument("--gaudi-run", default=str(ROOT / "build/release/bin/gaudi-run"), metavar="FILE")
    parser.add_argument("--venv", type=pathlib.Path, default=ROOT / "build/oracle/tosa", metavar="DIR")
    parser.add_argument("--device", default="gaudi2")
    parser.add_argument("--seed", type=int, default=42)
    parser.add_argument("--cases", type=int, default=25, help="tests of each op")
    parser.add_argument("--tosa", default="1.0.2", metavar="VERSION", help="the specification to test against")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--write", action="store_true", help="write docs/conformance.md")
    parser.add_argument("--keep", type=pathlib.Path, metavar="DIR", help="keep tests that were refused or wrong")
    args = parser.parse_args()
    if not os.access(args.gaudi_run, os.X_OK):
        parser.error(f"{args.gaudi_run} is no program; build it or give --gaudi-run")
    enter_venv(args.venv.resolve(), PACKAGES, "tosa_serializer")
    with tempfile.TemporaryDirectory() as folder:
        return run(args, pathlib.Path(folder))


if __name__ == "__main__":
    sys.exit(main())
