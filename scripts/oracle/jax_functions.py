# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random numbers, sorting, indexing, linear algebra and arithmetic as people write them in JAX."""
import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from jax_case import KEY, LONG_KEY, NHWC, case, integers, key_of, normal


# Random numbers.

@case(KEY)
def random_threefry(words):
    key = key_of(words)
    return jax.random.normal(key, (3, 4)), jax.random.uniform(key, (5,)), jax.random.bernoulli(key, 0.3, (6,)), \
        jax.random.randint(key, (4,), 0, 10), jax.random.gumbel(key, (3,)), \
        jax.random.key_data(jax.random.split(key, 3)), \
        jax.random.truncated_normal(key, -1, 1, (4,)), jax.random.exponential(key, (4,))


@case(LONG_KEY)
def random_rbg(words):
    key = key_of(words, "rbg")
    return jax.random.normal(key, (3, 4)), jax.random.uniform(key, (5,)), jax.random.bits(key, (7,), np.uint8), \
        jax.random.randint(jax.random.fold_in(key, 3), (4,), 0, 10), jax.random.key_data(jax.random.split(key, 2))


@case(LONG_KEY)
def random_unsafe_rbg(words):
    key = key_of(words, "unsafe_rbg")
    return jax.random.normal(key, (3, 4)), jax.random.key_data(jax.random.split(key, 3)), \
        jax.random.bits(key, (3, 3), np.uint16), \
        jax.random.uniform(jax.random.fold_in(key, 1), (4,), jnp.bfloat16)


@case(normal(6, 4), KEY)
def dropout_grad(x, words):
    kept = jax.random.bernoulli(key_of(words), 0.5, x.shape)
    return jax.value_and_grad(lambda x: (jnp.where(kept, x / 0.5, 0) ** 2).sum())(x)


@case(normal(6, 4), KEY)
def random_choices(x, words):
    key = key_of(words)
    return jax.random.permutation(key, 6), jax.random.categorical(key, x), jax.random.choice(key, x, (3,), axis=0), \
        jax.random.laplace(key, (3,)), jax.random.cauchy(key, (3,))


@case(KEY)
def random_gamma(words):
    return jax.random.gamma(key_of(words), 2.0, (4,))


# Sorting and indexing.

@case(normal(4, 7), integers(3, 4, 7))
def sorts(x, y):
    return jnp.sort(x, 0), jnp.argsort(x, -1), jnp.sort(x, descending=True), jnp.lexsort((x, y)), \
        lax.sort((y, x, jnp.arange(28).reshape(4, 7)), num_keys=2), jnp.sort(x > 0), lax.top_k(x, 3), \
        jnp.sort(y.astype(jnp.uint8)), jnp.argsort(x.astype(jnp.bfloat16)), jnp.unique(y, axis=0, size=3)


@case(normal(3, 40))
def approximate_top_k(x):
    return lax.approx_max_k(x, 3), lax.approx_min_k(x, 2, reduction_dimension=0)


@case(normal(3, 4))
def composite(x):
    @functools.partial(lax.composite, name="my.softcap")
    def softcap(x, *, cap):
        return cap * jnp.tanh(x / cap)
    return softcap(x, cap=2.0)


@case(normal(5, 6), integers(5, 4))
def indexing(x, i):
    return x[1:3, ::2], x[i], x[:, i % 3], x.at[0, 1].set(5.), x.at[i].add(1.), x[-1], jnp.take(x, i, axis=0), \
        jnp.take(x, i, axis=0, mode="clip"), jnp.nonzero(x > 0, size=4)[0], jnp.unique(i, size=3), \
        jnp.tile(x, (2, 1)), jnp.repeat(x, 2, 0), jnp.roll(x, 2, 1), jnp.diagonal(x), \
        jnp.searchsorted(jnp.sort(x[0]), x[1])


@case(normal(6, 3), np.array([1, 4, 1], np.int32), normal(3, 3))
def scatters(x, i, u):
    return x.at[i].add(u), x.at[i].max(u), x.at[i].multiply(u), jax.ops.segment_sum(x, jnp.arange(6) % 4, 5), \
        jnp.bincount(i, length=5), jnp.zeros(6).at[i].add(1)


@case(normal(10, 3), integers(10, 6))
def embedding_grad(table, i):
    return jax.grad(lambda t: (t[i] ** 3).sum())(table)


@case(normal(4, 5, 6), integers(4, 3), integers(5, 3))
def batched_indexing(x, i, j):
    return jax.vmap(lambda a, b: x[a, b])(i, j), \
        jax.vmap(lambda r, k: lax.dynamic_slice(r, (k, 0), (2, 6)))(x[:3], j), \
        jax.vmap(lambda r, k: r.at[k].set(0.))(x[:3], j), jnp.take_along_axis(x, x.argmax(-1, keepdims=True), -1)


