# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The op gaudi::philox_bits, the words of a generator by counters, as PyTorch sees it.

    philox_bits(seed, offset, start, size) -> int32 tensor

Word k, in row-major order, is word k % 4 of block offset + start + k / 4 of Philox-4x32-10 (J.
Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011) whose key is the seed. Seed
and offset are scalars of int64. The device has a kernel for it; here are the same words for the
CPU.
"""
import math

import torch
from torch import Tensor

_WORD = 0xFFFFFFFF
_SIGN = -2 ** 63

torch.library.define("gaudi::philox_bits",
                     "(Tensor seed, Tensor offset, int start, int[] size) -> Tensor")


def _check(seed: Tensor, offset: Tensor, start: int) -> None:
    for each in (seed, offset):
        if each.dtype != torch.int64 or each.dim() != 0:
            raise ValueError("seed and offset must be scalars of int64")
    if start < 0:
        raise ValueError(f"start must not be negative, but is {start}")


@torch.library.register_fake("gaudi::philox_bits")
def _fake(seed: Tensor, offset: Tensor, start: int, size: list[int]) -> Tensor:
    _check(seed, offset, start)
    return seed.new_empty(size, dtype=torch.int32)


@torch.library.impl("gaudi::philox_bits", "default")
def _bits(seed: Tensor, offset: Tensor, start: int, size: list[int]) -> Tensor:
    _check(seed, offset, start)
    count = math.prod(size)
    low = offset + start + torch.arange(-(-count // 4))
    high = seed + ((low ^ _SIGN) < (offset ^ _SIGN))  # the carry of numbers without a sign
    x = [low & _WORD, (low >> 32) & _WORD, high & _WORD, (high >> 32) & _WORD]
    key = [seed & _WORD, (seed >> 32) & _WORD]
    for _ in range(10):
        even, odd = x[0] * 0xD2511F53, x[2] * 0xCD9E8D57
        x = [((odd >> 32) & _WORD) ^ x[1] ^ key[0], odd & _WORD,
             ((even >> 32) & _WORD) ^ x[3] ^ key[1], even & _WORD]
        key = [(key[0] + 0x9E3779B9) & _WORD, (key[1] + 0xBB67AE85) & _WORD]
    return torch.stack(x, -1).reshape(-1)[:count].to(torch.int32).reshape(size)
