#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the tests of Intel's PyTorch bridge, or a sample of them, on the device "hpu"; may be interrupted.

Usage: bridge-tests.py --archive FILE [--folder DIR] [--mode eager|compile|lazy] [--chip CHIP] [--sample N] [--seed N]
                       [--files GLOB] [--cases GLOB] [--again VERDICT,...] [--budget N] [--seconds N] [--jobs N]
                       [--failures [N]] [--report] [--state FILE] [--least PERCENT]

The archive is unpacked into a folder outside the project (--folder), where pytest runs it in processes of 50 cases each;
this Python needs PyTorch, gaudi_mlir and habana_frameworks on its path, and what the suite needs besides is installed
into build/bridge-tests. What was judged is in the state file
(build/bridge-tests.jsonl), and a later run goes on behind it; --again judges cases of these verdicts ("all":
everything) once more. --sample takes N cases in a random order of the seed, --files those of files whose name fits,
--cases those whose node id fits. --budget is the seconds of this run, --seconds the CPU time of one case. --failures
prints what fails, by the line that says why, with up to N cases each; --report judges nothing.

Verdicts: passed, failed, skipped (by the test itself, which counts as a failure; the text of the test says whether
the mode alone decides, or the case's parameters alone, so that no card runs it: the report has the percentage with
and without those), listed (the suite's own list skips
it: no case), crashed, hung, uncollected (the file does not import, or the mode makes no such case). Cases of
scripts/oracle/bridge-scope.json are out of scope, each class with its reason. Exit code 1 if less than --least percent
of the cases in scope pass.
"""
import argparse
import collections
import fnmatch
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
SUITE = "pytest_working"  # as the node ids of the suite's own list begin
# pytest 9 refuses what some of the suite's files do. What else they import comes with PyTorch's own tests.
PACKAGES = ["pytest>=8,<9", "parameterized", "expecttest", "packaging"]
INSTALLED = ROOT / "build/bridge-tests"
CASES_OF_A_PROCESS = 50
PATIENCE = 8  # of the wall's seconds by one of CPU time, on a loaded machine
VERDICTS = ["passed", "failed", "skipped", "crashed", "hung", "uncollected"]


def unpack(archive, folder):
    suite = folder / SUITE
    if suite.exists():
        return
    if ROOT in folder.resolve().parents:
        sys.exit(f"{folder} lies in the project; the tests are no part of it")
    folder.mkdir(parents=True, exist_ok=True)
    with tarfile.open(archive) as file, tempfile.TemporaryDirectory(dir=folder) as made:
        file.extractall(made, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))
        (top,) = pathlib.Path(made).iterdir()
        shutil.move(top, suite)


def install():
    """The packages of the suite, in a folder of their own: this Python keeps its pytest."""
    if INSTALLED.exists():
        return
    INSTALLED.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=INSTALLED.parent) as made:
        subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
                        "--target", f"{made}/packages", *PACKAGES], check=True)
        shutil.move(f"{made}/packages", INSTALLED)


class Process:
    """pytest in another process; `lines` gives what its plugin has written since."""

    def __init__(self, args, paths, cases, options=()):
        self.job = tempfile.TemporaryDirectory(prefix="bridge-tests-")
        path = pathlib.Path(self.job.name)
        self.cases = list(cases or [])
        self.report = path / "report"
        self.report.touch()
        (path / "job").write_text(json.dumps({"cases": cases, "report": str(self.report)}))
        logs = args.folder / "logs"
        logs.mkdir(exist_ok=True)
        path_of_ours = os.environ.get("PYTHONPATH", "").split(os.pathsep)  # it may name folders from here
        extra = [str(ROOT / "scripts/oracle"), str(INSTALLED),
                 *(str(pathlib.Path(each).resolve()) for each in filter(None, path_of_ours))]
        # The log of the real stack is never off, and int64 is int64 here.
        env = {"LOG_LEVEL_ALL": "5", "PT_ENABLE_INT64_SUPPORT": "1", **os.environ, "GAUDI_BRIDGE_JOB": str(path / "job"), "HABANA_LOGS": str(logs),
               "PT_HPU_LAZY_MODE": str(int(args.mode == "lazy")),
               "PYTHONPATH": os.pathsep.join(extra)}
        self.output = (path / "output").open("w+")
        self.process = subprocess.Popen(
            [sys.executable, "-X", "faulthandler", "-m", "pytest", "-q", "-p", "bridge_cases",
             "-p", "no:cacheprovider", "--continue-on-collection-errors", "--rootdir", str(args.folder),
             f"--mode={args.mode}", f"--dut={args.chip}", *options, *paths],
            cwd=args.folder, env=env, stdout=self.output, stderr=subprocess.STDOUT, start_new_session=True)
        self.read = 0
        self.current = None
        self.rows = {}
        self.files = {}
        self.listed = {}
        self.begin()

    def begin(self):
        self.begun = time.monotonic(), self.cpu_seconds()

    def cpu_seconds(self):
        try:
            fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return 0.0
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def is_late(self, seconds):
        wall, cpu = (now - then for now, then in zip((time.monotonic(), self.cpu_seconds()), self.begun))
        return cpu > seconds or wall > PATIENCE * seconds

    def kill(self):
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()

    def poll(self):
        """Takes what was written; whether the process has ended."""
        ended = self.process.poll() is not None
        text = self.report.read_text()
        whole = text[self.read:].rpartition("\n")[0]
        self.read += len(whole)
        for line in filter(None, whole.split("\n")):
            row = json.loads(line)
            if "begin" in row:
                self.current = row["begin"]
                self.begin()
            elif "verdict" in row:
                old = self.rows.get(row["case"])
                if old is None or old["verdict"] == "passed":  # a fault of the teardown counts
                    self.rows[row["case"]] = row
            elif "listed" in row:
                self.listed[row["case"]] = row["listed"]
            elif "file" in row:
                self.files[row["file"]] = row["reason"]
        return ended

    def death(self):
        """Why the process has ended in the middle of a case."""
        code = self.process.returncode
        self.output.seek(0)
        text = self.output.read()
        frames = re.findall(r'File "([^"]*)", line (\d+) in (\w+)', text.partition("Fatal Python error")[2])
        where = "; ".join(f"{pathlib.Path(path).name}:{line} {name}" for path, line, name in frames[:4])
        name = signal.Signals(-code).name if code < 0 else f"exit code {code}"
        return f"{name}: {where or text[-300:]}"


def collect(args):
    """The cases of the mode: {node id: whether the suite's list skips it}, and why files do not import."""
    made = args.folder / f"cases-{args.mode}.json"
    if made.exists() and not args.collect:
        return json.loads(made.read_text())
    paths = [f"{SUITE}/{each}" for each in (args.mode, "any_mode") if (args.folder / SUITE / each).exists()]
    process = Process(args, paths, None, ["--collect-only"])
    while not process.poll():
        time.sleep(0.1)
        if process.is_late(600):
            process.kill()
    process.poll()
    if not process.listed:
        process.output.seek(0)
        sys.exit(f"pytest collects nothing:\n{process.output.read()[-3000:]}")
    found = {"cases": process.listed, "files": process.files}
    made.write_text(json.dumps(found))
    return found


class State:
    """What became of each case of a mode; the last line of one holds."""

    def __init__(self, path, mode):
        self.path, self.mode, self.rows = path, mode, {}
        for line in path.read_text().splitlines() if path.exists() else []:
            row = json.loads(line)
            if row["mode"] == mode:
                self.rows[row["case"]] = row

    def add(self, row):
        row = {"mode": self.mode, **row}
        self.rows[row["case"]] = row
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a") as stream:
            stream.write(json.dumps(row) + "\n")


def run(args, cases, state):
    left = collections.deque(cases)
    until = time.monotonic() + args.budget
    running, done, said = [], 0, time.monotonic()
    try:
        while left or running:
            over = time.monotonic() > until
            if over and not running:
                break
            while left and len(running) < args.jobs and not over:
                some = [left.popleft() for _ in range(min(len(left), args.shard))]
                files = list(dict.fromkeys(case.partition("::")[0] for case in some))
                running.append(Process(args, files, some))
            for each in list(running):
                ended = each.poll()
                late = not ended and each.is_late(args.seconds)
                if late or over and not ended:
                    each.kill()
                    each.poll()
                if not (ended or late or over):
                    continue
                running.remove(each)
                if each.current and each.current not in each.rows and not (over and not late):
                    each.rows[each.current] = {"case": each.current, "verdict": "hung" if late else "crashed",
                                               "reason": f"over {args.seconds} s" if late else each.death()}
                missing = [case for case in each.cases if case not in each.rows]
                if not each.current and not over:  # nothing was begun: no use to try again
                    for case in missing:
                        reason = each.files.get(case.partition("::")[0], "") or f"not collected; {each.death()}"
                        each.rows[case] = {"case": case, "verdict": "uncollected", "reason": reason}
                    missing = []
                elif ended and each.process.returncode in (0, 1):
                    for case in missing:
                        each.rows[case] = {"case": case, "verdict": "uncollected",
                                           "reason": each.files.get(case.partition("::")[0], "no such case")}
                    missing = []
                for row in each.rows.values():
                    state.add(row)
                done += len(each.rows)
                left.extendleft(reversed(missing))
            if time.monotonic() - said > 30:
                said = time.monotonic()
                print(f"{done + sum(len(each.rows) for each in running)} of {len(cases)}", file=sys.stderr, flush=True)
            time.sleep(0.05)
    finally:
        for each in running:
            each.kill()


def scope(mode):
    """[(pattern, reason)] of what is out of scope in the mode."""
    path = ROOT / "scripts/oracle/bridge-scope.json"
    rows = json.loads(path.read_text())
    return [(pattern, row["reason"]) for row in rows if mode in row["modes"] for pattern in row["cases"]]


def reason_out(case, rows):
    name = case.removeprefix(SUITE + "/")
    # Brackets stand for themselves in node ids.
    return next((reason for pattern, reason in rows
                 if fnmatch.fnmatchcase(name, pattern.replace("[", "[[]"))), None)


def key_of(reason):
    """The line that says why, without what differs from case to case."""
    lines = [line.strip() for line in reason.splitlines() if line.strip()]
    if not lines:
        return ""
    line = lines[0]
    if "raised:" in line and len(lines) > 1:  # torch._dynamo.exc.BackendCompilerFailed
        line = lines[1]
    elif line.startswith("AssertionError") and len(lines) > 1:
        line = " ".join(lines[:3])
    line = re.sub(r"0x[0-9a-f]+", "0x", line)
    return re.sub(r"(?<![A-Za-z0-9_])-?\d+(\.\d+)?(e[-+]\d+)?(?![\w])", "N", line)[:240]


def report(args, cases, state, uncollected):
    rows = scope(args.mode)
    counts, classes, listed, unknown = collections.Counter(), collections.Counter(), 0, 0
    never = collections.Counter()
    failures = collections.defaultdict(list)
    for case, is_listed in cases.items():
        row = state.rows.get(case)
        out = reason_out(case, rows)
        if is_listed or row and row["verdict"] == "listed":
            listed += 1
        elif row is None:
            unknown += 1
        elif out and row["verdict"] != "passed":
            classes[out] += 1
        else:
            counts[row["verdict"]] += 1
            never[row.get("by")] += 1
            if row["verdict"] != "passed":
                by = {"mode": " for the mode", "parameters": " by its parameters"}.get(row.get("by"), "")
                failures[row["verdict"] + by, key_of(row["reason"])].append(case.removeprefix(SUITE + "/"))
    judged = sum(counts.values()) + sum(classes.values())
    inside = sum(counts.values())
    print(f"mode {args.mode}: {len(cases)} cases, {listed} skipped by the suite's list, {unknown} not judged; "
          f"{len(uncollected)} files do not import")
    print("| " + " | ".join([*VERDICTS, "out of scope", "passed of those in scope", "out of scope of all"]) + " |")
    print("|---" * (len(VERDICTS) + 3) + "|")
    cells = [counts[each] for each in VERDICTS] + [sum(classes.values())]
    share = 100 * counts["passed"] / inside if inside else 0.0
    print("| " + " | ".join(map(str, cells)) +
          f" | {share:.1f} % | {100 * sum(classes.values()) / judged if judged else 0:.1f} % |")
    left = inside
    for by, why in (("mode", "that skip themselves for the mode, on any card"),
                    ("parameters", "that skip themselves by their own parameters, on any card, as well")):
        left -= never[by]
        if never[by] and left:
            print(f"without the {never[by]} cases {why}: {100 * counts['passed'] / left:.1f} % pass")
    for reason, count in classes.most_common():
        print(f"{count:5}  out of scope: {reason}")
    for file, reason in uncollected.items():
        out = reason_out(file, rows)
        print(f"       does not import: {file.removeprefix(SUITE + '/')}: {out or reason}")
    if args.failures is not None:
        for (verdict, key), names in sorted(failures.items(), key=lambda pair: (-len(pair[1]), pair[0])):
            print(f"{len(names):5}  {verdict}: {key}")
            for name in names[:args.failures]:
                print(f"         {name}")
    return share


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--archive", type=pathlib.Path)
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path(tempfile.gettempdir()) / "bridge-tests")
    parser.add_argument("--mode", default="eager", choices=["eager", "compile", "lazy"])
    parser.add_argument("--chip", default="gaudi2", choices=["gaudi", "gaudi2", "gaudi3"])
    parser.add_argument("--sample", type=int)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--files", default="*")
    parser.add_argument("--cases", default="*")
    parser.add_argument("--again", default="")
    parser.add_argument("--budget", type=float, default=float("inf"))
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--shard", type=int, default=CASES_OF_A_PROCESS)
    parser.add_argument("--failures", type=int, nargs="?", const=2)
    parser.add_argument("--report", action="store_true")
    parser.add_argument("--collect", action="store_true", help="asks pytest for the cases again")
    parser.add_argument("--state", type=pathlib.Path, default=ROOT / "build/bridge-tests.jsonl")
    parser.add_argument("--least", type=float, default=0)
    args = parser.parse_args()
    if args.archive:
        unpack(args.archive, args.folder)
    if not (args.folder / SUITE).exists():
        parser.error(f"{args.folder} has no {SUITE}: name the archive")
    install()
    found = collect(args)
    cases = {case: listed for case, listed in found["cases"].items()
             if fnmatch.fnmatchcase(case.partition("::")[0], f"*{args.files}*") and
             fnmatch.fnmatchcase(case, f"*{args.cases.replace('[', '[[]')}*")}
    if args.sample:
        order = sorted(cases)
        random.Random(args.seed).shuffle(order)
        kept = set(order[:args.sample])
        cases = {case: listed for case, listed in cases.items() if case in kept}
    state = State(args.state, args.mode)
    if not args.report:
        again = args.again.split(",")
        run(args, [case for case, listed in cases.items() if not listed and (
            case not in state.rows or state.rows[case]["verdict"] in again or "all" in again)], state)
    share = report(args, cases, state, found["files"])
    return share < args.least


if __name__ == "__main__":
    sys.exit(main())