@case(normal(3, 5))
def cumulative(x):
    return jnp.cumsum(x, 1), jnp.cumprod(x, 0), lax.cummax(x, 0), lax.cumlogsumexp(x, 1), jnp.cumsum(x[::-1], 0)


@case(normal(3, 5), platform="tpu")
def cumulative_windows(x):
    return jnp.cumsum(x, 1), jnp.cumprod(x, 0), lax.cummin(x, 0)


# Products and linear algebra.

@case(normal(2, 3, 4), normal(2, 4, 5))
def products(a, b):
    return jnp.einsum("bij,bkj->bik", a, a), jnp.einsum("abc,acd->dba", a, b), jnp.tensordot(a, b, ((2,), (1,))), \
        jnp.kron(a[0], b[0]), jnp.einsum("bij->ij", a), jnp.einsum("ijk,ikl,i->jl", a, b, a[:, 0, 0]), \
        jnp.vdot(a, a), jnp.cross(a[0, :, :3], a[1, :, :3]), jax.vmap(jnp.outer)(a[:, 0], b[:, 0]), jnp.trace(a[0])


def definite(n):
    root = normal(n, n)
    return root @ root.T + n * np.eye(n, dtype=np.float32)


@case(definite(5), normal(5, 2), platform="tpu")
def cholesky_solve(a, b):
    factor = jax.scipy.linalg.cho_factor(a, lower=True)
    return jnp.linalg.cholesky(a), jax.scipy.linalg.cho_solve(factor, b), \
        jax.scipy.linalg.solve_triangular(a, b, lower=False)


@case(definite(4), normal(4), platform="tpu")
def gaussian_density_grad(a, x):
    return jax.grad(lambda a: jax.scipy.stats.multivariate_normal.logpdf(x, jnp.zeros(4), a))(a)


@case(normal(4, 4), platform="tpu")
def lu_and_qr(a):
    return jnp.linalg.inv(a), jnp.linalg.qr(a)[1]


@case(definite(3), platform="cpu")
def cholesky_on_cpu(a):
    return jnp.linalg.cholesky(a)


@case(normal(3, 3))
def matrix_functions(a):
    return jnp.linalg.matrix_power(a, 3), jnp.linalg.norm(a), jnp.linalg.norm(a, axis=0), \
        jax.scipy.linalg.toeplitz(a[0]), jnp.triu(a), jnp.outer(a[0], a[1])


# Arithmetic.

@case(normal(4, 5), normal(4, 5))
def arithmetic(x, y):
    return x ** 3, jnp.abs(x) ** y, jnp.floor_divide(x, y), jnp.mod(x, y), jnp.sign(x), jnp.round(x), jnp.hypot(x, y), \
        jnp.log1p(jnp.abs(x)), jnp.expm1(x), jnp.cbrt(x), jnp.arctan2(x, y), jnp.logaddexp(x, y), jnp.pad(x, 1), \
        jnp.nan_to_num(x / 0), jnp.isclose(x, y), lax.nextafter(x, y), lax.reduce_precision(x, 5, 2), jnp.frexp(x), \
        jnp.ldexp(x, 3), jnp.copysign(x, y), jnp.heaviside(x, y), jnp.clip(x, -1, 1)


@case(normal(3, 4))
def special_functions(x):
    positive = jnp.abs(x) + 0.5
    return lax.lgamma(positive), lax.digamma(positive), jax.scipy.special.erfinv(jnp.tanh(x)), lax.erfc(x), \
        jax.scipy.special.zeta(positive + 1, positive), jax.scipy.special.polygamma(1, positive), \
        jax.scipy.special.i0e(x), jax.scipy.special.i1e(x), jax.scipy.special.ndtri(jax.nn.sigmoid(x)), \
        jax.scipy.special.betaln(positive, positive), jax.scipy.special.logsumexp(x, 1), jnp.sinc(x), \
        jax.scipy.special.xlogy(positive, positive), jax.scipy.special.entr(positive)


@case(normal(3), normal(3))
def incomplete_gamma(a, x):
    return jax.scipy.special.gammainc(jnp.abs(a) + 0.5, jnp.abs(x)), lax.random_gamma_grad(jnp.abs(a) + 1, jnp.abs(x))


