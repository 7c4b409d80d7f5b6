# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""quantized_decomposed on hpu: eight bits are casts, against numbers in float64; whole numbers are
as on the CPU."""
import pytest
import torch
import torch.ao.quantization.fx._decomposed  # noqa: F401: defines the ops

Q = torch.ops.quantized_decomposed
TYPES = {torch.float8_e4m3fn: 240, torch.float8_e5m2: 57344}


def _cast(x, scale, zero_point, dtype):
    most = TYPES[dtype]
    return (x.double() / scale + zero_point).clamp(-most, most).float().to(dtype).double()


@pytest.mark.parametrize("dtype", [
    torch.float8_e4m3fn, pytest.param(torch.float8_e5m2, marks=pytest.mark.slow)])
def test_eight_bits_are_casts(dtype, call):
    most = TYPES[dtype]
    x = torch.tensor([[0.3, 1e-2, -1.23, 0.0], [70.0, -1e9, float("inf"), 1e-5]])
    scales = torch.tensor([0.25, 0.5])

    def run(x, scale, zero, scales, zeros):
        rest = -most, most, dtype
        ends = (torch.full_like(scale, each) for each in (-most, most))
        made = [Q.quantize_per_tensor(x, 0.25, 0, *rest), Q.quantize_per_tensor(x, 0.25, 1, *rest),
                Q.quantize_per_tensor(x, scale, zero, *rest),
                Q.quantize_per_tensor(x, scale, zero, *ends, dtype=dtype),
                Q.quantize_per_channel(x, scales, zeros, 0, *rest),
                Q.quantize_per_channel(x, scales, zero, 0, *rest)]
        numbers = [Q.dequantize_per_tensor(made[0], 0.25, 0, *rest, out_dtype=torch.bfloat16),
                   Q.dequantize_per_channel(made[4], scales, zeros, 0, *rest),
                   Q.dequantize_per_channel(made[5], scales, None, 0, *rest)]
        return *made, *numbers
    zeros = torch.tensor([0.0, 2.0])
    given = [each.to("hpu") for each in (x, torch.tensor([0.25]), torch.tensor(0.0), scales, zeros)]
    *made, one, channels, others = (each.cpu() for each in call(run, *given))
    plain = _cast(x, 0.25, 0, dtype)
    expected = [plain, _cast(x, 0.25, 1, dtype), plain, plain,
                _cast(x, scales[:, None], zeros[:, None], dtype),
                _cast(x, scales[:, None], 0, dtype)]
    for each, other in zip(made, expected):
        assert each.dtype is dtype and torch.equal(each.double(), other)
    assert one.dtype is torch.bfloat16 and torch.equal(one.double(), plain * 0.25)
    assert torch.equal(channels.double(), (expected[4] - zeros[:, None]) * scales[:, None])
    assert torch.equal(others.double(), expected[5] * scales[:, None])


def test_whole_numbers_are_those_of_pytorch(call):
    x, scales, zeros = torch.randn(2, 5), torch.tensor([0.02, 0.1]), torch.tensor([3, -1])

    def run(x, scales, zeros):
        rest = -128, 127, torch.int8
        made = Q.quantize_per_channel(x, scales, zeros, 0, *rest)
        return (Q.quantize_per_tensor(x, 0.02, 3, *rest), made,
                Q.dequantize_per_channel(made, scales, zeros, 0, *rest))
    given = x, scales, zeros
    for made, expected in zip(call(run, *(each.to("hpu") for each in given)), run(*given)):
        assert made.dtype is expected.dtype and torch.equal(made.cpu(), expected)


def test_scales_that_are_too_many():
    x, scales = torch.ones(2, 2, device="hpu"), torch.ones(2, device="hpu")
    with pytest.raises(ValueError, match="takes one scale, not a tensor of shape .2.; quant"):
        Q.quantize_per_tensor(x, scales, scales, -240, 240, dtype=torch.float8_e4m3fn)
    with pytest.raises(AssertionError, match="quant_min out of bounds"):
        Q.quantize_per_tensor(x, 1.0, 0, -129, 127, torch.int8)
