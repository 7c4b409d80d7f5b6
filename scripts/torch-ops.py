#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the samples of PyTorch's own operator suite (op_db) through the torch dialect, and compares with PyTorch.

Usage: torch-ops.py [--dtype NAME] [--samples N] [--seconds N] [--jobs N] [--limit N] [--seed N] [--csv FILE] [OP...]

Each sample is traced to a graph of ATen ops, of which those that Operators.def lacks are decomposed by PyTorch; the
graph is written as text of the torch dialect, compiled and run on the device, with all tensors as inputs. Verdicts of
an op: right, refused (with the reason), wrong, crashed, hung, no graph (the op cannot be traced, or needs no device).
An op with several samples is right if all are. --samples 0 takes all, --limit that many ops in a random order of the
seed. Needs PyTorch and expecttest; PYTHONPATH names the package that was built. Exit code 1 if a value is wrong, a
process died or hung, or nothing was right.
"""
import argparse
import collections
import csv
import functools
import os
import pathlib
import random
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts" / "oracle"))
from children import judged  # noqa: E402

# Allowed: relative to the largest value of the result, by type.
TOLERANCE = {"float32": 2e-5, "bfloat16": 2e-2, "float16": 3e-3}


def known_ops():
    """The names of the rows: "aten.add.Tensor"."""
    text = (ROOT / "include" / "Gaudi" / "Torch" / "Operators.def").read_text()
    return {f"{space}.{name}" for space, name in re.findall(r'GAUDI_TORCH_OP\("(\w+)::([\w.]+)\(', text)}


def name_of(overload):
    schema = overload._schema
    name = schema.name.replace("::", ".")
    return name + (f".{schema.overload_name}" if schema.overload_name else "")


def judge(case, dtype, samples, seed):
    """Verdict and reason for one op; runs in another process."""
    name, variant = case
    import numpy as np
    import torch
    from torch.fx.experimental.proxy_tensor import make_fx
    from torch.testing._internal.common_methods_invocations import op_db

    import gaudi_mlir
    import torch_text

    known = known_ops()
    table = {overload: function for overload, function in torch._decomp.core_aten_decompositions().items()
             if name_of(overload) not in known}
    op = next(each for each in op_db if each.name == name and each.variant_test_name == variant)
    torch.manual_seed(seed)
    counts, reasons = collections.Counter(), {}

    def note(verdict, reason=""):
        counts[verdict] += 1
        reasons.setdefault(verdict, reason)

    try:
        given = list(op.sample_inputs("cpu", getattr(torch, dtype), requires_grad=False))
    except Exception as error:  # the suite's own
        return "no graph", f"samples: {error}"
    random.Random(seed).shuffle(given)
    for sample in given[:samples] if samples else given:
        leaves, spec = torch.utils._pytree.tree_flatten((sample.input, sample.args, sample.kwargs))
        tensors = [each for each in leaves if isinstance(each, torch.Tensor)]

        def call(*tensors, leaves=leaves, spec=spec):
            left = iter(tensors)
            filled = [next(left) if isinstance(each, torch.Tensor) else each for each in leaves]
            value, args, kwargs = torch.utils._pytree.tree_unflatten(filled, spec)
            result = op.op(value, *args, **kwargs)
            return [each for each in torch.utils._pytree.tree_leaves(result) if isinstance(each, torch.Tensor)]

        try:
            graph = make_fx(torch.func.functionalize(call), decomposition_table=table)(*tensors)
            graph.graph.eliminate_dead_code()
        except Exception as error:
            note("no graph", str(error).split("\n")[0])
            continue
        if not any(node.op == "call_function" for node in graph.graph.nodes):
            note("no graph", "it computes nothing")
            continue
        try:
            expected = [each.detach() for each in call(*tensors)]
            writer = torch_text.Writer(graph)
            text = writer.text(graph.graph)
        except (torch_text.Unwritten, KeyError) as error:
            note("refused", f"not written: {error}")
            continue
        arrays = []
        for kind, node in writer.inputs:
            value = getattr(graph, node.target) if kind == "get_attr" else tensors[
                [each for each in graph.graph.nodes if each.op == "placeholder"].index(node)]
            arrays.append(value.detach())
        try:
            recipe = gaudi_mlir.compile(text)
        except gaudi_mlir.CompileError as error:
            found = [line for line in str(error).splitlines() if "cannot convert" in line]
            note("refused", (found or str(error).splitlines())[0][-300:])
            continue
        if not expected:
            continue
        try:
            got = recipe.run([each.contiguous() for each in arrays])
        except Exception as error:  # what was compiled must run
            note("wrong", f"run: {error}"[:300])
            continue
        if len(got) != len(expected):
            note("wrong", f"{len(got)} results, expected {len(expected)}")
            continue
        for value, want in zip(got, expected):
            value = np.asarray(value)
            if value.dtype.kind == "V" or value.dtype.name not in dir(torch):  # of ml_dtypes
                value = value.astype(np.float32)
            value = torch.as_tensor(value)
            if tuple(value.shape) != tuple(want.shape):
                note("wrong", f"shape {tuple(value.shape)}, expected {tuple(want.shape)}")
                break
            if name.startswith(("empty", "new_empty")):  # of any value
                continue
            if want.dtype.is_floating_point:
                a, b = value.double(), want.double()
                finite = torch.isfinite(b)
                largest = float(b[finite].abs().max()) if finite.any() else 0.0
                close = torch.isclose(a, b, rtol=0, atol=TOLERANCE.get(dtype, 1e-5) * max(largest, 1e-6),
                                      equal_nan=True)
            else:
                close = value.to(want.dtype) == want
            if not bool(close.all()):
                note("wrong", f"{int((~close).sum())} of {close.numel()} elements; inputs "
                     f"{[tuple(each.shape) for each in arrays]} {sample.args} {sample.kwargs}"[:300])
                break
        else:
            note("right")
    for verdict in ("wrong", "refused", "right", "no graph"):
        if counts[verdict]:
            return verdict, reasons[verdict]
    return "no graph", "no samples"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("ops", nargs="*")
    parser.add_argument("--dtype", default="float32")
    parser.add_argument("--samples", type=int, default=4)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--seconds", type=int, default=120, help="for one op")
    parser.add_argument("--limit", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--csv")
    args = parser.parse_args()
    import torch
    from torch.testing._internal.common_methods_invocations import op_db

    import gaudi_mlir  # before processes fork
    torch._decomp.core_aten_decompositions()
    cases = [(op.name, op.variant_test_name) for op in op_db
             if getattr(torch, args.dtype) in op.dtypes and (not args.ops or op.name in args.ops)]
    random.Random(args.seed).shuffle(cases)
    if args.limit:
        cases = cases[:args.limit]
    counts, rows = collections.Counter(), []
    work = functools.partial(judge, dtype=args.dtype, samples=args.samples, seed=args.seed)
    for case, row, why in judged(collections.deque(cases), work, args.seconds, args.jobs):
        verdict, reason = row or (why.partition(":")[0], why)
        reason = reason.replace("\n", " ")
        counts[verdict] += 1
        rows.append((*case, verdict, reason))
        if verdict != "right":
            print(f"{verdict:9} {case[0]}{'.' + case[1] if case[1] else ''}: {reason}", flush=True)
    if args.csv:
        with open(args.csv, "w", newline="") as stream:
            csv.writer(stream).writerows(sorted(rows))
    print(f"{args.dtype}: {sum(counts.values())} ops, " + ", ".join(f"{n} {v}" for v, n in counts.most_common()))
    return int(any(counts[each] for each in ("wrong", "crashed", "hung")) or not counts["right"])


if __name__ == "__main__":
    sys.exit(main())
