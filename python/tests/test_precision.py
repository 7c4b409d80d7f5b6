# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Two precisions of a model: autocast as an option of compile, and compare_precision."""
import ml_dtypes
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


def given():
    random = numpy.random.default_rng(1)
    return [random.standard_normal(shape, dtype=numpy.float32) for shape in ((4, 8), (8, 8))]


def test_an_option_of_compile():
    x, w = given()
    [wide] = gaudi_mlir.compile(TEXT).run([x, w])
    [narrow] = gaudi_mlir.compile(TEXT, autocast="bf16").run([x, w])
    bf16 = ml_dtypes.bfloat16
    product = (x.astype(bf16).astype(numpy.float32) @ w.astype(bf16).astype(numpy.float32)).astype(bf16)
    assert narrow.dtype == numpy.float32
    numpy.testing.assert_array_equal(narrow, numpy.tanh(product.astype(numpy.float32)).astype(bf16)
                                     .astype(numpy.float32))
    assert not numpy.array_equal(narrow, wide)


@pytest.mark.parametrize("device, largest", [("gaudi2", 240), ("gaudi3", 448)])
@pytest.mark.parametrize("margin", [0, 2])
def test_products_of_eight_bits(device, largest, margin):
    """Against the formula with the type of ml_dtypes."""
    def eight_bits(x):
        scale = 2.0 ** (numpy.floor(numpy.log2(largest / abs(x).max())) - margin)
        scaled = numpy.clip(x * scale, -largest, largest).astype(ml_dtypes.float8_e4m3fn)
        return scaled.astype(numpy.float64), scale
    x, w = given()
    x *= 1000
    (a, of_a), (b, of_b) = eight_bits(x), eight_bits(w)
    bf16 = ml_dtypes.bfloat16
    product = ((a @ b).astype(numpy.float32) / (of_a * of_b)).astype(bf16).astype(numpy.float32)
    [made] = gaudi_mlir.compile(TEXT, device=device, autocast=f"fp8:margin={margin}").run([x, w])
    numpy.testing.assert_array_equal(made, numpy.tanh(product).astype(bf16).astype(numpy.float32))


def test_gaudi_has_no_eight_bits():
    with pytest.raises(gaudi_mlir.Error, match="gaudi has no 8-bit floats; choose device gaudi2 or gaudi3"):
        gaudi_mlir.compile(TEXT, device="gaudi", autocast="fp8")


def test_an_unknown_type():
    with pytest.raises(gaudi_mlir.Error, match="expected bf16, f16, f32 or fp8 but got 'f8'"):
        gaudi_mlir.compile(TEXT, autocast="f8")


def test_comparison():
    x, w = given()
    found = gaudi_mlir.compare_precision(TEXT, inputs=[x, w], places=["", "", "Net.fc at net.py:3:1"])
    assert [(op["name"], op["type"], op["rule"]) for op in found["ops"]] == \
        [("matmul", "bf16", "lower"), ("tanh", "bf16", "none")]
    assert found["ops"][0]["location"] == "Net.fc at net.py:3:1"
    assert sorted(found["ranking"]) == [0, 1]
    assert sum(op["share"] for op in found["ops"]) == pytest.approx(1)
    assert "Net.fc" in [layer["name"] for layer in found["layers"]]
    [wide] = gaudi_mlir.compile(TEXT).run([x, w])
    [narrow] = gaudi_mlir.compile(TEXT, autocast="bf16").run([x, w])
    assert found["error"] == pytest.approx(numpy.linalg.norm(narrow - wide) / numpy.linalg.norm(wide), rel=1e-3)


def test_equal_settings_have_no_error():
    found = gaudi_mlir.compare_precision(TEXT, autocast="bf16", against="bf16", seed=3)
    assert found["error"] == 0 and found["ranking"] == []


@pytest.mark.parametrize("inputs, why", [
    ([numpy.zeros((4, 8), numpy.float32)], "got 1 input, the model has 2; give one for each"),
    ([numpy.zeros((4, 9), numpy.float32), None], "input 'x' is 4x9xf32; expected 4x8xf32|input 'arg0' is 4x9xf32"),
    ([numpy.zeros((4, 8)), None], "input 0 has elements of float64"),
])
def test_inputs_that_do_not_fit(inputs, why):
    with pytest.raises(gaudi_mlir.Error, match=why):
        gaudi_mlir.compare_precision(TEXT, inputs=inputs)


def test_autocast_is_no_option_of_a_comparison():
    with pytest.raises(gaudi_mlir.Error, match="'autocast' is an option of one compilation"):
        gaudi_mlir.compiler._core.compare_precision(
            "m", TEXT.encode(), {"autocast": "bf16"}, [], "f32", "bf16", [], 1, [])
