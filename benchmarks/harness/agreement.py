"""Whether outputs agree. The bounds are those of docs/numerics.md for models."""
import numpy as np

# Share of the largest value and of the element.
BOUND = {"f32": 1e-4, "bf16": 0.015625}


def compare(ours, theirs, got, expected):
    """Two sides that round to bf16 may each be off by the bound."""
    bound = BOUND[ours] * (2 if ours == theirs == "bf16" else 1)
    worst = 0.0
    for a, b in zip(got, expected):
        a, b = a.astype(np.float64), b.astype(np.float64)
        if a.shape != b.shape or not (np.isfinite(a) == np.isfinite(b)).all():
            return {"bound": bound, "worst": float("inf"), "agrees": False}
        allowed = bound * (np.abs(b).max() + np.abs(b)) + np.finfo(np.float32).tiny
        worst = max(worst, float((np.abs(a - b) / allowed).max()))
    return {"bound": bound, "worst": worst, "agrees": worst <= 1.0}