@case(integers(50, 6, low=-50), integers(10, 6, low=1))
def integer_arithmetic(x, y):
    return x // y, x % y, x & y, x | y, x ^ y, x << 1, x >> 1, ~x, x ** 2, lax.population_count(x), \
        lax.clz(x), lax.shift_right_logical(x, 2), jnp.bitwise_count(x), x.astype(jnp.uint8), x / y


@case(integers(50, 6, low=-50), integers(10, 6, low=1))
def greatest_common_divisor(x, y):
    return jnp.gcd(x, y)


@case(integers(100, 4, 8, low=-50, dtype=np.int8), integers(100, 8, 3, low=-50, dtype=np.int8))
def integer_product(x, w):
    return lax.dot_general(x, w, (((1,), (0,)), ((), ())), preferred_element_type=jnp.int32), x @ w


@case(normal(4, 6))
def statistics(x):
    return x.mean(1), x.var(0, ddof=1), x.prod(0), jnp.any(x > 2), jnp.all(x > -9, 1), jnp.argmax(x), jnp.ptp(x, 0), \
        jnp.percentile(x, 30, axis=0), jnp.median(x), jnp.histogram(x, bins=4)[0], jnp.cov(x), jnp.corrcoef(x), \
        jnp.diff(x, axis=0), jnp.nanmean(x), jnp.count_nonzero(x > 0), x.std(), jnp.argmin(x, 0)


@case(normal(4, 8), normal(8, 5))
def bf16_product(x, w):
    y = jax.nn.relu(x.astype(jnp.bfloat16) @ w.astype(jnp.bfloat16))
    return y.astype(jnp.float32), lax.dot(x.astype(jnp.bfloat16), w.astype(jnp.bfloat16),
                                          preferred_element_type=jnp.float32)


@case(normal(4, 8), normal(8, 5))
def mixed_precision_grad(x, w):
    def loss(w):
        y = x.astype(jnp.float16) @ w.astype(jnp.float16)
        return (y.astype(jnp.float32) ** 2).mean() * 128
    return jax.tree.map(lambda g: g / 128, jax.grad(loss)(w))


@case(normal(4, 8), normal(8, 5))
def fp8_product(x, w):
    scales = [jnp.abs(a).max() / 448 for a in (x, w)]
    a, b = ((v / s).astype(jnp.float8_e4m3fn) for v, s in zip((x, w), scales))
    return lax.dot_general(a, b, (((1,), (0,)), ((), ())), preferred_element_type=jnp.float32) * scales[0] * scales[1]


@case(normal(4, 8))
def int8_quantization(x):
    scale = jnp.abs(x).max(-1, keepdims=True) / 127
    q = jnp.clip(jnp.round(x / scale), -128, 127).astype(jnp.int8)
    return q, scale, q.astype(jnp.float32) * scale


@case(integers(256, 4, 4, dtype=np.uint8))
def bit_packing(x):
    words = lax.bitcast_convert_type(x, jnp.uint32)
    return words, lax.bitcast_convert_type(words, jnp.uint8), lax.bitcast_convert_type(words, jnp.int16)


@case(normal(2, 16))
def fast_fourier_transform(x):
    return jnp.abs(jnp.fft.rfft(x))


@case(normal(3), np.zeros((0, 3), np.float32), np.zeros((0,), np.int32))
def empty_tensors(x, nothing, none):
    return nothing.sum(0), jnp.concatenate([nothing, x[None]]), nothing @ x, x[:0], (x[:, None] * x[:0]).sum(1), \
        nothing.prod(1), jnp.any(nothing > 0), nothing.T @ nothing, jnp.sort(nothing, 0), jnp.cumsum(nothing, 1), \
        jnp.pad(nothing, 1), x[none], x.at[none].add(1.), x.at[none].set(nothing[:, 0]), jnp.flip(nothing), \
        lax.reduce_window(nothing, 0., lax.add, (1, 2), (1, 1), "VALID"), jnp.where(nothing > 0, nothing, 1), \
        jnp.tile(nothing, (2, 2)), jnp.stack([nothing, nothing]), nothing.reshape(3, 0), \
        lax.sort((none, nothing[:, 0])), \
        jax.nn.softmax(nothing), jnp.einsum("ij,kj->ik", nothing, x[None]), nothing.mean(1), nothing.astype(jnp.int8)


@case(np.zeros((0, 8, 8, 3), np.float32), normal(3, 3, 3, 4), KEY)
def empty_batch(x, w, words):
    key = key_of(words)
    y = lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=NHWC)
    return y, lax.reduce_window(y, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID"), \
        jax.random.normal(key, (0, 3)), jax.random.permutation(key, x[:, 0, 0]), \
        jax.grad(lambda w: lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=NHWC).sum())(w)
