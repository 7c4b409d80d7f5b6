# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays for random programs of frameworks, and the comparison of what they give."""
import numpy as np

from hlo_case import DTYPES, Draw

F32, F16, BF, F64 = (DTYPES[name] for name in ("f32", "f16", "bf16", "f64"))
F8A, F8B = DTYPES["f8E4M3FN"], DTYPES["f8E5M2"]
I8, I16, I32, I64 = (DTYPES[f"i{bits}"] for bits in (8, 16, 32, 64))
U8, U16, U32, U64 = (DTYPES[f"ui{bits}"] for bits in (8, 16, 32, 64))
B = DTYPES["i1"]

# What is not a number of everyday: overflow, ties, signed zeros.
MARKS = np.array([np.inf, -np.inf, np.nan, 0.0, -0.0, 0.5, -0.5, 1.5, 2.5, 1.0, -1.0, 1e-30, 3e4])

# Of the element, and three tenths of it of the largest one.
TOLERANCES = {F32: 3e-5, F16: 3e-3, BF: 2.5e-2, F64: 3e-5, F8A: 0.13, F8B: 0.26}


class NoCase(Exception):
    """These choices make no case."""


class Arrays(Draw):
    """Random shapes, dimensions and arrays; a third of all cases has special numbers."""

    def __init__(self, seed):
        super().__init__(seed)
        self.special = self.chance(0.35)

    def shape(self, low=0, high=4, rank=None, most=7):
        rank = self.integer(low, high) if rank is None else rank
        sizes = [size for size in (1, 2, 3, 4, 5, 7) if size <= most]
        return [self.choice(sizes) for _ in range(rank)]

    def broadcast_shapes(self, count=2):
        """Shapes that broadcast to one."""
        full = self.shape()
        shapes = []
        for _ in range(count):
            sizes = [1 if self.chance(0.25) else size for size in full]
            shapes.append(sizes[self.integer(0, len(sizes)) if self.chance(0.4) else 0:])
        return shapes

    def axis(self, rank):
        return self.integer(-rank, rank - 1)

    def array(self, shape, dtype, low=-4.0, high=4.0, special=None):
        """Numbers in [low, high], integers in three times that; some arrays have ties of roundings,
        or integers from all over their type."""
        special = self.special if special is None else special
        if dtype == B:
            return np.asarray(self.rng.random(shape) < 0.5)
        if dtype.kind in "iu":
            return self._integers(shape, dtype, int(low * 3), int(high * 3), special)
        array = self.rng.uniform(low, high, shape)
        if self.chance(0.25):
            array = np.round(array * 2) / 2
        if special:
            hit = self.rng.random(shape) < 0.25
            array = np.where(hit, self.rng.choice(MARKS, shape), array)
        return np.asarray(array).astype(dtype)

    def _integers(self, shape, dtype, low, high, special):
        info = np.iinfo(dtype)
        if not special and self.chance(0.3):
            return np.asarray(self.rng.integers(info.min, info.max, shape, dtype, endpoint=True))
        array = self.rng.integers(max(info.min, low), min(info.max, high), shape, endpoint=True)
        if special:
            ends = [info.min, info.max, 0, 1, info.max - 1, info.min + 1]
            hit = self.rng.random(shape) < 0.3
            array = np.where(hit, self.rng.choice(np.array(ends, object), shape), array)
        return np.asarray(array).astype(dtype)


def difference(got, wanted, loose=1.0, steps=0):
    """The first result that differs, in words, or None. `loose` multiplies the tolerances of floats;
    integers may differ by `steps`."""
    if len(got) != len(wanted):
        return f"{len(got)} results instead of {len(wanted)}"
    for index, (a, b) in enumerate(zip(got, wanted)):
        a, b = np.asarray(a), np.asarray(b)
        if (a.dtype, b.dtype) == (I64, U64):  # the device has no ui64
            a = a.view(U64)
        if (a.dtype, a.shape) != (b.dtype, b.shape):
            return (f"result {index} is {a.dtype}{list(a.shape)} instead of "
                    f"{b.dtype}{list(b.shape)}")
        bad = _are_apart(a, b, loose, steps)
        if bad.any():
            at = tuple(int(i) for i in np.argwhere(np.atleast_1d(bad))[0])
            return (f"result {index} ({b.dtype}), {int(bad.sum())} of {bad.size} differ: {list(at)} is "
                    f"{np.atleast_1d(a)[at]} instead of {np.atleast_1d(b)[at]}")
    return None


def _are_apart(a, b, loose, steps):
    """Of each element whether it is wrong."""
    if b.dtype == B or b.dtype.kind in "iu" and not steps:
        return np.asarray(a != b)
    if b.dtype.kind in "iu":
        return np.asarray(np.abs(a.astype(np.int64) - b.astype(np.int64)) > steps)
    of_element = TOLERANCES[b.dtype] * (loose if b.dtype.itemsize > 1 else 1)
    a, b, least = a.astype(F64), b.astype(F64), 1e-7 if b.dtype.itemsize > 1 else 2e-3
    with np.errstate(all="ignore"):
        finite = np.abs(b[np.isfinite(b)])
        largest = min(finite.max(), 1e6) if finite.size else 0.0
        allowed = of_element * (np.abs(b) + 0.3 * largest) + least
        near = np.where(np.isfinite(b), np.abs(a - b) <= allowed, a == b)
    return np.asarray(~(near | (np.isnan(a) & np.isnan(b))))
