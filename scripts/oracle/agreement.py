# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether numbers agree within docs/numerics.md."""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def tolerances():
    """(type, scope) -> (of_largest, of_element, absolute), from docs/numerics.md."""
    row = re.compile(r"^\| (\S+) \| (op|model) \| (\S+) \| (\S+) \| (\S+) \|$", re.MULTILINE)
    found = {m.group(1, 2): tuple(map(float, m.group(3, 4, 5)))
             for m in row.finditer((ROOT / "docs" / "numerics.md").read_text())}
    assert ("f32", "op") in found, "the table of docs/numerics.md has been moved"
    return found


def difference(got, expected, tolerance):
    """None if the arrays agree, else the worst element in words. `tolerance` is None for integers and booleans;
    floats come as arrays that convert to float64."""
    import numpy as np
    if got.shape != expected.shape:
        return f"shape {got.shape} instead of {expected.shape}"
    if tolerance is None:
        bad = got != expected
    else:
        got, expected = got.astype(np.float64), expected.astype(np.float64)
        finite = np.abs(expected[np.isfinite(expected)])
        of_largest, of_element, absolute = tolerance
        with np.errstate(invalid="ignore"):
            allowed = of_largest * (finite.max() if finite.size else 0.0) + of_element * np.abs(expected) + absolute
            near = np.where(np.isfinite(expected), np.abs(got - expected) <= allowed, got == expected)
        bad = ~(near | (np.isnan(got) & np.isnan(expected)))
    if not bad.any():
        return None
    with np.errstate(invalid="ignore"):
        away = np.where(bad, np.nan_to_num(np.abs(got.astype(np.float64) - expected.astype(np.float64)), nan=1e300), -1)
    at = np.unravel_index(np.argmax(away), away.shape)
    return (f"{int(bad.sum())} of {bad.size} elements differ; worst at {[int(i) for i in at]}: "
            f"{got[at]} instead of {expected[at]}")
