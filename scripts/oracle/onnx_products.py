# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Convolutions, poolings, products, normalisations and quantized operators, drawn at random."""

import numpy as np

from onnx_case import cases
from random_case import BF, F16, F32, I16, I32, I64, I8, U16, U32, U8


def convattrs(draw, n, sp):
    """Kernel, dilations, strides, auto_pad and pads of `n` dimensions."""
    k = [min(draw.choice([1, 2, 3, 3]), sp[j] + 1) for j in range(n)]
    d = [draw.choice([1, 1, 2]) for _ in range(n)]
    st = [draw.choice([1, 1, 2, 3]) for _ in range(n)]
    mode = draw.choice(["NOTSET"] * 4 + ["SAME_UPPER", "SAME_LOWER", "VALID"])
    pads = [draw.integer(0, 2) for _ in range(2 * n)]
    return k, d, st, mode, pads


def pick(draw, attributes, k=0.8):
    """An attribute, left out at times."""
    return attributes if draw.chance(k) else None


@cases("Conv", weight=4)
def draw_conv(draw):
    draw.versions()
    n = draw.choice([1, 2, 2, 3])
    groups = draw.choice([1, 1, 2, 3])
    ci = groups * draw.integer(1, 3)
    co = groups * draw.integer(1, 3)
    N = draw.integer(1, 2)
    if draw.chance(0.15):
        ci = co = groups = draw.integer(2, 4)
    sp = [draw.choice([3, 4, 5, 7, 8]) for _ in range(n)]
    k, d, st, mode, pads = convattrs(draw, n, sp)
    if mode != "NOTSET":
        pads = None
    for j in range(n):
        lo = (pads[j] + pads[n + j]) if pads else 0
        while (k[j] - 1) * d[j] + 1 > sp[j] + lo:
            sp[j] += 1
    dtype = draw.choice([F32, F32, F16]) if draw.opset < 22 else draw.choice([F32, F16, BF])
    x, w = draw.value([N, ci, *sp], dtype, 0, special=False), draw.value(
        [co, ci // groups, *k], dtype, 0.6, special=False
    )
    b = draw.value([co], dtype, 0.6, special=False) if draw.chance(0.5) else ""
    draw.op(
        "Conv",
        [x, w, b],
        kernel_shape=pick(draw, k, 0.5),
        dilations=pick(draw, d) if any(v > 1 for v in d) else pick(draw, d, 0.2),
        strides=st if any(v > 1 for v in st) else pick(draw, st, 0.3),
        group=groups if groups > 1 else pick(draw, 1, 0.3),
        auto_pad=mode if mode != "NOTSET" else pick(draw, "NOTSET", 0.1),
        pads=pads,
    )


@cases("ConvTranspose", weight=4)
def draw_conv_transpose(draw):
    draw.versions()
    n = draw.choice([1, 2, 2, 3])
    groups = draw.choice([1, 1, 2, 3])
    ci = groups * draw.integer(1, 3)
    co = draw.integer(1, 3)
    N = draw.integer(1, 2)
    sp = [draw.choice([1, 2, 3, 4, 5]) for _ in range(n)]
    k = [draw.choice([1, 2, 3, 4]) for _ in range(n)]
    d = [draw.choice([1, 1, 2]) for _ in range(n)]
    st = [draw.choice([1, 2, 3]) for _ in range(n)]
    mode = draw.choice(["NOTSET"] * 4 + ["SAME_UPPER", "SAME_LOWER", "VALID"])
    pads = [draw.integer(0, 1) for _ in range(2 * n)] if mode == "NOTSET" else None
    op_ = [draw.integer(0, max(st[j], d[j]) - 1) for j in range(n)] if draw.chance(0.4) else None
    osh = None
    if draw.chance(0.2):
        osh = [(sp[j] - 1) * st[j] + (k[j] - 1) * d[j] + 1 - draw.integer(0, 1) for j in range(n)]
        pads = None
    dtype = draw.choice([F32, F32, F16])
    draw.op(
        "ConvTranspose",
        [
            draw.value([N, ci, *sp], dtype, 0, special=False),
            draw.value([ci, co, *k], dtype, 0.6, special=False),
            draw.value([co * groups], dtype, 0.6, special=False) if draw.chance(0.5) else "",
        ],
        kernel_shape=pick(draw, k, 0.6),
        dilations=d,
        strides=st,
        group=groups,
        auto_pad=mode if mode != "NOTSET" else None,
        pads=pads,
        output_padding=op_,
        output_shape=osh,
    )


def pool(draw, t, dtypes):
    """An image and the attributes of a pooling; the image is grown until a window fits."""
    n = draw.choice([1, 2, 2, 3])
    sp = [draw.choice([3, 4, 5, 7, 8]) for _ in range(n)]
    k, d, st, mode, pads = convattrs(draw, n, sp)
    dil = (t == "MaxPool" and draw.opset >= 10) or (
        t != "MaxPool" and draw.opset >= (19 if t == "AveragePool" else 18)
    )
    if not dil:
        d = [1] * n
    ceil = draw.choice([None, 0, 1, 1]) if draw.opset >= (18 if t == "LpPool" else 10) else None
    if mode != "NOTSET":
        pads = None
    else:
        pads = [min(p, k[j % n] - 1) for j, p in enumerate(pads)]
    for j in range(n):
        while (k[j] - 1) * d[j] + 1 > sp[j]:
            sp[j] += 1
    attributes = dict(
        kernel_shape=k,
        strides=pick(draw, st),
        pads=pads,
        auto_pad=mode if mode != "NOTSET" else None,
        dilations=d if dil and draw.chance(0.7) else None,
        ceil_mode=ceil,
    )
    dtype = draw.choice(dtypes)
    return (
        draw.array(
            [draw.integer(1, 2), draw.integer(1, 3), *sp],
            dtype,
            special=draw.special and t == "MaxPool",
        ),
        attributes,
    )


@cases("MaxPool", weight=4)
def draw_max_pool(draw):
    draw.versions(8)
    a, attributes = pool(draw, "MaxPool", [F32, F32, F16] + ([I8, U8] if draw.opset >= 12 else []))
    two = draw.chance(0.3)
    if two and draw.chance(0.2):
        attributes["storage_order"] = draw.integer(0, 1)
    # ONNX Runtime keeps or drops a NaN by its place in the window, and its reference drops it: it is compared nowhere.
    a = np.where(np.isnan(a), np.zeros_like(a), a)
    draw.op("MaxPool", [draw.input(a)], 2 if two else 1, **attributes)


@cases("AveragePool", weight=4)
def draw_average_pool(draw):
    draw.versions(7)
    a, attributes = pool(draw, "AveragePool", [F32, F32, F16] + ([BF] if draw.opset >= 22 else []))
    draw.op(
        "AveragePool", [draw.input(a)], count_include_pad=draw.choice([None, 0, 1, 1]), **attributes
    )


@cases("LpPool", weight=2)
def draw_lp_pool(draw):
    draw.versions(7)
    a, attributes = pool(draw, "LpPool", [F32, F32, F16])
    draw.op("LpPool", [draw.input(a)], p=draw.choice([None, 1, 2, 3]), **attributes)


@cases("GlobalAveragePool", "GlobalMaxPool", "GlobalLpPool", weight=0.6)
def draw_global_average_pool_like(draw, t):
    draw.versions()
    attributes = dict(p=draw.choice([None, 1, 3])) if "Lp" in t else {}
    draw.op(
        t,
        [
            draw.value(
                [draw.integer(1, 3), draw.integer(1, 3), *draw.shape(1, 3)],
                draw.choice([F32, F16]),
                special=False,
            )
        ],
        **attributes
    )


@cases("MatMul", weight=3)
def draw_mat_mul(draw):
    draw.versions(9)
    dtype = (
        draw.choice([F32, F32, F16, BF, I32, I64, U32])
        if draw.opset >= 13
        else draw.choice([F32, F16, I32, I64, U32])
    )
    M, K, N = draw.integer(1, 5), draw.integer(1, 6), draw.integer(1, 5)
    a, b = draw.broadcast_shapes()
    k = draw.integer(0, 5)
    sa, sb = [*a[-2:], M, K], [*b[-2:], K, N]
    if k == 0:
        sa = [K]
    elif k == 1:
        sb = [K]
    elif k == 2:
        sa, sb = [M, K], [K, N]
    elif k == 3 and draw.chance(0.3):
        sa, sb = [K], [K]
    draw.op(
        "MatMul",
        [draw.value(sa, dtype, 0.2, special=False), draw.value(sb, dtype, 0.4, special=False)],
    )


@cases("Gemm", weight=3)
def draw_gemm(draw):
    draw.versions(7)
    dtype = draw.choice(
        [F32, F32, F16, I32, I64] if draw.opset >= 11 and draw.chance(0.3) else [F32, F32, F16]
    )
    M, K, N = draw.integer(1, 5), draw.integer(1, 6), draw.integer(1, 5)
    ta, tb = draw.integer(0, 1), draw.integer(0, 1)
    cs = draw.choice([[], [1], [N], [1, N], [M, 1], [M, N], [1, 1]])
    C = draw.value(cs, dtype, 0.5, special=False) if draw.chance(0.7) or draw.opset < 11 else ""
    draw.op(
        "Gemm",
        [
            draw.value([K, M] if ta else [M, K], dtype, 0.2, special=False),
            draw.value([N, K] if tb else [K, N], dtype, 0.4, special=False),
            C,
        ],
        transA=ta,
        transB=tb,
        alpha=draw.choice([None, 1.0, 0.5, 2.0, 0.0]),
        beta=draw.choice([None, 1.0, 0.5, 2.0, 0.0]),
    )


EINS = [
    "ij,jk->ik",
    "ij,kj->ki",
    "ii->i",
    "ii",
    "ij->ji",
    "bij,bjk->bik",
    "...ij,...jk->...ik",
    "i,j->ij",
    "ijk->k",
    "ij,ij",
    "ij,j",
    "bhwc,hkc->bhwk",
    "bhwc,wkc->bhwk",
    "abc,cd,bd->a",
    "ijj->i",
    "...ii->...i",
    "i,i->",
    "ij,jk,kl->il",
    "ba,ca->cb",
    "a...,b...->ab...",
    "ij->",
    "ki,ki->k",
    "iij,jk->ik",
]


@cases("Einsum", weight=2)
def draw_einsum(draw):
    draw.versions(12)
    e = draw.choice(EINS)
    dims = {c: draw.integer(1, 4) for c in "abcdefghijklmnopqrstuvwxyz"}
    ell = draw.shape(0, 2)
    ins = [
        [d for ch in term.replace("...", "#") for d in (ell if ch == "#" else [dims[ch]])]
        for term in e.split("->")[0].split(",")
    ]
    if draw.chance(0.2):
        e = e.replace(",", " , ").replace("->", " -> ")
    draw.op("Einsum", [draw.value(s, F32, special=False) for s in ins], equation=e)


def r8(draw, s, d):
    """Bytes of all values."""
    return draw.rng.integers(0, 256, s).astype(np.uint8).view(d)


def q8(draw):
    """A type of bytes."""
    return draw.choice([U8, I8])


def zp(draw, dtype, n=None):
    """A zero point, or `n` of them."""
    return (
        draw.rng.integers(0, 256, n if n else []).astype(np.uint8).view(dtype)
        if draw.chance(0.8)
        else np.zeros(n if n else [], dtype)
    )


@cases("MatMulInteger", weight=2)
def draw_mat_mul_integer(draw):
    draw.versions(10)
    a, b = q8(draw), q8(draw)
    M, K, N = draw.integer(1, 5), draw.integer(1, 6), draw.integer(1, 5)
    bt = draw.choice([[], [], [2], [2, 3]])
    sa, sb = [*bt, M, K], ([K, N] if draw.chance(0.6) else [*bt, K, N])
    za = draw.parameter(zp(draw, a), 0.7) if draw.chance(0.6) else ""
    zb = ""
    if draw.chance(0.6):
        zb = draw.parameter(
            zp(draw, b, N) if draw.chance(0.4) and len(sb) == 2 else zp(draw, b), 0.7
        )
    if za and len(sa) == 2 and draw.chance(0.15):
        za = draw.parameter(zp(draw, a, M), 0.7)
    draw.op(
        "MatMulInteger", [draw.input(r8(draw, sa, a)), draw.parameter(r8(draw, sb, b), 0.6), za, zb]
    )


def byte_conv(draw):
    """Shapes of the image and the filter of a convolution of bytes, and its attributes."""
    n = draw.choice([1, 2, 2])
    groups = draw.choice([1, 1, 2])
    ci = groups * draw.integer(1, 2)
    co = groups * draw.integer(1, 2)
    sp = [draw.choice([4, 5, 7]) for _ in range(n)]
    k, d, st, mode, pads = convattrs(draw, n, sp)
    if mode != "NOTSET":
        pads = None
    for j in range(n):
        while (k[j] - 1) * d[j] + 1 > sp[j]:
            sp[j] += 1
    attributes = dict(strides=st, dilations=d, group=groups, pads=pads)
    if mode != "NOTSET":
        attributes["auto_pad"] = mode
    return [draw.integer(1, 2), ci, *sp], [co, ci // groups, *k], attributes


@cases("ConvInteger", weight=2)
def draw_conv_integer(draw):
    draw.versions(10)
    image, filters, attributes = byte_conv(draw)
    co = filters[0]
    a, b = U8, q8(draw)
    if draw.chance(0.3):
        a = I8
    draw.op(
        "ConvInteger",
        [
            draw.input(r8(draw, image, a)),
            draw.parameter(r8(draw, filters, b), 0.6),
            draw.parameter(zp(draw, a), 0.7) if draw.chance(0.6) else "",
            (
                draw.parameter(zp(draw, b, co) if draw.chance(0.3) else zp(draw, b), 0.7)
                if draw.chance(0.5)
                else ""
            ),
        ],
        **attributes,
    )


def sc(draw, n=None):
    """A scale, or `n` of them."""
    return draw.rng.uniform(0.01, 0.2, n if n else []).astype(np.float32)


@cases("QLinearMatMul", weight=2)
def draw_q_linear_mat_mul(draw):
    draw.versions(10)
    a, b, c = q8(draw), q8(draw), q8(draw)
    if draw.chance(0.6):
        a = c
    M, K, N = draw.integer(1, 5), draw.integer(1, 6), draw.integer(1, 5)
    bt = draw.choice([[], [], [2]])
    per = draw.chance(0.3)
    draw.op(
        "QLinearMatMul",
        [
            draw.input(r8(draw, [*bt, M, K], a)),
            draw.parameter(sc(draw)),
            draw.parameter(zp(draw, a)),
            draw.parameter(r8(draw, [K, N] if draw.chance(0.7) else [*bt, K, N], b), 0.6),
            draw.parameter(sc(draw, N if per else None)),
            draw.parameter(zp(draw, b, N if per else None)),
            draw.parameter(np.float32(draw.rng.uniform(0.05, 1))),
            draw.parameter(zp(draw, c)),
        ],
    )


@cases("QLinearConv", weight=2)
def draw_q_linear_conv(draw):
    draw.versions(10)
    image, filters, attributes = byte_conv(draw)
    co = filters[0]
    a, b = q8(draw), q8(draw)
    c = a
    per = draw.chance(0.4)
    zb = np.zeros(co if per else [], b) if draw.chance(0.6) else zp(draw, b, co if per else None)
    draw.op(
        "QLinearConv",
        [
            draw.input(r8(draw, image, a)),
            draw.parameter(sc(draw)),
            draw.parameter(zp(draw, a)),
            draw.parameter(r8(draw, filters, b), 0.7),
            draw.parameter(sc(draw, co if per else None)),
            draw.parameter(zb),
            draw.parameter(np.float32(draw.rng.uniform(0.05, 1))),
            draw.parameter(zp(draw, c)),
            (
                draw.parameter(draw.rng.integers(-500, 500, co).astype(np.int32), 0.7)
                if draw.chance(0.5)
                else ""
            ),
        ],
        **attributes,
    )


@cases("QuantizeLinear", weight=3)
def draw_quantize_linear(draw):
    draw.versions(10)
    shape = draw.shape(0, 4)
    dtype = draw.choice([U8, I8] if draw.opset < 21 else [U8, I8, U16, I16])
    xt = draw.choice([F32, F32, I32] if draw.opset < 19 else [F32, F32, F16, BF])
    attributes = {}
    per = draw.opset >= 13 and len(shape) and draw.chance(0.5)
    n = None
    if per:
        axis = draw.axis(len(shape))
        n = shape[axis]
        attributes = dict(axis=axis)
    scale = draw.rng.uniform(0.01, 2, n if n else [])
    scale = scale if draw.chance(0.5) else 2.0 ** np.round(np.log2(scale))
    st = xt if xt.kind not in "iu" else F32
    z = draw.rng.integers(
        np.iinfo(dtype).min, np.iinfo(dtype).max, n if n else [], dtype=dtype, endpoint=True
    )
    x = draw.array(shape, xt, -40, 40)
    if x.dtype.kind not in "iu":
        x = np.where(np.isnan(x.astype(np.float32)), 1, x).astype(xt)
    draw.op(
        "QuantizeLinear",
        [
            draw.input(x),
            draw.parameter(np.asarray(scale).astype(st), 0.6),
            draw.parameter(np.asarray(z), 0.6) if draw.chance(0.8) or dtype != U8 else "",
        ],
        **attributes
    )


@cases("DequantizeLinear", weight=3)
def draw_dequantize_linear(draw):
    draw.versions(10)
    shape = draw.shape(0, 4)
    dtype = draw.choice([U8, I8, I32] if draw.opset < 21 else [U8, I8, U16, I16, I32])
    st = draw.choice([F32] if draw.opset < 19 else [F32, F32, F16, BF])
    attributes = {}
    n = None
    if draw.opset >= 13 and len(shape) and draw.chance(0.5):
        axis = draw.axis(len(shape))
        n = shape[axis]
        attributes = dict(axis=axis)
    z = (
        np.zeros(n if n else [], dtype)
        if dtype == I32
        else draw.rng.integers(
            np.iinfo(dtype).min, np.iinfo(dtype).max, n if n else [], dtype=dtype, endpoint=True
        )
    )
    if draw.opset >= 21 and len(shape) and draw.chance(0.2):
        axis = draw.axis(len(shape))
        bs = draw.integer(1, 3)
        ss = list(shape)
        ss[axis] = -(-shape[axis] // bs)
        attributes = dict(axis=axis, block_size=bs)
        scale = draw.rng.uniform(0.01, 2, ss)
        z = (
            np.zeros(ss, dtype)
            if dtype == I32
            else draw.rng.integers(
                np.iinfo(dtype).min, np.iinfo(dtype).max, ss, dtype=dtype, endpoint=True
            )
        )
    else:
        scale = draw.rng.uniform(0.01, 2, n if n else [])
    lim = dict(low=-1e5 / 3, high=1e5 / 3) if dtype == I32 else dict(low=-300, high=300)
    draw.op(
        "DequantizeLinear",
        [
            draw.value(shape, dtype, 0.1, special=False if dtype == I32 else None, **lim),
            draw.parameter(np.asarray(scale).astype(st), 0.6),
            draw.parameter(np.asarray(z), 0.6) if draw.chance(0.8) else "",
        ],
        **attributes
    )


@cases("DynamicQuantizeLinear")
def draw_dynamic_quantize_linear(draw):
    draw.versions(11)
    draw.op(
        "DynamicQuantizeLinear",
        [
            draw.value(
                draw.shape(1, 3),
                F32,
                0,
                special=False,
                low=draw.choice([-4, 0.5, -9]),
                high=draw.choice([4, 1, 9]),
            )
        ],
        3,
    )


@cases("BatchNormalization")
def draw_batch_normalization(draw):
    draw.versions(9)
    shape = [draw.integer(1, 3), draw.integer(1, 4), *draw.shape(0, 3)]
    dtype = draw.choice([F32, F32, F16])
    C = shape[1]
    pt = dtype
    f = lambda lo: draw.parameter(draw.rng.uniform(lo, 2, C).astype(pt), 0.8)
    draw.op(
        "BatchNormalization",
        [draw.value(shape, dtype, 0, special=False), f(-2), f(-2), f(-2), f(0.1)],
        epsilon=draw.choice([None, 1e-3, 0.1]),
        momentum=draw.choice([None, 0.5]),
    )


@cases("LayerNormalization", weight=2)
def draw_layer_normalization(draw):
    draw.versions(17)
    shape = draw.shape(1, 4)
    axis = draw.axis(len(shape))
    ns = shape[axis:] if axis >= 0 else shape[axis + len(shape) :]
    dtype = draw.choice([F32, F32, F16, BF])
    if draw.chance(0.2):
        ns = [1 if draw.chance(0.5) else d for d in ns]
    draw.op(
        "LayerNormalization",
        [
            draw.value(shape, dtype, 0, special=False),
            draw.value(ns, dtype, 0.7, special=False),
            draw.value(ns, dtype, 0.7, special=False) if draw.chance(0.6) else "",
        ],
        draw.choice([1, 1, 1, 3]) if dtype == F32 else 1,
        axis=axis if axis != -1 else None,
        epsilon=draw.choice([None, 1e-3, 0.1]),
        stash_type=None,
    )


@cases("RMSNormalization")
def draw_rms_normalization(draw):
    draw.versions(23)
    shape = draw.shape(1, 4)
    axis = draw.axis(len(shape))
    ns = shape[axis:] if axis >= 0 else shape[axis + len(shape) :]
    dtype = draw.choice([F32, F32, F16, BF])
    draw.op(
        "RMSNormalization",
        [draw.value(shape, dtype, 0, special=False), draw.value(ns, dtype, 0.7, special=False)],
        axis=axis if axis != -1 else None,
        epsilon=draw.choice([None, 1e-3, 0.1]),
    )


@cases("GroupNormalization")
def draw_group_normalization(draw):
    draw.versions(18, 22)
    groups = draw.integer(1, 3)
    C = groups * draw.integer(1, 3)
    dtype = draw.choice([F32, F32, F16])
    k = C if draw.opset >= 21 else groups
    draw.op(
        "GroupNormalization",
        [
            draw.value([draw.integer(1, 2), C, *draw.shape(1, 3)], dtype, 0, special=False),
            draw.value([k], dtype, 0.7, special=False),
            draw.value([k], dtype, 0.7, special=False),
        ],
        num_groups=groups,
        epsilon=draw.choice([None, 0.1]),
    )


@cases("InstanceNormalization")
def draw_instance_normalization(draw):
    draw.versions(7)
    C = draw.integer(1, 4)
    dtype = draw.choice([F32, F32, F16])
    draw.op(
        "InstanceNormalization",
        [
            draw.value([draw.integer(1, 2), C, *draw.shape(1, 3)], dtype, 0, special=False),
            draw.value([C], dtype, 0.7, special=False),
            draw.value([C], dtype, 0.7, special=False),
        ],
        epsilon=draw.choice([None, 0.1]),
    )


@cases("LpNormalization")
def draw_lp_normalization(draw):
    draw.versions()
    shape = draw.shape(1, 4)
    a = draw.array(shape, draw.choice([F32, F32, F16]), special=False)
    a = a * (0 if draw.chance(0.1) else 1)
    draw.op(
        "LpNormalization",
        [draw.input(a.astype(a.dtype))],
        axis=draw.choice([None, draw.axis(len(shape))]),
        p=draw.choice([None, 1, 2]),
    )


@cases("MeanVarianceNormalization")
def draw_mean_variance_normalization(draw):
    draw.versions(9)
    shape = draw.shape(rank=4)
    draw.op(
        "MeanVarianceNormalization",
        [draw.value(shape, draw.choice([F32]), 0, special=False)],
        axes=draw.choice([None, draw.axes(4)]),
    )


@cases("LRN")
def draw_lrn(draw):
    draw.versions()
    draw.op(
        "LRN",
        [
            draw.value(
                [draw.integer(1, 2), draw.integer(1, 7), *draw.shape(rank=2)], F32, 0, special=False
            )
        ],
        size=draw.choice([1, 3, 5, 2, 4, 7]),
        alpha=draw.choice([None, 0.1, 1.0]),
        beta=draw.choice([None, 0.5, 1.0]),
        bias=draw.choice([None, 2.0]),
    )
