# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operators that move, choose or convert elements, drawn at random."""

import numpy as np
from onnx import TensorProto

from onnx_case import ALL, FL, TT, cases
from random_case import B, BF, F16, F32, F64, I32, I64, I8, U32, U8


def dta(draw):
    """Any element type."""
    return draw.choice(ALL)


@cases("Reshape")
def draw_reshape(draw):
    draw.versions()
    shape = draw.shape(0, 4)
    n = int(np.prod(shape))
    out = []
    m = n
    for d in [2, 3, 5, 7, 4, 1]:
        if m % d == 0 and draw.chance(0.6):
            out.append(d)
            m //= d
    out.append(m)
    out = draw.permutation(out)
    if draw.chance(0.4):
        out[draw.integer(0, len(out) - 1)] = -1
    elif len(shape) and draw.chance(0.3):
        out = list(shape)
        out[draw.integer(0, len(shape) - 1)] = 0
    draw.op(
        "Reshape", [draw.value(shape, dta(draw)), draw.parameter(np.array(out, np.int64), 0.97)]
    )


@cases("Flatten")
def draw_flatten(draw):
    draw.versions(9)
    shape = draw.shape(0, 4)
    r = len(shape)
    draw.op(
        "Flatten",
        [draw.value(shape, dta(draw))],
        axis=(
            draw.choice([None, draw.integer(-r, r) if draw.opset >= 11 else draw.integer(0, r)])
            if r
            else draw.choice([0])
        ),
    )


@cases("Squeeze")
def draw_squeeze(draw):
    draw.versions(7)
    shape = [1 if draw.chance(0.5) else d for d in draw.shape(0, 4)]
    ones = [j for j, d in enumerate(shape) if d == 1]
    r = len(shape)
    neg = draw.opset >= 11
    axis = [j - r if neg and draw.chance(0.4) else j for j in ones if draw.chance(0.6)]
    x = draw.value(shape, dta(draw))
    if draw.opset >= 13:
        draw.op("Squeeze", [x, draw.parameter(np.array(axis, np.int64), 0.97) if axis else ""])
    else:
        draw.op("Squeeze", [x], axes=axis or None)


@cases("Unsqueeze")
def draw_unsqueeze(draw):
    draw.versions(7)
    shape = draw.shape(0, 3)
    k = draw.integer(1, 2)
    r = len(shape) + k
    axis = [int(v) for v in draw.rng.permutation(r)[:k]]
    axis = [v - r if draw.opset >= 11 and draw.chance(0.4) else v for v in axis]
    x = draw.value(shape, dta(draw))
    if draw.opset >= 13:
        draw.op("Unsqueeze", [x, draw.parameter(np.array(axis, np.int64), 0.97)])
    else:
        draw.op("Unsqueeze", [x], axes=axis)


@cases("Transpose")
def draw_transpose(draw):
    draw.versions()
    shape = draw.shape(0, 5)
    draw.op(
        "Transpose",
        [draw.value(shape, dta(draw))],
        perm=draw.choice([None, draw.permutation(len(shape))]) if shape else None,
    )


@cases("Concat")
def draw_concat(draw):
    draw.versions(7)
    shape = draw.shape(1, 4)
    axis = draw.axis(len(shape)) if draw.opset >= 11 else draw.integer(0, len(shape) - 1)
    dtype = dta(draw)
    ins = []
    for _ in range(draw.integer(1, 4)):
        s = list(shape)
        s[axis] = draw.integer(1, 4)
        ins.append(draw.value(s, dtype, 0.25))
    draw.op("Concat", ins, axis=axis)


