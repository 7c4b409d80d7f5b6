# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How a function of JAX becomes a case: its arguments, and its lowering to StableHLO."""
import jax
import numpy as np

ZOO = {}
RNG = np.random.default_rng(7)


def normal(*shape, scale=1.0):
    return (RNG.standard_normal(shape) * scale).astype(np.float32)


def integers(high, *shape, low=0, dtype=np.int32):
    return RNG.integers(low, high, shape).astype(dtype)


def case(*arguments, platform="cpu"):
    """Adds a function to the zoo. `platform` is what it is lowered for: the CPU's linear algebra is LAPACK's."""
    def add(function):
        ZOO[function.__name__] = (function, arguments, platform)
        return function
    return add


def key_of(words, kind="threefry2x32"):
    return jax.random.wrap_key_data(words, impl=kind)


KEY = np.array([3, 4], np.uint32)
LONG_KEY = np.array([3, 4, 5, 6], np.uint32)
NHWC = ("NHWC", "HWIO", "NHWC")


def lowered(name):
    """(text in the generic form, arguments, results of JAX), all in JAX's usual 32 bits."""
    function, arguments, platform = ZOO[name]
    with jax.enable_x64(False):
        jitted = jax.jit(function, keep_unused=True)
        module = jitted.trace(*arguments).lower(lowering_platforms=(platform,)).compiler_ir("stablehlo")
        text = module.operation.get_asm(print_generic_op_form=True)
        leaves = [np.asarray(a) for a in jax.tree.leaves(arguments)]
        return text, leaves, [np.asarray(r) for r in jax.tree.leaves(jitted(*arguments))]
