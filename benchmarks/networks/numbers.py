"""Seeded numbers and bf16 rounding, with numpy alone."""
import zlib

import numpy as np


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


def rounded(values, dtype):
    """f32 values as dtype ('f32' or 'bf16') would hold them."""
    return values if dtype == "f32" else bf16_values(bf16_bits(values))
