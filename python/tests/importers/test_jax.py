# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of JAX, compiled in this process, against JAX."""

from __future__ import annotations

import gaudi_mlir
import numpy as np
import pytest

jnp = pytest.importorskip("jax.numpy")
import jax  # noqa: E402
from jax import export  # noqa: E402
from gaudi_mlir import jax as gaudi_jax  # noqa: E402


def agree(got, expected, tolerance: float = 2e-4) -> None:
    """Equal trees, whose leaves are close relative to the largest element."""
    assert jax.tree_util.tree_structure(got) == jax.tree_util.tree_structure(expected)
    for one, other in zip(jax.tree_util.tree_leaves(got), jax.tree_util.tree_leaves(expected)):
        assert one.dtype == other.dtype and one.shape == other.shape
        if jax.dtypes.issubdtype(one.dtype, jax.dtypes.prng_key):
            one, other = jax.random.key_data(one), jax.random.key_data(other)
        one, other = np.asarray(one), np.asarray(other)
        if one.dtype.kind in "biu" or one.dtype == jax.dtypes.float0:
            np.testing.assert_array_equal(one, other)
        else:
            one, other = one.astype(np.float64), other.astype(np.float64)
            limit = tolerance * max(1e-6, np.abs(other).max(initial=0))
            np.testing.assert_allclose(one, other, rtol=0, atol=limit)


def check(function, *args, tolerance: float = 2e-4, **kwargs) -> gaudi_jax.Function:
    compiled = gaudi_jax.compile(function, *args, kwargs=kwargs)
    agree(compiled(*args, **kwargs), function(*args, **kwargs), tolerance)
    return compiled


def random(*shape: int, seed: int = 0):
    return jax.random.normal(jax.random.PRNGKey(seed), shape)


PARAMS = {"layers": [{"w": random(8, 16), "b": jnp.zeros(16)},
                     {"w": random(16, 4, seed=1), "b": jnp.ones(4)}]}


def logits(params, x):
    for layer in params["layers"][:-1]:
        x = jax.nn.gelu(x @ layer["w"] + layer["b"])
    return jax.nn.log_softmax(x @ params["layers"][-1]["w"] + params["layers"][-1]["b"])


def loss(params, x, labels):
    return -jnp.mean(jnp.take_along_axis(logits(params, x), labels[:, None], 1))


def adam(state, x, labels):
    """A training step: value, gradient and update as one function."""
    params, mean, square, step = state
    value, grads = jax.value_and_grad(loss)(params, x, labels)
    step = step + 1
    mean = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, mean, grads)
    square = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, square, grads)
    params = jax.tree.map(
        lambda p, m, v: p - 1e-2 * (m / (1 - 0.9**step)) / (jnp.sqrt(v / (1 - 0.999**step)) + 1e-8),
        params, mean, square)
    return (params, mean, square, step), {"loss": value}


def attention(x, w):
    q, k, v = jnp.split(x @ w, 3, axis=-1)
    scores = jnp.einsum("bqd,bkd->bqk", q, k) / jnp.sqrt(q.shape[-1])
    mask = jnp.tril(jnp.ones(scores.shape[-2:], bool))
    return jax.nn.softmax(jnp.where(mask, scores, -1e9)) @ v


def test_tree_and_names() -> None:
    function = check(logits, PARAMS, random(5, 8))
    assert function.inputs == ["params.layers.0.b", "params.layers.0.w", "params.layers.1.b",
                               "params.layers.1.w", "x"]
    assert [tensor.name for tensor in function.recipe.describe().entries[0].inputs] \
        == function.inputs
    with pytest.raises(TypeError, match="was compiled for"):
        function(PARAMS)


def test_training() -> None:
    """Several steps beside JAX."""
    zeros = jax.tree.map(jnp.zeros_like, PARAMS)
    x, labels = random(6, 8, seed=3), jnp.array([0, 1, 2, 3, 1, 2])
    state = ours = (PARAMS, zeros, zeros, jnp.float32(0))
    compiled = gaudi_jax.compile(adam, state, x, labels)
    for _ in range(5):
        state, metrics = jax.jit(adam)(state, x, labels)
        ours, ours_metrics = compiled(ours, x, labels)
        agree(ours_metrics, metrics)
    agree(ours[0], state[0], 1e-3)
    assert compiled.outputs[-1] == "out1.loss"


