# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of jax.lax, drawn at random."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax._src.lax import windowed_reductions

from jax_random import ALL, FL, INT, NUM, SI, UI, cases, isf, pairs
from random_case import B, BF, F16, F32, F8A, F8B, I16, I32, I64, I8, NoCase, U32, U8

FUN1 = """
    abs neg sign ceil floor round0 round1 exp exp2 expm1 log log1p sqrt rsqrt cbrt sin cos tan
    tanh sinh cosh asin acos atan asinh acosh atanh logistic erf erfc erf_inv lgamma digamma
    is_finite square reciprocal
    """.split()


@cases("unary", weight=2)
def draw_unary(draw):
    n = draw.choice(FUN1)
    dtype = draw.choice(
        FL
        + (SI if n in ("abs", "neg", "sign", "square") else [])
        + (UI if n in ("sign", "square", "neg") else [])
    )
    f = {
        "round0": lambda x: lax.round(x, lax.RoundingMethod.AWAY_FROM_ZERO),
        "round1": lambda x: lax.round(x, lax.RoundingMethod.TO_NEAREST_EVEN),
        "abs": lax.abs,
    }.get(n) or getattr(lax, n)
    s = draw.choice([1, 1, 3, 20])
    draw.note = n
    draw.loose = 4
    draw.value(
        draw.shape(),
        dtype,
        low=-4 * s if s < 5 or n not in ("exp", "sinh", "cosh") else -80,
        high=4 * s,
    )
    return f


@cases("binary", weight=3)
def draw_binary(draw):
    n = draw.choice(
        """
    add sub mul div rem max min pow atan2 nextafter shift_left shift_right_logical
    shift_right_arithmetic bitwise_and bitwise_or bitwise_xor
    """.split()
    )
    f = getattr(lax, n)
    ts = (
        INT
        if n.startswith("shift")
        else (
            INT + [B]
            if n.startswith("bit")
            else FL if n in ("pow", "atan2") else [F32] if n == "nextafter" else NUM
        )
    )
    dtype = draw.choice(ts)
    shape = draw.shape()
    draw.note = n
    if n.startswith("shift") and draw.chance(0.6):
        draw.value(shape, dtype)
        draw.given(np.asarray(draw.rng.integers(0, dtype.itemsize * 8 + 3, shape)).astype(dtype))
        return f
    draw.value(shape, dtype)
    if n in ("div", "rem") and not isf(dtype) and draw.chance(0.7):
        a = draw.array(shape, dtype)
        a = np.where(a == 0, 3, a).astype(dtype)
        draw.given(a)
    else:
        draw.value(shape, dtype)
    return f


@cases("compare", weight=1)
def draw_compare(draw):
    dtype = draw.choice(ALL)
    shape = draw.shape()
    draw.value(shape, dtype, low=-2, high=2)
    draw.value(shape, dtype, low=-2, high=2)
    n = draw.choice(["eq", "ne", "lt", "le", "gt", "ge"])
    draw.note = n
    return getattr(lax, n)


@cases("intunary", weight=1)
def draw_intunary(draw):
    dtype = draw.choice(INT)
    n = draw.choice(["clz", "population_count", "bitwise_not"])
    draw.note = n
    draw.value(draw.shape(), dtype)
    return getattr(lax, n)


@cases("ipow", weight=1)
def draw_ipow(draw):
    dtype = draw.choice(NUM)
    y = draw.integer(-3 if isf(dtype) else 0, 7)
    draw.note = str(y)
    draw.value(draw.shape(), dtype)
    return lambda x: lax.integer_pow(x, y)


@cases("powint", weight=1)
def draw_powint(draw):
    dtype = draw.choice([F32, F16, I32, I64])
    e = draw.choice([I32, I64])
    shape = draw.shape()
    draw.value(shape, dtype)
    draw.given(np.asarray(draw.rng.integers(0 if not isf(dtype) else -3, 6, shape)).astype(e))
    return lax.pow


