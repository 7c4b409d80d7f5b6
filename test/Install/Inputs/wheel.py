"""Compiles a layer for each device with the installed package and compares it with NumPy.

usage: wheel.py layer.mlir
"""
import pathlib
import sys

import gaudi_mlir
import numpy as np

random = np.random.default_rng(1)
x, w, b = (random.normal(size=shape).astype(np.float32) for shape in ((2, 3), (3, 4), (2, 4)))
expected = np.maximum(x.astype(np.float64) @ w.astype(np.float64) + b, 0)
for device in ("gaudi", "gaudi2", "gaudi3"):
    recipe = gaudi_mlir.compile(pathlib.Path(sys.argv[1]), device=device)
    [y] = recipe.run([x, w, b])
    np.testing.assert_allclose(y, expected, rtol=1e-6, atol=1e-6)
    print(f"{recipe.device}: equal to NumPy within 1e-6")

sweep = gaudi_mlir.batch_sweep(pathlib.Path(sys.argv[1]), device_memory=1 << 20, page="sweep.html")
print(sweep)
recipe.html("page.html")
recipe.trace("trace.json")
assert recipe.plan_memory()["memory"]["fits"]