@cases("Split", weight=1.5)
def draw_split(draw):
    draw.versions(7)
    shape = draw.shape(1, 4)
    axis = draw.axis(len(shape)) if draw.opset >= 11 else draw.integer(0, len(shape) - 1)
    dtype = dta(draw)
    k = draw.integer(1, 3)
    parts = [draw.integer(1, 3) for _ in range(k)]
    if draw.chance(0.5):
        parts = [parts[0]] * k
    uneven = draw.opset >= 18 and draw.chance(0.4)
    if uneven:
        parts = [3] * k
        parts[-1] = draw.integer(1, 3)
    if uneven and k > 1 and -(-sum(parts) // k) != 3:
        uneven = False
    shape[axis] = sum(parts)
    x = draw.value(shape, dtype)
    if draw.opset < 13:
        draw.op(
            "Split",
            [x],
            k,
            axis=axis,
            split=parts if len(set(parts)) > 1 else draw.choice([None, parts]),
        )
    elif uneven or (draw.opset >= 18 and len(set(parts)) == 1 and draw.chance(0.5)):
        draw.op("Split", [x], k, axis=axis, num_outputs=k)
    elif len(set(parts)) == 1 and draw.opset < 18 and draw.chance(0.3):
        draw.op("Split", [x], k, axis=axis)
    else:
        draw.op("Split", [x, draw.parameter(np.array(parts, np.int64), 0.97)], k, axis=axis)


@cases("Slice", weight=3)
def draw_slice(draw):
    draw.versions(7)
    shape = draw.shape(1, 4)
    r = len(shape)
    dtype = dta(draw)
    axis = [int(v) for v in draw.rng.permutation(r)[: draw.integer(1, r)]]
    if draw.opset < 10:
        axis = sorted(axis)
    st, en, sp = [], [], []
    for a in axis:
        n = shape[a]
        s = draw.integer(-n - 2, n + 2)
        e = draw.integer(-n - 2, n + 2)
        step = draw.choice([1, 1, 2, -1, -2, 3, -3]) if draw.opset >= 10 else 1
        if draw.chance(0.25):
            e = draw.choice([2**31 - 1, 2**63 - 1, -(2**31), -(2**63) + 1])
        if len(range(*slice(s, e, step).indices(n))) == 0:
            s, e = (0, n) if step > 0 else (n - 1, -n - 1)
        st.append(s)
        en.append(e)
        sp.append(step)
    axn = [a - r if draw.chance(0.3) and draw.opset >= 10 else a for a in axis]
    if draw.opset < 10:
        return draw.op("Slice", [draw.value(shape, dtype)], starts=st, ends=en, axes=axn)
    it = draw.choice([np.int64, np.int32])
    if it == np.int32:
        en = [int(np.clip(e, -(2**31), 2**31 - 1)) for e in en]
    full = axis == list(range(len(axis)))
    draw.op(
        "Slice",
        [
            draw.value(shape, dtype),
            draw.parameter(np.array(st, it), 0.97),
            draw.parameter(np.array(en, it), 0.97),
            "" if full and draw.chance(0.5) else draw.parameter(np.array(axn, it), 0.97),
            (
                ""
                if all(v == 1 for v in sp) and draw.chance(0.5)
                else draw.parameter(np.array(sp, it), 0.97)
            ),
        ],
    )


@cases("Pad", weight=3)
def draw_pad(draw):
    draw.versions(7)
    mode = draw.choice(
        ["constant", "constant", "reflect", "edge"] + (["wrap"] if draw.opset >= 19 else [])
    )
    shape = draw.shape(1, 4)
    r = len(shape)
    lim = lambda d: d - 1 if mode == "reflect" else 3
    neg = draw.chance(0.25)
    pads = [
        max(
            -(shape[j % r] - 1) // 2 if neg and draw.chance(0.4) else 0,
            draw.integer(-2 if neg else 0, max(0, min(3, lim(shape[j % r])))),
        )
        for j in range(2 * r)
    ]
    for j in range(r):
        if shape[j] + min(pads[j], 0) + min(pads[r + j], 0) <= 0:
            pads[j] = pads[r + j] = 0
        if mode == "reflect":  # after cropping reflect needs enough elements
            left = shape[j] + min(pads[j], 0) + min(pads[r + j], 0)
            pads[j] = min(pads[j], left - 1)
            pads[r + j] = min(pads[r + j], left - 1)
    dtype = draw.choice(
        [F32, F16]
        if draw.opset < 11
        else ([F32, F16, I32, I64, I8, U8, B, U32] if draw.opset >= 13 else [F32, F16, I32, I64])
    )
    m = mode if mode != "constant" or draw.chance(0.5) else None
    if draw.opset < 11:
        return draw.op(
            "Pad",
            [draw.value(shape, F32)],
            mode=m,
            pads=pads,
            value=draw.choice([None, 1.5]) if mode == "constant" else None,
        )
    v = (
        draw.parameter(draw.array([], dtype, special=False), 0.7)
        if draw.chance(0.5) and mode == "constant"
        else ""
    )
    axs = ""
    if draw.opset >= 18 and draw.chance(0.4):
        sel = [int(a) for a in draw.rng.permutation(r)[: draw.integer(1, r)]]
        pads = [pads[a] for a in sel] + [pads[r + a] for a in sel]
        axs = draw.parameter(
            np.array(
                [a - r if draw.chance(0.3) else a for a in sel], draw.choice([np.int64, np.int32])
            ),
            0.97,
        )
    draw.op(
        "Pad",
        [draw.value(shape, dtype), draw.parameter(np.array(pads, np.int64), 0.97), v, axs],
        mode=m,
    )


@cases("Tile")
def draw_tile(draw):
    draw.versions(7)
    shape = draw.shape(1, 4)
    draw.op(
        "Tile",
        [
            draw.value(shape, draw.choice(ALL)),
            draw.parameter(np.array([draw.integer(1, 3) for _ in shape], np.int64), 0.97),
        ],
    )


@cases("Expand")
def draw_expand(draw):
    draw.versions(8)
    a, b = draw.broadcast_shapes()
    draw.op("Expand", [draw.value(a, dta(draw)), draw.parameter(np.array(b, np.int64), 0.97)])


@cases("Gather", weight=1.5)
def draw_gather(draw):
    draw.versions(7)
    shape = draw.shape(1, 4)
    axis = draw.axis(len(shape)) if draw.opset >= 11 else draw.integer(0, len(shape) - 1)
    n = shape[axis]
    lo = -n if draw.opset >= 11 else 0
    draw.op(
        "Gather",
        [
            draw.value(shape, dta(draw), 0.3),
            draw.parameter(
                np.asarray(draw.rng.integers(lo, n, draw.shape(0, 3))).astype(
                    draw.choice([np.int64, np.int32])
                ),
                0.4,
            ),
        ],
        axis=axis if draw.chance(0.9) or axis else None,
    )


@cases("GatherElements", weight=1.5)
def draw_gather_elements(draw):
    draw.versions(11)
    shape = draw.shape(1, 4)
    axis = draw.axis(len(shape))
    n = shape[axis]
    si = [draw.integer(1, d) for d in shape]
    si[axis] = draw.integer(1, 6)
    draw.op(
        "GatherElements",
        [
            draw.value(shape, dta(draw), 0.3),
            draw.parameter(
                draw.rng.integers(-n, n, si).astype(draw.choice([np.int64, np.int32])), 0.3
            ),
        ],
        axis=axis,
    )


def gathered_indices(draw, data, b=0):
    """Indices of GatherND or ScatterND, and how many dimensions they name."""
    r = len(data)
    q = draw.integer(b + 1, max(b + 1, 3))
    k = draw.integer(1, r - b)
    pre = data[:b] + draw.shape(rank=q - 1 - b, most=3)
    idx = np.stack([draw.rng.integers(-data[b + j], data[b + j], pre) for j in range(k)], -1)
    return np.asarray(idx, np.int64), k


@cases("GatherND", weight=1.5)
def draw_gather_nd(draw):
    draw.versions(11)
    shape = draw.shape(1, 4)
    b = draw.integer(0, len(shape) - 1) if draw.opset >= 12 and draw.chance(0.4) else 0
    idx, k = gathered_indices(draw, shape, b)
    draw.op(
        "GatherND", [draw.value(shape, dta(draw)), draw.parameter(idx, 0.3)], batch_dims=b or None
    )


@cases("ScatterElements", weight=2)
def draw_scatter_elements(draw):
    draw.versions(11)
    shape = draw.shape(1, 3)
    axis = draw.axis(len(shape))
    n = shape[axis]
    si = [draw.integer(1, d) for d in shape]
    red = None
    dtype = dta(draw)
    if draw.opset >= 16 and draw.chance(0.6):
        red = draw.choice(["none", "add", "mul"] + (["max", "min"] if draw.opset >= 18 else []))
        dtype = draw.choice(FL + [I32, I64, I8, U8])
    dup = red not in (None, "none")
    idx = (
        draw.rng.integers(0, n, si)
        if dup
        else np.argsort(
            draw.rng.random([*si[: axis % len(shape)], n, *si[axis % len(shape) + 1 :]]),
            axis % len(shape),
        )
    )
    idx = np.take(idx, range(si[axis]), axis) if not dup else idx
    idx = np.where(draw.rng.random(idx.shape) < 0.3, idx - n, idx).astype(np.int64)
    draw.op(
        "ScatterElements",
        [
            draw.value(shape, dtype, 0.2),
            draw.parameter(idx, 0.4),
            draw.value(list(idx.shape), dtype, 0.2),
        ],
        axis=axis,
        reduction=red,
    )


@cases("ScatterND", weight=2)
def draw_scatter_nd(draw):
    draw.versions(11)
    shape = draw.shape(1, 4)
    idx, k = gathered_indices(draw, shape)
    red = None
    dtype = dta(draw)
    if draw.opset >= 16 and draw.chance(0.6):
        red = draw.choice(["none", "add", "mul"] + (["max", "min"] if draw.opset >= 18 else []))
        dtype = draw.choice(FL + [I32, I64, I8, U8])
    if red in (None, "none"):
        flat = idx.reshape(-1, k) % np.array(shape[:k])
        _, first = np.unique(flat, axis=0, return_index=True)
        if len(first) < len(flat):
            idx = idx.reshape(-1, k)[np.sort(first)]
    draw.op(
        "ScatterND",
        [
            draw.value(shape, dtype, 0.2),
            draw.parameter(idx, 0.4),
            draw.value([*idx.shape[:-1], *shape[k:]], dtype, 0.2),
        ],
        reduction=red,
    )


@cases("DepthToSpace")
def draw_depth_to_space(draw):
    draw.versions(11)
    b = draw.integer(1, 3)
    draw.op(
        "DepthToSpace",
        [
            draw.value(
                [
                    draw.integer(1, 2),
                    b * b * draw.integer(1, 3),
                    draw.integer(1, 3),
                    draw.integer(1, 3),
                ],
                draw.choice(FL + [I32, I8]) if draw.opset >= 13 else F32,
            )
        ],
        blocksize=b,
        mode=draw.choice([None, "DCR", "CRD"]),
    )


@cases("SpaceToDepth")
def draw_space_to_depth(draw):
    draw.versions(7)
    b = draw.integer(1, 3)
    draw.op(
        "SpaceToDepth",
        [
            draw.value(
                [
                    draw.integer(1, 2),
                    draw.integer(1, 3),
                    b * draw.integer(1, 3),
                    b * draw.integer(1, 3),
                ],
                F32,
            )
        ],
        blocksize=b,
    )


@cases("Trilu")
def draw_trilu(draw):
    draw.versions(14)
    draw.op(
        "Trilu",
        [
            draw.value(draw.shape(2, 4), draw.choice([F32, F16, I32, I64, B, U8])),
            (
                draw.parameter(np.array(draw.integer(-5, 5), np.int64), 0.8)
                if draw.chance(0.7)
                else ""
            ),
        ],
        upper=draw.choice([None, 0, 1]),
    )


@cases("OneHot", weight=1.5)
def draw_one_hot(draw):
    draw.versions(9)
    shape = draw.shape(0, 3)
    d = draw.integer(1, 6)
    it = draw.choice([I32, I64, F32, U8])
    vt = draw.choice([F32, I32, I64, B] + ([F16] if draw.chance(0.2) else []))
    lo = -d if it.kind != "u" else 0
    draw.op(
        "OneHot",
        [
            draw.parameter(
                np.asarray(
                    draw.rng.integers(lo - (2 if it.kind != "u" else 0), d + 2, shape)
                ).astype(it),
                0.1,
            ),
            draw.parameter(
                np.array(d, np.int64) if draw.chance(0.7) else np.array([d], np.int64), 0.97
            ),
            draw.parameter(
                np.array([0, 1] if vt == B else [draw.integer(-3, 3), draw.integer(1, 5)]).astype(
                    vt
                ),
                0.7,
            ),
        ],
        axis=draw.choice([None, draw.integer(-len(shape) - 1, len(shape))]),
    )


@cases("TopK", weight=2)
def draw_top_k(draw):
    draw.versions(10)
    shape = draw.shape(1, 4)
    axis = draw.axis(len(shape)) if draw.opset >= 11 else draw.integer(0, len(shape) - 1)
    dtype = draw.choice([F32, F32, F16, I32, I64, I8, U8]) if draw.opset >= 11 else F32
    a = draw.array(shape, dtype, -1, 1)
    if a.dtype.kind not in "iu":
        a = np.where(np.isnan(a.astype(F32)), 1, a).astype(dtype)
    k = draw.integer(1, shape[axis])
    so = draw.choice([None, 1])
    draw.op(
        "TopK",
        [draw.input(a), draw.parameter(np.array([k], np.int64), 0.97)],
        2,
        axis=axis,
        largest=draw.choice([None, 0, 1]) if draw.opset >= 11 else None,
        sorted=so if draw.opset >= 11 else None,
    )


@cases("CumSum", weight=1.5)
def draw_cum_sum(draw):
    draw.versions(11)
    shape = draw.shape(1, 4)
    dtype = draw.choice(
        [F32, I32, I64] + ([F16, BF, U32] if draw.chance(0.3) and draw.opset >= 14 else [])
    )
    draw.op(
        "CumSum",
        [
            draw.value(shape, dtype),
            draw.parameter(
                np.array(draw.axis(len(shape)), draw.choice([np.int64, np.int32])), 0.97
            ),
        ],
        exclusive=draw.choice([None, 0, 1]),
        reverse=draw.choice([None, 0, 1]),
    )


@cases("ReverseSequence")
def draw_reverse_sequence(draw):
    draw.versions(10)
    shape = draw.shape(2, 4)
    t = draw.integer(0, 1)
    draw.op(
        "ReverseSequence",
        [
            draw.value(shape, dta(draw)),
            draw.parameter(
                draw.rng.integers(1, shape[t], shape[1 - t], endpoint=True).astype(np.int64), 0.4
            ),
        ],
        batch_axis=1 - t,
        time_axis=t,
    )


@cases("EyeLike")
def draw_eye_like(draw):
    draw.versions(9)
    draw.op(
        "EyeLike",
        [draw.value(draw.shape(rank=2), draw.choice([F32, I32, I64]))],
        k=draw.choice([None, draw.integer(-4, 4)]),
        dtype=draw.choice([None, TensorProto.FLOAT, TensorProto.INT32, TensorProto.INT64]),
    )


@cases("Shape")
def draw_shape(draw):
    draw.versions(7)
    shape = draw.shape(0, 4)
    r = len(shape)
    draw.op(
        "Shape",
        [draw.value(shape, F32)],
        start=draw.choice([None, draw.integer(-r - 1, r)]) if draw.opset >= 15 else None,
        end=draw.choice([None, draw.integer(-r - 1, r + 1)]) if draw.opset >= 15 else None,
    )


@cases("Size")
def draw_size(draw):
    draw.versions()
    draw.op("Size", [draw.value(draw.shape(), F32)])


@cases("Compress", weight=0.6)
def draw_compress(draw):
    draw.versions(9)
    shape = draw.shape(1, 3)
    axis = draw.choice(
        [None, draw.axis(len(shape)) if draw.opset >= 11 else draw.integer(0, len(shape) - 1)]
    )
    n = int(np.prod(shape)) if axis is None else shape[axis]
    c = draw.rng.random(draw.integer(1, n)) < 0.5
    c[0] = True
    draw.op("Compress", [draw.value(shape, dta(draw)), draw.parameter(c, 1)], axis=axis)


@cases("Resize", weight=5)
def draw_resize(draw):
    draw.versions(10)
    n = draw.choice([1, 2, 2, 3])
    shape = [draw.integer(1, 2), draw.integer(1, 3)] + [
        draw.choice([1, 2, 3, 4, 5, 6, 7]) for _ in range(n)
    ]
    r = len(shape)
    if draw.chance(0.15):
        shape = draw.shape(1, 4)
        r = len(shape)
    mode = draw.choice(["nearest", "linear"] + (["cubic"] if draw.opset >= 11 else []))
    if mode == "cubic":
        shape = [draw.integer(1, 2), draw.integer(1, 2), draw.integer(2, 6), draw.integer(2, 6)]
        r = 4
    if mode == "linear" and r > 4:
        shape = shape[:4]
        r = 4
    lead = draw.chance(0.85) and r > 2
    out = [d if (j < 2 and lead) else draw.integer(1, 9) for j, d in enumerate(shape)]
    scales = [
        1.0 if (j < 2 and lead) else draw.choice([0.5, 0.6, 0.3, 1.0, 1.5, 2.0, 2.5, 3.0, 0.8, 1.3])
        for j in range(r)
    ]
    scales = [s if int(np.floor(shape[j] * s)) >= 1 else 1.0 for j, s in enumerate(scales)]
    dtype = (
        draw.choice([F32, F32, F16, U8, I32, I8]) if draw.opset >= 11 and mode == "nearest" else F32
    )
    if draw.opset == 10:
        return draw.op(
            "Resize",
            [
                draw.value(shape, dtype, special=False),
                draw.parameter(np.array(scales, np.float32), 0.97),
            ],
            mode=mode,
        )
    ctm = draw.choice(
        [None, "half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel"]
        + (["half_pixel_symmetric"] if draw.opset >= 19 else [])
    )
    attributes = dict(mode=mode, coordinate_transformation_mode=ctm)
    if mode == "nearest":
        attributes["nearest_mode"] = draw.choice(
            [None, "round_prefer_floor", "round_prefer_ceil", "floor", "ceil"]
        )
    if mode == "cubic":
        attributes["cubic_coeff_a"] = draw.choice([None, -0.5])
        attributes["exclude_outside"] = (
            draw.choice([None, 0, 1]) if ctm != "align_corners" else None
        )
    if draw.opset >= 18 and mode != "nearest" and draw.chance(0.3):
        attributes["antialias"] = 1
    axis = None
    if draw.opset >= 18 and draw.chance(0.25):
        axis = [int(a) for a in draw.rng.permutation(r)[: draw.integer(1, r)]]
        axis = [a for a in axis if not (lead and a < 2)] or [r - 1]
        attributes["axes"] = axis
    if axis:
        out = [out[a] for a in axis]
        scales = [scales[a] for a in axis]
    roi = draw.parameter(np.zeros(0, np.float32), 1) if draw.opset < 13 else ""
    if draw.chance(0.5):
        if draw.opset >= 18 and draw.chance(0.3):
            attributes["keep_aspect_ratio_policy"] = draw.choice(
                ["not_larger", "not_smaller", "stretch"]
            )
        draw.op(
            "Resize",
            [
                draw.value(shape, dtype, special=False),
                roi,
                draw.parameter(np.zeros(0, np.float32), 1) if draw.opset < 13 else "",
                draw.parameter(np.array(out, np.int64), 0.98),
            ],
            **attributes
        )
    else:
        draw.op(
            "Resize",
            [
                draw.value(shape, dtype, special=False),
                roi,
                draw.parameter(np.array(scales, np.float32), 0.98),
            ],
            **attributes
        )


@cases("Upsample")
def draw_upsample(draw):
    draw.versions(7, 9)
    shape = [draw.integer(1, 2), draw.integer(1, 3), draw.integer(1, 4), draw.integer(1, 4)]
    s = [1.0, 1.0, draw.choice([1.0, 2.0, 3.0, 1.5]), draw.choice([1.0, 2.0, 3.0, 1.5])]
    mode = draw.choice([None, "nearest", "linear"])
    x = draw.value(shape, F32, special=False)
    draw.op(
        "Upsample",
        [x, draw.parameter(np.array(s, np.float32), 1)] if draw.opset == 9 else [x],
        mode=mode,
        **({} if draw.opset == 9 else dict(scales=s))
    )


@cases("GridSample", weight=2)
def draw_grid_sample(draw):
    draw.versions(16)
    n = 2 if draw.opset < 20 else draw.choice([2, 2, 3])
    N = draw.integer(1, 2)
    shape = [N, draw.integer(1, 2), *draw.shape(rank=n)]
    gs = [N, *draw.shape(rank=n, most=3), n]
    mode = draw.choice(
        [None, "bilinear", "nearest", "bicubic"]
        if draw.opset < 20
        else [None, "linear", "nearest"] + (["cubic"] if n == 2 else [])
    )
    draw.op(
        "GridSample",
        [
            draw.value(shape, F32, special=False),
            draw.input(draw.array(gs, F32, -1.6, 1.6, special=False)),
        ],
        mode=mode,
        padding_mode=draw.choice([None, "zeros", "border", "reflection"]),
        align_corners=draw.choice([None, 0, 1]),
    )


@cases("AffineGrid")
def draw_affine_grid(draw):
    draw.versions(20)
    n = draw.choice([2, 3])
    N = draw.integer(1, 2)
    draw.op(
        "AffineGrid",
        [
            draw.value([N, n, n + 1], F32, special=False),
            draw.parameter(
                np.array(
                    [N, draw.integer(1, 3), *[draw.integer(2, 5) for _ in range(n)]], np.int64
                ),
                0.97,
            ),
        ],
        align_corners=draw.choice([None, 0, 1]),
    )


@cases("CenterCropPad")
def draw_center_crop_pad(draw):
    draw.versions(18)
    shape = draw.shape(1, 4)
    r = len(shape)
    axis = draw.axes(r) if draw.chance(0.6) else None
    k = len(axis) if axis else r
    draw.op(
        "CenterCropPad",
        [
            draw.value(shape, draw.choice([F32, I32])),
            draw.parameter(np.array([draw.integer(1, 8) for _ in range(k)], np.int64), 0.97),
        ],
        axes=axis,
    )


@cases("Col2Im")
def draw_col2_im(draw):
    draw.versions(18)
    n = 2
    im = [draw.integer(3, 6) for _ in range(n)]
    bl = [draw.integer(1, 3) for _ in range(n)]
    d = [draw.choice([1, 1, 2]) if (bl[j] - 1) * 2 + 1 <= im[j] else 1 for j in range(n)]
    p = [draw.integer(0, 1) for _ in range(2 * n)]
    st = [draw.integer(1, 2) for _ in range(n)]
    L = int(
        np.prod(
            [(im[j] + p[j] + p[n + j] - ((bl[j] - 1) * d[j] + 1)) // st[j] + 1 for j in range(n)]
        )
    )
    draw.op(
        "Col2Im",
        [
            draw.value(
                [draw.integer(1, 2), draw.integer(1, 2) * int(np.prod(bl)), L], F32, special=False
            ),
            draw.parameter(np.array(im, np.int64), 1),
            draw.parameter(np.array(bl, np.int64), 1),
        ],
        dilations=d,
        pads=p,
        strides=st,
    )


@cases("Dropout")
def draw_dropout(draw):
    draw.versions(12)
    draw.op(
        "Dropout",
        [
            draw.value(draw.shape(1, 3), draw.choice([F32, F16])),
            draw.parameter(np.array(0.5, np.float32), 1) if draw.chance(0.5) else "",
        ],
        draw.choice([1, 2]),
    )


@cases("Cast", weight=4)
def draw_cast(draw):
    draw.versions(13)
    a, b = draw.choice(ALL), draw.choice(ALL)
    x = draw.array(
        draw.shape(),
        a,
        -100 if draw.chance(0.3) else -4,
        100 if draw.chance(0.3) else 4,
        special=draw.special and not (a.kind not in "iub" and b.kind in "iu"),
    )
    if a.kind not in "iub" and b.kind in "iu":  # in range only
        lo, hi = np.iinfo(b).min, np.iinfo(b).max
        x = np.clip(x.astype(F64), max(lo, -(2.0**31)), min(hi, 2.0**31 - 1)).astype(a)
        if b.kind == "u":
            x = np.abs(x)
    draw.op("Cast", [draw.parameter(x, 0.05)], to=TT[b])


@cases("Cast8")
def draw_cast8(draw):
    draw.versions(19)
    t8 = draw.choice([17, 19])
    xt = draw.choice([F32, F16, BF])
    sat = draw.choice([None, 0, 1])
    y = draw.op(
        "Cast",
        [draw.value(draw.shape(0, 3), xt, low=draw.choice([-600, -4]), high=draw.choice([600, 4]))],
        to=t8,
        saturate=sat,
    )
    draw.outputs.remove(y)
    draw.op("Cast", [y], to=draw.choice([1, 1, 10, 16]))


@cases("CastLike")
def draw_cast_like(draw):
    draw.versions(15)
    a, b = draw.choice([F32, F16, I32, I64, U8, B, I8]), draw.choice(ALL)
    x = np.abs(draw.array(draw.shape(), a, -4, 4, special=False).astype(F64))
    x = np.clip(x, 0, 100).astype(a)
    draw.op("CastLike", [draw.parameter(x, 0.05), draw.value(draw.shape(0, 1), b)])
