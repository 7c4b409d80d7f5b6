"""Writes an MLIR model `x * W` with seeded weights W to the given file."""
import sys

import numpy as np

name, seed = sys.argv[1], int(sys.argv[2])
rows, columns = 640, 512
weights = np.random.default_rng(seed).standard_normal((1, rows, columns), dtype=np.float32)
with open(name, "w") as out:
    out.write(
        """func.func @main(%%x: tensor<1x4x%(r)dxf32>) -> tensor<1x4x%(c)dxf32> {
  %%w = "tosa.const"() {values = dense<"0x%(hex)s"> : tensor<1x%(r)dx%(c)dxf32>} : () -> tensor<1x%(r)dx%(c)dxf32>
  %%z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %%y = tosa.matmul %%x, %%w, %%z, %%z : (tensor<1x4x%(r)dxf32>, tensor<1x%(r)dx%(c)dxf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x%(c)dxf32>
  return %%y : tensor<1x4x%(c)dxf32>
}
""" % {"r": rows, "c": columns, "hex": weights.tobytes().hex().upper()})
