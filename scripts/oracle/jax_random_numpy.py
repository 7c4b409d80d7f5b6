# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of jax.numpy, jax.nn, jax.scipy and gradients, drawn at random."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from jax_random import INT, cases, pairs
from random_case import B, BF, F16, F32, I32, I64, I8, NoCase, U32, U8

J1 = """
    nan_to_num signbit heaviside0 sinc i0 rint trunc fix deg2rad isneginf isposinf frexp modf
    cumsum_flat ptp nanmax nanmin nansum nanprod nanmean median var std any all count_nonzero
    diff ediff1d gradient tril triu diag diagonal trace flip rot90 ravel argwhere3 unpackbits
    packbits bitwise_count angle around2 nanargmax nanmedian nancumsum unique3 nonzero3
    quantile trapezoid corrcoef average
    """.split()


@cases("jnp1", weight=4)
def draw_jnp1(draw):
    n = draw.choice(J1)
    draw.note = n
    draw.loose = 4
    shape = draw.shape(1, 3)
    dtype = draw.choice([F32, F32, I32, F16, BF, I8, U8])
    fl = draw.choice([F32, F16, BF])
    axis = draw.axis(len(shape))
    if n in (
        "sinc",
        "i0",
        "rint",
        "trunc",
        "fix",
        "deg2rad",
        "isneginf",
        "isposinf",
        "frexp",
        "modf",
        "signbit",
        "around2",
    ):
        dtype = fl if n not in ("frexp", "i0") else F32
    if n in ("tril", "triu", "diagonal", "trace", "rot90"):
        shape = draw.shape(2, 3)
    if n == "diag":
        shape = draw.shape(1, 2)
    if n in ("gradient", "corrcoef"):
        shape = (3, 4)
    if n in (
        "corrcoef",
        "var",
        "std",
        "gradient",
        "trapezoid",
        "average",
        "median",
        "quantile",
        "i0",
        "nanmedian",
    ):
        dtype = F32
        draw.special = False
    if n in ("nanmax", "nanmin", "nansum", "nanprod", "nanmean", "nanargmax", "nanmedian"):
        dtype = F32
        a = draw.array(shape, dtype, -1, 1, special=False)
        a = np.where(draw.rng.random(shape) < 0.2, np.float32(np.nan), a)
        a.reshape(-1)[0] = 1
        draw.given(a)
        return lambda x: getattr(jnp, n)(x)
    if n == "unpackbits":
        draw.value(shape, U8)
        return lambda x: jnp.unpackbits(x, axis=axis, bitorder=g_bit(n, shape))
    if n == "packbits":
        draw.value(shape, draw.choice([U8, B, I32]), special=False)
        return lambda x: jnp.packbits(x, axis=axis)
    if n == "bitwise_count":
        draw.value(shape, draw.choice(INT))
        return jnp.bitwise_count
    k = draw.integer(-2, 2)
    draw.value(
        shape,
        dtype,
        low=-2,
        high=2,
        special=draw.special
        and n
        in (
            "nan_to_num",
            "signbit",
            "isneginf",
            "isposinf",
            "rint",
            "trunc",
            "fix",
            "any",
            "all",
            "tril",
            "triu",
            "diag",
            "flip",
        ),
    )
    return {
        "heaviside0": lambda x: jnp.heaviside(x, 0.5),
        "cumsum_flat": lambda x: jnp.cumsum(x),
        "ptp": lambda x: jnp.ptp(x, axis=axis),
        "diff": lambda x: jnp.diff(x, axis=axis) if shape[axis] > 1 else x,
        "tril": lambda x: jnp.tril(x, k),
        "triu": lambda x: jnp.triu(x, k),
        "diag": lambda x: jnp.diag(x, k) if abs(k) < min(shape) or len(shape) == 1 else x,
        "diagonal": lambda x: jnp.diagonal(x),
        "trace": lambda x: jnp.trace(x),
        "around2": lambda x: jnp.round(x, 1),
        "argwhere3": lambda x: jnp.argwhere(x > 0, size=3, fill_value=-1),
        "unique3": lambda x: jnp.unique(x, size=4),
        "nonzero3": lambda x: jnp.nonzero(x > 0, size=3),
        "quantile": lambda x: jnp.quantile(x, 0.3, axis=axis),
        "var": lambda x: jnp.var(x, axis=axis),
        "std": lambda x: jnp.std(x, axis=axis),
        "median": lambda x: jnp.median(x, axis=axis),
        "average": lambda x: jnp.average(x, axis=axis),
        "nancumsum": lambda x: jnp.nancumsum(x, axis=axis),
        "rot90": lambda x: jnp.rot90(x, k),
    }.get(n) or (lambda x: getattr(jnp, n)(x))


