# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Elementwise operators, reductions and softmax, drawn at random."""

import numpy as np

from onnx_case import ALL, FL, INT, NUM, SI, UI, cases
from random_case import B, BF, F16, F32, I16, I32, I64, I8, U16, U32, U64, U8

SINCE = dict(
    Ceil=7,
    Round=11,
    Erf=9,
    Sinh=9,
    Cosh=9,
    Asinh=9,
    Acosh=9,
    Atanh=9,
    Sign=9,
    IsNaN=9,
    IsInf=10,
    Celu=12,
    HardSwish=14,
    Mish=18,
    Gelu=20,
    BitwiseNot=18,
    Shrink=9,
    ThresholdedRelu=10,
)


@cases("Abs", "Neg", "Sign")
def draw_abs_like(draw, t):
    draw.versions(13)
    draw.op(t, [draw.value(draw.shape(), draw.choice(FL + SI + (UI if t != "Neg" else [])))])


@cases(
    "Ceil",
    "Floor",
    "Round",
    "Sqrt",
    "Reciprocal",
    "Exp",
    "Log",
    "Sin",
    "Cos",
    "Tan",
    "Asin",
    "Acos",
    "Atan",
    "Sinh",
    "Cosh",
    "Tanh",
    "Asinh",
    "Acosh",
    "Atanh",
    "Erf",
    "Sigmoid",
    "Softplus",
    "Softsign",
    "HardSwish",
    "Mish",
    weight=0.35,
)
def draw_ceil_like(draw, t):
    draw.versions(SINCE.get(t, 7))
    f = (
        FL
        if draw.opset >= 22
        or (
            draw.opset >= 13
            and t in ("Ceil", "Floor", "Sqrt", "Reciprocal", "Exp", "Log", "Tanh", "Erf", "Sigmoid")
        )
        else [F32, F16]
    )
    draw.op(
        t,
        [
            draw.value(
                draw.shape(),
                draw.choice(f),
                low=-9 if draw.chance(0.2) else -3,
                high=9 if draw.chance(0.2) else 3,
            )
        ],
    )


@cases("Relu")
def draw_relu(draw):
    draw.versions(14)
    draw.op("Relu", [draw.value(draw.shape(), draw.choice(FL + SI))])


def ff(draw):
    """A parameter of an activation, or none."""
    return draw.choice([None, None, 0.0, 1.0, -1.0, 0.3, -2.5, 100.0])


@cases("LeakyRelu", "Elu", "ThresholdedRelu", "Celu")
def draw_leaky_relu_like(draw, t):
    draw.versions(SINCE.get(t, 7))
    a = ff(draw)
    if t == "Celu" and a in (0.0,):
        a = 2.0
    draw.op(
        t, [draw.value(draw.shape(), draw.choice([F32, F32, F16]) if t != "Celu" else F32)], alpha=a
    )


@cases("Selu")
def draw_selu(draw):
    draw.versions()
    draw.op(
        "Selu", [draw.value(draw.shape(), draw.choice([F32, F16]))], alpha=ff(draw), gamma=ff(draw)
    )


@cases("HardSigmoid")
def draw_hard_sigmoid(draw):
    draw.versions()
    draw.op(
        "HardSigmoid",
        [draw.value(draw.shape(), draw.choice([F32, F16]))],
        alpha=ff(draw),
        beta=ff(draw),
    )


@cases("Shrink")
def draw_shrink(draw):
    draw.versions(9)
    draw.op(
        "Shrink",
        [draw.value(draw.shape(), draw.choice([F32, F16] + INT))],
        lambd=draw.choice([None, 0.0, 0.5, 2.0]),
        bias=draw.choice([None, 0.0, 0.5, -1.0, 2.0]),
    )


@cases("Gelu")
def draw_gelu(draw):
    draw.versions(20)
    draw.op(
        "Gelu",
        [draw.value(draw.shape(), draw.choice(FL))],
        approximate=draw.choice([None, "none", "tanh"]),
    )


@cases("Swish")
def draw_swish(draw):
    draw.versions(24, 24)
    draw.op("Swish", [draw.value(draw.shape(), draw.choice(FL))], alpha=ff(draw))


@cases("PRelu")
def draw_p_relu(draw):
    draw.versions(9)
    dtype = draw.choice([F32, F32, F16, I32, I64, U32])
    shape = draw.shape(1, 4)
    sl = (
        [1 if draw.chance(0.4) else d for d in shape][draw.integer(0, len(shape)) :]
        if draw.chance(0.8)
        else [1]
    )
    draw.op("PRelu", [draw.value(shape, dtype), draw.value(sl, dtype, 0.6)])


@cases("IsNaN")
def draw_is_na_n(draw):
    draw.versions(9)
    draw.op(
        "IsNaN",
        [
            draw.value(
                draw.shape(),
                draw.choice([F32, F16, BF] if draw.opset >= 13 else [F32, F16]),
                special=True,
            )
        ],
    )


