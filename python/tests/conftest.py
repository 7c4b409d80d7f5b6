# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models that the tests compile."""

from __future__ import annotations

import gaudi_mlir
import pytest

MATMUL = """
func.func @main(%x: tensor<2x3xf32> {gaudi.name = "x"}, %w: tensor<3x4xf32> {gaudi.name = "w"})
    -> (tensor<2x4xf32> {gaudi.name = "y"}) {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x4xf32>) -> tensor<2x4xf32>
  %y = linalg.matmul ins(%x, %w : tensor<2x3xf32>, tensor<3x4xf32>)
                     outs(%init : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %y : tensor<2x4xf32>
}
"""

TWO_ENTRIES = """
func.func @first(%x: tensor<4xf32> {gaudi.name = "x"}) -> tensor<4xf32> {
  %y = tosa.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func @second(%x: tensor<4xf32> {gaudi.name = "x"}) -> tensor<4xf32> {
  %y = tosa.tanh %x : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
"""

STATE = """
func.func @main(%w: tensor<4xf32> {gaudi.name = "w"}, %g: tensor<4xf32> {gaudi.name = "g"})
    -> (tensor<4xf32> {gaudi.name = "new_w"}) {
  %new = tosa.add %w, %g : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %new : tensor<4xf32>
}
"""

DYNAMIC = """
#map = affine_map<(d0, d1) -> (d0, d1)>
func.func @main(%x: tensor<?x4xf32> {gaudi.name = "x"})
    -> (tensor<?x4xf32> {gaudi.name = "y"}) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x4xf32>
  %e = tensor.empty(%n) : tensor<?x4xf32>
  %y = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?x4xf32>) outs(%e : tensor<?x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %in, %in : f32
    linalg.yield %s : f32
  } -> tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}
"""


def transpose(element_type: str, rows: int = 3, columns: int = 5) -> str:
    """Moves elements of any type without computing with them."""
    return f"""
func.func @main(%x: tensor<{rows}x{columns}x{element_type}> {{gaudi.name = "x"}})
    -> tensor<{columns}x{rows}x{element_type}> {{
  %e = tensor.empty() : tensor<{columns}x{rows}x{element_type}>
  %y = linalg.transpose ins(%x : tensor<{rows}x{columns}x{element_type}>)
      outs(%e : tensor<{columns}x{rows}x{element_type}>) permutation = [1, 0]
  return %y : tensor<{columns}x{rows}x{element_type}>
}}
"""


@pytest.fixture(scope="session")
def matmul() -> gaudi_mlir.Recipe:
    return gaudi_mlir.compile(MATMUL, name="matmul.mlir")


@pytest.fixture(scope="session")
def two_entries() -> gaudi_mlir.Recipe:
    return gaudi_mlir.compile(TWO_ENTRIES, all_entries=True)


@pytest.fixture(scope="session")
def stateful() -> gaudi_mlir.Recipe:
    return gaudi_mlir.compile(STATE, state={"w": "new_w"})


@pytest.fixture(scope="session")
def dynamic() -> gaudi_mlir.Recipe:
    return gaudi_mlir.compile(DYNAMIC, shape={"x": {"batch": (1, 16)}}, buckets="explicit:4,16")