def test_donated_arguments() -> None:
    zeros = jax.tree.map(jnp.zeros_like, PARAMS)
    x, labels = random(6, 8, seed=3), jnp.array([0, 1, 2, 3, 1, 2])
    state = (PARAMS, zeros, zeros, jnp.float32(0))
    compiled = gaudi_jax.compile(jax.jit(adam, donate_argnums=0), state, x, labels)
    expected = adam(*jax.tree.map(jnp.copy, (state, x, labels)))
    agree(compiled(state, x, labels), expected)
    # What was donated to the device is not gone in JAX, and the next call has its own values.
    agree(compiled(state, x, labels), expected)


@pytest.mark.parametrize("function, arguments", [
    (attention, lambda: (random(2, 7, 8), random(8, 24))),
    (lambda x: jax.lax.scan(lambda c, a: (c + a, c * a), x[0], x), lambda: (random(5, 3),)),
    (lambda x, n, b: (x * 2, jnp.where(b, n, -n)),
     lambda: (jnp.arange(6.0).astype(jnp.bfloat16), jnp.arange(6), jnp.arange(6) > 2)),
    (lambda x, s: x * s + 1, lambda: (jnp.ones(3), 2.5)),
    (lambda *xs: sum(xs), lambda: (jnp.ones(3), jnp.arange(3.0))),
    (lambda x, unused: x + 1, lambda: (jnp.ones(3), jnp.ones(5))),
    (jax.jit(lambda x, unused: x + 1), lambda: (jnp.ones(3), jnp.ones(5))),
    (lambda x: jax.image.resize(x, (1, 8, 8, 2), "linear"), lambda: (random(1, 4, 4, 2),)),
    (lambda x, w: jax.lax.conv_general_dilated(x, w, (2, 2), "SAME"),
     lambda: (random(1, 3, 9, 9), random(4, 3, 3, 3, seed=2))),
    (lambda x: jnp.sort(x, axis=1)[:, ::-1], lambda: (random(3, 9),)),
    (lambda x: jax.lax.top_k(x, 3), lambda: (random(3, 9),)),
    (lambda x: jnp.cumsum(x, axis=1), lambda: (random(3, 9),)),
    (lambda x: jax.vmap(jax.grad(lambda v: jnp.sum(jnp.tanh(v) ** 3)))(x), lambda: (random(3, 9),)),
    (lambda x, n: jax.grad(lambda x, n: (x * n).sum(), argnums=(0, 1), allow_int=True)(x, n),
     lambda: (jnp.ones(3), jnp.arange(3))),
    (lambda x: {"a": x.sum(), "b": (x.max(), None)}, lambda: (random(3),)),
])
def test_functions(function, arguments) -> None:
    check(function, *arguments())


def test_keyword_arguments() -> None:
    assert check(lambda x, *, scale: x * scale, jnp.ones(3), scale=jnp.float32(3)).inputs \
        == ["x", "scale"]


def test_keys() -> None:
    check(lambda key: (jax.random.normal(key, (4, 5)), jax.random.split(key)), jax.random.key(3))
    check(lambda key: jax.random.permutation(key, 16), jax.random.PRNGKey(3))


def test_linear_algebra_without_lapack() -> None:
    a = random(5, 5)
    spd = a @ a.T + 5 * jnp.eye(5)
    check(lambda s, b: jax.scipy.linalg.cho_solve(jax.scipy.linalg.cho_factor(s), b), spd,
          jnp.ones(5), tolerance=1e-3)
    check(jnp.linalg.solve, spd, jnp.ones(5), tolerance=1e-3)
    check(jnp.linalg.inv, spd, tolerance=1e-3)


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "int32"])
def test_large_constants_are_not_text(dtype: str) -> None:
    table = (random(100, 64) * 10).astype(dtype)
    text = gaudi_jax.to_mlir(lambda i: table[i], jnp.array([3, 5]))
    [name] = text.resources
    np.testing.assert_array_equal(text.resources[name], np.asarray(table))
    assert len(text.text) < 10_000
    check(lambda i: table[i], jnp.array([3, 5]))


