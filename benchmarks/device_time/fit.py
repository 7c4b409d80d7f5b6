# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fits the matrix engine's constants to measured products of a Gaudi 1.

The model is the one of lib/Timing: the program DeviceTime predicts all rows
with the constants that this script tries. The fit minimises relative errors
with a soft L1 loss, so that a few rows decide little. Cross-validation leaves
out one shape (M, K, N, type; with any transposes) at a time.
"""

import csv
import pathlib
import subprocess
import sys

import numpy
import scipy.optimize

HERE = pathlib.Path(__file__).resolve().parent
PROGRAM = HERE.parent.parent / "build/release/bin/DeviceTime"
# Name, where the search begins, unit.
CONSTANTS = [
    ("launch", 13e-6, "s per launch of a graph"),
    ("slowdown", 1.02, "of the array against its cycle model"),
    ("read", 890e9, "bytes/s read from HBM"),
    ("write", 370e9, "bytes/s written to HBM"),
    ("handover", 2e-6, "s per slice of an operand"),
]


class Model:
    """The program, asked for predictions of all rows of a file."""

    def __init__(self, path):
        self.process = subprocess.Popen(
            [PROGRAM, path, "--vary"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __call__(self, constants):
        words = (f"{name}={value!r}" for (name, _, _), value in zip(CONSTANTS, constants))
        try:
            self.process.stdin.write(" ".join(words) + "\n")
            self.process.stdin.flush()
            answer = self.process.stdout.readline()
        except BrokenPipeError:
            answer = ""
        if not answer:  # the program has printed why
            sys.exit(self.process.wait() or 1)
        return numpy.array([float(word) for word in answer.split()])


def fit(model, measured, rows, start):
    """Constants of least relative error over the rows (a mask)."""
    scale = numpy.array([begin for _, begin, _ in CONSTANTS])

    def errors(relative):
        return (100 * (model([float(x) for x in relative * scale]) / measured - 1))[rows]

    found = scipy.optimize.least_squares(
        errors, start / scale, loss="soft_l1", diff_step=1e-4, bounds=(0.1, 10)
    )
    return found.x * scale


def summary(errors):
    errors = 100 * numpy.abs(errors)
    return (
        f"mean {errors.mean():.2f} %, median {numpy.median(errors):.2f} %, "
        f"p95 {numpy.quantile(errors, 0.95):.2f} %, worst {errors.max():.2f} %"
    )


def main():
    path = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "gaudi1_gemm.csv"
    model = Model(path)
    start = numpy.array([begin for _, begin, _ in CONSTANTS])
    predicted = model([float(x) for x in start])  # also checks the file
    with open(path, newline="", encoding="utf-8-sig") as file:
        table = [row for row in csv.DictReader(file) if row["id"] is not None]
    measured = numpy.array(
        [
            float(row.get("us_per_gemm") or 0)
            or 2e-6 * int(row["M"]) * int(row["K"]) * int(row["N"]) / float(row["tops_measured"])
            for row in table
        ]
    )
    assert len(measured) == len(predicted)
    everything = numpy.ones(len(table), bool)
    best = fit(model, measured, everything, start)
    print(f"fitted rows (id): {' '.join(row['id'] for row in table)}")
    print("constants:")
    for (name, _, unit), value in zip(CONSTANTS, best):
        print(f"  {name:9} {value:.5g} {unit}")
    print(f"all {len(table)} rows: {summary(model([float(x) for x in best]) / measured - 1)}")

    shapes = [tuple(row[c] for c in ("chip", "M", "K", "N", "dtype")) for row in table]
    errors = numpy.zeros(len(table))
    spread = []
    for shape in dict.fromkeys(shapes):
        left_out = numpy.array([other == shape for other in shapes])
        if left_out.all():
            sys.exit("error: cross-validation needs more than one shape")
        constants = fit(model, measured, ~left_out, best)
        spread.append(constants)
        errors[left_out] = (model([float(x) for x in constants]) / measured - 1)[left_out]
    print(f"leave one shape out ({len(spread)} shapes): {summary(errors)}")
    for (name, _, _), low, high in zip(CONSTANTS, numpy.min(spread, 0), numpy.max(spread, 0)):
        print(f"  {name:9} {low:.5g} to {high:.5g}")
    print("largest errors:")
    for i in numpy.argsort(-numpy.abs(errors))[:10]:
        row = table[i]
        print(
            f"  id {row['id']:>4} {row['dtype']} {row['M']} x {row['K']} x {row['N']}: "
            f"{100 * errors[i]:+.2f} %"
        )


if __name__ == "__main__":
    main()
