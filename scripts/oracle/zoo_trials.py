# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of JAX through gaudi-run, and their table of docs/conformance.md."""
import collections
import pathlib
import tempfile

import jax_zoo
from hlo_case import DTYPES
from tally import END, PAGE, reasons_of

BEGIN = "<!-- functions of jax-oracle.py -->"
ELEMENTS = {dtype: element for element, dtype in DTYPES.items()}


def trial(name, args, device, compare, tolerance):
    """(number of results, outcome, words)."""
    text, arguments, expected = jax_zoo.lowered(name)
    with tempfile.TemporaryDirectory() as folder:
        model = pathlib.Path(args.keep or folder, f"{name}.mlir")
        model.parent.mkdir(parents=True, exist_ok=True)
        model.write_text(text)
        code, words, got = device(args, folder).run(
            model, len(expected), [(f"arg{i}", array) for i, array in enumerate(arguments)])
    if code == 3:
        return len(expected), "refused", "; ".join(sorted(set(reasons_of(words))))
    if code != 0:
        return len(expected), "wrong", f"exit code {code}: {words.strip()[-300:]}"
    types = [(array.shape, ELEMENTS[array.dtype]) for array in expected]
    words = compare(got, expected, types, tolerance, "model")
    return len(expected), "wrong" if words else "equal", words or ""


def write_page(rows):
    lines = ["| function | results | outcome | why |", "|---|---|---|---|"]
    lines += [f"| {name} | {count} | {outcome} | {why.replace('|', chr(92) + '|')} |"
              for name, (count, outcome, why) in rows.items()]
    head, rest = PAGE.read_text().split(BEGIN)
    PAGE.write_text(head + BEGIN + "\n" + "\n".join(lines) + "\n" + END + rest.split(END, 1)[1])


def run(args, device, compare, tolerance):
    if unknown := set(args.names) - set(jax_zoo.ZOO):
        print(f"no function {', '.join(sorted(unknown))}; there are: {', '.join(sorted(jax_zoo.ZOO))}")
        return 2
    rows = {}
    for name in args.names or jax_zoo.ZOO:
        rows[name] = trial(name, args, device, compare, tolerance)
        print(name + ": " + ", ".join(filter(None, rows[name][1:])), flush=True)
    counts = collections.Counter(outcome for _, outcome, _ in rows.values())
    print(", ".join(f"{count} {outcome}" for outcome, count in counts.items()))
    if args.write and not args.names:
        write_page(rows)
    return 1 if counts["wrong"] else 0