def g_bit(n, shape):
    return ["big", "little"][sum(shape) % 2]


J2 = """
    floor_divide mod fmod divmod remainder true_divide gcd lcm logaddexp logaddexp2 hypot
    copysign ldexp fmax fmin maximum minimum power float_power searchsorted digitize interp
    isin bincount histogram convolve correlate outer kron cross tensordot intersect isclose
    array_equal left_shift right_shift polyval vander setdiff where allclose
    """.split()


@cases("jnp2", weight=4)
def draw_jnp2(draw):
    n = draw.choice(J2)
    draw.note = n
    draw.loose = 4
    shape = draw.shape(0, 3)
    dtype = draw.choice([F32, F32, F16, BF])
    it = draw.choice(INT)
    if n in ("floor_divide", "mod", "fmod", "divmod", "remainder", "true_divide"):
        d = draw.choice([F32, F32, *INT])
        draw.value(shape, d)
        a = draw.array(shape, d)
        a = np.where(a == 0, 3, a).astype(d)
        if d.kind == "i":
            a = np.where(a == -1, -3, a).astype(d)
        draw.note += str(d)
        draw.given(a)
        return getattr(jnp, n)
    if n in ("gcd", "lcm"):
        d = draw.choice([I32, I64, U8, U32])
        draw.given(np.abs(np.asarray(draw.rng.integers(0, 40, shape))).astype(d))
        draw.given(np.asarray(draw.rng.integers(0, 40, shape)).astype(d))
        return getattr(jnp, n)
    if n in ("left_shift", "right_shift"):
        draw.value(shape, it)
        draw.given(np.asarray(draw.rng.integers(0, it.itemsize * 8 + 2, shape)).astype(it))
        return getattr(jnp, n)
    if n == "ldexp":
        draw.value(shape, F32, special=False)
        draw.given(np.asarray(draw.rng.integers(-20, 20, shape)).astype(I32))
        return jnp.ldexp
    if n in ("searchsorted", "digitize", "interp"):
        xs = np.sort(draw.rng.uniform(-3, 3, draw.integer(2, 6))).astype(F32)
        draw.given(xs)
        draw.value(draw.shape(1, 2), F32, special=False)
        side = draw.choice(["left", "right"])
        return {
            "searchsorted": lambda a, v: jnp.searchsorted(a, v, side=side),
            "digitize": lambda a, v: jnp.digitize(v, a),
            "interp": lambda a, v: jnp.interp(v, a, a * a),
        }[n]
    if n in ("bincount",):
        draw.given(draw.rng.integers(0, 5, draw.integer(1, 9)).astype(I32))
        return lambda x: jnp.bincount(x, length=5)
    if n == "histogram":
        draw.value((9,), F32, special=False)
        return lambda x: jnp.histogram(x, bins=4, range=(-3, 3))
    if n in ("convolve", "correlate"):
        draw.value((draw.integer(1, 7),), F32, special=False)
        draw.value((draw.integer(1, 7),), F32, special=False)
        m = draw.choice(["full", "same", "valid"])
        draw.note += m
        return lambda x, y: getattr(jnp, n)(x, y, mode=m)
    if n == "cross":
        draw.value((2, 3), F32, special=False)
        draw.value((2, 3), F32, special=False)
        return jnp.cross
    if n in ("outer", "kron"):
        draw.value((3,), dtype, special=False)
        draw.value((draw.integer(1, 4),), dtype, special=False)
        return getattr(jnp, n)
    if n == "tensordot":
        draw.value((2, 3, 4), F32, special=False)
        draw.value((3, 4, 2), F32, special=False)
        return lambda x, y: jnp.tensordot(x, y, 2)
    if n in ("polyval", "vander", "intersect", "setdiff", "isin"):
        draw.value((4,), F32, special=False)
        draw.value((3,), F32, special=False)
        return {
            "polyval": lambda x, y: jnp.polyval(x, y),
            "vander": lambda x, y: (jnp.vander(x, 3), y),
            "intersect": lambda x, y: jnp.isin(x, y),
            "setdiff": lambda x, y: jnp.isin(jnp.round(x), jnp.round(y)),
            "isin": lambda x, y: jnp.isin(x, y),
        }[n]
    if n in ("power",):
        draw.value(shape, dtype, low=-3, high=3)
        draw.value(shape, dtype, low=-3, high=3)
        return jnp.power
    if n == "float_power":
        raise NoCase
    if n == "where":
        draw.value(shape, B)
        draw.value(shape, dtype)
        draw.value((), dtype)
        return jnp.where
    if n == "array_equal":
        draw.value(shape, dtype, special=False)
        return lambda x: jnp.array_equal(x, x)
    draw.value(shape, dtype)
    draw.value(shape, dtype)
    return getattr(jnp, n)


