# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random ONNX graphs through gaudi_mlir.onnx and ONNX Runtime."""
import re

import numpy as np

import onnx_elementwise  # noqa: F401 (each adds operators)
import onnx_moves  # noqa: F401
import onnx_networks  # noqa: F401
import onnx_products  # noqa: F401
from onnx_case import ALL, OPERATORS, OPSETS, TT, Case, Judged, merged
from random_case import B, F16, F32, I8, I32, I64, U8, NoCase
from random_trials import Batch, pick

# How often another choice is tried where one has no form in the version of a batch.
TRIALS = 40


def _further(draw, value, shape, dtype):
    """Nodes that take a value of known shape and type, by name."""
    rank, is_number = len(shape), dtype != B
    is_float = is_number and dtype.kind not in "iu"

    def constant(numbers, of=np.int64):
        return draw.parameter(np.array(numbers, of), 1)

    def one(kind, **attributes):
        return lambda: draw.op(kind, [value], **attributes)

    def other(shape=shape, share=0.5):
        return draw.parameter(draw.array(shape, dtype, special=False), share)

    def clip():
        low, high = sorted([draw.integer(0, 3), draw.integer(0, 9)])
        draw.op("Clip", [value, constant(low, dtype), constant(high, dtype)])

    found = {"Reshape": lambda: draw.op("Reshape", [value, constant([-1])]),
             "Unsqueeze": lambda: draw.op("Unsqueeze", [value, constant([draw.integer(0, rank)])]),
             "Cast": one("Cast", to=TT[draw.choice([F32, F16] if is_float else ALL)])}
    if not is_number:
        found["Not"] = one("Not")
        found["Where"] = lambda: draw.op("Where", [value, draw.value(shape, F32, 0.3),
                                                   draw.value([], F32, 0.7)])
    else:
        found.update({kind: one(kind) for kind in ("Abs", "Sign")}, Clip=clip,
                     Greater=lambda: draw.op("Greater", [value, other([], 0.8)]))
        for kind in ("Mul", "Add", "Sub", "Max", "Min"):
            found[kind] = lambda kind=kind: draw.op(kind, [value, other() if draw.chance(0.8)
                                                           else value])
    if is_number and dtype.kind != "u":
        found["Neg"] = one("Neg")
        if draw.opset >= 14:
            found["Relu"] = one("Relu")
    if is_float:
        found.update({kind: one(kind) for kind in ("Exp", "IsNaN")})
    if rank:
        axis = draw.axis(rank)
        found.update(
            Transpose=one("Transpose", perm=draw.permutation(rank)),
            Slice=lambda: draw.op("Slice", [value, *(constant([number]) for number in
                                                     (-1, -2**31, axis, -1))]),
            Tile=lambda: draw.op("Tile", [value, constant(draw.integers(rank, 1, 2))]),
            Concat=lambda: draw.op("Concat", [value, other()], axis=axis))
        if is_float:
            found["Softmax"] = one("Softmax", axis=axis)
        if dtype in (F32, I32, I64):
            found["CumSum"] = lambda: draw.op("CumSum", [value, constant(axis)],
                                              reverse=draw.integer(0, 1))
            found["TopK"] = lambda: draw.op("TopK", [value, constant([1])], 2, axis=axis)
            found["ReduceSum"] = lambda: draw.op("ReduceSum", [value, constant([axis])],
                                                 keepdims=draw.integer(0, 1))
        if dtype in (F32, F16, I32, I8, U8):
            found["ArgMax"] = one("ArgMax", axis=axis, keepdims=draw.integer(0, 1))
        if dtype in (F32, I32, I64, I8, U8):
            found["Pad"] = lambda: draw.op("Pad", [value, constant(draw.integers(2 * rank, 0, 2))],
                                           mode=draw.choice(["constant", "edge"]))
    return found


def _extend(case):
    """One more node, on a result of which ONNX Runtime says shape and type."""
    if case.opset < 13 or "" in case.outputs:
        return
    values = Judged(case).runtime
    if values is None or any(value.size == 0 or value.dtype not in TT for value in values):
        return
    name = case.choice(case.outputs)
    value = values[case.outputs.index(name)]
    further = _further(case, name, list(value.shape), value.dtype)
    further[case.choice(sorted(further))]()


def draw_case(number, args):
    opset = int(np.random.default_rng(number // 100).choice(OPSETS))
    for trial in range(TRIALS):
        case = Case([number, trial], opset)
        case.name = pick(case, OPERATORS, args.names)
        try:
            OPERATORS[case.name][0](case)
        except NoCase:
            continue
        for _ in range(case.integer(1, 2) if case.chance(args.chain) else 0):
            _extend(case)
        return Judged(case)
    raise NoCase(f"no choice has a form in version {opset}")


def judge(args, numbers):
    """The rows of a batch (random_trials.run)."""
    import gaudi_mlir
    from gaudi_mlir import onnx as gaudi_onnx
    batch, drawn = Batch(numbers), {}
    for number in numbers:
        try:
            drawn[number] = draw_case(number, args)
        except Exception as reason:  # of the generator, or of ONNX, which refuses some choices
            batch.add(number, "?", "not judged", type(reason).__name__, "")

    def attempt(cases):
        model, feeds = merged(cases, next(iter(cases.values())).case.opset)
        try:
            got = iter(gaudi_onnx.compile(model).run(feeds))
        except (gaudi_onnx.OnnxError, gaudi_mlir.Error) as error:
            return "refused", str(error)
        except Exception as error:  # anything else is a defect
            return "wrong", f"{type(error).__name__}: {error}"
        for number, case in cases.items():
            results = [next(got) for _ in case.model.graph.output]
            batch.add(number, case.name, *case.verdict(results), str(case))
            if args.case is not None:
                show(case, results)
        return None

    def culprits(words, cases):
        return [int(number) for number in re.findall(r"b(\d+)_n", words) if int(number) in cases]

    batch.run(drawn, attempt, culprits)
    return batch.rows


def show(judged, results):
    for name, array in {**judged.case.feeds, **judged.case.constants}.items():
        print(name, array.dtype, array.tolist())
    for name, arrays in (("ONNX Runtime", judged.runtime), ("reference", judged.reference),
                         ("got", results)):
        for array in arrays or []:
            print(name, np.asarray(array).dtype, np.asarray(array).tolist())
