# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Seeded numbers, and the bits of narrow floats."""
import zlib

import numpy as np

# PyTorch's names of the float types.
TORCH = {"f32": "float32", "bf16": "bfloat16", "f16": "float16", "f8E4M3FN": "float8_e4m3fn"}


def rng(*key):
    """A generator that depends on nothing but the key."""
    return np.random.default_rng([zlib.crc32(str(part).encode()) for part in key])


def normal(name, shape, deviation, mean=0.0):
    values = rng("weights", name).standard_normal(shape, dtype=np.float32)
    return values * np.float32(deviation) + np.float32(mean)


def bf16_bits(values):
    """The bits of values rounded to bf16, to nearest even (no NaN expected)."""
    bits = np.ascontiguousarray(values, dtype=np.float32).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)


def bf16_values(bits):
    return (np.asarray(bits, dtype=np.uint16).astype(np.uint32) << 16).view(np.float32)


def f8_type():
    import ml_dtypes  # bf16 and f16 need numpy alone
    return ml_dtypes.float8_e4m3fn


def stored(values, dtype):
    """f32 values rounded to a float type, as an array that numpy can save: bf16 and f8 as bits."""
    if dtype == "bf16":
        return bf16_bits(values)
    if dtype == "f8E4M3FN":
        return values.astype(f8_type()).view(np.uint8)
    return values.astype({"f32": np.float32, "f16": np.float16}[dtype], copy=False)


def values_of(bits, dtype):
    """f32 values of what `stored` gives."""
    if dtype == "bf16":
        return bf16_values(bits)
    return (bits.view(f8_type()) if dtype == "f8E4M3FN" else bits).astype(np.float32, copy=False)


def rounded(values, dtype):
    """f32 values as a float type would hold them."""
    return values_of(stored(values, dtype), dtype)