NNS = """
    relu relu6 elu celu selu gelu silu softplus soft_sign log_sigmoid hard_sigmoid hard_swish
    hard_tanh leaky_relu mish sparse_plus squareplus softmax log_softmax logsumexp standardize
    glu one_hot
    """.split()


@cases("nn", weight=2)
def draw_nn(draw):
    n = draw.choice(NNS)
    draw.note = n
    draw.loose = 4
    shape = draw.shape(1, 3)
    dtype = draw.choice([F32, F32, BF, F16])
    axis = draw.axis(len(shape))
    if n == "one_hot":
        draw.given(draw.rng.integers(-2, 7, shape).astype(draw.choice([I32, I8, I64])))
        return lambda x: jax.nn.one_hot(x, 5, axis=axis)
    if n == "glu":
        shape = shape[:-1] + (4,)
        draw.value(shape, dtype)
        return jax.nn.glu
    draw.value(
        shape,
        dtype,
        low=-9,
        high=9,
        special=draw.special
        and n in ("relu", "relu6", "softmax", "logsumexp", "elu", "gelu", "silu", "softplus"),
    )
    return (
        (lambda x: getattr(jax.nn, n)(x, axis=axis))
        if n in ("softmax", "log_softmax", "logsumexp", "standardize")
        else getattr(jax.nn, n)
    )


SPS = """
    gammaln digamma erfinv ndtri ndtr expit logit entr betaln xlogy xlog1py i0e i1 i1e zeta
    polygamma betainc gammainc gammaincc expi exp1 bessel_jn log_ndtr erfcx rel_entr kl_div
    factorial gamma
    """.split()


@cases("special", weight=2)
def draw_special(draw):
    import jax.scipy.special as sp

    n = draw.choice(SPS)
    draw.note = n
    draw.loose = 40
    shape = draw.shape(0, 2)
    if not hasattr(sp, n):
        raise NoCase
    lo, hi = {
        "erfinv": (-0.99, 0.99),
        "ndtri": (0.01, 0.99),
        "logit": (0.01, 0.99),
        "entr": (0, 4),
    }.get(n, (0.1, 5))
    draw.special = False
    if n in ("gammaln", "digamma", "gamma") and draw.chance(0.4):
        lo = -4.7
    draw.given(draw.rng.uniform(lo, hi, shape).astype(F32))
    if n in ("betaln", "xlogy", "xlog1py", "gammainc", "gammaincc", "rel_entr", "kl_div"):
        draw.given(draw.rng.uniform(0.1, 5, shape).astype(F32))
        return getattr(sp, n)
    if n == "zeta":
        draw.given(draw.rng.uniform(0.5, 5, shape).astype(F32))
        return lambda x, y: sp.zeta(x + 1.2, y)
    if n == "polygamma":
        return lambda x: sp.polygamma(2, x)
    if n == "betainc":
        draw.given(draw.rng.uniform(0.1, 5, shape).astype(F32))
        draw.given(draw.rng.uniform(0.05, 0.95, shape).astype(F32))
        return sp.betainc
    if n == "bessel_jn":
        raise NoCase
    return getattr(sp, n)


