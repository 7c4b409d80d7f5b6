# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What all judges share: their environment of Python, the results of each op, and the tables of
docs/conformance.md."""
import collections
import os
import pathlib
import re
import subprocess
import sys
import venv

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "docs" / "conformance.md"
END = "<!-- end of the table -->"


def enter_venv(folder, packages, module):
    """Runs this script again with the Python of the environment, which is made first if need be."""
    python = folder / "bin" / "python"
    if pathlib.Path(sys.prefix) == folder:
        return
    if not python.exists():
        print(f"installing {' '.join(packages)} into {folder}", file=sys.stderr)
        venv.create(folder, with_pip=True)
    if subprocess.run([python, "-c", f"import {module}"], capture_output=True).returncode != 0:
        if subprocess.run([python, "-m", "pip", "install", "-q", *packages]).returncode != 0:
            sys.exit(2)
    os.execv(python, [str(python), *sys.argv])


class Tally:
    """The results of one op."""

    def __init__(self):
        self.cases = self.equal = 0
        self.refused, self.not_judged, self.wrong = collections.Counter(), collections.Counter(), []

    def add(self, outcome, words):
        """`words` say why the case was refused or not judged, or what is wrong."""
        if outcome == "not judged":
            self.not_judged[reason_of(words)] += 1
            return
        self.cases += 1
        if outcome == "equal":
            self.equal += 1
        elif outcome == "refused":
            self.refused[reason_of(words)] += 1
        else:
            self.wrong.append(words)

    def words(self):
        text = f"{self.cases} cases, {self.equal} equal, {sum(self.refused.values())} refused, {len(self.wrong)} wrong"
        return text + (f", not judged: {dict(self.not_judged)}" if self.not_judged else "")


def reasons_of(words):
    """The reasons of all refusals, without what differs from case to case."""
    reasons = []
    for line in words.splitlines():
        m = re.search(r"error: (?:cannot convert \S+: )?(.*)", line)
        if m and not re.match(r"cannot (compile|parse) '", m[1]):
            text = re.sub(r"'tensor<[^']*>'", "'...'", m[1])
            reasons.append(re.sub(r"(?<![A-Za-z0-9])-?\d+", "N", text))
    return reasons or [words.strip().splitlines()[-1] if words.strip() else "no message"]


def reason_of(words):
    """The first reason of a refusal."""
    return reasons_of(words)[0]


def rows_of(tallies):
    """Op -> its cells in the table."""
    rows = {}
    for name, t in tallies.items():
        why = "; ".join(f"{reason} ({count})" for reason, count in t.refused.most_common())
        rows[name] = [str(n) for n in (t.cases, t.equal, sum(t.refused.values()), len(t.wrong))] + [
            why.replace("|", chr(92) + "|")]
    return rows


def table(rows):
    lines = ["| op | cases | equal | refused | wrong | why refused |", "|---|---|---|---|---|---|"]
    lines += [f"| {name} | {' | '.join(cells)} |" for name, cells in sorted(rows.items())]
    total = [sum(int(cells[i]) for cells in rows.values()) for i in range(4)]
    return "\n".join(lines + [f"| **all** | {' | '.join(map(str, total))} | |"])


def write_page(rows, script):
    """Replaces the rows of these ops in the table of this script, and adds up all of them."""
    begin = f"<!-- table of {script} -->"
    head, rest = PAGE.read_text().split(begin)
    old, tail = rest.split(END, 1)
    cells = [re.split(r"(?<!\\) ?\| ?", line.strip("| ")) for line in old.strip().splitlines()[2:-1]]
    kept = {name: (numbers + [""])[:5] for name, *numbers in cells}
    PAGE.write_text(head + begin + "\n" + table({**kept, **rows}) + "\n" + END + tail)