@cases("IsInf")
def draw_is_inf(draw):
    draw.versions(10)
    draw.op(
        "IsInf",
        [draw.value(draw.shape(), draw.choice(FL) if draw.opset >= 20 else F32, special=True)],
        detect_negative=draw.choice([None, 0, 1]),
        detect_positive=draw.choice([None, 0, 1]),
    )


@cases("Not")
def draw_not(draw):
    draw.versions()
    draw.op("Not", [draw.value(draw.shape(), B)])


@cases("BitwiseNot")
def draw_bitwise_not(draw):
    draw.versions(18)
    draw.op("BitwiseNot", [draw.value(draw.shape(), draw.choice(INT))])


@cases("Add", "Sub", "Mul", "Div", weight=1.3)
def draw_add_like(draw, t):
    draw.versions()
    dtype = draw.choice(NUM) if draw.opset >= 14 else draw.choice([F32, F16, I32, I64, U32])
    a, b = draw.broadcast_shapes()
    A, Bv = draw.array(a, dtype), draw.array(b, dtype)
    if t == "Div" and dtype.kind in "iu":
        Bv[Bv == 0] = 3
        if dtype.kind == "i":
            Bv = np.where(Bv == -1, -2, Bv).astype(dtype)
    draw.op(t, [draw.parameter(A, 0.2), draw.parameter(Bv, 0.3)])


@cases("Mod", weight=2)
def draw_mod(draw):
    draw.versions(10)
    dtype = draw.choice(NUM)
    a, b = draw.broadcast_shapes()
    A, Bv = draw.array(a, dtype), draw.array(b, dtype)
    if dtype.kind in "iu":
        Bv[Bv == 0] = 3
        if dtype.kind == "i":
            Bv = np.where(Bv == -1, -2, Bv).astype(dtype)
        fm = draw.choice([None, 0, 1])
    else:
        fm = 1
    draw.op("Mod", [draw.parameter(A, 0.2), draw.parameter(Bv, 0.3)], fmod=fm)


@cases("Pow", weight=2)
def draw_pow(draw):
    draw.versions(12)
    dtype = draw.choice([F32, F32, F16, BF, I32, I64])
    e = draw.choice(
        [dtype, dtype, F32, I32, I64] if draw.opset < 15 else [dtype, dtype, F32, I32, I64, U8]
    )
    a, b = draw.broadcast_shapes()
    A = draw.array(a, dtype)
    E = draw.array(
        b, e, -1 if dtype.kind == "i" else -3, 3, special=draw.special and dtype.kind == "f"
    )
    if dtype.kind in "iu" and e.kind in "f":
        E = np.round(np.abs(E)).astype(e)
    if dtype.kind in "iu" and e.kind in "iu":
        E = np.clip(E, -2 if e.kind == "i" else 0, 9).astype(e)
    draw.op("Pow", [draw.parameter(A, 0.2), draw.parameter(E, 0.5)])


@cases("And", "Or", "Xor", weight=0.5)
def draw_and_like(draw, t):
    draw.versions()
    a, b = draw.broadcast_shapes()
    draw.op(t, [draw.value(a, B), draw.value(b, B)])


@cases("Equal", "Less", "Greater", "LessOrEqual", "GreaterOrEqual")
def draw_equal_like(draw, t):
    draw.versions(12 if "Or" in t else 9)
    dtype = draw.choice(NUM + ([B] if t == "Equal" else []))
    if t == "Equal" and draw.opset < 11:
        dtype = draw.choice([I32, I64, B])
    a, b = draw.broadcast_shapes()
    x = draw.value(a, dtype, 0.2, low=-2, high=2)
    draw.op(t, [x, x if draw.chance(0.1) else draw.value(b, dtype, 0.2, low=-2, high=2)])


@cases("BitShift")
def draw_bit_shift(draw):
    draw.versions(11)
    dtype = draw.choice([U8, U16, U32, U64])
    a, b = draw.broadcast_shapes()
    S = np.asarray(draw.rng.integers(0, dtype.itemsize * 8 - 1, b, endpoint=True)).astype(dtype)
    draw.op(
        "BitShift",
        [draw.value(a, dtype), draw.parameter(S, 0.4)],
        direction=draw.choice(["LEFT", "RIGHT"]),
    )


@cases("BitwiseAnd", "BitwiseOr", "BitwiseXor")
def draw_bitwise_and_like(draw, t):
    draw.versions(18)
    dtype = draw.choice(INT + [U64])
    a, b = draw.broadcast_shapes()
    draw.op(t, [draw.value(a, dtype), draw.value(b, dtype)])


@cases("Min", "Max", weight=1.5)
def draw_min_like(draw, t):
    draw.versions(8)
    dtype = (
        draw.choice(FL + [I8, I16, I32, I64, U8, U16, U32, U64])
        if draw.opset >= 13
        else draw.choice([F32, F16] if draw.opset < 12 else [F32, F16, I32, I64, U32])
    )
    draw.op(t, [draw.value(s, dtype, 0.2) for s in draw.broadcast_shapes(draw.integer(1, 4))])


