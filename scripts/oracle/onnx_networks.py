# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Recurrent layers, losses, attention, transforms and operators of ONNX Runtime, at random."""

import numpy as np

from onnx_case import MICROSOFT, cases
from onnx_products import pool, q8, r8, sc, zp
from random_case import F16, F32, I16, I32, I64, U8


def recurrent(draw, t, gates):
    """A recurrent layer with so many gates, in any direction."""
    draw.versions(7)
    d = draw.choice(["forward", "reverse", "bidirectional"])
    nd_ = 2 if d == "bidirectional" else 1
    T, N, I, H = draw.integer(1, 4), draw.integer(1, 3), draw.integer(1, 4), draw.integer(1, 4)
    lay = draw.choice([0, 0, 1]) if draw.opset >= 14 else 0
    x = draw.value([N, T, I] if lay else [T, N, I], F32, 0, special=False, low=-1, high=1)
    f = lambda s, c=0.6: draw.value(s, F32, c, special=False, low=-1, high=1)
    ins = [
        x,
        f([nd_, gates * H, I]),
        f([nd_, gates * H, H]),
        f([nd_, 2 * gates * H]) if draw.chance(0.6) else "",
        draw.parameter(np.full([N], T, np.int32), 1) if draw.chance(0.2) else "",
    ]
    hs = [N, nd_, H] if lay else [nd_, N, H]
    if draw.chance(0.5):
        ins.append(f(hs, 0.2))
    else:
        ins.append("")
    if t == "LSTM":
        ins.append(f(hs, 0.2) if draw.chance(0.5) else "")
    attributes = dict(
        direction=d if d != "forward" or draw.chance(0.5) else None,
        hidden_size=H,
        layout=lay or None,
    )
    if t == "GRU":
        attributes["linear_before_reset"] = draw.choice([None, 0, 1])
    if t == "LSTM" and draw.chance(0.2):
        attributes["input_forget"] = draw.integer(0, 1)
    if draw.chance(0.3):
        attributes["activations"] = [
            draw.choice(["Tanh", "Sigmoid", "Relu"])
            for _ in range({"LSTM": 3, "GRU": 2, "RNN": 1}[t] * nd_)
        ]
    draw.op(t, ins, draw.integer(1, 3 if t == "LSTM" else 2), **attributes)


@cases("LSTM", weight=1.5)
def draw_lstm(draw):
    recurrent(draw, "LSTM", 4)


@cases("GRU", weight=1.5)
def draw_gru(draw):
    recurrent(draw, "GRU", 3)


@cases("RNN")
def draw_rnn(draw):
    recurrent(draw, "RNN", 1)


@cases("NegativeLogLikelihoodLoss", "SoftmaxCrossEntropyLoss")
def draw_loss(draw, kind):
    draw.versions(12)
    C = draw.integer(2, 5)
    sp = draw.shape(0, 2)
    N = draw.integer(1, 3)
    ii = draw.choice([None, None, -1, 1])
    lab = draw.rng.integers(0, C, [N, *sp])
    if ii is not None:
        lab = np.where(draw.rng.random(lab.shape) < 0.3, ii, lab)
    draw.op(
        kind,
        [
            draw.value([N, C, *sp], F32, special=False),
            draw.parameter(lab.astype(draw.choice([np.int64, np.int32])), 0.1),
            (
                draw.parameter(draw.rng.uniform(0.1, 2, C).astype(np.float32), 0.6)
                if draw.chance(0.5)
                else ""
            ),
        ],
        draw.integer(1, 2) if kind.startswith("Softmax") else 1,
        reduction=draw.choice([None, "none", "sum", "mean"]),
        ignore_index=ii,
    )


