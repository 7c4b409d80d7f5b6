# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Movement, indexing, sorting, reductions and arithmetic on sizes with symbolic dimensions."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import core, lax

from dynamic_case import booleans, dynamic, floats, integers
from jax_case import KEY, key_of, normal


# Sizes.

@dynamic("r=4..24/4", floats("r, 3"))
def split_of_multiple(x):
    return x.reshape(-1, 4, 3).sum(1), x.reshape(x.shape[0] // 4, 4, 3), x.reshape(4, -1, 3)


@dynamic("r=4..24/4", floats("r"))
def folded_rows(x):
    return jnp.exp(x.reshape(x.shape[0] // 2, 2)).reshape(-1) + x


@dynamic("b=1..4, s=2..9", floats("b, s, 6"), normal(6, 4))
def collapsed_batch(x, w):
    b, s, d = x.shape
    return (x.reshape(b * s, d) @ w).reshape(b, s, 4), x.reshape(b, -1) * 2


@dynamic("n=2..20", floats("n"))
def at_least_8(x):
    n = x.shape[0]
    m = core.max_dim(n, 8)
    return jnp.zeros(m).at[:n].set(x), jnp.arange(m)


@dynamic("n=2..20", floats("n"))
def at_most_8(x):
    return x[: core.min_dim(x.shape[0], 8)] * 2


@dynamic("n=2..12, m=2..12", floats("n, 4"), floats("m, 4"))
def the_shorter(x, y):
    k = core.min_dim(x.shape[0], y.shape[0])
    return x[:k] + y[:k]


@dynamic("n=2..12, m=2..12", floats("n"), floats("m"))
def padded_to_the_longer(x, y):
    k = core.max_dim(x.shape[0], y.shape[0])
    return jnp.pad(x, (0, k - x.shape[0])) + jnp.pad(y, (0, k - y.shape[0]))


@dynamic("n=2..13", floats("n, 3"))
def ceil_of_half(x):
    n = x.shape[0]
    half = -(-n // 2)
    return x[:half], x[half:], jnp.zeros((n // 2 + 1, n % 3 + 1))


@dynamic("n=1..5, m=1..5", floats("n, 3"), floats("m, 3"))
def products_of_sizes(x, y):
    return jnp.einsum("ij,kj->ik", x, y).reshape(-1), jnp.ones((2 * x.shape[0] * y.shape[0] + 1,))


@dynamic("n=1..6", floats("n, 1, 4"), floats("1, n, 4"))
def broadcasts_of_1(x, y):
    return x + y, jnp.broadcast_to(x, (x.shape[0], x.shape[0], 4)), jnp.broadcast_to(x[0, 0, :1], (x.shape[0],))


@dynamic("n=2..9", floats("2*n, 3"), floats("n"), floats("n + 1"))
def sizes_of_arguments(x, y, z):
    n = y.shape[0]
    return x[:n] + y[:, None], x[n:], z[1:] * y, z[:-1]


@dynamic("n=2..9", floats("n, 3"))
def size_as_value(x):
    n = x.shape[0]
    return x / n, jnp.float32(n) * 2, x.sum() / (n - 1), jnp.full((n,), n), jnp.sqrt(jnp.float32(n))


# Movement.

@dynamic("n=2..13", floats("3, n"))
def halves(x):
    n = x.shape[1]
    return x[:, : n // 2], x[:, n // 2:], x[:, 1:-1], x[:, -2:], x[:, :2]


@dynamic("n=3..13", floats("n, 4"))
def strided_slices(x):
    return x[::2], x[1::2], x[::3] * 2, x[:, ::2]


@dynamic("n=2..12/2", floats("n, 4"))
def interleaved(x):
    return jnp.stack([x[::2], x[1::2]], 1).reshape(x.shape), jnp.split(x, 2)


@dynamic("b=1..3, n=2..13", floats("b, n"))
def flips(x):
    return jnp.flip(x, 1), x[::-1], x[:, ::-1], jnp.flip(x)


@dynamic("b=1..3, n=2..13", floats("b, n"))
def rolls(x):
    return jnp.roll(x, 1, 1), jnp.roll(x, -1, 1), jnp.roll(x, 1, 0), jnp.roll(x, 3, 1)


@dynamic("n=2..13", floats("n, 2"), integers("", "n"))
def roll_by_value(x, shift):
    return jnp.roll(x, shift, 0)


@dynamic("n=1..9, m=1..9", floats("n, 3"), floats("m, 3"))
def concatenations(x, y):
    return jnp.concatenate([x, y]), jnp.concatenate([y, x, y]), jnp.concatenate([x, jnp.zeros((2, 3))]), \
        jnp.stack([x, x], 1), jnp.concatenate([x, y]).sum(0), jnp.concatenate([x, x], 1)


@dynamic("n=2..9", floats("n, 3"))
def pads(x):
    return jnp.pad(x, ((1, 2), (0, 1))), jnp.pad(x, ((0, 0), (2, 0)), constant_values=3), \
        lax.pad(x, 0., [(0, 0, 1), (-1, 0, 0)]), jnp.pad(x, ((0, x.shape[0]), (0, 0))), lax.pad(x, 1., [(-1, 2, 0), (0, 0, 0)])


@dynamic("n=3..9", floats("n, 3"))
def pads_by_mode(x):
    return jnp.pad(x, ((1, 1), (0, 0)), mode="edge"), jnp.pad(x, ((2, 2), (0, 0)), mode="reflect")


@dynamic("n=2..9", floats("n, 3"))
def repeats(x):
    return jnp.repeat(x, 2, 0), jnp.repeat(x, 3, 1), jnp.repeat(x[0], 2)


@dynamic("n=2..9", floats("n, 3"))
def tiles(x):
    return jnp.tile(x, (2, 1)), jnp.tile(x, (1, 2)), jnp.tile(x[:, 0], 3)


@dynamic("n=2..9, m=1..9", floats("n"), floats("m"))
def grids(x, y):
    return jnp.meshgrid(x, y), jnp.meshgrid(x, y, indexing="ij"), jnp.outer(x, y)


@dynamic("n=2..12", floats("n, 3"))
def ranges(x):
    n = x.shape[0]
    return jnp.arange(n), jnp.arange(n, dtype=jnp.float32)[:, None] * x, jnp.arange(1, n), jnp.arange(0, 2 * n, 2), \
        lax.broadcasted_iota(jnp.int32, (3, n), 1), jnp.eye(n), jnp.arange(n)[::-1]


@dynamic("n=2..12", floats("n, 3"))
def linear_spaces(x):
    n = x.shape[0]
    return jnp.arange(n) / (n - 1), jnp.arange(n) / n


@dynamic("n=2..12, m=3..9", floats("n, m"))
def triangles(x):
    return jnp.tril(x), jnp.triu(x, 1), jnp.tril(x, -1), jnp.trace(x), jnp.diagonal(x[:, :2].T @ x[:, :2])


@dynamic("b=1..3, s=2..12", floats("b, s"))
def wheres(x):
    return jnp.where(x > 0, x, 0), jnp.where(jnp.arange(x.shape[1]) < 3, x, -1), jnp.clip(x, -1, 1), \
        jnp.where(x > 0, jnp.arange(x.shape[0])[:, None], 7)


@dynamic("b=1..3, s=2..9", floats("b, s, 4"))
def transposes(x):
    return x.transpose(2, 0, 1), x.swapaxes(1, 2).reshape(x.shape[0], -1), jnp.moveaxis(x, 1, 0), x[:, None], \
        jnp.squeeze(x[:, :1], 1), jnp.expand_dims(x, -1)


# Indexing.

@dynamic("n=2..12", floats("n, 4"), integers("5", "n"))
def indexing(x, i):
    return x[i], x[-1], x[0], jnp.take(x, i, axis=0), jnp.take(x, i, axis=0, mode="clip"), x.at[0].set(1.), \
        x.at[-1].add(2.), x[i, 1]


@dynamic("k=1..9", floats("10, 4"), integers("k", 10))
def indexing_by_k(x, i):
    return x[i], x.at[i].add(1.), jnp.take(x, i, axis=0, mode="fill"), x[i % 3, 0]


@dynamic("n=2..9, k=1..7", floats("n, 4"), integers("k", "n", low=-1), floats("k, 4"))
def scatters(x, i, u):
    return x.at[i].add(u), x.at[i].max(u), x.at[i].min(u), x.at[i, 0].add(1.)


@dynamic("b=1..3, n=2..9", floats("b, n"), integers("b, 3", "n"))
def along_axis(x, i):
    return jnp.take_along_axis(x, i, 1), jnp.take_along_axis(x, i, 1, mode="clip")


@dynamic("b=1..3, s=1..9", normal(10, 4), integers("b, s", 10))
def embedding_grads(table, i):
    return jax.grad(lambda t: (t[i] ** 3).sum())(table)


@dynamic("n=2..12", floats("n, 3"), integers("n", 5))
def segments(x, i):
    return jax.ops.segment_sum(x, i, 5), jax.ops.segment_max(x, i, 5), jnp.bincount(i, length=5)


@dynamic("n=2..12", floats("n, 3"), integers("n", "n"))
def segments_of_n(x, i):
    return jax.ops.segment_sum(x, i, x.shape[0])


@dynamic("n=2..12, e=1..20", floats("n, 3"), integers("e", "n"), integers("e", "n"))
def graph_network(x, source, target):
    messages = jnp.tanh(x[source])
    count = jnp.zeros(x.shape[0]).at[target].add(1.)
    return jnp.zeros_like(x).at[target].add(messages) / jnp.maximum(count, 1)[:, None]


@dynamic("n=2..12", integers("n", 6))
def one_hots(i):
    return jax.nn.one_hot(i, 6), jax.nn.one_hot(i, i.shape[0])


@dynamic("n=3..12", floats("n, 5"), integers("", "n"))
def dynamic_slices(x, i):
    return lax.dynamic_slice(x, (i, 0), (2, 5)), lax.dynamic_index_in_dim(x, i, 0), \
        lax.dynamic_update_slice(x, jnp.ones((3, 2)), (i, 1)), x[i]


@dynamic("n=2..12, m=1..9", floats("n"), floats("m"))
def searches(x, y):
    return (jnp.sort(x)[None] < y[:, None]).sum(1)


@dynamic("n=3..12", floats("n"))
def nonzeros(x):
    return jnp.nonzero(x > 0, size=4, fill_value=0)[0], jnp.argwhere(x > 9, size=2)


# Sorting and cumulative ops.

@dynamic("b=1..3, n=2..12", floats("b, n"))
def sorts(x):
    return jnp.sort(x, 1), jnp.argsort(x, 1), jnp.sort(x, 0), -jnp.sort(-x, 1), jnp.sort(x, 1, descending=True)


@dynamic("n=2..12", floats("n"), integers("n", 4))
def sorts_by_keys(x, y):
    return lax.sort((y, x), num_keys=2), jnp.lexsort((x, y)), jnp.argsort(y, descending=True), x[jnp.argsort(y)]


@dynamic("b=1..3, n=3..12", floats("b, n"))
def top_k(x):
    return lax.top_k(x, 3), lax.top_k(-x, 1)


@dynamic("b=1..3, n=3..12", floats("b, n"), platform="tpu")
def top_k_of_tpu(x):
    return lax.top_k(x, 3), lax.approx_max_k(x, 2)


@dynamic("b=1..3, n=2..12", floats("b, n"))
def argmaxes(x):
    return jnp.argmax(x, 1), jnp.argmin(x, 0), jnp.argmax(x, 0), jnp.argmin(x, -1, keepdims=True)


@dynamic("b=1..3, n=2..12", floats("b, n"))
def cumulative(x):
    return jnp.cumsum(x, 1), jnp.cumprod(x, 0), jnp.cumsum(x, 0), lax.cummax(x, 1), lax.cummin(x, 1), \
        lax.cumsum(x, 1, reverse=True)


@dynamic("b=1..3, n=2..12", floats("b, n"), platform="tpu")
def cumulative_of_tpu(x):
    return jnp.cumsum(x, 1), jnp.cumprod(x, 0), lax.cummax(x, 1), lax.cumsum(x, 1, reverse=True)


@dynamic("b=1..3, n=2..12", floats("b, n"))
def cumulative_logsumexp(x):
    return lax.cumlogsumexp(x, 1)


@dynamic("n=2..12", floats("n, 3"))
def cumulative_grads(x):
    return jax.grad(lambda x: (jnp.cumsum(x, 0) ** 2).sum())(x)


@dynamic("n=2..12", integers("n", 9), booleans("n"))
def cumulative_integers(x, mask):
    return jnp.cumsum(x), jnp.cumsum(mask), jnp.where(mask, jnp.cumsum(mask) - 1, -1)


@dynamic("n=3..13", floats("2, n"))
def windows(x):
    return lax.reduce_window(x, 0., lax.add, (1, 3), (1, 1), "SAME"), \
        lax.reduce_window(x, -jnp.inf, lax.max, (1, 3), (1, 2), "VALID"), \
        lax.reduce_window(x, 0., lax.add, (1, 2), (1, 2), [(0, 0), (1, 0)])


@dynamic("n=3..13", floats("n"))
def moving_average(x):
    return jnp.diff(x), (x[1:] + x[:-1]) / 2


# Reductions.

@dynamic("b=2..5, n=2..9", floats("b, n"))
def statistics(x):
    return x.mean(), x.mean(1), x.var(0), x.std(1), x.prod(0), jnp.any(x > 2), jnp.all(x > -9, 1), jnp.ptp(x, 0), \
        jnp.count_nonzero(x > 0), x.var(1, ddof=1), jnp.nanmean(x), jax.nn.logsumexp(x, 1), x.min(), jnp.average(x, 1)


@dynamic("n=2..9", floats("n, 3"))
def medians(x):
    return jnp.median(x, 0)


@dynamic("b=1..3, n=2..9", floats("b, n"))
def softmaxes(x):
    return jax.nn.softmax(x, 1), jax.nn.log_softmax(x, 0), jax.nn.softmax(x, 1, where=x > -1)


@dynamic("n=2..9, m=2..9", floats("n, 4"), floats("m, 4"))
def distances(x, y):
    squared = ((x[:, None] - y[None]) ** 2).sum(-1)
    return jnp.sqrt(squared), jnp.argmin(squared, 1), (x * x).sum(1)[:, None] + (y * y).sum(1) - 2 * x @ y.T


@dynamic("n=2..9", floats("n, n"), floats("n, 4"))
def square_matrices(a, x):
    return a @ x, a @ a, (a + a.T) / 2, a.sum(0) @ x, jnp.linalg.matrix_power(a, 2)


@dynamic("n=2..9", floats("n, 4"))
def covariance(x):
    return jnp.cov(x, rowvar=False), x.T @ x / x.shape[0], x @ x.T


@dynamic("b=1..4, n=2..9", floats("b, n"), platform="tpu")
def random_numbers(x):
    key = key_of(KEY)
    return x + jax.random.uniform(key, x.shape), jnp.where(jax.random.bernoulli(key, 0.5, x.shape), x / 0.5, 0)


@dynamic("b=1..3, n=2..9", floats("b, n"), integers("b, n", 100, low=-50))
def conversions(x, y):
    return (x * 10).astype(jnp.int8), y.astype(jnp.float32) / 3, x.astype(jnp.bfloat16).astype(jnp.float32), y // 7, \
        y % 7, jnp.sign(x), jnp.abs(y), x > y, jnp.isnan(x), jnp.round(x), lax.bitcast_convert_type(x, jnp.int32)


@dynamic("b=1..3, n=2..9", floats("b, n"))
def branches(x):
    return lax.cond(x[0, 0] > 0, lambda x: x * 2, jnp.sin, x), lax.while_loop(
        lambda c: c[1] < 3, lambda c: (c[0] * 1.5, c[1] + 1), (x, 0))[0]


@dynamic("b=1..3, n=2..9", floats("b, n, 4"), np.float32(2))
def scalars(x, a):
    return a * x + 1, jnp.maximum(x, a), x.reshape(-1) * a, x.ravel()[:2], jnp.vdot(x, x)