@cases("Sum", "Mean")
def draw_sum_like(draw, t):
    draw.versions(8)
    dtype = draw.choice(FL if draw.opset >= 13 else [F32, F16])
    draw.op(t, [draw.value(s, dtype, 0.2) for s in draw.broadcast_shapes(draw.integer(1, 4))])


@cases("Where")
def draw_where(draw):
    draw.versions(9)
    dtype = (
        draw.choice(ALL + [U64]) if draw.opset >= 16 else draw.choice([F32, I32, I64, U8, B, F16])
    )
    a, b, c = draw.broadcast_shapes(3)
    draw.op("Where", [draw.value(a, B), draw.value(b, dtype), draw.value(c, dtype)])


@cases("Clip", weight=2)
def draw_clip(draw):
    draw.versions(7)
    if draw.opset < 11:
        lo, hi = sorted(draw.rng.uniform(-3, 3, 2))
        return draw.op(
            "Clip",
            [draw.value(draw.shape(), draw.choice([F32, F16]))],
            min=draw.choice([None, float(lo)]),
            max=draw.choice([None, float(hi)]),
        )
    dtype = draw.choice([F32, F16, BF] + INT + [U64]) if draw.opset >= 12 else F32
    v = np.sort(draw.array([2], dtype, -2, 2, special=False))
    if draw.chance(0.15):
        v = v[::-1]  # min > max
    lo = draw.parameter(np.asarray(v[0]), 0.6) if draw.chance(0.7) else ""
    hi = draw.parameter(np.asarray(v[1]), 0.6) if draw.chance(0.7) else ""
    draw.op("Clip", [draw.value(draw.shape(), dtype), lo, hi])


@cases(
    "ReduceSum",
    "ReduceMean",
    "ReduceMax",
    "ReduceMin",
    "ReduceProd",
    "ReduceL1",
    "ReduceL2",
    "ReduceLogSum",
    "ReduceLogSumExp",
    "ReduceSumSquare",
    weight=1.3,
)
def draw_reduce_sum_like(draw, t):
    draw.versions(7)
    rank = draw.integer(0, 4)
    shape = draw.shape(rank=rank)
    dtypes = [F32, F32, F16, I32, I64, U32] + ([BF] if draw.opset >= 13 else [])
    if t in ("ReduceMax", "ReduceMin"):
        dtypes += ([I8, U8] if draw.opset >= 12 else []) + ([B] if draw.opset >= 20 else [])
    if t in ("ReduceLogSum", "ReduceLogSumExp", "ReduceL2"):
        dtypes = [d for d in dtypes if d.kind not in "iu"]
    dtype = draw.choice(dtypes)
    a = draw.array(shape, dtype, 0.2 if t == "ReduceLogSum" else -2, 2)
    kd = draw.choice([None, 0, 1])
    axis = draw.axes(rank, True)
    newform = draw.opset >= 18 or (t == "ReduceSum" and draw.opset >= 13)
    if newform:
        k = draw.integer(0, 3)
        noop = draw.choice([None, 0, 1])
        axin = "" if k == 0 else draw.parameter(np.array(axis, np.int64), 0.9)
        draw.op(t, [draw.input(a), axin], keepdims=kd, noop_with_empty_axes=noop)
    else:
        draw.op(
            t, [draw.input(a)], keepdims=kd, axes=draw.choice([axis, axis, None]) if axis else None
        )


@cases("ArgMax", "ArgMin", weight=1.5)
def draw_arg_max_like(draw, t):
    draw.versions(7)
    shape = draw.shape(1, 4)
    dtype = draw.choice([F32, F16, I32, I64, I8, U8, BF] if draw.opset >= 13 else [F32, I32])
    draw.op(
        t,
        [draw.input(draw.array(shape, dtype, -1, 1))],
        axis=draw.choice(
            [None, draw.axis(len(shape)) if draw.opset >= 11 else draw.integer(0, len(shape) - 1)]
        ),
        keepdims=draw.choice([None, 0, 1]),
        select_last_index=draw.choice([None, 0, 1]) if draw.opset >= 12 else None,
    )


@cases("Softmax", "LogSoftmax", "Hardmax", weight=1.5)
def draw_softmax_like(draw, t):
    draw.versions()
    shape = draw.shape(1, 4)
    dtype = draw.choice(FL if draw.opset >= 13 else [F32, F16])
    r = len(shape)
    axis = (
        draw.choice([None, draw.axis(r)])
        if draw.opset >= 11
        else draw.choice([None, draw.integer(0, r - 1)])
    )
    if axis is None and draw.opset < 13 and r < 2:
        axis = 0
    draw.op(t, [draw.value(shape, dtype, low=-3, high=3)], axis=axis)
