# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether outputs agree with those of a peer."""
import numpy as np

# Largest error as a share of the largest value and of the element; RMS error
# as a share of the RMS. A peer's bf16 rounds at other places than ours and its
# f32 nowhere, so these are wider than those of docs/numerics.md, which compares
# with the same rounding; the RMS shows what a single outlier does not.
# f16 has eight times the precision of bf16. A step of f8 is an eighth of the
# element, the most that is allowed for the largest one.
# Quantized networks: integers are equal, but where a peer's floats between them
# (GELU, softmax) round to another integer, that goes on through the layers.
BOUND = {"f32": (1e-4, 1e-4), "bf16": (0.0625, 0.02), "f16": (0.0625 / 8, 0.02 / 8),
         "f8E4M3FN": (0.0625, 0.02), "int8": (0.0625, 0.05)}


CHUNK = 1 << 22  # elements that are compared at a time: large outputs fit in memory


def chunks(a, b):
    """Both as float64, and which elements of b are finite."""
    a, b = a.reshape(-1), b.reshape(-1)
    for start in range(0, b.size, CHUNK):
        x, y = (array[start:start + CHUNK].astype(np.float64) for array in (a, b))
        yield x, y, np.isfinite(y)


def distance(a, b, largest, spread):
    """The worst share of what is allowed, over the elements of an output."""
    if a.shape != b.shape:
        return float("inf")
    tiny = np.finfo(np.float32).tiny
    peak = max((np.abs(y[finite]).max(initial=0.0) for _, y, finite in chunks(a, b)), default=0.0)
    worst = errors = squares = 0.0
    for x, y, finite in chunks(a, b):
        # Seeded moments of an optimizer may be negative: NaN is NaN in both.
        if not np.array_equal(x[~finite], y[~finite], equal_nan=True):
            return float("inf")
        x, y = x[finite], y[finite]
        error = np.abs(x - y)
        if np.isnan(error).any():
            return float("inf")
        allowed = largest * (peak + np.abs(y)) + tiny
        worst = max(worst, float((error / allowed).max(initial=0.0)))
        errors += float((error ** 2).sum())
        squares += float((y ** 2).sum())
    count = max(b.size, 1)
    return max(worst, float(np.sqrt(errors / count) / (spread * np.sqrt(squares / count) + tiny)))


def compare(dtype, got, expected):
    """The worst share of what is allowed, over all outputs. Outputs of which no
    element is finite do not agree: nothing was compared."""
    largest, spread = BOUND[dtype]
    worst = 0.0 if len(got) == len(expected) else float("inf")
    if any(b.size for b in expected) and not any(
            finite.any() for b in expected for _, _, finite in chunks(b, b)):
        worst = float("inf")
    for a, b in zip(got, expected):
        worst = max(worst, distance(a, b, largest, spread))
    return {"worst": worst, "agrees": worst <= 1.0}
