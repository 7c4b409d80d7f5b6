# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How a function of JAX with symbolic sizes becomes a case: its export as StableHLO, its options, its arguments."""
import itertools
import re

import jax
import numpy as np
from jax import export

DYNAMIC = {}
# What the exporter has not declared stable: ops of StableHLO as custom calls, and one of JAX.
CUSTOM_CALLS = ("stablehlo.dynamic_reduce_window", "stablehlo.dynamic_top_k", "stablehlo.dynamic_approx_top_k",
                "cu_threefry2x32")


class Argument:
    """An array whose shape is text over the symbols, such as "b, 2*s, 8"."""

    def __init__(self, dims, dtype, draw):
        self.dims, self.dtype, self.draw = dims, dtype, draw

    def shape(self, sizes):
        return tuple(eval(f"({self.dims},)", {"__builtins__": {}}, sizes)) if self.dims else ()

    def array(self, sizes, rng):
        return np.asarray(self.draw(rng, self.shape(sizes), sizes)).astype(self.dtype)


def floats(dims, scale=1.0, dtype=np.float32):
    return Argument(dims, dtype, lambda rng, shape, _: rng.standard_normal(shape) * scale)


def integers(dims, high, low=0, dtype=np.int32):
    """Below `high`: a number, or the name of a symbol."""
    return Argument(dims, dtype, lambda rng, shape, sizes: rng.integers(low, sizes.get(high, high), shape))


def booleans(dims):
    return Argument(dims, np.bool_, lambda rng, shape, _: rng.random(shape) < 0.5)


def over(function, arguments):
    """`function` of each argument of a tree; arrays are arguments of one shape."""
    return jax.tree.map(function, arguments, is_leaf=lambda a: isinstance(a, Argument))


class Symbol:
    """Bounds "s=4..24/4", the sizes to compile for and those to launch."""

    def __init__(self, text):
        self.text = text.strip()
        self.name, bounds = self.text.split("=")
        bounds, _, multiple = bounds.partition("/")
        self.multiple = int(multiple or 1)
        self.low, self.high = map(int, bounds.split(".."))
        assert self.low % self.multiple == 0 and self.high % self.multiple == 0

    def constraints(self):
        low, high = self.low // self.multiple, self.high // self.multiple
        return [f"{self.name} >= {low}"] * (low > 1) + [f"{self.name} <= {high}"]

    def buckets(self, count):
        """Evenly spaced up to the largest size."""
        steps = (self.high - self.low) // self.multiple
        return sorted({self.low + steps * i // count * self.multiple for i in range(1, count + 1)})

    def sizes(self, rng, count):
        """The bounds, buckets, what comes after a bucket, and random ones."""
        buckets = self.buckets(count)
        chosen = {self.low, *buckets, *(size + self.multiple for size in buckets[:-1])}
        steps = (self.high - self.low) // self.multiple
        return sorted(chosen | {self.low + int(rng.integers(0, steps + 1)) * self.multiple for _ in range(2)})


class Case:
    def __init__(self, function, symbols, arguments, platform, constraints):
        self.function, self.arguments, self.platform = function, arguments, platform
        self.symbols = [Symbol(text) for text in symbols.split(",")]
        self.constraints = list(constraints)

    def text(self):
        """StableHLO in the generic form. JAX is told the bounds, too, which decides comparisons by them."""
        from jax._src.interpreters import mlir as jax_mlir
        from jaxlib.mlir import ir
        scope = export.SymbolicScope([c for s in self.symbols for c in s.constraints()] + self.constraints)

        def spec(argument):
            if not isinstance(argument, Argument):
                return jax.ShapeDtypeStruct(np.shape(argument), argument.dtype)
            # A multiple of 4 is written 4*n in JAX.
            dims = re.sub(r"\b(" + "|".join(multiples) + r")\b", lambda m: multiples[m[1]], argument.dims)
            return jax.ShapeDtypeStruct(export.symbolic_shape(dims, scope=scope), argument.dtype)
        multiples = {s.name: f"{s.multiple}*{s.name}" if s.multiple > 1 else s.name for s in self.symbols}
        checks = [export.DisabledSafetyCheck.custom_call(name) for name in CUSTOM_CALLS]
        jitted = jax.jit(self.function, keep_unused=True)
        exported = export.export(jitted, platforms=[self.platform], disabled_checks=checks)(
            *over(spec, self.arguments))
        with jax_mlir.make_ir_context():
            return ir.Module.parse(exported.mlir_module()).operation.get_asm(print_generic_op_form=True)

    def shape_options(self):
        """--shape of each argument: bounds where a symbol occurs alone first, else its name or an expression."""
        bounds, options = {s.name: s.text for s in self.symbols}, []
        for number, argument in enumerate(jax.tree.leaves(self.arguments, is_leaf=lambda a: isinstance(a, Argument))):
            dims = [dim.strip() for dim in getattr(argument, "dims", "").split(",")]
            entries = [bounds.pop(dim, dim) for dim in dims if dim and not dim.isdigit()]
            options += [f"--shape=arg{number}:{','.join(entries)}"] * bool(entries)
        assert not bounds, f"no argument has a dimension {list(bounds)}"
        return options

    def buckets(self, count):
        return ",".join(f"{s.name}=explicit:" + ",".join(map(str, s.buckets(count))) for s in self.symbols)

    def launches(self, rng, count, most):
        """The smallest and the largest sizes, and others in a random order."""
        lists = [s.sizes(rng, count) for s in self.symbols]
        grid = [dict(zip([s.name for s in self.symbols], sizes)) for sizes in itertools.product(*lists)]
        rest = [grid[1 + i] for i in rng.permutation(max(0, len(grid) - 2))]
        return [grid[0], *([grid[-1]] if len(grid) > 1 else []), *rest][:most]

    def values(self, sizes, rng):
        return over(lambda a: a.array(sizes, rng) if isinstance(a, Argument) else a, self.arguments)


def dynamic(symbols, *arguments, platform="cpu", constraints=()):
    """Adds a function. `symbols` are "b=1..4, s=4..24/4"; `platform` is what it is lowered for."""
    def add(function):
        assert function.__name__ not in DYNAMIC
        DYNAMIC[function.__name__] = Case(function, symbols, arguments, platform, constraints)
        return function
    return add
