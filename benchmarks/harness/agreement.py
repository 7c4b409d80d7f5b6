"""Whether outputs agree with those of a peer."""
import numpy as np

# Largest error as a share of the largest value and of the element; RMS error
# as a share of the RMS. A peer's bf16 rounds at other places than ours and its
# f32 nowhere, so these are wider than those of docs/numerics.md, which compares
# with the same rounding; the RMS shows what a single outlier does not.
# f16 has eight times the precision of bf16.
# Quantized networks: integers are equal, but where a peer's floats between them
# (GELU, softmax) round to another integer, that goes on through the layers.
BOUND = {"f32": (1e-4, 1e-4), "bf16": (0.0625, 0.02), "f16": (0.0625 / 8, 0.02 / 8),
         "int8": (0.0625, 0.05)}


def compare(dtype, got, expected):
    """The worst share of what is allowed, over all outputs. Outputs of which no
    element is finite do not agree: nothing was compared."""
    largest, spread = BOUND[dtype]
    worst = 0.0 if len(got) == len(expected) else float("inf")
    if any(b.size for b in expected) and not any(np.isfinite(b.astype(np.float64)).any() for b in expected):
        worst = float("inf")
    for a, b in zip(got, expected):
        a, b = a.astype(np.float64), b.astype(np.float64)
        # Seeded moments of an optimizer may be negative: NaN is NaN in both.
        finite = np.isfinite(b)
        if a.shape != b.shape or not np.array_equal(a[~finite], b[~finite], equal_nan=True):
            worst = float("inf")
            break
        a, b = a[finite], b[finite]
        if a.size == 0:
            continue
        tiny = np.finfo(np.float32).tiny
        error = np.abs(a - b)
        worst = max(worst, float((error / (largest * (np.abs(b).max() + np.abs(b)) + tiny)).max()),
                    float(np.sqrt((error ** 2).mean()) / (spread * np.sqrt((b ** 2).mean()) + tiny)))
    return {"worst": worst, "agrees": worst <= 1.0}
