#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the node tests of the package onnx, with the values that it expects, through gaudi_mlir.onnx.

Usage: onnx-node-tests.py [--filter REGEX] [--results FILE] [--jobs N] [--seconds N]

The cases are imported, compiled and run in other processes, some after each other in one, with a
limit of time for each case and of memory. A case is one of: right; constants (refused as it is,
right with its inputs of sizes, axes and the like as constants); wrong; refused (an OnnxError or
CompileError); traceback (another exception); crashed; hung. --results has a line for each case;
cases that are in it are not run again. Prints what is not right and a table. Exit code 1 if a case
is wrong, a traceback, crashed or hung.

Needs gaudi_mlir, onnx and torch-mlir: scripts/test-frameworks.sh sets them up.
"""
import argparse
import collections
import contextlib
import csv
import pathlib
import re
import sys
import warnings

import ml_dtypes
import numpy as np
import onnx
from onnx import TensorProto, numpy_helper
from onnx.backend.test import loader

import gaudi_mlir
from gaudi_mlir import onnx as gaudi_onnx

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "oracle"))
from children import judged  # noqa: E402 (the path is set above)

BAD = ("wrong", "traceback", "crashed", "hung")
# Inputs with more elements are data; so are the first input, and floats of other names.
MAX_PARAMETERS = 16
FLOAT_PARAMETERS = {"scales", "roi", "score_threshold", "iou_threshold", "window"}


def array_of(value):
    """A value of a test as an array; None if it is a sequence or left out."""
    if isinstance(value, TensorProto):
        value = numpy_helper.to_array(value)
    return None if value is None or isinstance(value, list) else np.asarray(value)


def with_constants(model, feeds):
    """The model whose parameters (sizes, axes, pads) are constants; None if it has none."""
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    first = model.graph.node[0].input[0] if model.graph.node[0].input else ""
    names = [value.name for value in copy.graph.input
             if value.name != first and is_parameter(value.name, feeds[value.name])]
    if not names:
        return None
    kept = [value for value in copy.graph.input if value.name not in names]
    del copy.graph.input[:]
    copy.graph.input.extend(kept)
    copy.graph.initializer.extend(numpy_helper.from_array(feeds[name], name) for name in names)
    return copy


def is_parameter(name, array):
    if array is None or array.size > MAX_PARAMETERS:
        return False
    integer = array.ndim <= 1 and array.dtype in (np.int32, np.int64)
    return integer or name in FLOAT_PARAMETERS or array.dtype == np.bool_ and array.ndim == 0


def tolerance(case, dtype):
    """That of the case. For bf16 it is less than one spacing of its values, and what is expected is
    rounded after each op: two spacings, except of casts, where rounding is all that is done."""
    casts = all(node.op_type in ("Cast", "CastLike") for node in case.model.graph.node)
    return case.rtol if casts or dtype != ml_dtypes.bfloat16 else max(case.rtol, 2 ** -6)


def difference(case, got, wanted):
    """What differs, or None."""
    if len(got) != len(wanted):
        return f"{len(got)} results instead of {len(wanted)}"
    for index, (result, value) in enumerate(zip(got, wanted)):
        value = array_of(value)
        if (result.dtype, value.dtype) == (np.int64, np.uint64):  # the device has no ui64
            result = result.view(np.uint64)
        if (result.dtype, result.shape) != (value.dtype, value.shape):
            return (f"result {index} is {result.dtype}{list(result.shape)} instead of "
                    f"{value.dtype}{list(value.shape)}")
        exact = value.dtype.kind in "biu"
        a, b = (x if exact else x.astype(np.float64) for x in (result, value))
        # What cancels is off by a little of the largest value.
        finite = np.abs(b[np.isfinite(b)]) if not exact else b
        atol = max(case.atol, 1e-6 * finite.max()) if not exact and finite.size else case.atol
        rtol = tolerance(case, value.dtype)
        equal = a == b if exact else np.isclose(a, b, rtol, atol, equal_nan=True)
        if not np.all(equal):
            at = tuple(int(i) for i in np.argwhere(~np.atleast_1d(equal))[0])
            return (f"result {index}, {int(np.sum(~equal))} of {equal.size} differ: {list(at)} is "
                    f"{np.atleast_1d(a)[at]} instead of {np.atleast_1d(b)[at]}")
    return None


def attempt(case, model, feeds, wanted):
    """Status and detail of one model."""
    try:
        recipe = gaudi_onnx.compile(model)
        inputs = {name: value for name, value in feeds.items()
                  if name in {each.name for each in model.graph.input}}
        got = recipe.run(inputs)
    except (gaudi_onnx.OnnxError, gaudi_mlir.Error) as error:
        return "refused", " ".join(str(error).split())
    except Exception as error:  # anything else is a defect
        return "traceback", f"{type(error).__name__}: {' '.join(str(error).split())}"
    found = difference(case, got, wanted)
    return ("wrong", found) if found else ("right", "")


def judge(case):
    inputs, wanted = case.data_sets[0]
    names = [value.name for value in case.model.graph.input]
    feeds = {name: array_of(value) for name, value in zip(names, inputs)}
    status, detail = attempt(case, case.model, feeds, wanted)
    if status != "refused":
        return status, detail
    model = with_constants(case.model, feeds)
    if model is None:
        return status, detail
    second, other = attempt(case, model, feeds, wanted)
    if second == "right":
        return "constants", detail
    return second, other


def run(cases, args, results):
    """Runs the cases that have no result yet."""
    by_name = {case.name: case for case in cases}
    waiting = collections.deque(name for name in by_name if name not in results)
    with contextlib.ExitStack() as stack:
        writer = None
        if args.results:
            file = stack.enter_context(open(args.results, "a", newline=""))
            writer = csv.writer(file)
        for name, rows, why in judged(waiting, lambda name: judge(by_name[name]), args.seconds, args.jobs):
            if rows is None:
                kind, _, detail = why.partition(": ")
                rows = kind, detail
            results[name] = (name, *rows)
            if writer:
                writer.writerow(results[name])
                file.flush()


def read(path):
    if not path or not path.exists():
        return {}
    with open(path, newline="") as file:
        return {row[0]: tuple(row) for row in csv.reader(file)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--filter", default="", help="only cases whose name matches")
    parser.add_argument("--results", type=pathlib.Path, help="CSV file of results")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=120, help="limit of a case")
    args = parser.parse_args()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the cases are computed here, some of them with overflow
        cases = [case for case in loader.load_model_tests(kind="node")
                 if re.search(args.filter, case.name)]
    results = read(args.results)
    run(cases, args, results)
    rows = [results[case.name] for case in cases]
    for name, status, detail in rows:
        if status in BAD:
            print(f"{status}: {name}: {detail}")
    for status, count in collections.Counter(row[1] for row in rows).most_common():
        print(f"{count:5} {status}")
    sys.exit(any(row[1] in BAD for row in rows))


if __name__ == "__main__":
    main()