@cases("convert", weight=3)
def draw_convert(draw):
    a, b = draw.choice(ALL + [F8A, F8B]), draw.choice(ALL + [F8A, F8B])
    s = draw.choice([1, 1, 30, 3000])
    x = draw.array(draw.shape(), a, -4.0 * s, 4.0 * s)
    draw.note = f"{a}->{b}"
    if isf(a) and b.kind in "iu":
        lo, hi = np.iinfo(b).min, np.iinfo(b).max
        y = np.nan_to_num(x.astype(np.float64), nan=1, posinf=1, neginf=1)
        x = np.clip(
            y, max(lo, -(2.0**31)), min(hi, 2.0**31 - 200) - (0 if hi < 70000 else 0)
        ).astype(a)
        if np.any(x.astype(np.float64) > hi):
            raise NoCase
    draw.given(x)
    return lambda x: lax.convert_element_type(x, b)


@cases("bitcast", weight=1)
def draw_bitcast(draw):
    a = draw.choice([F32, F16, BF] + INT)
    b = draw.choice([d for d in [F32, F16, BF] + INT if not (isf(d) and d.itemsize > a.itemsize)])
    shape = list(draw.shape(1, 3))
    if b.itemsize > a.itemsize:
        shape[-1] = b.itemsize // a.itemsize
    draw.note = f"{a}->{b}"
    if isf(b):
        draw.given(np.abs(draw.array(shape, a, special=False)))
        return lambda x: lax.bitcast_convert_type(
            lax.bitcast_convert_type(x, b), np.dtype(f"u{b.itemsize}")
        )
    draw.value(shape, a)
    return lambda x: lax.bitcast_convert_type(x, b)


@cases("reduce_precision", weight=1)
def draw_reduce_precision(draw):
    e, m = draw.integer(2, 8), draw.integer(1, 23)
    draw.note = f"{e},{m}"
    draw.value(draw.shape(), draw.choice([F32, F16, BF]), low=-9, high=9)
    return lambda x: lax.reduce_precision(x, e, m)


@cases("clamp", weight=1)
def draw_clamp(draw):
    dtype = draw.choice(NUM)
    shape = draw.shape()
    s2 = () if draw.chance(0.5) else shape
    draw.value(s2, dtype)
    draw.value(shape, dtype)
    draw.value(s2, dtype)
    return lax.clamp


@cases("reduce_window", weight=4)
def draw_reduce_window(draw):
    r = draw.integer(1, 4)
    shape = [draw.choice([1, 3, 4, 5, 6]) for _ in range(r)]
    w = [draw.integer(1, 3) for _ in shape]
    st = [draw.integer(1, 3) for _ in shape]
    bd = [draw.choice([1, 1, 2]) for _ in shape]
    wd = [draw.choice([1, 1, 2]) for _ in shape]
    pd = pairs(draw, r) if draw.chance(0.3) else pairs(draw, r, 0)
    for j in range(r):
        n = (shape[j] - 1) * bd[j] + 1 + sum(pd[j])
        k = (w[j] - 1) * wd[j] + 1
        if n < k:
            w[j] = 1
            pd[j] = (0, 0)
    n = draw.choice(["add", "max", "min", "mul", "and", "or"])
    dtype = B if n in ("and", "or") else draw.choice([F32, F32, F16, BF, I32, I8, U8, I64])
    init = {
        "add": 0,
        "mul": 1,
        "max": -np.inf if isf(dtype) else np.iinfo(dtype).min if dtype != B else 0,
        "min": np.inf if isf(dtype) else np.iinfo(dtype).max if dtype != B else 0,
        "and": True,
        "or": False,
    }[n]
    if draw.chance(0.15) and dtype != B:
        init = 2
    f = {"and": lax.bitwise_and, "or": lax.bitwise_or}.get(n) or getattr(lax, n)
    init = np.asarray(init).astype(dtype)
    draw.note = f"{n} w{w} s{st} bd{bd} wd{wd} p{pd} init{init}"
    draw.value(shape, dtype, low=-2, high=2, special=draw.special and n in ("max", "min"))
    return lambda x: lax.reduce_window(x, init, f, w, st, pd, bd, wd)