@cases("Attention", weight=3)
def draw_attention(draw):
    draw.versions(23, 24)
    Nb, L, S, D, Dv = (
        draw.integer(1, 2),
        draw.integer(1, 5),
        draw.integer(1, 6),
        draw.choice([1, 2, 4, 8]),
        draw.choice([1, 2, 4, 8]),
    )
    kvh = draw.integer(1, 2)
    qh = kvh * draw.choice([1, 1, 2])
    three = draw.chance(0.4)
    dtype = draw.choice([F32, F32, F16])
    f = lambda s: draw.value(s, dtype, 0, special=False, low=-1, high=1)
    attributes = dict(
        is_causal=draw.choice([None, 0, 1]),
        scale=draw.choice([None, 0.3]),
        softcap=draw.choice([None, None, 2.0]),
    )
    if three:
        ins = [f([Nb, L, qh * D]), f([Nb, S, kvh * D]), f([Nb, S, kvh * Dv])]
        attributes.update(q_num_heads=qh, kv_num_heads=kvh)
    else:
        ins = [f([Nb, qh, L, D]), f([Nb, kvh, S, D]), f([Nb, kvh, S, Dv])]
    past = draw.chance(0.25)
    P = draw.integer(1, 3) if past else 0
    tot = S + P
    if draw.chance(0.5):
        ms = draw.choice(
            [
                [L, tot],
                [1, 1, L, tot],
                [Nb, 1, L, tot],
                [Nb, qh, L, tot],
                [Nb, qh, 1, tot],
                [1, tot],
            ]
        )
        ins.append(
            draw.parameter(
                (
                    draw.rng.random(ms) < 0.7
                    if draw.chance(0.5)
                    else draw.rng.uniform(-1, 1, ms).astype(dtype)
                ),
                0.2,
            )
        )
    else:
        ins.append("")
    if past:
        ins += [f([Nb, kvh, P, D]), f([Nb, kvh, P, Dv])]
    no = 3 if past else draw.choice([1, 1, 4])
    if no == 4:
        attributes["qk_matmul_output_mode"] = draw.choice([None, 0, 1, 2, 3])
    outs = draw.op("Attention", ins, 4 if no == 4 else no, **attributes)
    if no == 4:
        n = draw.nodes[-1]
        if not past:
            n.output[1] = n.output[2] = ""
            draw.outputs = [outs[0], outs[3]]


