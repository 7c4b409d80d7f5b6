# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The first op that leaves the expected noise."""
import numpy
import pytest

import gaudi_mlir

TEXT = """
func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %0 = gaudi.mme.gemm %x, %w : tensor<4x8xf32>, tensor<8x8xf32> -> tensor<4x8xf32>
  %1 = gaudi.tpc.tanh %0 : tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}
"""


def test_a_launch_that_is_right():
    found = gaudi_mlir.bisect_model(TEXT, seed=3)
    assert found["kind"] == "none"


def test_another_form():
    found = gaudi_mlir.bisect_model(TEXT, suspect=TEXT.replace("tanh", "erf"))
    assert found["kind"] == "op"
    assert found["op"]["name"] == "tpc.erf"
    assert found["difference"] == "'gaudi.tpc.erf' where the model has 'gaudi.tpc.tanh'"
    assert found["repaired"] is True


def test_golden_values():
    random = numpy.random.default_rng(1)
    x, w = (random.standard_normal(shape, dtype=numpy.float32) for shape in ((4, 8), (8, 8)))
    places = ["", "", "Net.fc at net.py:3:1", "Net.act at net.py:4:1"]
    golden = {"fc": x @ w, "act": numpy.tanh(x @ w), "none": x}
    found = gaudi_mlir.bisect_model(TEXT, golden=golden, inputs=[x, w], places=places)
    assert found["kind"] == "none" and found["within"] == 2 and found["unmatched"] == ["none"]
    golden["fc"][1, 2] += 1e-3
    found = gaudi_mlir.bisect_model(TEXT, golden=golden, inputs=[x, w], places=places)
    assert found["kind"] == "golden" and found["op"]["name"] == "fc" and found["beyond"] == 1
    assert found["result"]["element"] == "[1, 2]"
    assert found["counterpart"]["location"] == "Net.fc at net.py:3:1"


@pytest.mark.parametrize("options, why", [
    ({"inputs": [numpy.zeros((4, 8), numpy.float32)]}, "got 1 input, the model has 2; give one for each"),
    ({"golden": {"fc": numpy.zeros(3, numpy.complex64)}}, "golden value 'fc' has elements of complex64"),
    ({"golden": {"fc": numpy.zeros(3, numpy.float32)}}, "model: 'fc' is of no op or module"),
    ({"golden": {"fc": None}}, "golden value 'fc' has"),
    ({"suspect": "func.func @main("}, "cannot parse"),
    ({"suspect": TEXT.replace("8x8xf32", "8x9xf32").replace("-> tensor<4x8xf32>", "-> tensor<4x9xf32>")
      .replace(": tensor<4x8xf32>\n", ": tensor<4x9xf32>\n")}, "expected 288 bytes but got 256"),
])
def test_what_cannot_be_compared(options, why):
    with pytest.raises(gaudi_mlir.Error, match=why):
        gaudi_mlir.bisect_model(TEXT, **options)