@cases("reduce_window2", weight=2)
def draw_reduce_window2(draw):
    r = draw.integer(1, 3)
    shape = [draw.choice([2, 3, 5, 6]) for _ in range(r)]
    w = [draw.integer(1, 2) for _ in shape]
    st = [draw.integer(1, 2) for _ in shape]
    pd = pairs(draw, r, 0)
    dtype = draw.choice([F32, I32])
    draw.value(shape, dtype, low=-1, high=1)
    ii = np.arange(int(np.prod(shape))).reshape(shape).astype(np.int32)
    draw.given(ii)
    draw.note = f"argmax w{w} s{st} p{pd}"

    def f(x, i):
        def red(a, b):
            t = (a[0] > b[0]) | ((a[0] == b[0]) & (a[1] < b[1]))
            return lax.select(t, a[0], b[0]), lax.select(t, a[1], b[1])

        return lax.reduce_window(
            (x, i),
            (
                np.asarray(-np.inf if isf(dtype) else np.iinfo(dtype).min).astype(dtype),
                np.int32(2**30),
            ),
            red,
            w,
            st,
            pd,
        )

    return f


@cases("selscat", weight=3)
def draw_selscat(draw):
    r = draw.integer(1, 3)
    shape = [draw.choice([3, 4, 5, 6]) for _ in range(r)]
    w = [draw.integer(1, 3) for _ in shape]
    st = [draw.integer(1, 3) for _ in shape]
    pd = [(draw.integer(0, w[j] - 1), draw.integer(0, w[j] - 1)) for j in range(r)]
    n = draw.choice(["max", "min"])
    dtype = draw.choice([F32, F32, BF, F16])
    out = [(shape[j] + sum(pd[j]) - w[j]) // st[j] + 1 for j in range(r)]
    draw.note = f"{n} w{w} s{st} p{pd}"
    draw.value(shape, dtype, low=-1, high=1, special=False)
    draw.value(out, dtype, special=False)
    sel = draw.choice([lax.ge, lax.le, lax.gt, lax.lt])
    init = np.asarray(draw.choice([0, 0, 1]), dtype)

    return lambda x, s: windowed_reductions._select_and_scatter(x, sel, w, st, pd, s, init, lax.add)


@cases("conv", weight=6)
def draw_conv(draw):
    n = draw.choice([1, 2, 2, 2, 3])
    fg = draw.choice([1, 1, 2, 3])
    bg = draw.choice([1, 1, 1, 2]) if fg == 1 else 1
    ci, co = fg * draw.integer(1, 3), fg * bg * draw.integer(1, 3)
    N = bg * draw.integer(1, 2)
    sp = [draw.choice([1, 3, 4, 5, 6]) for _ in range(n)]
    k = [draw.integer(1, 3) for _ in range(n)]
    ld = [draw.choice([1, 1, 1, 2, 3]) for _ in range(n)]
    rd = [draw.choice([1, 1, 2]) for _ in range(n)]
    st = [draw.choice([1, 1, 2, 3]) for _ in range(n)]
    pd = pairs(draw, n) if draw.chance(0.35) else pairs(draw, n, 0)
    for j in range(n):
        if (sp[j] - 1) * ld[j] + 1 + sum(pd[j]) < (k[j] - 1) * rd[j] + 1:
            pd[j] = (2, 2)
            k[j] = min(k[j], 2)
    layout = lambda: tuple(draw.permutation(n + 2))
    dtype = draw.choice([F32, F32, F16, BF, I32, I8])
    pt = F32 if dtype in (F16, BF) and draw.chance(0.3) else I32 if dtype == I8 else None
    ln, rn, on = layout(), layout(), layout()
    L = [N, ci, *sp]
    R = [co, ci // fg, *k]
    ls = [0] * (n + 2)
    rs = [0] * (n + 2)
    for a, b in zip(ln, L):
        ls[a] = b
    for a, b in zip(rn, R):
        rs[a] = b
    draw.value(ls, dtype, special=False)
    draw.value(rs, dtype, special=False)
    dn = lax.ConvDimensionNumbers(ln, rn, on)
    draw.note = (
        f"ls{ls} rs{rs} dn{ln}{rn}{on} st{st} pd{pd} ld{ld} rd{rd} fg{fg} bg{bg} {dtype}->{pt}"
    )
    return lambda x, w: lax.conv_general_dilated(
        x, w, st, pd, ld, rd, dn, fg, bg, preferred_element_type=pt
    )


@cases("dot", weight=3)
def draw_dot(draw):
    b, c, m, n = draw.shape(0, 2), draw.shape(0, 2), draw.shape(0, 2), draw.shape(0, 2)
    L = (
        [("b", j) for j in range(len(b))]
        + [("c", j) for j in range(len(c))]
        + [("m", j) for j in range(len(m))]
    )
    R = L[: len(b) + len(c)] + [("n", j) for j in range(len(n))]
    L = [L[j] for j in draw.permutation(len(L))]
    R = [R[j] for j in draw.permutation(len(R))]
    sz = dict(b=b, c=c, m=m, n=n)
    f = lambda X, k: tuple(
        next(i for i, e in enumerate(X) if e == (k, j)) for j in range(len(sz[k]))
    )
    dtype = draw.choice([F32, F32, F16, BF, I32, I8, U8, I64])
    pt = (
        draw.choice([None, F32])
        if dtype in (F16, BF)
        else (
            I32
            if dtype == I8 and draw.chance(0.7)
            else U32 if dtype == U8 and draw.chance(0.5) else None
        )
    )
    draw.value([sz[k][j] for k, j in L], dtype, special=False)
    draw.value([sz[k][j] for k, j in R], dtype, special=False)
    dn = ((f(L, "c"), f(R, "c")), (f(L, "b"), f(R, "b")))
    draw.note = f"{dn} {dtype}->{pt}"
    return lambda x, y: lax.dot_general(x, y, dn, preferred_element_type=pt)


@cases("gather", weight=4)
def draw_gather(draw):
    """take / advanced indexing with modes, out of bounds, batching (vmap)."""
    shape = draw.shape(1, 4)
    axis = draw.axis(len(shape))
    n = shape[axis]
    mode = draw.choice(["clip", "fill", "wrap"])
    it = draw.choice([I32, I64, U8, I8, U32])
    dtype = draw.choice(ALL)
    lo = -n - 2 if it.kind == "i" else 0
    idx = np.asarray(draw.rng.integers(lo, n + 3, draw.shape(0, 3))).astype(it)
    k = draw.integer(0, 4)
    draw.note = f"{k} {mode} {it}"
    if k == 0:
        draw.value(shape, dtype)
        draw.given(idx)
        return lambda x, i: jnp.take(x, i, axis=axis, mode=mode)
    if k == 1:
        idx = np.asarray(
            draw.rng.integers(
                -n - 2 if it.kind == "i" else 0,
                n + 3,
                [draw.integer(1, 4) if j == axis % len(shape) else d for j, d in enumerate(shape)],
            )
        ).astype(it)
        draw.value(shape, dtype)
        draw.given(idx)
        return lambda x, i: jnp.take_along_axis(x, i, axis, mode=mode if mode != "wrap" else "fill")
    if k == 2:
        draw.value((draw.integer(1, 3), *shape), dtype)
        b = draw.args[0].shape[0]
        draw.given(np.asarray(draw.rng.integers(lo, n + 3, (b, *idx.shape))).astype(it))
        return lambda x, i: jax.vmap(lambda a, c: jnp.take(a, c, axis=axis, mode=mode))(x, i)
    # raw
    r = len(shape)
    ss = [draw.integer(1, d) for d in shape]
    sm = draw.axes(r)
    col = tuple(sorted(j for j in range(r) if ss[j] == 1 and draw.chance(0.6)))
    off = r - len(col)
    bsh = draw.shape(0, 2)
    outr = off + len(bsh)
    od = tuple(sorted(int(v) for v in draw.rng.permutation(outr)[:off]))
    start = np.stack([draw.rng.integers(-2, shape[j] + 2, bsh) for j in sm], -1).astype(
        draw.choice([I32, I64])
    )
    draw.value(shape, dtype)
    draw.given(start)
    dn = lax.GatherDimensionNumbers(od, col, sm)
    m = draw.choice([lax.GatherScatterMode.CLIP, lax.GatherScatterMode.FILL_OR_DROP])
    draw.note = f"raw {dn} {ss} {m}"
    return lambda x, s: lax.gather(x, s, dn, ss, mode=m)


@cases("scatter", weight=5)
def draw_scatter(draw):
    shape = draw.shape(1, 4)
    r = len(shape)
    dtype = draw.choice(FL + INT)
    n = draw.choice(["set", "add", "mul", "min", "max", "sub", "and"])
    mode = draw.choice(["drop", "clip", "drop", "wrap"])
    k = draw.integer(0, 3)
    it = draw.choice([I32, I64, I8, U8])
    if n == "and":
        n = "max"
    if k < 2:
        axis = draw.integer(0, r - 1)
        d = shape[axis]
        m = draw.integer(1, d + 3)
        idx = draw.rng.integers(-d - 2 if it.kind == "i" else 0, d + 3, m)
        if n == "set":
            idx = draw.rng.permutation(np.arange(-2 if it.kind == "i" else 0, d + 2))[:m]
            idx = idx[(idx < 0) == False] if mode != "drop" else idx
            mode = "drop"
            idx = np.array([i for i in idx if i >= 0 or i + d not in idx], int)
        if len(idx) == 0:
            raise NoCase
        draw.note = f"{n} {mode} axis{axis}"
        up = [*shape]
        up[axis] = len(idx)
        if k == 1:
            up = [1 if draw.chance(0.5) else u for u in up]
        draw.value(shape, dtype, special=draw.special and n in ("set", "min", "max"))
        draw.given(idx.astype(it))
        draw.value(up, dtype, special=False)

        def f(x, i, u):
            attributes = x.at[(slice(None),) * axis + (i,)]
            u = jnp.broadcast_to(u, [*x.shape[:axis], i.shape[0], *x.shape[axis + 1 :]])
            return {
                "set": attributes.set,
                "add": attributes.add,
                "mul": attributes.multiply,
                "min": attributes.min,
                "max": attributes.max,
                "sub": attributes.subtract,
            }[n](u, mode=mode)

        return f
    # raw window scatter
    ss = [draw.integer(1, d) for d in shape]
    sm = draw.axes(r)
    ins = tuple(sorted(j for j in range(r) if ss[j] == 1 and draw.chance(0.6)))
    off = r - len(ins)
    bsh = draw.shape(0, 1) if n == "set" else draw.shape(0, 2)
    ur = off + len(bsh)
    uw = tuple(sorted(int(v) for v in draw.rng.permutation(ur)[:off]))
    if n in ("set",):
        bsh = ()
        ur = off
        uw = tuple(range(off))
    start = np.stack([np.asarray(draw.rng.integers(-2, shape[j] + 2, bsh)) for j in sm], -1).astype(
        draw.choice([I32, I64])
    )
    W = [ss[j] for j in range(r) if j not in ins]
    bb = list(bsh)
    up = []
    for j in range(ur):
        up.append(W.pop(0) if j in uw else bb.pop(0))
    dn = lax.ScatterDimensionNumbers(uw, ins, sm)
    m = draw.choice([lax.GatherScatterMode.CLIP, lax.GatherScatterMode.FILL_OR_DROP])
    f = dict(
        set=lax.scatter,
        add=lax.scatter_add,
        mul=lax.scatter_mul,
        min=lax.scatter_min,
        max=lax.scatter_max,
        sub=lax.scatter_sub,
    )[n]
    draw.note = f"raw {n} {dn} {m} {shape}<-{up}"
    draw.value(shape, dtype, special=False)
    draw.given(start)
    draw.value(up, dtype, special=False)
    return lambda x, s, u: f(x, s, u, dn, mode=m)


@cases("dynamic", weight=1.5)
def draw_dynamic(draw):
    shape = draw.shape(1, 4)
    ss = [draw.integer(1, d) for d in shape]
    dtype = draw.choice(ALL)
    it = draw.choice([I32, I64, U8, I8, U32])
    for d in shape:
        draw.given(np.asarray(draw.integer(-3 if it.kind == "i" else 0, d + 3)).astype(it))
    if draw.chance(0.5):
        draw.value(shape, dtype)
        return lambda *a: lax.dynamic_slice(a[-1], a[:-1], ss)
    draw.value(shape, dtype)
    draw.value(ss, dtype)
    return lambda *a: lax.dynamic_update_slice(a[-2], a[-1], a[:-2])


@cases("sort", weight=3)
def draw_sort(draw):
    shape = draw.shape(1, 3)
    axis = draw.axis(len(shape))
    k = draw.integer(0, 5)
    dtype = draw.choice(ALL)
    lim = dict(low=-1, high=1)
    draw.note = f"k{k}"
    if k == 0:
        draw.value(shape, dtype, **lim)
        return lambda x: lax.sort(x, dimension=axis)
    if k == 1:
        draw.value(shape, dtype, **lim)
        draw.value(shape, draw.choice(ALL))
        nk = draw.integer(1, 2)
        return lambda x, y: lax.sort((x, y), dimension=axis, num_keys=nk)
    if k == 2:
        draw.value(shape, dtype, **lim)
        d = draw.chance(0.5)
        return lambda x: jnp.argsort(x, axis=axis, stable=True, descending=d)
    if k == 3:
        draw.value(shape, dtype if dtype != B else I8, **lim)
        d = draw.chance(0.5)
        return lambda x: jnp.sort(x, axis=axis, descending=d)
    if k == 4:
        a = draw.array(shape, draw.choice([F32, I32, BF, I8, U8]), **lim)
        draw.given(a)
        kk = draw.integer(1, shape[-1])
        return lambda x: lax.top_k(x, kk)
    draw.value(shape, F32, special=False, **lim)
    draw.value(shape, I32, **lim)
    draw.value(shape, I8, **lim)
    return lambda x, y, z: lax.sort((y, x, z), dimension=axis, num_keys=3)


@cases("argx", weight=1.5)
def draw_argx(draw):
    shape = draw.shape(1, 4)
    n = draw.choice([lax.argmax, lax.argmin])
    it = draw.choice([I32, I64, I8, U8, I16])
    axis = draw.integer(0, len(shape) - 1)
    draw.value(shape, draw.choice(NUM), low=-1, high=1)
    return lambda x: n(x, axis, it)


@cases("cum", weight=2)
def draw_cum(draw):
    shape = draw.shape(1, 4)
    n = draw.choice(["cumsum", "cumprod", "cummax", "cummin", "cumlogsumexp"])
    rev = draw.chance(0.5)
    axis = draw.integer(0, len(shape) - 1)
    dtype = draw.choice([F32, F32, BF] if "log" in n else [F32, F32, I32, I64, I8, U8, BF])
    draw.note = n
    draw.value(shape, dtype, low=-1.5, high=1.5, special=draw.special and n in ("cummax", "cummin"))
    return lambda x: getattr(lax, n)(x, axis, rev)


@cases("reduce", weight=2)
def draw_reduce(draw):
    shape = draw.shape(1, 4)
    axis = draw.axes(len(shape))
    n = draw.choice(["sum", "prod", "max", "min", "and", "or", "xor"])
    dtype = draw.choice([B, I32, U8, I64]) if n in ("and", "or", "xor") else draw.choice(NUM)
    draw.note = n
    draw.value(shape, dtype, low=-1, high=1, special=draw.special and n in ("max", "min"))
    ident = {
        "sum": (0, lax.add),
        "prod": (1, lax.mul),
        "max": (None, lax.max),
        "min": (None, lax.min),
        "and": (-1 if dtype.kind == "i" else None, lax.bitwise_and),
        "or": (0, lax.bitwise_or),
        "xor": (0, lax.bitwise_xor),
    }[n]
    i0 = ident[0]
    if i0 is None:
        i0 = (
            (True if dtype == B else np.iinfo(dtype).max)
            if n == "and"
            else (
                (-np.inf if n == "max" else np.inf)
                if isf(dtype)
                else (np.iinfo(dtype).min if n == "max" else np.iinfo(dtype).max)
            )
        )
    init = np.asarray(i0).astype(dtype)
    init = np.asarray(1).astype(dtype) if draw.chance(0.15) else init
    return lambda x: lax.reduce(x, init, ident[1], axis)


@cases("reducen", weight=2)
def draw_reducen(draw):
    shape = draw.shape(1, 4)
    axis = draw.axes(len(shape))
    k = draw.integer(0, 3)
    dtype = draw.choice([F32, I32, I8, U8, BF])
    draw.note = f"k{k}"
    draw.value(shape, dtype, low=-1, high=1, special=False)
    draw.given(np.arange(int(np.prod(shape)), dtype=np.int32).reshape(shape))

    def red(a, b):
        x, i = a
        y, j = b
        if k == 0:
            t = (x < y) | ((x == y) & (i < j))
            return lax.select(t, x, y), lax.select(t, i, j)
        if k == 1:
            t = (x > y) | ((x == y) & (i > j))
            return lax.select(t, x, y), lax.select(t, i, j)
        if k == 2:
            return lax.max(x, y), i + j
        return x + y, lax.bitwise_xor(i, j)

    lo = np.asarray(np.inf if isf(dtype) else np.iinfo(dtype).max).astype(dtype)
    hi = np.asarray(-np.inf if isf(dtype) else np.iinfo(dtype).min).astype(dtype)
    init = [
        (lo, np.int32(2**30)),
        (hi, np.int32(-1)),
        (hi, np.int32(0)),
        (np.asarray(0, dtype), np.int32(0)),
    ][k]
    return lambda x, i: lax.reduce((x, i), init, red, axis)


@cases("control", weight=3)
def draw_control(draw):
    k = draw.integer(0, 7)
    shape = draw.shape(0, 2)
    dtype = draw.choice([F32, F32, I32, BF])
    n = draw.integer(0, 5)
    draw.note = f"k{k} n{n}"
    draw.value(shape, dtype, low=-1, high=1, special=False)
    if k == 0:
        draw.given(np.int32(n))
        return lambda x, m: lax.fori_loop(0, m, lambda i, c: c + x * i.astype(dtype), x)
    if k == 1:
        draw.given(np.int32(draw.integer(-2, 4)))
        return lambda x, i: lax.switch(i, [lambda a: a + 1, lambda a: a * 2, lambda a: -a], x)
    if k == 2:
        return lambda x: lax.while_loop(
            lambda c: (c[0] < n) & (jnp.sum(c[1].astype(F32)) < 50),
            lambda c: (c[0] + 1, c[1] * 2 + 1),
            (0, x),
        )
    if k == 3:
        draw.value((max(1, n), *shape), dtype, low=-1, high=1, special=False)
        rev = draw.chance(0.5)
        return lambda x, xs: lax.scan(lambda c, y: (c + y, c * y), x, xs, reverse=rev)
    if k == 4:
        draw.given(np.asarray(draw.chance(0.5)))
        return lambda x, p: lax.cond(p, lambda a: (a, a + 1), lambda a: (a * 3, -a), x)
    if k == 5:
        draw.given(np.asarray(draw.rng.random(3) < 0.5))
        return lambda x, p: jax.vmap(lambda q: lax.cond(q, lambda a: a + 1, lambda a: a * 3, x))(p)
    if k == 6:
        draw.given(np.asarray([0, 3, 1], np.int32))
        return lambda x, m: jax.vmap(
            lambda t: lax.while_loop(lambda c: c[0] < t, lambda c: (c[0] + 1, c[1] + x), (0, x))
        )(m)
    return lambda x: lax.fori_loop(
        0, n, lambda i, c: lax.fori_loop(0, i, lambda j, d: d + (i * j).astype(dtype), c), x
    )


@cases("pad", weight=2)
def draw_pad(draw):
    shape = draw.shape(1, 4)
    dtype = draw.choice(ALL)
    cfg = [(draw.integer(-2, 2), draw.integer(-2, 2), draw.choice([0, 0, 1, 2])) for _ in shape]
    cfg = [
        c if d + max(0, d - 1) * c[2] + c[0] + c[1] >= 1 else (0, 1, c[2])
        for c, d in zip(cfg, shape)
    ]
    draw.note = str(cfg)
    draw.value(shape, dtype)
    draw.value((), dtype)
    return lambda x, v: lax.pad(x, v, cfg)


@cases("shape", weight=1.5)
def draw_shape(draw):
    shape = draw.shape(1, 4)
    dtype = draw.choice(ALL + [F8A])
    k = draw.integer(0, 6)
    r = len(shape)
    draw.value(shape, dtype, special=False)
    draw.note = f"k{k}"
    if k == 0:
        d = draw.axes(r)
        return lambda x: lax.rev(x, d)
    if k == 1:
        p = draw.permutation(r)
        return lambda x: lax.transpose(x, p)
    if k == 2:
        e = draw.shape(0, 2)
        p = sorted(draw.permutation(r + len(e))[:r])
        out = [0] * (r + len(e))
        ee = list(e)
        ss = list(shape)
        out = [ss.pop(0) if j in p else ee.pop(0) for j in range(r + len(e))]
        return lambda x: lax.broadcast_in_dim(x, out, p)
    if k == 3:
        s = [draw.integer(0, d - 1) for d in shape]
        e = [draw.integer(a + 1, d) for a, d in zip(s, shape)]
        t = [draw.integer(1, 3) for _ in shape]
        return lambda x: lax.slice(x, s, e, t)
    if k == 4:
        axis = draw.integer(0, r - 1)
        draw.value(shape, dtype, special=False)
        return lambda x, y: lax.concatenate([x, y, x], axis)
    if k == 5:
        s = draw.integer(-9, 9)
        axis = draw.axis(r)
        return lambda x: jnp.roll(x, s, axis)
    it = draw.choice(NUM)
    d = draw.integer(0, r - 1)
    return lambda x: (lax.broadcasted_iota(it, shape, d), x)


@cases("linalg", weight=1)
def draw_linalg(draw):
    k = draw.integer(0, 4)
    n = draw.integer(1, 5)
    b = draw.shape(0, 1)
    draw.loose = 30
    A = draw.rng.uniform(-1, 1, (*b, n, n))
    S = A @ np.swapaxes(A, -1, -2) + np.eye(n) * n
    draw.note = f"k{k}"
    if k == 0:
        draw.given(S.astype(F32))
        return lambda a: jnp.tril(lax.linalg.cholesky(a))
    if k == 1:
        ls, lo, tr, ud = draw.chance(0.5), draw.chance(0.5), draw.chance(0.5), draw.chance(0.3)
        m = draw.integer(1, 4)
        draw.note += f"{ls}{lo}{tr}{ud}"
        draw.given((A + np.eye(n) * 3).astype(F32))
        draw.value((*b, n, m) if ls else (*b, m, n), F32, special=False)
        return lambda a, x: lax.linalg.triangular_solve(
            a, x, left_side=ls, lower=lo, transpose_a=tr, unit_diagonal=ud
        )
    if k == 2:
        draw.given((A + np.eye(n) * 3).astype(F32))
        return lambda a: jnp.linalg.det(a)
    if k == 3:
        draw.given((A + np.eye(n) * 3).astype(F32))
        return lambda a: jnp.linalg.inv(a)
    draw.given((A + np.eye(n) * 3).astype(F32))
    draw.value((*b, n, 2), F32, special=False)
    return lambda a, x: jnp.linalg.solve(a, x)