@cases("image", weight=1.5)
def draw_image(draw):
    k = draw.integer(0, 3)
    draw.note = f"k{k}"
    draw.loose = 4
    if k == 0:
        m = draw.choice(["nearest", "linear", "cubic", "lanczos3"])
        o = (2, draw.integer(1, 9), draw.integer(1, 9))
        draw.value((2, draw.integer(1, 6), draw.integer(1, 6)), F32, special=False)
        aa = draw.chance(0.5)
        return lambda x: jax.image.resize(x, o, m, antialias=aa)
    if k == 1:
        draw.value((6, 2), F32, special=False)
        draw.given(draw.rng.integers(-1, 5, 6).astype(I32))
        f = draw.choice(
            [jax.ops.segment_sum, jax.ops.segment_max, jax.ops.segment_min, jax.ops.segment_prod]
        )
        return lambda x, i: f(x, i, num_segments=4)
    if k == 2:
        draw.value((5, 5), F32, special=False)
        draw.value((2, 7), F32, low=-1, high=6, special=False)
        m = draw.choice(["constant", "nearest", "wrap", "mirror", "reflect"])
        o = draw.integer(0, 1)
        return lambda x, c: jax.scipy.ndimage.map_coordinates(x, list(c), o, mode=m)
    draw.value((draw.integer(2, 5), draw.integer(2, 5)), F32, special=False)
    m = draw.choice(
        ["reflect", "symmetric", "wrap", "edge", "linear_ramp", "maximum", "mean", "median"]
    )
    p = [(draw.integer(0, 7), draw.integer(0, 7)) for _ in range(2)]
    draw.note += m
    return lambda x: jnp.pad(x, p, mode=m)


@cases("grad", weight=1.5)
def draw_grad(draw):
    k = draw.integer(0, 6)
    draw.note = f"k{k}"
    draw.loose = 4
    draw.special = False
    if k == 0:
        w, s = draw.integer(1, 3), draw.integer(1, 3)
        draw.value((1, 6, 6, 2), F32)
        draw.value((), F32)
        return jax.grad(
            lambda x, t: jnp.sum(
                t * lax.reduce_window(x, -jnp.inf, lax.max, (1, w, w, 1), (1, s, s, 1), "SAME") ** 2
            )
        )
    if k == 1:
        draw.value((2, 5, 6, 3), F32)
        draw.value((3, 2, 3, 4), F32)
        st, rd, ld = (
            [draw.integer(1, 2) for _ in range(2)],
            [draw.integer(1, 2) for _ in range(2)],
            [draw.integer(1, 2) for _ in range(2)],
        )
        pd = pairs(draw, 2, 0)
        pd = [(a + 1, b + 1) for a, b in pd]
        draw.note += f"{st}{rd}{ld}{pd}"
        return jax.grad(
            lambda x, w: jnp.sum(
                lax.conv_general_dilated(x, w, st, pd, ld, rd, ("NHWC", "HWIO", "NHWC")) ** 2
            ),
            argnums=(0, 1),
        )
    if k == 2:
        draw.value((4, 5), F32)
        draw.given(draw.rng.integers(-1, 6, 3).astype(I32))
        return jax.grad(lambda x, i: jnp.sum(x[i] ** 3))
    if k == 3:
        draw.value((7,), F32)
        f = draw.choice(
            [
                jnp.cumsum,
                jnp.cumprod,
                lambda x: lax.cummax(x),
                lambda x: lax.cumlogsumexp(x),
                jnp.sort,
            ]
        )
        return jax.grad(lambda x: jnp.sum(f(x) * jnp.arange(7.0)))
    if k == 4:
        draw.value((3, 4), F32)
        return jax.grad(lambda x: jnp.sum(jnp.max(x, 1) * jnp.min(x, 1)))
    if k == 5:
        draw.value((3,), F32)
        draw.value((4, 3), F32)
        return jax.grad(
            lambda c, xs: jnp.sum(lax.scan(lambda a, x: (jnp.tanh(a + x), a * x), c, xs)[1]),
            argnums=(0, 1),
        )
    draw.value((5, 2), F32)
    return jax.grad(lambda x: jnp.sum(jnp.linalg.norm(x, axis=1) * jnp.prod(x, axis=1)))


@cases("fft", weight=1)
def draw_fft(draw):
    n = draw.choice(["fft", "ifft", "rfft", "irfft"])
    shape = draw.shape(1, 2)
    draw.special = False
    draw.loose = 10
    draw.note = n
    draw.value(shape, F32)
    if n == "irfft":
        if shape[-1] < 2:
            raise NoCase
        return lambda x: jnp.fft.irfft(x)
    return lambda x: (lambda y: (y.real, y.imag))(getattr(jnp.fft, n)(x))