@cases("RotaryEmbedding", weight=1.5)
def draw_rotary_embedding(draw):
    draw.versions(23, 23)
    Nb, L, H, D = (
        draw.integer(1, 2),
        draw.integer(1, 5),
        draw.integer(1, 3),
        draw.choice([2, 4, 6, 8]),
    )
    three = draw.chance(0.4)
    rd = draw.choice([None, None, 2])
    R = rd or D
    pos = draw.chance(0.6)
    il = draw.choice([None, 0, 1])
    dtype = draw.choice([F32, F32, F16])
    x = draw.value([Nb, L, H * D] if three else [Nb, H, L, D], dtype, 0, special=False)
    cs = [8, R // 2] if pos else [Nb, L, R // 2]
    ins = [
        x,
        draw.value(cs, dtype, 0.5, special=False, low=-1, high=1),
        draw.value(cs, dtype, 0.5, special=False, low=-1, high=1),
    ] + ([draw.parameter(draw.rng.integers(0, 8, [Nb, L]).astype(np.int64), 0.2)] if pos else [])
    draw.op(
        "RotaryEmbedding",
        ins,
        interleaved=il,
        rotary_embedding_dim=rd,
        num_heads=H if three else None,
    )


@cases("HannWindow", "HammingWindow", "BlackmanWindow", weight=0.3)
def draw_hann_window_like(draw, t):
    draw.versions(17)
    draw.op(
        t,
        [draw.parameter(np.array(draw.integer(1, 12), np.int64), 1)],
        periodic=draw.choice([None, 0, 1]),
        output_datatype=draw.choice([None, 1]),
    )


@cases("DFT")
def draw_dft(draw):
    draw.versions(17)
    shape = [draw.integer(1, 2), *[draw.integer(1, 8) for _ in range(draw.integer(1, 2))]]
    inv = draw.choice([None, 0, 1])
    cx = 2 if draw.chance(0.5) else 1
    one = draw.choice([0, 1]) if not inv and cx == 1 else None
    r = len(shape) + 1
    axis = draw.integer(1, r - 2)
    L = draw.parameter(np.array(draw.integer(1, 9), np.int64), 1) if draw.chance(0.3) else ""
    if draw.opset < 20:
        draw.op(
            "DFT",
            [draw.value([*shape, cx], F32, 0, special=False), L],
            axis=axis,
            inverse=inv,
            onesided=one,
        )
    else:
        draw.op(
            "DFT",
            [
                draw.value([*shape, cx], F32, 0, special=False),
                L,
                draw.parameter(np.array(axis - (r if draw.chance(0.3) else 0), np.int64), 1),
            ],
            inverse=inv,
            onesided=one,
        )


@cases("STFT", weight=0.5)
def draw_stft(draw):
    draw.versions(17)
    n, fl, st = draw.integer(12, 20), draw.integer(3, 8), draw.integer(1, 4)
    draw.op(
        "STFT",
        [
            draw.value([draw.integer(1, 2), n, 1], F32, 0, special=False),
            draw.parameter(np.array(st, np.int64), 1),
            (
                draw.parameter(draw.rng.uniform(0, 1, fl).astype(np.float32), 0.8)
                if draw.chance(0.7)
                else ""
            ),
            draw.parameter(np.array(fl, np.int64), 1),
        ],
        onesided=draw.choice([None, 0, 1]),
    )


@cases("Range")
def draw_range(draw):
    draw.versions(11)
    dtype = draw.choice([F32, I32, I64, I16])
    s, d = draw.integer(-5, 5), draw.choice([1, 2, -1, -3])
    e = s + d * draw.integer(1, 6) + draw.choice([0, 1]) * (1 if d > 0 else -1)
    draw.op("Range", [draw.parameter(np.array(v, dtype), 1) for v in (s, e, d)])


def ms(draw, t, ins, n=1, **attributes):
    """A node of ONNX Runtime."""
    draw.versions(13, 21)
    draw.contrib = True
    return draw.op(t, ins, n, domain=MICROSOFT, **attributes)


@cases("QLinearAdd", "QLinearMul")
def draw_q_linear_add_like(draw, t):
    d = q8(draw)
    a, b = draw.broadcast_shapes()
    ms(
        draw,
        t,
        [
            draw.input(r8(draw, a, d)),
            draw.parameter(sc(draw)),
            draw.parameter(zp(draw, d)),
            draw.parameter(r8(draw, b, d), 0.3),
            draw.parameter(sc(draw)),
            draw.parameter(zp(draw, d)),
            draw.parameter(sc(draw)),
            draw.parameter(zp(draw, d)),
        ],
    )


@cases("QLinearSigmoid", "QLinearLeakyRelu")
def draw_q_linear_sigmoid_like(draw, t):
    d = q8(draw)
    ms(
        draw,
        t,
        [
            draw.input(r8(draw, draw.shape(1, 3), d)),
            draw.parameter(sc(draw), 1),
            draw.parameter(zp(draw, d), 1),
            draw.parameter(sc(draw), 1),
            draw.parameter(zp(draw, d), 1),
        ],
        **(dict(alpha=draw.choice([None, 0.1, 0.3])) if "Leaky" in t else {})
    )


@cases("QLinearSoftmax")
def draw_q_linear_softmax(draw):
    d = q8(draw)
    shape = draw.shape(1, 3)
    ms(
        draw,
        "QLinearSoftmax",
        [
            draw.input(r8(draw, shape, d)),
            draw.parameter(sc(draw), 1),
            draw.parameter(zp(draw, d), 1),
            draw.parameter(np.float32(1 / 256), 1),
            draw.parameter(np.array(0, d) if d == U8 else np.array(-128, d), 1),
        ],
        axis=draw.axis(len(shape)),
        opset=draw.choice([13, 12]),
    )


@cases("QLinearConcat")
def draw_q_linear_concat(draw):
    d = q8(draw)
    shape = draw.shape(1, 3)
    axis = draw.axis(len(shape))
    ins = [draw.parameter(sc(draw), 1), draw.parameter(zp(draw, d), 1)]
    for _ in range(draw.integer(1, 3)):
        s = list(shape)
        s[axis] = draw.integer(1, 3)
        ins += [
            draw.input(r8(draw, s, d)),
            draw.parameter(sc(draw), 1),
            draw.parameter(zp(draw, d), 1),
        ]
    ms(draw, "QLinearConcat", ins, axis=axis)


@cases("QLinearAveragePool")
def draw_q_linear_average_pool(draw):
    d = q8(draw)
    a, attributes = pool(draw, "AveragePool", [U8])
    attributes.pop("dilations")
    cl = draw.choice([None, 0])
    ms(
        draw,
        "QLinearAveragePool",
        [
            draw.input(r8(draw, a.shape, d)),
            draw.parameter(sc(draw), 1),
            draw.parameter(zp(draw, d), 1),
            draw.parameter(sc(draw), 1),
            draw.parameter(zp(draw, d), 1),
        ],
        count_include_pad=draw.choice([None, 0, 1]),
        channels_last=cl,
        **attributes
    )


@cases("QLinearGlobalAveragePool", weight=0.6)
def draw_q_linear_global_average_pool(draw):
    d = q8(draw)
    ms(
        draw,
        "QLinearGlobalAveragePool",
        [
            draw.input(r8(draw, [draw.integer(1, 2), draw.integer(1, 3), *draw.shape(rank=2)], d)),
            draw.parameter(sc(draw), 1),
            draw.parameter(zp(draw, d), 1),
            draw.parameter(sc(draw), 1),
            draw.parameter(zp(draw, d), 1),
        ],
        channels_last=draw.choice([None, 0, 1]),
    )


@cases("QGemm")
def draw_q_gemm(draw):
    a, b = q8(draw), q8(draw)
    M, K, N = draw.integer(1, 5), draw.integer(1, 6), draw.integer(1, 5)
    ta, tb = draw.integer(0, 1), draw.integer(0, 1)
    per = draw.chance(0.3)
    sa, sb = sc(draw), sc(draw, N if per else None)
    al = draw.choice([None, 1.0, 0.5])
    q = draw.chance(0.6)
    ins = [
        draw.input(r8(draw, [K, M] if ta else [M, K], a)),
        draw.parameter(sa, 1),
        draw.parameter(zp(draw, a), 1),
        draw.parameter(r8(draw, [N, K] if tb else [K, N], b), 0.7),
        draw.parameter(sb, 1),
        draw.parameter(zp(draw, b, N if per else None), 1),
        (
            draw.parameter(
                draw.rng.integers(-500, 500, [N] if draw.chance(0.5) else [M, N]).astype(np.int32),
                0.7,
            )
            if draw.chance(0.5)
            else ""
        ),
    ]
    if q:
        ins += [draw.parameter(sc(draw), 1), draw.parameter(zp(draw, a), 1)]
    ms(draw, "QGemm", ins, transA=ta, transB=tb, alpha=al)


@cases("MatMulIntegerToFloat")
def draw_mat_mul_integer_to_float(draw):
    a, b = U8, q8(draw)
    M, K, N = draw.integer(1, 5), draw.integer(1, 6), draw.integer(1, 5)
    per = draw.chance(0.3)
    ms(
        draw,
        "MatMulIntegerToFloat",
        [
            draw.input(r8(draw, [M, K], a)),
            draw.parameter(r8(draw, [K, N], b), 0.6),
            draw.parameter(sc(draw)),
            draw.parameter(sc(draw, N if per else None)),
            draw.parameter(zp(draw, a)) if draw.chance(0.6) else "",
            draw.parameter(zp(draw, b, N if per else None)) if draw.chance(0.6) else "",
            draw.value([N], F32, 0.7, special=False) if draw.chance(0.5) else "",
        ],
    )


@cases("DynamicQuantizeMatMul")
def draw_dynamic_quantize_mat_mul(draw):
    b = q8(draw)
    M, K, N = draw.integer(1, 5), draw.integer(1, 6), draw.integer(1, 5)
    per = draw.chance(0.3)
    ms(
        draw,
        "DynamicQuantizeMatMul",
        [
            draw.value([M, K], F32, 0, special=False),
            draw.parameter(r8(draw, [K, N], b), 0.7),
            draw.parameter(sc(draw, N if per else None)),
            draw.parameter(zp(draw, b, N if per else None)) if draw.chance(0.6) else "",
            draw.value([N], F32, 0.7, special=False) if draw.chance(0.5) else "",
        ],
    )


@cases("QDQ", weight=4)
def draw_qdq(draw):
    draw.versions(13, 21)
    t = draw.choice(
        [
            "Conv",
            "MatMul",
            "Gemm",
            "Add",
            "Relu",
            "MaxPool",
            "Reshape",
            "AveragePool",
            "Concat",
            "Clip",
            "Sigmoid",
            "Transpose",
        ]
    )

    def dq(s, const, per=None, axis=None, dtype=None):
        dtype = dtype or q8(draw)
        n = s[per] if per is not None else None
        z = zp(draw, dtype, n) if draw.chance(0.7) else np.zeros(n if n else [], dtype)
        return draw.op(
            "DequantizeLinear",
            [
                draw.parameter(r8(draw, s, dtype), const),
                draw.parameter(sc(draw, n), 0.95),
                draw.parameter(z, 0.95) if draw.chance(0.9) else "",
            ],
            axis=per,
        )

    per = draw.chance(0.4)
    if t == "Conv":
        groups = draw.choice([1, 2])
        ci, co = 2 * draw.integer(1, 2), 2 * draw.integer(1, 2)
        k = draw.integer(1, 3)
        x = dq([1, ci, 5, 4], 0)
        w = dq([co, ci // groups, k, k], 0.9, 0 if per else None)
        y = draw.op(
            "Conv",
            [x, w, draw.value([co], F32, 0.9, special=False) if draw.chance(0.5) else ""],
            group=groups,
            pads=[draw.integer(0, 1) for _ in range(4)],
            strides=[draw.integer(1, 2)] * 2,
        )
    elif t in ("MatMul", "Gemm"):
        M, K, N = draw.integer(1, 4), draw.integer(1, 5), draw.integer(1, 4)
        tb = draw.integer(0, 1) if t == "Gemm" else 0
        bt = draw.choice([[], [2]]) if t == "MatMul" else []
        x = dq([*bt, M, K], 0)
        w = dq([N, K] if tb else [K, N], 0.8, (0 if tb else 1) if per else None)
        y = (
            draw.op("MatMul", [x, w])
            if t == "MatMul"
            else draw.op(
                "Gemm",
                [x, w, draw.value([N], F32, 0.9, special=False) if draw.chance(0.5) else ""],
                transB=tb,
                alpha=draw.choice([None, 1.0, 0.5]),
                beta=draw.choice([None, 1.0, 2.0]),
            )
        )
    elif t in ("Add", "Concat"):
        s = draw.shape(2, 3)
        x, w = dq(s, 0), dq(s, 0.3)
        y = draw.op(t, [x, w], **(dict(axis=-1) if t == "Concat" else {}))
    elif t in ("MaxPool", "AveragePool"):
        x = dq([1, 2, 6, 5], 0)
        y = draw.op(
            t, [x], kernel_shape=[2, 3], strides=[2, 1], pads=[draw.integer(0, 1) for _ in range(4)]
        )
    elif t == "Reshape":
        x = dq([4, 3], 0)
        y = draw.op(t, [x, draw.parameter(np.array([2, -1], np.int64), 1)])
    elif t == "Clip":
        x = dq(draw.shape(1, 3), 0)
        y = draw.op(
            "Clip", [x, draw.parameter(np.float32(-1), 1), draw.parameter(np.float32(3), 1)]
        )
    elif t == "Transpose":
        x = dq(draw.shape(rank=3), 0)
        y = draw.op("Transpose", [x], perm=[2, 0, 1])
    else:
        x = dq(draw.shape(1, 3), 0)
        y = draw.op(t, [x])
    if draw.chance(0.4) and t in ("Conv", "MatMul", "Gemm", "Add"):
        y = draw.op("Relu", [y])
    if draw.chance(0.8):
        dtype = q8(draw)
        s_, z_ = draw.parameter(np.float32(draw.rng.uniform(0.02, 0.5)), 1), draw.parameter(
            zp(draw, dtype), 1
        )
        y = draw.op("QuantizeLinear", [y, s_, z_])
        if draw.chance(0.5):
            y = draw.op("DequantizeLinear", [y, s_, z_])
    draw.outputs = [y]
