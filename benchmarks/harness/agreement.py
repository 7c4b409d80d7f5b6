"""Whether outputs agree with those of a peer."""
import numpy as np

# Largest error as a share of the largest value and of the element; RMS error
# as a share of the RMS. A peer's bf16 rounds at other places than ours and its
# f32 nowhere, so these are wider than those of docs/numerics.md, which compares
# with the same rounding; the RMS shows what a single outlier does not.
BOUND = {"f32": (1e-4, 1e-4), "bf16": (0.0625, 0.02)}


def compare(dtype, got, expected):
    """The worst share of what is allowed, over all outputs."""
    largest, spread = BOUND[dtype]
    worst = 0.0 if len(got) == len(expected) else float("inf")
    for a, b in zip(got, expected):
        a, b = a.astype(np.float64), b.astype(np.float64)
        if a.shape != b.shape or not (np.isfinite(a).all() and np.isfinite(b).all()):
            worst = float("inf")
            break
        tiny = np.finfo(np.float32).tiny
        error = np.abs(a - b)
        worst = max(worst, float((error / (largest * (np.abs(b).max() + np.abs(b)) + tiny)).max()),
                    float(np.sqrt((error ** 2).mean()) / (spread * np.sqrt((b ** 2).mean()) + tiny)))
    return {"worst": worst, "agrees": worst <= 1.0}
