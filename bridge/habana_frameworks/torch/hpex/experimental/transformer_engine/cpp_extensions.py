# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Casts and products by the scales of FP8TensorMeta."""
import torch


def cast_to_fp8(inp, fp8_meta_tensor, fp8_tensor: int, otype: torch.dtype,
                stochastic_rounding: bool = False, measure_amax: bool = True):
    """inp in eight bits, and its largest magnitude in the history."""
    made, amax = torch.ops.hpu.cast_to_fp8_v2(inp, fp8_meta_tensor.scale[fp8_tensor],
                                              stochastic_rounding, measure_amax, otype)
    if measure_amax:
        fp8_meta_tensor.measured({fp8_tensor: amax})
    return made


def cast_to_fp8_hybrid(inp, fp8_meta_tensor, fp8_meta_tensor_hybrid, fp8_tensor: int,
                       stochastic_rounding: bool = False, measure_amax: bool = True):
    """inp in E5M2, by the scales of `fp8_meta_tensor_hybrid`, and in E4M3."""
    wide, fine, amax = torch.ops.hpu.cast_to_fp8_hybrid(
        inp, fp8_meta_tensor_hybrid.scale[fp8_tensor], fp8_meta_tensor.scale[fp8_tensor],
        stochastic_rounding, measure_amax)
    if measure_amax:
        fp8_meta_tensor.measured({fp8_tensor: amax})
    return wide, fine


def cast_from_fp8(inp, fp8_meta_tensor, fp8_tensor: int, otype: torch.dtype):
    return torch.ops.hpu.cast_from_fp8(inp, fp8_meta_tensor.scale_inv[fp8_tensor], otype)


def fp8_gemm(A, A_scale_inv, B, B_scale_inv, out_dtype: torch.dtype, bias=None,
             transa: bool = False, transb: bool = True):
    """A [M, K] and B [N, K] as A @ B.T + bias."""
    return torch.ops.hpu.fp8_gemm_v2(A, transa, B, transb, None, out_dtype, A_scale_inv,
                                     B_scale_inv, bias, False)
