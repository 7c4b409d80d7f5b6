"""Checks y = x * 2 + b of affine.mlir for seeded inputs: seeded.py SEED FILE."""
import sys

import numpy as np

seed, got = int(sys.argv[1]), np.load(sys.argv[2])


def values(argument, shape, a, off):
    x = (np.arange(np.prod(shape)) + seed * 7919 + argument * 104729).astype(np.uint64)
    mask = np.uint64(0xFFFFFFFF)
    for shift, factor in ((16, 0x7FEB352D), (15, 0x846CA68B)):
        x = ((x ^ (x >> np.uint64(shift))) * np.uint64(factor)) & mask
    x ^= x >> np.uint64(16)
    unit = (x >> np.uint64(8)).astype(np.float32) / np.float32(2**24)
    return ((unit - np.float32(0.5)) * np.float32(2 * np.float32(a)) + np.float32(off)).reshape(shape)


wanted = values(0, (2, 3), 1, 0) * np.float32(2) + values(1, (2, 3), np.sqrt(6 / 3), 0)
if got.dtype != np.float32 or not np.array_equal(got, wanted):
    sys.exit(f"expected {wanted!r} but got {got!r}")
