# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One random function of JAX with its arguments, compiled by gaudi_mlir.jax in batches and judged by JAX
on the CPU."""
import os

# Intermediate results are rounded to the types that the program says.
os.environ.setdefault("XLA_FLAGS",
                      "--xla_allow_excess_precision=false --xla_cpu_enable_fast_math=false")
os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax  # noqa: E402 (the flags are set above)
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402

from random_case import (B, BF, F16, F32, I8, I16, I32, I64, U8, U16, U32, U64, Arrays,  # noqa: E402
                         NoCase, difference)
from random_trials import Batch, pick  # noqa: E402

jax.config.update("jax_enable_x64", True)

FL = [F32, F32, F16, BF]
SI = [I8, I16, I32, I64]
UI = [U8, U16, U32, U64]
INT = SI + UI
NUM = FL + INT
ALL = NUM + [B]

FUNCTIONS = {}
# How often another choice is tried where one makes no case.
TRIALS = 30


def cases(name, weight=1.0):
    """Adds what draws the arguments of a case and returns its function."""
    def add(draw):
        FUNCTIONS[name] = (draw, weight)
        return draw
    return add


def isf(dtype):
    return dtype.kind not in "iub"


def pairs(draw, count, low=-2):
    """Padding before and after each dimension."""
    return [(draw.integer(low, 2), draw.integer(low, 2)) for _ in range(count)]


class Case(Arrays):
    """`loose` multiplies tolerances; `note` says what was drawn."""

    def __init__(self, seed):
        super().__init__(seed)
        self.arguments, self.function = [], None
        self.name, self.note, self.loose = "", "", 1.0
        self.wanted = []

    def shape(self, low=0, high=4, rank=None):
        return tuple(super().shape(low, high, rank))

    def given(self, array):
        self.arguments.append(np.asarray(array))

    def value(self, shape, dtype, **options):
        self.given(self.array(shape, dtype, **options))

    def axes(self, rank, low=1):
        return tuple(self.permutation(rank)[:self.integer(low, rank)])

    def judge(self):
        """What JAX gives; raises NoCase where that is of types that the device does not have."""
        self.wanted = [np.asarray(value)
                       for value in jax.tree.leaves(jax.jit(self.function)(*self.arguments))]
        if any(value.dtype.kind == "c" or value.dtype == np.float64 for value in self.wanted):
            raise NoCase("complex or float64 results")

    def __str__(self):
        types = ", ".join(f"{array.dtype}{list(array.shape)}" for array in self.arguments)
        return f"{self.name} {self.note} | {types}"


def _if_ranked(function):
    return lambda x: function(x) if x.ndim else x


def _of_integers(dtype):
    return lambda x: x if isf(np.dtype(x.dtype)) else x.astype(dtype)


# Functions that take any array, for chains.
_FURTHER = {
    "neg": lambda x: -x, "abs": jnp.abs, "sum": _if_ranked(lambda x: jnp.sum(x, -1)),
    "max": _if_ranked(lambda x: jnp.max(x, 0)), "transpose": jnp.transpose, "double": lambda x: x + x,
    "square": lambda x: x * x, "flip": jnp.flip, "f16": lambda x: x.astype(jnp.float16),
    "f32": lambda x: x.astype(jnp.float32), "i32": _of_integers(jnp.int32),
    "i8": _of_integers(jnp.int8), "u8": _of_integers(jnp.uint8), "positive": lambda x: x > 0,
    "ravel": jnp.ravel, "cumsum": jnp.cumsum, "argmax": jnp.argmax,
    "broadcast": lambda x: jnp.broadcast_to(x, (2, *x.shape)),
    "even": _if_ranked(lambda x: x[..., ::2]), "sort": _if_ranked(lambda x: jnp.sort(x, -1)),
    "pad": lambda x: jnp.pad(x, 1), "where": lambda x: jnp.where(x > 1, x, jnp.zeros_like(x)),
    "softmax": _if_ranked(lambda x: jax.nn.softmax(x.astype(jnp.float32), -1)),
}


def _then(function, further):
    """A function of the first result of `function`, of the last one if that is boolean."""
    def chained(*arguments):
        leaves = jax.tree.leaves(function(*arguments))
        value = leaves[-1] if leaves[0].dtype == bool else leaves[0]
        for name in further:
            value = _FURTHER[name](value.astype(jnp.int32) if value.dtype == bool else value)
        return value
    return chained


def draw_case(number, names):
    import jax_random_lax  # noqa: F401 (adds functions)
    import jax_random_numpy  # noqa: F401
    for trial in range(TRIALS):
        case = Case([number, trial])
        case.name = pick(case, FUNCTIONS, names)
        try:
            case.function = FUNCTIONS[case.name][0](case)
        except NoCase:
            continue
        if case.chance(0.3):
            further = [case.choice(sorted(_FURTHER)) for _ in range(case.integer(1, 3))]
            case.note += " then " + ", ".join(further)
            case.loose *= 3
            case.function = _then(case.function, further)
        return case
    raise NoCase("no choice makes a case")


def judge(args, numbers):
    """The rows of a batch (random_trials.run)."""
    import gaudi_mlir
    from gaudi_mlir import jax as gaudi_jax
    batch, drawn = Batch(numbers), {}
    for number in numbers:
        try:
            case = draw_case(number, args.names)
            case.judge()
            drawn[number] = case
        except Exception as reason:  # of the generator, or of JAX, which refuses some choices
            batch.add(number, "?", "not judged", f"{type(reason).__name__}", "")

    def attempt(cases):
        arguments = [array for case in cases.values() for array in case.arguments]

        def whole(*given):
            left, results = list(given), []
            for case in cases.values():
                own, left = left[:len(case.arguments)], left[len(case.arguments):]
                results.append(jax.tree.leaves(case.function(*own)))
            return results

        try:
            got = gaudi_jax.compile(whole, *arguments)(*arguments)
        except gaudi_mlir.Error as error:
            return "refused", str(error)
        except Exception as error:  # anything else is a defect
            return "wrong", f"{type(error).__name__}: {error}"
        for (number, case), results in zip(cases.items(), got):
            words = difference(results, case.wanted, case.loose)
            batch.add(number, case.name, "wrong" if words else "equal", words or "", str(case))
            if args.case is not None:
                show(case, results)
        return None

    batch.run(drawn, attempt)
    return batch.rows


def show(case, results):
    for name, arrays in (("argument", case.arguments), ("wanted", case.wanted), ("got", results)):
        for array in arrays:
            print(name, np.asarray(array).dtype, np.asarray(array).tolist())