def test_symbolic_sizes() -> None:
    batch, length = export.symbolic_shape("batch, length", constraints=["length >= 2"])
    compiled = gaudi_jax.compile(
        lambda x, w: jax.nn.softmax(x @ w), jax.ShapeDtypeStruct((batch, length, 8), "float32"),
        jax.ShapeDtypeStruct((8, 4), "float32"), bounds={"batch": (1, 8), "length": (2, 64)},
        buckets="exponential:4")
    for shape in ((3, 5, 8), (8, 64, 8), (1, 2, 8)):
        x, w = random(*shape), random(8, 4)
        agree(compiled(x, w), jax.nn.softmax(x @ w))
    with pytest.raises(ValueError, match="'x' has the symbolic size length, for which"):
        gaudi_jax.compile(lambda x: x, jax.ShapeDtypeStruct((length,), "float32"), bounds={})


def test_every_form_of_stablehlo() -> None:
    w = random(64, 64)
    function = jax.jit(lambda x: jnp.tanh(x @ w))
    x = random(3, 64, seed=4)
    lowered = function.lower(x)
    exported = export.export(function)(x)
    for source in (lowered, lowered.as_text(), exported, bytes(exported.serialize()),
                   exported.mlir_module_serialized, exported.mlir_module()):
        text = gaudi_jax.to_mlir(source)
        assert len(text.resources) == 1 and "stablehlo.tanh" in text.text
        [result] = text.compile().run([np.asarray(x)])
        agree(jnp.asarray(result), function(x))


def test_errors() -> None:
    with pytest.raises(TypeError, match="gaudi_mlir.jax: function=3; expected a function"):
        gaudi_jax.compile(3)
    with pytest.raises(gaudi_mlir.CompileError, match="Qr"):
        gaudi_jax.compile(jnp.linalg.qr, random(4, 4))


def test_calls_that_do_not_fit() -> None:
    def dot(x, y):
        return jnp.dot(x, y)

    x, y = random(2, 3), random(3, 4)
    compiled = gaudi_jax.compile(dot, x, y)
    symbolic = jax.ShapeDtypeStruct((jax.export.symbolic_shape("b")[0], 3), jnp.float32)
    for call, message in (
            (lambda: compiled(x), r"compiled for 2 arrays \(x, y\), and is called with 1 array"),
            (lambda: compiled(x, "y"), r"y='y' is a str; expected an array of float32\[3,4\]"),
            (lambda: gaudi_jax.compile(dot, x), r"dot\(x, y\): missing a required argument: 'y'; give an "
             "example of each of its arguments"),
            (lambda: gaudi_jax.compile(dot, x, y, devise="gaudi3"), "'devise' is no option of "
             "gaudi_mlir.jax.compile; did you mean 'device'"),
            (lambda: gaudi_jax.compile(dot, x, y, bounds={"n": (1, 4)}), "'bounds' names 'n', which is "
             "no symbolic size of an argument; they have: none"),
            (lambda: gaudi_jax.compile(lambda x: x + 1, symbolic), "'x' has the symbolic size b, for "
             "which 'bounds' has no range"),
            (lambda: gaudi_jax.to_mlir("model.mlir"), "not a path; to read a file pass pathlib.Path"),
            (lambda: gaudi_jax.to_mlir("module {"), "this is no StableHLO that JAX reads: line 1:7: ")):
        with pytest.raises((TypeError, ValueError), match=message):
            call()


def test_scopes_are_modules():
    def loss(weights, x):
        with jax.named_scope("encoder"):
            for index, each in enumerate(weights):
                with jax.named_scope(f"layer{index}"):
                    x = jnp.tanh(x @ each)
        return (x * x).mean()

    weights = [jnp.ones((8, 8)), jnp.ones((8, 8))]
    function = gaudi_jax.compile(jax.grad(loss), weights, jnp.ones((4, 8)))
    names = {each.name for each in function.recipe.predict().modules}
    assert {"encoder.layer0", "encoder.layer1", "encoder.layer1 backward"} <= names
